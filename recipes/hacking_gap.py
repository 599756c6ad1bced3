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

import pandas as pd

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.run_settings import read_settings

REWARDS = {"paper": "slr_paper_reward", "slr": "slr_reward"}
"""Option → the only reward that its runs are trained on."""
MEASURES = {
    "slr_paper/extensional": "fits as shown",
    "slr_paper/isomorphic": "fits under other names",
    "slr/pass_rate": "solved",
}
"""Key in the log → its curve. The hacking gap is between the first two."""
SHARE = 0.1
"""Share of the logged steps that the table takes a mean over, at the start and at the end."""


def read_run(folder: Path, reward: str) -> pd.DataFrame:
    """Return the measures by step of a run that was trained on a reward, one of :data:`REWARDS`."""
    path = folder / "trainer_state.json"
    if not path.is_file():
        raise SystemExit(f"{path} is not there: give a folder of a run that has ended.")
    history = json.loads(path.read_text())["log_history"]
    logs = [log for log in history if log.keys() >= {"reward", *MEASURES}]
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
    run = pd.DataFrame(logs).set_index("step")[[*MEASURES]].rename(columns=MEASURES)
    versions = [settings.get("task_versions"), settings.get("reward_versions")]
    run.attrs["versions"] = json.dumps(versions)
    return run


def check_comparable(runs: Sequence[pd.DataFrame]) -> None:
    """Refuse runs that logged other steps, or whose figures mean something else."""
    if len(logged := {tuple(run.index) for run in runs}) > 1:
        ends = ", ".join(sorted(f"{len(steps)} up to {steps[-1]}" for steps in logged))
        raise SystemExit(
            f"The runs logged different steps ({ends}): give runs of the same max_steps and "
            "logging_steps."
        )
    if len(versions := {run.attrs["versions"] for run in runs}) > 1:
        raise SystemExit(
            f"The runs have different versions of tasks or rewards ({' and '.join(versions)}): "
            "give runs of one version."
        )


def mean(runs: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the mean over runs at each step."""
    return pd.concat(runs).groupby(level=0).mean()


def table(groups: Mapping[str, Sequence[pd.DataFrame]]) -> str:
    """Return a Markdown table: each reward, each measure, at the start and the end of training."""
    steps = next(iter(groups.values()))[0].index
    count = max(1, round(SHARE * len(steps)))
    header = ["reward", "measure", f"mean of steps up to {steps[count - 1]}"]
    header += [f"mean of steps from {steps[-count]} on", "runs"]
    rows = []
    for reward, runs in groups.items():
        for measure, curve in mean(runs).items():
            shares = (f"{part.mean():.2f}" for part in (curve.head(count), curve.tail(count)))
            rows.append([reward, str(measure), *shares, str(len(runs))])
    return markdown_table(header, rows)


def chart(reward: str, runs: Sequence[pd.DataFrame]) -> Chart:
    """Return the curves of a reward's runs: each run thin, their mean thick."""
    drawn = [*((run, "thin") for run in runs if len(runs) > 1), (mean(runs), "thick")]
    series = [
        Series(measure * (style == "thick"), [*map(Point, run.index, run[measure])], colour, style)
        for colour, measure in enumerate(MEASURES.values())
        for run, style in drawn
    ]
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
