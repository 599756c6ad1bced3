"""Propositional logic: truth tables with exact model counts, Z3 beyond them, minimal cores."""

from logic_curriculum.rewards.engines.propositional.cores import (
    is_minimal,
    minimal_core,
    satisfiable,
)
from logic_curriculum.rewards.engines.propositional.parser import FormulaError, parse
from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
    variables,
)
from logic_curriculum.rewards.engines.propositional.truth_table import (
    TooManyVariablesError,
    TruthTables,
    is_true,
    model_count,
)

__all__ = [
    "And",
    "Formula",
    "FormulaError",
    "Implies",
    "Not",
    "Or",
    "TooManyVariablesError",
    "TruthTables",
    "Variable",
    "is_minimal",
    "is_true",
    "minimal_core",
    "model_count",
    "parse",
    "satisfiable",
    "variables",
]
