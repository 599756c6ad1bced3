"""The levels of countermodel."""

from dataclasses import dataclass

from logic_curriculum.generators.logicskills.arguments import PremiseSpec


@dataclass(frozen=True)
class Level:
    """What the arguments of one level are."""

    size: int  # objects in the domain
    premises: PremiseSpec  # the premises beside the domain axiom
    max_share: float  # largest share of the stored models of this size that are countermodels

    @property
    def axiom(self) -> bool:
        """Whether the domain axiom is the first premise; it needs at least three objects."""
        return self.size > 2


# Sorts of a sentence's symbols, as sentences.sorts_of writes them: "nbn" is a verb of two names.
_NAMES = ("nm", "nk", "nbn")
_VERBS = ("nm", "nk", "km", "nbn", "kbn", "nbk")
_ANY = (*_VERBS, "kbk")

LEVELS: tuple[Level, ...] = (
    Level(2, PremiseSpec(4, (1, 1, 2), _NAMES, 3, names="ab", binary="P"), 0.03),
    Level(2, PremiseSpec(2, (2, 3), _VERBS, binary="P"), 0.01),
    Level(3, PremiseSpec(2, (2, 3), _VERBS, binary="P"), 0.01),
    Level(3, PremiseSpec(3, (1, 2), _VERBS, binary="P"), 0.008),
    Level(3, PremiseSpec(3, (1, 2, 3), _ANY, 3, binary="P"), 0.005),
    Level(3, PremiseSpec(4, (1, 2), _ANY, 3, binary="PQ"), 0.004),
    Level(4, PremiseSpec(4, (1, 2), _ANY, 3, binary="PQ"), 0.004),
    Level(4, PremiseSpec(4, (1, 2, 3), _ANY, 3, binary="PQ"), 0.003),
    Level(5, PremiseSpec(5, (1, 2, 3), _ANY, 3, binary="PQ"), 0.002),
    Level(5, PremiseSpec(5, (2, 3, 4), _ANY, 3, monadic="FGH", binary="PQ"), 0.0015),
)
