"""Compares runs: which of two models is better, and could it be chance?

    logic-curriculum compare runs/before runs/after [runs/another ...] --out runs/comparison

Runs of ``logic-curriculum evaluate``: every run is compared with the first, on the tasks that both
have answered, so give runs with the same families, levels, split and seed, and of the same
versions. Prints accuracies, their difference with its interval, and whether it is significant
(exact McNemar test, or a paired bootstrap where a task has several answers). A file with answers of
several models counts as a run of each. With ``--out`` the page of an evaluation is written for all
runs, too.

    logic-curriculum compare "in order=runs/order-0,runs/order-1" random=runs/random-0

Runs of ``sft_slr.py``: several ways to train, several seeds each. A cell is the mean pass rate of a
way's runs at their end, in %, with the lowest and the highest in brackets. A difference that is
smaller than these ranges says nothing.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from logic_curriculum.curriculum.evaluation import compare as comparison
from logic_curriculum.curriculum.evaluation.charts import run_charts, save
from logic_curriculum.curriculum.evaluation.levels import compare_trainings
from logic_curriculum.curriculum.evaluation.page import write_page
from logic_curriculum.curriculum.evaluation.papers import measured_tables, summary_tables
from logic_curriculum.curriculum.evaluation.scores import SHIPPED, load_prices, score_run
from logic_curriculum.curriculum.evaluation.tables import joined
from logic_curriculum.curriculum.run_settings import check_same_versions


def main(argv: Sequence[str] | None = None) -> None:
    """Read the runs, compare, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "runs",
        nargs="+",
        help="run folders or files of records, the base first; or NAME=FOLDER[,FOLDER ...]",
    )
    parser.add_argument("--out", type=Path, help="folder for the page, its tables and its picture")
    parser.add_argument("--prices", type=Path, default=SHIPPED, help="YAML file of prices")
    options = parser.parse_args(argv)
    if options.out and options.out.is_file():
        parser.error(f"--out {options.out} is a file: name a folder, which may be new")
    if all("=" in run and not Path(run).exists() for run in options.runs):
        print(compare_trainings(dict(map(way, options.runs))))
    else:
        compare_evaluations([Path(run) for run in options.runs], options.out, options.prices)


def way(text: str) -> tuple[str, list[Path]]:
    """Return the name and the run folders of a way to train."""
    name, _, folders = text.partition("=")
    if not folders:
        raise SystemExit(
            f"{text!r} names no run: give a name and run folders, such as random=runs/a,runs/b."
        )
    return name, [Path(folder) for folder in folders.split(",")]


def compare_evaluations(paths: Sequence[Path], out: Path | None, price_list: Path) -> None:
    """Print the comparison of runs of evaluate.py, and write the page to ``out`` if given."""
    try:
        runs = comparison.read_runs(paths)
        check_same_versions(comparison.folders_with_settings(paths))
        named = {run.name: run.records for run in runs}
        found = comparison.compare(named)
        compared = comparison.comparison_table(found, comparison.not_asked_of_all(named))
        prices = load_prices(price_list)
    except (ValueError, OSError) as error:
        raise SystemExit(str(error)) from error
    scores = [item for run in runs for item in score_run(run.records, prices, run.model)]
    scores.sort(key=lambda item: item.title)  # stable: within a family, runs stay in their order
    records = [record for run in runs for record in run.records]
    tables = [compared, *summary_tables(scores, prices.currency), *measured_tables(records)[0]]
    text = joined(tables)
    print(text)
    if out:
        title = " and ".join(run.name for run in runs)
        facts = {"base": runs[0].name, "prices": f"as of {prices.date}"}
        write_page(out / "comparison.html", title, facts, scores, tables, records)
        (out / "comparison.md").write_text(f"# {title}\n\n{text}", encoding="utf-8")
        try:
            save(out / "comparison.png", run_charts(scores))
        except ImportError as error:
            print(f"comparison.png was not drawn. {error}")
        print(f"The page is {out / 'comparison.html'}")


if __name__ == "__main__":
    main()
