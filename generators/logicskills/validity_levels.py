"""The ten levels of validity tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generators.logicskills.argument_levels import Material


@dataclass(frozen=True)
class Level:
    """One level."""

    material: Material
    plans: tuple[str, ...]
    """What the options may be about; each task draws one of these."""


_PLAIN = ("nm", "nk", "km")
_VERBS = (*_PLAIN, "nbn", "kbn", "nbk")
_ALTERNATING = (*_VERBS, "kbk")
_MONADIC = ("three names", "two by two", "kind and name")
_BINARY = ("two names", "kind to name")
_ALL = (*_BINARY, "kind and name", "two kinds", "simple two kinds")

LEVELS: tuple[Level, ...] = (
    Level(Material(2, (2, 3), _PLAIN), _MONADIC),
    Level(Material(2, (2, 3), _VERBS, binary="P"), _BINARY),
    Level(Material(3, (2, 2, 3), _PLAIN, 1), _MONADIC),
    Level(Material(3, (2, 2, 3), _VERBS, 1, binary="P"), _BINARY),
    Level(Material(3, (2, 3), _ALTERNATING, 1, binary="P"), _ALL),
    Level(Material(4, (2, 2, 3), _VERBS, 2, binary="P"), _BINARY),
    Level(Material(4, (2, 3), _ALTERNATING, 1, binary="P"), _ALL),
    Level(Material(4, (2, 3), _ALTERNATING, 2, binary="PQ"), _ALL),
    Level(Material(5, (2, 3), _ALTERNATING, 1, binary="P"), _ALL),
    Level(Material(5, (2, 3, 4), _ALTERNATING, 2, monadic="FGH", binary="PQ"), _ALL),
)


def level_table(examples: Sequence[str]) -> str:
    """Return the levels as text, each with an example of a right option."""
    lines = ["level  premises  clauses  links  binary  example of a conclusion"]
    for number, (level, example) in enumerate(zip(LEVELS, examples, strict=True), start=1):
        material = level.material
        clauses = f"{min(material.clauses)}-{max(material.clauses)}"
        lines.append(
            f"{number:<5}  {material.premises:<8}  {clauses:<7}  {material.link_count:<5}  "
            f"{len(material.binary):<6}  {example}"
        )
    return "\n".join(lines)
