"""The tables and charts of LTGen, computed from answers on consistency.

Source: LTGen, section 4 and appendix B. *Positive* is consistent, so that a false positive is the
answer "consistent" where the text is inconsistent (section 4.2).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, decimals

Records = Sequence[Record]
MEASURES = ("accuracy", "precision", "recall", "F1")  # Columns of Table 1


class Experiment(NamedTuple):
    """A data set and the model that was asked."""

    dataset: str
    model: str


def tables(records: Iterable[Record]) -> list[Table]:
    """Return the tables of graded answers, Table 1 first."""
    found = experiments(records)
    return [_classification(found), _predictions(found), _correlations(found)]


def charts(records: Iterable[Record]) -> list[Chart]:
    """Return charts of the accuracy by size and of the bias, a colour for each model."""
    found = experiments(records)
    models = list(dict.fromkeys(experiment.model for experiment in found))
    drawn = []
    for dataset, own in grouped(found, lambda experiment: experiment.dataset).items():

        def series(
            points: Callable[[Records], list[Point]],
            style: str,
            own: Sequence[Experiment] = own,
        ) -> list[Series]:
            return [Series(e.model, points(found[e]), models.index(e.model), style) for e in own]

        percent = (-5, 105)
        rate = "false-positive rate"
        drawn += [
            Chart(dataset, "number of variables", "accuracy", series(_accuracies, "line")),
            Chart(dataset, "inconsistent texts (%)", rate,
                  series(false_positive_points, "dots"), x_limits=percent),
        ]  # fmt: skip
    return drawn


def experiments(records: Iterable[Record]) -> dict[Experiment, list[Record]]:
    """Return the graded answers by data set and model."""
    graded = [record for record in records if record.graded]
    return grouped(graded, lambda record: Experiment(_dataset(record), record.model))


def _dataset(record: Record) -> str:
    """Return the name of the preset, or "ladder", with the options that differ from it."""
    about = record.metadata
    parts = [str(about.get("preset") or "ladder")]
    if about.get("language") == "symbolic" and parts[0] != "symbolic":
        parts.append("formulas")
    if str(about.get("style", "")).startswith("certificate"):
        parts.append("with proof")
    if record.shots:
        parts.append(f"{record.shots}-shot")
    return ", ".join(parts)


def truth(record: Record) -> bool:
    """Return whether a text is consistent."""
    return bool(record.metadata["satisfiable"])


def called(record: Record) -> bool | None:
    """Return whether the model called the text consistent; None if it said neither."""
    if record.metrics.get("verdict"):
        return truth(record)
    said = [name for name in ("false_negative", "false_positive") if record.metrics.get(name)]
    return said[0] == "false_positive" if said else None


class Rates(NamedTuple):
    """Shares of answers in [0, 1]; None where there is nothing to take a share of."""

    positives: float  # consistent texts among all
    accuracy: float  # right verdicts; no verdict is a wrong one
    precision: float | None  # consistent texts among those called consistent
    recall: float | None  # consistent texts that are called consistent
    f1: float | None  # harmonic mean of both: 2 TP / (TP + FP + consistent texts)
    false_positive: float | None  # inconsistent texts that are called consistent

    @property
    def measures(self) -> tuple[float | None, ...]:
        """:data:`MEASURES`."""
        return self.accuracy, self.precision, self.recall, self.f1


def rates(answers: Records) -> Rates:
    """Return the rates of some answers, at least one."""
    cells = Counter((truth(answer), called(answer)) for answer in answers)
    positives = sum(map(truth, answers))
    right, wrong = cells[True, True], cells[False, True]
    return Rates(
        positives=positives / len(answers),
        accuracy=(right + cells[False, False]) / len(answers),
        precision=_share(right, right + wrong),
        recall=_share(right, positives),
        f1=_share(2 * right, right + wrong + positives),
        false_positive=_share(wrong, len(answers) - positives),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def spread(values: Iterable[float | None], digits: int = 2) -> str:
    """Return the mean of the values that are there, and in brackets their deviation (n - 1)."""
    known = [value for value in values if value is not None]
    if not known:
        return NONE
    deviation = f" ({stdev(known):.{digits}f})" if len(known) > 1 else ""
    return f"{decimals(fmean(known), digits)}{deviation}"


def _classification(found: Mapping[Experiment, Records]) -> Table:
    header = ["data set", "model", *MEASURES, "answers per run", "time (s)", "runs"]
    header += ["no verdict", "solved", "homogeneity (%)"]
    rows = []
    for experiment, answers in found.items():
        runs = list(grouped(answers, lambda answer: answer.sample).values())
        measures = zip(*(rates(run).measures for run in runs), strict=True)
        times = [answer.seconds for answer in answers if answer.seconds is not None]
        rows.append([*experiment, *map(spread, measures)])
        rows[-1] += [spread(map(len, runs), 1), spread(times), str(len(runs))]
        rows[-1].append(decimals(fmean(called(answer) is None for answer in answers)))
        rows[-1].append(decimals(fmean(answer.solved for answer in answers)))
        rows[-1].append(decimals(homogeneity(answers), 1))
    note = (
        "Consistent is positive. Mean over runs, their standard deviation in brackets (Table 1). "
        "An answer without a verdict is wrong, and calls nothing consistent. Solved are right "
        "verdicts with a right proof, where one is asked for."
    )
    return Table("LTGen: accuracy, precision, recall and F1", header, rows, note)


def _predictions(found: Mapping[Experiment, Records]) -> Table:
    header = ["data set", "model", "the text is", "said consistent (%)", "said inconsistent (%)"]
    rows = []
    for experiment, answers in found.items():
        for name, group in grouped(answers, truth).items():
            calls = Counter(map(called, group))
            shares = [decimals(100 * calls[c] / len(group), 1) for c in (True, False, None)]
            rows.append([*experiment, "consistent" if name else "inconsistent", *shares])
    title = "LTGen: what is said of consistent and of inconsistent texts (Figure 2)"
    return Table(title, [*header, "no verdict (%)"], rows)


def false_positive_points(answers: Records) -> list[Point]:
    """Return share of inconsistent texts (in %) and false-positive rate by clauses (Table 2).

    A group without inconsistent texts has no rate; it is 0 here. The paper's tables have as many
    groups for this rate as for the accuracy, which all groups have, so none is left out.
    """
    found = map(rates, by_clauses(answers).values())
    return [Point(100 * (1 - each.positives), each.false_positive or 0.0) for each in found]


def accuracy_points(answers: Records) -> list[Point]:
    """Return share of consistent texts (in %) and accuracy by clauses (Table 7)."""
    found = map(rates, by_clauses(answers).values())
    return [Point(100 * each.positives, each.accuracy) for each in found]


def _correlations(found: Mapping[Experiment, Records]) -> Table:
    header = ["data set", "model", "of", "r", "p", "points"]
    rows = []
    for experiment, answers in found.items():
        bias = false_positive_points(answers)
        for name, points in (
            ("false positives and inconsistent texts (Table 2)", bias),
            ("the same, groups with inconsistent texts", [p for p in bias if p.x > 0]),
            ("accuracy and consistent texts (Table 7)", accuracy_points(answers)),
            ("length of prompt and of answer",
             [Point(len(a.prompt), len(a.completion)) for a in answers]),
        ):  # fmt: skip
            rows.append([*experiment, name, *correlated(points)])
    note = (
        "Pearson's r over groups with equal numbers of clauses, of lengths over answers. A group "
        "without inconsistent texts counts with rate 0, as the paper's number of groups implies, "
        "and pulls r up; the second row leaves such groups out."
    )
    return Table("LTGen: correlations", header, rows, note)


def correlated(points: Sequence[Point]) -> tuple[str, str, str]:
    """Return Pearson's r of places and values, its p-value, and the number of points."""
    x, y = [point.x for point in points], [point.value for point in points]
    count = str(len(points))
    if len(set(x)) < 2 or len(set(y)) < 2:
        return NONE, NONE, count
    found = require("scipy.stats", extra="inspect").pearsonr(x, y)
    p = NONE if len(x) < 3 else "<0.001" if found.pvalue < 0.001 else f"{found.pvalue:.3f}"
    return decimals(found.statistic), p, count


def by_clauses(answers: Records) -> dict[int, list[Record]]:
    """Return the answers by the number of clauses, ascending."""
    ordered = sorted(answers, key=lambda answer: int(answer.metadata["clauses"]))
    return grouped(ordered, lambda answer: int(answer.metadata["clauses"]))


def homogeneity(answers: Records) -> float | None:
    """Return the mean homogeneity of texts in percent (App. B.2); None if none has two answers.

    A text's homogeneity is the share of its answers that are the most frequent one; no verdict
    counts as an answer of its own.
    """
    texts = grouped(answers, lambda answer: answer.task).values()
    calls = [list(map(called, text)) for text in texts if len(text) > 1]
    return fmean(100 * max(Counter(c).values()) / len(c) for c in calls) if calls else None


def _accuracies(answers: Records) -> list[Point]:
    ordered = sorted(answers, key=lambda answer: int(answer.metadata["variables"]))
    groups = grouped(ordered, lambda answer: float(answer.metadata["variables"]))
    return [Point(number, rates(group).accuracy) for number, group in groups.items()]
