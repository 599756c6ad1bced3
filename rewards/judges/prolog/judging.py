"""Judge hypotheses that a language model wrote."""

from __future__ import annotations

from collections.abc import Sequence

from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.pool import pool
from rewards.judges.prolog.program import Program
from rewards.judges.prolog.seat import Job


def judge_groups(groups: Sequence[tuple[Program, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses over programs, in confined workers.

    Args:
        groups: Pairs of a program and the hypotheses to judge on it. The program's facts are
            loaded once for a group.

    Returns:
        For each group the executions of its hypotheses, all in order. An execution depends on
        program and hypothesis alone, not on its company, the machine or what was judged before.

    Raises:
        PrologUnavailable: There is no ``swipl``.
    """
    jobs = [
        Job((program.text,), tuple(hypotheses), program.positive, program.negative)
        for program, hypotheses in groups
    ]
    return [[executions[0] for executions in result] for result in pool().run(jobs)]
