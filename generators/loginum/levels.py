"""The levels, the paper's datasets (Table 7), and the kinds of expressions they weigh."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from logic_curriculum.generators.task import Split
from logic_curriculum.rewards.engines.numeric import syntax

DrawExpression = Callable[[Any], syntax.Expression]
"""Gets the rule that is being drawn, a ``RuleBuilder``, whose methods ``number``, ``factor``,
``pick``, ``lookup`` and ``part`` it may call."""
_OPERATORS = tuple(syntax.AGGREGATORS)
EXPRESSIONS: dict[str, DrawExpression] = {
    "constant": lambda rule: syntax.Constant(rule.number()),
    "retrieval": lambda rule: syntax.Retrieval(rule.lookup()),
    "calculation": lambda rule: syntax.Calculation(rule.factor(), rule.lookup(), rule.number()),
    "aggregation": lambda rule: syntax.Aggregation(rule.pick(_OPERATORS), rule.part(), rule.part()),
}
"""Kind of expression → draw function. A new kind adds one here, see docs/tasks-loginum.md."""
_KINDS = tuple(EXPRESSIONS)  # in the order of Table 7, without those that are registered later


@dataclass(frozen=True)
class Config:
    """A row of Table 7, for one depth."""

    entities: int  # at least 2; of all else, at least 1
    attributes: int
    relations: int
    facts: int  # given facts of a task, exactly
    rules: int  # rules of a task, exactly
    conditions: tuple[int, int]  # least and greatest number of a rule's conditions
    expressions: Mapping[str, int]  # kind of expression, by its name in EXPRESSIONS → weight
    parts: Mapping[str, int]  # the same for what an aggregation is made of
    operands: tuple[int, int]  # least and greatest given value, factor and summand; not (0, 0)


def _weights(*weights: int) -> Mapping[str, int]:
    return dict(zip(_KINDS, weights, strict=False))


LEVELS: tuple[Config, ...] = (
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
"""Level → configuration, from level 1; the level is the depth: the gold process's steps."""
TIERS = ("basic",) * 2 + ("easy",) * 2 + ("medium",) * 3 + ("hard",) * 3  # tier of each level


@dataclass(frozen=True)
class Preset:
    """A dataset of the paper."""

    configs: Mapping[int, Config]  # depth → configuration, for each depth that the dataset has
    size: int  # number of tasks, evenly spread over the depths
    split: Split  # what the tasks are for: to test models, or to train them

    def sizes(self, depth: int) -> dict[str, int]:
        """Return the number of tasks of one depth by split; the first depths get the remainder."""
        share, rest = divmod(self.size, len(self.configs))
        return {self.split: share + (list(self.configs).index(depth) < rest)}


_EASY_NUMBERS = (_weights(1, 1, 1, 0), _weights(1, 1, 1), (1, 10))
_HARD_NUMBERS = (_weights(0, 0, 1, 1), _weights(1, 1, 1), (-100, 100))
_TRAIN_NUMBERS = (_weights(1, 1, 2, 2), _weights(1, 1, 2), (-100, 100))


def _logic(depths: range, conditions: tuple[int, int], *numbers: Any) -> dict[int, Config]:
    return dict.fromkeys(depths, Config(10, 15, 10, 15, 15, conditions, *numbers))


_easy_logic = partial(_logic, range(1, 4), (1, 1))
_hard_logic = partial(_logic, range(4, 7), (2, 3))

PRESETS: dict[str, Preset] = {
    "EL-EN": Preset(_easy_logic(*_EASY_NUMBERS), 500, "test"),
    "EL-HN": Preset(_easy_logic(*_HARD_NUMBERS), 500, "test"),
    "HL-EN": Preset(_hard_logic(*_EASY_NUMBERS), 500, "test"),
    "HL-HN": Preset(_hard_logic(*_HARD_NUMBERS), 500, "test"),
    "exHL-HN": Preset(
        {d: Config(30, 40, 40, 15 * d, 5 * d, (3, 6), *_HARD_NUMBERS) for d in range(7, 11)},
        size=400,
        split="test",
    ),
    "EL-Train": Preset(_easy_logic(*_TRAIN_NUMBERS), 5000, "train"),
    "EN-Train": Preset(_hard_logic(*_EASY_NUMBERS), 5000, "train"),
}
"""Name → dataset. An entry of your own is a preset like these."""
