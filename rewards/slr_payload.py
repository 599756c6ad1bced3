"""What the judge of scalable inductive logic reads from a row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

from rewards.judges.prolog import Program, isomorphic_copy
from rewards.payload import as_mapping, shown


@dataclass(frozen=True)
class SlrPayload:
    """The programs of one task as texts of ground facts, labels included."""

    validation_program: str
    """The examples as the prompt shows them."""
    positive: str = "eastbound"
    """Predicate that labels positive examples and that a hypothesis defines."""
    negative: str = "westbound"
    """Predicate that labels negative examples."""
    isomorphic_program: str | None = None
    """The validation program with renamed objects; derived from it when absent."""
    heldout_program: str | None = None
    """Fresh examples labelled by the ground-truth rule."""
    heldout_threshold: float | None = None
    """Held-out accuracy in (0, 1] that an answer must reach to count as solved, if any."""

    def __post_init__(self) -> None:
        """Refuse values of a wrong type, and a gate that can't be applied."""
        for name in _REQUIRED_TEXTS:
            _check_text(name, getattr(self, name))
        for name in _OPTIONAL_TEXTS:
            if getattr(self, name) is not None:
                _check_text(name, getattr(self, name))
        if self.heldout_threshold is not None:
            self._check_threshold(self.heldout_threshold)

    def _check_threshold(self, threshold: Any) -> None:
        if not isinstance(threshold, Real) or isinstance(threshold, bool):
            raise ValueError(
                f"heldout_threshold is {shown(threshold)}, but an accuracy is a number in (0, 1]. "
                "Give a fraction such as 0.75, without quotes."
            )
        if self.heldout_program is None:
            raise ValueError(
                f"heldout_threshold is {threshold}, but there is no heldout_program "
                "to apply it to. Add the program or drop the threshold."
            )
        if not 0 < float(threshold) <= 1:
            raise ValueError(
                f"heldout_threshold is {threshold}, but an accuracy lies in (0, 1]. "
                "Give a fraction such as 0.75."
            )


_REQUIRED_TEXTS = ("validation_program", "positive", "negative")
_OPTIONAL_TEXTS = ("isomorphic_program", "heldout_program")


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ValueError(
            f"{name} is {shown(value)}, but the judge reads text. Give it as a string, as the "
            "generator's 'verification' column does."
        )


@dataclass(frozen=True)
class SlrTask:
    """The programs of one task."""

    isomorphic: Program
    extensional: Program
    heldout: Program | None
    heldout_threshold: float | None

    @property
    def programs(self) -> tuple[Program, ...]:
        """Isomorphic, extensional and, where there is one, held-out program."""
        return (self.isomorphic, self.extensional, *([self.heldout] if self.heldout else []))

    def check(self) -> None:
        """Parse every fact.

        Raises:
            ValueError: When something in a program is no ground fact; the message names its line.
        """
        for program in self.programs:
            Program.parse(program.text, program.positive, program.negative)


def read_payload(verification: Any) -> SlrPayload:
    """Read a verification payload or a row of the published data set.

    Args:
        verification: A mapping with the fields of :class:`SlrPayload` as keys (others are
            ignored), or its JSON text. Keys may be spelled with spaces, as in the columns of the
            published SLR-Bench. Nulls and empty texts count as absent.

    Raises:
        ValueError: When it is neither, holds no validation program, or a field has a wrong type
            or value.
    """
    verification = as_mapping(verification)
    fields = {
        str(key).replace(" ", "_"): value for key, value in verification.items() if _is_given(value)
    }
    if "validation_program" not in fields:
        raise ValueError(
            f"The row has no validation program, only {sorted(map(str, verification))}, so there "
            "is nothing to judge by. Keep the generator's 'verification' column or the published "
            "'validation program' column in the dataset."
        )
    known = {name: fields[name] for name in SlrPayload.__annotations__ if name in fields}
    return SlrPayload(**known)


def _is_given(value: Any) -> bool:
    """Return whether a cell holds something; tables fill the absent with nulls or empty text."""
    return bool(value) if isinstance(value, str) else value is not None


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's programs; the latest ones are kept, since a group shares its task.

    Raises:
        ValueError: When a program has no labels or can't be read; the message names its line.
            Facts are read on trust, see :meth:`SlrTask.check`.
    """

    def read(text: str) -> Program:
        return Program.read(text, payload.positive, payload.negative)

    extensional = read(payload.validation_program)
    return SlrTask(
        isomorphic=read(payload.isomorphic_program)
        if payload.isomorphic_program
        else isomorphic_copy(extensional),
        extensional=extensional,
        heldout=read(payload.heldout_program) if payload.heldout_program else None,
        heldout_threshold=payload.heldout_threshold,
    )
