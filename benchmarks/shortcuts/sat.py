"""What cheap strategies earn on consistency tasks, as Markdown tables.

    python benchmarks/shortcuts/sat.py [--train 2000] [--tasks 2000] [--levels 1 2] [--presets ...]

First, learners that see only what can be counted say whether fresh clause sets are consistent.
*Counts* are of statements, characters, words, commas, literals, operators, repetitions, and of each
variable (how often, how often negated, how evenly), of the first and last statement too;
*overlap* adds which variables share statements and which single literals contradict each other,
which is the beginning of the work. Then, answers written without reasoning go through the real
reward functions, with and without certificates.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import sqrt
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import numpy as np
from common import markdown, pay
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.sat.levels import LEVELS, OPERATORS, PRESETS
from logic_curriculum.generators.sat.prompts import write_solution
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.propositional import formulas
from logic_curriculum.rewards.engines.propositional.formulas import Formula, Not, Variable, parse

PAID = 300  # tasks of each column that written answers are judged on
EVEN = [name for name in PRESETS if not name.endswith("-paper")]
"""Presets whose kinds are equally common; in the paper's, the number of clauses tells the kind."""
LIMIT = 0.55
"""Most of the cases in which a learner of counts may be right, where both kinds are as common."""


def literals(formula: Formula) -> list[tuple[str, bool]]:
    """Return the variable and the sign of each leaf, from left to right."""
    if isinstance(formula, Variable):
        return [(formula.name, True)]
    if isinstance(formula, Not) and isinstance(formula.part, Variable):
        return [(formula.part.name, False)]
    return [leaf for part in formulas.parts_of(formula) for leaf in literals(part)]


def counts(task: Task) -> list[float]:
    """Return counts of each statement and each variable: sums, extremes, spread, by position."""
    statements, leaves = [], []
    texts = zip(task.verification["formulas"], task.metadata["statements"], strict=True)
    for formula, text in texts:
        found = literals(parse(formula))
        leaves += found
        repeated = len(found) - len({name for name, _ in found})
        sizes = [len(found) == size for size in range(1, 5)]
        operators = [formula.count(operator) for operator in OPERATORS]
        words = [1, len(text), len(text.split()), text.count(",")]
        statements.append([*words, len(found), repeated, *sizes, *operators])
    signs = Counter(leaves)
    variables = []
    for name in sorted({name for name, _ in leaves}):
        affirmed, negated = signs[name, True], signs[name, False]
        balance, is_pure = abs(affirmed - negated), not affirmed or not negated
        variables.append([1, affirmed, negated, affirmed + negated, balance, is_pure])
    by_place = np.array(statements, dtype=float)
    tables = [by_place, np.array(variables, dtype=float)]
    spread = [values for t in tables for values in (t.sum(0), t.min(0), t.max(0), t.std(0))]
    return [*np.concatenate([*spread, by_place[0], by_place[-1]])]


def overlap(task: Task) -> list[float]:
    """Return counts of what stands together: which variables share statements, and how signed."""
    leaves = [literals(parse(formula)) for formula in task.verification["formulas"]]
    sets = [frozenset(name for name, _ in each) for each in leaves]
    signed = [frozenset(each) for each in leaves]
    pairs = Counter(pair for names in sets for pair in combinations(sorted(names), 2))
    neighbours = [len(a & b) for a, b in pairwise(sets)]
    units = {leaf for each in leaves if len(each) == 1 for leaf in each}
    return [
        len(pairs),
        max(pairs.values(), default=0),
        pstdev(pairs.values()) if pairs else 0,
        sum(count * (count - 1) for count in Counter(sets).values()),
        sum(count * (count - 1) for count in Counter(signed).values()),
        fmean(neighbours),
        max(neighbours),
        sum(name in sets[0] for name in sets[-1]),
        sum((name, not sign) in units for name, sign in units),
        sum((name, not sign) in units for each in leaves for name, sign in each),
        sum(leaf in units for each in leaves for leaf in each),
    ]


SETS = {"counts": (counts,), "counts and overlap": (counts, overlap)}
"""Name → what its features are put together from."""


class Column(NamedTuple):
    """Tasks of one level, or of a preset with one number of variables; the group is the table."""

    group: str
    name: str
    train: Sequence[Task]
    test: Sequence[Task]


def _column(
    preset: str | None, name: str, train: int, test: int, draw: Callable[[], Mapping[str, Any]]
) -> Column:
    """Make the tasks, from seeds of their own; splits don't matter, since all are fresh."""
    made = (
        [generate("sat", seed=n, preset=preset, language="english", **draw()) for n in seeds]
        for seeds in (range(train), range(-1, -1 - test, -1))
    )
    return Column(preset or "ladder", name, *made)


def column(level: int, preset: str | None, train: int, test: int) -> Column:
    """Make tasks of a level of the ladder, or of a preset with so many variables."""
    name = f"{level} variables" if preset else f"level {level}"
    return _column(preset, name, train, test, lambda: {"level": level})


def published_column(preset: str, train: int, test: int) -> Column:
    """Make tasks of a preset in the proportions of Table 3, of variables and of both kinds."""
    cells = [
        {"level": level, "target": target}
        for level, numbers in PRESETS[preset].counts.items()
        for target, number in zip(("sat", "unsat"), numbers, strict=True)
        for _ in range(number)
    ]
    rng = stream("shortcuts sat", preset)
    return _column(preset, "Table 3", train, test, lambda: rng.choice(cells))


def _with_squares(features: np.ndarray) -> np.ndarray:
    clipped = np.clip(features, -5, 5)
    return np.hstack([clipped, clipped**2])


LEARNERS: dict[str, Callable[[], Any]] = {
    "logistic regression": lambda: make_pipeline(
        StandardScaler(), FunctionTransformer(_with_squares), LogisticRegression(max_iter=2000)
    ),
    "boosted thresholds": lambda: AdaBoostClassifier(n_estimators=60, random_state=0),
}
"""Name → a new classifier."""


def accuracies(data: Column) -> dict[str, float]:
    """Return how often each learner is right on fresh tasks, with each set of features."""
    both = (data.train, data.test)
    labels, truth = (np.array([t.verification["satisfiable"] for t in tasks]) for tasks in both)
    found = {"share of the commoner kind": float(max(truth.mean(), 1 - truth.mean()))}
    for features, parts in SETS.items():
        known, asked = (
            np.hstack([np.array(list(map(describe, tasks)), dtype=float) for describe in parts])
            for tasks in both
        )
        for name, learner in LEARNERS.items():
            found[f"{name}: {features}"] = learner().fit(known, labels).score(asked, truth)
    return found


def _assigned(task: Task, value: Callable[[str], bool]) -> str:
    names = [f"v{number}" for number in range(1, task.metadata["variables"] + 1)]
    return write_solution(True, {name: value(name) for name in names}, None)


def majority(task: Task) -> str:
    """Give each variable its more frequent sign."""
    texts = task.verification["formulas"]
    signs = Counter(leaf for text in texts for leaf in literals(parse(text)))
    return _assigned(task, lambda name: signs[name, True] > signs[name, False])


def demanded(task: Task) -> str:
    """Give each variable the value that most of its occurrences demand, short statements first.

    Under "not", and in front of "then", an occurrence demands the opposite of its sign.
    """
    votes: Counter[str] = Counter()
    for text in task.verification["formulas"]:
        found = _demands(parse(text), True)
        for name, value in found:
            votes[name] += (1 if value else -1) / 2 ** len(found)
    return _assigned(task, lambda name: votes[name] > 0)


def _demands(formula: Formula, value: bool) -> list[tuple[str, bool]]:
    if isinstance(formula, Variable):
        return [(formula.name, value)]
    if isinstance(formula, Not):
        return _demands(formula.part, not value)
    first, *others = formulas.parts_of(formula)
    negates = isinstance(formula, formulas.Implies)
    return _demands(first, value != negates) + [
        demand for part in others for demand in _demands(part, value)
    ]


def _random_assignment(task: Task) -> str:
    rng = stream("shortcuts sat", task.seed)
    return _assigned(task, lambda name: rng.random() < 0.5)


def _shortest(task: Task, count: int) -> str:
    texts = task.verification["formulas"]
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    return write_solution(False, None, [place + 1 for place in sorted(order[:count])])


STRATEGIES: dict[str, Callable[[Task], str]] = {
    "empty answer": lambda task: "",
    "echo of the prompt": lambda task: task.prompt,
    "consistent": lambda task: write_solution(True, None, None),
    "inconsistent": lambda task: write_solution(False, None, None),
    "both": lambda task: "<result>consistent</result><result>inconsistent</result>",
    "all true": lambda task: _assigned(task, lambda name: True),
    "all false": lambda task: _assigned(task, lambda name: False),
    "a random assignment": _random_assignment,
    "each variable by its more frequent sign": majority,
    "each variable as most statements demand, short ones first": demanded,
    "all statements": lambda task: _shortest(task, task.metadata["clauses"]),
    "the first two statements": lambda task: write_solution(False, None, [1, 2]),
    "the two shortest statements": lambda task: _shortest(task, 2),
    "the three shortest statements": lambda task: _shortest(task, 3),
}


def earnings(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """Return what each strategy earns, without and with certificates."""
    found: dict[str, dict[str, float]] = {}
    for title, certificate in (("paid for a verdict", False), ("paid with its proof", True)):
        payloads = [{**task.verification, "certificate": certificate} for task in tasks]
        asked = [replace(t, verification=p) for t, p in zip(tasks, payloads, strict=True)]
        pays = {n: pay("sat_reward", map(write, tasks), asked) for n, write in STRATEGIES.items()}
        found[title] = {name: fmean(paid) for name, paid in pays.items()}
    return found


def table(title: str, columns: Mapping[str, Mapping[str, float]]) -> str:
    """Return a Markdown table of what is right or earned; above the limit it is in bold type."""
    lines = []
    for name in next(iter(columns.values())):
        figures = [column[name] for column in columns.values()]
        lines.append([name, *(f"**{f:.3f}**" if f > LIMIT else f"{f:.3f}" for f in figures)])
    return markdown([title, *columns], lines)


def columns(arguments: argparse.Namespace) -> Iterator[Column]:
    sizes = arguments.train, arguments.tasks
    yield from (column(level, None, *sizes) for level in arguments.levels)
    for preset in arguments.presets:
        yield from (column(level, preset, *sizes) for level in arguments.variables)
        yield published_column(preset, *sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on consistency tasks.")
    parser.add_argument("--train", type=int, default=2000, help="tasks that learners learn from")
    parser.add_argument("--tasks", type=int, default=2000, help="fresh tasks per level")
    parser.add_argument("--levels", type=int, nargs="*", default=range(1, len(LEVELS) + 1))
    parser.add_argument("--presets", nargs="*", choices=EVEN, default=EVEN)
    parser.add_argument("--variables", type=int, nargs="*", default=[3, 4, 7, 10, 13, 16])
    arguments = parser.parse_args()
    started = time.process_time()
    found: dict[str, dict[str, dict[str, Mapping[str, float]]]] = {}
    for data in columns(arguments):
        learnt = accuracies(data)
        for title, figures in {"right": learnt, **earnings(data.test[:PAID])}.items():
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
