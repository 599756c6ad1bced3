"""Satisfiability by Z3: for more variables than a truth table holds, and as a second judge.

Every question gets a Z3 context of its own, so the answer depends on the question alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
    variables,
)

DEFAULT_RLIMIT = 20_000_000
"""Z3 resource units for one question: some seconds at worst; random 3-SAT with 19 variables and
81 clauses takes some thousands."""


def satisfiable(formulas: Sequence[Formula], *, rlimit: int = DEFAULT_RLIMIT) -> bool | None:
    """Say whether formulas can be true together.

    Args:
        formulas: Formulas, possibly none.
        rlimit: Z3 resource units that may be spent; equal on every machine, unlike seconds.

    Returns:
        None when the budget did not suffice.

    >>> from logic_curriculum.rewards.engines.propositional.parser import parse
    >>> satisfiable([parse("(v1→v2)"), parse("v1"), parse("¬v2")])
    False
    """
    context = z3.Context()
    solver = z3.SolverFor("QF_FD", ctx=context)
    solver.set(rlimit=rlimit)
    atoms = {name: z3.Bool(name, context) for name in variables(*formulas)}
    for formula in formulas:
        solver.add(_expression(formula, atoms))
    return {"sat": True, "unsat": False, "unknown": None}[str(solver.check())]


def _expression(formula: Formula, atoms: dict[str, z3.BoolRef]) -> z3.BoolRef:
    match formula:
        case Variable(name):
            return atoms[name]
        case Not(part):
            return z3.Not(_expression(part, atoms))
        case And(parts):
            return z3.And(*(_expression(part, atoms) for part in parts))
        case Or(parts):
            return z3.Or(*(_expression(part, atoms) for part in parts))
        case Implies(condition, conclusion):
            return z3.Implies(_expression(condition, atoms), _expression(conclusion, atoms))
