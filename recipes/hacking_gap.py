"""Does a reward teach shortcuts? The hacking gap over the steps of GRPO, reward against reward.

Two configurations of ``grpo_slr.py`` differ in nothing but what they pay: the paper's score, for an
answer that fits all examples run as one program, or ``slr_reward``:

    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_slr/paid-by-paper.yaml
    accelerate launch recipes/grpo_slr.py --config recipes/configs/grpo_slr/paid-by-slr.yaml
    python recipes/hacking_gap.py --paper runs/grpo_slr_paid_by_paper \\
        --slr runs/grpo_slr_paid_by_slr --out runs/hacking_gap

Several runs of a reward, of other seeds, are drawn thin, and their mean thick. The folder gets
``hacking_gap.png`` and ``hacking_gap.md``, which is printed too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from logic_curriculum.curriculum.requirements import require
from logic_curriculum.curriculum.run_settings import check_same_versions

PAID = {"paper": "slr_paper/extensional", "slr": "slr/pass_rate"}
"""Reward → the key of what it pays in the log."""
MEASURES = {
    "fits as shown": "slr_paper/extensional",
    "fits under other names": "slr_paper/isomorphic",
    "solved": "slr/pass_rate",
}
"""What is drawn of the answers → its key in the log. The hacking gap is between the first two."""
SHARE = 0.1
"""Share of the logged steps that the table takes a mean over, at the start and at the end."""


@dataclass(frozen=True)
class Run:
    """What a run of GRPO logged."""

    steps: tuple[int, ...]
    values: Mapping[str, tuple[float, ...]]
    """Measure → its value at each of the steps."""


def read_run(folder: Path, reward: str) -> Run:
    """Read the log of a run's folder.

    Args:
        folder: The run's folder.
        reward: What the run is said to have been paid, one of :data:`PAID`.

    Raises:
        SystemExit: If the folder holds no log of inductive tasks, or one of the other reward.
    """
    path = folder / "trainer_state.json"
    if not path.is_file():
        raise SystemExit(f"{path} is not there: give a folder of a run that has ended.")
    try:
        history = json.loads(path.read_text())["log_history"]
    except json.JSONDecodeError as error:
        raise SystemExit(f"{path} is broken ({error}): give another run's folder.") from error
    logs = [log for log in history if log.keys() >= {"reward", *MEASURES.values()}]
    if not logs:
        raise SystemExit(
            f"{path} logs no slr_paper/extensional beside slr/pass_rate: give a run of grpo_slr.py "
            "with both rewards, and with a logging_steps below its max_steps."
        )
    off = {name: sum(abs(log["reward"] - log[key]) for log in logs) for name, key in PAID.items()}
    paid = min(PAID, key=off.__getitem__)
    if off[paid] < off[reward]:
        raise SystemExit(
            f"{folder} was not paid the {reward} reward, by its log, but the {paid} one: name it "
            f"behind --{paid}."
        )
    values = {name: tuple([log[key] for log in logs]) for name, key in MEASURES.items()}
    return Run(tuple([log["step"] for log in logs]), values)


def check_distinct(folders: Sequence[Path]) -> None:
    """Check that no run stands twice, under either reward.

    Raises:
        SystemExit: If one does.
    """
    resolved = [folder.resolve() for folder in folders]
    for folder, there in zip(folders, resolved, strict=True):
        if resolved.count(there) > 1:
            raise SystemExit(f"{folder} stands twice among the runs: name each of them once.")


def check_steps(groups: Mapping[str, Sequence[Run]]) -> None:
    """Check that all runs logged the same steps, without which no mean can be taken.

    Raises:
        SystemExit: If they did not.
    """
    logged = {run.steps for runs in groups.values() for run in runs}
    if len(logged) > 1:
        ends = ", ".join(sorted(f"{len(steps)} up to {steps[-1]}" for steps in logged))
        raise SystemExit(
            f"The runs logged different steps ({ends}): give runs of the same max_steps and "
            "logging_steps."
        )


def means(runs: Sequence[Run], measure: str) -> list[float]:
    """Return the mean over runs at each step."""
    return [fmean(values) for values in zip(*(run.values[measure] for run in runs), strict=True)]


def table(groups: Mapping[str, Sequence[Run]]) -> str:
    """Return a Markdown table: each reward, each measure, at the start and the end of training."""
    steps = next(iter(groups.values()))[0].steps
    count = max(1, round(SHARE * len(steps)))
    lines = [
        f"| reward | measure | mean of steps up to {steps[count - 1]} | mean of steps from "
        f"{steps[-count]} on | runs |",
        "|:---|:---|---:|---:|---:|",
    ]
    for reward, runs in groups.items():
        for measure in MEASURES:
            curve = means(runs, measure)
            lines.append(
                f"| {reward} | {measure} | {fmean(curve[:count]):.2f} "
                f"| {fmean(curve[-count:]):.2f} | {len(runs)} |"
            )
    return "\n".join(lines)


def plot(path: Path, groups: Mapping[str, Sequence[Run]]) -> None:
    """Draw one panel for each reward."""
    require("matplotlib", extra="plots")
    from matplotlib.figure import Figure  # no pyplot: no global state, no window

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, len(groups), sharey=True)
    for panel, (reward, runs) in zip(panels, groups.items(), strict=True):
        _draw(panel, runs)
        panel.set_title(f"paid by the {reward} reward", fontsize="medium")
        panel.set_xlabel("optimizer step")
    panels[0].set_ylabel("share of training answers")
    panels[0].set_ylim(-0.02, 1.02)
    panels[0].legend(frameon=False, fontsize="small")
    figure.savefig(path, dpi=150)


def _draw(panel: Any, runs: Sequence[Run]) -> None:
    steps = runs[0].steps
    for number, measure in enumerate(MEASURES):
        for run in runs if len(runs) > 1 else ():
            panel.plot(steps, run.values[measure], color=f"C{number}", linewidth=0.5, alpha=0.5)
        panel.plot(steps, means(runs, measure), color=f"C{number}", linewidth=2, label=measure)


def main() -> None:
    """Read the runs; print and write table and picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for reward in PAID:
        parser.add_argument(
            f"--{reward}", nargs="+", type=Path, required=True, metavar="RUN",
            help=f"folders of runs that were paid the {reward} reward",
        )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="folder for table and picture")
    args = parser.parse_args()
    if args.out.is_file():
        parser.error(f"--out {args.out} is a file: name a folder, which may be new")
    folders = {reward: getattr(args, reward) for reward in PAID}
    check_distinct([folder for given in folders.values() for folder in given])
    groups = {
        reward: [read_run(folder, reward) for folder in given] for reward, given in folders.items()
    }
    check_steps(groups)
    check_same_versions([folder for given in folders.values() for folder in given])
    args.out.mkdir(parents=True, exist_ok=True)
    text = table(groups)
    (args.out / "hacking_gap.md").write_text(text + "\n")
    plot(args.out / "hacking_gap.png", groups)
    print(text)


if __name__ == "__main__":
    main()
