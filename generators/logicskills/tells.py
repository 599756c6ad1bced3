"""How probable a learner finds each option that only sees forms, and which arguments are kept.

It looks at where each premise has an option's clauses, at each premise's negation normal form, at
the option beside the other options, and at pairs of these. It finds the right option of most
arguments as they are drawn. An argument is kept the more rarely the surer it was, so that among
those kept what it sees no longer tells which option is right. It is a factorization machine
(Rendle, 2010): what is seen has a weight and, for each of two kernels, a vector; a pair counts by
the products of the vectors in the first kernel less those in the second.
``benchmarks/shortcuts/tells.py`` trains it, for each number of premises.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import Clause, Composition
from logic_curriculum.generators.logicskills.constructions import Shape
from logic_curriculum.generators.logicskills.models import Indices
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not

LOWEST = 0.02  # probability of each option, for an argument to be kept
FACTORS = 4  # length of a vector
SIGNS = (0.0, *[1.0] * FACTORS, *[-1.0] * FACTORS)  # of products in the two kernels
_LETTERS = {"0": ("X", False), "1": ("Y", False)}
_BARE = str.maketrans("", "", "', ")
_OTHER = {"+": "-", "-": "+", "±": "∓", "∓": "±"}

Floats = npt.NDArray[np.float64]


class Look(NamedTuple):
    """All that the learner sees of a premise and an option."""

    shape: Shape  # of the premise
    own: Shape  # of the option
    related: tuple[str, ...]  # how each clause of the premise is related to each of the option
    beside: tuple[str, ...]  # types of the option's clauses, if the premise is another option


def kept(shares: Floats, right: Indices, chance: Floats) -> Indices:
    """Return which arguments are kept, of those with ``shares`` as :func:`shares_of` returns them.

    The more probable the right option is, and the less probable some other, the rarer that is. So
    each option is right equally often in what is kept, whatever the learner sees. ``chance`` has a
    random number in [0, 1) for each.
    """
    own = shares[np.arange(len(right)), right]
    least = shares.min(axis=1)
    return np.flatnonzero((least > LOWEST) & (chance * own < least))


def shares_of(
    variants: Sequence[Sequence[Composition]], chosen: Indices, options: Sequence[Composition]
) -> Floats:
    """Return how probable the learner finds each option, ``[combinations, options]``.

    ``variants`` and ``chosen`` are those of :class:`.arguments.Combinations`.
    """
    others = ([_vector(len(variants), one) for one in each] for each in looks_beside(options))
    vectors = [np.array([[sum(each) for each in others]])]
    for its, choice in zip(variants, chosen, strict=True):
        used, places = np.unique(choice, return_inverse=True)
        rows = [[_vector(len(variants), look(its[one], o)) for o in options] for one in used]
        vectors.append(np.array(rows)[places])
    found = leans(np.stack(np.broadcast_arrays(*vectors)), SIGNS)
    shares: Floats = np.exp(found - found.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def leans(own: Any, signs: Any) -> Any:
    """Return how much the learner leans to each option, from what each premise adds.

    ``own`` is an array or a tensor, [options and premises, .., weight and vectors]: the other
    options add like one premise. ``signs`` is :data:`SIGNS`.
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


def looks_beside(options: Sequence[Composition]) -> list[list[Look]]:
    """Return of each option what the learner sees of the others beside it."""
    pairs = ([(other, one) for other in options if other is not one] for one in options)
    return [[look(*pair, beside=True) for pair in each] for each in pairs]


def look(premise: Composition, option: Composition, beside: bool = False) -> Look:
    """Return what the learner sees of a premise and an option, or of an option beside another."""
    related = tuple(_related(*pair) for pair in product(premise.parts, option.parts))
    kinds = tuple(part.sentence.type for part in option.parts) if beside else ()
    return Look(premise.shape, option.shape, related, kinds)


@lru_cache(maxsize=100_000)
def _related(one: Clause, other: Clause) -> str:
    """Return how two clauses are related; "-" in front says that the first one's negation is.

    That is "" if their topics differ, "=" if they say the same, else which of both true, only the
    first, only the second, and neither can't be, as ones in four digits.
    """
    if arguments.topic_of(one.sentence) != arguments.topic_of(other.sentence):
        return ""
    signs = product((one.bits, ~one.bits), (other.bits, ~other.bits))
    never = "".join("01"[not (first & second).any()] for first, second in signs)
    code, sign = min((never, ""), (never[2:] + never[:2], "-"))
    return sign + {"0110": "="}.get(code, code)


def seen(looked: Look) -> Counter[str]:
    """Count the places where a premise has an option's clauses or others on their topics, and more.

    That is all such places together, and the forms of both.
    """
    found: Counter[str] = Counter()
    together, names = [], {}
    premise, option = arguments.scheme(looked.shape), arguments.scheme(looked.own)
    pairs = product(sorted(clauses(premise)), sorted(clauses(option)))
    for ((at, place), (number, own)), signed in zip(pairs, looked.related, strict=True):
        if code := signed.removeprefix("-"):
            here = place[:-1] + _OTHER[place[-1]] if signed != code else place
            names[at] = _LETTERS[number][0] + code, signed != code
            together += [f"{here}{own}"] * (code == "=")
            found[f"{here}{code}{own}"] += 1
    form = normal(option, _LETTERS)
    found[f"all {' '.join(sorted(together))}"] += 1
    found[f"{form}|{normal(premise, names)}".translate(_BARE)] += 1
    found.update(f"{form}|{at}|{kind}".translate(_BARE) for at, kind in enumerate(looked.beside))
    return Counter({f"{'beside ' * bool(looked.beside)}{name}": n for name, n in found.items()})


def normal(form: Formula, names: Mapping[str, tuple[str, bool]], sign: bool = True) -> Any:
    """Return a form in negation normal form, as nested tuples.

    ``names`` has the clauses' names, and whether a name is that of the clause's negation; all
    others are "Z", with either sign.
    """
    match form:
        case Not(body):
            return normal(body, names, not sign)
        case Binary("iff", left, right):
            sides = [normal(left, names), normal(right, names)]
            bare = sorted((side[1:] if side[0] == "-" else side for side in sides), key=str)
            denials = sum(side[0] == "-" for side in sides) + (not sign)
            return ("↮" if denials % 2 and "Z" not in bare else "↔", *bare)
        case Binary(connective, left, right):
            op = "∧" if (connective == "and") == sign else "∨"
            both = normal(left, names, sign != (connective == "imp")), normal(right, names, sign)
            parts = [part for each in both for part in (each[1:] if each[0] == op else (each,))]
            return (op, *sorted(parts, key=str))
    name, denied = names.get(str(form), ("Z", False))
    return f"-{name}" if name != "Z" and sign == denied else name


def clauses(form: Formula, sign: str = "+", above: str = "") -> Iterator[tuple[str, str]]:
    """Yield each clause of a form, and its place: what it is joined by, and its sign."""
    match form:
        case Not(body):
            yield from clauses(body, _OTHER[sign], above)
        case Binary("iff", left, right):
            yield from clauses(left, "±" if sign in "+±" else "∓", f"{above}↔")
            yield from clauses(right, "±", f"{above}↔")
        case Binary(connective, left, right):
            joined = "∧" if (connective == "and") == (sign != "-") else "∨"
            above += joined if not above.endswith(joined) else ""
            yield from clauses(left, _OTHER[sign] if connective == "imp" else sign, above)
            yield from clauses(right, sign, above)
        case _:
            yield str(form), above + sign
