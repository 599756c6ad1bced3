"""A second first-order engine: reader of the strict grammar, evaluation, many models at once.

It shares no code with the judge or the generators. A formula is a nested tuple:
``("atom", "P", ("x", "c"))``, ``("not", A)``, ``("and" | "or" | "if" | "iff", A, B)`` or
``("all" | "some", "x", A)``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product

Formula = tuple

CONNECTIVES = {"∧": "and", "∨": "or", "→": "if", "↔": "iff"}
QUANTIFIERS = {"∀": "all", "∃": "some"}
VARIABLES = "stuvwxyz"
KINDS = "MNO"
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


DENSITIES = (0, 1, 2, 4, 6, 7, 8)
"""Eighths of the tuples that a predicate holds of; a model draws one for each predicate."""


@dataclass
class Crowd:
    """Many random structures of one size, bit i of every mask being the i-th structure.

    Elements 0, 1 and 2 are of kinds M, N and O and any further element is of a random kind, which
    is no loss of generality where the axiom holds. The other symbols are random.
    """

    size: int
    count: int
    masks: dict[tuple, int] = field(default_factory=dict)

    @property
    def full(self) -> int:
        return (1 << self.count) - 1

    def _bits(self, *scope: object) -> int:
        return random.Random(f"{self.size} {self.count} {scope}").getrandbits(self.count)

    def _eighths(self, *scope: object) -> tuple[int, int, int]:
        return tuple(self._bits(*scope, place) for place in range(3))  # type: ignore[return-value]

    def _mask(self, key: tuple) -> int:
        if key not in self.masks:
            self.masks[key] = self._make(*key)
        return self.masks[key]

    def _make(self, symbol: str, *elements: int) -> int:
        if symbol.islower():
            return self._one_of(self.size, elements[0], "name", symbol)
        if symbol in KINDS:
            return self._kind(KINDS.index(symbol), elements[0])
        high, middle, low = self._eighths(symbol, elements)
        chance = self._eighths(symbol, "density")
        mask = 0
        for index, density in enumerate(DENSITIES):
            here = self.full
            for place, bits in enumerate(chance):
                here &= bits if index >> place & 1 else ~bits
            mask |= here & self._below(density, high, middle, low)
        return mask & self.full

    def _below(self, density: int, *bits: int) -> int:
        """Mask of the structures whose three random bits spell a number under the density."""
        mask = 0
        for number in range(density):
            here = self.full
            for place, bit in enumerate(reversed(bits)):
                here &= bit if number >> place & 1 else ~bit
            mask |= here
        return mask

    def _kind(self, kind: int, element: int) -> int:
        if element < len(KINDS):
            return self.full if element == kind else 0
        return self._one_of(len(KINDS), kind, "kind", element)

    def _one_of(self, options: int, wanted: int, *scope: object) -> int:
        """Split the structures evenly among options."""
        key = ("split", options, scope)
        if key not in self.masks:
            draws = random.Random(f"{self.size} {self.count} {key}")
            choice = [draws.randrange(options) for _ in range(self.count)]
            for option in range(options):
                text = "".join("1" if c == option else "0" for c in reversed(choice))
                self.masks["split", options, scope, option] = int(text, 2)
            self.masks[key] = 0
        return self.masks["split", options, scope, wanted]

    def holds(self, formula: Formula, values: Mapping[str, int] | None = None) -> int:
        """Return the mask of the structures in which a formula holds."""
        values = values or {}
        kind = formula[0]
        if kind == "atom":
            return self._atom(formula[1], tuple(values.get(t, t) for t in formula[2]))
        if kind == "not":
            return self.full & ~self.holds(formula[1], values)
        if kind in ("all", "some"):
            return self._quantified(formula, values)
        left = self.holds(formula[1], values)
        right = self.holds(formula[2], values)
        if kind == "and":
            return left & right
        if kind == "or":
            return left | right
        return self.full & (~left | right if kind == "if" else ~(left ^ right))

    def _quantified(self, formula: Formula, values: Mapping[str, int]) -> int:
        kind, variable, body = formula
        mask = self.full if kind == "all" else 0
        for element in range(self.size):
            part = self.holds(body, {**values, variable: element})
            mask = mask & part if kind == "all" else mask | part
        return mask

    def _atom(self, predicate: str, terms: tuple[int | str, ...]) -> int:
        key = ("atom", predicate, *terms)
        if key not in self.masks:
            self.masks[key] = self._ground(predicate, terms)
        return self.masks[key]

    def _ground(self, predicate: str, terms: tuple[int | str, ...]) -> int:
        for place, term in enumerate(terms):
            if isinstance(term, str):
                mask = 0
                for element in range(self.size):
                    concrete = (*terms[:place], element, *terms[place + 1 :])
                    mask |= self._mask((term, element)) & self._atom(predicate, concrete)
                return mask
        return self._mask((predicate, *terms))

    def world(self, index: int, vocabulary: Mapping[str, int]) -> World:
        """Return one structure, with the symbols of a vocabulary."""
        elements = range(self.size)

        def has(*key: object) -> bool:
            return bool(self._mask(key) >> index & 1)

        return World(
            tuple(elements),
            {s: next(x for x in elements if has(s, x)) for s, n in vocabulary.items() if n == 0},
            {
                s: frozenset(t for t in product(elements, repeat=n) if has(s, *t))
                for s, n in vocabulary.items()
                if n
            },
        )


@cache
def crowds() -> tuple[Crowd, ...]:
    return (Crowd(3, 8192), Crowd(4, 8192), Crowd(5, 4096))


@lru_cache(maxsize=50_000)
def mask_of(formula: Formula, place: int) -> int:
    return crowds()[place].holds(formula)


def find_world(true: Sequence[Formula], false: Sequence[Formula] = ()) -> World | None:
    """Look for a structure among the random ones, and check it again element by element."""
    for place, crowd in enumerate(crowds()):
        mask = crowd.full
        for formula in true:
            mask &= mask_of(formula, place)
        for formula in false:
            mask &= ~mask_of(formula, place)
        if mask:
            index = (mask & -mask).bit_length() - 1
            world = crowd.world(index, symbols(*true, *false))
            assert all(true_in(formula, world) for formula in true)
            assert not any(true_in(formula, world) for formula in false)
            return world
    return None
