"""First-order logic: formulas, finite models, and Z3 for what finite models can't decide."""

from logic_curriculum.rewards.engines.fol.entailment import (
    Equivalence,
    entails,
    equivalent,
    satisfiable,
)
from logic_curriculum.rewards.engines.fol.models import (
    MissingSymbolError,
    Models,
    Structure,
    TooLargeError,
    evaluate,
    holds,
    random_models,
    structure_of,
)
from logic_curriculum.rewards.engines.fol.parser import ArgumentsError, FormulaError, parse
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Atom,
    Binary,
    Formula,
    FreeVariableError,
    Not,
    Quantified,
    Signature,
    free_variables,
    signature,
)
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant

__all__ = [
    "ArgumentsError",
    "ArityClashError",
    "Atom",
    "Binary",
    "Equivalence",
    "Formula",
    "FormulaError",
    "FreeVariableError",
    "MissingSymbolError",
    "Models",
    "Not",
    "Quantified",
    "Signature",
    "Structure",
    "TooLargeError",
    "entails",
    "equivalent",
    "evaluate",
    "free_variables",
    "holds",
    "parse",
    "parse_tolerant",
    "random_models",
    "satisfiable",
    "signature",
    "structure_of",
]
