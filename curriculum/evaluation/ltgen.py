"""The tables and charts of LTGen for the records of any run on consistency tasks.

python -m logic_curriculum.curriculum.evaluation.ltgen runs/evaluation/records.jsonl --out DIR

Source: LTGen, section 4 and appendix B.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.ltgen_measures import (
    FAMILY,
    INTERVALS,
    MEASURES,
    Answers,
    Groups,
    Spread,
    accuracy_points,
    by_interval,
    by_variables,
    experiments,
    false_positive_points,
    mean_homogeneity,
    over,
    over_runs,
    predictions,
    rates,
)
from logic_curriculum.curriculum.evaluation.records import Record, read_records
from logic_curriculum.curriculum.evaluation.statistics import Correlation, correlate
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, joined


def tables_of_run(records: Sequence[Record]) -> list[Table]:
    """Return the tables, Table 1 first; none if no answer on consistency was graded."""
    asked = any(record.family == FAMILY and record.graded for record in records)
    return tables(records) if asked else []


def tables(records: Iterable[Record]) -> list[Table]:
    """Return the tables of all experiments in the records.

    Raises:
        ValueError: As :func:`experiments`.
    """
    found = experiments(records)
    summaries = (_classification, _predictions, _false_positives, _accuracies, _lengths)
    groups = found.items()
    return [
        *(make(found) for make in summaries),
        *(_sizes(f"By number of variables: {name}", "n_V", by_variables(a)) for name, a in groups),
        *(_sizes(f"By number of clauses: {name}", "n_C", by_interval(a)) for name, a in groups),
    ]


def _classification(found: Groups) -> Table:
    header = ["data set", "model", *MEASURES, "answers per run", "runs", "no verdict", "solved"]
    rows = []
    for experiment, answers in found.items():
        runs = len({answer.run for answer in answers})
        cells = [
            *map(_spread, over_runs(answers).values()),
            f"{len(answers) / runs:.1f}",
            str(runs),
        ]
        cells.append(_decimals(fmean(answer.said is None for answer in answers)))
        cells.append(_decimals(fmean(answer.solved for answer in answers)))
        rows.append([*experiment, *cells])
    note = (
        "Consistent is positive. Mean over runs, their standard deviation in brackets (LTGen, "
        "Table 1). An answer without a verdict is wrong, and calls nothing consistent. Solved are "
        "right verdicts with a right proof, where one is asked for."
    )
    return Table("Accuracy, precision, recall and F1", header, rows, note)


def _predictions(found: Groups) -> Table:
    header = ["data set", "model", "the text is", "said consistent (%)", "said inconsistent (%)"]
    header += ["no verdict (%)"]
    rows = [
        [*experiment, "consistent" if truth else "inconsistent", *map(_percent, shares)]
        for experiment, answers in found.items()
        for truth, shares in predictions(answers).items()
    ]
    return Table("What is said of consistent and of inconsistent texts", header, rows)


def _false_positives(found: Groups) -> Table:
    header = ["data set", "model", "r", "p", "groups", "r, groups with inconsistent texts", "p"]
    header += ["groups"]
    rows = []
    for experiment, answers in found.items():
        points = false_positive_points(answers)
        both = (over(points), over([point for point in points if point.x > 0]))
        rows.append([*experiment, *(cell for each in both for cell in _correlation(each))])
    note = (
        "Pearson's r of the share of inconsistent texts that are called consistent, and of the "
        "percentage of inconsistent texts, over groups with equal numbers of clauses (LTGen, Table "
        "2). A group without inconsistent texts counts with rate 0, as the paper's number of "
        "groups implies, and pulls r up; the columns on the right leave such groups out."
    )
    return Table("False-positive rate against inconsistency", header, rows, note)


def _accuracies(found: Groups) -> Table:
    rows = [[*name, *_correlation(over(accuracy_points(own)))] for name, own in found.items()]
    note = (
        "Pearson's r of the accuracy and of the percentage of consistent texts, over groups with "
        "equal numbers of clauses (LTGen, Table 7)."
    )
    header = ["data set", "model", "r", "p", "groups"]
    return Table("Accuracy against consistency", header, rows, note)


def _lengths(found: Groups) -> Table:
    header = ["data set", "model", "characters read", "characters written", "r", "p", "answers"]
    rows = []
    for experiment, answers in found.items():
        read, written = ([getattr(each, side) for each in answers] for side in ("read", "written"))
        together = _correlation(correlate(read, written))
        rows.append([*experiment, f"{fmean(read):.0f}", f"{fmean(written):.0f}", *together])
    return Table("Length of prompts and of answers", header, rows)


def _sizes(title: str, key: str, groups: Mapping[int, Answers] | Mapping[str, Answers]) -> Table:
    header = [key, "texts", "answers", "consistent (%)", *MEASURES, "false-positive rate"]
    header += ["homogeneity (%)", "characters read", "characters written"]
    rows = []
    for name, answers in groups.items():
        found = rates(answers)
        texts = len({answer.task for answer in answers})
        row = [str(name), str(texts), str(len(answers)), _percent(100 * found.positives)]
        row += map(_decimals, (*found.measures, found.false_positive))
        row += [_percent(mean_homogeneity(answers))]
        row += [f"{fmean(each.read for each in answers):.0f}"]
        rows.append([*row, f"{fmean(each.written for each in answers):.0f}"])
    return Table(title, header, rows)


def _spread(found: Spread | None) -> str:
    if found is None:
        return NONE
    if found.deviation is None:
        return f"{found.mean:.2f}"
    return f"{found.mean:.2f} ({found.deviation:.2f})"


def _correlation(found: Correlation) -> list[str]:
    p = NONE if found.p is None else "<0.001" if found.p < 0.001 else f"{found.p:.3f}"
    return [_decimals(found.r), p, str(found.points)]


def _decimals(value: float | None) -> str:
    return NONE if value is None else f"{round(value, 2) + 0.0:.2f}"  # no -0.00


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


class _Figure(NamedTuple):
    """A figure of the paper: a panel for each data set, a colour for each model."""

    x_label: str
    y_label: str
    points: Callable[[Answers], list[Point]]
    style: str = "line"
    y_limits: tuple[float, float] | None = (-0.05, 1.05)
    x_limits: tuple[float | None, float | None] = (None, None)
    ticks: Sequence[str] = ()


def _by_interval(answers: Answers) -> list[Point]:
    groups = by_interval(answers).items()
    return [Point(INTERVALS.index(name), rates(group).accuracy) for name, group in groups]


def _homogeneity(answers: Answers) -> list[Point]:
    found = {size: mean_homogeneity(group) for size, group in by_variables(answers).items()}
    return [Point(size, value) for size, value in found.items() if value is not None]


def _measures(answers: Answers) -> list[Point]:
    points = []
    for place, found in enumerate(over_runs(answers).values()):
        mean, deviation = found or (0.0, 0.0)
        low, high = (None, None) if not deviation else (mean - deviation, mean + deviation)
        points.append(Point(place, mean, low, high))
    return points


def _said_consistent(answers: Answers) -> list[Point]:
    found = predictions(answers)
    shares = [found[truth][0] / 100 if truth in found else 0.0 for truth in (True, False)]
    return [Point(place, share) for place, share in enumerate(shares)]


_FIGURES = {
    "accuracy-by-variables": _Figure(
        "number of variables",
        "accuracy",
        lambda answers: [Point(n, rates(g).accuracy) for n, g in by_variables(answers).items()],
    ),
    "accuracy-by-clauses": _Figure("number of clauses", "accuracy", _by_interval, ticks=INTERVALS),
    "homogeneity": _Figure(
        "number of variables", "homogeneity (%)", _homogeneity, y_limits=(0, 105)
    ),
    "false-positives": _Figure(
        "inconsistent texts (%)",
        "false-positive rate",
        false_positive_points,
        "dots",
        x_limits=(-5, 105),
    ),
    "accuracy-by-consistency": _Figure(
        "consistent texts (%)", "accuracy", accuracy_points, "dots", x_limits=(-5, 105)
    ),
    "lengths": _Figure(
        "characters read",
        "characters written",
        lambda answers: [Point(each.read, each.written) for each in answers],
        "dots",
        y_limits=None,
    ),
    "measures": _Figure("", "mean over runs", _measures, "bars", (0, 1.05), ticks=MEASURES),
    "predictions": _Figure(
        "",
        "share that is called consistent",
        _said_consistent,
        "bars",
        (0, 1.05),
        ticks=("of consistent texts", "of inconsistent texts"),
    ),
}


def plots(records: Iterable[Record], folder: Path) -> list[Path]:
    """Draw the figures into PNG files of a folder, which is made if need be; return their paths.

    Raises:
        ValueError: As :func:`experiments`.
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    found = experiments(records)
    paths = []
    for name, figure in _FIGURES.items():
        paths.append(folder / f"sat-{name}.png")
        charts = _charts(found, figure)
        save(paths[-1], charts, columns=len(charts))
    return paths


def _charts(found: Groups, figure: _Figure) -> list[Chart]:
    models = list(dict.fromkeys(experiment.model for experiment in found))
    return [
        Chart(
            dataset,
            figure.x_label,
            figure.y_label,
            [
                Series(model, figure.points(answers), models.index(model), figure.style)
                for (other, model), answers in found.items()
                if other == dataset
            ],
            figure.y_limits,
            figure.x_limits,
            figure.ticks,
        )
        for dataset in dict.fromkeys(experiment.dataset for experiment in found)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write ``sat.md`` and pictures to a folder; return the exit status, 2 for a wrong argument."""
    parser = argparse.ArgumentParser(
        prog="python -m logic_curriculum.curriculum.evaluation.ltgen",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", type=Path, nargs="+", help="files of records, one JSON a line")
    parser.add_argument("--out", type=Path, required=True, help="folder for tables and pictures")
    options = parser.parse_args(arguments)
    try:
        records = [record for path in options.results for record in read_records(path)]
        text = joined(tables(records))
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "sat.md").write_text(text, encoding="utf-8")
        paths = plots(records, options.out)
    except (ValueError, OSError, ImportError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    print(f"{options.out / 'sat.md'} and {len(paths)} pictures beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
