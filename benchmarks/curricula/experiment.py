"""Curricula compared on a small language model, by GRPO on SLR, in pairs of runs.

    python benchmarks/curricula/experiment.py run threshold --start 0 --seed 0 --out runs/compared
    python benchmarks/curricula/experiment.py table runs/compared

``run`` trains the start by SFT, unless it is there already, and then one arm from it; what else is
given goes to both recipes (``--use_cpu false --attn_implementation sdpa``). ``table`` reads all
finished runs of a folder, writes them to its ``results.jsonl``, and prints each arm beside the
first one; given such a file, it reads that. The arms are in ``comparison.yaml``.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import yaml
from scipy import stats

from logic_curriculum.curriculum.evaluation.charts import PASS_RATES, Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.run_settings import StepLog

HERE = Path(__file__).parent
RECIPES = HERE.parents[1] / "recipes"
RESULTS, SECONDS = "results.jsonl", "seconds.txt"
HEADER = (
    "arm, runs | known rules: before | after | less {0}'s (95 %) | by start | new rules: before"
    " | after | less {0}'s (95 %) | by start | tokens | completions to {0}'s end | useful groups"
)


class Run(NamedTuple):
    """What a run measured."""

    arm: str
    start: int
    seed: int
    completions: list[int]
    """Generated in training before each evaluation."""
    tokens: list[int]
    """Read and generated in training until then, as TRL counts: a prompt for each completion."""
    known: list[list[float]]
    """At each evaluation the pass rates by level, on rules that may occur in training."""
    new: list[list[float]]
    """The same on rules that never do."""
    useful: float
    """Share of groups whose rewards are not all equal."""
    levels: dict[str, int]
    """Groups trained at each level."""
    seconds: float
    """Of the recipe, evaluations among them."""


def launch(recipe: str, folder: Path, options: dict[str, Any], given: Sequence[str]) -> None:
    """Run a recipe to its end; its output goes to a file beside the folder."""
    config = RECIPES / "configs" / recipe / options["config"]
    command = [sys.executable, str(RECIPES / f"{recipe}.py"), "--config", str(config)]
    for name, value in options.items():
        if name != "config":
            command += [f"--{name}", *map(str, value if isinstance(value, list) else [value])]
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with Path(f"{folder}.log").open("w") as output:
        words = [*command, *given, "--output_dir", str(folder)]
        subprocess.run(words, stdout=output, stderr=output, check=True)
    (folder / SECONDS).write_text(f"{time.monotonic() - began:.0f}\n")


def run(arm: str, start: int, seed: int, steps: int, out: Path, given: Sequence[str]) -> None:
    """Train a start, and an arm from it for some steps, unless they are there already."""
    design = yaml.safe_load((HERE / "comparison.yaml").read_text())
    steps = steps or design["run"]["max_steps"]
    first, folder = out / f"start-{start}", out / f"{arm}-{start}-{seed}"
    if not (first / SECONDS).is_file():
        launch("sft_slr", first, {**design["start"], "seed": start}, given)
    if not (folder / SECONDS).is_file():
        options = {"model_name_or_path": first, "seed": seed, "task_seed": seed, "max_steps": steps}
        launch("grpo_slr", folder, {**design["run"], **design["arms"][arm], **options}, given)


def measure(folder: Path) -> Run:
    """Read what a finished run left."""
    arm, start, seed = folder.name.rsplit("-", 2)
    lines = [line for line in StepLog(folder / PASS_RATES).read() if "rates" in line]
    log = json.loads((folder / "trainer_state.json").read_text())["log_history"]
    tokens = {line["step"]: int(line["num_tokens"]) for line in log if "num_tokens" in line}
    levels = json.loads((folder / "summary.json").read_text())["families"]["slr"]["levels"]
    groups, useful = (sum(level[name] for level in levels) for name in ("groups", "useful_groups"))
    known, new = (
        [_rates(line["rates"], split) for line in lines] for split in ("validation", "test")
    )
    return Run(
        arm,
        int(start),
        int(seed),
        completions=[line["completions"] for line in lines],
        tokens=[tokens.get(line["step"], 0) for line in lines],
        known=known,
        new=new,
        useful=useful / groups,
        levels={str(level["level"]): level["groups"] for level in levels},
        seconds=float((folder / SECONDS).read_text()),
    )


def _rates(rates: dict[str, float], split: str) -> list[float]:
    own = {name: rate for name, rate in rates.items() if name.split("_")[-2] == split}
    return [own[name] for name in sorted(own, key=lambda name: int(name.split("_")[-1]))]


def lrl(run: Run, split: str, at: int = -1) -> float:
    """Return the logical reasoning level at an evaluation: the sum of the pass rates."""
    return sum(getattr(run, split)[at])


def row(own: Sequence[Run], others: Sequence[Run]) -> list[str]:
    """Return a line of the table: an arm, and the first one's runs of its starts and seeds."""
    cells = [f"{own[0].arm}, {len(own)}"]
    for split in ("known", "new"):
        pairs = list(zip(own, others, strict=True))
        gains = [lrl(one, split) - lrl(other, split) for one, other in pairs]
        cells += [f"{fmean(lrl(each, split, at) for each in own):.2f}" for at in (0, -1)]
        by_start = [
            fmean(gain for gain, one in zip(gains, own, strict=True) if one.start == start)
            for start in sorted({one.start for one in own})
        ]
        differs = own[0].arm != others[0].arm
        cells += [interval(gains) if differs else ""]
        cells += [", ".join(f"{mean:+.2f}" for mean in by_start) if differs else ""]
    cells.append(f"{fmean(each.tokens[-1] for each in own):,.0f}")
    goal = fmean(lrl(other, "known") for other in others)
    return [*cells, reached(own, goal), f"{fmean(each.useful for each in own):.2f}"]


def interval(values: Sequence[float]) -> str:
    """Return a mean with its 95 % interval by Student's t."""
    if len(values) < 2:
        return f"{fmean(values):+.2f}"
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval()
    return f"{fmean(values):+.2f} ({low:+.2f} to {high:+.2f})"


def reached(runs: Sequence[Run], goal: float) -> str:
    """Return after how many completions the mean curve on known rules is at a goal."""
    places = runs[0].completions
    curve = [fmean(lrl(each, "known", at) for each in runs) for at in range(len(places))]
    for at in range(1, len(places)):
        if curve[at] >= goal - 1e-9:
            rise = (goal - curve[at - 1]) / ((curve[at] - curve[at - 1]) or 1)
            return f"{places[at - 1] + max(rise, 0) * (places[at] - places[at - 1]):,.0f}"
    return "not reached"


def curves(arms: dict[str, list[Run]]) -> list[Chart]:
    """Return LRL over completions, means with their standard errors, by kind of rule."""
    charts = []
    for split, title in (("known", "known rules"), ("new", "new rules")):
        series = []
        for colour, (arm, own) in enumerate(arms.items()):
            points = []
            for at, place in enumerate(own[0].completions):
                values = [lrl(each, split, at) for each in own]
                mean, error = fmean(values), stats.sem(values) if len(values) > 1 else 0.0
                points.append(Point(place, mean, error))
            series.append(Series(arm, points, colour))
        charts.append(Chart(title, "completions", "LRL", series, y_limits=(0.0, 8.0)))
    return charts


def table(path: Path) -> None:
    """Print the table of a folder's runs, or of a file of results, and draw the curves beside."""
    if path.is_dir():
        found = [measure(done.parent) for done in path.glob(f"*-*-*/{SECONDS}")]
        lines = [json.dumps(each._asdict()) + "\n" for each in sorted(found)]
        path /= RESULTS
        path.write_text("".join(lines))
    runs = [Run(**json.loads(line)) for line in path.read_text().splitlines()]
    names = yaml.safe_load((HERE / "comparison.yaml").read_text())["arms"]
    arms = {arm: [each for each in runs if each.arm == arm] for arm in names}
    arms = {arm: own for arm, own in arms.items() if own}
    if not arms:
        raise SystemExit(f"{path} holds no finished run: make one with `run`.")
    first = {(each.start, each.seed): each for each in next(iter(arms.values()))}
    rows = []
    for own in arms.values():
        paired = [each for each in own if (each.start, each.seed) in first]
        rows.append(row(paired, [first[each.start, each.seed] for each in paired]))
    print(markdown_table(HEADER.format(next(iter(arms))).split(" | "), rows))
    save(path.with_suffix(".png"), curves(arms))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run")
    one.add_argument("arm")
    one.add_argument("--start", type=int, required=True)
    one.add_argument("--seed", type=int, required=True)
    one.add_argument("--steps", type=int, default=0, help="of GRPO, fewer than the whole run has")
    one.add_argument("--out", type=Path, required=True)
    commands.add_parser("table").add_argument("path", type=Path)
    args, given = parser.parse_known_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if args.command == "run":
        run(args.arm, args.start, args.seed, args.steps, args.out, given)
    else:
        table(args.path)


if __name__ == "__main__":
    main()
