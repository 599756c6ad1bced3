"""What a level is for each family: how many there are, and the tier of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ladder:
    """The levels of one family, counted from 1.

    Raises:
        ValueError: If there is no level.
    """

    family: str
    """Name of the family."""
    tiers: tuple[str, ...]
    """Tier of each level, lowest level first; its length is the number of levels."""

    def __post_init__(self) -> None:
        """Check that there is a level."""
        if not self.tiers:
            raise ValueError(
                f"The ladder of family {self.family!r} has no levels: give a tier for each level."
            )

    @property
    def top(self) -> int:
        """The highest level."""
        return len(self.tiers)

    def tier(self, level: int) -> str:
        """Return the tier of a level.

        Raises:
            ValueError: If the family has no such level.
        """
        if not 1 <= level <= self.top:
            raise ValueError(
                f"Level {level} does not exist: family {self.family!r} has levels 1 to {self.top}."
            )
        return self.tiers[level - 1]


def ladder_of(family: str) -> Ladder:
    """Return the ladder of a generator family.

    Raises:
        ValueError: If there is no such family.
    """
    from logic_curriculum.generators import registry  # the scheduler itself needs no generator

    return Ladder(family, tuple(registry.family(family).tiers))
