"""What a solution quotes from a world before it sums the reasoning up.

Quotations let a small model look up, one thing at a time, what a step rests on, where the summary
names it by number at once. They go from the query back to what is given, a line each step::

    Hetty's willing: rule_6: is(?x, legal, 7) -> is(?x, willing, 3) | ? Hetty's legal
    Hetty's legal: rule_5: hamper(?x, ?y) -> is(?y, legal, 7) | hamper(Ed, Hetty) = fact_4

In a search, the rules that stand before the one that fires and conclude the same are quoted as
well, each with a fact that speaks against it, if there is one::

    Hetty's legal: rule_2: is(?x, cold, 4) -> is(?x, legal, 8) | is(Hetty, cold, 6) = fact_9 | no
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generators import Task
from generators.loginum.world import Step
from rewards.judges.numeric.parser import parse_fact, parse_rule
from rewards.judges.numeric.syntax import AttributeFact, Fact, RelationFact, Rule


def quotations(task: Task, steps: Sequence[Step], search: bool) -> str:
    """Return a line for each step, from the last to the first.

    Args:
        task: A task in formal language.
        steps: How to derive something of its world.
        search: Whether the rules that were looked at in vain are quoted, too.
    """
    world = _World(task)
    lines: list[str] = []
    for step in reversed(steps):
        about = f"{_subject(step.conclusion)}: "
        if search:
            lines += [about + text for text in world.dismissed(step)]
        lines.append(about + world.applied(step, steps))
    return "".join(f"{line}\n" for line in lines)


def _subject(fact: Fact) -> str:
    """Return what a fact is about: its value, if it has one, is what is asked."""
    if isinstance(fact, AttributeFact):
        return f"{fact.entity}'s {fact.attribute}"
    return f"{fact.relation} exists between {fact.first} and {fact.second}"


class _World:
    """Facts and rules of a task, as they are written and as they are meant."""

    def __init__(self, task: Task) -> None:
        self._fact_sentences = task.metadata["fact_sentences"]
        self._rule_sentences = task.metadata["rule_sentences"]
        self._rules = [parse_rule(text) for text in task.verification["rules"]]
        facts = enumerate(map(parse_fact, task.verification["facts"]), start=1)
        self._given = {
            (fact.entity, fact.attribute): (number, fact.value)
            for number, fact in facts
            if isinstance(fact, AttributeFact)
        }

    def applied(self, step: Step, steps: Sequence[Step]) -> str:
        """Return the rule that a step applies, with what it uses."""
        parts = [self._rule(step.rule)]
        parts += map(self._fact, step.facts)
        parts += [f"? {_subject(steps[number - 1].conclusion)}" for number in step.steps]
        return " | ".join(parts)

    def dismissed(self, step: Step) -> Iterator[str]:
        """Yield the earlier rules with the conclusion of a step, and what speaks against them."""
        for number, rule in enumerate(self._rules[: step.rule - 1], start=1):
            if _concludes(rule, step.conclusion):
                against = self._against(rule, step.conclusion)
                parts = [self._rule(number), *([self._fact(against)] if against else []), "no"]
                yield " | ".join(parts)

    def _rule(self, number: int) -> str:
        return f"rule_{number}: {self._rule_sentences[number - 1]}"

    def _fact(self, number: int) -> str:
        return f"{self._fact_sentences[number - 1]} = fact_{number}"

    def _against(self, rule: Rule, goal: Fact) -> int | None:
        """Return the number of a fact that gives an attribute another value than a rule asks."""
        entities = _bindings(rule, goal)
        for condition in rule.conditions:
            if isinstance(condition, AttributeFact):
                entity = entities.get(condition.entity, condition.entity)
                number, value = self._given.get((entity, condition.attribute), (None, None))
                if number and value != condition.value:
                    return number
        return None


def _concludes(rule: Rule, goal: Fact) -> bool:
    """Say whether a rule concludes something of a goal's attribute or relation."""
    conclusion = rule.conclusion
    if isinstance(goal, RelationFact):
        return isinstance(conclusion, RelationFact) and conclusion.relation == goal.relation
    return not isinstance(conclusion, RelationFact) and conclusion.attribute == goal.attribute


def _bindings(rule: Rule, goal: Fact) -> dict[str, str]:
    """Return variable → entity for the variables of a conclusion that is to be the goal."""
    conclusion = rule.conclusion
    if isinstance(goal, RelationFact):
        assert isinstance(conclusion, RelationFact)
        return {conclusion.first: goal.first, conclusion.second: goal.second}
    assert not isinstance(conclusion, RelationFact)
    return {conclusion.entity: goal.entity}
