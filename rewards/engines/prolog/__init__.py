"""The Prolog judge: what does a Prolog program entail, given facts about labelled examples?

``judge_programs`` runs what a language model wrote, whatever it may be, in confined processes.
``entailed`` decides trusted rules in this one. ``docs/judges.md`` says how it works.
"""

from logic_curriculum.rewards.engines.prolog.judging import (
    Execution,
    PrologUnavailable,
    entailed,
    judge_programs,
    swipl_path,
)
from logic_curriculum.rewards.engines.prolog.program import Fact, Program, isomorphic_copy

__all__ = ["Execution", "Fact", "Program", "PrologUnavailable", "entailed", "isomorphic_copy"]
__all__ += ["judge_programs", "swipl_path"]
