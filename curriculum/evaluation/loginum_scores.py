"""Process and answer accuracy by dataset and number of shots, in the columns of Table 3.

Source: LogiNumSynth, sections 3.3 and 4.1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from logic_curriculum.curriculum.metrics import markdown_table
from logic_curriculum.curriculum.records import Record
from logic_curriculum.generators import Task


class Setting(NamedTuple):
    """What is asked, and after how many examples."""

    dataset: str
    shots: int


class Score(NamedTuple):
    """Mean of an accuracy, in percent."""

    value: float
    error: float
    """Standard error of the mean: the spread over tasks, not over trainings."""
    tasks: int
    """Graded tasks that it rests on."""

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}" if self.tasks else "–"


class Scores(NamedTuple):
    """Table 3's pair."""

    process: Score
    """Process accuracy (appendix F.2): full marks for a verified chain to the right answer, else
    the share of the gold conclusions that the model verifiably derived."""
    answer: Score


Answers = Mapping[Setting, Sequence[Record]]
"""A model's answers to the tasks of each setting."""


def scores(records: Sequence[Record]) -> Scores:
    """Return both accuracies of some answers; those that could not be graded are left out."""
    verdicts = [record.verdict for record in records if record.graded]
    return Scores(
        mean_percent([verdict.partial for verdict in verdicts]),
        mean_percent([float(verdict.solved) for verdict in verdicts]),
    )


def mean_percent(values: Sequence[float]) -> Score:
    """Return the mean of numbers in [0, 1] in percent, with its standard error.

    >>> mean_percent([0.0, 1.0, 1.0, 0.0])
    Score(value=50.0, error=28.867513459481287, tasks=4)
    """
    count = len(values)
    if count == 0:
        return Score(0.0, 0.0, 0)
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return Score(100 * mean, 100 * math.sqrt(spread / count), count)


def best_constant(tasks: Sequence[Task]) -> Score:
    """Return the answer accuracy of the number that is right most often.

    It is picked on the very tasks, which favours it; its process accuracy is 0.
    """
    answers = [task.verification["answer"] for task in tasks]
    ((constant, _),) = Counter(answers).most_common(1)
    return mean_percent([float(answer == constant) for answer in answers])


def format_table(models: Mapping[str, Answers]) -> str:
    """Return Table 3 for some models as Markdown: a line for each model and number of shots."""
    settings = list(next(iter(models.values())))
    datasets = list(dict.fromkeys(setting.dataset for setting in settings))
    shots = list(dict.fromkeys(setting.shots for setting in settings))
    header = ["model", "shots"] + [
        f"{name} {what}" for name in datasets for what in ("Proc", "Ans")
    ]
    rows = []
    for model, answers in models.items():
        for number in shots:
            cells = [scores(answers[Setting(name, number)]) for name in datasets]
            rows.append([model, f"{number}-shot", *(str(s) for pair in cells for s in pair)])
            if len(datasets) > 1:
                rows[-1] += [_average(pair[which] for pair in cells) for which in (0, 1)]
    return markdown_table(header + (["mean Proc", "mean Ans"] if len(datasets) > 1 else []), rows)


def _average(values: Any) -> str:
    """Return the mean over datasets, each alike, as the paper's last columns."""
    column = [score.value for score in values if score.tasks]
    return f"{sum(column) / len(column):.1f}" if column else "–"


def format_depths(models: Mapping[str, Answers]) -> str:
    """Return both accuracies by dataset and depth as Markdown, a column pair for each model."""
    header = ["dataset", "shots", "depth", "tasks"]
    header += [f"{model} {what}" for model in models for what in ("Proc", "Ans")]
    rows = []
    for setting, records in next(iter(models.values())).items():
        for depth in sorted({record.level for record in records}):
            cells = [
                scores([record for record in answers[setting] if record.level == depth])
                for answers in models.values()
            ]
            count = str(cells[0].answer.tasks)
            shots = f"{setting.shots}-shot"
            rows.append(
                [
                    setting.dataset,
                    shots,
                    str(depth),
                    count,
                    *(str(s) for pair in cells for s in pair),
                ]
            )
    return markdown_table(header, rows)


def summarize(models: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return the scores as JSON-able records, one a model and setting."""
    return [
        {
            "model": model,
            **setting._asdict(),
            "process": scores(records).process._asdict(),
            "answer": scores(records).answer._asdict(),
        }
        for model, answers in models.items()
        for setting, records in answers.items()
    ]
