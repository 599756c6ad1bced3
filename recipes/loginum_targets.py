"""What a model is trained to write about a world: the summary alone, or quotations before it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from loginum_quotations import quotations

from generators import Task
from generators.loginum.prompts import step_line
from generators.loginum.world import Step
from rewards.judges.numeric.engine import Closure, closure
from rewards.judges.numeric.parser import parse_fact, parse_rule
from rewards.judges.numeric.syntax import AttributeFact, Fact, Query

TARGETS = ("summary", "quoted", "searched")
READ_FACTS, READ_RULES = 8, 4
"""Facts and rules that an exercise in reading says again, at most."""
MAX_STEPS = 3
"""Steps of a further question at most, which is to be no harder than the task's own."""


def with_target(
    task: Task, target: str, further: int = 0, seed: int = 0, separator: str = ""
) -> Task:
    """Return the task with the solution that is to be learnt.

    Args:
        task: A task of the family.
        target: One of :data:`TARGETS`.
        further: Number of further questions about the same world, each a query in formal language
            and its solution, as far as the world derives so many. One world teaches more that way:
            reading it takes a small model longest.
        seed: Draws these questions.
        separator: Stands after each answer that a question follows: the tokenizer's end of
            sequence, so that the model learns to stop where it has answered.
    """

    def quoted(steps: Sequence[Step]) -> str:
        return "" if target == "summary" else quotations(task, steps, target == "searched")

    texts = [f"{quoted(gold_steps(task))}{task.solution}"]
    for steps in _further_steps(task, random.Random(seed))[:further] if further else ():
        fact = steps[-1].conclusion
        assert isinstance(fact, AttributeFact)
        query = Query(fact.entity, fact.attribute)
        texts.append(f"{query}\n{quoted(steps)}{_summary(steps, fact.value)}")
    return replace(task, solution=f"{separator}\n".join(texts))


def with_reading(task: Task, seed: int) -> Task:
    """Return the task with an exercise in reading instead of its solution: the world said again.

    Some facts, each followed by its id, then some rules, each after its id, in random order. Every
    word but the first of a line has to be looked up in the prompt, which teaches a network to find
    its way in a world sooner than solutions do, where few words have to.

    Args:
        task: A task in formal language.
        seed: Draws lines and order.
    """
    rng = random.Random(seed)
    facts = [
        f"{sentence} = fact_{number}"
        for number, sentence in enumerate(task.metadata["fact_sentences"], start=1)
    ]
    rules = [
        f"rule_{number}: {sentence}"
        for number, sentence in enumerate(task.metadata["rule_sentences"], start=1)
    ]
    lines = [
        *rng.sample(facts, min(READ_FACTS, len(facts))),
        *rng.sample(rules, min(READ_RULES, len(rules))),
    ]
    return replace(task, solution="\n".join(lines))


def gold_steps(task: Task) -> list[Step]:
    """Return the steps of the task's payload."""
    return [
        Step(
            step["rule"], tuple(step["facts"]), tuple(step["steps"]), parse_fact(step["conclusion"])
        )
        for step in task.verification["steps"]
    ]


def _summary(steps: Sequence[Step], answer: int) -> str:
    lines = [f"{step_line(step, number)}\n" for number, step in enumerate(steps, start=1)]
    return f"Reasoning:\n{''.join(lines)}Answer: \\boxed{{{answer}}}"


def _further_steps(task: Task, rng: random.Random) -> list[list[Step]]:
    """Return how to derive other values of the task's world, in random order."""
    given = [parse_fact(text) for text in task.verification["facts"]]
    known = closure(given, [parse_rule(text) for text in task.verification["rules"]])
    numbers = {fact: number for number, fact in enumerate(given, start=1)}
    asked = task.verification["query"]
    goals = [
        fact
        for fact in known.facts
        if isinstance(fact, AttributeFact)
        and fact not in numbers
        and str(Query(fact.entity, fact.attribute)) != asked
    ]
    rng.shuffle(goals)
    ways = [_Way(known, numbers).to(goal) for goal in goals]
    return [steps for steps in ways if len(steps) <= MAX_STEPS]


class _Way:
    """The steps to a derived fact, each after those that it rests on."""

    def __init__(self, known: Closure, given: Mapping[Fact, int]) -> None:
        self._known = known
        self._given = given
        self._found = {fact: place for place, fact in enumerate(known.facts)}
        self._numbers: dict[Fact, int] = {}
        self._steps: list[Step] = []

    def to(self, goal: Fact) -> list[Step]:
        """Return the steps; the last one concludes the goal."""
        first = next(  # one that rests on what was found earlier, so that none goes in a circle
            way
            for way in self._known.derivations[goal]
            if all(self._found[fact] < self._found[goal] for fact in way.uses)
        )
        derived = [fact for fact in first.uses if fact not in self._given]
        for fact in derived:
            if fact not in self._numbers:
                self.to(fact)
        self._steps.append(
            Step(
                first.rule + 1,
                tuple(self._given[fact] for fact in first.uses if fact in self._given),
                tuple(self._numbers[fact] for fact in derived),
                goal,
            )
        )
        self._numbers[goal] = len(self._steps)
        return self._steps
