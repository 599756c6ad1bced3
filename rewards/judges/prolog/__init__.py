"""The Prolog judge: does a hypothesis entail what it should, given a program of facts?

Programs:
    ``Program.parse(text)`` checks every fact; ``Program.read(text)`` trusts the text and takes
    microseconds. ``isomorphic_copy(program)`` renames objects and reorders examples.

Hypotheses of a language model, judged in confined processes:
    ``judge_tasks([((isomorphic, extensional, heldout), hypotheses), ...])`` gives for each
    hypothesis an ``Execution`` on each program, reading and checking the hypothesis once. It is
    the fast way for rewards: make the programs by ``Program.read`` and pass each task once with
    all of its hypotheses. ``judge_groups([(program, hypotheses), ...])`` is the same for one
    program.

Rules of a generator, decided in this process:
    ``entailed(rule, facts, queries)``.

``docs/judge.md`` tells how it works and what it guarantees.
"""

from rewards.judges.prolog.availability import PrologUnavailable
from rewards.judges.prolog.execution import Execution
from rewards.judges.prolog.in_process import entailed
from rewards.judges.prolog.isomorphic import isomorphic_copy
from rewards.judges.prolog.judging import judge_groups, judge_tasks
from rewards.judges.prolog.program import Fact, Program

__all__ = [
    "Execution",
    "Fact",
    "Program",
    "PrologUnavailable",
    "entailed",
    "isomorphic_copy",
    "judge_groups",
    "judge_tasks",
]
