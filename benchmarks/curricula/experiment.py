"""Strategies on a real language model: completions to a pass rate, in pairs that share a seed.

    python benchmarks/curricula/experiment.py benchmarks/curricula/slr.yaml \\
        --strategies threshold uniform --seeds 0 1 2 3 4 5 6 7 8 --target 0.3 --out runs/curricula

Each run is ``recipes/grpo_slr.py`` with the YAML file, a strategy and a seed, which decides the
network, its warm-up and the tasks. Runs of one seed share the warmed-up network. What is finished
is not run again, so the same command goes on where it stopped; two runs share the cores.

The first strategy is compared with the others. Counted are all completions that were generated in
training until the mean pass rate over the evaluated levels, less that of the best constant answer,
reaches the target; a run that never does counts all of its completions.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from itertools import product
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import yaml

from logic_curriculum.curriculum.evaluation.statistics import resampled_means
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models.warm_up import WarmUpArguments

RECIPE = Path(__file__).parents[2] / "recipes" / "grpo_slr.py"
JOBS = 2


class Run(NamedTuple):
    """What a run measured."""

    completions: int
    """Until the target, or all."""
    reached: bool
    end: float
    """Mean over levels at the end, less the best constants."""
    lowest: float
    """Pass rate of the lowest level at the end."""
    new_rules: float
    """Mean over levels at the end, on the test split, less the best constants."""


def make_model(config: Path, folder: Path, seed: int) -> None:
    """Make and warm up the network of a seed, unless it is there already."""
    given = yaml.safe_load(config.read_text())
    names = {field.name for field in fields(WarmUpArguments)}
    warm_up = WarmUpArguments(**{name: given[name] for name in names & given.keys()})
    warm_up.make_model(folder, seed, given["task_options"])


def launch(config: Path, folder: Path, strategy: str, seed: int) -> None:
    """Run a strategy to its end, unless it is there already."""
    if (folder / "levels.json").is_file():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    options = {"strategy": strategy, "seed": seed, "task_seed": seed, "output_dir": folder}
    options["model_name_or_path"] = folder.parent / f"model-{seed}"
    if any(folder.glob("checkpoint-*")):
        options["resume_from_checkpoint"] = "true"
    words = [f"--{name}={value}" for name, value in options.items()]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    with (folder.parent / f"{folder.name}.log").open("a") as output:
        command = [sys.executable, str(RECIPE), "--config", str(config), *words]
        subprocess.run(command, env=env, stdout=output, stderr=output, check=True)


def measure(folder: Path, target: float) -> Run:
    """Read what a finished run measured."""
    levels = json.loads((folder / "levels.json").read_text())
    constant = fmean(level["constant"] for level in levels)
    lines = [json.loads(line) for line in (folder / "pass_rates.jsonl").read_text().splitlines()]

    def mean(rates: dict[str, float], split: str) -> float:
        return fmean(rates[f"{split}_{level['level']}"] for level in levels) - constant

    reached = [line for line in lines if mean(line["rates"], "validation") >= target]
    last = lines[-1]
    return Run(
        (reached or [last])[0]["completions"],
        bool(reached),
        mean(last["rates"], "validation"),
        last["rates"][f"validation_{levels[0]['level']}"],
        mean(last["rates"], "test"),
    )


def sign_flip_p(values: Sequence[float]) -> float:
    """Return the two-sided exact p-value of a mean of 0, under flips of each value's sign."""
    means = [abs(fmean(np.multiply(values, s))) for s in product((1, -1), repeat=len(values))]
    return fmean(mean >= abs(fmean(values)) - 1e-12 for mean in means)


def row(name: str, runs: Sequence[Run], others: Sequence[Run]) -> list[str]:
    """Return a line of the table: a strategy, and how many times fewer the first one needs."""
    ratios = [
        log(run.completions / other.completions) if run.reached or other.reached else 0.0
        for run, other in zip(runs, others, strict=True)
    ]
    low, high = np.quantile(resampled_means(ratios, "curricula"), [0.025, 0.975])
    factor = f"{exp(fmean(ratios)):.2f} ({exp(low):.2f} to {exp(high):.2f})"
    means = [fmean(getattr(run, key) for run in runs) for key in ("end", "lowest", "new_rules")]
    return [
        name,
        f"{fmean(run.completions for run in runs):,.0f}",
        f"{sum(run.reached for run in runs)} of {len(runs)}",
        factor if runs is not others else "1",
        f"{sign_flip_p(ratios):.3f}" if runs is not others else "",
        *(f"{mean:.2f}" for mean in means),
    ]


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=Path, help="options of recipes/grpo_slr.py")
    parser.add_argument("--strategies", nargs="+", default=["threshold", "uniform"])
    parser.add_argument("--seeds", nargs="+", type=int, default=list(range(9)))
    parser.add_argument("--target", type=float, required=True, help="mean pass rate to reach")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    out = args.out / args.config.stem
    folders = {
        (name, seed): out / f"{name}-{seed}" for seed in args.seeds for name in args.strategies
    }
    for seed in args.seeds:
        make_model(args.config, out / f"model-{seed}", seed)
    with ThreadPoolExecutor(JOBS) as pool:
        jobs = [pool.submit(launch, args.config, path, *key) for key, path in folders.items()]
        for job in jobs:
            job.result()
    runs = {
        name: [measure(folders[name, seed], args.target) for seed in args.seeds]
        for name in args.strategies
    }
    first = runs[args.strategies[0]]
    header = "strategy | completions | reached | times the first's | p | end | level 1 | new rules"
    print(markdown_table(header.split(" | "), [row(n, r, first) for n, r in runs.items()]))


if __name__ == "__main__":
    main()
