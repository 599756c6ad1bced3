"""Questions and answers of language models, their cache on disk, and what they cost."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from filelock import FileLock
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from logic_curriculum.common.files import atomic_write


class LLMError(RuntimeError):
    """No usable answer came; the message says from where, why, and what to change."""


class LLMAnswerError(LLMError):
    """An answer came that can't be used: it has no text, or not the form of an answer."""


@dataclass(frozen=True)
class Question:
    """Messages for a language model, and which of its possible answers to them is meant."""

    messages: tuple[tuple[str, str], ...]  # role and text, such as (("user", "Name a bird."),)
    sample: int = 0  # number of the answer, from 0

    @classmethod
    def of(cls, text: str, sample: int = 0) -> Question:
        """Return a question of one message by the user."""
        return cls((("user", text),), sample)

    def key(self, model: str, options: Mapping[str, Any]) -> str:
        """Return the SHA-256 of everything that the answer depends on, in hexadecimal."""
        content = [model, self.messages, options, self.sample]
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What the model wrote, as it came."""

    text: str
    finish_reason: str  # as the endpoint names it: "stop", or "length" when the text was cut off
    input_tokens: int | None  # by the endpoint's count; None when it does not tell
    output_tokens: int | None  # the same, thoughts that are not shown included
    seconds: float | None = field(default=None, compare=False)
    """From the question to the answer, retries included; None in files of earlier versions."""


@dataclass(frozen=True)
class AnswerCache:
    """A folder of JSON files, an answer beside its question in each, to be read or deleted by hand.

    Any number of processes may share it: a file appears when it is complete and on disk.
    """

    folder: Path

    def path(self, key: str) -> Path:
        """Return where the answer of a key is or will be."""
        return self.folder / key[:2] / f"{key}.json"

    def load(self, key: str) -> Answer | None:
        """Return a stored answer or None; a ``ValueError`` if the file is damaged."""
        path = self.path(key)
        try:
            return Answer(**json.loads(path.read_text(encoding="utf-8"))["answer"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{path} holds no stored answer ({error}): it was changed by something else than "
                "this program. Delete the file, and the question is asked again."
            ) from error

    def store(
        self, key: str, model: str, options: Mapping[str, Any], question: Question, answer: Answer
    ) -> None:
        """Write an answer; it is on disk when this returns."""
        content = {"model": model, "options": options, **asdict(question), "answer": asdict(answer)}
        with atomic_write(self.path(key)) as partial, partial.open("w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())

    def claim(self, key: str) -> FileLock:
        """Return the lock of a question that is being asked; a dying process gives it back."""
        path = self.folder / "locks" / f"{key[:3]}.lock"  # empty files that stay, so only 4,096
        path.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(path)


@checked_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Prices:
    """What an endpoint charges for a million tokens, in any currency; from 0."""

    input: Annotated[float, Field(strict=True, ge=0)]
    output: Annotated[float, Field(strict=True, ge=0)]

    def cost(self, read: int, written: int) -> float:
        """Return the price of tokens read and written."""
        return (read * self.input + written * self.output) / 1_000_000


@dataclass(frozen=True)
class Usage:
    """A count of answers and tokens."""

    asked: int = 0  # answers that the endpoint gave
    cached: int = 0  # answers that were there already, at no cost
    input_tokens: int = 0
    output_tokens: int = 0
    unmetered: int = 0  # answers for which the endpoint told no tokens; their cost is not known
    prices: Prices | None = None

    @property
    def cost(self) -> float | None:
        """Return the price of all metered answers; None when no prices were given."""
        if self.prices is None:
            return None
        return self.prices.cost(self.input_tokens, self.output_tokens)

    def __str__(self) -> str:
        tokens = f"{self.input_tokens:,} + {self.output_tokens:,} tokens"
        parts = [f"{self.asked} asked", f"{self.cached} from the cache", tokens]
        if self.cost is not None:
            parts.append(f"cost {self.cost:.4f}")
        if self.unmetered:
            parts.append(f"{self.unmetered} without a count of tokens")
        return ", ".join(parts)
