"""Where SWI-Prolog is, and what to say when it is nowhere or does not work."""

from __future__ import annotations

import shutil

MINIMUM_VERSION = 90004
"""The oldest version that is known to work, as Prolog's flag ``version`` has it: 9.0.4."""

_INSTALL = """\
SWI-Prolog (9.0.4 or later) is needed to judge rules, and {missing}. Install it:
  Debian, Ubuntu   sudo apt-get install swi-prolog-nox
  macOS            brew install swi-prolog
  conda            conda install -c conda-forge swi-prolog
If the package of your system is too old: https://www.swi-prolog.org/download/stable"""
_START = """
If it is installed: does `swipl --version` work, and may a process here use {megabytes} MB of
address space (`ulimit -v`)?"""


class PrologUnavailable(RuntimeError):  # noqa: N818 - the public name
    """SWI-Prolog is missing, too old, or does not start; the message says how to install it."""

    def __init__(self, missing: str, needed_megabytes: int | None = None) -> None:
        """Compose the message.

        Args:
            missing: What is wrong, as the rest of a sentence.
            needed_megabytes: Address space a process needs, if that may be what is wrong.
        """
        hint = _START.format(megabytes=needed_megabytes) if needed_megabytes else ""
        super().__init__(_INSTALL.format(missing=missing) + hint)


def swipl_path() -> str:
    """Return the absolute path of the ``swipl`` executable.

    Raises:
        PrologUnavailable: No ``swipl`` on ``PATH``.
    """
    path = shutil.which("swipl")
    if path is None:
        raise PrologUnavailable("no `swipl` is on PATH")
    return path
