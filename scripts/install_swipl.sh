#!/bin/sh
# Install SWI-Prolog with the system's package manager unless `swipl` is on the PATH already.
set -eu

if command -v swipl >/dev/null 2>&1; then
    exit 0
fi

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "swipl is missing, and installing it needs root: run '$*' as root, then try again." >&2
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
    brew install swi-prolog
else
    echo "swipl is missing and no known package manager was found." >&2
    echo "Install SWI-Prolog 9.0.4 or later from https://www.swi-prolog.org/download/stable." >&2
    exit 1
fi
