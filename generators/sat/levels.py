"""The ladder of levels, and the datasets of the paper by name (section 4, App. B.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from logic_curriculum.generators.sat.configs import Config

LADDER: tuple[Config, ...] = (
    Config(2, (3, 4), max_depth=1),
    Config(3, (4, 5), max_depth=1),
    Config(4, (5, 7), max_depth=2),
    Config(5, (6, 8), max_depth=2),
    Config(6, (11, 13), max_depth=2, min_share=0.5),
    Config(7, (13, 16), max_depth=2, min_share=0.5),
    Config(8, (16, 19), max_depth=2, min_share=0.5),
    Config(10, (20, 23), max_depth=2, min_share=0.5),
    Config(12, (30, 35), max_depth=3, min_share=0.6),
    Config(14, (37, 43), max_depth=3, min_share=0.6),
)
"""Level → configuration, from level 1."""

RATIO = 4.26
"""Clauses per variable at which 3-SAT is hardest (Mitchell et al. 1992)."""

_EVEN = (5, 5)
_VARIABLES = range(3, 20)


@dataclass(frozen=True)
class Preset:
    """A dataset of the paper; its levels are the numbers of variables."""

    configs: Mapping[int, Config]
    """Number of variables → configuration."""
    counts: Mapping[int, tuple[int, int]]
    """Number of variables → consistent and inconsistent sets in Table 3."""
    themes: tuple[str, ...] | None
    """What the sentences are about; any theme where it is None."""
    language: str
    """The language in which it was published."""


def _counts(*consistent: int, inconsistent: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    return {
        variables: (count, inconsistent.get(variables, 5))
        for variables, count in zip(_VARIABLES, consistent, strict=True)
    }


def _fewest(variables: int) -> int:
    return 5 if variables == 3 else max(variables, 9)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "hard3sat": Preset(
            {n: Config(n, (round(RATIO * n), round(RATIO * n)), mode="3sat") for n in _VARIABLES},
            _counts(5, 4, 5, 3, 3, 4, 3, 0, 2, 1, 2, 2, 3, 3, 1, 2, 0, inconsistent={}),
            ("banking",),
            "english",
        ),
        "uniform": Preset(
            {n: Config(n, (n, 5 * n), max_depth=3) for n in _VARIABLES},
            _counts(
                *(5, 5, 5, 5, 5, 5, 5, 5, 4, 5, 3, 4, 5, 4, 4, 3, 4),
                inconsistent={9: 4, 13: 4, 18: 4},
            ),
            None,
            "english",
        ),
        "symbolic": Preset(
            {n: Config(n, (_fewest(n), 5 * n), mode="3sat") for n in _VARIABLES},
            dict.fromkeys(_VARIABLES, _EVEN),
            None,
            "symbolic",
        ),
    }
)
"""Name → dataset. Clause sets come as matched pairs, so some cells of the paper do not exist here:
``symbolic`` has at least 9 clauses (5 with three variables), see :class:`Config`."""


def find_preset(name: str) -> Preset:
    """Return a preset by its name.

    Raises:
        ValueError: There is no such preset.
    """
    if name not in PRESETS:
        raise ValueError(f"preset={name!r} does not exist: choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def preset_levels(preset: str) -> tuple[int, ...]:
    """Return the levels of a preset, which are its numbers of variables.

    Raises:
        ValueError: There is no such preset.
    """
    return tuple(find_preset(preset).configs)
