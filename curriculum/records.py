"""What a model answered and what the judge said of it: one JSON line an answer.

Such files are written by ``recipes/evaluate.py``; reports, tables and comparisons are made of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.valid_json import dumps
from logic_curriculum.generators import Task, registry
from logic_curriculum.generators.atomic import atomic_write
from logic_curriculum.rewards import Verdict

BULKY = 200
"""Characters, as JSON, from which on an entry of a task's metadata is left out of its records."""


@dataclass(frozen=True)
class Record:
    """One answer of a model to one task."""

    id: str
    """Fingerprint of the task: equal for tasks of equal content, whatever run they are in."""
    family: str
    level: int
    seed: int
    split: str
    sample: int
    """Number of the answer among the answers to this task, from 0."""
    shots: int
    """Worked examples in front of the question."""
    model: str
    prompt: str
    """The question as the model read it, examples included, before any chat template."""
    completion: str
    solution: str
    """An answer that the judge accepts."""
    verdict: Verdict
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """``Task.metadata`` without its long entries; see :func:`light_metadata`."""
    prompt_tokens: int | None = None
    """Tokens the model read; None where nobody counted them."""
    completion_tokens: int | None = None
    """Tokens the model wrote, hidden thoughts included; None where nobody counted them."""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Return what tells apart the records of one run: family, task, shots and sample."""
        return self.family, self.id, self.shots, self.sample

    @property
    def graded(self) -> bool:
        """Return whether the judge could decide; if not, the record says nothing of the model."""
        return self.verdict.reward is not None and math.isfinite(self.verdict.reward)

    def to_json(self) -> str:
        """Return the record as one line of JSON, without its end; NaN and infinities are null."""
        return dumps(asdict(self), ensure_ascii=False)


def make_record(
    task: Task,
    verdict: Verdict,
    *,
    model: str,
    prompt: str,
    completion: str,
    sample: int = 0,
    shots: int = 0,
    prompt_tokens: int | None = None,
    completion_tokens: int | None = None,
) -> Record:
    """Return the record of a model's answer to a task; see :class:`Record` for the arguments."""
    return Record(
        id=registry.family(task.family).fingerprint(task),
        family=task.family,
        level=task.level,
        seed=task.seed,
        split=str(task.metadata.get("split", "")),
        sample=sample,
        shots=shots,
        model=model,
        prompt=prompt,
        completion=completion,
        solution=task.solution,
        verdict=verdict,
        metadata=light_metadata(task.metadata),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def light_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that are shorter than :data:`BULKY` characters, as JSON has them."""
    texts = {name: json.dumps(value) for name, value in metadata.items()}
    return {name: json.loads(text) for name, text in texts.items() if len(text) < BULKY}


def parse_record(line: str) -> Record:
    """Return the record that :meth:`Record.to_json` wrote; a measurement that is null is NaN.

    Raises:
        ValueError: If the line is no record.
    """
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError(f"a {type(found).__name__}, not an object")
    names = [item.name for item in fields(Record)]
    wrong = sorted(set(found) ^ set(names))
    if wrong:
        raise ValueError(f"{', '.join(wrong)} missing or unknown; the keys are {', '.join(names)}")
    _check_kinds(found, _KINDS)
    try:
        verdict = Verdict(**found["verdict"])
        _check_kinds(vars(verdict), _VERDICT_KINDS)
        return Record(**{**found, "verdict": _read_back(verdict)})
    except (TypeError, ValueError) as error:
        raise ValueError(f"verdict: {error}") from error


_KINDS = {
    **dict.fromkeys(("id", "family", "split", "model", "prompt", "completion", "solution"), str),
    **dict.fromkeys(("level", "seed", "sample", "shots"), int),
    **dict.fromkeys(("prompt_tokens", "completion_tokens"), int | None),
    "metadata": dict,
}
"""Entry of a record → what it is in JSON."""
_VERDICT_KINDS = {
    **dict.fromkeys(("solved", "syntax"), bool),
    "reward": int | float | None,
    "answer": str | None,
    "explanation": str,
}
"""The same of its verdict, numbers apart."""


def _check_kinds(found: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
    for name, kind in kinds.items():
        if not isinstance(found[name], kind):
            expected = getattr(kind, "__name__", kind)
            raise ValueError(f"{name} is {found[name]!r:.40}, but {expected} is needed")


def _read_back(verdict: Verdict) -> Verdict:
    metrics = {name: _number(value) for name, value in dict(verdict.metrics).items()}
    return replace(verdict, partial=_number(verdict.partial), metrics=metrics)


def _number(value: object) -> float:
    if value is None:
        return math.nan
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value


def read_records(path: Path) -> list[Record]:
    """Return the records of a file, in its order; blank lines are skipped.

    Raises:
        ValueError: If a line is no record; the message names it.
    """
    records = []
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    records.append(parse_record(line.decode()))
                except ValueError as error:
                    raise ValueError(
                        f"{path}, line {number} is no record ({error}). Give a file that "
                        "recipes/evaluate.py wrote, with one JSON object a line."
                    ) from error
    return records


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records to a file that appears when it is complete."""
    with atomic_write(path) as partial, open_for_records(partial, "w") as file:
        file.writelines(record.to_json() + "\n" for record in records)


def open_for_records(path: Path, mode: str) -> Any:
    """Open a file for records. Half a surrogate pair, which UTF-8 lacks, is written as its escape.

    That escape is JSON's own, so the text comes back as it was.
    """
    return path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n")
