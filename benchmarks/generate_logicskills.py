"""Speed of the LogicSkills generators, and how many of their tasks are distinct.

    python benchmarks/generate_logicskills.py                 # a few minutes

The process first makes one task of a level, so that loading models and words is not counted. Tasks
count as equal if they differ in symbols and in the order of premises only (symbolization: if they
have the same sentence). For validity, the naive way is beside it: draw premises and conclusions at
random, and ask the solver about each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from machine import describe_machine

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.logicskills import constructions
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.sentences import Sentence, compound, simple_sentences
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.fol import entails, satisfiable

FAMILIES = ("symbolization", "countermodel", "validity")
CANDIDATES = 20
"""Conclusions that the naive way asks about for each set of premises."""


class Rate(NamedTuple):
    """Mean seconds for one task."""

    wall: float
    cpu: float

    def cells(self) -> str:
        """Return tasks per second, per CPU second, and how long 100,000 take on two idle cores."""
        minutes = 100_000 * self.cpu / 2 / 60
        return f"{1 / self.wall:,.0f} | {1 / self.cpu:,.0f} | {minutes:.1f} min"


def measure(name: str, level: int, seconds: float) -> tuple[Rate, list[Task]]:
    """Make tasks of a level for some CPU seconds, in one process."""
    generate(name, level, 0)
    wall, cpu = time.perf_counter(), time.process_time()
    made: list[Task] = []
    while time.process_time() - cpu < seconds:
        made.append(generate(name, level, len(made)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Rate(wall / len(made), cpu / len(made)), made


def report_levels(name: str, seconds: float) -> None:
    """Print a row for each level, and one for as many tasks of each."""
    rates = []
    for level in family(name).levels():
        rate, made = measure(name, level, seconds)
        distinct = len({family(name).fingerprint(task) for task in made})
        print(f"| {name} | {level} | {distinct:,} of {len(made):,} | {rate.cells()} |", flush=True)
        rates.append(rate)
    mean = Rate(*(sum(column) / len(rates) for column in zip(*rates, strict=True)))
    print(f"| {name} | all | | {mean.cells()} |", flush=True)


def naive_arguments(seconds: float) -> tuple[int, float]:
    """Count the valid arguments that a solver call for each candidate finds, in CPU seconds."""
    found, started = 0, time.process_time()
    for number in count():
        spent = time.process_time() - started
        if spent >= seconds:
            return found, spent
        rng = stream("naive", number)
        premises = [random_sentence(rng) for _ in range(rng.randint(3, 5))]
        conclusions = [random_sentence(rng) for _ in range(CANDIDATES)]
        found += any(is_argument(premises, conclusion) for conclusion in conclusions)
    raise AssertionError("count() has no end")


def random_sentence(rng: Random) -> Sentence:
    """Draw a sentence of a published type; clauses of compounds have at most one quantifier."""
    symbols = constructions.Vocabulary("abc", "MNO", "FG", "PQ")
    name = rng.choice(constructions.PUBLISHED_TYPES)
    if name in constructions.SIMPLE_TYPES:
        return rng.choice(simple_sentences((name,), symbols))
    shapes = [shape for clauses in (2, 3, 4) for shape in constructions.SHAPES[clauses]]
    nested = [shape for shape in shapes if constructions.depth(shape) <= 2]
    shape = rng.choice([shape for shape in nested if constructions.shape_type(shape) == name])
    clauses = simple_sentences(constructions.types_of("literal", "one"), symbols)
    return compound(shape, rng.sample(clauses, constructions.leaves(shape)))


def is_argument(premises: Sequence[Sentence], conclusion: Sentence) -> bool:
    """Say whether a conclusion follows from consistent premises, but not from a single one."""
    formulas = [premise.formula for premise in premises]
    goal = conclusion.formula
    return (
        entails([DOMAIN_AXIOM, *formulas], goal) is True
        and satisfiable([DOMAIN_AXIOM, *formulas]) is True
        and all(entails([DOMAIN_AXIOM, formula], goal) is False for formula in formulas)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--seconds", type=float, default=6, help="CPU seconds for each level")
    parser.add_argument("--naive", type=float, default=30, help="CPU seconds of the naive way")
    arguments = parser.parse_args()
    print(f"{describe_machine()}\n")
    print("| family | level | distinct | tasks/s | tasks per CPU s | 100,000 with 2 CPUs |")
    print("|---|---|---:|---:|---:|---:|")
    for name in arguments.families:
        report_levels(name, arguments.seconds)
    if "validity" in arguments.families and arguments.naive > 0:
        found, seconds = naive_arguments(arguments.naive)
        print(
            f"\nThe naive way: {found} valid arguments in {seconds:.0f} CPU seconds, "
            f"{found / seconds:.2f} per CPU second, without distractors"
        )


if __name__ == "__main__":
    main()
