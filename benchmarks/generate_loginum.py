"""Speed of the LogiNumSynth generator, and what its tasks measure beside Table 7.

    python benchmarks/generate_loginum.py                       # a minute
    python benchmarks/generate_loginum.py --table7 --tasks 300  # two minutes

Speed is that of whole tasks, prompt text included, in one process that has made them before. Each
task is made several times: the mean tells what a core gave on the machine as it was, the fastest
turns what it would give if no other work disturbed it.
The table counts in the payloads of tasks, rules of the gold process and others alike.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean, harmonic_mean

from machine import describe_machine

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.levels import LADDER, PRESETS
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    Aggregation,
    Assignment,
    AttributeFact,
    Calculation,
    Constant,
    Expression,
    Rule,
)

PUBLISHED = """
EL-EN    10 15 10 15      15     1-3  1   1:1:1:0 1:1:1 [1,10]
EL-HN    10 15 10 15      15     1-3  1   0:0:1:1 1:1:1 [-100,100]
HL-EN    10 15 10 15      15     4-6  2-3 1:1:1:0 1:1:1 [1,10]
HL-HN    10 15 10 15      15     4-6  2-3 0:0:1:1 1:1:1 [-100,100]
exHL-HN  30 40 40 105-150 35-50  7-10 3-6 0:0:1:1 1:1:1 [-100,100]
EL-Train 10 15 10 15      15     1-3  1   1:1:2:2 1:1:2 [-100,100]
EN-Train 10 15 10 15      15     4-6  2-3 1:1:1:0 1:1:1 [1,10]
"""
"""Table 7, written down once more; facts and rules of exHL-HN are 15 and 5 times the depth."""
TURNS = 8
"""How often each task is made when speed is measured."""
KINDS = ("constant", "retrieval", "calculation", "aggregation")
COLUMNS = (
    "entities", "attributes", "relations", "facts", "rules", "depth", "conditions", "expressions",
    "parts", "operands",
)  # fmt: skip


@dataclass
class Counts:
    """What occurs in the tasks of a preset."""

    sizes: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    kinds: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    extra: dict[str, list[float]] = field(default_factory=dict)

    def add(self, task: Task) -> None:
        """Count a task."""
        payload, about = task.verification, task.metadata
        rules = [parse_rule(text) for text in payload["rules"]]
        facts = [parse_fact(text) for text in payload["facts"]]
        for name in ("entities", "attributes", "relations"):
            self.sizes[name].append(len(about[name]))
        self.sizes["facts"].append(len(facts))
        self.sizes["rules"].append(len(rules))
        self.sizes["depth"].append(len(payload["steps"]))
        self.sizes["operands"] += [f.value for f in facts if isinstance(f, AttributeFact)]
        for rule in rules:
            self._add_rule(rule)
        used = {number for step in payload["steps"] for number in step["facts"]}
        self._note("facts used", len(used))
        self._note("height", height(payload["steps"]))
        self._note("shared", shares(payload["steps"]))
        self._note("derived in all", len(closure(facts, rules).derivations))

    def _add_rule(self, rule: Rule) -> None:
        self.sizes["conditions"].append(len(rule.conditions))
        if isinstance(rule.conclusion, Assignment):
            expression = rule.conclusion.expression
            self.kinds[kind_of(expression)] += 1
            if isinstance(expression, Aggregation):
                self.parts.update(kind_of(part) for part in (expression.left, expression.right))
            self.sizes["operands"] += numbers_of(expression)

    def _note(self, name: str, value: float) -> None:
        self.extra.setdefault(name, []).append(value)

    def row(self) -> list[str]:
        """Return the cells of the table."""
        cells = [span(self.sizes[name]) for name in COLUMNS[:7]]
        low, high = min(self.sizes["operands"]), max(self.sizes["operands"])
        return [*cells, shares_of(self.kinds), shares_of(self.parts), f"[{low},{high}]"]


def kind_of(expression: Expression) -> str:
    """Return the name of an expression's kind."""
    return type(expression).__name__.lower()


def numbers_of(expression: Expression) -> list[int]:
    """Return the numbers that an expression is written with."""
    match expression:
        case Constant(number):
            return [number]
        case Calculation(factor, _, summand):
            return [factor, summand]
        case Aggregation(_, left, right):
            return numbers_of(left) + numbers_of(right)
    return []


def height(steps: Sequence[dict[str, list[int]]]) -> int:
    """Return how many steps the longest chain has."""
    heights: list[int] = []
    for step in steps:
        heights.append(1 + max((heights[used - 1] for used in step["steps"]), default=0))
    return heights[-1]


def shares(steps: Sequence[dict[str, list[int]]]) -> bool:
    """Say whether two steps use the same fact or earlier conclusion."""
    used = [("fact", n) for step in steps for n in step["facts"]]
    used += [("int", n) for step in steps for n in step["steps"]]
    return len(used) > len(set(used))


def span(values: Iterable[int]) -> str:
    """Return least and greatest value."""
    known = sorted(set(values))
    return str(known[0]) if len(known) == 1 else f"{known[0]}-{known[-1]}"


def shares_of(counts: Counter[str]) -> str:
    """Return the percentages of the kinds of expressions."""
    total = counts.total()
    return ":".join(f"{100 * counts[kind] / total:.0f}" for kind in KINDS) if total else "–"


def print_table_7(tasks: int) -> None:
    """Print what tasks of each preset measure, beside Table 7."""
    print(f"{tasks} tasks of each depth. Expressions and parts in percent, published as weights.\n")
    print(f"| preset | | {' | '.join(COLUMNS)} |")
    print("|---|---|" + "---|" * len(COLUMNS))
    extra = []
    for line in PUBLISHED.strip().splitlines():
        name, *published = line.split()
        counts = Counts()
        for depth in PRESETS[name].configs:
            for seed in range(tasks):
                counts.add(generate("loginum", depth, seed, preset=name, language="formal"))
        print(f"| {name} | Table 7 | {' | '.join(published)} |")
        print(f"| | measured | {' | '.join(counts.row())} |", flush=True)
        means = {key: fmean(values) for key, values in counts.extra.items()}
        extra.append((name, means))
    print("\nMeans, and the share of tasks in which a fact or conclusion is used twice:\n")
    print("| preset | facts used | height | derived in all | shared |")
    print("|---|---:|---:|---:|---:|")
    for name, means in extra:
        cells = [f"{means[key]:.1f}" for key in ("facts used", "height", "derived in all")]
        print(f"| {name} | {' | '.join(cells)} | {means['shared']:.0%} |")


def print_speeds(seconds: float) -> None:
    """Print tasks per second of each preset and level of the ladder."""
    print("| preset | level | tasks per CPU s | at the fastest turns | longest task, CPU ms |")
    print("|---|---:|---:|---:|---:|")
    for level in range(1, len(LADDER) + 1):
        print_speed(None, level, seconds)
    for name, preset in PRESETS.items():
        rates = [print_speed(name, depth, seconds) for depth in preset.configs]
        means, fastest = (harmonic_mean(column) for column in zip(*rates, strict=True))
        print(f"| {name} | depths alike | {means:,.0f} | {fastest:,.0f} | |", flush=True)


def print_speed(preset: str | None, level: int, seconds: float) -> tuple[float, float]:
    """Print the row of one level; return its two rates, the mean one and that of fastest turns."""
    fastest: list[float] = []
    spent = 0.0
    while spent < seconds:
        generate("loginum", level, len(fastest), preset=preset)
        turns = [time.process_time()]
        for _ in range(TURNS):
            generate("loginum", level, len(fastest), preset=preset)
            turns.append(time.process_time())
        fastest.append(min(after - before for before, after in pairwise(turns)))
        spent += turns[-1] - turns[0]
    made = len(fastest)
    mean, best = TURNS * made / spent, made / sum(fastest)
    rates = f"{mean:,.0f} | {best:,.0f} | {1000 * max(fastest):.1f}"
    print(f"| {preset or 'ladder'} | {level} | {rates} |", flush=True)
    return mean, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1, help="CPU seconds for each level")
    parser.add_argument("--table7", action="store_true", help="count instead of measuring speed")
    parser.add_argument("--tasks", type=int, default=300, help="tasks of each depth for --table7")
    arguments = parser.parse_args()
    print(f"{describe_machine()}\n")
    if arguments.table7:
        print_table_7(arguments.tasks)
    else:
        print_speeds(arguments.seconds)


if __name__ == "__main__":
    main()
