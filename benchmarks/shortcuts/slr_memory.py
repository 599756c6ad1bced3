"""Strategies that remember the examples shown: memorisers, neighbours, votes and hashes.

Each returns a Prolog text that is written for the judge's limits: 64 clauses, 20,000 characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import Perceptron
from slr_rules import Literal, Shown, Strategy, Writer

from logic_curriculum.generators.slr.language import Example, Part

Numbers = npt.NDArray[np.int64]

EPOCHS = 500
"""Passes of the perceptron over the examples."""
HASHES = 4_000
"""Hashes that are tried on a task."""
PLACES = 100
"""Codes of values for each place of a part."""
CELLS = 960
"""Cells of memory that a clause of data may take."""


# --------------------------------------------------------------------------------- memorisers


def _described(writer: Writer, ordered: bool) -> str:
    """Define ``part(T, V1, V2, ...)``: the train has a part with these values."""
    used = [at for at in range(len(writer.names)) if ordered or at != writer.position]
    values = ", ".join(f"V{at}" for at in used)
    goals = ", ".join(f"{writer.names[at]}(C, V{at})" for at in used)
    return f"part(T, {values}) :- {writer.has}(T, C), {goals}."


def _clauses(writer: Writer, examples: Iterable[Example], head: str, ordered: bool) -> list[str]:
    """Write a clause for each example: it has parts with these values."""
    clauses = []
    for example in examples:
        parts = example if ordered else [_without_place(part, writer) for part in example]
        goals = dict.fromkeys(f"part(T, {', '.join(map(str, values))})" for values in parts)
        clauses.append(f"{head}(T) :- {', '.join(goals)}.")
    return list(dict.fromkeys(clauses))


def _without_place(part: Part, writer: Writer) -> Part:
    return tuple(value for at, value in enumerate(part) if at != writer.position)


def _memorise(choose: Callable[[Shown], list[Example]], positive: bool, ordered: bool) -> Strategy:
    """Return the strategy to accept the chosen examples, or all but them."""

    def write(shown: Shown) -> str:
        writer, head = shown.writer, shown.writer.head
        known = head if positive else "known"
        lines = [] if positive else [f"{head}(T) :- \\+ known(T)."]
        lines += _clauses(writer, choose(shown), known, ordered)
        return "\n".join([*lines, _described(writer, ordered)])

    return write


def _first_parts(shown: Shown, positive: bool) -> list[Example]:
    return [example[:1] for example in shown.of_class(positive)]


def _own_parts(shown: Shown) -> list[Example]:
    """Return the first part of each positive that no negative has, wherever it stands."""
    known = {_without_place(p, shown.writer) for example in shown.of_class(False) for p in example}
    chosen = []
    for example in shown.of_class(True):
        own = tuple(part for part in example if _without_place(part, shown.writer) not in known)
        chosen.append((own or example)[:1])
    return chosen


def with_exceptions(shown: Shown, guess: str, right: Sequence[bool]) -> str:
    """Guess by a condition on T, and remember the examples shown of which it is not right."""
    writer, clauses = shown.writer, []
    rows = list(zip(shown.examples, shown.labels, right, strict=True))
    for head, of_class in (("missed", True), ("taken", False)):
        wrong = [example for example, label, good in rows if label is of_class and not good]
        clauses += _clauses(writer, wrong, head, ordered=True) or [f"{head}(_) :- fail."]
    return "\n".join(
        [
            f"{writer.head}(T) :- missed(T).",
            f"{writer.head}(T) :- {guess}, \\+ taken(T).",
            *clauses,
            _described(writer, ordered=True),
        ]
    )


MEMORISERS: dict[str, Strategy] = {
    "each positive, its cars as a set": _memorise(lambda shown: shown.of_class(True), True, False),
    "each positive, its cars by position": _memorise(
        lambda shown: shown.of_class(True), True, True
    ),
    "each positive, its first car": _memorise(partial(_first_parts, positive=True), True, True),
    "each positive, a car that no negative has": _memorise(_own_parts, True, False),
    "not a negative, by its cars": _memorise(lambda shown: shown.of_class(False), False, False),
    "not a negative, by its first car": _memorise(
        partial(_first_parts, positive=False), False, True
    ),
}


# --------------------------------------------------------------------------------- neighbours


def nearest(shown: Shown, count: int, ordered: bool = False) -> str:
    """Decide as the nearest examples do: the fewest values that only one of both has."""
    writer, count = shown.writer, count if len(shown.examples) > count else 1
    codes = {literal: number for number, literal in enumerate(writer.literals)}
    place = writer.position
    values = [
        f"value(C, {number}) :- {writer.literal(literal)}."
        for literal, number in codes.items()
        if literal.at != place
    ]
    known = []
    for example, label in zip(shown.examples, shown.labels, strict=True):
        keys = {
            PLACES * int(part[place]) * ordered + codes[Literal(at, value)]
            for part in example
            for at, value in enumerate(part)
            if at != place
        }
        known.append(f"k({int(label)}, {len(keys)}, {sorted(keys)})")
    per_clause = CELLS // (3 * max(text.count(",") + 8 for text in known))
    clauses = [
        f"known(K) :- member(K, [{', '.join(known[start : start + per_clause])}])."
        for start in range(0, len(known), per_clause)
    ]
    labels = [f"L{number}" for number in range(count)]
    code = f"{writer.names[place]}(C, P), K is {PLACES} * P + V" if ordered else "K = V"
    return "\n".join(
        [
            f"{writer.head}(T) :- findall(K, ({writer.has}(T, C), value(C, V), {code}), Ks), "
            "sort(Ks, Own), findall(D-L, distance(Own, D, L), Ds), "
            f"msort(Ds, [{', '.join(f'_-{label}' for label in labels)}|_]), "
            f"{' + '.join(labels)} > {count // 2}.",
            "distance(Own, D, L) :- known(k(L, N, Its)), ord_subtract(Own, Its, New), "
            "length(New, M), D is N + 2 * M.",
            *values,
            *clauses,
        ]
    )


# ------------------------------------------------------------------------- sums over all parts


def counts_of(shown: Shown) -> Numbers:
    """Count for each example the parts that have each literal."""
    literals = shown.writer.literals
    rows = [Counter(item for part in parts for item in enumerate(part)) for parts in shown.examples]
    return np.array([[row[item.at, item.value] for item in literals] for row in rows])


def _weighted(shown: Shown, weights: Numbers, test: str) -> str:
    """Sum a weight for each value of each part, and test the sum S."""
    writer = shown.writer
    clauses = [
        f"weight(C, {int(weight)}) :- {writer.literal(literal)}."
        for literal, weight in zip(writer.literals, weights, strict=True)
        if weight
    ]
    head = f"{writer.head}(T) :- findall(W, ({writer.has}(T, C), weight(C, W)), Ws), "
    return "\n".join([f"{head}sum_list(Ws, S), {test}.", *(clauses or ["weight(_, 0)."])])


def votes(shown: Shown) -> str:
    """Let each value vote by its counts in the classes; the threshold fits the examples best."""
    counts = counts_of(shown)
    weights = np.where(shown.labels, 1, -1) @ counts
    sums = counts @ weights
    cuts = [int(value) for value in sorted({*sums, min(sums) - 1})]
    right = [int(np.sum((sums > cut) == np.array(shown.labels))) for cut in cuts]
    return _weighted(shown, weights, f"S > {cuts[int(np.argmax(right))]}")


def perceptron(shown: Shown) -> str:
    """Weigh the values until the examples are told apart."""
    model = Perceptron(max_iter=EPOCHS, tol=None, shuffle=False)
    model.fit(counts_of(shown), shown.labels)
    return _weighted(shown, model.coef_[0], f"S > {-int(model.intercept_[0])}")


def parity(shown: Shown) -> str:
    """Solve for a set of values whose count is odd for one class and even for the other."""
    counts = counts_of(shown) % 2
    table = np.column_stack([np.ones(len(counts), dtype=np.int64), counts, shown.labels])
    solution = _solve_by_parity(table)
    return _weighted(shown, solution[1:], f"{1 - int(solution[0])} =:= S mod 2")


def _solve_by_parity(table: Numbers) -> Numbers:
    """Eliminate over the field of two elements; the last column is the right side."""
    rows = table.astype(np.int64) % 2
    solution = np.zeros(rows.shape[1] - 1, dtype=np.int64)
    pivots: list[int] = []
    for column in range(rows.shape[1] - 1):
        below = [r for r in range(len(pivots), len(rows)) if rows[r, column]]
        if not below:
            continue
        top = len(pivots)
        rows[[top, below[0]]] = rows[[below[0], top]]
        for r in range(len(rows)):
            if r != top and rows[r, column]:
                rows[r] ^= rows[top]
        pivots.append(column)
    for r, column in enumerate(pivots):
        solution[column] = rows[r, -1]
    return solution


def fitted_hash(shown: Shown) -> str:
    """Try sums of weighted value numbers, modulo 2 to 7, until one tells the examples apart."""
    rng = shown.rng()
    counts, labels = counts_of(shown), np.array(shown.labels)
    most, text = -1, ""
    for _ in range(HASHES):
        modulus = rng.randint(2, 7)
        weights = np.array([rng.randrange(modulus) for _ in shown.writer.literals])
        sums = counts @ weights % modulus
        balance = np.bincount(sums, labels * 2 - 1, minlength=modulus)
        residues = [int(r) for r in np.flatnonzero(balance > 0)]
        right = int(np.sum(np.isin(sums, residues) == labels))
        if right > most:
            test = f"R is S mod {modulus}, memberchk(R, {residues})"
            most, text = right, _weighted(shown, weights, test)
        if right == len(labels):
            break
    return text


NEIGHBOURS: dict[str, Strategy] = {
    "nearest example": partial(nearest, count=1),
    "nearest example, place by place": partial(nearest, count=1, ordered=True),
    "three nearest examples": partial(nearest, count=3),
    "votes of attribute values": votes,
    "votes weighed until they fit": perceptron,
    "parity of attribute values that fits": parity,
    "hash of attribute values that fits": fitted_hash,
}
