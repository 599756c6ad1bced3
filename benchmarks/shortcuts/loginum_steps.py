"""Ways to write the steps of a LogiNumSynth task, with and without deducing."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, product
from random import Random

from loginum_strategies import View, answer, any_number, any_rule, entities_of, name_of

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule
from logic_curriculum.rewards.loginum.answer import conclusion_text

INVENTED_STEPS = 6
MAX_LINES = 2_000  # most lines that are written when everything is tried
_EXAMPLE = re.compile(r"^.*(?:=>>|\\boxed).*$", re.MULTILINE)


def _line(cited: Iterable[str], number: int, conclusion: Fact) -> str:
    return f"{' & '.join(cited)} =>> int_{number}: {conclusion_text(conclusion)}"


def _step(rule: int, facts: Iterable[int], number: int, conclusion: Fact) -> str:
    """Write a step; rules and facts are counted from 0, conclusions from 1."""
    return _line([f"rule_{rule + 1}", *(f"fact_{n + 1}" for n in facts)], number, conclusion)


def _summary(steps: Iterable[str], number: int | None) -> str:
    return "\n".join(["Reasoning:", *steps, answer(number)])


_CITED: dict[str, Callable[..., list[str]]] = {
    "the query concluded from nothing": lambda rule, rules, facts: [],
    "the query concluded from itself": lambda rule, rules, facts: [rule, "int_1"],
    "a rule about the query and all facts as one step": lambda rule, rules, facts: [rule, *facts],
    "all rules and all facts as one step": lambda rule, rules, facts: [*rules, *facts],
}
"""From what of any rule about the query, all rules and all facts it is concluded in one step."""


def _one_step(cite: Callable[..., list[str]], task: View) -> str:
    rules = [f"rule_{n}" for n, _ in enumerate(task.rules, start=1)]
    facts = [f"fact_{n}" for n, _ in enumerate(task.facts, start=1)]
    cited = cite(rules[task.rules.index(any_rule(task))], rules, facts)
    conclusion = AttributeFact(*task.query, any_number(task) or 0)
    return _summary([_line(cited, 1, conclusion)], conclusion.value)


def _invented(rule: Rule, task: View, random: Random) -> Fact:
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
    return _summary(lines, any_number(task))


def _every_rule(task: View) -> str:
    random, every = task.random, range(len(task.facts))
    ends = [_invented(rule, task, random) for rule in task.rules]
    lines = [_step(n, every, n + 1, end) for n, end in enumerate(ends)]
    return _summary(lines, any_number(task))


def _every_fact(task: View) -> str:
    lines = [_line([f"fact_{n}"], n, fact) for n, fact in enumerate(task.facts, start=1)]
    return _summary(lines, any_number(task))


def _of_kinds(rule: Rule, task: View) -> list[list[int]]:
    """Return for each condition the facts about the same attribute or relation."""
    return [
        [n for n, f in enumerate(task.facts) if (type(f), name_of(f)) == (type(p), name_of(p))]
        for p in rule.conditions
    ]


def _one_guess_a_rule(task: View) -> str:
    """Apply each rule without a computation to any facts of the right kinds, values unread.

    What one of them concludes about the query is the answer.
    """
    random = task.random
    lines: list[str] = []
    answers: list[int] = []
    for number, rule in enumerate(task.rules):
        fitting, conclusion = _of_kinds(rule, task), rule.conclusion
        if not all(fitting):
            continue
        facts = [random.choice(places) for places in fitting]
        names: dict[str, str] = {}
        for pattern, fact in zip(rule.conditions, facts, strict=True):
            names |= dict(zip(entities_of(pattern), entities_of(task.facts[fact]), strict=True))
        end: Fact
        if isinstance(conclusion, RelationFact):
            first, second = (names.get(name, name) for name in entities_of(conclusion))
            end = RelationFact(conclusion.relation, first, second)
        elif isinstance(conclusion.expression, syntax.Constant):
            entity = names.get(conclusion.entity, conclusion.entity)
            end = AttributeFact(entity, conclusion.attribute, conclusion.expression.number)
            answers += [end.value] if end[:2] == task.query else []
        else:
            continue
        lines.append(_step(number, dict.fromkeys(facts), len(lines) + 1, end))
    return _summary(lines, answers[0] if answers else any_number(task))


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
        for facts, end in product(product(*_of_kinds(rule, task)), ends):
            yield number, tuple(dict.fromkeys(facts)), end


def _everything(task: View, *, relations: bool) -> str:
    """Write a line for everything that a rule could conclude of facts, true or not."""
    tried = islice(_tries(task, relations), MAX_LINES)
    lines = [_step(rule, facts, n, end) for n, (rule, facts, end) in enumerate(tried, start=1)]
    return _summary(lines, any_number(task))


_INVENTED: dict[str, Callable[[View], str]] = {
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
    return _summary(lines, known.value(*task.query) if rounds is None else any_number(task))


_REASONED: dict[str, Callable[[View], str]] = {
    "all that follows from the facts in one step": partial(_deduced, rounds=1),
    "all that follows in two rounds": partial(_deduced, rounds=2),
    "all that follows, with the answer": partial(_deduced, rounds=None),
}
WRITERS: dict[str, dict[str, Callable[[View], str]]] = {
    "superficial": _INVENTED,
    "structural": {
        "each rule without a computation, with any facts of the right kinds": _one_guess_a_rule
    },
    "reasoning": _REASONED,
}
"""Completions without reasoning, and with some, whether it leads to the answer or not."""
