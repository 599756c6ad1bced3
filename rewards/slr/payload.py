"""What a row of ``slr`` holds for its judges."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from logic_curriculum.rewards.engines.rules import (
    Caps,
    LabelledExamples,
    OtherShapeError,
    Vocabulary,
)
from logic_curriculum.rewards.judge import Judge, as_mapping, malformed

_VERSION_1_KEYS = ("isomorphic_program", "heldout_threshold")
"""Keys that only task version 1 wrote, before rows carried versions."""
_NAME = re.compile(r"[a-z]\w*", re.ASCII)
_NEEDED = ("validation_program", "positive", "negative")
LOOSEST = Caps()


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
    vocabulary: Vocabulary | None = None
    """What a rule may name; without it, what the facts name."""
    validation_cases: str | None = None
    """The validation program as :meth:`.LabelledExamples.packed` writes it, read in its place."""
    heldout_cases: str | None = None  # the same for the held-out program
    caps: Caps = LOOSEST
    """How much a rule may hold; without it, what the highest level allows."""

    def __post_init__(self) -> None:
        """Refuse values of a wrong type."""
        for name in (*_NEEDED, "heldout_program", "validation_cases", "heldout_cases"):
            value = getattr(self, name)
            if not isinstance(value, str) and (name in _NEEDED or value is not None):
                raise malformed(name, value, "text")
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

    def shown(self) -> LabelledExamples:
        """Return the examples of the validation program; see :meth:`fresh` for errors."""
        return self._read(self.validation_program, self.validation_cases)

    def fresh(self) -> LabelledExamples | None:
        """Return the examples of the held-out program, if there is one.

        A ``ValueError`` says where facts are not about examples, their parts and attributes.
        """
        if self.heldout_program is None:
            return None
        return self._read(self.heldout_program, self.heldout_cases)

    def _read(self, text: str, packed: str | None) -> LabelledExamples:
        try:
            known = packed and LabelledExamples.unpacked(packed, text)
            return known or LabelledExamples.read(text, self.positive, self.negative)
        except OtherShapeError as error:
            raise other_shape(error) from error

    def to_dict(self) -> dict[str, Any]:
        """Return the payload as a row's verification."""
        content = {name: value for name, value in vars(self).items() if value is not None}
        if self.accepted is not None:
            content["accepted"] = list(self.accepted)
        if (known := self.vocabulary) is not None:
            attributes = {name: list(values) for name, values in known.attributes}
            content["vocabulary"] = {"membership": known.membership, "attributes": attributes,
                                     "parts": known.parts}  # fmt: skip
        return content | {"caps": dict(vars(self.caps))}


class SlrRows(Judge[SlrPayload]):
    """What both judges read from a row."""

    family = "slr"
    task_version = 4
    reward_version = 7

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
        if (accepted := known.pop("accepted", None)) is not None:
            if isinstance(accepted, str) or not isinstance(accepted, Sequence):
                raise malformed("accepted", accepted, "a list of texts")
            known["accepted"] = tuple(accepted) or None
        if (caps := known.pop("caps", None)) is not None:
            known["caps"] = _read_caps(caps)
        if (vocabulary := known.pop("vocabulary", None)) is not None:
            known["vocabulary"] = _read_vocabulary(vocabulary, given.get("positive", "eastbound"))
        return SlrPayload(**known)


def other_shape(error: OtherShapeError) -> ValueError:
    """Return the error for a program that only the paper's score can judge."""
    return ValueError(
        f"The program has another shape than examples, their parts and the parts' attributes: "
        f"{error}. Programs of any shape are judged by slr_paper_reward."
    )


def _read_caps(given: Any) -> Caps:
    caps, names = as_mapping(given), {item.name for item in fields(Caps)}
    if set(caps) - names or not all(isinstance(n, int) and n >= 0 for n in caps.values()):
        raise malformed("caps", given, f"a mapping of {', '.join(sorted(names))} to whole numbers")
    return Caps(**caps)


def _read_vocabulary(given: Any, target: str) -> Vocabulary:
    """Read a vocabulary; a ``ValueError`` says what it has to look like."""
    words = as_mapping(given)
    attributes, parts = words.get("attributes"), words.get("parts")
    membership = words.get("membership")
    if (
        isinstance(attributes, Mapping)
        and isinstance(parts, int)
        and isinstance(membership, str)
        and all(
            isinstance(values, Sequence) and values and len({type(v) for v in values}) == 1
            and isinstance(values[0], str | int)
            for values in attributes.values()
        )
    ):  # fmt: skip
        pairs = tuple((name, tuple(values)) for name, values in attributes.items())
        return _vocabulary(target, membership, pairs, parts)
    needed = (
        "a mapping with 'membership' (a predicate), 'parts' (that an example has at most) and "
        "'attributes' (each with the list of its values, all names or all numbers)"
    )
    raise malformed("vocabulary", given, needed)


@lru_cache(maxsize=256)
def _vocabulary(*content: Any) -> Vocabulary:
    return Vocabulary(*content)  # one object, so that what it works out is worked out once


def vocabulary_of_facts(target: str, *programs: LabelledExamples) -> Vocabulary:
    """Return the vocabulary of facts alone; OtherShapeError if an attribute mixes its values."""
    values: dict[str, dict[str | int, None]] = {}
    for program in programs:
        for name, column in program.examples.columns.items():
            for cell in column:
                values.setdefault(name, {}).update(dict.fromkeys(cell))
    for name, its in values.items():
        if len({type(value) for value in its}) > 1:
            raise OtherShapeError(f"{name} has names and numbers as values")
    membership = next((p.membership for p in programs if p.membership), "")
    pairs = tuple((name, tuple(sorted(its))) for name, its in values.items())
    most = max(len(program.examples.exists) for program in programs)
    return _vocabulary(target, membership, pairs, most)
