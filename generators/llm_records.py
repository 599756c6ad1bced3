"""What is asked of a language model, what it answers, and what that took."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Messages = tuple[tuple[str, str], ...]
"""Role and text of each message, such as ``(("user", "Name a bird."),)``."""


class LLMError(RuntimeError):
    """No usable answer came; the message says from where, why, and what to change."""


class LLMAnswerError(LLMError):
    """An answer came that can't be used: it has no text, or not the form of an answer."""


@dataclass(frozen=True)
class Question:
    """Messages for a language model, and which of its possible answers to them is meant."""

    messages: Messages
    sample: int = 0
    """Number of the answer, from 0: the same question may be asked many times, with an answer of
    its own for each number."""

    @classmethod
    def of(cls, text: str, sample: int = 0) -> Question:
        """Return a question of one message by the user."""
        return cls((("user", text),), sample)

    def key(self, model: str, options: Mapping[str, Any]) -> str:
        """Return the SHA-256 of everything that the answer depends on, in hexadecimal."""
        content = json.dumps(
            [model, self.messages, options, self.sample], sort_keys=True, ensure_ascii=False
        )
        return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True)
class Answer:
    """What the model wrote, as it came."""

    text: str
    finish_reason: str
    """As the endpoint names it: ``"stop"``, or ``"length"`` when the text was cut off."""
    input_tokens: int | None
    """Tokens of the question by the endpoint's count; None when it does not tell."""
    output_tokens: int | None
    """Tokens of the answer, thoughts that are not shown included; None when it does not tell."""


@dataclass(frozen=True)
class Prices:
    """What an endpoint charges, in any currency, for a million tokens."""

    input: float
    output: float

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        for name, value in (("input", self.input), ("output", self.output)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise ValueError(
                    f"prices: {name} is {value!r}, but a price per million tokens is a number from "
                    "0. Write one such as 0.15."
                )


@dataclass(frozen=True)
class Usage:
    """A count of answers and tokens."""

    asked: int = 0
    """Answers that the endpoint gave."""
    cached: int = 0
    """Answers that were there already, at no cost."""
    input_tokens: int = 0
    output_tokens: int = 0
    unmetered: int = 0
    """Answers for which the endpoint told no tokens; their cost is not known."""
    prices: Prices | None = field(default=None)

    @property
    def cost(self) -> float | None:
        """Return the price of all metered answers; None when no prices were given."""
        if self.prices is None:
            return None
        millions = self.input_tokens * self.prices.input + self.output_tokens * self.prices.output
        return millions / 1_000_000

    def __str__(self) -> str:
        parts = [
            f"{self.asked} asked",
            f"{self.cached} from the cache",
            f"{self.input_tokens:,} + {self.output_tokens:,} tokens",
        ]
        if self.cost is not None:
            parts.append(f"cost {self.cost:.4f}")
        if self.unmetered:
            parts.append(f"{self.unmetered} without a count of tokens")
        return ", ".join(parts)
