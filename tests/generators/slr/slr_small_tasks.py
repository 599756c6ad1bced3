"""Every task of SLR's levels 1 to 3, enumerated without the generator's own enumeration.

A train is a tuple of values; sets of trains are frozensets.
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from logic_curriculum.generators.slr.examples import (
    LabelledExample,
    content_hash,
    is_test_rule,
    split_of_enumerated,
)
from logic_curriculum.generators.slr.language import grammar_of, load_language
from logic_curriculum.generators.slr.rules import canonical_rule, write_rule

LONGEST = {1: 1, 2: 2, 3: 2}
"""Literals of the rules of a level at most."""


class SmallTask(NamedTuple):
    """Two or four trains and the rule that labelled them."""

    level: int
    canonical: str
    truth: frozenset
    """All trains that the rule accepts."""
    yes: frozenset
    """Trains shown as positive."""
    no: frozenset


class Small:
    """All trains of one car, and what can be said of one."""

    def __init__(self, name):
        self.language = load_language(name)
        self.grammar = grammar_of(self.language, 5)
        self.trains = list(product(*(item.values or (1,) for item in self.grammar.attributes)))
        self.literals = {
            (at, value): frozenset(train for train in self.trains if train[at] == value)
            for at in (1, 2, 3)
            for value in self.grammar.attributes[at].values
        }

    def conjunctions(self, length):
        """Every conjunction of so many values of different attributes, with what it accepts."""
        for chosen in combinations(self.literals, length):
            if len({at for at, _ in chosen}) == length:
                yield dict(chosen), frozenset.intersection(*map(self.literals.get, chosen))

    @cache  # noqa: B019 - there are two languages
    def outcomes(self, longest):
        """What conjunctions of values and of their negations accept."""
        everything = frozenset(self.trains)
        known = [*self.literals.values(), *(everything - it for it in self.literals.values())]
        found = {
            frozenset.intersection(*chosen)
            for length in range(1, longest + 1)
            for chosen in combinations(known, length)
        }
        return sorted(found, key=sorted)

    def accepted(self, task):
        """The outcomes that fit and are right on three quarters of either class."""
        others = frozenset(self.trains) - task.truth
        return [
            outcome
            for outcome in self.outcomes(LONGEST[task.level])
            if answers(outcome, task.yes, task.no)
            and 4 * len(outcome & task.truth) >= 3 * len(task.truth)
            and 4 * len(others - outcome) >= 3 * len(others)
        ]

    def shortest(self, task):
        """The outcomes of the conjunctions of fewest values that fit."""
        for length in range(1, LONGEST[task.level] + 1):
            fitting = [
                outcome
                for _, outcome in self.conjunctions(length)
                if answers(outcome, task.yes, task.no)
            ]
            if fitting:
                return fitting
        raise AssertionError("no conjunction fits")

    def is_sound(self, task):
        accepted = self.accepted(task)
        memorised = {task.yes, frozenset(self.trains) - task.no}
        return memorised.isdisjoint(accepted) and set(self.shortest(task)) <= set(accepted)

    def drawn(self):
        """Every task that the mirror background can draw, sound or not."""
        for length in (1, 2):
            for literals, truth in self.conjunctions(length):
                canonical = canonical_rule(write_rule(self.grammar, [literals]))
                pairs = [
                    (yes, no)
                    for yes in truth
                    for no in self.trains
                    if no not in truth
                    and all(yes[at] == no[at] for at in range(4) if at not in literals)
                ]
                for (yes, no), level in product(pairs, (1, 2)[length - 1 :]):
                    yield SmallTask(level, canonical, truth, frozenset([yes]), frozenset([no]))
                quadruples = {
                    (frozenset(yes), frozenset(no))
                    for yes, no in (zip(*two, strict=True) for two in combinations(pairs, 2))
                    if len(set(yes)) == len(set(no)) == 2
                }
                for yes, no in quadruples:
                    yield SmallTask(3, canonical, truth, yes, no)

    def examples(self, task):
        trains = [*task.yes, *task.no]
        return [LabelledExample((train,), train in task.yes) for train in trains]

    def question(self, task):
        return content_hash(self.grammar, self.examples(task))


def answers(outcome, yes, no):
    return yes <= outcome and not no & outcome


@cache
def small(name):
    return Small(name)


@cache
def drawn_tasks(name):
    return list(small(name).drawn())


@cache
def enumerated_tasks(name):
    """The tasks of levels 1 to 3 that some split has: split, task."""
    trains = small(name)
    rules = {task.canonical: task.truth for task in drawn_tasks(name)}
    tested = [truth for canonical, truth in rules.items() if is_test_rule(canonical)]
    found = []
    for task in drawn_tasks(name):
        told = (task.yes, task.no), (task.no, task.yes)  # as labelled, and exchanged
        of_test = any(answers(truth, yes, no) for truth in tested for yes, no in told)
        split = split_of_enumerated(trains.grammar, trains.examples(task), of_test)
        if (split == "test") == is_test_rule(task.canonical) and trains.is_sound(task):
            found.append((split, task))
    return found
