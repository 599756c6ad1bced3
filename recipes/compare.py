"""Which of two models is better, and could it be chance? Runs of evaluate.py side by side.

    python recipes/compare.py runs/before runs/after [runs/another ...] --out runs/comparison

Every run is compared with the first, on the tasks that both have answered: so give runs with the
same families, levels, split and seed. Prints accuracies, their difference with its interval, and
whether it is significant (exact McNemar test, or a paired bootstrap where a task has several
answers). With ``--out`` the page of ``evaluate.py`` is written for all runs together, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from curriculum.evaluation import png
from curriculum.evaluation.comparison import compare, comparison_table
from curriculum.evaluation.html import write_page
from curriculum.evaluation.prices import SHIPPED, load_prices
from curriculum.evaluation.report import consistency_tables
from curriculum.evaluation.scores import Scores, score_run
from curriculum.evaluation.series import charts
from curriculum.evaluation.tables import joined, summary_tables
from curriculum.records import Record, read_records


def main(argv: Sequence[str] | None = None) -> None:
    """Read the runs, compare, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, help="run folders, the base first")
    parser.add_argument("--out", type=Path, help="folder for the page, its tables and its picture")
    parser.add_argument("--prices", type=Path, default=SHIPPED, help="YAML file of prices")
    options = parser.parse_args(argv)
    try:
        runs = read_runs(options.runs)
        compared = comparison_table(compare({run.name: run.records for run in runs}))
        prices = load_prices(options.prices)
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from error
    scores = [item for run in runs for item in score_run(run.records, prices, run.model)]
    scores.sort(key=lambda item: item.title)  # stable: within a family, runs stay in their order
    records = [record for run in runs for record in run.records]
    tables = [compared, *summary_tables(scores, prices.currency), *consistency_tables(records)[:1]]
    text = joined(tables)
    print(text)
    if options.out:
        title = " and ".join(run.name for run in runs)
        facts = {"base": runs[0].name, "prices": f"as of {prices.date}"}
        write_page(options.out / "comparison.html", title, facts, scores, tables, records)
        (options.out / "comparison.md").write_text(f"# {title}\n\n{text}", encoding="utf-8")
        save_picture(options.out / "comparison.png", scores)


class Run(NamedTuple):
    """A run under a name of its own."""

    name: str
    model: str
    """The model's name in the run."""
    records: Sequence[Record]
    """The answers, under the run's name."""


def read_runs(folders: Sequence[Path]) -> list[Run]:
    """Return the runs under their models' names, or their folders' where a name recurs.

    Raises:
        ValueError: If a file is no file of records, or holds none.
        OSError: If a run has no records.
    """
    files = [read_records(folder / "records.jsonl") for folder in folders]
    for folder, records in zip(folders, files, strict=True):
        if not records:
            raise ValueError(f"{folder} holds a run without answers: run evaluate.py to its end.")
    models = [records[0].model for records in files]
    names = [
        model if models.count(model) == 1 else str(folder)
        for folder, model in zip(folders, models, strict=True)
    ]
    return [
        Run(name, model, [replace(record, model=name) for record in records])
        for name, model, records in zip(names, models, files, strict=True)
    ]


def save_picture(path: Path, scores: Sequence[Scores]) -> None:
    """Draw the charts, unless matplotlib is missing."""
    try:
        png.save(path, charts(scores))
    except ImportError as error:
        print(f"{path.name} was not drawn; the page has the charts. {error}")


if __name__ == "__main__":
    main()
