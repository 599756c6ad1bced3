"""What cheap strategies earn on LogiNumSynth tasks, as Markdown tables.

    python benchmarks/shortcuts/loginum.py [--tasks 200] [--train 400] [--presets EL-EN HL-HN]

Each strategy sees what a prompt shows and names a number, or writes steps, without deducing
anything; the completions go through the real reward functions. What a guess can earn is the
share of the commonest answer in training. A figure in bold type lies above it by more than noise,
given how many figures there are. What is marked as structural looks at the rules about the query's
attribute: a glance that is part of the work. Learners are logistic regressions over all options of
a task, of which the likeliest is chosen.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from statistics import fmean

from loginum_steps import INVENTED, REASONED
from loginum_strategies import (
    RULES,
    STRUCTURAL,
    SUPERFICIAL,
    View,
    answer,
    compute,
    entities_of,
    name_of,
    numbers_in,
    shape,
    values_in,
)
from scipy.stats import binom  # type: ignore[import-untyped]
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards import REWARDS
from logic_curriculum.rewards.engines.numeric.syntax import (
    Assignment,
    RelationFact,
    Rule,
)

LOGINUM = family("loginum")
PRESETS = ("EL-EN", "EL-HN", "HL-EN", "HL-HN", "exHL-HN", "EL-Train", "EN-Train")
ERROR_RATE = 0.01
"""Probability that any figure of a table is called above chance although none is."""


@dataclass(frozen=True)
class Example:
    """A task with what is seen of it."""

    task: Task
    view: View
    column: str
    """The tier or preset that it belongs to."""

    @property
    def kind(self) -> tuple[str, int]:
        """Tasks of one kind have one best constant answer."""
        return self.column, self.task.level

    @property
    def answer(self) -> int:
        """The value that is asked for."""
        return int(self.task.verification["answer"])

    @property
    def last_rule(self) -> Rule:
        """The rule that gives the answer."""
        return self.view.rules[self.task.verification["steps"][-1]["rule"] - 1]


@dataclass(frozen=True)
class Data:
    """Tasks of all columns."""

    train: Sequence[Example]
    test: Sequence[Example]

    @cached_property
    def columns(self) -> dict[str, list[int]]:
        """Tier or preset → numbers of its test tasks."""
        found: dict[str, list[int]] = {}
        for number, example in enumerate(self.test):
            found.setdefault(example.column, []).append(number)
        return found

    @cached_property
    def common(self) -> dict[tuple[str, int], tuple[int, float]]:
        """The commonest answer of each kind of task in training, and its share."""
        answers: dict[tuple[str, int], Counter[int]] = {}
        for example in self.train:
            answers.setdefault(example.kind, Counter())[example.answer] += 1
        best = {kind: found.most_common(1)[0] for kind, found in answers.items()}
        return {kind: (best[kind][0], best[kind][1] / answers[kind].total()) for kind in answers}


def make(preset: str | None, count: int, split: str) -> list[Example]:
    """Make tasks of each level of the ladder, or of each depth of a preset."""
    options = {} if preset is None else {"preset": preset}
    tasks = [
        generate("loginum", level, seed, split=split, **options)
        for level in LOGINUM.levels(preset)
        for seed in range(count)
    ]
    return [Example(t, View.of(t), preset or LOGINUM.tiers[t.level - 1]) for t in tasks]


# ---- learners -----------------------------------------------------------------------------------

Features = dict[str, int]
"""Name of what is seen of an option → how often."""


def sign_and_bits(number: int) -> str:
    return f"{'-' if number < 0 else '+'}{abs(number).bit_length()}"


def describe_numbers(task: View) -> dict[int, Features]:
    """Describe each number of the text by where it stands, how often and how large it is."""
    places: dict[int, list[str]] = {number: [] for number in task.numbers}
    for kind, patterns in (("fact", task.values), ("condition", task.required)):
        for entity, attribute, value in patterns:
            same = (attribute == task.query.attribute, entity == task.query.entity)
            places[value].append(f"{kind} of queried attribute, entity: {same}")
    for rule in task.rules:
        if isinstance(rule.conclusion, Assignment):
            _, attribute, expression = rule.conclusion
            found = numbers_in(expression)
            queried = attribute == task.query.attribute
            for place, number in enumerate(found):
                kind = type(expression).__name__
                places[number].append(f"{kind} {place} of {len(found)}, queried: {queried}")
    counts, order = Counter(task.numbers), sorted(places)
    for number, seen in places.items():
        rank = order.index(number)
        seen += [
            f"size {sign_and_bits(number)}",
            f"exactly {number}" if abs(number) <= 100 else "beyond 100",
            f"count {min(counts[number], 5)}",
            f"rank {10 * rank // len(order)}",
            "largest" * (rank == len(order) - 1) or "smallest" * (rank == 0) or "inner",
        ]
    return {number: Counter(seen) for number, seen in places.items()}


def looks(task: View, rule: Rule) -> list[str]:
    """Describe a rule by itself and by its place."""
    conditions, expression = rule.conditions, rule.conclusion[2]
    kinds = sorted("relation" if isinstance(p, RelationFact) else "value" for p in conditions)
    values = [pattern.value for pattern in values_in(conditions)]
    inner = [str(getattr(expression, side, "")).count("[") for side in ("left", "right")]
    return [
        f"conditions {' '.join(kinds)}",
        f"{len(kinds)} conditions",
        f"{len({name for p in conditions for name in entities_of(p)})} variables",
        f"{len(str(rule)) // 8} eights of signs",
        f"tenth {10 * task.rules.index(rule) // len(task.rules)}",
        f"{len(rule.lookups())} lookups",
        f"{type(expression).__name__} {getattr(expression, 'operator', '')} {inner}",
        *(f"condition size {sign_and_bits(value)}" for value in values),
        f"largest condition {max((abs(v).bit_length() for v in values), default=-1)}",
        *(f"conclusion size {sign_and_bits(number)}" for number in numbers_in(rule.conclusion)),
    ]


def looks_and_overlap(task: View, rule: Rule) -> list[str]:
    """Describe also how a rule's attributes, relations and numbers recur in facts and rules."""
    facts, others = {shape(f) for f in task.facts}, [r for r in task.rules if r is not rule]
    words = Counter(map(name_of, task.facts))
    concluded = Counter(
        c.relation if isinstance(c, RelationFact) else c.attribute
        for c in (other.conclusion for other in others)
    )
    required = Counter(shape(p) for other in others for p in other.conditions)
    own = [name_of(p) for p in rule.conditions]
    known = sum(shape(p) in facts for p in rule.conditions)
    found = [*looks(task, rule), f"{known} of {len(own)} conditions like facts"]
    for p in rule.conditions:
        name = name_of(p)
        found += [
            f"word in {min(words[name], 3)} facts",
            f"word concluded {min(concluded[name], 3)} times, like a fact: {shape(p) in facts}",
            f"same condition in {min(required[shape(p)], 3)} other rules",
        ]
    for _, attribute in rule.lookups():
        found += [
            f"lookup in {min(words[attribute], 3)} facts",
            f"lookup concluded {min(concluded[attribute], 3)} times",
            f"lookup in own conditions: {attribute in own}",
        ]
    mine = {shape(fact) for fact in task.facts if task.query.entity in entities_of(fact)}
    return [*found, f"{sum(shape(p) in mine for p in rule.conditions)} of query's entity"]


def learn(
    data: Data,
    describe: Callable[[View], Sequence[Features]],
    place_of: Callable[[Example], int | None],
) -> list[int]:
    """Return for each test task the place of the option that looks most like the right ones.

    Args:
        data: The tasks; each column has a learner of its own.
        describe: Features of a task's options.
        place_of: Place of the right option of a training task; tasks without one are left out.
    """
    chosen = [0] * len(data.test)
    for column, numbers in data.columns.items():
        rows: list[Features] = []
        labels: list[bool] = []
        for example in data.train:
            right = place_of(example)
            if example.column == column and right is not None:
                options = describe(example.view)
                rows += options
                labels += [place == right for place in range(len(options))]
        model = make_pipeline(
            DictVectorizer(), Normalizer(), LogisticRegression(C=10, max_iter=500)
        )
        model.fit(rows, labels)
        for number in numbers:
            scores = model.decision_function(describe(data.test[number].view))
            chosen[number] = int(scores.argmax())
    return chosen


def learnt_rules(data: Data) -> dict[str, list[Rule]]:
    """Return for each learner of rules the chosen rule of each test task."""
    found = {}
    for name, see in (("looks", looks), ("looks and overlap", looks_and_overlap)):

        def describe(task: View, see: Callable[[View, Rule], list[str]] = see) -> list[Features]:
            return [Counter(see(task, rule)) for rule in task.candidates]

        places = learn(data, describe, lambda e: e.view.candidates.index(e.last_rule))
        pairs = zip(places, data.test, strict=True)
        found[f"learner: {name}"] = [e.view.candidates[place] for place, e in pairs]
    return found


def learnt_numbers(data: Data) -> list[int]:
    """Return the number of each test task that a learner finds likeliest to be the answer."""

    def place_of(example: Example) -> int | None:
        numbers = list(dict.fromkeys(example.view.numbers))
        return numbers.index(example.answer) if example.answer in numbers else None

    places = learn(data, lambda task: list(describe_numbers(task).values()), place_of)
    pairs = zip(places, data.test, strict=True)
    return [list(dict.fromkeys(e.view.numbers))[place] for place, e in pairs]


# ---- tables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """What a strategy earned, one figure for each test task."""

    name: str
    paid: Sequence[float]
    group: str = "superficial"


@dataclass(frozen=True)
class Table:
    """What strategies earned, beside what chance earns."""

    data: Data
    rows: Sequence[Row]
    chance: str
    """What chance is, in words."""
    chances: Sequence[float]
    """What chance earns on each test task; where it is nothing, nothing is compared with it."""

    def z_score(self, row: Row, column: str) -> float | None:
        """Return by how many standard errors a row exceeds chance; None within noise."""
        numbers = self.data.columns[column]
        chance = fmean(self.chances[i] for i in numbers)
        hits = sum(row.paid[i] for i in numbers)
        bound = ERROR_RATE / (len(self.rows) * len(self.data.columns))
        if not 0 < chance < hits / len(numbers):
            return None
        if binom.sf(hits - 1, len(numbers), chance) >= bound:
            return None
        return (hits / len(numbers) - chance) / sqrt(chance * (1 - chance) / len(numbers))

    def text(self) -> str:
        """Return the mean of each row by column; what is above chance is in bold type."""
        columns = self.data.columns
        lines = [
            "| strategy | " + " | ".join(f"{c} ({len(n)})" for c, n in columns.items()) + " |",
            "|:---|" + "---:|" * len(columns),
        ]
        high: list[str] = []
        for row in [Row(f"*{self.chance}*", self.chances), *self.rows]:
            cells = []
            for column, numbers in columns.items():
                z = self.z_score(row, column)
                mean = f"{fmean(row.paid[i] for i in numbers):.3f}"
                cells.append(mean if z is None else f"**{mean}**")
                if z is not None and row.group == "superficial":
                    high.append(f"{row.name} ({column}, z = {z:.1f})")
            mark = "" if row.group == "superficial" else f" ({row.group})"
            lines.append(f"| {row.name}{mark} | " + " | ".join(cells) + " |")
        return "\n".join([*lines, "", f"Superficial, above chance: {'; '.join(high) or 'none'}."])


def pay(reward: str, answers: Iterable[str], data: Data) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [example.task.verification for example in data.test]
    paid = REWARDS[reward](completions=list(answers), verification=payloads)
    return [value or 0.0 for value in paid]


def answer_table(data: Data) -> Table:
    """Return what numbers earn that are named without deduction."""
    named: dict[tuple[str, str], Sequence[int | None]] = {
        ("the commonest answer in training", "superficial"): [
            data.common[example.kind][0] for example in data.test
        ]
    }
    for group, picks in (("superficial", SUPERFICIAL), ("structural", STRUCTURAL)):
        for name, pick in picks.items():
            named[name, group] = [pick(example.view) for example in data.test]
    named["learner: numbers of the text", "structural"] = learnt_numbers(data)
    for name, rules in learnt_rules(data).items():
        named[f"the rule of {name}, with values from conditions", "structural"] = [
            compute(rule, example.view) for rule, example in zip(rules, data.test, strict=True)
        ]
    rows = [
        Row(name, pay("loginum_reward", map(answer, numbers), data), group)
        for (name, group), numbers in named.items()
    ]
    chances = [data.common[example.kind][1] for example in data.test]
    return Table(data, rows, "commonest answer", chances)


def step_table(data: Data) -> Table:
    """Return what written steps earn."""
    solutions = {example.kind: example.task.solution for example in data.train}
    written = [
        (name, [write(example.view) for example in data.test], group)
        for group, writers in (("superficial", INVENTED), ("reasoning", REASONED))
        for name, write in writers.items()
    ]
    copied = [solutions[example.kind] for example in data.test]
    written.append(("a training task's solution", copied, "superficial"))
    rows = [
        Row(n, pay("loginum_process_reward", texts, data), group) for n, texts, group in written
    ]
    return Table(data, rows, "nothing", [0.0] * len(data.test))


def rule_table(data: Data) -> Table:
    """Return how often the rule that gives the answer is found."""
    chosen = {name: [pick(e.view) for e in data.test] for name, pick in RULES.items()}
    rows = [
        Row(name, [float(r is e.last_rule) for r, e in zip(rules, data.test, strict=True)])
        for name, rules in (chosen | learnt_rules(data)).items()
    ]
    chances = [1 / len(example.view.candidates) for example in data.test]
    return Table(data, rows, "one at random", chances)


TABLES = {"answers": answer_table, "steps": step_table, "rules": rule_table}


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogiNumSynth tasks.")
    parser.add_argument("--presets", nargs="*", default=PRESETS)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=[*TABLES])
    parser.add_argument("--no-ladder", action="store_true", help="only presets")
    parser.add_argument("--tasks", type=int, default=200, help="test tasks per level or depth")
    parser.add_argument("--train", type=int, default=400, help="training tasks per level or depth")
    arguments = parser.parse_args()
    ladder: list[str | None] = [] if arguments.no_ladder else [None]
    for title, columns in (("Ladder", ladder), ("Presets", arguments.presets)):
        if columns:
            train = [e for column in columns for e in make(column, arguments.train, "train")]
            test = [e for column in columns for e in make(column, arguments.tasks, "test")]
            data = Data(train, test)
            print(f"## {title}\n", flush=True)
            for name in arguments.tables:
                print(f"### {name}\n\n{TABLES[name](data).text()}\n", flush=True)


if __name__ == "__main__":
    main()
