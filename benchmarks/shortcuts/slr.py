"""What cheap strategies earn on SLR tasks: a Markdown table.

    python benchmarks/shortcuts/slr.py [--levels 1 3 5 8 12] [--tasks 400] [--train 300]

Each strategy sees what a model sees, the prompt and the examples in it, and writes a rule.

- A *template* is a text with blanks into which values are copied from fixed places of the prompt,
  the same for all tasks of a level. A hill climb over rules in disjunctive form searches for the
  best one within the level's caps, on other tasks of the same split; what it earns is a lower bound
  of what templates can earn.
- *Without labels*, trains are read and their labels are not; learners choose among short
  conjunctions.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from common import Answer, Examples, Option, Shortcuts, main
from common import Example as TaskExample

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.slr.language import Example
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.rewards.engines.rules import Caps, Constant, LabelledExamples, compile_rule
from logic_curriculum.rewards.registry import judge_of
from logic_curriculum.rewards.slr.judge import SlrPayload, acceptance

FIRST_SEED = 3_000_000  # of the tasks on which templates are searched for
CLIMBS = 4  # random starts of a search for templates
STEPS = 1_000  # changes that each start tries
SAMPLE = 60  # tasks on which a change is tried first
CHOICES = 60  # conjunctions that learners choose among


# -- What a prompt shows ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """A task as a model sees it."""

    task: Task
    judged: SlrPayload

    @cached_property
    def names(self) -> list[str]:
        """The attributes, in the order of the vocabulary."""
        return list(self.judged.words.values)

    @cached_property
    def classes(self) -> dict[bool, list[Example]]:
        """The examples shown, by label: each part's values in the order of the vocabulary."""
        program = self.judged.shown
        columns = [program.examples.columns[name] for name in self.names]
        found: dict[bool, list[Example]] = {True: [], False: []}
        for at in range(program.examples.count):
            bit = 1 << at
            parts = tuple(
                tuple(
                    next(v for v, mask in column[place].items() if mask & bit) for column in columns
                )
                for place, mask in enumerate(program.examples.exists)
                if mask & bit
            )
            found[bool(program.labels & bit)].append(parts)
        return found

    def rng(self) -> random.Random:
        """Return a random stream that depends on the examples alone."""
        return random.Random(repr(self.classes))


def view(task: Task) -> Shown:
    """Return what a strategy sees of a task."""
    return Shown(task, judge_of("slr").read(task.verification))


# -- Rules in disjunctive form ---------------------------------------------------------------------


class Blank(NamedTuple):
    """A place of the prompt: a part of one of the first examples of a class."""

    positive: bool
    example: int
    place: int


class Literal(NamedTuple):
    """A part has a value of an attribute, or has it not."""

    at: int  # the attribute's place in the vocabulary
    value: Constant | Blank
    holds: bool = True


class Condition(NamedTuple):
    """Some part has all of the literals, or no part has."""

    literals: tuple[Literal, ...]
    holds: bool = True


class Same(NamedTuple):
    """Two places hold the same value, or do not: variables that are named after them tell."""

    at: int
    one: Constant | Blank
    other: Constant | Blank
    holds: bool


Conjunction = tuple[Condition | Same, ...]
Rule = tuple[Conjunction, ...]  # of which one is met


def written(shown: Shown, rule: Rule) -> str:
    """Write a rule as clauses, with values for its blanks; nothing where the prompt lacks one."""
    head = shown.judged.words.target
    try:
        return "\n".join(
            f"{head}(T) :- {', '.join(goal(shown, *pair) for pair in enumerate(conjunction))}."
            for conjunction in rule
        )
    except IndexError:
        return ""


def goal(shown: Shown, number: int, condition: Condition | Same) -> str:
    """Write a condition; an IndexError says that there is no such part to copy from."""

    def copied(at: int, value: Constant | Blank) -> str:
        if isinstance(value, Blank):
            value = shown.classes[value.positive][value.example][value.place][at]
        return str(value)

    if isinstance(condition, Same):
        one, other = (copied(condition.at, value) for value in condition[1:3])
        text = f"V{one[0]}{one[-1]}-V{other[0]}{other[-1]} = []-[[]]"
        return f"\\+ {text}" if condition.holds else text
    texts = [f"{shown.judged.words.membership}(T, C{number})"]
    for at, value, holds in condition.literals:
        text = f"{shown.names[at]}(C{number}, {copied(at, value)})"
        texts.append(text if holds else f"\\+ {text}")
    joined = ", ".join(texts)
    return joined if condition.holds else f"\\+ ({joined})"


def outcomes(shown: Shown, program: LabelledExamples, text: str) -> int:
    """Return the mask of the examples that a rule calls positive."""
    return compile_rule(text, shown.judged.words).entailed(program.examples)[0]


def is_paid(shown: Shown, text: str) -> bool:
    """Return whether a rule is accepted, caps aside."""
    task = shown.judged
    if not text or outcomes(shown, task.shown, text) != task.shown.labels:
        return False
    fresh = outcomes(shown, task.fresh, text) if task.fresh else None
    return acceptance(task, task.shown.labels, fresh)[0]


# -- Templates -------------------------------------------------------------------------------------


def fits(rule: Rule, caps: Caps) -> bool:
    """Return whether a rule is within its caps."""
    every = [condition for conjunction in rule for condition in conjunction]
    tests = [item for item in every if isinstance(item, Same)]
    conditions = [item for item in every if isinstance(item, Condition)]
    literals = [literal for condition in conditions for literal in condition.literals]
    goals = len(conditions) + len(literals) + 4 * len(tests)
    names = 1 + max(map(len, rule)) + 2 * len(tests)
    sizes = {"values": len(literals), "clauses": len(rule), "goals": goals, "names": names}
    return bool(conditions) and all(size <= vars(caps)[name] for name, size in sizes.items())


@dataclass
class Climber:
    """Searches for the template of a level that is paid most often."""

    views: Sequence[Shown]
    caps: Caps
    rng: random.Random

    def literal(self) -> Literal:
        """Draw a literal: mostly a blank for the value of a positive example."""
        shown = self.rng.choice(self.views)
        at = self.rng.randrange(len(shown.names))
        holds = self.rng.random() < 0.8
        if self.rng.random() < 0.2:
            values = sorted(shown.judged.words.values[shown.names[at]], key=str)
            return Literal(at, self.rng.choice(values), holds)
        return Literal(at, self.blank(shown), holds)

    def blank(self, shown: Shown) -> Blank:
        """Draw a place of the prompt, mostly of a positive example."""
        positive = self.rng.random() < 0.7
        example = self.rng.randrange(min(3, len(shown.classes[positive])))
        return Blank(positive, example, self.rng.randrange(len(shown.classes[positive][example])))

    def condition(self) -> Condition | Same:
        """Draw a condition of one literal, or a comparison of two places."""
        if self.rng.random() < 0.3:
            shown = self.rng.choice(self.views)
            at, holds = self.rng.randrange(len(shown.names)), self.rng.random() < 0.5
            return Same(at, self.blank(shown), self.blank(shown), holds)
        return Condition((self.literal(),), self.rng.random() < 0.8)

    def changed(self, rule: Rule) -> Rule:
        """Change a rule at a random place: a literal, a condition's sign, a whole condition."""
        clauses = [list(conjunction) for conjunction in rule]
        chosen = self.rng.choice(clauses)
        at = self.rng.randrange(len(chosen))
        condition = chosen[at]
        kind = self.rng.choice(("literal", "literal", "sign", "swap", "and", "or", "drop"))
        if kind == "literal" and isinstance(condition, Condition):
            literals = list(condition.literals)
            place = self.rng.randrange(len(literals) + 1)
            literals[place : place + self.rng.randrange(2)] = [self.literal()]
            chosen[at] = condition._replace(literals=tuple(literals))
        elif kind == "sign":
            chosen[at] = condition._replace(holds=not condition.holds)
        elif kind == "swap":
            chosen[at] = self.condition()
        elif kind == "and":
            chosen.append(self.condition())
        elif kind == "or":
            clauses.append([self.condition()])
        elif kind == "drop":
            chosen.pop(at)
        return tuple(tuple(conjunction) for conjunction in clauses if conjunction)

    def score(self, rule: Rule, views: Sequence[Shown]) -> float:
        """Return how often a template is paid."""
        return sum(is_paid(shown, written(shown, rule)) for shown in views) / len(views)

    def climb(self) -> tuple[float, Rule]:
        """Start somewhere, and keep every change that is paid as often or more."""
        best: Rule = ((self.condition(),),)
        few = self.views[:SAMPLE]
        quick, reached = self.score(best, few), self.score(best, self.views)
        for _ in range(STEPS):
            rule = self.changed(best)
            for _ in range(self.rng.randrange(2)):
                rule = self.changed(rule) if rule else rule
            if not rule or not fits(rule, self.caps):
                continue
            tried = self.score(rule, few)
            if tried < quick - 0.05:
                continue
            value = self.score(rule, self.views)
            if value >= reached:
                best, quick, reached = rule, tried, value
        return reached, best


def best_template(train: Examples) -> Answer:
    """Search for the best template of each level, on as many test tasks as there are here."""
    best: dict[int, Rule] = {}
    for level in dict.fromkeys(example.task.level for example in train):
        seeds = range(FIRST_SEED, FIRST_SEED + len(train))
        views = [view(generate("slr", level, seed, split="test")) for seed in seeds]
        climber = Climber(views, level_of(level).caps, random.Random(f"templates {level}"))
        value, best[level] = max(
            (climber.climb() for _ in range(CLIMBS)), key=lambda found: found[0]
        )
        print(f"level {level}: {value:.3f} in training: {best[level]}", flush=True)

    return lambda shown: written(shown, best[shown.task.level])


# -- Short conjunctions ----------------------------------------------------------------------------


def conjunctions(shown: Shown) -> Iterator[tuple[Condition, ...]]:
    """Yield the conjunctions of at most two literals within the task's caps."""
    values = shown.judged.words.values
    literals = [Literal(at, value, holds) for at, name in enumerate(shown.names)
                for value in sorted(values[name], key=str) for holds in (True, False)]  # fmt: skip
    for some in (True, False):
        yield from ((Condition((literal,), some),) for literal in literals)
    if shown.judged.caps.values > 1:
        for one, other in combinations(literals, 2):
            yield (Condition((one,)), Condition((other,)))
            if one.at != other.at:
                yield from ((Condition((one, other), some),) for some in (True, False))


def options(example: TaskExample) -> list[Option]:
    """Describe some short conjunctions, without the labels of the examples shown."""
    shown: Shown = example.view
    program, some = shown.judged.shown, list(conjunctions(shown))
    shown.rng().shuffle(some)
    found = []
    for conjunction in some[:CHOICES]:
        text = written(shown, (conjunction,))
        positives = outcomes(shown, program, text).bit_count()
        shape = "&".join(f"{c.holds:d}{len(c.literals)}" for c in conjunction)
        seen = [f"shape {shape}", f"share {8 * positives // program.examples.count}"]
        seen += [
            f"{shown.names[item.at]} {item.value} {item.holds}"
            for condition in conjunction
            for item in condition.literals
        ]
        found.append(Option(text, dict.fromkeys(seen, 1.0), is_paid(shown, text)))
    return found


STRATEGIES: dict[str, Answer] = {
    "always true": lambda shown: f"{shown.judged.words.target}(_).",
    "never true": lambda shown: f"{shown.judged.words.target}(T) :- fail.",
}
KINDS = {
    "slr": Shortcuts(
        "slr",
        "slr_reward",
        view,
        STRATEGIES,
        {"any conjunctions (without labels)": options},
        {"best one found (template)": best_template},
        by_level=True,
    )
}

if __name__ == "__main__":
    main(KINDS)
