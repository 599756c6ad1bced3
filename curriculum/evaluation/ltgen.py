"""The tables and charts of LTGen for the records of any run on consistency tasks.

python -m logic_curriculum.curriculum.evaluation.ltgen runs/evaluation/records.jsonl --out DIR

Source: LTGen, section 4 and appendix B.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from logic_curriculum.curriculum.evaluation import ltgen_measures as measures
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.ltgen_measures import MEASURES, Answers, Groups, over
from logic_curriculum.curriculum.evaluation.records import Record, grouped, read_records
from logic_curriculum.curriculum.evaluation.statistics import Correlation
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, joined


def tables(records: Iterable[Record]) -> list[Table]:
    """Return the tables, Table 1 first; a ValueError if no answer on consistency was graded."""
    found = measures.experiments(records)
    summaries = (_classification, _predictions, _false_positives, _accuracies, _lengths)
    by_number = {"variables": ("n_V", "variables"), "clauses": ("n_C", "interval")}
    sizes = [
        _sizes(f"By number of {number}: {name}", key, measures.by_size(answers, size))
        for number, (key, size) in by_number.items()
        for name, answers in found.items()
    ]
    return [*(make(found) for make in summaries), *sizes]


def _classification(found: Groups) -> Table:
    header = ["data set", "model", *MEASURES, "answers per run", "time (s)", "runs"]
    header += ["no verdict", "solved"]
    rows = []
    for experiment, answers in found.items():
        runs = len({answer.run for answer in answers})
        rows.append([*experiment, *map(_spread, measures.over_runs(answers).values())])
        time, number = measures.time_and_number(answers)
        rows[-1] += [_spread(number, 1), _spread(time), str(runs)]
        rows[-1].append(_decimals(fmean(answer.called is None for answer in answers)))
        rows[-1].append(_decimals(fmean(answer.solved for answer in answers)))
    note = (
        "Consistent is positive. Mean over runs, their standard deviation in brackets (LTGen, "
        "Table 1). An answer without a verdict is wrong, and calls nothing consistent. The time is "
        "an endpoint's; a local model answers many at a time. Solved are right verdicts with a "
        "right proof, where one is asked for."
    )
    return Table("Accuracy, precision, recall and F1", header, rows, note)


def _predictions(found: Groups) -> Table:
    header = ["data set", "model", "the text is", "said consistent (%)", "said inconsistent (%)"]
    rows = [
        [*experiment, "consistent" if truth else "inconsistent", *map(_percent, shares)]
        for experiment, answers in found.items()
        for truth, shares in measures.predictions(answers).items()
    ]
    title = "What is said of consistent and of inconsistent texts"
    return Table(title, [*header, "no verdict (%)"], rows)


def _false_positives(found: Groups) -> Table:
    header = ["data set", "model", "r", "p", "groups", "r, groups with inconsistent texts", "p"]
    header += ["groups"]
    rows = []
    for experiment, answers in found.items():
        points = measures.false_positive_points(answers)
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
    rows = [
        [*experiment, *_correlation(over(measures.accuracy_points(answers)))]
        for experiment, answers in found.items()
    ]
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
        together = _correlation(over(_lengths_of(answers)))
        rows.append([*experiment, *_mean_lengths(answers), *together])
    return Table("Length of prompts and of answers", header, rows)


def _sizes(title: str, key: str, groups: Mapping[Any, Answers]) -> Table:
    header = [key, "texts", "answers", "consistent (%)", *MEASURES, "false-positive rate"]
    header += ["homogeneity (%)", "characters read", "statements", "characters written"]
    rows = []
    for name, answers in groups.items():
        found = measures.rates(answers)
        counts = [str(len({answer.task for answer in answers})), str(len(answers))]
        row = [str(name), *counts, _percent(100 * found.positives)]
        row += map(_decimals, (*found.measures, found.false_positive))
        row += [_percent(measures.mean_homogeneity(answers))]
        row += [
            _spread(size, digits)
            for digits, size in zip((1, 2), measures.text_sizes(answers), strict=True)
        ]
        rows.append([*row, _mean_lengths(answers)[1]])
    note = (
        "Characters read, of the whole prompt, and statements are means over texts, their standard "
        "deviation in brackets (LTGen, Tables 5 and 6)."
    )
    return Table(title, header, rows, note)


def _mean_lengths(answers: Answers) -> list[str]:
    lengths = ([each.read for each in answers], [each.written for each in answers])
    return [f"{fmean(numbers):.0f}" for numbers in lengths]


def _spread(found: measures.Spread, digits: int = 2) -> str:
    if found is None:
        return NONE
    mean, deviation = found
    shown = f"{round(mean, digits) + 0.0:.{digits}f}"
    return shown if deviation is None else f"{shown} ({deviation:.{digits}f})"


def _correlation(found: Correlation) -> list[str]:
    p = NONE if found.p is None else "<0.001" if found.p < 0.001 else f"{found.p:.3f}"
    return [_decimals(found.r), p, str(found.points)]


def _decimals(value: float | None) -> str:
    return NONE if value is None else f"{round(value, 2) + 0.0:.2f}"  # no -0.00


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def _accuracies_by_variables(answers: Answers) -> list[Point]:
    groups = measures.by_size(answers, "variables").items()
    return [Point(number, measures.rates(group).accuracy) for number, group in groups]


def _accuracies_by_interval(answers: Answers) -> list[Point]:
    groups = measures.by_size(answers, "interval").items()
    place = measures.INTERVALS.index
    return [Point(place(name), measures.rates(group).accuracy) for name, group in groups]


def _homogeneity(answers: Answers) -> list[Point]:
    groups = measures.by_size(answers, "variables").items()
    found = {size: measures.mean_homogeneity(group) for size, group in groups}
    return [Point(size, value) for size, value in found.items() if value is not None]


def _lengths_of(answers: Answers) -> list[Point]:
    return [Point(each.read, each.written) for each in answers]


def _measures(answers: Answers) -> list[Point]:
    points = []
    for place, found in enumerate(measures.over_runs(answers).values()):
        mean, deviation = found or (0.0, 0.0)
        low, high = (None, None) if not deviation else (mean - deviation, mean + deviation)
        points.append(Point(place, mean, low, high))
    return points


def _called_consistent(answers: Answers) -> list[Point]:
    found = measures.predictions(answers)
    shares = [found[truth][0] / 100 if truth in found else 0.0 for truth in (True, False)]
    return [Point(place, share) for place, share in enumerate(shares)]


_BAR, _RATE, _PERCENT = (0, 1.05), (-0.05, 1.05), (-5, 105)
_TRUTHS = ("of consistent texts", "of inconsistent texts")
# fmt: off
_FIGURES: dict[str, tuple[str, Callable[[Answers], list[Point]], Chart]] = {
    "accuracy-by-variables": (
        "line", _accuracies_by_variables,
        Chart("", "number of variables", "accuracy", (), _RATE)),
    "accuracy-by-clauses": (
        "line", _accuracies_by_interval,
        Chart("", "number of clauses", "accuracy", (), _RATE, ticks=measures.INTERVALS)),
    "homogeneity": (
        "line", _homogeneity,
        Chart("", "number of variables", "homogeneity (%)", (), (0, 105))),
    "false-positives": (
        "dots", measures.false_positive_points,
        Chart("", "inconsistent texts (%)", "false-positive rate", (), _RATE, _PERCENT)),
    "accuracy-by-consistency": (
        "dots", measures.accuracy_points,
        Chart("", "consistent texts (%)", "accuracy", (), _RATE, _PERCENT)),
    "lengths": ("dots", _lengths_of, Chart("", "characters read", "characters written", (), None)),
    "measures": ("bars", _measures, Chart("", "", "mean over runs", (), _BAR, ticks=MEASURES)),
    "predictions": (
        "bars", _called_consistent,
        Chart("", "", "share that is called consistent", (), _BAR, ticks=_TRUTHS)),
}
# fmt: on
"""Figure → how its points are drawn, what they are, and what panel each data set has."""


def plots(records: Iterable[Record], folder: Path) -> list[Path]:
    """Draw the figures into PNG files of a folder, which is made if need be; return their paths."""
    found = measures.experiments(records)
    models = list(dict.fromkeys(experiment.model for experiment in found))
    datasets = grouped(found, lambda experiment: experiment.dataset)
    paths = []
    for name, (style, points, panel) in _FIGURES.items():
        charts = []
        for dataset, own in datasets.items():
            series = [
                Series(run.model, points(found[run]), models.index(run.model), style) for run in own
            ]
            charts.append(panel._replace(title=dataset, series=series))
        paths.append(folder / f"sat-{name}.png")
        save(paths[-1], charts, columns=len(charts))
    return paths


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
