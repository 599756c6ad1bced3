"""Propositional logic: truth tables with exact model counts, Z3 beyond them, minimal cores."""

from logic_curriculum.rewards.engines.propositional.formulas import parse
from logic_curriculum.rewards.engines.propositional.satisfiability import TruthTables, minimal_core

__all__ = ["TruthTables", "minimal_core", "parse"]
