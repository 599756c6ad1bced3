"""First-order logic: formulas, finite models, and Z3 for what finite models can't decide."""

from logic_curriculum.rewards.engines.fol.equivalence import Equivalence, equivalent
from logic_curriculum.rewards.engines.fol.models import (
    FreeVariableError,
    MissingSymbolError,
    Models,
    TooLargeError,
    evaluate,
    random_models,
)
from logic_curriculum.rewards.engines.fol.parser import ArgumentsError, FormulaError, parse
from logic_curriculum.rewards.engines.fol.prover import entails, satisfiable
from logic_curriculum.rewards.engines.fol.structure import Structure, holds, structure_of
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Atom,
    Binary,
    Formula,
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
