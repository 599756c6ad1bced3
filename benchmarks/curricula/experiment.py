"""Strategies on a real language model: completions to a pass rate, in pairs that share a seed.

    python benchmarks/curricula/experiment.py benchmarks/curricula/slr.yaml \\
        --strategies uniform threshold target --goal 0.18 --out runs/curricula

Each run is ``recipes/grpo_slr.py`` with the YAML file, a strategy and a seed, which decides the
network, its warm-up and the tasks. Runs of one seed share the warmed-up network. Other options of
the recipe follow a strategy's name after slashes: ``threshold/replay_share=0``. What is finished is
not run again, so the same command goes on where it stopped; two runs share the cores.

The others are compared with the first strategy. Counted are all completions that were generated in
training until an evaluation finds the mean pass rate over the evaluated levels, less that of the
best constant answer, at the goal; a run that never gets there counts all of its completions.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from itertools import product
from math import exp, log
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import yaml

from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.evaluation.learning_curves import PASS_RATES, SPLITS, mean_rates
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models.warm_up import WarmUpArguments
from logic_curriculum.curriculum.run_settings import StepLog

RECIPE = Path(__file__).parents[2] / "recipes" / "grpo_slr.py"
JOBS = 2
USEFUL = "curriculum/useful_groups"
HEADER = (
    "strategy | completions | reached | times the first's | p | end (less the first's, p)"
    " | level 1 before | level 1 end | test at the end | useful groups"
)


class Run(NamedTuple):
    """What a run measured."""

    completions: int
    """Until the goal, or all."""
    reached: bool
    end: float
    """Mean over levels at the end, less the best constants."""
    lowest: float
    """Pass rate of the lowest level at the end."""
    lowest_before: float
    new: float
    """Mean over levels at the end, on the test split."""
    useful: float
    """Share of groups, over the whole run, whose rewards are not all equal."""


def make_model(config: Path, out: Path, seed: int) -> None:
    """Make and warm up the network of a seed, unless it is there already."""
    disable_progress_bars()
    given = yaml.safe_load(config.read_text())
    names = {field.name for field in fields(WarmUpArguments)}
    warm_up = WarmUpArguments(**{name: given[name] for name in names & given.keys()})
    warm_up.make_model(out / f"model-{seed}", seed, given["task_options"])


def launch(config: Path, run: tuple[str, int], folder: Path) -> None:
    """Run a strategy with a seed to its end, unless it is there already."""
    strategy, seed = run
    if (folder / "levels.json").is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    name, *given = strategy.split("/")
    own = [f"--seed={seed}", f"--task_seed={seed}", f"--output_dir={folder}"]
    own += [f"--strategy={name}", f"--model_name_or_path={folder.parent / f'model-{seed}'}"]
    if any(folder.glob("checkpoint-*")):
        own.append("--resume_from_checkpoint=true")
    command = [sys.executable, str(RECIPE), "--config", str(config), *own]
    command += [f"--{option}" for option in given]
    with (folder.parent / f"{folder.name}.log").open("a") as output:
        subprocess.run(command, stdout=output, stderr=output, check=True)


def measure(folder: Path, goal: float) -> Run:
    """Read what a finished run measured."""
    levels = json.loads((folder / "levels.json").read_text())
    constant = fmean(level["constant"] for level in levels)
    first, *_, last = (line["rates"] for line in StepLog(folder / PASS_RATES).read())
    logged = json.loads((folder / "trainer_state.json").read_text())["log_history"]
    validation, test = (mean_rates(folder / PASS_RATES, split) for split in SPLITS)
    reached = [point for point in validation[1:] if point.value - constant >= goal]
    lowest = f"validation_{levels[0]['level']}"
    return Run(
        completions=int((reached or validation[-1:])[0].x),
        reached=bool(reached),
        end=validation[-1].value - constant,
        lowest=last[lowest],
        lowest_before=first[lowest],
        new=test[-1].value,
        useful=fmean(line[USEFUL] for line in logged if USEFUL in line),
    )


def sign_flip_p(values: Sequence[float]) -> float:
    """Return the two-sided exact p-value of a mean of 0, under flips of each value's sign."""
    means = [abs(fmean(np.multiply(values, s))) for s in product((1, -1), repeat=len(values))]
    return fmean(mean >= abs(fmean(values)) - 1e-12 for mean in means)


def row(name: str, runs: Sequence[Run], others: Sequence[Run]) -> list[str]:
    """Return a line of the table: a strategy, and what it needs in terms of the first one."""
    ratios = [
        log(run.completions / other.completions) if run.reached or other.reached else 0.0
        for run, other in zip(runs, others, strict=True)
    ]
    resamples = np.random.default_rng(0).choice(ratios, (2000, len(ratios)))
    low, high = np.quantile(resamples.mean(axis=1), [0.025, 0.975])
    factor = f"{exp(fmean(ratios)):.2f} ({exp(low):.2f} to {exp(high):.2f})"
    gains = [run.end - other.end for run, other in zip(runs, others, strict=True)]
    end = f"{fmean(run.end for run in runs):.3f}"
    shown = ("lowest_before", "lowest", "new", "useful")
    return [
        name,
        f"{fmean(run.completions for run in runs):,.0f}",
        f"{sum(run.reached for run in runs)} of {len(runs)}",
        factor if runs is not others else "1",
        f"{sign_flip_p(ratios):.3f}" if runs is not others else "",
        f"{end} ({fmean(gains):+.3f}, p {sign_flip_p(gains):.3f})" if runs is not others else end,
        *(f"{fmean(getattr(run, key) for run in runs):.2f}" for key in shown),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=Path, help="options of recipes/grpo_slr.py")
    parser.add_argument("--strategies", nargs="+", default=["uniform", "threshold", "target"])
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(9)))
    parser.add_argument("--goal", type=float, required=True, help="mean pass rate to reach")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    out = args.out / args.config.stem
    keys = [(name, seed) for seed in args.seeds for name in args.strategies]
    folders = {key: out / f"{key[0].replace('/', ',')}-{key[1]}" for key in keys}
    os.environ |= {"OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    with ProcessPoolExecutor(JOBS, get_context("spawn")) as pool:
        list(pool.map(partial(make_model, args.config, out), args.seeds))
        list(pool.map(partial(launch, args.config), folders, folders.values()))
    runs = {
        name: [measure(folders[name, seed], args.goal) for seed in args.seeds]
        for name in args.strategies
    }
    first = runs[args.strategies[0]]
    print(markdown_table(HEADER.split(" | "), [row(n, r, first) for n, r in runs.items()]))


if __name__ == "__main__":
    main()
