"""What cheap strategies earn on LogiNumSynth tasks: a Markdown table for answers, one for steps.

    python benchmarks/shortcuts/loginum.py [--presets EL-EN HL-HN] [--tasks 200]

Each strategy sees what a prompt shows and names a number, or writes steps. *Structural* ones look
at the rules about the query's attribute, a glance that is part of the work. Learners choose among
these rules, with values from their conditions.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from statistics import fmean, mode

from common import Answer, Example, Option, Shortcuts, main

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    RelationFact,
    Rule,
    parse_fact,
    parse_query,
    parse_rule,
)
from logic_curriculum.rewards.loginum.answer import conclusion_text

_EXAMPLE = re.compile(r"^.*(?:=>>|\\boxed).*$", re.MULTILINE)


@dataclass(frozen=True)
class View:
    """What a prompt says, without the answer."""

    prompt: str
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    query: syntax.Query

    @property
    def random(self) -> Random:
        """A stream of the task's own, the same each time."""
        return stream("shortcuts", "loginum", self.prompt)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """All of facts and rules, in the order of the prompt."""
        shown = " ".join(map(str, (*self.facts, *self.rules)))
        return tuple(map(int, re.findall(r"-?\d+", shown)))

    @cached_property
    def required(self) -> list[AttributeFact]:
        """Conditions that require an attribute to have a value."""
        return [pattern for rule in self.rules for pattern in values_in(rule.conditions)]

    @cached_property
    def candidates(self) -> list[Rule]:
        """The rules that conclude about the query's attribute."""
        pairs = ((rule, rule.conclusion) for rule in self.rules)
        attribute = self.query.attribute
        return [
            r for r, c in pairs if isinstance(c, syntax.Assignment) and c.attribute == attribute
        ]


def view_of(task: Task) -> View:
    payload = task.verification
    facts = tuple(map(parse_fact, payload["facts"]))
    rules = tuple(map(parse_rule, payload["rules"]))
    return View(task.prompt, facts, rules, parse_query(payload["query"]))


def values_in(facts: Iterable[Fact]) -> list[AttributeFact]:
    return [fact for fact in facts if isinstance(fact, AttributeFact)]


def entities_of(fact: Fact) -> tuple[str, ...]:
    return fact[1:] if isinstance(fact, RelationFact) else fact[:1]


def name_of(fact: Fact | syntax.Assignment) -> str:
    return fact.relation if isinstance(fact, RelationFact) else fact.attribute


def shape(pattern: Fact) -> tuple[str, int | str]:
    """Return what is left of a fact or condition without its entities."""
    return ("relation", pattern[0]) if isinstance(pattern, RelationFact) else pattern[1:]


def expression_of(rule: Rule) -> syntax.Expression:
    assert isinstance(rule.conclusion, syntax.Assignment)
    return rule.conclusion.expression


def answer(number: int | None) -> str:
    """Write a number as the answer, or nothing for none."""
    return "" if number is None else f"Answer: \\boxed{{{number}}}"


# -- Answers ---------------------------------------------------------------------------------------


def any_rule(task: View) -> Rule:
    return task.random.choice(task.candidates)


def most_known(task: View) -> Rule:
    """Choose the rule with the greatest share of conditions that some fact is like."""
    shapes = {shape(fact) for fact in task.facts}
    return max(task.candidates, key=lambda r: fmean(shape(p) in shapes for p in r.conditions))


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
        return expression_of(rule).value(value)
    except LookupError:
        return None


def _named(
    values: Callable[[View], Sequence[int]], choose: Callable[[Sequence[int]], int] | None = None
) -> Answer:
    """Answer with one of some values, any of them by default; with nothing where there are none."""

    def strategy(task: View) -> str:
        found = values(task)
        return answer((choose or task.random.choice)(found) if found else None)

    return strategy


def _of_query(task: View, place: int) -> list[int]:
    return [fact.value for fact in values_in(task.facts) if fact[place] == task.query[place]]


def _required(task: View) -> list[int]:
    return [p.value for p in task.required if p.attribute == task.query.attribute]


def _constants(task: View) -> list[int]:
    expressions = map(expression_of, task.candidates)
    return [found.number for found in expressions if isinstance(found, syntax.Constant)]


PICKS: dict[str, Answer] = {
    "the number farthest from zero": _named(lambda t: t.numbers, partial(max, key=abs)),
    "the most frequent number": _named(lambda t: t.numbers, mode),
    "the last number": _named(lambda t: t.numbers[-1:]),
    "a number of the text": _named(lambda t: t.numbers),
    "a value that a condition asks of the query's attribute": _named(_required),
    "the query's attribute of another entity": _named(partial(_of_query, place=1)),
    "another attribute of the query's entity": _named(partial(_of_query, place=0)),
    "a fixed value that a rule about the attribute concludes (structural)": _named(_constants),
    "any rule about it, with values from conditions (structural)": lambda t: answer(
        compute(any_rule(t), t)
    ),
    "the rule about it with most conditions that look like facts (structural)": lambda t: answer(
        compute(most_known(t), t)
    ),
}


def seen_of(rule: Rule, task: View) -> list[str]:
    """Describe a rule by its looks and place, and by how its words recur in facts and rules."""
    conditions, expression = rule.conditions, rule.conclusion[2]
    kinds = sorted("relation" if isinstance(p, RelationFact) else "value" for p in conditions)
    facts, others = {shape(f) for f in task.facts}, [r for r in task.rules if r is not rule]
    words = Counter(map(name_of, task.facts))
    concluded = Counter(name_of(other.conclusion) for other in others)
    required = Counter(shape(p) for other in others for p in other.conditions)
    found = [
        f"conditions {' '.join(kinds)}",
        f"{len({name for p in conditions for name in entities_of(p)})} variables",
        f"{len(str(rule)) // 8} eights of signs",
        f"tenth {10 * task.rules.index(rule) // len(task.rules)}",
        f"{type(expression).__name__} {getattr(expression, 'operator', '')}",
        f"{sum(shape(p) in facts for p in conditions)} of {len(kinds)} conditions like facts",
    ]
    for p in conditions:
        times, is_fact = min(concluded[name_of(p)], 3), shape(p) in facts
        found += [
            f"word in {min(words[name_of(p)], 3)} facts",
            f"word concluded {times} times, like a fact: {is_fact}",
            f"same condition in {min(required[shape(p)], 3)} other rules",
        ]
    for _, attribute in rule.lookups():
        found += [
            f"lookup in {min(words[attribute], 3)} facts",
            f"lookup concluded {min(concluded[attribute], 3)} times",
            f"lookup in own conditions: {attribute in map(name_of, conditions)}",
        ]
    return found


def rule_options(example: Example) -> list[Option]:
    """Describe the rules about the query's attribute, each of which gives an answer."""
    task: View = example.view
    right = task.rules[example.task.verification["steps"][-1]["rule"] - 1]
    return [
        Option(answer(compute(rule, task)), Counter(seen_of(rule, task)), rule is right)
        for rule in task.candidates
    ]


# -- Steps -----------------------------------------------------------------------------------------


def _one_guess_a_rule(task: View) -> str:
    """Apply each rule without a computation to any facts of the right kinds, values unread.

    What one of them concludes about the query is the answer.
    """
    random, number = task.random, None
    lines: list[str] = []
    for place, rule in enumerate(task.rules):
        conclusion = rule.conclusion
        fitting = [
            [n for n, f in enumerate(task.facts) if (type(f), name_of(f)) == (type(p), name_of(p))]
            for p in rule.conditions
        ]
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
            number = end.value if number is None and end[:2] == task.query else number
        else:
            continue
        cited = [f"rule_{place + 1}", *(f"fact_{n + 1}" for n in dict.fromkeys(facts))]
        lines.append(f"{' & '.join(cited)} =>> int_{len(lines) + 1}: {conclusion_text(end)}")
    return "\n".join(["Reasoning:", *lines, answer(number)])


STEPS: dict[str, Answer] = {
    "the prompt's own example": lambda task: "\n".join(_EXAMPLE.findall(task.prompt)),
    "each rule without a computation, with any facts of the right kinds (structural)": (
        _one_guess_a_rule
    ),
}
LEARNT = {"rules about the attribute (structural)": rule_options}
KINDS = {
    "answers": Shortcuts("loginum", "loginum_reward", view_of, PICKS, LEARNT),
    "steps": Shortcuts("loginum", "loginum_process_reward", view_of, STEPS),
}

if __name__ == "__main__":
    main(KINDS)
