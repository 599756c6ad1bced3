"""What of a clause set can be counted without reasoning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import fmean, pstdev

from logic_curriculum.generators import Task
from logic_curriculum.generators.sat.structures import OPERATORS
from logic_curriculum.rewards.engines.propositional import Formula, Not, Variable, parse, variables
from logic_curriculum.rewards.engines.propositional.syntax import parts_of

Features = list[float]


def literals(formula: Formula) -> Iterator[tuple[str, bool]]:
    """Yield the variable and the sign of each leaf, from left to right."""
    if isinstance(formula, Variable):
        yield formula.name, True
    elif isinstance(formula, Not) and isinstance(formula.part, Variable):
        yield formula.part.name, False
    else:
        for part in parts_of(formula):
            yield from literals(part)


def superficial(task: Task) -> Features:
    """Return counts: of statements, characters, words, literals, operators, each variable."""
    texts = task.verification["formulas"]
    formulas = [parse(text) for text in texts]
    statements = task.metadata["statements"]
    found = [leaf for formula in formulas for leaf in literals(formula)]
    counts = Counter(name for name, _ in found)
    signs = Counter(found)
    balance = [signs[name, True] - signs[name, False] for name in sorted(counts)]
    lengths = [len(text) for text in statements]
    sizes = [sum(1 for _ in literals(formula)) for formula in formulas]
    negative = sum(not sign for _, sign in found)
    return [
        len(texts),
        sum(lengths),
        sum(len(text.split()) for text in statements),
        sum(text.count(",") for text in statements),
        *(sum(text.count(operator) for text in texts) for operator in OPERATORS),
        len(found),
        negative,
        negative / len(found),
        len(counts),
        max(counts.values()),
        min(counts.values()),
        pstdev(counts.values()),
        sum(size - len(variables(f)) for size, f in zip(sizes, formulas, strict=True)),
        fmean(map(abs, balance)),
        max(map(abs, balance)),
        sum(balance),
        sum(abs(each) == counts[name] for each, name in zip(balance, sorted(counts), strict=True)),
        *(sum(size == number for size in sizes) for number in range(1, 5)),
        max(sizes),
        pstdev(sizes),
        lengths[0],
        lengths[-1],
        max(lengths),
        min(lengths),
        pstdev(lengths),
        sizes[0],
        sizes[-1],
    ]


def overlap(task: Task) -> Features:
    """Return counts of what stands together: which variables share statements, and how signed."""
    formulas = [parse(text) for text in task.verification["formulas"]]
    leaves = [list(literals(formula)) for formula in formulas]
    sets = [frozenset(name for name, _ in each) for each in leaves]
    signed = [frozenset(each) for each in leaves]
    pairs = Counter(
        pair for names in sets for pair in {(a, b) for a in names for b in names if a < b}
    )
    neighbours = [len(a & b) for a, b in pairwise(sets)]
    units = {leaf for each in leaves if len(each) == 1 for leaf in each}
    return [
        len(pairs),
        max(pairs.values(), default=0),
        pstdev(pairs.values()) if pairs else 0,
        sum(count * (count - 1) for count in Counter(sets).values()),
        sum(count * (count - 1) for count in Counter(signed).values()),
        fmean(neighbours),
        max(neighbours),
        sum(name in sets[0] for name in sets[-1]),
        sum((name, not sign) in units for name, sign in units),
        sum((name, not sign) in units for each in leaves for name, sign in each),
        sum(leaf in units for each in leaves for leaf in each),
    ]


SETS: dict[str, tuple[Callable[[Task], Features], ...]] = {
    "counts": (superficial,),
    "counts and overlap": (superficial, overlap),
}
"""Name → what its features are put together from."""
