"""What cheap strategies earn on consistency tasks, as Markdown tables.

    python benchmarks/shortcuts_sat.py [--train 2000] [--tasks 2000] [--levels 1 2] [--presets ...]

First, learners that see only what can be counted say whether fresh clause sets are consistent.
*Counts* are of statements, characters, words, commas, literals, negations, operators, and of each
variable (how often, how often negated, how evenly, repetition in a statement), by position too;
*overlap* adds which variables share statements and which single literals contradict each other,
which is the beginning of the work. Then, answers written without reasoning go through the real
reward functions, with and without certificates.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from sat_features import SETS, literals

from logic_curriculum.generators import Task
from logic_curriculum.generators.sat.family import LEVELS
from logic_curriculum.generators.sat.family import generate as make
from logic_curriculum.generators.sat.levels import PRESETS
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import REWARDS
from logic_curriculum.rewards.engines.propositional import parse

LIMIT = 0.55
_STEPS = 600
_RATE = 0.05
_RIDGE = 1e-3
_ROUNDS = 60


@dataclass(frozen=True)
class Column:
    """Tasks of one level, or of a preset with one number of variables."""

    group: str
    """``ladder``, or the preset."""
    name: str
    train: Sequence[Task]
    test: Sequence[Task]

    @staticmethod
    def labels(tasks: Sequence[Task]) -> np.ndarray:
        """Return 1.0 for each consistent set, else 0.0."""
        return np.array([task.verification["satisfiable"] for task in tasks], dtype=float)


def column(level: int, preset: str | None, train: int, test: int) -> Column:
    """Make the tasks, from seeds of their own; splits don't matter, since all are fresh."""
    return Column(
        preset or "ladder",
        f"{level} variables" if preset else f"level {level}",
        [make(level, seed, preset=preset, language="english") for seed in range(train)],
        [make(level, -1 - seed, preset=preset, language="english") for seed in range(test)],
    )


def published_column(preset: str, train: int, test: int) -> Column:
    """Make tasks of a preset in the proportions of Table 3, of variables and of both kinds."""
    counts = PRESETS[preset].counts
    cells = [
        (level, target)
        for level, numbers in counts.items()
        for target, number in zip(("sat", "unsat"), numbers, strict=True)
        for _ in range(number)
    ]
    rng = stream("shortcuts sat", preset)

    def draw(seeds: Sequence[int]) -> list[Task]:
        drawn = [rng.choice(cells) for _ in seeds]
        return [
            make(level, seed, preset=preset, target=target, language="english")
            for seed, (level, target) in zip(seeds, drawn, strict=True)
        ]

    return Column(preset, "Table 3", draw(range(train)), draw(range(-1, -1 - test, -1)))


# Learners


def logit(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Return whether a logistic regression on features and their squares says "consistent"."""
    known, asked = np.hstack([known, known**2]), np.hstack([asked, asked**2])
    weights, bias = np.zeros(known.shape[1]), 0.0
    for _ in range(_STEPS):
        error = 1 / (1 + np.exp(-(known @ weights + bias))) - labels
        weights -= _RATE * (known.T @ error / len(labels) + _RIDGE * weights)
        bias -= _RATE * error.mean()
    return asked @ weights + bias > 0


def stumps(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Return whether boosted thresholds on single features (AdaBoost) say "consistent"."""
    signs = 2 * labels - 1
    thresholds = [np.unique(np.quantile(column, np.linspace(0.05, 0.95, 10))) for column in known.T]
    sides = [(feature, cut) for feature, cuts in enumerate(thresholds) for cut in cuts]
    votes = np.stack([np.where(known[:, f] > cut, 1.0, -1.0) for f, cut in sides])
    weights = np.full(len(labels), 1 / len(labels))
    score = np.zeros(len(asked))
    for _ in range(_ROUNDS):
        edges = votes @ (weights * signs)
        best = int(np.abs(edges).argmax())
        edge = float(np.clip(edges[best], -0.999, 0.999))
        strength = 0.5 * np.log((1 + edge) / (1 - edge))
        feature, cut = sides[best]
        score += strength * np.where(asked[:, feature] > cut, 1.0, -1.0)
        weights *= np.exp(-strength * signs * votes[best])
        weights /= weights.sum()
    return score > 0


LEARNERS = {"logistic regression": logit, "boosted thresholds": stumps}


def accuracies(data: Column) -> dict[str, float]:
    """Return how often each learner is right on fresh tasks, with each set of features."""
    labels, truth = data.labels(data.train), data.labels(data.test)
    found = {"share of the commoner kind": max(truth.mean(), 1 - truth.mean())}
    described = {
        describe: [np.array(list(map(describe, tasks))) for tasks in (data.train, data.test)]
        for describe in {part: None for parts in SETS.values() for part in parts}
    }
    for features, parts in SETS.items():
        known, asked = (np.hstack([described[part][side] for part in parts]) for side in (0, 1))
        mean, spread = known.mean(axis=0), known.std(axis=0)
        spread[spread == 0] = 1
        known, asked = (known - mean) / spread, np.clip((asked - mean) / spread, -5, 5)
        for name, learn in LEARNERS.items():
            said = learn(np.clip(known, -5, 5), labels, asked)
            found[f"{name}: {features}"] = float((said == truth).mean())
    return found


# Answers without reasoning


def majority(task: Task) -> str:
    """Return the assignment that gives each variable its more frequent sign."""
    balance: Counter[str] = Counter()
    for text in task.verification["formulas"]:
        for name, sign in literals(parse(text)):
            balance[name] += 1 if sign else -1
    return _assigned({name: balance[name] > 0 for name in _names(task)})


def _names(task: Task) -> list[str]:
    return [f"v{number}" for number in range(1, task.metadata["variables"] + 1)]


def _assigned(values: dict[str, bool]) -> str:
    return _consistent(", ".join(f"{n}={str(value).lower()}" for n, value in values.items()))


def _consistent(certificate: str) -> str:
    return f"<result>consistent</result>\n<certificate>{certificate}</certificate>"


def _core(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers))
    return f"<result>inconsistent</result>\n<certificate>{named}</certificate>"


def _random_assignment(task: Task) -> str:
    rng = stream("shortcuts sat", task.seed)
    return _assigned({name: rng.random() < 0.5 for name in _names(task)})


def _shortest(task: Task, count: int) -> str:
    texts = task.verification["formulas"]
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    return _core([place + 1 for place in sorted(order[:count])])


STRATEGIES: dict[str, Callable[[Task], str]] = {
    "empty answer": lambda task: "",
    "echo of the prompt": lambda task: task.prompt,
    "consistent": lambda task: "<result>consistent</result>",
    "inconsistent": lambda task: "<result>inconsistent</result>",
    "both": lambda task: "<result>consistent</result><result>inconsistent</result>",
    "all true": lambda task: _assigned(dict.fromkeys(_names(task), True)),
    "all false": lambda task: _assigned(dict.fromkeys(_names(task), False)),
    "a random assignment": _random_assignment,
    "each variable by its more frequent sign": majority,
    "all statements": lambda task: _core(range(1, task.metadata["clauses"] + 1)),
    "the first two statements": lambda task: _core([1, 2]),
    "the two shortest statements": lambda task: _shortest(task, 2),
    "the three shortest statements": lambda task: _shortest(task, 3),
}


def earnings(data: Column) -> dict[str, dict[str, float]]:
    """Return what each strategy earns on the test tasks, without and with certificates."""
    found: dict[str, dict[str, float]] = {"paid for a verdict": {}, "paid with its proof": {}}
    for kind, row in found.items():
        proof = kind == "paid with its proof"
        payloads = [{**t.verification, "certificate": proof} for t in data.test]
        for name, write in STRATEGIES.items():
            answers = [write(task) for task in data.test]
            paid = REWARDS["sat_reward"](completions=answers, verification=payloads)
            row[name] = sum(value or 0.0 for value in paid) / len(paid)
    return found


# Report

Figures = Mapping[str, float]
"""Name of a learner or an answer → how often it is right, or what it earns."""


def table(title: str, columns: Mapping[str, Figures]) -> str:
    """Return a Markdown table; figures above the limit are in bold type."""
    lines = [f"| {title} | {' | '.join(columns)} |", "|:---|" + "---:|" * len(columns)]
    for name in next(iter(columns.values())):
        figures = [column[name] for column in columns.values()]
        cells = [f"**{each:.3f}**" if each > LIMIT else f"{each:.3f}" for each in figures]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def columns(arguments: argparse.Namespace) -> Iterator[Column]:
    """Make the tasks that are asked for, column by column."""
    train, test = arguments.train, arguments.tasks
    for level in arguments.levels:
        yield column(level, None, train, test)
    for preset in arguments.presets:
        for variables in arguments.variables:
            yield column(variables, preset, train, test)
        if arguments.published:
            yield published_column(preset, train, test)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on consistency tasks.")
    parser.add_argument("--train", type=int, default=2000, help="tasks that learners learn from")
    parser.add_argument("--tasks", type=int, default=2000, help="fresh tasks per level")
    parser.add_argument("--paid", type=int, default=300, help="of them, for written answers")
    parser.add_argument("--levels", type=int, nargs="*", default=range(1, LEVELS + 1))
    parser.add_argument("--presets", nargs="*", choices=list(PRESETS), default=list(PRESETS))
    parser.add_argument("--variables", type=int, nargs="*", default=[3, 4, 7, 10, 13, 16])
    parser.add_argument(
        "--published",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="each preset with as many of both kinds as Table 3 counts, too",
    )
    arguments = parser.parse_args()
    started = time.process_time()
    found: dict[str, dict[str, dict[str, Figures]]] = {}
    for data in columns(arguments):
        learnt = accuracies(data)
        few = Column(data.group, data.name, (), data.test[: arguments.paid])
        for title, figures in {"right": learnt, **earnings(few)}.items():
            found.setdefault(data.group, {}).setdefault(title, {})[data.name] = figures
        shown = ", ".join(f"{figure:.3f}" for figure in learnt.values())
        spent = time.process_time() - started
        print(f"{data.group}, {data.name}: {shown}; {spent:.0f} s CPU", flush=True)
    print(f"\nStandard error {sqrt(0.25 / arguments.tasks):.3f}.")
    for group, tables in found.items():
        print(f"\n## {group}")
        for title, rows in tables.items():
            print(f"\n{table(title, rows)}")


if __name__ == "__main__":
    main()
