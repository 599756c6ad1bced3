"""The Prolog judge: does a hypothesis entail what it should, given a program of facts?

Programs of labelled examples:
    ``own_facts(text)`` gives each example a case with its own facts, which is how rewards judge;
    ``whole_program(Program.parse(text))`` puts all examples into one, which is how the paper does.
    ``isomorphic_copy(program)`` renames objects and reorders examples.

Hypotheses of a language model, judged in confined processes:
    ``judge_groups([(cases, hypotheses), ...])`` gives an ``Execution`` for each hypothesis. Pass
    the hypotheses of one program together. ``judge_further`` goes on with those that are right.

Rules of a generator, decided in this process:
    ``entailed(rule, cases)``.

``docs/judge.md`` tells how it works and what it guarantees.
"""

from logic_curriculum.rewards.engines.prolog.cases import Cases, own_facts, whole_program
from logic_curriculum.rewards.engines.prolog.in_process import entailed
from logic_curriculum.rewards.engines.prolog.pool import (
    Execution,
    Executions,
    judge_further,
    judge_groups,
)
from logic_curriculum.rewards.engines.prolog.program import Fact, Program, isomorphic_copy
from logic_curriculum.rewards.engines.prolog.worker import PrologUnavailable, swipl_path

__all__ = [
    "Cases",
    "Execution",
    "Executions",
    "Fact",
    "Program",
    "PrologUnavailable",
    "entailed",
    "isomorphic_copy",
    "judge_further",
    "judge_groups",
    "own_facts",
    "swipl_path",
    "whole_program",
]
