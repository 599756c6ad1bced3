"""Reasoning of LogiNumSynth tasks that looks like what is asked for, with little or none behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from random import Random

from loginum_strategies import STRUCTURAL, View, answer, patterns

from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Constant,
    Fact,
    RelationFact,
    Rule,
)

Write = Callable[[View], str]
"""Writes a completion."""
STEPS = 6
"""Steps that invented reasoning has."""
SPRAYED = 2_000
"""Most lines that are written when everything is tried."""
_EXAMPLE = re.compile(r"^.*(?:=>>|\\boxed).*$", re.MULTILINE)


def say(conclusion: Fact) -> str:
    """Write a conclusion as the prompt asks for."""
    if isinstance(conclusion, RelationFact):
        return f"{conclusion.relation} exists between {conclusion.first} and {conclusion.second}"
    return f"{conclusion.entity}'s {conclusion.attribute} is {conclusion.value}"


def step(rule: int, facts: Sequence[int], number: int, conclusion: Fact) -> str:
    """Write a step; rules and facts are counted from 0, conclusions from 1."""
    cited = " & ".join([f"rule_{rule + 1}", *(f"fact_{fact + 1}" for fact in facts)])
    return f"{cited} =>> int_{number}: {say(conclusion)}"


def summary(steps: Sequence[str], number: int | None) -> str:
    return "\n".join(["Reasoning:", *steps, answer(number)])


def guess(task: View) -> int | None:
    """Name an answer that has some chance."""
    return STRUCTURAL["any number of any rule about the attribute"](task)


def entities(task: View) -> list[str]:
    """Return the entities of facts and query, in the order of the prompt."""
    found = [task.query.entity]
    for fact in task.facts:
        found += [fact.first, fact.second] if isinstance(fact, RelationFact) else [fact.entity]
    return list(dict.fromkeys(found))


def invented(rule: Rule, task: View, random: Random) -> Fact:
    """Return a conclusion as of a rule, with any entities and any number."""
    conclusion = rule.conclusion
    names = entities(task)
    if isinstance(conclusion, RelationFact):
        return RelationFact(conclusion.relation, random.choice(names), random.choice(names))
    number = random.choice(task.numbers)
    if isinstance(conclusion.expression, Constant):
        number = conclusion.expression.number
    return AttributeFact(random.choice(names), conclusion.attribute, number)


def queried(task: View) -> AttributeFact:
    """Return the query with a guess as its value."""
    return AttributeFact(*task.query, guess(task) or 0)


def random_steps(task: View) -> str:
    """Cite any rules and facts, and conclude what such rules conclude."""
    random = task.random
    lines = []
    for number in range(1, STEPS + 1):
        rule = random.randrange(len(task.rules))
        count = min(len(task.rules[rule].conditions), len(task.facts))
        facts = random.sample(range(len(task.facts)), count)
        lines.append(step(rule, facts, number, invented(task.rules[rule], task, random)))
    return summary(lines, guess(task))


def all_facts_at_once(task: View) -> str:
    """Conclude about the query in one step that cites a rule about it and every fact."""
    if not task.about:
        return ""
    rule = task.rules.index(task.random.choice(task.about))
    conclusion = queried(task)
    return summary([step(rule, range(len(task.facts)), 1, conclusion)], conclusion.value)


def everything_at_once(task: View) -> str:
    """Conclude about the query in one step that cites all rules and all facts."""
    cited = [f"rule_{n}" for n in range(1, len(task.rules) + 1)]
    cited += [f"fact_{n}" for n in range(1, len(task.facts) + 1)]
    conclusion = queried(task)
    line = f"{' & '.join(cited)} =>> int_1: {say(conclusion)}"
    return summary([line], conclusion.value)


def every_rule_with_all_facts(task: View) -> str:
    random, every = task.random, range(len(task.facts))
    lines = [
        step(number, every, number + 1, invented(rule, task, random))
        for number, rule in enumerate(task.rules)
    ]
    return summary(lines, guess(task))


def self_supported(task: View) -> str:
    """Conclude about the query from what the step itself concludes."""
    if not task.about:
        return ""
    rule = task.rules.index(task.random.choice(task.about)) + 1
    conclusion = queried(task)
    return summary([f"rule_{rule} & int_1 =>> int_1: {say(conclusion)}"], conclusion.value)


def facts_as_steps(task: View) -> str:
    """Repeat every fact as if it were concluded."""
    lines = [
        f"fact_{number} =>> int_{number}: {say(fact)}"
        for number, fact in enumerate(task.facts, start=1)
    ]
    return summary(lines, guess(task))


def tries(task: View, relations: bool) -> Iterator[tuple[int, tuple[int, ...], Fact]]:
    """Yield every way to cite for a rule facts of the right kinds, with all possible conclusions.

    Whether facts have the right numbers and entities is not looked at.
    """
    names = entities(task)
    for number, rule in enumerate(task.rules):
        conclusion = rule.conclusion
        ends: list[Fact]
        if isinstance(conclusion, RelationFact):
            pairs = product(names, names) if relations else ()
            ends = [RelationFact(conclusion.relation, *pair) for pair in pairs]
        elif isinstance(conclusion.expression, Constant):
            value = conclusion.expression.number
            ends = [AttributeFact(name, conclusion.attribute, value) for name in names]
        else:
            continue
        kinds = [kind(pattern) for pattern in patterns(rule.conditions)]
        fitting = [[n for n, fact in enumerate(task.facts) if kind(fact) == k] for k in kinds]
        for facts, end in product(product(*fitting), ends):
            yield number, tuple(dict.fromkeys(facts)), end


def kind(pattern: Fact) -> tuple[str, str]:
    if isinstance(pattern, RelationFact):
        return "relation", pattern.relation
    return "attribute", pattern.attribute


def sprayed(task: View, *, relations: bool) -> str:
    """Write a line for everything that a rule could conclude of facts, true or not."""
    lines = [
        step(rule, facts, number, end)
        for number, (rule, facts, end) in enumerate(
            islice(tries(task, relations), SPRAYED), start=1
        )
    ]
    return summary(lines, guess(task))


def echo(task: View) -> str:
    return task.prompt


def copied_example(task: View) -> str:
    """Repeat what the prompt shows as an example of the layout."""
    return "\n".join(_EXAMPLE.findall(task.prompt))


def nothing(_: View) -> str:
    return ""


def always_int(task: View) -> str:
    """Number a step, without citing anything."""
    conclusion = queried(task)
    return summary([f"=>> int_1: {say(conclusion)}"], conclusion.value)


INVENTED: dict[str, Write] = {
    "empty answer": nothing,
    "echo of the prompt": echo,
    "the prompt's own example": copied_example,
    "random rules, facts and conclusions": random_steps,
    "the query concluded from nothing": always_int,
    "the query concluded from itself": self_supported,
    "a rule about the query and all facts as one step": all_facts_at_once,
    "all rules and all facts as one step": everything_at_once,
    "every rule with all facts": every_rule_with_all_facts,
    "every fact as a step": facts_as_steps,
    "every fixed value for every entity, with facts of the right kind": lambda task: sprayed(
        task, relations=False
    ),
    "the same, and every relation between any entities": lambda task: sprayed(task, relations=True),
}
"""Completions without reasoning."""


def deduced(task: View, *, rounds: int | None) -> str:
    """Write what follows from the facts in so many rounds, or all, each with one derivation."""
    known = closure(task.facts, task.rules)
    names: dict[Fact, str] = {fact: f"fact_{n}" for n, fact in enumerate(task.facts, start=1)}
    lines: list[str] = []
    for _ in range(len(known.facts) if rounds is None else rounds):
        new = [
            (way, fact)
            for fact, ways in known.derivations.items()
            for way in ways[:1]
            if fact not in names and all(used in names for used in way.uses)
        ]
        for way, fact in new:
            names[fact] = f"int_{len(lines) + 1}"
            cited = " & ".join([f"rule_{way.rule + 1}", *(names[used] for used in way.uses)])
            lines.append(f"{cited} =>> {names[fact]}: {say(fact)}")
    return summary(lines, known.value(*task.query) if rounds is None else guess(task))


REASONED: dict[str, Write] = {
    "all that follows from the facts in one step": lambda task: deduced(task, rounds=1),
    "all that follows in two rounds": lambda task: deduced(task, rounds=2),
    "all that follows, with the answer": lambda task: deduced(task, rounds=None),
}
"""Completions with reasoning, whether it leads to the answer or not."""
