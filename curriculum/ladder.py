"""The levels of a family."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ladder:
    """The levels of one family, counted from 1; a ValueError if there is none."""

    family: str
    tiers: tuple[str, ...]
    """Tier of each level, lowest level first."""

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
        """Return the tier of a level; a ValueError says that there is no such level."""
        if not 1 <= level <= self.top:
            raise ValueError(
                f"Level {level} does not exist: family {self.family!r} has levels 1 to {self.top}."
            )
        return self.tiers[level - 1]


def ladder_of(family: str) -> Ladder:
    """Return the ladder of a generator family; a ValueError says that there is no such family."""
    from logic_curriculum.generators import registry  # the scheduler itself needs no generator

    return Ladder(family, tuple(registry.family(family).tiers))
