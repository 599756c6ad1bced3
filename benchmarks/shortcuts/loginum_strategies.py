"""Ways to answer a LogiNumSynth task without deducing the answer: numbers, rules and steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from random import Random

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.engine import closure
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

MAX_NESTED = 12
"""Rules that a backward guess goes through before it gives up."""
INVENTED_STEPS = 6
MAX_LINES = 2_000
"""Most lines that are written when everything is tried."""
_EXAMPLE = re.compile(r"^.*(?:=>>|\\boxed).*$", re.MULTILINE)


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
        found = [self.query.entity]
        for fact in self.facts:
            found += entities_of(fact)
        return list(dict.fromkeys(found))


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


def largest(numbers: Sequence[int]) -> int:
    """Return how far from zero numbers lie at most."""
    return max(map(abs, numbers), default=0)


def farthest(numbers: Sequence[int]) -> int:
    return max(numbers, key=abs)


def commonest(numbers: Sequence[int]) -> int:
    return Counter(numbers).most_common(1)[0][0]


# ---- rules about the query's attribute ----------------------------------------------------------

PickRule = Callable[[View], Rule]


def most_known(task: View) -> Rule:
    """Choose the rule with the greatest share of conditions that some fact is like."""
    shapes = {shape(fact) for fact in task.facts}

    def share(rule: Rule) -> float:
        return sum(shape(p) in shapes for p in rule.conditions) / len(rule.conditions)

    return max(task.candidates, key=share)


def largest_condition(task: View) -> Rule:
    """Choose the rule whose conditions have the number that is farthest from zero."""
    return max(task.candidates, key=lambda rule: largest(numbers_in(*rule.conditions)))


def any_rule(task: View) -> Rule:
    return task.random.choice(task.candidates)


def last_rule(task: View) -> Rule:
    return task.candidates[-1]


def _extreme(score: Callable[[Rule], float], best: Callable, task: View) -> Rule:
    """Choose the rule with the best score, any of several."""
    scores = [score(rule) for rule in task.candidates]
    winning = best(scores)
    winners = zip(task.candidates, scores, strict=True)
    return task.random.choice([rule for rule, found in winners if found == winning])


_SCORES: Mapping[str, Callable[[Rule], float]] = {
    "length": lambda rule: len(str(rule)),
    "conditions": lambda rule: len(rule.conditions),
    "number in the conditions": lambda rule: largest(numbers_in(*rule.conditions)),
    "number in the conclusion": lambda rule: largest(numbers_in(rule.conclusion)),
    "lookups": lambda rule: len(rule.lookups()),
}
RULES: dict[str, PickRule] = {
    "the first": lambda task: task.candidates[0],
    "the last": last_rule,
    "most conditions like facts": most_known,
}
"""Ways to choose the rule that gives the answer."""
for _name, _score in _SCORES.items():
    RULES[f"most: {_name}"] = partial(_extreme, _score, max)
    RULES[f"least: {_name}"] = partial(_extreme, _score, min)


# ---- numbers ------------------------------------------------------------------------------------

PickNumber = Callable[[View], int | None]


def _of_text(choose: Callable[[Sequence[int]], int]) -> PickNumber:
    return lambda task: choose(task.numbers)


def _of_values(
    values: Callable[[View], list[int]], choose: Callable[[Sequence[int]], int] | None = None
) -> PickNumber:
    """Choose among some values, any of them by default; none where there are none."""

    def pick(task: View) -> int | None:
        found = values(task)
        return (choose or task.random.choice)(found) if found else None

    return pick


def _required(task: View) -> list[int]:
    return [p.value for p in task.required if p.attribute == task.query.attribute]


def _constants(task: View) -> list[int]:
    expressions = [rule.conclusion[2] for rule in task.candidates]
    return [found.number for found in expressions if isinstance(found, Constant)]


def _number_of_rule(pick: PickRule, place: int | None, task: View) -> int | None:
    """Name a number of the conclusion of a rule: by place, or any of them."""
    found = numbers_in(pick(task).conclusion[2]) if task.candidates else ()
    if not found:
        return None
    return task.random.choice(found) if place is None else found[place]


def compute(pick: PickRule, task: View) -> int | None:
    """Compute a rule with the values that its own conditions ask for, others, and facts."""
    if not task.candidates:
        return None
    rule, random = pick(task), task.random

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


def _expression(rule: Rule):
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
        return guess(task.query.entity, task.query.attribute, 0)
    except LookupError:
        return None


SUPERFICIAL: dict[str, PickNumber] = {
    "the largest number in the text": _of_text(max),
    "the smallest number in the text": _of_text(min),
    "the number farthest from zero": _of_text(farthest),
    "the most frequent number": _of_text(commonest),
    "the first number": _of_text(lambda numbers: numbers[0]),
    "the last number": _of_text(lambda numbers: numbers[-1]),
    "a number of the text": _of_values(lambda task: list(task.numbers)),
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
"""Without looking at what rules conclude."""
ANY_NUMBER = partial(_number_of_rule, any_rule, None)
STRUCTURAL: dict[str, PickNumber] = {
    "any number of any rule about the attribute": ANY_NUMBER,
    "the last number of any rule about it": partial(_number_of_rule, any_rule, -1),
    "the last number of the last rule about it": partial(_number_of_rule, last_rule, -1),
    "a fixed value that a rule about it concludes": _of_values(_constants),
    "any rule about it, with values from conditions": partial(compute, any_rule),
    "the last rule about it, with values from conditions": partial(compute, last_rule),
    "the rule about it with the number farthest from zero in its conditions": partial(
        compute, largest_condition
    ),
    "the rule about it with most conditions that look like facts": partial(compute, most_known),
    "backwards through any rules, without their conditions": backward,
}
"""With a look at the rules that conclude about the query's attribute."""


# ---- steps --------------------------------------------------------------------------------------

Write = Callable[[View], str]
"""Writes a completion."""


def answer(number: int | None) -> str:
    """Write a number as the answer, or nothing for none."""
    return "" if number is None else f"Answer: \\boxed{{{number}}}"


def _line(cited: Sequence[str], number: int, conclusion: Fact) -> str:
    if isinstance(conclusion, RelationFact):
        relation, first, second = conclusion
        said = f"{relation} exists between {first} and {second}"
    else:
        said = f"{conclusion.entity}'s {conclusion.attribute} is {conclusion.value}"
    return f"{' & '.join(cited)} =>> int_{number}: {said}"


def _step(rule: int, facts: Iterable[int], number: int, conclusion: Fact) -> str:
    """Write a step; rules and facts are counted from 0, conclusions from 1."""
    cited = [f"rule_{rule + 1}", *(f"fact_{fact + 1}" for fact in facts)]
    return _line(cited, number, conclusion)


def _summary(steps: Sequence[str], number: int | None) -> str:
    return "\n".join(["Reasoning:", *steps, answer(number)])


def _guessed(task: View, cite: Callable[[View], list[str]]) -> str:
    """Conclude the query, with a guess as its value, in one step."""
    conclusion = AttributeFact(*task.query, ANY_NUMBER(task) or 0)
    return _summary([_line(cite(task), 1, conclusion)], conclusion.value)


def _all_of(kind: str, items: Sequence[object]) -> list[str]:
    return [f"{kind}_{number}" for number in range(1, len(items) + 1)]


def _rule_about_query(task: View) -> str:
    return f"rule_{task.rules.index(any_rule(task)) + 1}"


def _invented(rule: Rule, task: View, random: Random) -> Fact:
    """Return a conclusion as of a rule, with any entities and any number."""
    conclusion, names = rule.conclusion, task.entities
    if isinstance(conclusion, RelationFact):
        return RelationFact(conclusion.relation, random.choice(names), random.choice(names))
    number = random.choice(task.numbers)
    if isinstance(conclusion.expression, Constant):
        number = conclusion.expression.number
    return AttributeFact(random.choice(names), conclusion.attribute, number)


def _random_steps(task: View) -> str:
    """Cite any rules and facts, and conclude what such rules conclude."""
    random, lines = task.random, []
    for number in range(1, INVENTED_STEPS + 1):
        rule = random.randrange(len(task.rules))
        count = min(len(task.rules[rule].conditions), len(task.facts))
        facts = random.sample(range(len(task.facts)), count)
        lines.append(_step(rule, facts, number, _invented(task.rules[rule], task, random)))
    return _summary(lines, ANY_NUMBER(task))


def _every_rule(task: View) -> str:
    random, every = task.random, range(len(task.facts))
    lines = [
        _step(number, every, number + 1, _invented(rule, task, random))
        for number, rule in enumerate(task.rules)
    ]
    return _summary(lines, ANY_NUMBER(task))


def _every_fact(task: View) -> str:
    lines = [_line([f"fact_{n}"], n, fact) for n, fact in enumerate(task.facts, start=1)]
    return _summary(lines, ANY_NUMBER(task))


def _tries(task: View, relations: bool) -> Iterator[tuple[int, tuple[int, ...], Fact]]:
    """Yield every way to cite for a rule facts of the right kinds, with all possible conclusions.

    Whether facts have the right numbers and entities is not looked at.
    """
    names = task.entities
    for number, rule in enumerate(task.rules):
        conclusion = rule.conclusion
        ends: list[Fact] = []
        if isinstance(conclusion, RelationFact):
            pairs = product(names, names) if relations else ()
            ends = [RelationFact(conclusion.relation, *pair) for pair in pairs]
        elif isinstance(conclusion.expression, Constant):
            value = conclusion.expression.number
            ends = [AttributeFact(name, conclusion.attribute, value) for name in names]
        fitting = [
            [n for n, f in enumerate(task.facts) if (type(f), name_of(f)) == (type(p), name_of(p))]
            for p in rule.conditions
        ]
        for facts, end in product(product(*fitting), ends):
            yield number, tuple(dict.fromkeys(facts)), end


def _everything(task: View, *, relations: bool) -> str:
    """Write a line for everything that a rule could conclude of facts, true or not."""
    tried = islice(_tries(task, relations), MAX_LINES)
    lines = [_step(rule, facts, n, end) for n, (rule, facts, end) in enumerate(tried, start=1)]
    return _summary(lines, ANY_NUMBER(task))


INVENTED: dict[str, Write] = {
    "empty answer": lambda task: "",
    "echo of the prompt": lambda task: task.prompt,
    "the prompt's own example": lambda task: "\n".join(_EXAMPLE.findall(task.prompt)),
    "random rules, facts and conclusions": _random_steps,
    "the query concluded from nothing": lambda task: _guessed(task, lambda _: []),
    "the query concluded from itself": lambda task: _guessed(
        task, lambda task: [_rule_about_query(task), "int_1"]
    ),
    "a rule about the query and all facts as one step": lambda task: _guessed(
        task, lambda task: [_rule_about_query(task), *_all_of("fact", task.facts)]
    ),
    "all rules and all facts as one step": lambda task: _guessed(
        task, lambda task: _all_of("rule", task.rules) + _all_of("fact", task.facts)
    ),
    "every rule with all facts": _every_rule,
    "every fact as a step": _every_fact,
    "every fixed value for every entity, with facts of the right kind": partial(
        _everything, relations=False
    ),
    "the same, and every relation between any entities": partial(_everything, relations=True),
}
"""Completions without reasoning."""


def _deduced(task: View, *, rounds: int | None) -> str:
    """Write what follows from the facts in so many rounds, or all, each with one derivation."""
    known = closure(task.facts, task.rules)
    names: dict[Fact, str] = {fact: f"fact_{n}" for n, fact in enumerate(task.facts, start=1)}
    lines: list[str] = []
    for _ in range(len(known.facts) if rounds is None else rounds):
        new = [
            (ways[0], fact)
            for fact, ways in known.derivations.items()
            if fact not in names and all(used in names for used in ways[0].uses)
        ]
        for way, fact in new:
            names[fact] = f"int_{len(lines) + 1}"
            cited = [f"rule_{way.rule + 1}", *(names[used] for used in way.uses)]
            lines.append(_line(cited, len(lines) + 1, fact))
    return _summary(lines, known.value(*task.query) if rounds is None else ANY_NUMBER(task))


REASONED: dict[str, Write] = {
    "all that follows from the facts in one step": partial(_deduced, rounds=1),
    "all that follows in two rounds": partial(_deduced, rounds=2),
    "all that follows, with the answer": partial(_deduced, rounds=None),
}
"""Completions with reasoning, whether it leads to the answer or not."""
