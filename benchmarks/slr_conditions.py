"""Conditions on examples as numpy sees them: which of some examples meet which condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from slr_shown import Condition, Conjunction, Literal, Shown

from logic_curriculum.generators.slr.language import Example

Truth = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint64]


def signed(literals: Sequence[Literal]) -> tuple[Literal, ...]:
    """Return the literals and their negations."""
    return (*literals, *(Literal(item.at, item.value, False) for item in literals))


def presence(examples: Sequence[Example], literals: Sequence[Literal]) -> Truth:
    """Tell for each example and part which literals it has; places without a part have none.

    Returns:
        Shape [examples, most parts, literals].
    """
    most = max(map(len, examples))
    table = np.zeros((len(examples), most, len(literals)), dtype=bool)
    place = {literal: i for i, literal in enumerate(literals)}
    negative = [i for i, literal in enumerate(literals) if not literal.holds]
    for row, example in enumerate(examples):
        for column, part in enumerate(example):
            cell = table[row, column]
            cell[negative] = True
            for at, value in enumerate(part):
                if (at, value, True) in place:
                    cell[place[Literal(at, value)]] = True
                if (at, value, False) in place:
                    cell[place[Literal(at, value, False)]] = False
    return table


def some_part_has(table: Truth) -> Truth:
    """Tell for each example whether some part has all literals of a table."""
    return np.asarray(np.any(np.all(table, axis=2), axis=1))


def pairs_present(table: Truth) -> Truth:
    """Tell for each example and pair of literals whether some part has both."""
    counts = table.astype(np.float32)
    return np.asarray(np.matmul(counts.transpose(0, 2, 1), counts) > 0)


def pack(truth: Truth) -> Masks:
    """Turn the truth values of up to 64 examples, in rows, into one number for each column."""
    bits = np.uint64(1) << np.arange(len(truth), dtype=np.uint64)
    return np.asarray((truth.astype(np.uint64) * bits[:, None]).sum(axis=0, dtype=np.uint64))


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of literals, and for each the examples that have a part with all of them."""

    literals: tuple[Literal, ...]
    places: tuple[tuple[int, ...], ...]
    """For each group the places of its literals."""
    masks: Masks
    """Bit ``i`` of each stands for example ``i``."""

    def condition(self, index: int, some: bool) -> Condition:
        """Return the condition that some part has a group, or that none has."""
        return Condition(tuple(self.literals[at] for at in self.places[index]), some)


def groups_of(
    examples: Sequence[Example], literals: Sequence[Literal], longest: int, every: bool = False
) -> Groups:
    """Return the groups of up to three literals that occur in the examples.

    Args:
        examples: Up to 64.
        literals: What groups are made of.
        longest: Literals of a group at most.
        every: Also those that occur in none.
    """
    table = presence(examples, literals)
    found: list[tuple[int, ...]] = [(i,) for i in range(len(literals))]
    masks = [pack(np.asarray(table.any(axis=1)))]
    if longest >= 2:
        rows, columns = _pairs(literals)
        found += zip(rows.tolist(), columns.tolist(), strict=True)
        masks.append(pack(pairs_present(table)[:, rows, columns]))
    if longest >= 3:
        triples = _triples(table)
        found += map(tuple, triples.tolist())
        has = table[:, :, triples[:, 0]] & table[:, :, triples[:, 1]] & table[:, :, triples[:, 2]]
        masks.append(pack(np.asarray(has.any(axis=1))))
    mask = np.concatenate(masks)
    keep = np.flatnonzero(mask) if not every else np.arange(len(mask))
    return Groups(tuple(literals), tuple(found[i] for i in keep), mask[keep])


def _pairs(literals: Sequence[Literal]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the pairs of literals that say more than one of them."""
    chosen = [
        (i, j)
        for i, j in combinations(range(len(literals)), 2)
        if literals[i].at != literals[j].at or not (literals[i].holds or literals[j].holds)
    ]
    pairs = np.array(chosen, dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _triples(table: Truth) -> npt.NDArray[np.intp]:
    """Return the triples of literals that some part has."""
    parts = {tuple(np.flatnonzero(cell)) for row in table for cell in row}
    triples = {triple for part in parts for triple in combinations(part, 3)}
    return np.array(sorted(triples), dtype=np.intp).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Short:
    """Conjunctions of at most two literals, negation included, over the examples of a task."""

    groups: Groups
    rules: tuple[tuple[tuple[int, bool], ...], ...]
    """Each a choice of groups and of whether some part has them or none."""
    masks: Masks
    lengths: npt.NDArray[np.intp]
    """Numbers of literals."""

    def conjunction(self, index: int) -> Conjunction:
        """Return a conjunction by its place."""
        return tuple(self.groups.condition(group, some) for group, some in self.rules[index])


def short_conjunctions(shown: Shown, negated: bool = True) -> Short:
    """Return all conjunctions of at most two literals."""
    literals = shown.writer.literals
    groups = groups_of(
        shown.examples, signed(literals) if negated else literals, longest=2, every=True
    )
    everything = np.uint64((1 << len(shown.examples)) - 1)
    both = (True, False) if negated else (True,)
    masks = np.concatenate([groups.masks] + [everything ^ groups.masks] * negated)
    rules: list[tuple[tuple[int, bool], ...]] = [
        ((group, some),) for some in both for group in range(len(groups.places))
    ]
    lengths = [len(groups.places[rule[0][0]]) for rule in rules]
    single = np.flatnonzero(np.array(lengths) == 1)
    rows, columns = np.triu_indices(len(single), 1)
    rows, columns = single[rows], single[columns]
    rules += [(rules[i][0], rules[j][0]) for i, j in zip(rows, columns, strict=True)]
    lengths += [2] * len(rows)
    masks = np.concatenate([masks, masks[rows] & masks[columns]])
    return Short(groups, tuple(rules), masks, np.array(lengths))


def truth_of(rule: Conjunction, table: Truth, places: Mapping[Literal, int]) -> Truth:
    """Return which examples meet a conjunction.

    Args:
        rule: Conditions.
        table: See :func:`presence`.
        places: The literals' places in it.
    """
    met = np.ones(len(table), dtype=bool)
    for condition in rule:
        columns = [places[literal] for literal in condition.literals]
        met &= some_part_has(table[:, :, columns]) == condition.some
    return met


def label_mask(labels: Sequence[bool]) -> np.uint64:
    return np.uint64(sum(1 << i for i, label in enumerate(labels) if label))


def count_bits(masks: Masks) -> npt.NDArray[np.uint8]:
    return np.bitwise_count(masks)
