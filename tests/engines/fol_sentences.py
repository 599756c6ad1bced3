"""Random formulas, and truth in a model by the definition, for comparison."""

from __future__ import annotations

import random

from logic_curriculum.rewards.engines.fol.models import Models
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

SYMBOLS_1 = "FGM"
SYMBOLS_2 = "PQ"


def random_sentence(rng: random.Random, depth: int, scope: tuple[str, ...] = ()) -> Formula:
    """Draw a sentence; quantifiers may be vacuous and may rebind a variable."""
    if depth == 0:
        terms = "ab" + "".join(scope) * 2
        if rng.random() < 0.5:
            return Atom(rng.choice(SYMBOLS_1), (rng.choice(terms),))
        return Atom(rng.choice(SYMBOLS_2), (rng.choice(terms), rng.choice(terms)))
    kind = rng.randrange(7)
    if kind == 0:
        return Not(random_sentence(rng, depth - 1, scope))
    if kind < 4:
        left = random_sentence(rng, rng.randrange(depth), scope)
        right = random_sentence(rng, depth - 1, scope)
        return Binary(rng.choice(("and", "or", "imp", "iff")), left, right)
    variable = rng.choice("svxyz")
    body = random_sentence(rng, depth - 1, tuple(dict.fromkeys((*scope, variable))))
    return Quantified(rng.choice(("forall", "exists")), variable, body)


def true_by_definition(
    formula: Formula, models: Models, index: int, values: dict[str, int] | None = None
) -> bool:
    """Say whether a formula is true in one of the models, by Tarski's definition."""
    assigned = values or {}

    def value(term: str) -> int:
        return assigned[term] if term in assigned else int(models.constants[term][index])

    match formula:
        case Atom(predicate, (term,)):
            return bool(models.monadic[predicate][index, value(term)])
        case Atom(predicate, (first, second)):
            return bool(models.binary[predicate][index, value(first), value(second)])
        case Not(body):
            return not true_by_definition(body, models, index, assigned)
        case Quantified(quantifier, variable, body):
            found = [
                true_by_definition(body, models, index, {**assigned, variable: thing})
                for thing in range(models.size)
            ]
            return all(found) if quantifier == "forall" else any(found)
        case Binary(connective, left, right):
            a = true_by_definition(left, models, index, assigned)
            b = true_by_definition(right, models, index, assigned)
            return {"and": a and b, "or": a or b, "imp": not a or b, "iff": a == b}[connective]
    raise TypeError(formula)
