"""What the small network learns to write about formulas: a worked table before the certificate.

Each line names an assignment by its digits, 1 for true, in the order of the variables, and a
statement that is false there, until one makes all true::

    00: 3
    10: 3
    01: all

That takes one look at each statement, where the certificate by itself takes all of the work at
once. Of several false statements the line names the one that is false most often: then few are
named in all, so that those which are contradict one another without any being left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logic_curriculum.generators import Task
from logic_curriculum.generators.sat.prompts import wants_certificate, write_solution
from logic_curriculum.rewards.engines.propositional import TruthTables, minimal_core, parse

TARGETS = ("certificate", "worked")
MAX_VARIABLES = 6
"""Most variables of a table that is written out: 64 lines."""


def with_target(task: Task, target: str) -> Task:
    """Return the task with the solution that is to be learnt, one of :data:`TARGETS`.

    Raises:
        ValueError: If a table is asked for of too many variables, or in a style without proof.
    """
    if target == "certificate":
        return task
    _check(task)
    names = [f"v{number}" for number in range(1, task.metadata["variables"] + 1)]
    tables = TruthTables(names)
    statements = [tables.of(parse(text)) for text in task.verification["formulas"]]
    by_falsity = sorted(range(len(statements)), key=lambda place: -statements[place].bit_count())
    if task.verification["satisfiable"]:
        model = tables.assignment(_first_model(statements, tables.full))
        lines = _lines(statements, by_falsity, len(names))
        return replace(task, solution=f"{lines}{write_solution(True, model, None)}")
    core = [by_falsity[i] for i in minimal_core([statements[i] for i in by_falsity], tables.full)]
    lines = _lines(statements, core, len(names))
    numbers = sorted(place + 1 for place in core)
    return replace(task, solution=f"{lines}{write_solution(False, None, numbers)}")


def _check(task: Task) -> None:
    if task.metadata["variables"] > MAX_VARIABLES:
        raise ValueError(
            f"warm_up_target='worked' at level {task.level}, with {task.metadata['variables']} "
            f"variables: tables are written for at most {MAX_VARIABLES}. Choose lower "
            "warm_up_levels."
        )
    if not wants_certificate(task.metadata["style"]):
        raise ValueError(
            f"warm_up_target='worked' with style={task.metadata['style']!r}: a table ends in a "
            "certificate. Choose style certificate_compact."
        )


def _first_model(statements: Sequence[int], full: int) -> int:
    models = full
    for table in statements:
        models &= table
    return (models & -models).bit_length() - 1


def _lines(statements: Sequence[int], named: Sequence[int], variables: int) -> str:
    """Return the lines; of the statements named, the last one that is false is taken."""
    lines = []
    for assignment in range(1 << variables):
        false = [place for place in named if not statements[place] >> assignment & 1]
        digits = "".join(str(assignment >> place & 1) for place in range(variables))
        lines.append(f"{digits}: {false[-1] + 1 if false else 'all'}\n")
        if not false:
            break
    return "".join(lines)
