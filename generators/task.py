"""The record that every family makes, its row in a dataset, and the splits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Any, Literal, get_args

Split = Literal["train", "validation", "test"]
SPLITS: tuple[str, ...] = get_args(Split)
ROLES = {"prompt": "user", "completion": "assistant"}  # Columns of TRL, and who speaks in them


@dataclass(frozen=True)
class Task:
    """A generated task: what the model sees, one right answer, and what a judge needs."""

    family: str  # name of the generator family, e.g. `"slr"`
    level: int  # curriculum level, counted from 1
    seed: int  # the seed; with family, level, split and options it determines everything else
    prompt: str  # the text shown to the model
    solution: str  # one answer that the family's judge accepts
    verification: Mapping[str, Any]
    """JSON-able payload of the judge; see ``docs/rewards.md`` for the keys of each family."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """JSON-able description for analysis; no judge reads it."""

    def __repr__(self) -> str:
        """Return the task in a line or two: long texts are cut, payloads left out."""
        prompt, solution = (shorten(text, 72) for text in (self.prompt, self.solution))
        named = f"family={self.family!r}, level={self.level}, seed={self.seed}"
        return f"Task({named}, prompt={prompt!r}, solution={solution!r})"

    def to_row(self, conversational: bool = False) -> dict[str, Any]:
        """Return the task as a dataset row with TRL's ``prompt`` and ``completion`` columns.

        These are texts or, for models with a chat template, messages. The two payloads become JSON
        strings: Arrow would give every row the union of all rows' keys, filled with nulls.
        """
        same = {"family": self.family, "level": self.level, "seed": self.seed}
        payloads = {"verification": self.verification, "metadata": self.metadata}
        texts = {name: json.dumps(value, sort_keys=True) for name, value in payloads.items()}
        row = {"prompt": self.prompt, "completion": self.solution, **same, **texts}
        return as_chat(row) if conversational else row


def as_chat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose prompt and completion are chat messages; those that are ones stay."""
    texts = {name: role for name, role in ROLES.items() if isinstance(row.get(name), str)}
    return {**row, **{name: [{"role": r, "content": row[name]}] for name, r in texts.items()}}


def split_of_examples(asked: str) -> str:
    """Return the split of worked examples in front of questions of a split: always another one."""
    return "train" if asked == "validation" else "validation"


TEST_SHARE, VALIDATION_SHARE = 0.2, 0.1  # of all keys; the rest are those of the train split


def digest(text: str) -> str:
    """Return 128 bits of a text's SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def split_of_digest(key: str) -> Split:
    """Return the split of a key that is a hash in hexadecimal; see :func:`split_by_share`."""
    return split_by_share(int(key[:15], 16) / 16**15)


def split_by_share(share: float) -> Split:
    """Return the split of a number in [0, 1), which a hash makes of what tasks have in common."""
    if share < TEST_SHARE:
        return "test"
    return "validation" if share < TEST_SHARE + VALIDATION_SHARE else "train"
