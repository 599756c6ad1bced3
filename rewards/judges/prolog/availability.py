"""Where SWI-Prolog is, and what to say when it is nowhere."""

from __future__ import annotations

import shutil

_INSTALL = """\
SWI-Prolog (9.0.4 or later) is needed to judge rules, and {missing}. Install it:
  Debian, Ubuntu   sudo apt-get install swi-prolog-nox
  macOS            brew install swi-prolog
  conda            conda install -c conda-forge swi-prolog"""


class PrologUnavailable(RuntimeError):  # noqa: N818 - the public name
    """SWI-Prolog is not installed, or can't be started; the message says how to install it."""

    def __init__(self, missing: str) -> None:
        super().__init__(_INSTALL.format(missing=missing))


def swipl_path() -> str:
    """Return the absolute path of the ``swipl`` executable.

    Raises:
        PrologUnavailable: No ``swipl`` on ``PATH``.
    """
    path = shutil.which("swipl")
    if path is None:
        raise PrologUnavailable("no `swipl` is on PATH")
    return path
