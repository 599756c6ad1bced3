"""Strategies on a synthetic learner, in a minute: the place to try a new one first.

    python benchmarks/curricula/simulate.py
    python benchmarks/curricula/simulate.py --strategies uniform threshold/window=32 my:Strategy

The learner has a skill, a logit, for each of 12 levels; it begins at -slope * (level - 1). A step
is 16 groups of 8 completions. A group of pass rate r teaches 4r(1 - r), which raises its level's
skill, and those of up to three levels beside it half as much with each step away. With forgetting,
skills fall back to their start. With a floor, a part of the answers is right without any skill.
With levels apart, a group raises the skill of its own level only.

Printed are thousands of completions until the mean pass rate over all levels, the floor left out,
reaches 0.5 (in brackets how many of the seeds got there, unless all), the mean at the end, and the
share of groups up to there whose answers are all right or all wrong. A learner that is made up like
this shows how strategies behave, and is no evidence of what a language model does.
"""

import argparse
import dataclasses
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, product
from statistics import fmean
from typing import NamedTuple

import numpy as np
import yaml

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler, Group, Ladder
from logic_curriculum.curriculum.evaluation.tables import markdown_table

LEVELS, GROUPS, COMPLETIONS = 12, 16, 8
RATE = 0.2 / GROUPS
GOAL = 0.5
SLOPES = {"shallow": 0.25, "medium": 0.6, "steep": 1.2}
CONDITIONS = {
    "plain": (0.0, 0.0, 3),
    "forgets": (0.001, 0.0, 3),
    "floor": (0.0, 0.2, 3),
    "apart": (0.0, 0.0, 0),
}
"""Name → what a skill loses of its gain each step, the share of answers right without skill, and
how many levels away a group still teaches."""
STRATEGIES = (
    "uniform",
    f"staircase/window={100 * GROUPS}",
    "threshold",
    "threshold/replay_share=0",
    "threshold/pass_threshold=0.8",
    "target",
    "rlve",
    "adarft",
    "sec",
    f"e2h_gaussian/window={125 * GROUPS}",
    f"e2h_cosine/window={125 * GROUPS}",
)


class Outcome(NamedTuple):
    """What a run came to."""

    completions: float
    """Until the goal was reached; infinite if it never was."""
    end: float
    useless: float
    """Share of groups."""


def scheduler_for(strategy: str, seed: int) -> CurriculumScheduler:
    """Return a scheduler; options of the curriculum follow a strategy's name after slashes."""
    name, *options = strategy.split("/")
    try:
        given = {key: yaml.safe_load(value) for key, value in (each.split("=") for each in options)}
        config = CurriculumConfig(["toy"], strategy=name, task_seed=seed)
        config = dataclasses.replace(config, **given)
    except (TypeError, ValueError) as error:
        raise SystemExit(f"{strategy}: {error}; options are written NAME/FIELD=VALUE") from error
    return CurriculumScheduler(config, [Ladder("toy", ("basic",) * LEVELS)])


def run(
    slope: float, forgets: float, floor: float, reach: int, strategy: str, seed: int, steps: int
) -> Outcome:
    rng, scheduler = np.random.default_rng(seed), scheduler_for(strategy, seed)
    start = -slope * np.arange(LEVELS)
    skill, reached, useless, made = start.copy(), float("inf"), 0, 0
    distance = np.abs(np.subtract.outer(np.arange(LEVELS), np.arange(LEVELS)))
    transfer = np.where(distance <= reach, 0.5**distance, 0.0)
    for step in range(steps):
        slots = range(step * GROUPS, (step + 1) * GROUPS)
        levels = np.array([scheduler.assign(slot).level for slot in slots])
        rates = 1 / (1 + np.exp(-skill))
        if rates.mean() >= GOAL and reached == float("inf"):
            reached = step * GROUPS * COMPLETIONS
            if not forgets:
                break
        passes = rng.binomial(COMPLETIONS, floor + (1 - floor) * rates[levels - 1])
        rate = passes / COMPLETIONS
        teaches = 4 * rate * (1 - rate)
        useless += int((teaches == 0).sum())
        made += GROUPS
        skill += RATE * np.bincount(levels - 1, teaches, LEVELS) @ transfer
        skill -= forgets * (skill - start)
        groups = zip(slots, levels.tolist(), passes.tolist(), rate.tolist(), strict=True)
        scheduler.observe(
            (Group(n, "toy", k, COMPLETIONS, p, r, r * (1 - r)) for n, k, p, r in groups), step
        )
    end = float((1 / (1 + np.exp(-skill))).mean())
    return Outcome(reached, end, useless / max(1, made))


def cell(slope: str, condition: str, strategy: str, seeds: int, steps: int) -> str:
    """Train a learner with each seed, and return a cell of the table about them."""
    learner = (SLOPES[slope], *CONDITIONS[condition])
    outcomes = [run(*learner, strategy, seed, steps) for seed in range(seeds)]
    times = [each.completions / 1000 for each in outcomes if each.completions < float("inf")]
    part = "" if len(times) == len(outcomes) else f" ({len(times)})"
    text = f"{fmean(times):.0f}{part}" if times else "–"
    useless = f"{fmean(each.useless for each in outcomes):.0%}"
    end = f", ends at {fmean(each.end for each in outcomes):.2f}" if condition == "forgets" else ""
    return f"{text}{end}, {useless} useless"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=1500, help="at most, in each run")
    args = parser.parse_args()
    if args.seeds < 1:
        parser.error(f"--seeds {args.seeds}: a mean takes one at least")
    for name in args.strategies:
        scheduler_for(name, 0)  # what is wrong with it is said before the work begins
    cases = list(product(SLOPES, CONDITIONS))
    jobs = zip(*((*case, name) for name in args.strategies for case in cases), strict=True)
    with ProcessPoolExecutor() as pool:
        cells = pool.map(partial(cell, seeds=args.seeds, steps=args.steps), *jobs)
        rows = [[name, *islice(cells, len(cases))] for name in args.strategies]
    print(markdown_table(["strategy", *map(", ".join, cases)], rows))
    print(f"\nThousands of completions to a mean pass rate of {GOAL}, and useless groups till then")


if __name__ == "__main__":
    main()
