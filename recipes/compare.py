"""Which of two models is better, and could it be chance? Runs of evaluate.py side by side.

    python recipes/compare.py runs/before runs/after [runs/another ...] --out runs/comparison

Every run is compared with the first, on the tasks that both have answered: so give runs with the
same families, levels, split and seed. Runs of different task or reward versions are refused.
Prints accuracies, their difference with its interval, and whether it is significant (exact McNemar
test, or a paired bootstrap where a task has several answers). A file that holds answers of several
models counts as a run of each. With ``--out`` the page of ``evaluate.py`` is written for all runs
together, too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation import png
from logic_curriculum.curriculum.evaluation.comparison import (
    asked_of_some,
    compare,
    comparison_table,
)
from logic_curriculum.curriculum.evaluation.html import write_page
from logic_curriculum.curriculum.evaluation.prices import SHIPPED, load_prices
from logic_curriculum.curriculum.evaluation.report import consistency_tables
from logic_curriculum.curriculum.evaluation.scores import Scores, score_run
from logic_curriculum.curriculum.evaluation.series import charts
from logic_curriculum.curriculum.evaluation.tables import joined, summary_tables
from logic_curriculum.curriculum.records import Record, read_records
from logic_curriculum.curriculum.run_settings import SETTINGS, check_same_versions

RECORDS = "records.jsonl"
"""A run folder's file of records."""


def main(argv: Sequence[str] | None = None) -> None:
    """Read the runs, compare, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "runs", nargs="+", type=Path, help="run folders or files of records, the base first"
    )
    parser.add_argument("--out", type=Path, help="folder for the page, its tables and its picture")
    parser.add_argument("--prices", type=Path, default=SHIPPED, help="YAML file of prices")
    options = parser.parse_args(argv)
    if options.out and options.out.is_file():
        parser.error(f"--out {options.out} is a file: name a folder, which may be new")
    try:
        runs = read_runs(options.runs)
        check_same_versions(_with_settings(options.runs))
        named = {run.name: run.records for run in runs}
        compared = comparison_table(compare(named), asked_of_some(named))
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
        print(f"The page is {options.out / 'comparison.html'}")


class Run(NamedTuple):
    """A run under a name of its own."""

    name: str
    model: str
    """The model's name in the run."""
    records: Sequence[Record]
    """The answers, under the run's name."""


def read_runs(paths: Sequence[Path]) -> list[Run]:
    """Return the runs under their models' names, or their paths' where a name tells too little.

    A file with answers of several models holds a run of each.

    Args:
        paths: Run folders, or files of records.

    Raises:
        ValueError: If there are fewer than two runs, a file stands twice, or it is no file of
            records, holds none, or two answers of a model to one question.
        OSError: If a file can't be read.
    """
    files = [_file(path).resolve() for path in paths]
    for path, file in zip(paths, files, strict=True):
        if files.count(file) > 1:
            raise ValueError(f"{path} stands twice among the runs: name each of them once.")
    found = [(path, model, records) for path in paths for model, records in _by_model(path).items()]
    if len(found) < 2:
        (path, model, _), *_ = found
        raise ValueError(
            f"{path} holds answers of {model} alone, so there is nothing to compare it with: name "
            "another run behind it."
        )
    models = Counter([*(model for _, model, _ in found), *(str(path) for path in paths)])
    many = Counter(path for path, _, _ in found)
    runs = []
    for path, model, records in found:
        where = str(path) if many[path] == 1 else f"{path}: {model}"
        name = model if models[model] == 1 else where
        runs.append(Run(name, model, [replace(record, model=name) for record in records]))
    return runs


def _file(path: Path) -> Path:
    """Return a run's file of records."""
    return path if path.is_file() else path / RECORDS


def _with_settings(paths: Sequence[Path]) -> list[Path]:
    """Return the run folders; a file of records elsewhere doesn't say how it was made."""
    folders = [_file(path).parent for path in paths if _file(path).name == RECORDS]
    return [folder for folder in folders if (folder / SETTINGS).is_file()]


def _by_model(path: Path) -> dict[str, list[Record]]:
    """Return the answers of each model in a run folder or a file."""
    file = _file(path)
    if not file.is_file():
        raise ValueError(
            f"{file} does not exist: name the folder of a run that evaluate.py has finished; one "
            "that was killed is finished by its own command."
        )
    models: dict[str, list[Record]] = {}
    for record in read_records(file):
        models.setdefault(record.model, []).append(record)
    if not models:
        raise ValueError(f"{file} holds no answers: run evaluate.py to its end.")
    for model, records in models.items():
        (key, count), *_ = Counter(record.key for record in records).most_common(1)
        if count > 1:
            raise ValueError(
                f"{file} holds {count} answers of {model} to the same question (family, task, "
                f"shots, sample: {', '.join(map(str, key))}): if it was put together of several "
                "runs, compare their folders."
            )
    return models


def save_picture(path: Path, scores: Sequence[Scores]) -> None:
    """Draw the charts, unless matplotlib is missing."""
    try:
        png.save(path, charts(scores))
    except ImportError as error:
        print(f"{path.name} was not drawn; the page has the charts. {error}")


if __name__ == "__main__":
    main()
