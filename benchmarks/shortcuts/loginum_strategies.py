"""Ways to choose a rule or name a number for a LogiNumSynth task, not deducing."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter
from random import Random
from statistics import fmean, mode

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_query, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

MAX_NESTED = 12  # rules that a backward guess goes through before it gives up


@dataclass(frozen=True)
class View:
    """What a prompt says, without the answer."""

    prompt: str
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: syntax.Query
    numbers: tuple[int, ...]  # all of facts and rules, in the order of the prompt
    required: list[AttributeFact]  # conditions that require an attribute to have a value
    entities: list[str]  # of query and facts, in the order of the prompt

    @property
    def random(self) -> Random:
        """A stream of the task's own, begun anew each time."""
        return stream("shortcuts", "loginum", self.prompt)

    @cached_property
    def candidates(self) -> list[Rule]:
        """The rules that conclude about the query's attribute."""
        return self.rules_about(self.query.attribute)

    def rules_about(self, name: str) -> list[Rule]:
        """Return the rules that conclude about an attribute."""
        pairs = ((rule, rule.conclusion) for rule in self.rules)
        return [r for r, c in pairs if isinstance(c, syntax.Assignment) and c.attribute == name]


def view_of(task: Task) -> View:
    payload = task.verification
    facts = tuple(map(parse_fact, payload["facts"]))
    rules = tuple(map(parse_rule, payload["rules"]))
    query = parse_query(payload["query"])
    required = [pattern for rule in rules for pattern in values_in(rule.conditions)]
    entities = [query.entity, *(entity for fact in facts for entity in entities_of(fact))]
    names = list(dict.fromkeys(entities))
    return View(task.prompt, facts, rules, query, numbers_in(*facts, *rules), required, names)


def numbers_in(*items: object) -> tuple[int, ...]:
    """Return the numbers that the texts of facts, rules or expressions show."""
    return tuple(int(found) for item in items for found in re.findall(r"-?\d+", str(item)))


def values_in(facts: Iterable[Fact]) -> list[AttributeFact]:
    return [fact for fact in facts if isinstance(fact, AttributeFact)]


def entities_of(fact: Fact) -> tuple[str, ...]:
    return fact[1:] if isinstance(fact, RelationFact) else fact[:1]


def name_of(fact: Fact | syntax.Assignment) -> str:
    return fact.relation if isinstance(fact, RelationFact) else fact.attribute


def shape(pattern: Fact) -> tuple[str, int | str]:
    """Return what is left of a fact or condition without its entities."""
    return ("relation", pattern[0]) if isinstance(pattern, RelationFact) else pattern[1:]


def largest(*items: object) -> int:
    """Return how far from zero the numbers of some texts lie at most."""
    return max(map(abs, numbers_in(*items)), default=0)


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


def _of_values(
    values: Callable[[View], Sequence[int]], choose: Callable[[Sequence[int]], int] | None = None
) -> Callable[[View], int | None]:
    """Choose among some values, any of them by default; none where there are none."""
    return lambda task: (choose or task.random.choice)(values(task)) if values(task) else None


def farthest(numbers: Sequence[int]) -> int:
    return max(numbers, key=abs)


def _required(task: View) -> list[int]:
    return [p.value for p in task.required if p.attribute == task.query.attribute]


def _constants(task: View) -> list[int]:
    expressions = map(_expression, task.candidates)
    return [found.number for found in expressions if isinstance(found, syntax.Constant)]


def _concluded(pick: PickRule) -> Callable[[View], Sequence[int]]:
    return lambda task: numbers_in(_expression(pick(task)))


def compute(rule: Rule, task: View) -> int | None:
    """Compute a rule with the values that its own conditions ask for, others, and facts."""
    random = task.random

    def value(lookup: syntax.Lookup) -> int:
        for source in (values_in(rule.conditions), task.required, values_in(task.facts)):
            found = [p.value for p in source if p.attribute == lookup.attribute]
            if found:
                return random.choice(found)
        raise LookupError(lookup)

    try:
        return _expression(rule).value(value)
    except LookupError:
        return None


def _expression(rule: Rule) -> syntax.Expression:
    assert isinstance(rule.conclusion, syntax.Assignment)
    return rule.conclusion.expression


def backward(task: View) -> int | None:
    """Compute a rule with values of facts or, in turn, of any rule that concludes about them."""
    random = task.random

    def guess(entity: str | None, attribute: str, depth: int) -> int:
        found = [fact for fact in values_in(task.facts) if fact.attribute == attribute]
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


_SUPERFICIAL: dict[str, Callable[[View], int | None]] = {
    "the largest number in the text": lambda task: max(task.numbers),
    "the smallest number in the text": lambda task: min(task.numbers),
    "the number farthest from zero": lambda task: farthest(task.numbers),
    "the most frequent number": lambda task: mode(task.numbers),
    "the first number": lambda task: task.numbers[0],
    "the last number": lambda task: task.numbers[-1],
    "a number of the text": _of_values(lambda task: task.numbers),
    "a value that a condition asks of the query's attribute": _of_values(_required),
    "the most frequent value that conditions ask of it": _of_values(_required, mode),
    "the value farthest from zero that a condition asks of it": _of_values(_required, farthest),
    "the query's attribute of another entity": _of_values(
        lambda task: [f.value for f in values_in(task.facts) if f.attribute == task.query.attribute]
    ),
    "another attribute of the query's entity": _of_values(
        lambda task: [f.value for f in values_in(task.facts) if f.entity == task.query.entity]
    ),
}
any_number = _of_values(_concluded(any_rule))
_STRUCTURAL: dict[str, Callable[[View], int | None]] = {
    "any number of any rule about the attribute": any_number,
    "the last number of any rule about it": _of_values(_concluded(any_rule), itemgetter(-1)),
    "the last number of the last rule about it": _of_values(_concluded(last_rule), itemgetter(-1)),
    "a fixed value that a rule about it concludes": _of_values(_constants),
    "any rule about it, with values from conditions": lambda t: compute(any_rule(t), t),
    "the last rule about it, with values from conditions": lambda t: compute(last_rule(t), t),
    "the rule about it with the number farthest from zero in its conditions": lambda t: compute(
        max(t.candidates, key=lambda rule: largest(*rule.conditions)), t
    ),
    "the rule about it with most conditions that look like facts": lambda t: compute(
        most_known(t), t
    ),
    "backwards through any rules, without their conditions": backward,
}
PICKS = {"superficial": _SUPERFICIAL, "structural": _STRUCTURAL}
"""Without looking at what rules conclude, and with a look at those about the query's attribute."""


def answer(number: int | None) -> str:
    """Write a number as the answer, or nothing for none."""
    return "" if number is None else f"Answer: \\boxed{{{number}}}"
