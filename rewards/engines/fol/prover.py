"""Entailment and satisfiability by Z3, within a budget that is no clock.

Every question gets a Z3 context of its own. So the answer depends on the question alone, not on
what was asked before, and threads may ask at the same time.

Quantifiers are instantiated by models (``mbqi``) and never by patterns (``ematching``), which
runs away on the ∀∃ formulas of LogicSkills. What that leaves open is mostly a formula whose
models Z3 builds ever larger, so a model of at most 3, 4 or 6 objects is looked for next.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from logic_curriculum.rewards.engines.fol.models import FreeVariableError
from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    Formula,
    Not,
    Quantified,
    free_variables,
    signature,
)

DEFAULT_RLIMIT = 1_000_000
"""Z3 resource units for one question: about a second at worst, 100 times what most need."""

_FIRST_SHARE = 0.2
_DOMAINS = (3, 4, 6)
_DOMAIN_SHARE = 0.1
_OPERATORS = {"and": "and", "or": "or", "imp": "=>", "iff": "="}


def entails(
    premises: Sequence[Formula], conclusion: Formula, *, rlimit: int = DEFAULT_RLIMIT
) -> bool | None:
    """Say whether a conclusion is true wherever the premises are, finite or infinite.

    Args:
        premises: Sentences, possibly none.
        conclusion: A sentence.
        rlimit: Z3 resource units that may be spent; equal on every machine, unlike seconds.

    Returns:
        None when the budget did not suffice.

    Raises:
        ArityClashError: When a predicate occurs with different numbers of arguments.
        FreeVariableError: When a formula is no sentence.

    >>> from logic_curriculum.rewards.engines.fol.parser import parse
    >>> entails([parse("∀x(Fx→Gx)"), parse("Fa")], parse("∃yGy"))
    True
    """
    found = satisfiable([*premises, Not(conclusion)], rlimit=rlimit)
    return None if found is None else not found


def satisfiable(formulas: Sequence[Formula], *, rlimit: int = DEFAULT_RLIMIT) -> bool | None:
    """Say whether sentences can be true together; arguments and errors as for :func:`entails`."""
    script = _script(formulas)
    context = z3.Context()
    found = _check(context, script, rlimit * _FIRST_SHARE)
    if found is not None:
        return found
    for size in _DOMAINS:
        if _check(context, script + _at_most(size), rlimit * _DOMAIN_SHARE):
            return True
    rest = 1 - _FIRST_SHARE - _DOMAIN_SHARE * len(_DOMAINS)
    return _check(context, script, rlimit * rest)


def _check(context: z3.Context, script: str, rlimit: float) -> bool | None:
    solver = z3.SimpleSolver(ctx=context)
    solver.set(ematching=False, mbqi=True, rlimit=max(1, int(rlimit)))
    solver.from_string(script)
    return {"sat": True, "unsat": False, "unknown": None}[str(solver.check())]


def _script(formulas: Sequence[Formula]) -> str:
    symbols = signature(*formulas)
    for formula in formulas:
        if free := free_variables(formula):
            raise FreeVariableError(
                f"{', '.join(sorted(free))} occurs free in {formula}. Bind it by a quantifier."
            )
    lines = ["(declare-sort Thing 0)"]
    lines += [f"(declare-const {constant} Thing)" for constant in sorted(symbols.constants)]
    for predicate, arity in sorted(symbols.arities.items()):
        lines.append(f"(declare-fun {predicate} ({' '.join(['Thing'] * arity)}) Bool)")
    return "\n".join([*lines, *(f"(assert {_expression(formula)})" for formula in formulas)])


def _at_most(size: int) -> str:
    names = [f"thing{index}" for index in range(size)]
    constants = "".join(f"\n(declare-const {name} Thing)" for name in names)
    options = " ".join(f"(= x {name})" for name in names)
    return f"{constants}\n(assert (forall ((x Thing)) (or {options})))"


def _expression(formula: Formula) -> str:
    match formula:
        case Atom(predicate, terms):
            return f"({predicate} {' '.join(terms)})"
        case Not(body):
            return f"(not {_expression(body)})"
        case Binary(connective, left, right):
            return f"({_OPERATORS[connective]} {_expression(left)} {_expression(right)})"
        case Quantified(quantifier, variable, body):
            return f"({quantifier} (({variable} Thing)) {_expression(body)})"
