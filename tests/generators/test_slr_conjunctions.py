"""The search for the shortest conjunctions, against trying everything."""

import random
from itertools import combinations

import pytest

from logic_curriculum.generators.slr.enumeration import holds, shortest_conjunctions


def every_conjunction(values, width, longest):
    """All conjunctions by length: sets of groups of literals on different attributes."""
    literals = [(at, value) for at in range(width) for value in values]
    groups = [
        group
        for size in range(1, longest + 1)
        for group in combinations(literals, size)
        if len({at for at, _ in group}) == size
    ]
    for length in range(1, longest + 1):
        yield [
            chosen
            for count in range(1, length + 1)
            for chosen in combinations(groups, count)
            if sum(map(len, chosen)) == length
        ]


def by_trying(positives, negatives, longest):
    for candidates in every_conjunction("ab", 3, longest):
        found = [
            rule
            for rule in candidates
            if all(holds(rule, item) for item in positives)
            and not any(holds(rule, item) for item in negatives)
        ]
        if found:
            return found
    return []


@pytest.mark.parametrize("longest", [1, 2, 3])
def test_exactly_the_shortest_conjunctions_that_fit_are_found(longest):
    rng = random.Random(longest)
    lengths = set()
    for _ in range(150):
        drawn = [
            tuple(tuple(rng.choice("ab") for _ in range(3)) for _ in range(rng.randint(1, 3)))
            for _ in range(6)
        ]
        positives, negatives = drawn[:3], drawn[3:]
        found = shortest_conjunctions(positives, negatives, longest)
        wanted = by_trying(positives, negatives, longest)
        as_sets = {frozenset(rule) for rule in found}
        assert as_sets == {frozenset(rule) for rule in wanted}
        assert len(as_sets) == len(found)
        lengths.update(sum(map(len, rule)) for rule in found)
    assert lengths == set(range(1, longest + 1))


@pytest.mark.parametrize(
    ("rule", "example", "expected"),
    [
        ((((0, "red"),),), (("blue", 1), ("red", 2)), True),
        ((((0, "red"), (1, 1)),), (("blue", 1), ("red", 2)), False),  # not on one part
        ((((0, "red"),), ((1, 1),)), (("blue", 1), ("red", 2)), True),  # on two
        ((((0, "red"),), ((1, 2),)), (("blue", 1), ("red", 2)), True),  # on two that coincide
        ((((0, "green"),),), (("blue", 1), ("red", 2)), False),
    ],
)
def test_a_group_is_about_one_part_and_groups_may_share_it(rule, example, expected):
    assert holds(rule, example) == expected
