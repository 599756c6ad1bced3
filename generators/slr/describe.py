"""The table of levels beside the paper's, with the combinatorial size computed."""

from __future__ import annotations

import math

from generators.slr.grammar import Grammar, grammar_of
from generators.slr.language import load_language
from generators.slr.levels import LEVELS, Level, range_text

_HEADER = (
    "level  tier    parts  predicates  kappa  background  length  rules"
    "           unconstrained  allowed  paper"
)


def describe(language: str = "trains") -> str:
    """Return the table of levels as text.

    The sizes count labelled backgrounds of κ examples, as powers of ten. "unconstrained" is
    (product of the domains' sizes) ^ (least number of parts · κ), which matches the paper's
    column; "allowed" is (Σ over the numbers of parts p of (allowed parts) ^ p) ^ κ, which counts
    all the sizes of examples and leaves out what the grammar forbids.

    Args:
        language: A shipped language's name, or the path of a language file.

    Raises:
        ValueError: The language does not exist, is not valid, or has too few predicates.
    """
    loaded = load_language(language)
    rows = [_row(level, grammar_of(loaded, level.predicates)) for level in LEVELS]
    return "\n".join([f"slr, language {loaded.name}", _HEADER, *rows])


def _row(level: Level, grammar: Grammar) -> str:
    return (
        f"{level.number:<5}  {level.tier:<6}  {range_text(level.parts):<5}  "
        f"{level.predicates:<10}  {level.kappa:<5}  {level.background:<10}  "
        f"{range_text(level.rule_length):<6}  "
        f"{level.rule_sampling:<14}  {_power(unconstrained_exponent(level, grammar)):<13}  "
        f"{_power(allowed_exponent(level, grammar)):<7}  {_power(level.published_exponent)}"
    )


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
