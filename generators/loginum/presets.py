"""The datasets of the paper, by name (Table 7), and the levels of the ladder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from logic_curriculum.generators.loginum.configs import Config
from logic_curriculum.generators.splits import Split

_KINDS = ("constant", "retrieval", "calculation", "aggregation")
"""The order of the weights in Table 7."""


def _weights(*weights: int) -> Mapping[str, int]:
    return dict(zip(_KINDS, weights, strict=False))


@dataclass(frozen=True)
class Preset:
    """A dataset of the paper."""

    configs: Mapping[int, Config]
    """Depth → configuration, for each depth that the dataset has."""
    size: int
    """Number of tasks, evenly spread over the depths."""
    split: Split
    """What the tasks are for: to test models, or to train them."""

    def sizes(self, depth: int) -> dict[str, int]:
        """Return the number of tasks of one depth by split; the first depths get the remainder."""
        share, rest = divmod(self.size, len(self.configs))
        return {self.split: share + (list(self.configs).index(depth) < rest)}


def _easy_logic(expressions: Mapping[str, int], operands: tuple[int, int]) -> dict[int, Config]:
    config = Config(10, 15, 10, 15, 15, (1, 1), expressions, _weights(1, 1, 1), operands)
    return dict.fromkeys(range(1, 4), config)


def _hard_logic(expressions: Mapping[str, int], operands: tuple[int, int]) -> dict[int, Config]:
    config = Config(10, 15, 10, 15, 15, (2, 3), expressions, _weights(1, 1, 1), operands)
    return dict.fromkeys(range(4, 7), config)


_EASY_NUMBERS = (_weights(1, 1, 1, 0), (1, 10))
_HARD_NUMBERS = (_weights(0, 0, 1, 1), (-100, 100))
_EXTREME = Config(30, 40, 40, 15, 5, (3, 6), _HARD_NUMBERS[0], _weights(1, 1, 1), (-100, 100))
_EL_TRAIN = Config(10, 15, 10, 15, 15, (1, 1), _weights(1, 1, 2, 2), _weights(1, 1, 2), (-100, 100))

PRESETS: dict[str, Preset] = {
    "EL-EN": Preset(_easy_logic(*_EASY_NUMBERS), 500, "test"),
    "EL-HN": Preset(_easy_logic(*_HARD_NUMBERS), 500, "test"),
    "HL-EN": Preset(_hard_logic(*_EASY_NUMBERS), 500, "test"),
    "HL-HN": Preset(_hard_logic(*_HARD_NUMBERS), 500, "test"),
    "exHL-HN": Preset(
        {depth: replace(_EXTREME, facts=15 * depth, rules=5 * depth) for depth in range(7, 11)},
        400,
        "test",
    ),
    "EL-Train": Preset(dict.fromkeys(range(1, 4), _EL_TRAIN), 5000, "train"),
    "EN-Train": Preset(_hard_logic(*_EASY_NUMBERS), 5000, "train"),
}
"""Name → dataset. An entry of your own is a preset like these."""


def find_preset(name: str) -> tuple[str, Preset]:
    """Return a preset and its name, whatever the case in which it is asked for.

    Raises:
        ValueError: There is no such preset.
    """
    for known, preset in PRESETS.items():
        if isinstance(name, str) and known.lower() == name.lower():
            return known, preset
    raise ValueError(f"preset={name!r} does not exist: choose one of {', '.join(PRESETS)}")


LADDER: tuple[Config, ...] = (
    Config(5, 6, 4, 6, 4, (1, 1), _weights(1, 1, 0, 0), _weights(1, 1, 1), (1, 30)),
    Config(6, 8, 5, 8, 6, (1, 1), _weights(1, 1, 1, 0), _weights(1, 1, 1), (1, 10)),
    Config(7, 9, 6, 10, 8, (1, 1), _weights(1, 1, 1, 0), _weights(1, 1, 1), (1, 10)),
    Config(8, 10, 7, 13, 10, (1, 2), _weights(1, 1, 1, 1), _weights(1, 1, 1), (1, 10)),
    Config(9, 11, 8, 16, 12, (1, 2), _weights(1, 1, 1, 1), _weights(1, 1, 1), (-10, 10)),
    Config(10, 13, 9, 19, 14, (1, 2), _weights(1, 1, 1, 1), _weights(1, 1, 1), (-20, 20)),
    Config(11, 15, 10, 24, 17, (1, 3), _weights(1, 1, 2, 2), _weights(1, 1, 1), (-50, 50)),
    Config(12, 17, 12, 30, 20, (2, 3), _weights(1, 1, 2, 2), _weights(1, 1, 1), (-50, 50)),
    Config(14, 20, 14, 36, 24, (2, 3), _weights(0, 0, 1, 1), _weights(1, 1, 1), (-100, 100)),
    Config(16, 24, 16, 42, 28, (2, 3), _weights(0, 0, 1, 1), _weights(1, 1, 1), (-100, 100)),
)
"""Level → configuration, from level 1; the level is the depth."""


def preset_levels(preset: str) -> tuple[int, ...]:
    """Return the levels of a preset, which are its depths.

    Raises:
        ValueError: There is no such preset.
    """
    return tuple(find_preset(preset)[1].configs)
