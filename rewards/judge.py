"""Verdict, what every judge returns, and Judge, the base: all that judges have in common."""

from __future__ import annotations

import json
import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from logic_curriculum.rewards.answers import STATUSES, Reading
from logic_curriculum.rewards.completions import Completion, completion_texts, paired, plain

Payload = TypeVar("Payload", bound=Hashable)
_SHORT = reprlib.Repr()  # of any depth, which repr is not
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _SHORT.maxlist = _SHORT.maxdict = 60


@dataclass(frozen=True)
class Verdict:
    """A judge's finding on one completion.

    A completion can be right, wrong, or not gradable. The last is our fault (a broken row, a lost
    worker), never the model's: ``reward`` is then ``None`` and TRL leaves the completion out of the
    advantage. An answer that is too laborious to decide is wrong.
    """

    solved: bool  # whether the answer passes everything the task asks for
    reward: float | None  # the family's default reward in [0, 1], or `None` when not gradable
    syntax: bool = False  # whether an answer was found and could be read
    partial: float = 0.0  # the family's partial score in [0, 1]
    answer: str | None = None  # as extracted from the completion, `None` when there was none
    explanation: str = ""  # one line for a reader: why this verdict
    metrics: Mapping[str, float] = field(default_factory=dict)  # logged beside the reward

    def __post_init__(self) -> None:
        object.__setattr__(self, "solved", plain(self.solved))  # NumPy's bool is another one


@dataclass(frozen=True)
class ExtractionForm:
    """How a language model writes out an answer that the parser can't read (``llm_extraction``)."""

    layout: str  # what the model is told about the form of the answer
    claims: re.Pattern[str]  # parts of the extract that must stand in the completion
    hints: Callable[[Mapping[str, Any]], str] = lambda payload: ""
    """Returns what else the model is told of a task, of its payload; never the solution."""
    spelled_numbers: bool = False  # whether a completion may claim a number by "three" or "third"
    in_block: bool = True  # whether the model writes an answer block's content or a completion


class Verification:
    """Base of what a judge reads from a row; a subclass is a dataclass of pydantic."""

    def to_dict(self) -> dict[str, Any]:
        """Return the ``verification`` of a task."""
        return TypeAdapter(type(self)).dump_python(self, mode="json")


class Judge(ABC, Generic[Payload]):
    """The base of every family's judge; the family's object has an instance of a subclass.

    That must have ``family``, :meth:`read_payload`, and :meth:`judge_text` or :meth:`judge_texts`.
    """

    family: ClassVar[str]  # name of the family
    task_version: ClassVar[int] = 1
    """Rises when the same arguments make another task, another prompt or another payload."""
    reward_version: ClassVar[int] = 1
    """Rises when the same completion is paid differently. Rows, run folders and checkpoints carry
    both versions, and one of other versions is refused: its figures would mean something else."""
    rewards: ClassVar[Mapping[str, str]] = {}
    """Name of a further reward function, beside ``<family>_reward`` → what of a verdict it pays:
    ``"partial"`` or a key of the metrics, which every graded verdict must have."""
    partial_name: ClassVar[str] = ""  # what tables call the partial score, if not that
    paper: ClassVar[Judge[Any] | None] = None
    """Scores answers as the family's paper does, for evaluations and ``<family>_paper_reward``."""
    errors: ClassVar[tuple[str, ...]] = ()
    """What can be wrong with an answer. Each is a metric of every verdict, 1.0 where it holds."""
    extraction: ClassVar[ExtractionForm | None] = None  # for an evaluation, where there is one

    def __init__(self) -> None:
        # Several reward functions of a trainer judge one batch, and a group shares its row.
        self._judge_again = lru_cache(maxsize=2)(self.judge_texts)
        self._read_text = lru_cache(maxsize=256)(self.read)

    @property
    def versions(self) -> dict[str, int]:
        """Return ``task_version`` and ``reward_version``."""
        return {"task_version": self.task_version, "reward_version": self.reward_version}

    @abstractmethod
    def read_payload(self, payload: Mapping[str, Any]) -> Payload:
        """Return what the judge needs of a row's verification, hashable.

        What pydantic refuses in it is told in one line, as is a ``ValueError``.
        """

    def judge_text(self, text: str, payload: Payload) -> Verdict:
        """Return the verdict on a completion."""
        raise NotImplementedError

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[Payload]) -> Sequence[Verdict]:
        """Return the verdicts on a batch, for judges that save time by seeing all of it."""
        verdicts = []
        for index, (text, payload) in enumerate(zip(texts, payloads, strict=True)):
            with named_row(index):
                verdicts.append(self.judge_text(text, payload))
        return verdicts

    def error_metrics(self, *raised: str | None) -> dict[str, float]:
        """Return the metrics of :attr:`errors`: 1.0 for those that hold, 0.0 for the others."""
        return {name: float(name in raised) for name in self.errors}

    def categories(self, verdict: Verdict) -> tuple[str, ...]:
        """Return the errors of a graded answer, by the names of its metrics; none if it is right.

        They are the status of an answer that was not found, and :attr:`errors`. Where a judge has
        none of them to say, it is ``unreadable``, ``partly_right`` or ``wrong``.
        """
        found = tuple(n for n in (*STATUSES[1:], *self.errors) if verdict.metrics.get(n) == 1.0)
        if found or verdict.solved:
            return found
        if not verdict.syntax:
            return ("unreadable",)
        return ("partly_right",) if verdict.partial > 0 else ("wrong",)

    def unanswered(self, reading: Reading[Any], raised: str | None = None) -> Verdict:
        """Return the verdict on a completion without an answer that can be read."""
        metrics = {**reading.metrics, **self.error_metrics(raised)}
        return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)

    def judge_batch(
        self, completions: Iterable[Completion], verifications: Iterable[Any]
    ) -> list[Verdict]:
        """Judge texts, or conversational messages as TRL passes them; return verdicts in order.

        ``verifications`` has one payload per completion, a mapping or its JSON text. Both are read
        by :func:`.as_list`. A ValueError names the position of a payload that is malformed or of
        another version, or says that the two lengths differ.
        """
        texts = completion_texts(completions)
        rows = paired("verifications", verifications, len(texts))
        verdicts = list(self._judge_again(tuple(texts), self._read_all(rows)))
        if len(verdicts) != len(texts):
            raise ValueError(
                f"{type(self).__name__}.judge_texts gave {len(verdicts)} verdicts for {len(texts)} "
                "completions: return one for each, in their order."
            )
        if unsound := [verdict for verdict in verdicts if not _is_sound(verdict)]:
            raise ValueError(
                f"{type(self).__name__} gave {unsound[0]!r:.80}: give a Verdict whose solved is "
                "True or False, and whose reward and partial are from 0 to 1."
            )
        if any(verdict.reward is None for verdict in verdicts):
            self._judge_again.cache_clear()  # a lost verdict deserves another try
        return verdicts

    def _read_all(self, verifications: Sequence[Any]) -> tuple[Payload, ...]:
        payloads: list[Payload] = []
        for index, row in enumerate(verifications):
            if index and row is verifications[index - 1]:
                payloads.append(payloads[-1])  # a group of completions shares its row
                continue
            with named_row(index):
                payloads.append((self._read_text if isinstance(row, str) else self.read)(row))
        return tuple(payloads)

    def warn_of_training(self, verifications: Sequence[Any]) -> None:
        """Warn, once, if training on such rows teaches something else than the family's task."""

    def read(self, verification: Any) -> Payload:
        """Return the payload of a row or its verification; a ``ValueError`` says what is wrong."""
        row = as_mapping(verification)
        payload = as_mapping(row.get("verification", row))  # of a whole row
        if "verification" in row and row.get("family", self.family) != self.family:
            raise ValueError(
                f"The row is of family {_SHORT.repr(row['family'])}, not of {self.family}: choose "
                "its own judge or reward function, or logic_reward, which judges any."
            )
        for name, current in self.versions.items():
            if (given := payload.get(name)) not in (None, current):  # one made by hand has none
                raise ValueError(
                    f"The row is of another family (logic_reward judges all), or has {name} "
                    f"{_SHORT.repr(given)} of {self.family}, but this library has {name} {current},"
                    " whose rewards mean something else: make the rows again with this library, or "
                    "install the version of it that made them."
                )
        try:
            read = self.read_payload(payload)
            hash(read)
        except ValidationError as error:
            raise _refusal(error, payload) from error
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{type(self).__name__}.read_payload failed on the keys "
                f"{sorted(map(str, payload))} with {error!r}. Keep the generator's 'verification' "
                "column as it is, or fix the method: what it returns must be hashable, so keep "
                "tuples instead of lists and frozen dataclasses in it."
            ) from error
        return read


def _is_sound(verdict: object) -> bool:
    """Return whether it is a verdict whose scores are in their ranges."""
    if not isinstance(verdict, Verdict) or not isinstance(verdict.solved, bool):
        return False
    scores = [verdict.partial, 0.0 if verdict.reward is None else verdict.reward]
    return all(hasattr(score, "__float__") and 0 <= score <= 1 for score in scores)


@contextmanager
def named_row(index: int) -> Iterator[None]:
    """Name the row in the error that a malformed payload raises."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"Row {index} can't be judged. {error}") from error


def as_mapping(verification: Any) -> Mapping[str, Any]:
    """Return a payload, a mapping or its JSON text, as a mapping; else raise a ``ValueError``."""
    verification = plain(verification)
    if isinstance(verification, str):
        try:
            verification = json.loads(verification)
        except (ValueError, RecursionError) as error:  # too long a number, too many brackets
            raise ValueError(
                f"The verification {verification[:60]!r} is no JSON that can be read ({error}). "
                "Pass the mapping itself or the text that json.dumps made of it."
            ) from error
    if not isinstance(verification, Mapping):
        raise ValueError(
            f"The verification is of type {type(verification).__name__}, but the judge reads a "
            "mapping or its JSON text. Keep the generator's 'verification' column as it is."
        )
    return verification


def _refusal(error: ValidationError, payload: Mapping[str, Any]) -> ValueError:
    """Return in one line the first thing that pydantic finds wrong with a payload."""
    first = error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"]))
    if first["type"] == "missing" or first["input"] is None:
        there = sorted(str(key) for key, value in payload.items() if value is not None)
        return ValueError(
            f"The row has no {name!r}, only {there}, so there is nothing to judge by. "
            "Keep the generator's 'verification' column in the dataset."
        )
    if first["type"] == "value_error":  # raised by the payload itself
        return ValueError(first["ctx"]["error"])
    return malformed(name, first["input"], first["msg"])


def malformed(name: str, value: Any, problem: str) -> ValueError:
    """Return the error for a value that a judge can't read; ``problem`` says how it should be."""
    given = f"{name[:60]!r} is {_SHORT.repr(value)[:60]} of type {type(value).__name__}"
    return ValueError(f"{given}: {problem}. Give it as the generator's 'verification' column does.")
