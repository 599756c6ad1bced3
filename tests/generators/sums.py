"""A small family made up here, for tests of the dataset builder."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from logic_curriculum.generators import Family, Options, option, register_family, registry
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards import REWARDS, Judge, Verdict
from logic_curriculum.rewards.registry import JUDGES

KINDS = {"low": 0, "high": 10**6}  # languages of tasks whose second number is low or high
FIRST_NUMBERS = {"train": (0, 800), "validation": (800, 900), "test": (900, 1000)}


def generate_sum(
    family: str, level: int, seed: int, *, split: str = "train", language: str = "", **_: str
) -> Task:
    """A sum of two numbers; level 1 holds only eight different tasks, the others many."""
    rng = stream(family, level, seed)
    low, high = FIRST_NUMBERS[split]
    first = rng.randrange(low, min(high, low + 8) if level == 1 else high)
    second = 1 if level == 1 else rng.randrange(10**6) + KINDS.get(language, 0)
    verification = {"sum": first + second}
    text = f"{first} + {second} = ?"
    return Task(family, level, seed, text, str(first + second), verification, {"first": first})


class SumJudge(Judge[int]):
    family = "sum"

    def read_payload(self, payload: Mapping[str, Any]) -> int:
        return int(payload["sum"])

    def judge_text(self, text: str, payload: int) -> Verdict:
        return Verdict(text == str(payload), float(text == str(payload)))


@dataclasses.dataclass(frozen=True)
class SumOptions(Options):
    style: str = option("full", "style of the prompt")
    language: str = option("english", "a file")


class SumFamily(Family):
    name = "sum"
    judge = SumJudge()
    tiers = ("basic", "easy", "hard")
    options = SumOptions
    leak_unit = "first number"
    columns: ClassVar[Mapping[str, str]] = {"first number": "the number to the left"}

    def make(self, level: int, seed: int, options: Any) -> Task:
        return generate_sum("sum", level, seed, **vars(options))

    def leak_key(self, task: Task) -> str:
        return str(task.metadata["first"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        return {"first number": task.metadata["first"]}

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        return {"train": 5 + level, "validation": 2, "test": 3}

    def published_parts(
        self, split: str, level: int, count: int, options: Mapping[str, Any]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        if options.get("style") != "two kinds":
            return [(count, {})]
        return [(count - count // 2, {"language": "low"}), (count // 2, {"language": "high"})]

    def versions(self) -> dict[str, str]:
        return {"adder": "1.0"}


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the family, for one test."""
    for known in (registry._REGISTERED, JUDGES, REWARDS):
        monkeypatch.setitem(known, "sum", None)  # which is undone at the end
        del known["sum"]
    register_family(SumFamily())


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file by its path inside the folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
