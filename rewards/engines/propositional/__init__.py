"""Propositional logic: truth tables with exact model counts, Z3 beyond them, minimal cores."""

from logic_curriculum.rewards.engines.propositional.formulas import (
    Formula,
    FormulaError,
    Not,
    Variable,
    parse,
    variables,
)
from logic_curriculum.rewards.engines.propositional.satisfiability import (
    TruthTables,
    minimal_core,
    satisfiable,
)

__all__ = [
    "Formula",
    "FormulaError",
    "Not",
    "TruthTables",
    "Variable",
    "minimal_core",
    "parse",
    "satisfiable",
    "variables",
]
