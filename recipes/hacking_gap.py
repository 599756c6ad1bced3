"""Does a reward teach shortcuts? Plots the hacking gap over the steps of GRPO, reward by reward.

Two runs of ``grpo_slr.py`` differ only in the reward they train on: the paper's score, for an
answer that fits all examples run as one program, or ``slr_reward``:

    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_slr/hacking-gap.yaml
    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_slr/hacking-gap.yaml \\
        --reward_weights 1 0 --output_dir runs/hacking_gap_slr
    python recipes/hacking_gap.py --paper runs/hacking_gap_paper --slr runs/hacking_gap_slr \\
        --out runs/hacking_gap

Several runs of a reward, of other seeds, are drawn thin, and their mean thick. The folder gets
``hacking_gap.png`` and ``hacking_gap.md``, which is printed too.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.run_settings import read_settings

REWARDS = {"paper": "slr_paper_reward", "slr": "slr_reward"}
"""Option → the only reward that its runs are trained on."""
MEASURES = {
    "fits as shown": "slr_paper/extensional",
    "fits under other names": "slr_paper/isomorphic",
    "solved": "slr/pass_rate",
}
"""Curve → its key in the log. The hacking gap is between the first two."""
SHARE = 0.1
"""Share of the logged steps that the table takes a mean over, at the start and at the end."""


class Run(NamedTuple):
    """The log of a run of GRPO."""

    steps: tuple[int, ...]
    values: Mapping[str, tuple[float, ...]]  # Measure → its value at each of the steps
    versions: str  # of tasks and rewards


def read_run(folder: Path, reward: str) -> Run:
    """Read the log of a run that was trained on a reward, one of :data:`REWARDS`."""
    path = folder / "trainer_state.json"
    if not path.is_file():
        raise SystemExit(f"{path} is not there: give a folder of a run that has ended.")
    history = json.loads(path.read_text())["log_history"]
    logs = [log for log in history if log.keys() >= {"reward", *MEASURES.values()}]
    if not logs:
        raise SystemExit(
            f"{path} logs no slr_paper/extensional beside slr/pass_rate: give a run of grpo_slr.py "
            "with both rewards, and with a logging_steps below its max_steps."
        )
    settings = read_settings(folder)
    names = settings.get("rewards") or []
    weights = settings.get("reward_weights") or [1.0] * len(names)
    paid = [name for name, weight in zip(names, weights, strict=True) if weight]
    if paid != [REWARDS[reward]]:
        raise SystemExit(
            f"{folder} was trained on {' and '.join(paid) or 'unknown rewards'}, but --{reward} "
            f"takes runs that were trained on {REWARDS[reward]} alone: give another run, or option."
        )
    values = {name: tuple([log[key] for log in logs]) for name, key in MEASURES.items()}
    versions = json.dumps([settings.get("task_versions"), settings.get("reward_versions")])
    return Run(tuple([log["step"] for log in logs]), values, versions)


def check_comparable(runs: Sequence[Run]) -> None:
    """Refuse runs that logged other steps, or whose figures mean something else."""
    if len(logged := {run.steps for run in runs}) > 1:
        ends = ", ".join(sorted(f"{len(steps)} up to {steps[-1]}" for steps in logged))
        raise SystemExit(
            f"The runs logged different steps ({ends}): give runs of the same max_steps and "
            "logging_steps."
        )
    if len(versions := {run.versions for run in runs}) > 1:
        raise SystemExit(
            f"The runs have different versions of tasks or rewards ({' and '.join(versions)}): "
            "give runs of one version."
        )


def means(runs: Sequence[Run], measure: str) -> list[float]:
    """Return the mean over runs at each step."""
    return [fmean(values) for values in zip(*(run.values[measure] for run in runs), strict=True)]


def table(groups: Mapping[str, Sequence[Run]]) -> str:
    """Return a Markdown table: each reward, each measure, at the start and the end of training."""
    steps = next(iter(groups.values()))[0].steps
    count = max(1, round(SHARE * len(steps)))
    header = ["reward", "measure", f"mean of steps up to {steps[count - 1]}"]
    header += [f"mean of steps from {steps[-count]} on", "runs"]
    rows = []
    for reward, runs in groups.items():
        for measure in MEASURES:
            curve = means(runs, measure)
            shares = [f"{fmean(part):.2f}" for part in (curve[:count], curve[-count:])]
            rows.append([reward, measure, *shares, str(len(runs))])
    return markdown_table(header, rows)


def chart(reward: str, runs: Sequence[Run]) -> Chart:
    """Return the curves of a reward's runs: each run thin, their mean thick."""
    series = []
    for colour, measure in enumerate(MEASURES):
        curves = [(run.values[measure], "thin", "") for run in runs if len(runs) > 1]
        for values, style, name in [*curves, (means(runs, measure), "thick", measure)]:
            points = [Point(*pair) for pair in zip(runs[0].steps, values, strict=True)]
            series.append(Series(name, points, colour, style))
    title = f"trained on the {reward} reward"
    return Chart(title, "optimizer step", "share of training answers", series)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for reward in REWARDS:
        parser.add_argument(
            f"--{reward}", nargs="+", type=Path, required=True, metavar="RUN",
            help=f"folders of runs that were trained on the {reward} reward",
        )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="folder for table and picture")
    args = parser.parse_args()
    folders = [folder.resolve() for reward in REWARDS for folder in getattr(args, reward)]
    if len({*folders}) < len(folders):
        parser.error("a run is named twice, and would count twice: name each one once")
    try:
        compare(args)
    except (ValueError, OSError) as error:
        parser.error(str(error))


def compare(args: argparse.Namespace) -> None:
    """Read the runs; print and write table and picture."""
    groups = {
        reward: [read_run(folder, reward) for folder in getattr(args, reward)] for reward in REWARDS
    }
    check_comparable([*chain(*groups.values())])
    args.out.mkdir(parents=True, exist_ok=True)
    text = table(groups)
    (args.out / "hacking_gap.md").write_text(text + "\n")
    save(args.out / "hacking_gap.png", [chart(reward, runs) for reward, runs in groups.items()])
    print(text)


if __name__ == "__main__":
    main()
