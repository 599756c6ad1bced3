"""How much the premises' words of logic around an option's clauses tell of whether it follows.

A learner looks at where each premise has an option's clauses, and at pairs of premises. It finds
the right option of most arguments as they are drawn. An argument is kept the more rarely the surer
it was, so that among those kept what it sees no longer tells which option is right. It is a
factorization machine (Rendle, 2010): what is seen has a weight and, for each of two kernels, a
vector; a pair of premises counts by the products of their vectors in the first kernel less those in
the second. ``benchmarks/shortcuts/tells.py`` trains it, for each number of premises. It sees no
signs of what ↔ joins, nor the form of a premise as a whole, which tell much at the basic tier.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import count, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import Clause, Composition
from logic_curriculum.generators.logicskills.constructions import LEAF, Shape
from logic_curriculum.generators.logicskills.models import Indices
from logic_curriculum.generators.logicskills.sentences import load_lexicon
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not

LOWEST = 0.02  # probability of each option, for an argument to be kept
BESIDE = 2  # words before and behind a clause
FACTORS = 4  # length of a vector
SIGNS = (0.0, *[1.0] * FACTORS, *[-1.0] * FACTORS)  # of products in the two kernels
_OTHER = {"+": "-", "-": "+", "±": "±"}

Floats = npt.NDArray[np.float64]


class Look(NamedTuple):
    """All that the learner sees of a premise and an option."""

    shape: Shape  # of the premise
    own: Shape  # of the option
    kind: str  # of the option: its connective, or its type if it has none
    clauses: tuple[tuple[str, str, str], ...]
    """Of each clause of the premise and clause of the option their signs, and how they are related:
    "=" for equal ones, "-" for opposite ones, "~" for others on the same topic, else nothing."""


def kept(shares: Floats, right: Indices, chance: Floats) -> Indices:
    """Return which arguments are kept, of those with ``shares`` as :func:`shares_of` returns them.

    The more probable the right option, the rarer that is. So each option is right equally often in
    what is kept, whatever the learner sees. ``chance`` has a random number in [0, 1) for each.
    """
    own = shares[np.arange(len(right)), right]
    return np.flatnonzero((shares.min(axis=1) > LOWEST) & (chance * own < LOWEST))


def shares_of(
    variants: Sequence[Sequence[Composition]], chosen: Indices, options: Sequence[Composition]
) -> Floats:
    """Return how probable the learner finds each option, ``[combinations, options]``.

    ``variants`` and ``chosen`` are those of :class:`.arguments.Combinations`.
    """
    vectors = []
    for its, choice in zip(variants, chosen, strict=True):
        used, places = np.unique(choice, return_inverse=True)
        rows = [[_vector(len(variants), look(its[one], o)) for o in options] for one in used]
        vectors.append(np.array(rows)[places])
    found = leans(np.stack(vectors), SIGNS)
    shares: Floats = np.exp(found - found.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def leans(own: Any, signs: Any) -> Any:
    """Return how much the learner leans to each option, from what each premise adds.

    ``own`` is an array or a tensor, [premises, .., weight and vectors], ``signs`` :data:`SIGNS`.
    """
    pairs = (own.sum(axis=0) ** 2 - (own**2).sum(axis=0)) / 2
    return own[..., 0].sum(axis=0) + pairs @ signs


@cache
def _weights(premises: int) -> Mapping[str, Floats]:
    text = files("logic_curriculum.generators.logicskills").joinpath("tells.json").read_text()
    return {name: np.array(row) for name, row in json.loads(text)[str(premises)].items()}


@lru_cache(maxsize=100_000)
def _vector(premises: int, looked: Look) -> Floats:
    weights, total = _weights(premises), np.zeros(1 + 2 * FACTORS)
    for name, times in seen(looked).items():
        total += times * weights.get(name, 0.0)
    return total


def look(premise: Composition, option: Composition) -> Look:
    """Return what the learner sees of a premise and an option."""
    kind = option.parts[0].sentence.type if option.shape == LEAF else str(option.shape[0])
    pairs = tuple(_related(one, other) for one, other in product(premise.parts, option.parts))
    return Look(premise.shape, option.shape, kind, pairs)


@lru_cache(maxsize=100_000)
def _related(one: Clause, other: Clause) -> tuple[str, str, str]:
    (core, sign), (other_core, other_sign) = _core(one), _core(other)
    if arguments.topic_of(one.sentence) != arguments.topic_of(other.sentence):
        return sign, other_sign, ""
    return sign, other_sign, "~" if core != other_core else "=" if sign == other_sign else "-"


def _core(clause: Clause) -> tuple[Formula, str]:
    formula, sign = clause.sentence.formula, "+"
    while isinstance(formula, Not):
        formula, sign = formula.body, _OTHER[sign]
    return formula, sign


def seen(looked: Look) -> Counter[str]:
    """Count the places where a premise has an option's clauses, or others on the same topics."""
    found = Counter(f"{looked.kind}|{name}" for name in _connectives(looked.shape))
    together = []
    pairs = product(_places(looked.shape), _places(looked.own))
    for ((place, left, right), (own, *_)), (sign, own_sign, related) in zip(
        pairs, looked.clauses, strict=True
    ):
        if related:
            at, there = _signed(place, sign), _signed(own, own_sign)
            together += [f"{at}{there}"] * (related != "~")
            found.update([f"{at}{related.replace('-', '=')}{there}", f"{left}–{right}{related}"])
            found.update([f"<{left}{related}", f">{right}{related}"])
    found[f"all {' '.join(sorted(together))}"] += 1
    return found


def _signed(place: str, sign: str) -> str:
    return place if sign == "+" else place[:-1] + _OTHER[place[-1]]


def _connectives(shape: Shape) -> list[str]:
    if isinstance(shape, str):
        return []
    return [str(shape[0]), *(name for part in shape[1:] for name in _connectives(part))]


@cache
def _places(shape: Shape) -> tuple[tuple[str, str, str], ...]:
    """Return of each clause of a shape its logical place, and the words before and behind it."""
    text = _spoken(shape, (f"clause{number}" for number in count()))
    words = ["^", *re.findall(r"[\w'-]+", text.lower()), "$"]
    found = []
    for clause, logical in clauses(arguments.scheme(shape)):
        at = words.index(f"clause{clause}")
        beside = words[max(0, at - BESIDE) : at], words[at + 1 : at + 1 + BESIDE]
        left, right = (re.sub(r"clause\d+", "–", " ".join(side)) for side in beside)
        found.append((logical, left, right))
    return tuple(found)


def _spoken(shape: Shape, names: Iterator[str]) -> str:
    if isinstance(shape, str):
        return next(names)
    parts = [_spoken(part, names) for part in shape[1:]]
    pattern = load_lexicon("english").connectives[str(shape[0])]
    return pattern.format(**dict(zip("AB", parts, strict=False)))


def clauses(formula: Formula, sign: str = "+", above: str = "") -> Iterator[tuple[Formula, str]]:
    """Yield the clauses of a sentence's form, each with its sign and what it is joined by."""
    match formula:
        case Not(body):
            yield from clauses(body, _OTHER[sign], above)
        case Binary("iff", left, right):
            yield from clauses(left, "±", f"{above}↔")
            yield from clauses(right, "±", f"{above}↔")
        case Binary(connective, left, right):
            joined = "∧" if (connective == "and") == (sign != "-") else "∨"
            above += joined if not above.endswith(joined) else ""
            yield from clauses(left, _OTHER[sign] if connective == "imp" else sign, above)
            yield from clauses(right, sign, above)
        case _:
            yield formula, above + sign
