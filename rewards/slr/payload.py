"""What a row of ``slr`` holds for its judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, StrictInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.engines.rules import (
    Caps,
    LabelledExamples,
    OtherShapeError,
    Vocabulary,
)
from logic_curriculum.rewards.judge import Judge, as_mapping, malformed

Predicate = Annotated[str, Field(pattern=r"^[a-z][A-Za-z0-9_]*$")]
_SomeNames = Annotated[tuple[str, ...], Field(min_length=1)]
_SomeNumbers = Annotated[tuple[StrictInt, ...], Field(min_length=1)]
LOOSEST = Caps()


@dataclass(frozen=True)
class SlrPayload:
    """The programs of one task as texts of ground facts, labels included."""

    validation_program: str  # the examples as the prompt shows them
    positive: Predicate = "eastbound"
    """Predicate that labels positive examples and that a hypothesis defines."""
    negative: Predicate = "westbound"  # predicate that labels negative examples
    heldout_program: str | None = None
    """Fresh examples labelled by the ground-truth rule; with ``accepted``, all possible ones."""
    accepted: tuple[Annotated[str, Field(pattern="^[01]+$")], ...] | None = None
    """Outcomes over ``heldout_program`` that are accepted: texts of 0 and 1, one for an example."""
    vocabulary: Vocabulary | None = None
    """What a rule may name; without it, what the facts name."""
    validation_cases: str | None = None
    """The validation program as :meth:`.LabelledExamples.packed` writes it, read in its place."""
    heldout_cases: str | None = None  # the same for the held-out program
    caps: Caps = LOOSEST
    """How much a rule may hold; without it, what the highest level allows."""

    def __post_init__(self) -> None:
        """Refuse outcomes of no program."""
        if self.accepted is not None and self.heldout_program is None:
            raise ValueError(
                "accepted is given, but there is no heldout_program whose outcomes it lists. Add "
                "the program or drop accepted."
            )

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
        of the published SLR-Bench; others are ignored. What is null or empty counts as absent.
        """
        given = {
            str(key).replace(" ", "_"): value
            for key, value in payload.items()
            if value not in (None, "", [])
        }
        if "caps" in given:
            given["caps"] = _read_caps(given["caps"])
        if "vocabulary" in given:
            words = _Words(**as_mapping(given["vocabulary"]))
            attributes = tuple(words.attributes.items())
            target = given.get("positive", "eastbound")
            given["vocabulary"] = _vocabulary(target, words.membership, attributes, words.parts)
        return SlrPayload(**given)


def other_shape(error: OtherShapeError) -> ValueError:
    """Return the error for a program that only the paper's score can judge."""
    return ValueError(
        f"The program has another shape than examples, their parts and the parts' attributes: "
        f"{error}. Programs of any shape are judged by slr_paper_reward."
    )


def _read_caps(given: Any) -> Caps:
    caps, names = as_mapping(given), {item.name for item in fields(Caps)}
    if set(caps) - names or not all(isinstance(n, int) and n >= 0 for n in caps.values()):
        raise malformed("caps", given, f"give whole numbers for {', '.join(sorted(names))}")
    return Caps(**caps)


class _Words(BaseModel):
    """A vocabulary as a row has it."""

    membership: str
    parts: StrictInt
    attributes: dict[str, _SomeNames | _SomeNumbers]


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
