"""Judge hypotheses that a language model wrote."""

from __future__ import annotations

from collections.abc import Sequence

from rewards.judges.prolog.equivalence import run_with_proofs
from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.pool import Run, pool
from rewards.judges.prolog.program import Program
from rewards.judges.prolog.seat import Executions, Job


def judge_tasks(
    tasks: Sequence[tuple[Sequence[Program], Sequence[str]]], use_proofs: bool = True
) -> list[list[Executions]]:
    """Run hypotheses over several programs of their task, in confined workers.

    A hypothesis is read and checked once, and may use the background predicates of its task's
    first program. This is the fast way to judge the isomorphic, the extensional and the held-out
    program together.

    Args:
        tasks: Pairs of a task's programs, which share their label predicates, and the hypotheses
            to judge on each of them. Programs are loaded once for a task.
        use_proofs: Whether to spare the run on an original program that comes after its
            :func:`~rewards.judges.prolog.isomorphic_copy`, for a hypothesis that provably can't
            tell the two apart. Status and outcomes are the same either way.

    Returns:
        For each task and hypothesis a tuple with an execution for each program, all in order. An
        execution depends on program and hypothesis alone, not on its company, the machine or what
        was judged before.

    Raises:
        ValueError: A task has no program, or its programs differ in their label predicates.
        PrologUnavailable: There is no ``swipl``, it is too old or it does not start.
    """
    jobs = [Job(tuple(programs), tuple(hypotheses)) for programs, hypotheses in tasks]
    return pool().run(jobs, run_with_proofs if use_proofs else _run_plainly)


def _run_plainly(job: Job, run: Run) -> list[Executions]:
    return run(job)


def judge_groups(groups: Sequence[tuple[Program, Sequence[str]]]) -> list[list[Execution]]:
    """Run hypotheses over one program each, in confined workers.

    Args:
        groups: Pairs of a program and the hypotheses to judge on it.

    Returns:
        For each group the executions of its hypotheses, all in order; see :func:`judge_tasks`.

    Raises:
        PrologUnavailable: There is no ``swipl``, it is too old or it does not start.
    """
    judged = judge_tasks([((program,), hypotheses) for program, hypotheses in groups])
    return [[executions[0] for executions in task] for task in judged]
