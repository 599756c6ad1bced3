"""Judge hypotheses that a language model wrote."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.rewards.engines.prolog.cases import Cases
from logic_curriculum.rewards.engines.prolog.execution import Execution
from logic_curriculum.rewards.engines.prolog.pool import pool
from logic_curriculum.rewards.engines.prolog.seat import Job


def judge_groups(groups: Sequence[tuple[Cases, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses over the cases of a program each, in confined workers.

    Args:
        groups: Pairs of cases, see :mod:`rewards.engines.prolog.cases`, and the hypotheses to judge
            on them. Cases are loaded once for a group.

    Returns:
        For each group the executions of its hypotheses, all in order. An execution depends on
        cases and hypothesis alone, not on its company, the machine or what was judged before.

    Raises:
        PrologUnavailable: There is no ``swipl``, it is too old or it does not start.
    """
    judged = judge_further([(cases, None, hypotheses) for cases, hypotheses in groups])
    return [[first for first, _ in executions] for executions in judged]


def judge_further(
    groups: Sequence[tuple[Cases, Cases | None, Sequence[str]]],
) -> list[list[tuple[Execution, Execution | None]]]:
    """Run hypotheses over cases, and those that are right on all of them over further ones.

    That is what :func:`judge_groups` returns for both cases, at less cost.

    Args:
        groups: Triples of cases, the further ones or ``None``, and the hypotheses.

    Returns:
        For each group what its hypotheses did on the cases and, ``None`` if it was not asked, on
        the further ones.

    Raises:
        PrologUnavailable: See :func:`judge_groups`.
    """
    return pool().run([Job(cases, tuple(texts), further) for cases, further, texts in groups])
