"""The ten levels of countermodel tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logic_curriculum.generators.logicskills.argument_levels import Material


@dataclass(frozen=True)
class Level:
    """One level."""

    size: int
    """Objects in the domain."""
    axiom: bool
    """Whether the domain axiom is the first premise; it needs at least three objects."""
    material: Material
    """The other premises."""
    most: float
    """Largest share of the stored models of this size that are countermodels."""


_NAMED = ("nm", "nk", "nbn")
_PLAIN = ("nm", "nk", "km")
_VERBS = (*_PLAIN, "nbn", "kbn", "nbk")
_ALTERNATING = (*_VERBS, "kbk")

LEVELS: tuple[Level, ...] = (
    Level(2, False, Material(4, (1, 1, 2), _NAMED, 3, names="ab", binary="P"), 0.03),
    Level(2, False, Material(2, (2, 3), _VERBS, 2, binary="P"), 0.01),
    Level(3, True, Material(2, (2, 3), _VERBS, 2, binary="P"), 0.01),
    Level(3, True, Material(3, (1, 2), _VERBS, 2, binary="P"), 0.008),
    Level(3, True, Material(3, (1, 2, 3), _ALTERNATING, 3, binary="P"), 0.005),
    Level(3, True, Material(4, (1, 2), _ALTERNATING, 3, binary="PQ"), 0.004),
    Level(4, True, Material(4, (1, 2), _ALTERNATING, 3, binary="PQ"), 0.004),
    Level(4, True, Material(4, (1, 2, 3), _ALTERNATING, 3, binary="PQ"), 0.003),
    Level(5, True, Material(5, (1, 2, 3), _ALTERNATING, 3, binary="PQ"), 0.002),
    Level(5, True, Material(5, (2, 3, 4), _ALTERNATING, 3, monadic="FGH", binary="PQ"), 0.0015),
)


def level_table(examples: Sequence[str]) -> str:
    """Return the levels as text, each with an example of a conclusion."""
    lines = ["level  domain  axiom  premises  clauses  binary  at most  example of a conclusion"]
    for number, (level, example) in enumerate(zip(LEVELS, examples, strict=True), start=1):
        material = level.material
        clauses = f"{min(material.clauses)}-{max(material.clauses)}"
        lines.append(
            f"{number:<5}  {level.size:<6}  {'yes' if level.axiom else 'no':<5}  "
            f"{material.premises:<8}  {clauses:<7}  {len(material.binary):<6}  "
            f"{level.most:<7.2%}  {example}"
        )
    return "\n".join(lines)
