"""The twenty levels of SLR-Bench (Table 2 of the paper)."""

from dataclasses import dataclass
from typing import Literal

from logic_curriculum.generators.family import ranges
from logic_curriculum.rewards.engines.rules import Caps

Range = tuple[int, int]

GUIDED_SHARE = 0.3  # of the rules from FIRST_GUIDED_LEVEL up; the others are drawn uniformly
FIRST_GUIDED_LEVEL = 6
GUIDED_VALUES = 5  # that a guided rule mentions at most


@dataclass(frozen=True)
class Level:
    """One row of Table 2; a range is the least and the greatest number."""

    number: int  # 1 to 20
    parts: Range  # parts (cars, rooms) per example; "#Const."
    predicates: int  # background predicates in the vocabulary, membership included; "#Pred."
    kappa: int  # examples in all, half of them positive; "κ"
    background: Literal["mirror", "uniform"]  # how backgrounds are drawn; "B_π"
    rule_length: Range  # attribute literals of a uniformly drawn rule; "R_len"

    @property
    def tier(self) -> str:
        """The tier's name: five levels each."""
        return ("basic", "easy", "medium", "hard")[(self.number - 1) // 5]

    @property
    def guided_share(self) -> float:
        """Share of rules that come from the guided source."""
        return GUIDED_SHARE if self.number >= FIRST_GUIDED_LEVEL else 0.0

    @property
    def caps(self) -> Caps:
        """How much an answer may hold: little more than the level's own rules do.

        A uniform rule has a value, a part and two goals for each literal; a guided one at most
        :data:`GUIDED_VALUES` values, three clauses, 14 goals and ten names.
        """
        longest = self.rule_length[1]
        if self.guided_share:
            return Caps(max(longest, GUIDED_VALUES))
        return Caps(longest, clauses=2, goals=max(2 * longest, 4), names=max(1 + longest, 3))


LEVELS: tuple[Level, ...] = (
    Level(1, (1, 1), 5, 2, "mirror", (1, 1)),
    Level(2, (1, 1), 5, 2, "mirror", (1, 2)),
    Level(3, (1, 1), 5, 4, "mirror", (1, 2)),
    Level(4, (2, 2), 5, 4, "mirror", (1, 2)),
    Level(5, (2, 2), 5, 6, "mirror", (1, 2)),
    Level(6, (2, 2), 5, 6, "uniform", (1, 2)),
    Level(7, (2, 2), 6, 6, "uniform", (1, 2)),
    Level(8, (2, 3), 6, 8, "uniform", (1, 2)),
    Level(9, (2, 3), 6, 10, "uniform", (2, 3)),
    Level(10, (2, 3), 7, 12, "uniform", (2, 3)),
    Level(11, (2, 4), 7, 14, "uniform", (2, 3)),
    Level(12, (2, 4), 9, 16, "uniform", (3, 4)),
    Level(13, (4, 6), 9, 18, "uniform", (3, 4)),
    Level(14, (4, 6), 9, 20, "uniform", (4, 5)),
    Level(15, (4, 6), 9, 22, "uniform", (4, 5)),
    Level(16, (5, 6), 10, 24, "uniform", (4, 5)),
    Level(17, (5, 6), 10, 26, "uniform", (4, 5)),
    Level(18, (5, 6), 12, 28, "uniform", (4, 5)),
    Level(19, (5, 6), 12, 30, "uniform", (5, 5)),
    Level(20, (5, 6), 12, 32, "uniform", (5, 5)),
)


def level_of(number: int) -> Level:
    """Return a level by its number; a ``ValueError`` refuses others than 1 to 20."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(
            f"slr has no level {number}: its levels are 1 to {len(LEVELS)}; choose one of them"
        )
    return LEVELS[number - 1]


def range_text(limits: Range) -> str:
    """Write a range as the published table does: ``"2"`` or ``"2-3"``."""
    low, high = limits
    return ranges(range(low, high + 1))
