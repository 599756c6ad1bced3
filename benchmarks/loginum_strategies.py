"""Ways to name a number as the answer of a LogiNumSynth task without deducing it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_query, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    Assignment,
    AttributeFact,
    Constant,
    Fact,
    Lookup,
    Query,
    RelationFact,
    Rule,
)

Pick = Callable[["View"], int | None]
"""Names a number, or none."""
MOST_NESTED = 12
"""Rules that a backward guess goes through before it gives up."""


@dataclass(frozen=True)
class View:
    """What a prompt says, without the answer."""

    prompt: str
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: Query

    @property
    def random(self) -> Random:
        """A stream of the task's own, begun anew each time."""
        return stream("shortcuts", "loginum", self.prompt)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """All numbers of facts and rules, in the order of the prompt."""
        return numbers_in(*self.facts, *self.rules)

    @cached_property
    def about(self) -> tuple[Rule, ...]:
        """The rules that conclude about the query's attribute."""
        return rules_about(self, self.query.attribute)

    @cached_property
    def given(self) -> tuple[AttributeFact, ...]:
        """The facts that give an attribute a value."""
        return tuple(fact for fact in self.facts if isinstance(fact, AttributeFact))

    @cached_property
    def required(self) -> tuple[AttributeFact, ...]:
        """The conditions of all rules that require an attribute to have a value."""
        return tuple(
            pattern
            for rule in self.rules
            for pattern in patterns(rule.conditions)
            if isinstance(pattern, AttributeFact)
        )


def view(task: Task) -> View:
    """Return what is seen of a task."""
    payload = task.verification
    return View(
        task.prompt,
        tuple(map(parse_fact, payload["facts"])),
        tuple(map(parse_rule, payload["rules"])),
        parse_query(payload["query"]),
    )


def numbers_in(*items: object) -> tuple[int, ...]:
    """Return the numbers that the texts of facts, rules or expressions show."""
    return tuple(int(found) for item in items for found in re.findall(r"-?\d+", str(item)))


def rules_about(task: View, attribute: str) -> tuple[Rule, ...]:
    """Return the rules that conclude about an attribute."""
    return tuple(
        rule
        for rule in task.rules
        if isinstance(rule.conclusion, Assignment) and rule.conclusion.attribute == attribute
    )


def patterns(conditions):
    return conditions


def answer(number: int | None) -> str:
    """Write a number as the answer, or nothing for none."""
    return "" if number is None else f"Answer: \\boxed{{{number}}}"


# Numbers of the text


def extreme(choose: Callable[[Sequence[int]], int], task: View) -> int:
    return choose(task.numbers)


def most_frequent(numbers: Sequence[int]) -> int:
    return Counter(numbers).most_common(1)[0][0]


def drawn(task: View) -> int:
    return task.random.choice(task.numbers)


# Rules about the query's attribute


def number_of_rule(which: Callable[[View], Rule], place: int | None, task: View) -> int | None:
    """Name a number of the conclusion of a rule: by place, or any of them."""
    if not task.about:
        return None
    rule = which(task)
    assert isinstance(rule.conclusion, Assignment)
    found = numbers_in(rule.conclusion.expression)
    if not found:
        return None
    return task.random.choice(found) if place is None else found[place]


def a_rule(task: View) -> Rule:
    return task.random.choice(task.about)


def last_rule(task: View) -> Rule:
    return task.about[-1]


def largest_condition(task: View) -> Rule:
    """Choose the rule whose conditions have the number that is farthest from zero."""
    return max(task.about, key=lambda rule: largest(numbers_in(*rule.conditions)))


def largest(numbers: Sequence[int]) -> int:
    """Return how far from zero numbers lie at most."""
    return max(map(abs, numbers), default=0)


def most_known(task: View) -> Rule:
    """Choose the rule with the greatest share of conditions that some fact is like."""
    shapes = {shape(fact) for fact in task.facts}

    def share(rule: Rule) -> float:
        found = [shape(pattern) in shapes for pattern in patterns(rule.conditions)]
        return sum(found) / len(found)

    return max(task.about, key=share)


def shape(pattern: Fact) -> tuple[str, int | str]:
    """Return what is left of a fact or condition without its entities."""
    if isinstance(pattern, RelationFact):
        return "relation", pattern.relation
    return pattern.attribute, pattern.value


def a_constant(task: View) -> int | None:
    """Name the value of one of the rules that conclude a fixed value."""
    found = [
        rule.conclusion.expression.number
        for rule in task.about
        if isinstance(rule.conclusion, Assignment)
        and isinstance(rule.conclusion.expression, Constant)
    ]
    return task.random.choice(found) if found else None


# Values that stand elsewhere


def required_value(choose: Callable[[View, Sequence[int]], int], task: View) -> int | None:
    """Name a value that a condition asks the query's attribute to have."""
    found = [p.value for p in task.required if p.attribute == task.query.attribute]
    return choose(task, found) if found else None


def value_of_others(task: View) -> int | None:
    """Name the value that the query's attribute has for another entity."""
    found = [fact.value for fact in task.given if fact.attribute == task.query.attribute]
    return task.random.choice(found) if found else None


def value_of_entity(task: View) -> int | None:
    """Name the value of another attribute of the query's entity."""
    found = [fact.value for fact in task.given if fact.entity == task.query.entity]
    return task.random.choice(found) if found else None


def any_of(task: View, values: Sequence[int]) -> int:
    return task.random.choice(values)


def farthest(_: View, values: Sequence[int]) -> int:
    return max(values, key=abs)


# Computing without looking whether conditions hold


def from_conditions(which: Callable[[View], Rule], task: View) -> int | None:
    """Compute a rule with the values that its own conditions ask for, then with facts."""
    if not task.about:
        return None
    rule = which(task)
    own = [p for p in patterns(rule.conditions) if isinstance(p, AttributeFact)]
    random = task.random

    def value(lookup: Lookup) -> int:
        for source in (own, task.required, task.given):
            found = [p.value for p in source if p.attribute == lookup.attribute]
            if found:
                return random.choice(found)
        raise LookupError(lookup)

    return _computed(rule, value)


def backward(task: View) -> int | None:
    """Compute a rule with values of facts or, in turn, of any rule that concludes about them."""
    random = task.random

    def guess(entity: str | None, attribute: str, depth: int) -> int:
        found = [fact for fact in task.given if fact.attribute == attribute]
        exact = [fact for fact in found if fact.entity == entity]
        if exact and depth:
            return exact[0].value
        rules = rules_about(task, attribute)
        if rules and depth < MOST_NESTED:
            rule = random.choice(rules)
            assert isinstance(rule.conclusion, Assignment)
            same = {rule.conclusion.entity: entity}
            return rule.conclusion.expression.value(
                lambda lookup: guess(same.get(lookup.entity), lookup.attribute, depth + 1)
            )
        if not found:
            raise LookupError(attribute)
        return random.choice(found).value

    try:
        return guess(task.query.entity, task.query.attribute, 0)
    except LookupError:
        return None


def _computed(rule: Rule, value: Callable[[Lookup], int]) -> int | None:
    assert isinstance(rule.conclusion, Assignment)
    try:
        return rule.conclusion.expression.value(value)
    except LookupError:
        return None


SUPERFICIAL: dict[str, Pick] = {
    "the largest number in the text": partial(extreme, max),
    "the smallest number in the text": partial(extreme, min),
    "the number farthest from zero": partial(extreme, lambda found: max(found, key=abs)),
    "the most frequent number": partial(extreme, most_frequent),
    "the first number": partial(extreme, lambda found: found[0]),
    "the last number": partial(extreme, lambda found: found[-1]),
    "a number of the text": drawn,
    "a value that a condition asks of the query's attribute": partial(required_value, any_of),
    "the most frequent value that conditions ask of it": partial(
        required_value, lambda _, found: most_frequent(found)
    ),
    "the value farthest from zero that a condition asks of it": partial(required_value, farthest),
    "the query's attribute of another entity": value_of_others,
    "another attribute of the query's entity": value_of_entity,
}
"""Without looking at what rules conclude."""

STRUCTURAL: dict[str, Pick] = {
    "any number of any rule about the attribute": partial(number_of_rule, a_rule, None),
    "the last number of any rule about it": partial(number_of_rule, a_rule, -1),
    "the last number of the last rule about it": partial(number_of_rule, last_rule, -1),
    "a fixed value that a rule about it concludes": a_constant,
    "any rule about it, with values from conditions": partial(from_conditions, a_rule),
    "the last rule about it, with values from conditions": partial(from_conditions, last_rule),
    "the rule about it with the number farthest from zero in its conditions": partial(
        from_conditions, largest_condition
    ),
    "the rule about it with most conditions that look like facts": partial(
        from_conditions, most_known
    ),
    "backwards through any rules, without their conditions": backward,
}
"""With a look at the rules that conclude about the query's attribute."""
