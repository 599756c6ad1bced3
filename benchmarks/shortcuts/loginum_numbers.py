"""Ways to name a number as the answer of a LogiNumSynth task without deducing it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from statistics import fmean

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_query, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    Assignment,
    AttributeFact,
    Constant,
    Expression,
    Fact,
    Lookup,
    Query,
    RelationFact,
    Rule,
)

MAX_NESTED = 12  # rules that a backward guess goes through before it gives up


@dataclass(frozen=True)
class View:
    """What a prompt says, without the answer."""

    prompt: str
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: Query

    @classmethod
    def of(cls, task: Task) -> View:
        """Return what is seen of a task."""
        payload = task.verification
        facts, rules = map(parse_fact, payload["facts"]), map(parse_rule, payload["rules"])
        return cls(task.prompt, tuple(facts), tuple(rules), parse_query(payload["query"]))

    @property
    def random(self) -> Random:
        """A stream of the task's own, begun anew each time."""
        return stream("shortcuts", "loginum", self.prompt)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """All numbers of facts and rules, in the order of the prompt."""
        return numbers_in(*self.facts, *self.rules)

    @cached_property
    def candidates(self) -> list[Rule]:
        """The rules that conclude about the query's attribute."""
        return self.rules_about(self.query.attribute)

    def rules_about(self, attribute: str) -> list[Rule]:
        """Return the rules that conclude about an attribute."""
        return [
            rule
            for rule in self.rules
            if isinstance(rule.conclusion, Assignment) and rule.conclusion.attribute == attribute
        ]

    @cached_property
    def values(self) -> list[AttributeFact]:
        """The facts that give an attribute a value."""
        return values_in(self.facts)

    @cached_property
    def required(self) -> list[AttributeFact]:
        """The conditions of all rules that require an attribute to have a value."""
        return [pattern for rule in self.rules for pattern in values_in(rule.conditions)]

    @cached_property
    def entities(self) -> list[str]:
        """The entities of query and facts, in the order of the prompt."""
        named = (entity for fact in self.facts for entity in entities_of(fact))
        return list(dict.fromkeys([self.query.entity, *named]))


def numbers_in(*items: object) -> tuple[int, ...]:
    """Return the numbers that the texts of facts, rules or expressions show."""
    return tuple(int(found) for item in items for found in re.findall(r"-?\d+", str(item)))


def values_in(facts: Iterable[Fact]) -> list[AttributeFact]:
    return [fact for fact in facts if isinstance(fact, AttributeFact)]


def entities_of(fact: Fact) -> tuple[str, ...]:
    return fact[1:] if isinstance(fact, RelationFact) else fact[:1]


def name_of(fact: Fact) -> str:
    return fact.relation if isinstance(fact, RelationFact) else fact.attribute


def shape(pattern: Fact) -> tuple[str, int | str]:
    """Return what is left of a fact or condition without its entities."""
    if isinstance(pattern, RelationFact):
        return "relation", pattern.relation
    return pattern.attribute, pattern.value


def largest(*items: object) -> int:
    """Return how far from zero the numbers of some texts lie at most."""
    return max(map(abs, numbers_in(*items)), default=0)


def answer(number: int | None) -> str:
    """Write a number as the answer, or nothing for none."""
    return "" if number is None else f"Answer: \\boxed{{{number}}}"


# ---- rules about the query's attribute ----------------------------------------------------------

PickRule = Callable[[View], Rule]


def most_known(task: View) -> Rule:
    """Choose the rule with the greatest share of conditions that some fact is like."""
    shapes = {shape(fact) for fact in task.facts}
    return max(task.candidates, key=lambda r: fmean(shape(p) in shapes for p in r.conditions))


def any_rule(task: View) -> Rule:
    return task.random.choice(task.candidates)


def last_rule(task: View) -> Rule:
    return task.candidates[-1]


def _extreme(score: Callable[[Rule], float], best: Callable, task: View) -> Rule:
    """Choose the rule with the best score, any of several."""
    winning = best(map(score, task.candidates))
    return task.random.choice([rule for rule in task.candidates if score(rule) == winning])


_SCORES: Mapping[str, Callable[[Rule], float]] = {
    "length": lambda rule: len(str(rule)),
    "conditions": lambda rule: len(rule.conditions),
    "number in the conditions": lambda rule: largest(*rule.conditions),
    "number in the conclusion": lambda rule: largest(rule.conclusion),
    "lookups": lambda rule: len(rule.lookups()),
}
RULES: dict[str, PickRule] = {
    "the first": lambda task: task.candidates[0],
    "the last": last_rule,
    "most conditions like facts": most_known,
    **{
        f"{word}: {name}": partial(_extreme, score, best)
        for name, score in _SCORES.items()
        for word, best in (("most", max), ("least", min))
    },
}
"""Ways to choose the rule that gives the answer."""


# ---- numbers ------------------------------------------------------------------------------------

PickNumber = Callable[[View], int | None]


def _of_values(
    values: Callable[[View], Sequence[int]], choose: Callable[[Sequence[int]], int] | None = None
) -> PickNumber:
    """Choose among some values, any of them by default; none where there are none."""
    return lambda task: (choose or task.random.choice)(values(task)) if values(task) else None


def farthest(numbers: Sequence[int]) -> int:
    return max(numbers, key=abs)


def commonest(numbers: Sequence[int]) -> int:
    return Counter(numbers).most_common(1)[0][0]


def _required(task: View) -> list[int]:
    return [p.value for p in task.required if p.attribute == task.query.attribute]


def _constants(task: View) -> list[int]:
    expressions = map(_expression, task.candidates)
    return [found.number for found in expressions if isinstance(found, Constant)]


def _number_of_rule(pick: PickRule, place: int | None, task: View) -> int | None:
    """Name a number of the conclusion of a rule: by place, or any of them."""
    found = numbers_in(_expression(pick(task)))
    if not found:
        return None
    return task.random.choice(found) if place is None else found[place]


def compute(rule: Rule, task: View) -> int | None:
    """Compute a rule with the values that its own conditions ask for, others, and facts."""
    random = task.random

    def value(lookup: Lookup) -> int:
        for source in (values_in(rule.conditions), task.required, task.values):
            found = [p.value for p in source if p.attribute == lookup.attribute]
            if found:
                return random.choice(found)
        raise LookupError(lookup)

    try:
        return _expression(rule).value(value)
    except LookupError:
        return None


def _expression(rule: Rule) -> Expression:
    assert isinstance(rule.conclusion, Assignment)
    return rule.conclusion.expression


def backward(task: View) -> int | None:
    """Compute a rule with values of facts or, in turn, of any rule that concludes about them."""
    random = task.random

    def guess(entity: str | None, attribute: str, depth: int) -> int:
        found = [fact for fact in task.values if fact.attribute == attribute]
        exact = [fact for fact in found if fact.entity == entity]
        if exact and depth:
            return exact[0].value
        rules = task.rules_about(attribute)
        if rules and depth < MAX_NESTED:
            rule = random.choice(rules)
            same = {rule.conclusion[0]: entity}
            return _expression(rule).value(
                lambda lookup: guess(same.get(lookup.entity), lookup.attribute, depth + 1)
            )
        if not found:
            raise LookupError(attribute)
        return random.choice(found).value

    try:
        return guess(*task.query, 0)
    except LookupError:
        return None


_SUPERFICIAL: dict[str, PickNumber] = {
    "the largest number in the text": lambda task: max(task.numbers),
    "the smallest number in the text": lambda task: min(task.numbers),
    "the number farthest from zero": lambda task: farthest(task.numbers),
    "the most frequent number": lambda task: commonest(task.numbers),
    "the first number": lambda task: task.numbers[0],
    "the last number": lambda task: task.numbers[-1],
    "a number of the text": _of_values(lambda task: task.numbers),
    "a value that a condition asks of the query's attribute": _of_values(_required),
    "the most frequent value that conditions ask of it": _of_values(_required, commonest),
    "the value farthest from zero that a condition asks of it": _of_values(_required, farthest),
    "the query's attribute of another entity": _of_values(
        lambda task: [f.value for f in task.values if f.attribute == task.query.attribute]
    ),
    "another attribute of the query's entity": _of_values(
        lambda task: [f.value for f in task.values if f.entity == task.query.entity]
    ),
}
ANY_NUMBER = partial(_number_of_rule, any_rule, None)
_COMPUTED: Mapping[str, PickRule] = {
    "any rule about it, with values from conditions": any_rule,
    "the last rule about it, with values from conditions": last_rule,
    "the rule about it with the number farthest from zero in its conditions": lambda task: max(
        task.candidates, key=lambda rule: largest(*rule.conditions)
    ),
    "the rule about it with most conditions that look like facts": most_known,
}
_STRUCTURAL: dict[str, PickNumber] = {
    "any number of any rule about the attribute": ANY_NUMBER,
    "the last number of any rule about it": partial(_number_of_rule, any_rule, -1),
    "the last number of the last rule about it": partial(_number_of_rule, last_rule, -1),
    "a fixed value that a rule about it concludes": _of_values(_constants),
    **{name: lambda t, pick=pick: compute(pick(t), t) for name, pick in _COMPUTED.items()},
    "backwards through any rules, without their conditions": backward,
}
PICKS = {"superficial": _SUPERFICIAL, "structural": _STRUCTURAL}
"""Without looking at what rules conclude, and with a look at those about the query's attribute."""
