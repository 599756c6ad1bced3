"""First-order logic: formulas, finite models, and Z3 for what finite models can't decide."""

from logic_curriculum.rewards.engines.fol.entailment import entails, equivalent, satisfiable
from logic_curriculum.rewards.engines.fol.models import Models, evaluate, random_models
from logic_curriculum.rewards.engines.fol.syntax import Signature, parse
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant

__all__ = ["Models", "Signature", "entails", "equivalent", "evaluate", "parse"]
__all__ += ["parse_tolerant", "random_models", "satisfiable"]
