"""Where SWI-Prolog is, and what to say when it is nowhere or does not work."""

from __future__ import annotations

import os
import shutil

MINIMUM_VERSION = 90004
"""The oldest version that is known to work, as Prolog's flag ``version`` has it: 9.0.4."""
PATH_VARIABLE = "LOGIC_CURRICULUM_SWIPL"
"""Environment variable with the path of ``swipl``; default: the one on ``PATH``."""

INSTALL = f"""\
SWI-Prolog (9.0.4 or later) is needed to judge rules, and {{missing}}. Install it:
  Debian, Ubuntu   sudo apt-get install swi-prolog-nox
  macOS            brew install swi-prolog
  conda, no root   conda install -c conda-forge swi-prolog
or set {PATH_VARIABLE} to the `swipl` of an installation of your own (docs/judge.md).
If the package of your system is too old: https://www.swi-prolog.org/download/stable"""


class PrologUnavailable(RuntimeError):  # noqa: N818 - the public name
    """SWI-Prolog is missing, too old, or does not start; the message says what to do."""


def not_installed(missing: str) -> PrologUnavailable:
    """Return the error that tells how to install SWI-Prolog.

    Args:
        missing: What is wrong, as the rest of a sentence.
    """
    return PrologUnavailable(INSTALL.format(missing=missing))


def swipl_path() -> str:
    """Return the absolute path of the ``swipl`` executable.

    Raises:
        PrologUnavailable: There is none at the path that is set, or on ``PATH``.
    """
    given = os.environ.get(PATH_VARIABLE)
    path = shutil.which(given or "swipl")
    if path is None and given:
        raise not_installed(f"{PATH_VARIABLE} is {given!r}, which is no program")
    if path is None:
        raise not_installed("no `swipl` is on PATH")
    return os.path.abspath(path)
