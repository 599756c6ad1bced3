"""A second opinion on labels, by SWI-Prolog inside this process."""

import os
import subprocess
from functools import cache
from pathlib import Path

from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Program, swipl_path
from logic_curriculum.rewards.engines.prolog.worker import PATH_VARIABLE

ENGINES = (Path(prolog.__file__).with_name("judge.pl"), Path(__file__).with_name("decided.pl"))
OUTCOMES = {"1": True, "0": False, "e": None}


def entailed(rule, program: Program) -> list[bool | None]:
    """Decide each example with the facts connected to it; ``None`` says that the proof raises."""
    cases = [
        f"{example}-[{','.join(str(fact)[:-1] for fact in facts)}]"
        for example, facts in alone(program).items()
    ]
    given = f"{quoted(rule)}, {program.positive}, [{','.join(cases)}]"
    (reply,) = started().Prolog.query(f"decided:decided({given}, Status, Answers)")
    if reply["Status"] != "ok":
        raise ValueError(f"{reply['Status']}, {reply['Answers']}")
    return [OUTCOMES[bit] for bit in reply["Answers"]]


def alone(program):
    """Return for each example the facts about its component and those about none."""
    components, objects = program.components(), frozenset(program.objects)
    facts = [(fact, objects.intersection(fact.arguments)) for fact in program.facts]
    common = objects.difference(*components.values())
    return {
        example: [fact for fact, some in facts if some <= common or not some.isdisjoint(own)]
        for example, own in components.items()
    }


def quoted(text):
    escaped = [c if c.isalnum() and c.isascii() else f"\\x{ord(c):x}\\" for c in text]
    return f'"{"".join(escaped)}"'


@cache
def started():
    """Start Prolog in this process, load the engine, and return pyswip."""
    if PATH_VARIABLE in os.environ:  # point pyswip there, by the variables that it reads
        told = subprocess.check_output([swipl_path(), "--dump-runtime-variables"], text=True)
        values = dict(line.rstrip(";").split("=", 1) for line in told.splitlines() if "=" in line)
        for variable, name in (("SWI_HOME_DIR", "PLBASE"), ("LIBSWIPL_PATH", "PLLIBSWIPL")):
            os.environ.setdefault(variable, values[name].strip('"'))
    import pyswip

    loading = [f"use_module({quoted(str(engine))}, [])" for engine in ENGINES]
    assert list(pyswip.Prolog.query(", ".join(["set_prolog_gc_thread(false)", *loading])))
    return pyswip
