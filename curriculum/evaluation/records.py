"""Records of answers: the task, the completion and the verdict, one JSON line per answer.

``recipes/evaluate.py`` writes them; tables, charts and comparisons are computed from them alone.
"""

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_origin, get_type_hints

from logic_curriculum.common.files import atomic_write, lines_of
from logic_curriculum.generators import Task, registry
from logic_curriculum.rewards import Verdict

BULKY = 200  # Characters, as JSON, from which on records leave out an entry of a task's metadata
Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Record:
    """One answer of a model to one task."""

    id: str  # Fingerprint of the task: equal for tasks of equal content, whatever run they are in
    family: str
    level: int
    seed: int
    split: str
    sample: int  # Number of the answer among the answers to this task, from 0
    shots: int  # Worked examples in front of the question
    model: str
    prompt: str  # The question as the model read it, examples included, before any chat template
    completion: str
    solution: str  # An answer that the judge accepts
    verdict: Verdict
    verification: Mapping[str, Any] = field(default_factory=dict)
    """``Task.verification``, so that an answer can be judged again; empty in old files."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """``Task.metadata`` without its entries of :data:`BULKY` or more characters."""
    prompt_tokens: int | None = None  # Tokens the model read; None where nobody counted them
    completion_tokens: int | None = None
    """Tokens the model wrote, hidden thoughts included; None where nobody counted them."""
    seconds: float | None = None
    """Time that an endpoint took for the answer; None for a local model, which answers batches."""

    @property
    def question(self) -> tuple[str, int, str, int]:
        """Return family, level, task and shots; a task that two levels share is asked at each."""
        return self.family, self.level, self.id, self.shots

    @property
    def key(self) -> tuple[str, int, str, int, int]:
        """Return the question and the sample, by which the records of one run differ."""
        return *self.question, self.sample

    @property
    def graded(self) -> bool:
        """Return whether the judge could decide; if not, the record says nothing of the model."""
        return self.verdict.reward is not None and math.isfinite(self.verdict.reward)

    def to_json(self) -> str:
        """Return the record as one line of JSON, without its end; NaN and infinities are null."""
        return dumps(self, ensure_ascii=False)


def make_record(
    task: Task, verdict: Verdict, *, sample: int = 0, shots: int = 0, id: str = "", **answer: Any
) -> Record:
    """Return the record of an answer to a task; ``answer`` has more fields of :class:`Record`.

    Without an ``id``, the task's fingerprint is one.
    """
    found = registry.family(task.family)
    return Record(
        id=id or found.fingerprint(task),
        family=task.family,
        level=task.level,
        seed=task.seed,
        split=str(task.metadata.get("split", "")),
        sample=sample,
        shots=shots,
        solution=task.solution,
        verdict=verdict,
        verification=json.loads(json.dumps(task.verification)),
        metadata={"tier": found.tier(task.level), **light_metadata(task.metadata)},
        **answer,
    )


def light_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that are shorter than :data:`BULKY` characters, as JSON has them."""
    texts = {name: json.dumps(value) for name, value in metadata.items()}
    return {name: json.loads(text) for name, text in texts.items() if len(text) < BULKY}


def parse_record(line: str) -> Record:
    """Return the record of a line, null measurements as NaN; a ValueError if it is none."""
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError(f"a {type(found).__name__}, not an object")
    found = {"verification": {}, "seconds": None, **found}  # files of earlier versions lack them
    if "verdict" in found:
        try:
            found["verdict"] = _parse_verdict(found["verdict"])
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(f"verdict: {error}") from error
    return _checked(Record, found)


def _parse_verdict(found: Any) -> Verdict:
    metrics = {name: _number(value) for name, value in found.get("metrics", {}).items()}
    numbers = {"partial": _number(found.get("partial")), "metrics": metrics}
    numbers["faults"] = _texts(found.get("faults", {}))  # files of earlier versions have none
    if type(found.get("reward")) is int:
        numbers["reward"] = float(found["reward"])
    return _checked(Verdict, {**found, **numbers})


def _texts(value: Any) -> dict[str, str]:
    if not all(isinstance(text, str) for text in value.values()):
        raise TypeError(f"faults is {value!r:.40}, which are no texts")
    return dict(value)


def _number(value: object) -> float:
    if value is None:
        return math.nan
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


_hints = cache(get_type_hints)


def _checked(kind: type[Item], found: Mapping[str, Any]) -> Item:
    """Return the dataclass with these values, whose types must be those of its fields."""
    hints = _hints(cast(Hashable, kind))
    if wrong := sorted(found.keys() ^ hints.keys()):
        raise ValueError(f"{', '.join(wrong)} missing or unknown; the keys are {', '.join(hints)}")
    for name, hint in hints.items():
        allowed = hint if isinstance(hint, UnionType) else get_origin(hint) or hint
        if not isinstance(found[name], allowed):
            expected = getattr(allowed, "__name__", allowed)
            raise ValueError(f"{name} is {found[name]!r:.40}, but {expected} is needed")
    return kind(**found)


def read_records(path: Path, is_part: bool = False) -> list[Record]:
    """Return the records of a file, in its order; a line that is none is a ValueError.

    Blank lines are skipped, and the end of the part of a run that was killed in a line.
    """
    remedy = "give a file of `logic-curriculum evaluate`, with one JSON object a line."
    if is_part:
        remedy = "delete the line, and its question is asked again."
    records = []
    for number, line in enumerate(lines_of(path.read_bytes().splitlines(keepends=True)), 1):
        if line.strip() and (line.endswith(b"\n") or not is_part):
            try:
                records.append(parse_record(line.decode()))
            except ValueError as error:
                message = f"{path}, line {number} is no record ({error}): {remedy}"
                raise ValueError(message) from error
    return records


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key, in the order of the keys' first items."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records to a file that appears when it is complete."""
    with atomic_write(path) as partial, open_for_records(partial, "w") as file:
        file.writelines(record.to_json() + "\n" for record in records)


def open_for_records(path: Path, mode: str) -> Any:
    """Open a file for records, in which half a surrogate pair is written as its JSON escape."""
    return path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n")


def dumps(value: Any, **options: Any) -> str:
    """Return data as strict JSON, with null in place of numbers that are not finite.

    >>> dumps({"mean": float("nan"), "count": 2})
    '{"mean": null, "count": 2}'
    """
    return json.dumps(_as_data(value), allow_nan=False, **options)


def _as_data(value: Any) -> Any:
    """Return mappings for what has named fields, floats for numpy's numbers, else texts."""
    if is_dataclass(value):
        return {item.name: _as_data(getattr(value, item.name)) for item in fields(value)}
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(name): _as_data(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_data(item) for item in value]
    if isinstance(value, bool | int | str | None):
        return value
    try:
        return float(value) if math.isfinite(float(value)) else None
    except (TypeError, ValueError):
        return str(value)
