"""Strategies that remember the examples shown: memorisers, neighbours, votes and hashes.

Each returns a Prolog text that is written for the judge's limits: 64 clauses, 20,000 characters.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from slr_shown import Literal, Shown, Writer

from logic_curriculum.generators.slr.language import Example, Part

Strategy = Callable[[Shown], str]
Numbers = npt.NDArray[np.int64]

EPOCHS = 500
"""Passes of the perceptron over the examples."""
HASHES = 4_000
"""Hashes that are tried on a task."""
PLACES = 100
"""Codes of values for each place of a part."""
CELLS = 960
"""Cells of memory that a clause of data may take."""


def _described(writer: Writer, without: Sequence[int] = ()) -> str:
    """Define ``part(T, V1, V2, ...)``: the train has a part with these values."""
    used = writer.attributes(without)
    values = ", ".join(f"V{at}" for at in used)
    goals = ", ".join(f"{writer.names[at]}(C, V{at})" for at in used)
    return f"part(T, {values}) :- {writer.has}(T, C), {goals}."


def _parts(parts: Iterable[Part], without: Sequence[int] = ()) -> str:
    goals = []
    for part in parts:
        values = [str(value) for at, value in enumerate(part) if at not in without]
        goals.append(f"part(T, {', '.join(values)})")
    return ", ".join(dict.fromkeys(goals))


def _memorised(shown: Shown, examples: Sequence[Example], head: str, ordered: bool) -> list[str]:
    without = () if ordered else (shown.writer.position,)
    clauses = [f"{head}(T) :- {_parts(example, without)}." for example in examples]
    return [*dict.fromkeys(clauses), _described(shown.writer, without)]


def memorise_sets(shown: Shown) -> str:
    return "\n".join(_memorised(shown, shown.positives, shown.writer.head, ordered=False))


def memorise_places(shown: Shown) -> str:
    return "\n".join(_memorised(shown, shown.positives, shown.writer.head, ordered=True))


def memorise_first_part(shown: Shown) -> str:
    firsts = [example[:1] for example in shown.positives]
    return "\n".join(_memorised(shown, firsts, shown.writer.head, ordered=True))


def memorise_some_part(shown: Shown) -> str:
    """Remember the first part of each positive that no negative has, wherever it stands."""
    place = shown.writer.position
    known = {_without(part, place) for example in shown.negatives for part in example}
    chosen: list[Example] = []
    for example in shown.positives:
        new = tuple(part for part in example if _without(part, place) not in known)
        chosen.append((new or example)[:1])
    return "\n".join(_memorised(shown, chosen, shown.writer.head, ordered=False))


def _without(part: Part, place: int) -> Part:
    return tuple(value for at, value in enumerate(part) if at != place)


def memorise_negatives(shown: Shown) -> str:
    head = f"{shown.writer.head}(T) :- \\+ known(T)."
    return "\n".join([head, *_memorised(shown, shown.negatives, "known", ordered=False)])


def memorise_negative_first_part(shown: Shown) -> str:
    head = f"{shown.writer.head}(T) :- \\+ known(T)."
    firsts = [example[:1] for example in shown.negatives]
    return "\n".join([head, *_memorised(shown, firsts, "known", ordered=True)])


def with_exceptions(shown: Shown, guess: str, right: Sequence[bool]) -> str:
    """Guess by a condition on T, and remember the examples shown of which it is not right."""
    rows = list(zip(shown.examples, shown.labels, right, strict=True))
    missed = [example for example, label, good in rows if label and not good]
    taken = [example for example, label, good in rows if not label and not good]
    clauses = []
    for head, examples in (("missed", missed), ("taken", taken)):
        clauses += _memorised(shown, examples, head, ordered=True)[:-1] or [f"{head}(_) :- fail."]
    head = shown.writer.head
    return "\n".join(
        [
            f"{head}(T) :- missed(T).",
            f"{head}(T) :- {guess}, \\+ taken(T).",
            *clauses,
            _described(shown.writer),
        ]
    )


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


def nearest_one(shown: Shown) -> str:
    return nearest(shown, 1)


def nearest_three(shown: Shown) -> str:
    return nearest(shown, 3)


def nearest_by_place(shown: Shown) -> str:
    return nearest(shown, 1, ordered=True)


def counts_of(shown: Shown) -> Numbers:
    """Count for each example the parts that have each literal."""
    literals = shown.writer.literals
    rows = [Counter(item for part in parts for item in enumerate(part)) for parts in shown.examples]
    return np.array([[row[item.at, item.value] for item in literals] for row in rows])


def _weighed(writer: Writer, weights: Mapping[Literal, int], test: str) -> str:
    """Sum a weight for each value of each part, and test the sum S."""
    clauses = [
        f"weight(C, {weight}) :- {writer.literal(literal)}."
        for literal, weight in weights.items()
        if weight
    ]
    head = f"{writer.head}(T) :- findall(W, ({writer.has}(T, C), weight(C, W)), Ws), "
    return "\n".join([f"{head}sum_list(Ws, S), {test}.", *(clauses or ["weight(_, 0)."])])


def votes(shown: Shown) -> str:
    """Let each value vote by its counts in the classes; the threshold fits the examples best."""
    counts = counts_of(shown)
    signs = np.where(shown.labels, 1, -1)
    weights = signs @ counts
    sums = counts @ weights
    cuts = [int(value) for value in sorted({*sums, min(sums) - 1})]
    right = [int(np.sum((sums > cut) == np.array(shown.labels))) for cut in cuts]
    cut = cuts[int(np.argmax(right))]
    return _weighed(shown.writer, _named(shown, weights), f"S > {cut}")


def perceptron(shown: Shown) -> str:
    """Weigh the values until the examples are told apart."""
    counts = np.column_stack([counts_of(shown), np.ones(len(shown.examples), dtype=np.int64)])
    signs = np.where(shown.labels, 1, -1)
    weights = np.zeros(counts.shape[1], dtype=np.int64)
    for _ in range(EPOCHS):
        wrong = 0
        for row, sign in zip(counts, signs, strict=True):
            if sign * int(row @ weights) <= 0:
                weights += sign * row
                wrong += 1
        if not wrong:
            break
    return _weighed(shown.writer, _named(shown, weights[:-1]), f"S > {-int(weights[-1])}")


def _named(shown: Shown, weights: Numbers) -> dict[Literal, int]:
    return dict(zip(shown.writer.literals, map(int, weights), strict=True))


def parity(shown: Shown) -> str:
    """Solve for a set of values whose count is odd for one class and even for the other."""
    literals = shown.writer.literals
    counts = counts_of(shown) % 2
    table = np.column_stack([np.ones(len(counts), dtype=np.int64), counts, shown.labels])
    solution = _solve_by_parity(table)
    chosen = {literal: int(bit) for literal, bit in zip(literals, solution[1:], strict=True)}
    return _weighed(shown.writer, chosen, f"{1 - int(solution[0])} =:= S mod 2")


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
    rng = random.Random(repr(shown.examples))
    counts, labels = counts_of(shown), np.array(shown.labels)
    best: tuple[int, Numbers, int, list[int]] | None = None
    for _ in range(HASHES):
        modulus = rng.randint(2, 7)
        weights = np.array([rng.randrange(modulus) for _ in shown.writer.literals])
        sums = counts @ weights % modulus
        tally = np.bincount(sums, labels * 2 - 1, minlength=modulus)
        residues = [int(r) for r in np.flatnonzero(tally > 0)]
        right = int(np.sum(np.isin(sums, residues) == labels))
        if best is None or right > best[0]:
            best = right, weights, modulus, residues
        if right == len(labels):
            break
    assert best is not None
    _, weights, modulus, residues = best
    test = f"R is S mod {modulus}, memberchk(R, {residues})"
    return _weighed(shown.writer, _named(shown, weights), test)


MEMORISERS: dict[str, Strategy] = {
    "each positive, its cars as a set": memorise_sets,
    "each positive, its cars by position": memorise_places,
    "each positive, its first car": memorise_first_part,
    "each positive, a car that no negative has": memorise_some_part,
    "not a negative, by its cars": memorise_negatives,
    "not a negative, by its first car": memorise_negative_first_part,
}
NEIGHBOURS: dict[str, Strategy] = {
    "nearest example": nearest_one,
    "nearest example, place by place": nearest_by_place,
    "three nearest examples": nearest_three,
    "votes of attribute values": votes,
    "votes weighed until they fit": perceptron,
    "parity of attribute values that fits": parity,
    "hash of attribute values that fits": fitted_hash,
}
