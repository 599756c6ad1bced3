"""The twenty levels of SLR-Bench (Table 2 of the paper), and specifications of a user's own."""

import re
from typing import Annotated, Literal

from pydantic import Field, PositiveInt
from pydantic.dataclasses import dataclass

from logic_curriculum.generators.family import ranges
from logic_curriculum.rewards.engines.rules import Caps

LARGEST = 20  # number of parts, and of literals
GUIDED_VALUES = 5  # that a guided rule mentions at most

Range = tuple[int, int]
Weights = tuple[tuple[str, tuple[tuple[str | int, float], ...]], ...]
"""Attributes in the language's order, each with the weights of those of its values that occur."""


@dataclass(frozen=True)
class Level:
    """A task specification: a row of Table 2, or one with other values; ranges are low and high.

    ``Θ = ⟨R_sample, R_len, B_π, κ⟩`` of §3.1, and the size of the language's vocabulary.
    """

    number: int  # 1 to 20
    parts: Range  # parts (cars, rooms) per example; "#Const."
    predicates: Annotated[int, Field(ge=2)]
    """Background predicates in the vocabulary, membership included; "#Pred."."""
    positives: PositiveInt  # examples shown of the positive class; "κ_pos"
    negatives: PositiveInt  # of the other one; "κ_neg"
    background: Literal["mirror", "uniform"] | Weights  # how backgrounds are drawn; "B_π"
    rule_length: Range  # attribute literals of a uniformly drawn rule; "R_len"
    guided_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of rules from the guided source, the others being drawn uniformly; "R_sample"."""

    @property
    def kappa(self) -> int:
        """The number of examples shown, κ."""
        return self.positives + self.negatives

    @property
    def length_draws(self) -> int:
        """Draws of a uniform rule's length, of which the greatest counts.

        Level 8 has a vocabulary in which few rules have one literal and one value is often asked.
        """
        return 4 if (self.number, self.rule_length) == (8, (1, 2)) else 1

    @property
    def weights(self) -> Weights:
        """The weights of values, if the background has any."""
        return () if isinstance(self.background, str) else self.background

    @property
    def own(self) -> dict[str, object]:
        """The options that make this specification of the level's row: none for the row itself."""
        row = vars(level_of(self.number))
        own = {name: value for name, value in vars(self).items() if value != row[name]}
        own |= {name: range_text(own[name]) for name in ("parts", "rule_length") if name in own}
        if self.weights:
            own["background"] = {n: {str(v): w for v, w in its} for n, its in self.weights}
        return own

    @property
    def tier(self) -> str:
        """The tier's name: five levels each."""
        return ("basic", "easy", "medium", "hard")[(self.number - 1) // 5]

    @property
    def caps(self) -> Caps:
        """How much an answer may hold: little more than the specification's own rules do.

        A uniform rule has a value and a goal for each literal, and a goal and a name for each part
        that it speaks of; a guided one at most :data:`GUIDED_VALUES` values, three clauses, 14
        goals and ten names. Up to level 8, where few examples are shown, guided rules with more
        than eleven goals or eight names are not drawn.
        """
        longest = self.rule_length[1]
        spoken_of = min(longest, self.parts[1])
        if self.guided_share:
            goals, names = (11, 8) if self.number <= 8 else (Caps.goals, Caps.names)
            values, goals = max(longest, GUIDED_VALUES), max(goals, longest + spoken_of)
            return Caps(values, goals=goals, names=max(names, 1 + spoken_of))
        return Caps(longest, 2, max(longest + spoken_of, 3), max(1 + spoken_of, 3))


LEVELS: tuple[Level, ...] = (
    # number, parts, predicates, positives, negatives, background, rule length, guided share
    Level(1, (1, 1), 5, 1, 1, "mirror", (1, 1)),
    Level(2, (1, 1), 5, 1, 1, "mirror", (1, 2)),
    Level(3, (1, 1), 5, 2, 2, "mirror", (1, 2)),
    Level(4, (2, 2), 5, 2, 2, "mirror", (1, 2)),
    Level(5, (2, 2), 5, 3, 3, "mirror", (1, 2)),
    Level(6, (2, 2), 5, 3, 3, "uniform", (1, 2), 0.3),
    Level(7, (2, 2), 6, 3, 3, "uniform", (1, 2), 0.3),
    Level(8, (2, 3), 6, 4, 4, "uniform", (1, 2), 0.3),
    Level(9, (2, 3), 6, 5, 5, "uniform", (2, 3), 0.3),
    Level(10, (2, 3), 7, 6, 6, "uniform", (2, 3), 0.3),
    Level(11, (2, 4), 7, 7, 7, "uniform", (2, 3), 0.3),
    Level(12, (2, 4), 9, 8, 8, "uniform", (3, 4), 0.3),
    Level(13, (4, 6), 9, 9, 9, "uniform", (3, 4), 0.3),
    Level(14, (4, 6), 9, 10, 10, "uniform", (4, 5), 0.3),
    Level(15, (4, 6), 9, 11, 11, "uniform", (4, 5), 0.3),
    Level(16, (5, 6), 10, 12, 12, "uniform", (4, 5), 0.3),
    Level(17, (5, 6), 10, 13, 13, "uniform", (4, 5), 0.3),
    Level(18, (5, 6), 12, 14, 14, "uniform", (4, 5), 0.3),
    Level(19, (5, 6), 12, 15, 15, "uniform", (5, 5), 0.3),
    Level(20, (5, 6), 12, 16, 16, "uniform", (5, 5), 0.3),
)


def level_of(number: int) -> Level:
    """Return a level by its number; a ``ValueError`` refuses others than 1 to 20."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(
            f"slr has no level {number}: its levels are 1 to {len(LEVELS)}; choose one of them"
        )
    return LEVELS[number - 1]


def read_range(name: str, given: object) -> Range:
    """Read what an option gives as ``3`` or ``"2-3"``; a ``ValueError`` refuses anything else."""
    if re.fullmatch(r"\d+(-\d+)?", text := str(given)):
        low, *high = map(int, text.split("-"))
        if 1 <= low <= (most := max(high, default=low)) <= LARGEST:
            return low, most
    raise ValueError(
        f"{name}={given!r} is not a number or a range from 1 to {LARGEST}. Write 3 or 2-3."
    )


def range_text(limits: Range) -> str:
    """Write a range as the published table does: ``"2"`` or ``"2-3"``."""
    low, high = limits
    return ranges(range(low, high + 1))
