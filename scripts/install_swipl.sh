#!/bin/sh
# Install SWI-Prolog with the system's package manager unless a `swipl` that is recent enough is on
# the PATH already. Fails with the remedy if there is none in the end.
set -eu

MINIMUM=90004 # 9.0.4, as Prolog's flag `version` has it; the same as in availability.py

# Print the version of `swipl` as a number, 0 if it does not run, nothing if there is none.
installed_version() {
    command -v swipl >/dev/null 2>&1 || return 0
    swipl -q -f none -g 'current_prolog_flag(version, V), write(V)' -t halt </dev/null 2>/dev/null ||
        echo 0
}

is_recent() {
    [ "${1:-0}" -ge "$MINIMUM" ] 2>/dev/null
}

before=$(installed_version)
if is_recent "$before"; then
    exit 0
elif [ -n "$before" ]; then
    echo "$(command -v swipl) is older than 9.0.4 or does not run (version $before): upgrading." >&2
fi

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "Installing SWI-Prolog needs root: run '$*' as root, then try again." >&2
        exit 1
    fi
}

if command -v apt-get >/dev/null 2>&1; then
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y swi-prolog-nox
elif command -v dnf >/dev/null 2>&1; then
    as_root dnf install -y pl
elif command -v pacman >/dev/null 2>&1; then
    as_root pacman -S --noconfirm swi-prolog
elif command -v apk >/dev/null 2>&1; then
    as_root apk add swi-prolog
elif command -v brew >/dev/null 2>&1; then
    brew upgrade swi-prolog 2>/dev/null || brew install swi-prolog
else
    echo "No known package manager was found." >&2
fi

after=$(installed_version)
if ! is_recent "$after"; then
    echo "There is no swipl of version 9.0.4 or later on the PATH (found: ${after:-none})." >&2
    echo "Install it from https://www.swi-prolog.org/download/stable, or on Ubuntu from" >&2
    echo "ppa:swi-prolog/stable, and put it before others on the PATH." >&2
    exit 1
fi
