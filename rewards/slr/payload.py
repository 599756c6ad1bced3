"""What the judges of scalable inductive logic read from a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from logic_curriculum.rewards.engines.prolog_old import own_facts
from logic_curriculum.rewards.judge import Judge, malformed

_VERSION_1_KEYS = ("isomorphic_program", "heldout_threshold")
"""Keys that only task version 1 wrote, before rows carried versions."""
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


class SlrRows(Judge[SlrPayload]):
    """What both judges read from a row."""

    family = "slr"
    task_version = 3
    reward_version = 5

    def read_payload(self, payload: Mapping[str, Any]) -> SlrPayload:
        """Read a verification payload or a row of the published data set.

        Its keys are the fields of :class:`SlrPayload`, also spelled with spaces as in the columns
        of the published SLR-Bench; others are ignored. Nulls and empty texts count as absent.
        """
        given = {
            str(key).replace(" ", "_"): value
            for key, value in payload.items()
            if value is not None and not (isinstance(value, str) and not value)
        }
        for key in _VERSION_1_KEYS:
            if key in given and "task_version" not in given:
                problem = (
                    f"The row has {key!r} and no task_version, so it has task_version 1 of slr"
                )
                raise self.version_error(problem, "task_version")
        if "validation_program" not in given:
            raise ValueError(
                f"The row has no validation program, only {sorted(map(str, payload))}, so there is "
                "nothing to judge by. Keep the generator's 'verification' column or the published "
                "'validation program' column in the dataset."
            )
        known = {item.name: given[item.name] for item in fields(SlrPayload) if item.name in given}
        accepted = known.pop("accepted", None)
        if accepted and (isinstance(accepted, str) or not isinstance(accepted, Sequence)):
            raise malformed("accepted", accepted, "a list of texts")
        return SlrPayload(**known, accepted=tuple(accepted) if accepted else None)
