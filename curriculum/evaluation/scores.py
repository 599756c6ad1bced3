"""Scores of a run from its records: by level, by tier and overall, with intervals and cost."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

from logic_curriculum.common.files import read_text
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.statistics import Estimate, mean, pass_at, sum_of_means
from logic_curriculum.generators.llm import Prices

SEED = "evaluation"
TOKENS = "tokens"  # Name of the mean completion tokens among a task's measurements
_OWN = ("accuracy", "syntax", "partial", TOKENS)
SHIPPED = Path(__file__).with_name("prices.yaml")  # Table 5 of the SLR paper (appendix C)


@dataclass(frozen=True)
class PriceTable:
    """Prices of a million tokens on one day."""

    date: datetime.date
    currency: str
    models: Mapping[str, Prices]  # Name or tag of a model, in lower case → its prices

    def of(self, model: str) -> Prices | None:
        """Return the prices of a model, named in any case or by a path; None if it is not there."""
        return self.models.get(_last_part(model))

    def with_model(self, model: str, prices: Prices) -> PriceTable:
        """Return the table with other prices for a model, in the table's currency."""
        return replace(self, models={**self.models, _last_part(model): prices})


def _last_part(model: str) -> str:
    return model.rstrip("/").rsplit("/", 1)[-1].lower()


def load_prices(path: Path = SHIPPED) -> PriceTable:
    """Read a table of prices.

    It is YAML with ``date``, ``currency`` and ``providers``: provider → model → ``input`` and
    ``output`` in ``currency`` per million tokens, and optionally ``tag``, another name. A file
    that holds something else is a ValueError.
    """
    try:
        found = yaml.safe_load(read_text(path))
        models = {}
        for entries in found["providers"].values():
            for name, entry in entries.items():
                prices = Prices(entry["input"], entry["output"])
                models[str(name).lower()] = prices
                models.setdefault(str(entry.get("tag", name)).lower(), prices)
        if not isinstance(found["date"], datetime.date):
            raise ValueError(f"date is {found['date']!r}: write one such as 2025-05-01")
        return PriceTable(found["date"], str(found["currency"]), models)
    except OSError as error:
        raise ValueError(f"{path} can't be read ({error.strerror}); check the path.") from error
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is not a table of prices ({type(error).__name__}: {error}). Write date, "
            f"currency and providers as in {SHIPPED}."
        ) from error


def cost(prices: Prices | None, read: int | None, written: int | None) -> float | None:
    """Return the price of tokens read and written, or None if a price or a count is unknown."""
    if prices is None or read is None or written is None:
        return None
    return prices.cost(read, written)


@dataclass(frozen=True)
class TaskScore:
    """The graded answers to one task."""

    level: int
    tier: str
    answers: int  # Graded answers
    solved: int  # Those that solve the task
    means: Mapping[str, float]
    """Mean over the answers of ``accuracy`` (pass@1), ``syntax``, ``partial``, the judge's metrics,
    and :data:`TOKENS` if all answers have a count. Values that are not finite are left out, and a
    mean of none is missing."""


@dataclass(frozen=True)
class Slice:
    """Scores of some of the tasks, such as those of a level."""

    name: str
    tier: str
    tasks: int
    accuracy: Estimate  # Share of tasks solved by one answer (pass@1), in [0, 1]
    syntax: Estimate  # Share of answers that could be read, in [0, 1]
    partial: Estimate | None  # Mean partial score, in [0, 1], as the family defines it, if it does
    tokens: Estimate | None  # Mean tokens of a completion


@dataclass(frozen=True)
class Scores:
    """The scores of a model on one family with one number of worked examples."""

    model: str
    family: str
    dataset: str  # The paper's data set that was asked; empty for the ladder of levels
    shots: int
    answers: int
    ungraded: int  # Answers that could not be graded; they are left out of every score
    reasoning_level: Estimate  # LRL: the sum of the levels' accuracies (SLR, section 5)
    overall: Slice
    tiers: tuple[Slice, ...]
    levels: tuple[Slice, ...]
    pass_at: Mapping[int, Estimate]  # k → chance that one of k answers solves a task that has k
    metrics: Mapping[str, Estimate]  # The judge's further measurements, by name
    prompt_tokens: int | None  # Tokens read in all, or None where an answer has no count
    completion_tokens: int | None  # Tokens written in all
    cost: float | None  # Price of all tokens, in the table's currency; None if it lacks the model

    @property
    def title(self) -> str:
        """Return the name of what was asked."""
        return title_of(self.family, self.shots)


def title_of(name: str, shots: int) -> str:
    """Return the name of a family or model, with the number of worked examples if there are any."""
    return name if shots == 0 else f"{name}, {shots}-shot"


def score_run(
    records: Sequence[Record], prices: PriceTable | None = None, priced_as: str | None = None
) -> list[Scores]:
    """Return the scores of one model on each family with each number of shots.

    ``priced_as`` is its name in the prices, where it differs. Several models are a ValueError.
    """
    models = list(dict.fromkeys(record.model for record in records))
    if len(models) > 1:
        raise ValueError(
            f"The records are of the models {', '.join(models)}, but a run is of one: read the "
            "file of each run by itself, and compare them with `logic-curriculum compare`."
        )
    groups = grouped(records, lambda record: (record.family, record.shots)).values()
    graded = [group for group in groups if any(record.graded for record in group)]
    return [_score_group(group, prices, priced_as) for group in graded]


def _score_group(
    records: Sequence[Record], prices: PriceTable | None, priced_as: str | None
) -> Scores:
    first = records[0]
    tasks = list(task_scores(records).values())
    scope = (SEED, first.family, first.shots)
    by_tier, by_number = grouped(tasks, lambda t: t.tier), grouped(tasks, lambda t: t.level)
    names = dict.fromkeys(name for task in tasks for name in task.means if name not in _OWN)
    read = _total([record.prompt_tokens for record in records])
    written = _total([record.completion_tokens for record in records])
    return Scores(
        model=first.model,
        family=first.family,
        dataset=data_set_of(first.metadata),
        shots=first.shots,
        answers=len(records),
        ungraded=sum(not record.graded for record in records),
        reasoning_level=sum_of_means(by_level(tasks, "accuracy"), *scope, "accuracy"),
        overall=_slice("all", "", tasks, scope),
        tiers=tuple(_slice(tier, tier, group, scope) for tier, group in by_tier.items()),
        levels=tuple(_slice(str(n), own[0].tier, own, scope) for n, own in by_number.items()),
        pass_at=pass_at_estimates(tasks, scope),
        metrics={name: mean(by_level(tasks, name), *scope, name) for name in names},
        prompt_tokens=read,
        completion_tokens=written,
        cost=cost(prices.of(priced_as or first.model) if prices else None, read, written),
    )


def data_set_of(metadata: Mapping[str, Any]) -> str:
    """Return the published data set that a record's task is of; empty for the ladder of levels."""
    return str(metadata.get("preset") or metadata.get("set") or "")


def task_scores(records: Iterable[Record]) -> dict[tuple[str, int, str, int], TaskScore]:
    """Return by question the scores on one family where graded, lowest level first."""
    graded = sorted((record for record in records if record.graded), key=lambda r: r.level)
    answers = grouped(graded, lambda record: record.question)
    return {key: _task_score(group) for key, group in answers.items()}


def _task_score(records: Sequence[Record]) -> TaskScore:
    verdicts = [record.verdict for record in records]
    solved = sum(verdict.solved for verdict in verdicts)
    values: dict[str, list[float]] = {"partial": [verdict.partial for verdict in verdicts]}
    for name in verdicts[0].metrics:
        values[name] = [verdict.metrics.get(name, 0.0) for verdict in verdicts]
    means = {"accuracy": solved / len(verdicts), "syntax": fmean(v.syntax for v in verdicts)}
    for name, given in values.items():
        if finite := [value for value in given if math.isfinite(value)]:
            means[name] = sum(finite) / len(finite)
    tokens = _total([record.completion_tokens for record in records])
    if tokens is not None:
        means[TOKENS] = tokens / len(verdicts)
    tier = str(records[0].metadata.get("tier", ""))
    return TaskScore(records[0].level, tier, len(verdicts), solved, means)


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def by_level(tasks: Iterable[TaskScore], name: str) -> dict[int, list[float]]:
    """Return a measurement of the tasks that have it, by level; see :class:`TaskScore`."""
    groups = grouped((task for task in tasks if name in task.means), lambda task: task.level)
    return {level: [task.means[name] for task in group] for level, group in groups.items()}


def _slice(name: str, tier: str, tasks: Sequence[TaskScore], scope: Sequence[Any]) -> Slice:
    values = {measure: by_level(tasks, measure) for measure in _OWN}
    means = {measure: mean(found, *scope, measure) for measure, found in values.items() if found}
    tokens = means.get(TOKENS) if all(TOKENS in task.means for task in tasks) else None
    known = (means["accuracy"], means["syntax"], means.get("partial"), tokens)
    return Slice(name, tier, len(tasks), *known)


def pass_at_estimates(tasks: Sequence[TaskScore], scope: Sequence[Any]) -> dict[int, Estimate]:
    """Return pass@k for 1, 2, 4 and so on, and for as many answers as a task has.

    Only tasks with k answers or more count for k.
    """
    most = max(task.answers for task in tasks)
    found = {}
    for k in sorted({most, *(2**power for power in range(most.bit_length()))}):
        measured = ("accuracy",) if k == 1 else ("pass", k)  # the same resamples for pass@1
        able = grouped((t for t in tasks if t.answers >= k), lambda task: task.level)
        values = {n: [pass_at(k, t.answers, t.solved) for t in own] for n, own in able.items()}
        found[k] = mean(values, *scope, *measured)
    return found
