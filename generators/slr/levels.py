"""The twenty levels of SLR-Bench (Table 2 of the paper), and the table that shows them."""

import math
from dataclasses import dataclass
from typing import Literal

from logic_curriculum.generators.family import aligned, ranges
from logic_curriculum.generators.slr.language import Grammar, Language, grammar_of

Range = tuple[int, int]

GUIDED_SHARE = 0.3  # of the rules from FIRST_GUIDED_LEVEL up; the others are drawn uniformly
FIRST_GUIDED_LEVEL = 6


@dataclass(frozen=True)
class Level:
    """One row of Table 2; a range is the least and the greatest number."""

    number: int  # 1 to 20
    parts: Range  # parts (cars, rooms) per example; "#Const."
    predicates: int  # background predicates in the vocabulary, membership included; "#Pred."
    kappa: int  # examples in all, half of them positive; "κ"
    background: Literal["mirror", "uniform"]  # how backgrounds are drawn; "B_π"
    rule_length: Range  # attribute literals of a uniformly drawn rule; "R_len"
    published_size: str  # the table's number of labelled backgrounds; it is only shown

    @property
    def tier(self) -> str:
        """The tier's name: five levels each."""
        return ("basic", "easy", "medium", "hard")[(self.number - 1) // 5]

    @property
    def guided_share(self) -> float:
        """Share of rules that come from the guided source."""
        return GUIDED_SHARE if self.number >= FIRST_GUIDED_LEVEL else 0.0

    @property
    def body_length(self) -> Range:
        """Literals of a uniform rule's body as App. D counts them: those of membership, too.

        There is one of membership for each variable; a variable has at least one attribute literal.
        """
        low, high = self.rule_length
        return low + 1, high + min(high, self.parts[1])

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as the table prints it, without the size."""
        sampling = "uniform/guided" if self.guided_share else "uniform"
        sizes = range_text(self.parts), str(self.predicates), str(self.kappa)
        length = range_text(self.rule_length)
        return (str(self.number), self.tier, *sizes, self.background, length, sampling)


LEVELS: tuple[Level, ...] = (
    Level(1, (1, 1), 5, 2, "mirror", (1, 1), "10^3"),
    Level(2, (1, 1), 5, 2, "mirror", (1, 2), "10^3"),
    Level(3, (1, 1), 5, 4, "mirror", (1, 2), "10^5"),
    Level(4, (2, 2), 5, 4, "mirror", (1, 2), "10^10"),
    Level(5, (2, 2), 5, 6, "mirror", (1, 2), "10^16"),
    Level(6, (2, 2), 5, 6, "uniform", (1, 2), "10^16"),
    Level(7, (2, 2), 6, 6, "uniform", (1, 2), "10^24"),
    Level(8, (2, 3), 6, 8, "uniform", (1, 2), "10^32"),
    Level(9, (2, 3), 6, 10, "uniform", (2, 3), "10^40"),
    Level(10, (2, 3), 7, 12, "uniform", (2, 3), "10^55"),
    Level(11, (2, 4), 7, 14, "uniform", (2, 3), "10^65"),
    Level(12, (2, 4), 9, 16, "uniform", (3, 4), "10^120"),
    Level(13, (4, 6), 9, 18, "uniform", (3, 4), "10^271"),
    Level(14, (4, 6), 9, 20, "uniform", (4, 5), "10^300"),
    Level(15, (4, 6), 9, 22, "uniform", (4, 5), "10^330"),
    Level(16, (5, 6), 10, 24, "uniform", (4, 5), "10^507"),
    Level(17, (5, 6), 10, 26, "uniform", (4, 5), "10^549"),
    Level(18, (5, 6), 12, 28, "uniform", (4, 5), "10^805"),
    Level(19, (5, 6), 12, 30, "uniform", (5, 5), "10^861"),
    Level(20, (5, 6), 12, 32, "uniform", (5, 5), "10^919"),
)

_COLUMNS = ("level", "tier", "const", "pred", "κ", "B_π", "R_len", "R_sample", "size")
_LEGEND = """\
Left: what this generator uses. Right of the bar: Table 2 of the paper.
const: parts (cars) per example. pred: predicates in the vocabulary. κ: examples, half of each
class. size: labelled backgrounds, computed as (product of the domains' sizes) ^ (least const · κ),
the paper's way of counting. allowed: with all numbers of parts p and without what the grammar
forbids, (Σ over p of (allowed parts) ^ p) ^ κ. R_len: attribute literals, as Fig. 4 counts. body:
all literals of the body, membership included, as App. D counts."""


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


def describe_levels(language: Language) -> str:
    """Return the table of levels beside the paper's as text."""
    rows = [[*_COLUMNS, "allowed", "body", "|", *_COLUMNS[2:]]]
    for level in LEVELS:
        grammar = grammar_of(language, level.predicates)
        size = f"10^{round(unconstrained_exponent(level, grammar))}"
        low, high = level.parts
        per_example = sum(grammar.part_count**parts for parts in range(low, high + 1))
        allowed = f"10^{round(level.kappa * math.log10(per_example))}"
        own = [*level.cells, size, allowed, range_text(level.body_length)]
        rows.append([*own, "|", *level.cells[2:], level.published_size])
    return f"slr, language {language.name}\n\n{aligned(rows)}\n\n{_LEGEND}"


def unconstrained_exponent(level: Level, grammar: Grammar) -> float:
    """Return log10 of the number of backgrounds with the fewest parts, constraints aside."""
    domains = math.prod(len(item.values) for item in grammar.attributes if item.values)
    return level.kappa * level.parts[0] * math.log10(domains)
