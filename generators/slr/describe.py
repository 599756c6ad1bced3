"""Our table of levels beside the paper's, with the combinatorial size computed."""

from __future__ import annotations

import math

from logic_curriculum.generators.slr.grammar import Grammar, grammar_of
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import LEVELS, Level, range_text
from logic_curriculum.generators.slr.published import PUBLISHED, Row

_NAMES = Row("level", "tier", "const", "pred", "κ", "B_π", "R_len", "R_sample", "size")
_WIDTHS = (5, 4, 2, 7, 5, 14, 6)
"""Columns after the tier."""
_LEGEND = """\
Left: what this generator uses. Right of the bar: Table 2 of the paper.
const: parts (cars) per example. pred: predicates in the vocabulary. κ: examples, half of each
class. size: labelled backgrounds, computed as (product of the domains' sizes) ^ (least const · κ),
the paper's way of counting. allowed: with all numbers of parts p and without what the grammar
forbids, (Σ over p of (allowed parts) ^ p) ^ κ."""


def describe(language: str = "trains") -> str:
    """Return the table of levels beside the paper's as text.

    Args:
        language: A shipped language's name, or the path of a language file.

    Raises:
        ValueError: The language does not exist, is not valid, or has too few predicates.
    """
    loaded = load_language(language)
    lines = [_line(_NAMES, "allowed", _NAMES)]
    for level, published in zip(LEVELS, PUBLISHED, strict=True):
        grammar = grammar_of(loaded, level.predicates)
        allowed = _power(allowed_exponent(level, grammar))
        lines.append(_line(our_row(level, grammar), allowed, published))
    return "\n".join([f"slr, language {loaded.name}", "", *lines, "", _LEGEND])


def our_row(level: Level, grammar: Grammar) -> Row:
    """Return a level as the generator uses it, in the notation of the paper's table."""
    return Row(
        level=str(level.number),
        tier=level.tier,
        constants=range_text(level.parts),
        predicates=str(1 + len(grammar.attributes)),
        kappa=str(level.kappa),
        background=level.background,
        rule_length=range_text(level.rule_length),
        rule_sampling=level.rule_sampling,
        size=_power(unconstrained_exponent(level, grammar)),
    )


def _line(ours: Row, allowed: str, published: Row) -> str:
    theirs = published[2:]
    return f"{_cells(ours, (5, 6, *_WIDTHS))}  {allowed:<7}  |  {_cells(theirs, _WIDTHS)}".rstrip()


def _cells(values: tuple[str, ...], widths: tuple[int, ...]) -> str:
    return "  ".join(f"{value:<{width}}" for value, width in zip(values, widths, strict=True))


def _power(exponent: float) -> str:
    return f"10^{round(exponent)}"


def unconstrained_exponent(level: Level, grammar: Grammar) -> float:
    """Return log10 of the number of backgrounds with the fewest parts, constraints aside."""
    domains = math.prod(len(item.values) for item in grammar.attributes if item.values)
    return level.kappa * level.parts[0] * math.log10(domains)


def allowed_exponent(level: Level, grammar: Grammar) -> float:
    """Return log10 of the number of backgrounds that the grammar allows, over all sizes."""
    low, high = level.parts
    per_example = sum(grammar.part_count**parts for parts in range(low, high + 1))
    return level.kappa * math.log10(per_example)
