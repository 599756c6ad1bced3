"""Judge hypotheses that a language model wrote."""

from __future__ import annotations

from collections.abc import Sequence

from rewards.judges.prolog.cases import Cases
from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.pool import pool
from rewards.judges.prolog.seat import Job


def judge_groups(groups: Sequence[tuple[Cases, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses over the cases of a program each, in confined workers.

    Args:
        groups: Pairs of cases, see :mod:`rewards.judges.prolog.cases`, and the hypotheses to judge
            on them. Cases are loaded once for a group.

    Returns:
        For each group the executions of its hypotheses, all in order. An execution depends on
        cases and hypothesis alone, not on its company, the machine or what was judged before.

    Raises:
        PrologUnavailable: There is no ``swipl``, it is too old or it does not start.
    """
    return pool().run([Job(cases, tuple(hypotheses)) for cases, hypotheses in groups])
