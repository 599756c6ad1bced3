"""First-order logic: formulas, finite models, and Z3 for what finite models can't decide."""

from logic_curriculum.rewards.engines.fol.entailment import entails, equivalent, satisfiable
from logic_curriculum.rewards.engines.fol.models import (
    Models,
    Structure,
    evaluate,
    holds,
    random_models,
)
from logic_curriculum.rewards.engines.fol.parser import FormulaError, parse
from logic_curriculum.rewards.engines.fol.syntax import Formula, Signature
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant

__all__ = [
    "Formula",
    "FormulaError",
    "Models",
    "Signature",
    "Structure",
    "entails",
    "equivalent",
    "evaluate",
    "holds",
    "parse",
    "parse_tolerant",
    "random_models",
    "satisfiable",
]
