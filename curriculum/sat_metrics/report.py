"""Tables and pictures of a results file: everything that section 4 and appendix B measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from logic_curriculum.curriculum.evaluation.tables import NONE, Table, to_markdown
from logic_curriculum.curriculum.records import Record
from logic_curriculum.curriculum.sat_metrics.answers import Answer, Experiment, experiments
from logic_curriculum.curriculum.sat_metrics.correlation import Correlation, correlate
from logic_curriculum.curriculum.sat_metrics.groups import (
    accuracy_points,
    by_interval,
    by_variables,
    false_positive_points,
    over,
    with_inputs,
)
from logic_curriculum.curriculum.sat_metrics.pictures import draw_all
from logic_curriculum.curriculum.sat_metrics.scores import (
    MEASURES,
    TITLES,
    Spread,
    by_run,
    count,
    mean_homogeneity,
    over_runs,
    predictions,
)

Groups = Mapping[Experiment, Sequence[Answer]]


def markdown(records: Iterable[Record]) -> str:
    """Return the tables of :func:`tables` as Markdown.

    Raises:
        ValueError: If no record is a graded answer on consistency, or one lacks what is measured.
    """
    return "\n".join(to_markdown(table) for table in tables(records))


def plots(records: Iterable[Record], folder: str | Path) -> list[Path]:
    """Draw what the tables hold into PNG files of a folder, and return their paths.

    Raises:
        ValueError: As :func:`tables`.
        ImportError: If matplotlib is not installed; the message holds the install command.
    """
    return draw_all(experiments(records), Path(folder))


def tables(records: Iterable[Record]) -> list[Table]:
    """Return the tables of all experiments in the records.

    Raises:
        ValueError: If no record is a graded answer on consistency, or one lacks what is measured.
    """
    found = experiments(records)
    return [
        _classification(found),
        _predictions(found),
        _false_positives(found),
        _accuracy_and_consistency(found),
        _lengths(found),
        *(
            _sizes(f"By number of variables: {experiment}", "n_V", by_variables(answers))
            for experiment, answers in found.items()
        ),
        *(
            _sizes(f"By number of clauses: {experiment}", "n_C", by_interval(answers))
            for experiment, answers in found.items()
        ),
    ]


def _classification(found: Groups) -> Table:
    header = ["data set", "model", *TITLES, "answers per run", "runs", "no verdict", "solved"]
    rows = []
    for experiment, answers in found.items():
        runs = by_run(answers)
        rows.append(
            [
                *experiment,
                *(_spread(each) for each in over_runs(answers).values()),
                f"{len(answers) / len(runs):.1f}",
                str(len(runs)),
                _decimals(sum(answer.said is None for answer in answers) / len(answers)),
                _decimals(sum(answer.solved for answer in answers) / len(answers)),
            ]
        )
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
        for truth, shares in predictions(count(answers)).items()
    ]
    return Table("What is said of consistent and of inconsistent texts", header, rows)


def _false_positives(found: Groups) -> Table:
    header = ["data set", "model", "r", "p", "groups", "r, groups with inconsistent texts", "p"]
    header += ["groups"]
    rows = []
    for experiment, answers in found.items():
        points = false_positive_points(answers)
        both = (over(points), over(with_inputs(points)))
        rows.append([*experiment, *(cell for each in both for cell in _correlation(each))])
    note = (
        "Pearson's r of the share of inconsistent texts that are called consistent, and of the "
        "percentage of inconsistent texts, over groups with equal numbers of clauses (LTGen, Table "
        "2). A group without inconsistent texts counts with rate 0, as the paper's number of "
        "groups implies, and pulls r up; the columns on the right leave such groups out."
    )
    return Table("False-positive rate against inconsistency", header, rows, note)


def _accuracy_and_consistency(found: Groups) -> Table:
    rows = [
        [*experiment, *_correlation(over(accuracy_points(answers)))]
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
        read, written = ([getattr(each, side) for each in answers] for side in ("read", "written"))
        together = _correlation(correlate(read, written))
        rows.append([*experiment, f"{fmean(read):.0f}", f"{fmean(written):.0f}", *together])
    return Table("Length of prompts and of answers", header, rows)


def _sizes(
    title: str, key: str, groups: Mapping[int, list[Answer]] | Mapping[str, list[Answer]]
) -> Table:
    header = [key, "texts", "answers", "consistent (%)", *TITLES, "false-positive rate"]
    header += ["homogeneity (%)", "characters read", "characters written"]
    rows = []
    for name, answers in groups.items():
        counts = count(answers)
        rows.append(
            [
                str(name),
                str(len({answer.task for answer in answers})),
                str(counts.total),
                _percent(100 * counts.positives / counts.total),
                *(_decimals(getattr(counts, measure)) for measure in MEASURES),
                _decimals(counts.false_positive_rate),
                _percent(mean_homogeneity(answers)),
                f"{fmean(answer.read for answer in answers):.0f}",
                f"{fmean(answer.written for answer in answers):.0f}",
            ]
        )
    return Table(title, header, rows)


def _spread(found: Spread | None) -> str:
    if found is None:
        return NONE
    if found.deviation is None:
        return f"{found.mean:.2f}"
    return f"{found.mean:.2f} ({found.deviation:.2f})"


def _correlation(found: Correlation) -> list[str]:
    return [_decimals(found.r), _p_value(found.p), str(found.points)]


def _p_value(p: float | None) -> str:
    if p is None:
        return NONE
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _decimals(value: float | None) -> str:
    return NONE if value is None else f"{round(value, 2) + 0.0:.2f}"  # no -0.00


def _percent(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"
