"""The shortest rules that an honest solver would try: conjunctions of attribute values.

A group of literals says that some part has all of its values; a conjunction is made of groups, and
their parts may coincide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from logic_curriculum.generators.slr.grammar import Example
from logic_curriculum.generators.slr.language import Constant

Group = tuple[tuple[int, Constant], ...]
"""Values that one part has: places in the vocabulary with the value there, in ascending order."""
Conjunction = tuple[Group, ...]
"""Groups, each of which some part of the example has."""
_Rejected = dict[Group, int]
"""Groups that all positives have, with the negatives that lack them, bit by bit."""


def has_group(example: Example, group: Group) -> bool:
    """Return whether some part of an example has all values of a group."""
    if len(group) == 1:
        ((at, value),) = group
        return any(part[at] == value for part in example)
    return any(all(part[at] == value for at, value in group) for part in example)


def holds(conjunction: Conjunction, example: Example) -> bool:
    """Return whether an example has every group of a conjunction."""
    return all(has_group(example, group) for group in conjunction)


def shortest_conjunctions(
    positives: Sequence[Example], negatives: Sequence[Example], longest: int
) -> list[Conjunction]:
    """Return the conjunctions that hold for all positives and for no negative.

    Args:
        positives: At least one example.
        negatives: Examples, at least one.
        longest: Literals that a conjunction may have.

    Returns:
        All those of the least possible number of literals; none if there are none.
    """
    groups: dict[int, _Rejected] = {}
    everything = (1 << len(negatives)) - 1
    for length in range(1, longest + 1):
        candidates = _candidates(positives[0], length, groups.get(1))
        groups[length] = {
            group: _rejected(group, negatives)
            for group in candidates
            if all(has_group(example, group) for example in positives)
        }
        found = [
            tuple(group for group, _ in chosen)
            for chosen in _choices(groups, length)
            if _union(chosen) == everything
        ]
        if found:
            return found
    return []


def _candidates(example: Example, length: int, common: Mapping[Group, int] | None) -> list[Group]:
    """Return the groups of this length that an example has, made of literals that all have."""
    found: dict[Group, None] = {}
    for part in example:
        literals = [item for item in enumerate(part) if common is None or (item,) in common]
        found |= dict.fromkeys(combinations(literals, length))
    return list(found)


def _rejected(group: Group, negatives: Sequence[Example]) -> int:
    return sum(1 << at for at, item in enumerate(negatives) if not has_group(item, group))


def _union(chosen: Sequence[tuple[Group, int]]) -> int:
    total = 0
    for _, rejected in chosen:
        total |= rejected
    return total


def _choices(
    groups: Mapping[int, _Rejected], length: int
) -> Iterator[tuple[tuple[Group, int], ...]]:
    """Yield the sets of groups with this many literals in all."""
    for sizes in _partitions(length, length):
        each = [combinations(groups[size].items(), count) for size, count in Counter(sizes).items()]
        for chosen in product(*each):
            yield tuple(chain.from_iterable(chosen))


def _partitions(total: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of descending ones."""
    if total == 0:
        yield ()
    for first in range(min(total, largest), 0, -1):
        for rest in _partitions(total - first, first):
            yield (first, *rest)
