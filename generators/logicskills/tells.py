"""How much the words of logic around an option's clauses tell of whether it follows.

A logistic regression over where the premises have these clauses, without putting two premises
together, finds the right option of most arguments as they are drawn. Those are kept in which it
gives no option much more than the others, the rarer the surer it was of the right one. So what it
finds no longer tells which option is right. ``benchmarks/shortcuts/tells.py`` makes its weights.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from random import Random

import numpy as np

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import Composition
from logic_curriculum.generators.logicskills.constructions import LEAF, Shape
from logic_curriculum.generators.logicskills.sentences import load_lexicon
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not

HIGHEST = 0.3  # probability of any option
LOWEST = 0.05  # below this, the right option's probability does not matter
BESIDE = 2  # words before and behind a clause


def is_even(
    premises: Sequence[Composition], options: Sequence[Composition], right: int, rng: Random
) -> bool:
    """Draw whether an argument is kept."""
    weights = _weights()
    leans = np.array(
        [sum(weights.get(k, 0.0) * n for k, n in seen(premises, o).items()) for o in options]
    )
    shares = np.exp(leans - leans.max())
    shares /= shares.sum()
    return bool(shares.max() < HIGHEST and rng.random() * shares[right] < LOWEST)


@cache
def _weights() -> Mapping[str, float]:
    text = files("logic_curriculum.generators.logicskills").joinpath("tells.json").read_text()
    found: Mapping[str, float] = json.loads(text)
    return found


def seen(premises: Sequence[Composition], option: Composition) -> Counter[str]:
    """Count at which places premises have an option's clauses, or others on the same topics."""
    found: Counter[str] = Counter()
    simple = option.parts[0].sentence.type if option.shape == LEAF else option.shape[0]
    for premise in premises:
        together = []
        for (place, left, right), clause in zip(_places(premise.shape), premise.parts, strict=True):
            for (own, *_), other in zip(_places(option.shape), option.parts, strict=True):
                if _topic(clause) != _topic(other):
                    continue
                same = "=" if clause.sentence.formula == other.sentence.formula else "~"
                found.update([f"{place}{same}{own}", f"{left}–{right}{same}"])
                found.update([f"<{left}{same}", f">{right}{same}"])
                together += [f"{place}{own}"] * (same == "=")
        if len(together) > 1:
            found[f"both {' '.join(sorted(together))}"] += 1
        found.update(f"{simple}|{name}" for name in _connectives(premise.shape))
    return found


@cache
def _topic(clause: arguments.Clause) -> str:
    return arguments.topic_of(clause.sentence)


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
    other = {"+": "-", "-": "+", "±": "±"}
    match formula:
        case Not(body):
            yield from clauses(body, other[sign], above)
        case Binary("iff", left, right):
            yield from clauses(left, "±", f"{above}↔")
            yield from clauses(right, "±", f"{above}↔")
        case Binary(connective, left, right):
            joined = "∧" if (connective == "and") == (sign != "-") else "∨"
            above += joined if not above.endswith(joined) else ""
            yield from clauses(left, other[sign] if connective == "imp" else sign, above)
            yield from clauses(right, sign, above)
        case _:
            yield formula, above + sign
