"""A second first-order engine: reader of the strict grammar, and evaluation.

It shares no code with the judge or the generators. A formula is a nested tuple:
``("atom", "P", ("x", "c"))``, ``("not", A)``, ``("and" | "or" | "if" | "iff", A, B)`` or
``("all" | "some", "x", A)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

Formula = tuple

CONNECTIVES = {"∧": "and", "∨": "or", "→": "if", "↔": "iff"}
QUANTIFIERS = {"∀": "all", "∃": "some"}
VARIABLES = "stuvwxyz"
AXIOM = "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"


def read(text: str) -> Formula:
    """Read a formula of the strict grammar; anything else raises ValueError."""
    characters = list("".join(text.split()))
    formula = _read(characters)
    if characters:
        raise ValueError(f"{''.join(characters)!r} is left over in {text!r}")
    return formula


def _read(rest: list[str]) -> Formula:
    head = rest.pop(0) if rest else ""
    if head == "¬":
        return ("not", _read(rest))
    if head in QUANTIFIERS and head and rest and rest[0] in VARIABLES:
        return (QUANTIFIERS[head], rest.pop(0), _read(rest))
    if head == "(":
        left = _read(rest)
        connective = CONNECTIVES[rest.pop(0)]
        right = _read(rest)
        if rest.pop(0) != ")":
            raise ValueError("a bracket isn't closed")
        return (connective, left, right)
    if "A" <= head <= "Z" and len(head) == 1:
        terms = []
        while rest and "a" <= rest[0] <= "z":
            terms.append(rest.pop(0))
        if len(terms) in (1, 2):
            return ("atom", head, tuple(terms))
    raise ValueError(f"no formula begins with {head!r}")


@lru_cache(maxsize=50_000)
def cached_read(text: str) -> Formula:
    return read(text)


def atoms(formula: Formula) -> Iterator[tuple[str, tuple[str, ...]]]:
    if formula[0] == "atom":
        yield formula[1], formula[2]
    else:
        for part in formula[1:]:
            if isinstance(part, tuple):
                yield from atoms(part)


def symbols(*formulas: Formula) -> dict[str, int]:
    """Map each predicate to its arity and each constant to 0; a clash raises ValueError."""
    found: dict[str, int] = {}
    for formula in formulas:
        for predicate, terms in atoms(formula):
            if found.setdefault(predicate, len(terms)) != len(terms):
                raise ValueError(f"{predicate} occurs with different numbers of arguments")
            found.update({term: 0 for term in terms if term not in VARIABLES})
    return found


def free_variables(formula: Formula) -> set[str]:
    if formula[0] == "atom":
        return set(formula[2]) & set(VARIABLES)
    if formula[0] in ("all", "some"):
        return free_variables(formula[2]) - {formula[1]}
    return set().union(*map(free_variables, formula[1:]))


@dataclass(frozen=True)
class World:
    """One finite structure."""

    domain: tuple[int, ...]
    names: Mapping[str, int]
    extensions: Mapping[str, frozenset[tuple[int, ...]]]
    """Predicate → tuples, also for predicates with one argument."""


def true_in(formula: Formula, world: World, values: Mapping[str, int] | None = None) -> bool:
    """Evaluate by the textbook's clauses; a symbol without interpretation raises KeyError."""
    values = values or {}
    kind = formula[0]
    if kind == "atom":
        terms = tuple(values[t] if t in values else world.names[t] for t in formula[2])
        return terms in world.extensions[formula[1]]
    if kind == "not":
        return not true_in(formula[1], world, values)
    if kind in ("all", "some"):
        quantify = all if kind == "all" else any
        _, variable, body = formula
        return quantify(true_in(body, world, {**values, variable: d}) for d in world.domain)
    left, right = (true_in(part, world, values) for part in formula[1:])
    return {"and": left and right, "or": left or right, "if": not left or right}.get(
        kind, left == right
    )
