"""The Prolog judge: does a hypothesis entail what it should, given a program of facts?

``own_facts`` gives each example a case with its own facts, as rewards judge; ``whole_program`` puts
all examples into one, as the paper does. ``judge_groups`` and ``judge_further`` run hypotheses of a
language model in confined processes, ``entailed`` decides trusted rules in this one.
``docs/judges.md`` says how it works and what it guarantees.
"""

from logic_curriculum.rewards.engines.prolog.program import Fact, Program, isomorphic_copy
from logic_curriculum.rewards.engines.prolog_old.cases import Cases, own_facts, whole_program
from logic_curriculum.rewards.engines.prolog_old.in_process import entailed
from logic_curriculum.rewards.engines.prolog_old.pool import (
    Execution,
    Executions,
    judge_further,
    judge_groups,
)
from logic_curriculum.rewards.engines.prolog_old.worker import PrologUnavailable, swipl_path

__all__ = ["Cases", "Execution", "Executions", "Fact", "Program", "PrologUnavailable", "entailed"]
__all__ += ["isomorphic_copy", "judge_further", "judge_groups", "own_facts", "swipl_path"]
__all__ += ["whole_program"]
