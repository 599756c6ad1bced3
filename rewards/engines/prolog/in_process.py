"""A second opinion on labels, by SWI-Prolog inside this process: a crash of it is one of Python."""

import os
import subprocess
import threading
from functools import cache
from pathlib import Path
from typing import Any

from logic_curriculum.rewards.engines.prolog.program import Program
from logic_curriculum.rewards.engines.prolog.worker import PATH_VARIABLE, not_installed, swipl_path

_ENGINE = Path(__file__).with_name("judge.pl")
_OUTCOMES = {"1": True, "0": False, "e": None}
_lock = threading.Lock()


def entailed(rule: str, program: Program) -> list[bool | None]:
    """Decide for each example whether the rule and the facts connected to it entail its label.

    Each example is decided alone: while Prolog is asked, there are only the facts of its connected
    component and those about no example. The labels play no part. ``None`` says that the proof
    raises. The rule is a trusted Prolog program of clauses with full stops.

    A ValueError says that the rule can't be read or does not end; PrologUnavailable, that pyswip or
    the shared library of SWI-Prolog is missing.
    """
    cases = [
        f"{example}-[{','.join(str(fact)[:-1] for fact in facts)}]"
        for example, facts in program.alone().items()
    ]
    given = f"{_quoted(rule)}, {program.positive}, [{','.join(cases)}]"
    with _lock:
        pyswip = _pyswip()
        is_new = pyswip.core.PL_thread_self() == -1  # this thread, to Prolog
        (reply,) = pyswip.Prolog.query(f"judge:decided({given}, Status, Answers)")
        if is_new:
            pyswip.core._lib.PL_thread_destroy_engine()
    if reply["Status"] != "ok":
        raise ValueError(
            f"The rule {rule!r} can't be decided on the given facts: {reply['Status']}, "
            f"{reply['Answers']}. Give a rule that SWI-Prolog can read and prove."
        )
    return [_OUTCOMES[bit] for bit in reply["Answers"]]


def _quoted(text: str) -> str:
    """Write a text as a string of Prolog."""
    escaped = [c if c.isalnum() and c.isascii() else f"\\x{ord(c):x}\\" for c in text]
    return f'"{"".join(escaped)}"'


@cache
def _pyswip() -> Any:
    """Start Prolog in this process, load the engine, and return pyswip."""
    if PATH_VARIABLE in os.environ:  # point pyswip there, by the variables that it reads
        told = subprocess.check_output([swipl_path(), "--dump-runtime-variables"], text=True)
        values = dict(line.rstrip(";").split("=", 1) for line in told.splitlines() if "=" in line)
        for variable, name in (("SWI_HOME_DIR", "PLBASE"), ("LIBSWIPL_PATH", "PLLIBSWIPL")):
            os.environ.setdefault(variable, values[name].strip('"'))
    try:
        import pyswip
        import pyswip.core
    except Exception as error:  # pyswip raises bare Exceptions for a missing library
        raise not_installed(f"pyswip can't load its shared library ({error})") from error
    loading = f"set_prolog_gc_thread(false), use_module({_quoted(str(_ENGINE))}, [])"
    if not list(pyswip.Prolog.query(loading)):
        raise not_installed(f"the engine {_ENGINE} does not load in its shared library")
    return pyswip
