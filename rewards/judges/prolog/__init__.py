"""The Prolog judge."""

from rewards.judges.prolog.availability import PrologUnavailable
from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.in_process import entailed
from rewards.judges.prolog.isomorphic import isomorphic_copy
from rewards.judges.prolog.judging import judge_groups
from rewards.judges.prolog.program import Fact, Program

__all__ = [
    "Execution",
    "Fact",
    "Program",
    "PrologUnavailable",
    "entailed",
    "isomorphic_copy",
    "judge_groups",
]
