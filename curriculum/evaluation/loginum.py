"""Process and answer accuracy of LogiNumSynth: its Table 3, and the same by depth."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.records import Record
from logic_curriculum.curriculum.evaluation.tables import NONE, Mean, Table, mean_percent
from logic_curriculum.generators import Task

PAPER_PROCESS = "paper_process_accuracy"
"""Metric of our verdicts that is the paper's process accuracy."""
_COLUMNS = ("Proc", "paper's Proc", "Ans")


class Condition(NamedTuple):
    """A data set of LogiNumSynth and the number of worked examples in the prompt."""

    dataset: str
    shots: int


class Accuracies(NamedTuple):
    """A pair of Table 3 of LogiNumSynth (sections 3.3 and 4.1), over the graded tasks, and ours.

    The errors are over tasks, not over trainings.
    """

    process: Mean  # ours, in which guessing does not pay
    paper_process: Mean
    """Process accuracy (appendix F.2): full marks for a verified chain to the right answer, else
    the share of the gold conclusions that the model verifiably derived."""
    answer: Mean


Answers = Mapping[Condition, Sequence[Record]]  # A model's answers under each condition


def accuracies(records: Sequence[Record]) -> Accuracies:
    """Return the accuracies of some answers; those that could not be graded are left out."""
    graded = [record for record in records if record.graded]
    papers = [r.metrics[PAPER_PROCESS] for r in graded if PAPER_PROCESS in r.metrics]
    columns = ([r.partial for r in graded], papers, [float(r.solved) for r in graded])
    return Accuracies(*map(mean_percent, columns))


def best_constant(tasks: Sequence[Task]) -> Mean:
    """Return the answer accuracy of the number that is right most often on these very tasks."""
    answers = [task.verification["answer"] for task in tasks]
    ((constant, _),) = Counter(answers).most_common(1)
    return mean_percent([float(answer == constant) for answer in answers])


def accuracy_table(models: Mapping[str, Answers]) -> Table:
    """Return Table 3 of LogiNumSynth: a line for each model and number of examples."""
    conditions = _conditions(models)
    datasets = list(dict.fromkeys(condition.dataset for condition in conditions))
    header = ["model", "shots", *_triples(datasets)]
    header += _triples(["mean"]) if len(datasets) > 1 else []
    rows = []
    groups = product(models.items(), dict.fromkeys(condition.shots for condition in conditions))
    for (model, answers), shots in groups:
        cells = [accuracies(answers.get(Condition(name, shots), ())) for name in datasets]
        rows.append([model, f"{shots}-shot", *(str(mean) for cell in cells for mean in cell)])
        if len(datasets) > 1:  # each data set weighs the same, as in the paper
            for column in zip(*cells, strict=True):
                values = [mean.value for mean in column if mean.items]
                rows[-1].append(f"{fmean(values):.1f}" if values else NONE)
    return Table("LogiNumSynth: process and answer accuracy in % (Table 3)", header, rows)


def depth_table(models: Mapping[str, Answers]) -> Table:
    """Return the accuracies by data set and depth, three columns for each model."""
    rows = []
    for condition in _conditions(models):
        answers = [own.get(condition, ()) for own in models.values()]
        for depth in sorted({record.level for own in answers for record in own}):
            cells = [accuracies([r for r in own if r.level == depth]) for own in answers]
            most = max(cell.answer.items for cell in cells)
            row = [condition.dataset, f"{condition.shots}-shot", str(depth), str(most)]
            rows.append([*row, *(str(mean) for cell in cells for mean in cell)])
    header = ["dataset", "shots", "depth", "tasks", *_triples(models)]
    return Table("LogiNumSynth: by depth, in %", header, rows)


def _conditions(models: Mapping[str, Answers]) -> list[Condition]:
    return list(dict.fromkeys(condition for own in models.values() for condition in own))


def _triples(names: Iterable[str]) -> list[str]:
    return [f"{name} {accuracy}" for name in names for accuracy in _COLUMNS]


def accuracies_as_data(models: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return the accuracies as JSON-able data, one entry for each model and condition."""
    return [
        {"model": model, **condition._asdict()}
        | {name: mean._asdict() for name, mean in accuracies(records)._asdict().items()}
        for model, answers in models.items()
        for condition, records in answers.items()
    ]
