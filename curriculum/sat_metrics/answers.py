"""From records to what is counted: what a text is, and what a model said it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from logic_curriculum.curriculum.records import Record
from logic_curriculum.rewards.sat.answer import read_verdict

FAMILY = "sat"
_SAID = {"false_positive": True, "false_negative": False, "ambiguous": None, "truncated": None}
_SAID["unreadable"] = None


@dataclass(frozen=True)
class Answer:
    """One graded answer to one text."""

    task: str
    """Fingerprint of the text."""
    run: int
    """Number of the answer among those to this text, from 0: the paper's runs."""
    consistent: bool
    """The truth."""
    said: bool | None
    """Whether the model called the text consistent; None where it said neither."""
    solved: bool
    """Whether it also proved that, where a proof is asked for."""
    variables: int
    """n_V."""
    clauses: int
    """n_C."""
    read: int
    """Characters of the prompt."""
    written: int
    """Characters of the completion."""

    @property
    def is_right(self) -> bool:
        """Whether the verdict is right, whatever its proof."""
        return self.said is self.consistent


class Experiment(NamedTuple):
    """What was asked of whom."""

    dataset: str
    model: str

    def __str__(self) -> str:
        return f"{self.dataset} · {self.model}"


def experiments(records: Iterable[Record]) -> dict[Experiment, list[Answer]]:
    """Return the graded answers on consistency, by data set and model, in the records' order.

    Records of other families are passed over, and so are answers that could not be graded.

    Raises:
        ValueError: If a record lacks what the metrics need, or none is of this family.
    """
    found: dict[Experiment, list[Answer]] = {}
    count = 0
    for record in records:
        count += 1
        if record.family == FAMILY and record.graded:
            experiment = Experiment(_dataset(record), record.model)
            found.setdefault(experiment, []).append(read_answer(record))
    if not found:
        raise ValueError(
            f"None of {count} records is a graded answer of the family {FAMILY}, so there is "
            "nothing to measure: give the results of an evaluation on consistency tasks."
        )
    return found


def _dataset(record: Record) -> str:
    """Return the preset's name or the ladder's, and what else was asked in another way."""
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
    """Return what the metrics need of a record.

    Raises:
        ValueError: If it lacks the number of variables or clauses, a readable solution, or what
            the judge found.
    """
    consistent = read_verdict(record.solution).answer
    if consistent is None:
        raise _lacking(record, f"its solution {record.solution[:80]!r} gives no verdict")
    return Answer(
        task=record.id,
        run=record.sample,
        consistent=consistent,
        said=_said(record, consistent),
        solved=record.verdict.solved,
        variables=_number(record, "variables"),
        clauses=_number(record, "clauses"),
        read=len(record.prompt),
        written=len(record.completion),
    )


def _said(record: Record, consistent: bool) -> bool | None:
    metrics: Mapping[str, float] = record.verdict.metrics
    if metrics.get("verdict"):
        return consistent
    for name, said in _SAID.items():
        if metrics.get(name):
            return said
    raise _lacking(record, f"its verdict has none of the metrics verdict, {', '.join(_SAID)}")


def _number(record: Record, name: str) -> int:
    value = record.metadata.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _lacking(record, f"its metadata say {name}={value!r}, not a whole number")
    return value


def _lacking(record: Record, problem: str) -> ValueError:
    return ValueError(
        f"Record {record.id}, sample {record.sample}, can't be measured: {problem}. Keep the task "
        "columns as the generator made them, and the verdict as the judge of sat gave it."
    )
