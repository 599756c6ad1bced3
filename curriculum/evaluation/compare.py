"""Compare runs on the tasks that both have answered: differences, intervals and significance.

With one answer per task the test is McNemar's, exact; with several it is a bootstrap over tasks.
The p-values of a table are corrected for their number by Holm's method.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation import statistics
from logic_curriculum.curriculum.evaluation.records import Record, grouped, read_records
from logic_curriculum.curriculum.evaluation.scores import SEED, by_level, task_scores, title_of
from logic_curriculum.curriculum.evaluation.statistics import Estimate, bootstrap_p, mcnemar
from logic_curriculum.curriculum.evaluation.tables import Table, with_interval
from logic_curriculum.curriculum.run_settings import SETTINGS

RECORDS = "records.jsonl"  # A run folder's file of records
EXACT = "McNemar, exact"
BOOTSTRAP = "bootstrap"


@dataclass(frozen=True)
class Comparison:
    """One run against another, on one family with one number of worked examples."""

    base: str  # Name of the run that is compared with
    other: str
    title: str
    base_accuracy: Estimate  # pass@1 on the shared tasks, in [0, 1]
    other_accuracy: Estimate
    difference: Estimate  # The other's minus the base's
    level_difference: Estimate  # Difference of the Logical Reasoning Levels
    base_only: int  # Tasks that the base solves better
    other_only: int  # Tasks that the other solves better
    test: str  # EXACT or BOOTSTRAP
    p: float  # p-value, corrected once in a table
    unshared: int  # Tasks with graded answers of one run only; they don't count
    reworded: int  # Shared tasks whose prompts differ, for instance in style


class Run(NamedTuple):
    """A run under a name of its own."""

    name: str
    model: str  # The model's name in the run
    records: Sequence[Record]  # The answers, under the run's name


def read_runs(paths: Sequence[Path]) -> list[Run]:
    """Return the runs under their models' names, or their paths' where a name is ambiguous.

    The paths are run folders or files of records; one with several models holds a run of each. One
    run alone, a file named twice and one without distinct records are ValueErrors.
    """
    files = [records_of(path).resolve() for path in paths]
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
    models = Counter([*(model for _, model, _ in found), *map(str, paths)])
    many = Counter(path for path, _, _ in found)
    runs = []
    for path, model, records in found:
        where = str(path) if many[path] == 1 else f"{path}: {model}"
        name = model if models[model] == 1 else where
        runs.append(Run(name, model, [replace(record, model=name) for record in records]))
    return runs


def records_of(path: Path) -> Path:
    """Return the file of records of a run folder, or the file itself."""
    return path if path.is_file() else path / RECORDS


def folders_with_settings(paths: Sequence[Path]) -> list[Path]:
    """Return the run folders; a file of records elsewhere doesn't say how it was made."""
    folders = [records_of(path).parent for path in paths if records_of(path).name == RECORDS]
    return [folder for folder in folders if (folder / SETTINGS).is_file()]


def _by_model(path: Path) -> dict[str, list[Record]]:
    file = records_of(path)
    if not file.is_file():
        raise ValueError(
            f"{file} does not exist: name the folder of a run of `logic-curriculum evaluate`; one "
            "that was killed is finished by its own command."
        )
    models = grouped(read_records(file), lambda record: record.model)
    if not models:
        raise ValueError(f"{file} holds no answers: run its evaluation to the end.")
    for model, records in models.items():
        (key, count), *_ = Counter(record.key for record in records).most_common(1)
        if count > 1:
            raise ValueError(
                f"{file} holds {count} answers of {model} to the same question (family, level, "
                f"task, shots, sample: {', '.join(map(str, key))}): if it was put together of "
                "several runs, compare their folders."
            )
    return models


def compare(runs: Mapping[str, Sequence[Record]]) -> list[Comparison]:
    """Return each later run compared with the first; nothing shared with it is a ValueError."""
    if len(runs) < 2:
        given = f"Only the run {next(iter(runs))!r}" if runs else "No run"
        raise ValueError(f"{given} was given: a comparison needs two or more.")
    (base, first), *others = runs.items()
    found = [item for name, second in others for item in _compare_two(base, first, name, second)]
    compared = {comparison.other for comparison in found}
    if apart := [repr(name) for name, _ in others if name not in compared]:
        raise ValueError(
            f"{base!r} shares no task with {', '.join(apart)} to which both have graded answers: "
            "compare runs with the same families, levels, shots, split and seed."
        )
    corrected = statistics.holm([comparison.p for comparison in found])
    return [replace(item, p=p) for item, p in zip(found, corrected, strict=True)]


def _compare_two(
    base: str, first: Sequence[Record], other: str, second: Sequence[Record]
) -> list[Comparison]:
    found = []
    sides = [
        grouped(side, lambda record: (record.family, record.shots)) for side in (first, second)
    ]
    for group in sides[0]:
        records = [side.get(group, []) for side in sides]
        scores = [task_scores(side) for side in records]
        shared = [key for key in scores[0] if key in scores[1]]
        if not shared:
            continue
        title = title_of(*group)
        one, two = (by_level([side[key] for key in shared], "accuracy") for side in scores)
        gains = {
            level: [after - before for before, after in zip(one[level], two[level], strict=True)]
            for level in one
        }
        flat = [gain for gains_of_level in gains.values() for gain in gains_of_level]
        worse, better = sum(gain < 0 for gain in flat), sum(gain > 0 for gain in flat)
        single = all(side[key].answers == 1 for side in scores for key in shared)
        p = mcnemar(worse, better) if single else bootstrap_p(gains, SEED, title)
        asked, again = ({record.question: record.prompt for record in side} for side in records)
        found.append(
            Comparison(
                base=base,
                other=other,
                title=title,
                base_accuracy=statistics.mean(one, SEED, title),
                other_accuracy=statistics.mean(two, SEED, title),
                difference=statistics.mean(gains, SEED, title),
                level_difference=statistics.sum_of_means(gains, SEED, title),
                base_only=worse,
                other_only=better,
                test=EXACT if single else BOOTSTRAP,
                p=p,
                unshared=sum(map(len, scores)) - 2 * len(shared),
                reworded=sum(again[key] != asked[key] for key in asked if key in again),
            )
        )
    return found


def not_asked_of_all(runs: Mapping[str, Sequence[Record]]) -> list[str]:
    """Return the titles that some runs lack, each with the names of the runs that have it."""
    asked = [
        (title_of(*group), name)
        for name, records in runs.items()
        for group in dict.fromkeys((record.family, record.shots) for record in records)
    ]
    askers = grouped(asked, lambda pair: pair[0])
    return [
        f"{title} (only of {' and '.join(name for _, name in pairs)})"
        for title, pairs in askers.items()
        if len(pairs) < len(runs)
    ]


def comparison_table(comparisons: Sequence[Comparison], partly: Sequence[str]) -> Table:
    """Return a row for each comparison; accuracies and their difference are in %.

    ``partly`` is what :func:`not_asked_of_all` found.
    """
    header = ["family", "base", "compared", "shared tasks", "base (%)", "compared (%)"]
    header += ["difference (points)", "LRL difference", "better on", "worse on", "p", "test"]
    rows = []
    for item in comparisons:
        shares = (item.base_accuracy, item.other_accuracy, item.difference)
        row = [item.title, item.base, item.other, str(item.difference.tasks)]
        row += [with_interval(share.times(100)) for share in shares]
        row += [with_interval(item.level_difference, 2), str(item.other_only), str(item.base_only)]
        rows.append([*row, f"{item.p:.2g}", item.test])
    note = (
        f"p-values are corrected for {len(comparisons)} comparisons (Holm), and alone tell what is "
    )
    note += "significant: a 95 % interval is of its comparison alone."
    if left_out := sum(item.unshared for item in comparisons):
        note += f" {left_out} tasks with graded answers in one of two runs only are left out."
    if reworded := sum(item.reworded for item in comparisons):
        note += f" {reworded} of the shared tasks were asked in other words."
    if partly:
        note += f" Not asked of all runs: {'; '.join(partly)}."
    return Table("Paired comparison", header, rows, note)
