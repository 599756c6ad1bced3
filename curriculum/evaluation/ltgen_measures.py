"""The measures of LTGen on answers about consistency, computed from the records of a run.

Source: LTGen, section 4 and appendix B. *Positive* is consistent, so that a false positive is the
answer "consistent" where the text is inconsistent (section 4.2).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean, stdev
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.charts import Point
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.statistics import Correlation, correlate

FAMILY = "sat"
INTERVALS = (*("1-10", "11-20", "21-30", "31-40", "41-50", "51-60", "61-70"), "71 or more")
"""Numbers of clauses, as in Table 4, where the last interval ends at 92."""
MEASURES = ("accuracy", "precision", "recall", "F1")  # Columns of Table 1
_CALLED_CONSISTENT = {
    **{"false_positive": True, "false_negative": False},
    **dict.fromkeys(("ambiguous", "truncated", "unreadable")),
}
"""Metric of a wrong answer → whether the model called the text consistent; None for neither."""


def interval_of(clauses: int) -> str:
    """Return the one of :data:`INTERVALS` that holds a number of clauses."""
    return INTERVALS[min((clauses - 1) // 10, len(INTERVALS) - 1)]


@dataclass(frozen=True)
class Answer:
    """A graded answer to a text."""

    task: str  # Fingerprint of the text
    run: int  # Number of the answer among those to this text, from 0: the paper's runs
    consistent: bool  # The truth
    called: bool | None  # Whether the model called the text consistent; None if it said neither
    solved: bool  # Whether it also proved that, where a proof is asked for
    variables: int  # n_V
    clauses: int  # n_C
    read: int  # Characters of the prompt
    written: int  # Characters of the completion
    seconds: float | None = None  # Time of the answer; None where nobody measured it

    @property
    def interval(self) -> str:
        """The one of :data:`INTERVALS` that holds the number of clauses."""
        return interval_of(self.clauses)


class Experiment(NamedTuple):
    """A data set and the model that was asked."""

    dataset: str
    model: str

    def __str__(self) -> str:
        return f"{self.dataset} · {self.model}"


Answers = Sequence[Answer]
Groups = Mapping[Experiment, Answers]


def experiments(records: Iterable[Record]) -> dict[Experiment, list[Answer]]:
    """Return the graded answers by data set and model; a ValueError if there is none."""
    asked = list(records)
    graded = [record for record in asked if record.family == FAMILY and record.graded]
    if not graded:
        raise ValueError(
            f"None of {len(asked)} records is a graded answer of the family {FAMILY}, so there is "
            "nothing to measure: give the results of an evaluation on consistency tasks."
        )
    groups = grouped(graded, lambda record: Experiment(_dataset(record), record.model))
    return {experiment: list(map(read_answer, own)) for experiment, own in groups.items()}


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


def read_answer(record: Record) -> Answer:
    """Return a record as an answer to measure; a ValueError says what the record lacks."""
    consistent = record.verification.get("satisfiable")
    sizes: dict[str, Any] = {name: record.metadata.get(name) for name in ("variables", "clauses")}
    wrong = next((name for name in _CALLED_CONSISTENT if record.verdict.metrics.get(name)), None)
    strange = [f"{name}={size!r}" for name, size in sizes.items() if type(size) is not int]
    problem = ""
    if not isinstance(consistent, bool):
        problem = f"its verification says satisfiable={consistent!r}"
    elif strange:
        problem = f"its metadata say {strange[0]}, not a whole number"
    elif not record.verdict.metrics.get("verdict") and wrong is None:
        problem = f"its verdict has none of the metrics verdict, {', '.join(_CALLED_CONSISTENT)}"
    if problem:
        raise ValueError(
            f"Record {record.id}, sample {record.sample}, can't be measured: {problem}. Give "
            "records that this version wrote, as they are."
        )
    return Answer(
        task=record.id,
        run=record.sample,
        consistent=bool(consistent),
        called=_CALLED_CONSISTENT[wrong] if wrong else consistent,
        solved=record.verdict.solved,
        **sizes,
        read=len(record.prompt),
        written=len(record.completion),
        seconds=record.seconds,
    )


class Rates(NamedTuple):
    """Shares of answers in [0, 1]; None where there is nothing to take a share of."""

    positives: float  # consistent texts among all
    negatives: float  # inconsistent texts among all
    accuracy: float  # right verdicts; no verdict is a wrong one
    precision: float | None  # consistent texts among those called consistent
    recall: float | None  # consistent texts that are called consistent
    f1: float | None  # harmonic mean of both: 2 TP / (TP + FP + consistent texts)
    false_positive: float | None  # inconsistent texts that are called consistent

    @property
    def measures(self) -> tuple[float | None, ...]:
        """:data:`MEASURES`."""
        return self.accuracy, self.precision, self.recall, self.f1


def rates(answers: Answers) -> Rates:
    """Return the rates of some answers, at least one."""
    cells = Counter((answer.consistent, answer.called) for answer in answers)
    positives = sum(answer.consistent for answer in answers)
    right, wrong = cells[True, True], cells[False, True]
    return Rates(
        positives=positives / len(answers),
        negatives=(len(answers) - positives) / len(answers),
        accuracy=(right + cells[False, False]) / len(answers),
        precision=_share(right, right + wrong),
        recall=_share(right, positives),
        f1=_share(2 * right, right + wrong + positives),
        false_positive=_share(wrong, len(answers) - positives),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


Spread = tuple[float, float | None] | None
"""Mean and standard deviation (n - 1 in the denominator), None of one value; None of no values."""


def spread(values: Iterable[float | None]) -> Spread:
    """Return mean and deviation of the values that are there."""
    known = [value for value in values if value is not None]
    return (fmean(known), stdev(known) if len(known) > 1 else None) if known else None


def _runs(answers: Answers) -> list[list[Answer]]:
    return list(grouped(answers, lambda each: each.run).values())


def over_runs(answers: Answers) -> dict[str, Spread]:
    """Return the mean over runs of each of :data:`MEASURES`, and its deviation."""
    runs = [rates(run).measures for run in _runs(answers)]
    return dict(zip(MEASURES, map(spread, zip(*runs, strict=True)), strict=True))


def time_and_number(answers: Answers) -> tuple[Spread, Spread]:
    """Return the mean seconds of an answer and the number of answers, over runs (Table 1)."""
    runs = _runs(answers)
    times = [spread(each.seconds for each in run) for run in runs]
    return spread(time and time[0] for time in times), spread(map(len, runs))


def text_sizes(answers: Answers) -> tuple[Spread, Spread]:
    """Return characters read and statements of a text, each text once (Tables 5 and 6)."""
    texts = {answer.task: answer for answer in answers}.values()
    return spread(text.read for text in texts), spread(text.clauses for text in texts)


def mean_homogeneity(answers: Answers) -> float | None:
    """Return the mean homogeneity of texts in percent (App. B.2); None if none has two answers.

    A text's homogeneity is the share of its answers that are the most frequent one; no verdict
    counts as an answer of its own.
    """
    texts = grouped(answers, lambda each: each.task).values()
    calls = [[answer.called for answer in text] for text in texts if len(text) > 1]
    return fmean(100 * max(Counter(c).values()) / len(c) for c in calls) if calls else None


def predictions(answers: Answers) -> dict[bool, list[float]]:
    """Return by truth the shares of "consistent", "inconsistent" and neither in % (Figure 2)."""
    groups = grouped(answers, lambda each: each.consistent)
    return {
        truth: [
            100 * sum(each.called is called for each in groups[truth]) / len(groups[truth])
            for called in (True, False, None)
        ]
        for truth in (True, False)
        if truth in groups
    }


def by_size(answers: Answers, size: str) -> dict[Any, list[Answer]]:
    """Return the answers by ``variables``, ``clauses`` or ``interval`` of clauses, ascending."""
    number = attrgetter("variables" if size == "variables" else "clauses")
    return grouped(sorted(answers, key=number), attrgetter(size))


def false_positive_points(answers: Answers) -> list[Point]:
    """Return share of inconsistent texts (in %) and false-positive rate by clauses (Table 2).

    A group without inconsistent texts has no rate; it is 0 here. The paper's tables have as many
    groups for this rate as for the accuracy, which all groups have, so none is left out.
    """
    found = map(rates, by_size(answers, "clauses").values())
    return [Point(100 * each.negatives, each.false_positive or 0.0) for each in found]


def accuracy_points(answers: Answers) -> list[Point]:
    """Return share of consistent texts (in %) and accuracy by clauses (Table 7)."""
    found = map(rates, by_size(answers, "clauses").values())
    return [Point(100 * each.positives, each.accuracy) for each in found]


def over(points: Sequence[Point]) -> Correlation:
    """Return the correlation of the points' places and values."""
    return correlate([point.x for point in points], [point.value for point in points])
