"""What the judge of ``slr`` reads from a row, and what the generator writes into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from logic_curriculum.rewards.engines.prolog import Cases, own_facts
from logic_curriculum.rewards.judge import malformed

_NAME = re.compile(r"[a-z]\w*", re.ASCII)


@dataclass(frozen=True)
class SlrPayload:
    """The programs of one task as texts of ground facts, labels included."""

    validation_program: str  # the examples as the prompt shows them
    positive: str = "eastbound"
    """Predicate that labels positive examples and that a hypothesis defines."""
    negative: str = "westbound"  # predicate that labels negative examples
    heldout_program: str | None = None
    """Fresh examples labelled by the ground-truth rule; with ``accepted``, all possible ones."""
    accepted: tuple[str, ...] | None = None
    """Outcomes over ``heldout_program`` that are accepted: texts of 0 and 1, one for an example."""
    validation_cases: str | None = None  # the validation program packed, see ``Cases.packed``
    heldout_cases: str | None = None  # the same for the held-out program

    def __post_init__(self) -> None:
        """Refuse values of a wrong type."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "accepted" or value is field.default or isinstance(value, str):
                continue
            raise malformed(field.name, value, "text")
        for name in ("positive", "negative"):
            if not _NAME.fullmatch(value := getattr(self, name)):
                needed = "a predicate: a small letter, then letters, digits and underscores"
                raise malformed(name, value, needed)
        if self.accepted is not None and self.heldout_program is None:
            raise ValueError(
                "accepted is given, but there is no heldout_program whose outcomes it lists. Add "
                "the program or drop accepted."
            )
        for pattern in self.accepted or ():
            if not isinstance(pattern, str) or not pattern or set(pattern) - {"0", "1"}:
                needed = "texts of 0 and 1, one for each example of heldout_program"
                raise malformed("An item of accepted", pattern, needed)

    def packed(self) -> SlrPayload:
        """Return the payload with both programs as the engine reads them, too."""
        validation_cases, heldout_cases = (
            own_facts(program, self.positive, self.negative).packed(program)
            for program in (self.validation_program, self.heldout_program)
            if program is not None
        )
        return replace(self, validation_cases=validation_cases, heldout_cases=heldout_cases)

    def to_dict(self) -> dict[str, Any]:
        """Return the payload as a row's verification."""
        content = {name: value for name, value in vars(self).items() if value is not None}
        return content | ({} if self.accepted is None else {"accepted": list(self.accepted)})


@dataclass(frozen=True)
class SlrTask:
    """The examples of one task, each with its own facts."""

    shown: Cases  # the examples in the prompt
    fresh: Cases | None  # fresh examples, if the task has any
    accepted: frozenset[str] | None  # outcomes over these that are accepted, if the task lists them

    @property
    def metrics(self) -> Mapping[str, float]:
        """What is worth knowing of the task whatever the answer."""
        sharing = self.shown.sharing + (self.fresh.sharing if self.fresh else 0)
        return {"sharing": float(sharing)} if sharing else {}


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's programs; the latest ones are kept, since a group shares its task.

    Raises a ValueError as :func:`own_facts` does, and when ``accepted`` does not fit the fresh
    examples.
    """
    names = payload.positive, payload.negative
    cases = own_facts(payload.validation_program, *names, payload.validation_cases)
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
    return SlrTask(cases, fresh, accepted)
