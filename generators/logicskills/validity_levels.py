"""The ten levels of validity tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logic_curriculum.generators.logicskills.argument_levels import Material


@dataclass(frozen=True)
class Question:
    """What the options may be about, and premises among which such options are found."""

    plan: str
    """One of :data:`generators.logicskills.validity_plans.PLANS`, or ``"simple "`` and one."""
    material: Material


@dataclass(frozen=True)
class Level:
    """One level."""

    questions: tuple[Question, ...]
    """Each task draws one of these."""

    @property
    def premises(self) -> int:
        """The number of premises beside the domain axiom."""
        return self.questions[0].material.premises

    @property
    def clauses(self) -> tuple[int, int]:
        """The least and the greatest number of clauses in a premise."""
        counts = [count for item in self.questions for count in item.material.clauses]
        return min(counts), max(counts)

    @property
    def binary(self) -> int:
        """The greatest number of binary predicates."""
        return max(len(item.material.binary) for item in self.questions)


_PLAIN = ("nm", "nk", "km")
_VERBS = (*_PLAIN, "nbn", "kbn", "nbk")
_ALTERNATING = (*_VERBS, "kbk")
_FEW, _MANY, _MOST = (2, 3), (3,), (3, 4)
"""Clauses in a premise."""


def _plain(plan: str, premises: int, clauses: tuple[int, ...], links: int) -> Question:
    return Question(plan, Material(premises, clauses, _PLAIN, links))


def _verbs(plan: str, premises: int, clauses: tuple[int, ...], links: int) -> Question:
    return Question(plan, Material(premises, clauses, _VERBS, links, binary="P"))


def _mixed(
    plan: str, premises: int, clauses: tuple[int, ...], links: int, binary: str = "P"
) -> Question:
    return Question(plan, Material(premises, clauses, _ALTERNATING, links, binary=binary))


LEVELS: tuple[Level, ...] = (
    Level(
        (
            _plain("three names", 2, _FEW, 0),
            _plain("two by two", 2, _FEW, 0),
            _plain("simple kind and name", 2, _FEW, 0),
        )
    ),
    Level(
        (
            _verbs("two names", 2, _FEW, 0),
            _verbs("simple two names", 2, _FEW, 0),
            _verbs("kind to name", 2, _MANY, 0),
            _plain("kind and name", 2, _MANY, 0),
        )
    ),
    Level(
        (
            _plain("simple three names", 3, (2,), 0),
            _plain("simple two by two", 3, _FEW, 0),
            _plain("three names", 3, _FEW, 1),
            _plain("kind and name", 3, _FEW, 1),
        )
    ),
    Level(
        (
            _verbs("simple two names", 3, _FEW, 0),
            _verbs("two names", 3, _FEW, 1),
            _verbs("kind to name", 3, _FEW, 1),
            _plain("simple kind and name", 3, _FEW, 1),
        )
    ),
    Level(
        (
            _mixed("simple two kinds", 3, _MANY, 0),
            _mixed("kind and name", 3, _FEW, 1),
            _mixed("kind to name", 3, _FEW, 1),
            _mixed("simple two names", 3, _MANY, 1),
        )
    ),
    Level(
        (
            _plain("kind and name", 4, _FEW, 2),
            _verbs("two names", 4, _FEW, 2),
            _verbs("kind to name", 4, _FEW, 2),
            _verbs("simple two names", 4, _FEW, 1),
        )
    ),
    Level(
        (
            _mixed("simple two kinds", 4, _MOST, 1),
            _mixed("kind and name", 4, _FEW, 2),
            _mixed("kind to name", 4, _FEW, 2),
            _mixed("simple two names", 4, _FEW, 1),
        )
    ),
    Level(
        (
            _mixed("two kinds", 4, _MANY, 2, "PQ"),
            _mixed("kind to name", 4, _MANY, 2, "PQ"),
            _mixed("kind and name", 4, _MANY, 2, "PQ"),
            _mixed("two names", 4, _MANY, 3, "PQ"),
        )
    ),
    Level(
        (
            _mixed("kind to name", 5, _FEW, 3),
            _mixed("kind and name", 5, _FEW, 3),
            _mixed("two names", 5, _FEW, 3),
            _mixed("simple two names", 5, _MANY, 2),
        )
    ),
    Level(
        (
            _mixed("kind to name", 5, _MOST, 3, "PQ"),
            _mixed("kind and name", 5, _MOST, 2, "PQ"),
            _mixed("two names", 5, _MOST, 3, "PQ"),
        )
    ),
)


def level_table(examples: Sequence[str]) -> str:
    """Return the levels as text, each with an example of a right option."""
    lines = ["level  premises  clauses  binary  example of a conclusion"]
    for number, (level, example) in enumerate(zip(LEVELS, examples, strict=True), start=1):
        clauses = "-".join(map(str, level.clauses))
        lines.append(
            f"{number:<5}  {level.premises:<8}  {clauses:<7}  {level.binary:<6}  {example}"
        )
    return "\n".join(lines)
