"""Steps of LogiNumSynth tasks that look like what is asked for, with little or none behind."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from random import Random

from loginum_numbers import ANY_NUMBER, View, answer, any_rule, name_of

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact
from logic_curriculum.rewards.loginum.answer import conclusion_text

INVENTED_STEPS = 6
MAX_LINES = 2_000  # most lines that are written when everything is tried
_EXAMPLE = re.compile(r"^.*(?:=>>|\\boxed).*$", re.MULTILINE)

Write = Callable[[View], str]  # writes a completion


def _line(cited: Iterable[str], number: int, conclusion: Fact) -> str:
    return f"{' & '.join(cited)} =>> int_{number}: {conclusion_text(conclusion)}"


def _step(rule: int, facts: Iterable[int], number: int, conclusion: Fact) -> str:
    """Write a step; rules and facts are counted from 0, conclusions from 1."""
    return _line([f"rule_{rule + 1}", *(f"fact_{n + 1}" for n in facts)], number, conclusion)


def _summary(steps: Iterable[str], number: int | None) -> str:
    return "\n".join(["Reasoning:", *steps, answer(number)])


def _all_of(kind: str, items: Sequence[object]) -> list[str]:
    return [f"{kind}_{number}" for number in range(1, len(items) + 1)]


def _any_rule_number(task: View) -> str:
    return f"rule_{task.rules.index(any_rule(task)) + 1}"


_CITED: dict[str, Callable[[View], list[str]]] = {
    "the query concluded from nothing": lambda task: [],
    "the query concluded from itself": lambda task: [_any_rule_number(task), "int_1"],
    "a rule about the query and all facts as one step": lambda task: [
        *(_any_rule_number(task), *_all_of("fact", task.facts))
    ],
    "all rules and all facts as one step": lambda task: [
        *(*_all_of("rule", task.rules), *_all_of("fact", task.facts))
    ],
}
"""From what the query, with a guess as its value, is concluded in one step."""


def _one_step(cite: Callable[[View], list[str]], task: View) -> str:
    conclusion = AttributeFact(*task.query, ANY_NUMBER(task) or 0)
    return _summary([_line(cite(task), 1, conclusion)], conclusion.value)


def _invented(rule: syntax.Rule, task: View, random: Random) -> Fact:
    """Return a conclusion as of a rule, with any entities and any number."""
    conclusion, names = rule.conclusion, task.entities
    if isinstance(conclusion, RelationFact):
        return RelationFact(conclusion.relation, random.choice(names), random.choice(names))
    number = random.choice(task.numbers)
    if isinstance(conclusion.expression, syntax.Constant):
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
    steps = ((n, every, n + 1, _invented(rule, task, random)) for n, rule in enumerate(task.rules))
    return _summary([_step(*step) for step in steps], ANY_NUMBER(task))


def _every_fact(task: View) -> str:
    lines = [_line([f"fact_{n}"], n, fact) for n, fact in enumerate(task.facts, start=1)]
    return _summary(lines, ANY_NUMBER(task))


def _tries(task: View, relations: bool) -> Iterator[tuple[int, tuple[int, ...], Fact]]:
    """Yield rules with facts of the kinds that they ask for, and all conceivable conclusions."""
    names = task.entities
    for number, rule in enumerate(task.rules):
        conclusion = rule.conclusion
        ends: list[Fact] = []
        if isinstance(conclusion, RelationFact):
            pairs = product(names, names) if relations else ()
            ends = [RelationFact(conclusion.relation, *pair) for pair in pairs]
        elif isinstance(conclusion.expression, syntax.Constant):
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


_INVENTED: dict[str, Write] = {
    "empty answer": lambda task: "",
    "echo of the prompt": lambda task: task.prompt,
    "the prompt's own example": lambda task: "\n".join(_EXAMPLE.findall(task.prompt)),
    "random rules, facts and conclusions": _random_steps,
    **{name: partial(_one_step, cite) for name, cite in _CITED.items()},
    "every rule with all facts": _every_rule,
    "every fact as a step": _every_fact,
    "every fixed value for every entity, with facts of the right kind": partial(
        _everything, relations=False
    ),
    "the same, and every relation between any entities": partial(_everything, relations=True),
}


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


_REASONED: dict[str, Write] = {
    "all that follows from the facts in one step": partial(_deduced, rounds=1),
    "all that follows in two rounds": partial(_deduced, rounds=2),
    "all that follows, with the answer": partial(_deduced, rounds=None),
}
WRITERS = {"superficial": _INVENTED, "reasoning": _REASONED}
"""Completions without reasoning, and with some, whether it leads to the answer or not."""
