"""What the judge of ``slr`` reads from a row, and what the generator writes into it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from logic_curriculum.rewards.engines.prolog import Cases, own_facts
from logic_curriculum.rewards.payload import shown

TASK_VERSION = 3
REWARD_VERSION = 3
_ONLY_FIRST = ("isomorphic_program", "heldout_threshold")
"""Keys that only task version 1 wrote, before rows carried versions."""
_NAME = re.compile(r"[a-z]\w*", re.ASCII)
_AS_GIVEN = "Give it as the generator's 'verification' column does."


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
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "accepted" or value is field.default or isinstance(value, str):
                continue
            raise ValueError(
                f"{field.name} is {shown(value)}, but the judge reads text. Give it as a string, "
                "as the generator's 'verification' column does."
            )
        for name in ("positive", "negative"):
            if not _NAME.fullmatch(getattr(self, name)):
                raise ValueError(
                    f"{name} is {shown(getattr(self, name))}, but a class is a predicate: a small "
                    "letter, then letters, digits and underscores."
                )
        if self.accepted is not None and self.heldout_program is None:
            raise ValueError(
                "accepted is given, but there is no heldout_program whose outcomes it lists. Add "
                "the program or drop accepted."
            )
        for pattern in self.accepted or ():
            if not isinstance(pattern, str) or not pattern or set(pattern) - {"0", "1"}:
                raise ValueError(
                    f"accepted holds {shown(pattern)}, but the judge reads texts of 0 and 1, one "
                    f"for each example of heldout_program. {_AS_GIVEN}"
                )

    @classmethod
    def of_programs(
        cls,
        validation_program: str,
        heldout_program: str,
        positive: str,
        negative: str,
        accepted: tuple[str, ...] | None = None,
    ) -> SlrPayload:
        """Return a payload with the programs also as the engine reads them."""
        validation_cases, heldout_cases = (
            own_facts(program, positive, negative).packed(program)
            for program in (validation_program, heldout_program)
        )
        return cls(
            validation_program,
            positive,
            negative,
            heldout_program,
            accepted,
            validation_cases,
            heldout_cases,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the payload as a row's verification."""
        content = {name: value for name, value in vars(self).items() if value is not None}
        return content | ({} if self.accepted is None else {"accepted": list(self.accepted)})


@dataclass(frozen=True)
class SlrTask:
    """The examples of one task, each with its own facts."""

    shown: Cases
    """The examples in the prompt."""
    fresh: Cases | None
    """Fresh examples, if the task has any."""
    accepted: frozenset[str] | None
    """Outcomes over the fresh examples that are accepted, if the task lists them."""

    @property
    def metrics(self) -> Mapping[str, float]:
        """What is worth knowing of the task whatever the answer."""
        sharing = self.shown.sharing + (self.fresh.sharing if self.fresh else 0)
        return {"sharing": float(sharing)} if sharing else {}


def read_payload(verification: Mapping[str, Any]) -> SlrPayload:
    """Read a verification payload or a row of the published data set.

    Args:
        verification: A mapping with the fields of :class:`SlrPayload` as keys (others are
            ignored). Keys may be spelled with spaces, as in the columns of the published SLR-Bench.
            Nulls and empty texts count as absent.

    Raises:
        ValueError: When it holds no validation program, or a field has a wrong type or value.
    """
    given = {
        str(key).replace(" ", "_"): value
        for key, value in verification.items()
        if value is not None and not (isinstance(value, str) and not value)  # a table's absent
    }
    first = next((key for key in _ONLY_FIRST if key in given), None)
    if first is not None and "task_version" not in given:
        raise ValueError(
            f"The row has {first!r} and no task_version, so it has task_version 1 of slr, but this "
            f"library has task_version {TASK_VERSION}, whose rewards mean something else: make the "
            "rows again with this library, or install the version of it that made them."
        )
    if "validation_program" not in given:
        raise ValueError(
            f"The row has no validation program, only {sorted(map(str, verification))}, so there "
            "is nothing to judge by. Keep the generator's 'verification' column or the published "
            "'validation program' column in the dataset."
        )
    known = {item.name: given[item.name] for item in fields(SlrPayload) if item.name in given}
    accepted = known.pop("accepted", None)
    if accepted and (isinstance(accepted, str) or not isinstance(accepted, Sequence)):
        raise ValueError(
            f"accepted is {shown(accepted)}, but the judge reads a list of texts. {_AS_GIVEN}"
        )
    return SlrPayload(**known, accepted=tuple(accepted) if accepted else None)


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's programs; the latest ones are kept, since a group shares its task.

    Raises:
        ValueError: When a program has no labels or holds something else than ground facts; the
            message names its line. Or when ``accepted`` does not fit the fresh examples.
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
