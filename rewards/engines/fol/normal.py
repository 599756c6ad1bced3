"""A form that formulas share when they differ in spelling only."""

from __future__ import annotations

from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

_DUAL = {"and": "or", "or": "and", "forall": "exists", "exists": "forall"}


def normal_form(formula: Formula) -> str:
    """Return a text that only equivalent formulas have.

    Equal for formulas that differ in the names of bound variables, in the order, grouping and
    repetition of conjuncts and disjuncts, in the order of a biconditional's sides, in where
    negations stand, or in ``A→B`` written as ``¬A∨B``. Many equivalent formulas differ still.

    >>> from logic_curriculum.rewards.engines.fol.parser import parse
    >>> normal_form(parse("¬∃x(Fx∧Gx)")) == normal_form(parse("∀y(Gy→¬Fy)"))
    True
    """
    return _written(formula, True, ())


def _written(formula: Formula, positive: bool, bound: tuple[str, ...]) -> str:
    """Write a formula or its negation; ``bound`` names the quantifiers' variables, inmost first."""
    match formula:
        case Atom(predicate, terms):
            names = [str(bound.index(term)) if term in bound else term for term in terms]
            return f"{'' if positive else '¬'}{predicate}{','.join(names)}"
        case Not(body):
            return _written(body, not positive, bound)
        case Quantified(quantifier, variable, body):
            name = quantifier if positive else _DUAL[quantifier]
            return f"{name} {_written(body, positive, (variable, *bound))}"
        case Binary("iff", left, right):
            sides = sorted(_written(side, True, bound) for side in (left, right))
            return f"{'' if positive else '¬'}iff({';'.join(sides)})"
    name = "and" if formula.connective == "and" else "or"
    name = name if positive else _DUAL[name]
    parts = sorted(set(_parts(formula, name, positive, bound)))
    return parts[0] if len(parts) == 1 else f"{name}({';'.join(parts)})"


def _parts(formula: Formula, name: str, positive: bool, bound: tuple[str, ...]) -> list[str]:
    """List the members of a chain of conjunctions, or of disjunctions, as ``name`` says."""
    match formula:
        case Not(body):
            return _parts(body, name, not positive, bound)
        case Binary("and" | "or" | "imp" as connective, left, right):
            meant = "and" if connective == "and" else "or"
            if name == (meant if positive else _DUAL[meant]):
                first = positive != (connective == "imp")
                return _parts(left, name, first, bound) + _parts(right, name, positive, bound)
    return [_written(formula, positive, bound)]
