"""What the judge of scalable inductive logic reads from a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from logic_curriculum.rewards.engines.prolog import Cases, own_facts
from logic_curriculum.rewards.payload import as_mapping, shown

TASK_VERSION = 3
REWARD_VERSION = 3
_ONLY_FIRST = ("isomorphic_program", "heldout_threshold")
"""Keys that only task version 1 wrote, before rows carried versions."""
_NAME = re.compile(r"[a-z]\w*", re.ASCII)


@dataclass(frozen=True)
class SlrPayload:
    """The programs of one task as texts of ground facts, labels included."""

    validation_program: str
    """The examples as the prompt shows them."""
    positive: str = "eastbound"
    """Predicate that labels positive examples and that a hypothesis defines."""
    negative: str = "westbound"
    """Predicate that labels negative examples."""
    heldout_program: str | None = None
    """Fresh examples labelled by the ground-truth rule; with ``accepted``, all possible ones."""
    accepted: tuple[str, ...] | None = None
    """Outcomes over ``heldout_program`` that are accepted: texts of 0 and 1, one for an example."""
    validation_cases: str | None = None
    """The validation program as the engine reads it, made beforehand, which saves time; see
    :meth:`logic_curriculum.rewards.engines.prolog.Cases.packed`."""
    heldout_cases: str | None = None
    """The same for the held-out program."""

    def __post_init__(self) -> None:
        """Refuse values of a wrong type."""
        for name in ("validation_program", "positive", "negative"):
            _check_text(name, getattr(self, name))
        for name in ("positive", "negative"):
            if not _NAME.fullmatch(getattr(self, name)):
                raise ValueError(
                    f"{name} is {shown(getattr(self, name))}, but a class is a predicate: a small "
                    "letter, then letters, digits and underscores."
                )
        for name in ("heldout_program", "validation_cases", "heldout_cases"):
            if getattr(self, name) is not None:
                _check_text(name, getattr(self, name))
        if self.accepted is not None:
            self._check_accepted(self.accepted)

    def _check_accepted(self, accepted: tuple[str, ...]) -> None:
        if self.heldout_program is None:
            raise ValueError(
                "accepted is given, but there is no heldout_program whose outcomes it lists. Add "
                "the program or drop accepted."
            )
        for pattern in accepted:
            if not isinstance(pattern, str) or not pattern or set(pattern) - {"0", "1"}:
                raise ValueError(
                    f"accepted holds {shown(pattern)}, but the judge reads texts of 0 and 1, one "
                    "for each example of heldout_program. Give them as the generator's "
                    "'verification' column does."
                )


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ValueError(
            f"{name} is {shown(value)}, but the judge reads text. Give it as a string, as the "
            "generator's 'verification' column does."
        )


@dataclass(frozen=True)
class SlrTask:
    """The examples of one task, each with its own facts."""

    shown: Cases
    """The examples in the prompt."""
    fresh: Cases | None
    """Fresh examples, if the task has any."""
    accepted: frozenset[str] | None
    """Outcomes over the fresh examples that are accepted, if they are listed."""

    def class_name(self, label: bool) -> str:
        """Return the name of a class."""
        return self.shown.positive if label else self.shown.negative

    @cached_property
    def metrics(self) -> Mapping[str, float]:
        """What is worth knowing of the task whatever the answer."""
        sharing = self.shown.sharing + (self.fresh.sharing if self.fresh else 0)
        return {"sharing": float(sharing)} if sharing else {}


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
    _check_not_first(verification)
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
    if not known.get("accepted"):
        known.pop("accepted", None)
    else:
        if isinstance(known["accepted"], str) or not isinstance(known["accepted"], Sequence):
            raise ValueError(
                f"accepted is {shown(known['accepted'])}, but the judge reads a list of texts. "
                "Give them as the generator's 'verification' column does."
            )
        known["accepted"] = tuple(known["accepted"])
    return SlrPayload(**known)


def _check_not_first(payload: Mapping[str, Any]) -> None:
    """Refuse rows of task version 1; published rows and rows made by hand have no such key."""
    first = next((key for key in _ONLY_FIRST if _is_given(payload.get(key))), None)
    if first is not None and payload.get("task_version") is None:
        raise ValueError(
            f"The row has {first!r} and no task_version, so it has task_version 1 of slr, but this "
            f"library has task_version {TASK_VERSION}, whose rewards mean something else: make the "
            "rows again with this library, or install the version of it that made them."
        )


def _is_given(value: Any) -> bool:
    """Return whether a cell holds something; tables fill the absent with nulls or empty text."""
    return bool(value) if isinstance(value, str) else value is not None


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's programs; the latest ones are kept, since a group shares its task.

    Raises:
        ValueError: When a program has no labels or holds something else than ground facts; the
            message names its line. Or when ``accepted`` does not fit the fresh examples.
    """
    names = payload.positive, payload.negative
    shown_cases = own_facts(payload.validation_program, *names, payload.validation_cases)
    fresh = None
    if payload.heldout_program:
        fresh = own_facts(payload.heldout_program, *names, payload.heldout_cases)
    accepted = None if payload.accepted is None else frozenset(payload.accepted)
    for pattern in payload.accepted or ():
        if fresh and len(pattern) != len(fresh.examples):
            raise ValueError(
                f"accepted lists outcomes of {len(pattern)} examples, but heldout_program has "
                f"{len(fresh.examples)}. Give one character for each of them."
            )
    return SlrTask(shown_cases, fresh, accepted)
