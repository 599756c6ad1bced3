"""The trusted host: pyswip runs the engine inside this process.

For labels that a generator computes from its own rules. A runaway rule can't be killed here, and
a crash of Prolog is a crash of Python: completions of a model go to the worker pool instead.
"""

import ctypes
import os
import subprocess
import threading
from functools import cache
from pathlib import Path
from typing import Any

from logic_curriculum.rewards.engines.prolog_old.cases import Cases
from logic_curriculum.rewards.engines.prolog_old.worker import (
    PATH_VARIABLE,
    not_installed,
    swipl_path,
)

ENGINE = Path(__file__).parent / "engine" / "engine.pl"
_lock = threading.RLock()


def _renew_lock() -> None:
    """Give a forked child a lock of its own: the parent's may be held by a thread it lacks."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)


def entailed(rule: str, cases: Cases) -> list[bool]:
    """Decide for each example whether its facts and the rule entail its positive label.

    The rule is a trusted Prolog program of clauses with full stops. The labels play no part.

    A ValueError says that the rule can't be read, or that a proof raises or exceeds its budget;
    PrologUnavailable, that pyswip or the shared library of SWI-Prolog is missing.
    """
    with _lock:
        reply = _call("entailed", rule, cases.positive, cases.source)
    status, _, rest = reply.partition(" ")
    if status != "ok":
        raise ValueError(
            f"The rule {rule!r} can't be decided on the given facts: {rest}. "
            "Give a rule that SWI-Prolog can read and prove without error."
        )
    return [bit == "1" for bit in rest]


@cache
def _core() -> Any:
    """Start Prolog in this process, load the engine, and return pyswip's C bindings."""
    _point_to_library()
    try:
        from pyswip import core, prolog
    except Exception as error:  # pyswip raises bare Exceptions for a missing library
        raise not_installed(f"pyswip can't load its shared library ({error})") from error
    load = f"set_prolog_gc_thread(false), load_files({str(ENGINE)!r}, [if(not_loaded)])"
    if not list(prolog.Prolog.query(f"{load}, judge_engine:works")):
        raise not_installed(f"the engine {ENGINE} does not work in its shared library")
    return core


def _point_to_library() -> None:
    """Point pyswip at the chosen installation, by the variables that it reads."""
    if PATH_VARIABLE not in os.environ:
        return
    told = subprocess.check_output([swipl_path(), "--dump-runtime-variables"], text=True)
    values = dict(line.rstrip(";").split("=", 1) for line in told.splitlines() if "=" in line)
    for variable, name in (("SWI_HOME_DIR", "PLBASE"), ("LIBSWIPL_PATH", "PLLIBSWIPL")):
        os.environ.setdefault(variable, values[name].strip('"'))


def _call(predicate: str, *texts: str) -> str:
    """Call ``judge_engine:predicate(+Text, ..., -Reply)`` and return the reply."""
    core = _core()
    attached = core.PL_thread_self() == -1 and core.PL_thread_attach_engine(None)
    frame = core.PL_open_foreign_frame()
    try:
        arguments = core.PL_new_term_refs(len(texts) + 1)
        for position, text in enumerate(texts):
            data = text.encode()
            kind = core.PL_STRING | core.REP_UTF8
            core.PL_put_chars(arguments + position, kind, len(data), data)
        goal = core.PL_predicate(predicate, len(texts) + 1, "judge_engine")
        if not core.PL_call_predicate(None, core.PL_Q_CATCH_EXCEPTION, goal, arguments):
            raise RuntimeError(f"judge_engine:{predicate}/{len(texts) + 1} failed")
        reply = ctypes.c_char_p()
        flags = core.CVT_STRING | core.REP_UTF8
        core.PL_get_chars(arguments + len(texts), ctypes.byref(reply), flags)
        return (reply.value or b"").decode()
    finally:
        core.PL_discard_foreign_frame(frame)
        if attached:
            core._lib.PL_thread_destroy_engine()
