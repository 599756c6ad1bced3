"""Several ways to train, several seeds each: pass rates by level at the end, side by side.

    python recipes/sft_compare.py "in order=runs/order-0,runs/order-1" random=runs/random-0

Reads the ``evaluation.jsonl`` of runs of ``sft_slr.py``. A cell is the mean over a way's runs in %
and, in brackets, the lowest and the highest. *Before* is the state before the first step, over all
runs. A difference that is smaller than these ranges says nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from logic_curriculum.curriculum.evaluation.sft_evaluation import FILE_NAME, read
from logic_curriculum.curriculum.metrics import markdown_table
from logic_curriculum.curriculum.run_settings import check_same_versions

Line = Mapping[str, Any]


def main() -> None:
    """Print a table for each split."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ways", nargs="+", metavar="NAME=FOLDER[,FOLDER]", help="Runs by way.")
    print(compare(dict(_way(text) for text in parser.parse_args().ways)))


def _way(text: str) -> tuple[str, list[Path]]:
    name, _, folders = text.partition("=")
    if not folders:
        raise SystemExit(
            f"{text!r} names no run: give a name and run folders, such as random=runs/a,runs/b."
        )
    return name, [Path(folder) for folder in folders.split(",")]


def compare(ways: Mapping[str, Sequence[Path]]) -> str:
    """Return a Markdown table for each split.

    Args:
        ways: Run folders of each way to train.

    Raises:
        SystemExit: If a run was not evaluated, or runs have different versions.
    """
    runs = {name: [_lines(folder) for folder in folders] for name, folders in ways.items()}
    check_same_versions([folder for folders in ways.values() for folder in folders])
    everything = [lines for each in runs.values() for lines in each]
    splits = dict.fromkeys(line["split"] for lines in everything for line in lines)
    return "\n\n".join(_table(split, runs, everything) for split in splits)


def _lines(folder: Path) -> list[Line]:
    lines: list[Line] = [*read(folder / FILE_NAME)]
    if not lines:
        raise SystemExit(
            f"{folder} holds no evaluation: name the output_dir of a run of sft_slr.py that has "
            "begun to train."
        )
    return lines


def _table(split: str, runs: Mapping[str, Sequence[Sequence[Line]]], everything: Any) -> str:
    columns = {"before": [_of(lines, split)[0] for lines in everything]}
    columns |= {name: [_of(lines, split)[-1] for lines in each] for name, each in runs.items()}
    levels = [int(level) for level in columns["before"][0]["levels"]]
    rows = [
        [str(level), *(_cell([_rate(line, level) for line in c]) for c in columns.values())]
        for level in levels
    ]
    rows.append(
        ["mean", *(_cell([_mean_rate(line, levels) for line in c]) for c in columns.values())]
    )
    titles = [f"{name} ({len(c)} runs)" for name, c in columns.items()]
    return f"Tasks of the {split} split: solved in %\n\n{markdown_table(['level', *titles], rows)}"


def _of(lines: Sequence[Line], split: str) -> list[Line]:
    return [line for line in lines if line["split"] == split]


def _rate(line: Line, level: int) -> float:
    tasks, solved = line["levels"][str(level)]
    return 100 * solved / tasks


def _mean_rate(line: Line, levels: Sequence[int]) -> float:
    return fmean(_rate(line, level) for level in levels)


def _cell(rates: Sequence[float]) -> str:
    return f"{fmean(rates):.0f} ({min(rates):.0f}–{max(rates):.0f})"


if __name__ == "__main__":
    main()
