"""What a user decides about a curriculum."""

from dataclasses import dataclass, fields
from typing import Any

from logic_curriculum.curriculum.strategies import Threshold, strategy_class, wilson_bounds
from logic_curriculum.generators.family import option


@dataclass(frozen=True)
class CurriculumConfig:
    """Which levels are trained, and what it takes to move between them.

    ``TrlParser`` and ``HfArgumentParser`` read the fields from the command line or from YAML; no
    name collides with a field of ``GRPOConfig``.

    Raises:
        ValueError: If a value is out of range; the message says what to change.
    """

    families: list[str] = option(
        ["slr"], "Task families; they share the slots by what their strategies ask for."
    )
    first_level: int = option(1, "Lowest level of every family.")
    last_level: int | None = option(None, "Highest level; by default the family's.")
    start_level: int | None = option(
        None, "First level to be trained, where a strategy begins with one; by default first_level."
    )
    strategy: str = option(
        "threshold",
        "How levels are chosen: threshold, target, rlve, adarft, sec, e2h_gaussian, e2h_cosine, "
        "uniform, staircase, or your own class as module:Class.",
    )
    pass_threshold: float = option(
        0.5, "Pass rate, in (0, 1), that passes a level if reached with 80 percent confidence."
    )
    window: int = option(
        64, "Latest tasks at a level that its pass rate is tested on; a quarter of them may do."
    )
    replay_share: float = option(
        0.3, "Share of slots, in [0, 1), that repeat lower levels, in proportion to p(1 - p)."
    )
    task_seed: int = option(
        0, "Seed that, with slot and level, determines every task; the trainer's is another one."
    )
    pass_reward: str | None = option(
        None, "Name of the reward function whose value 1.0 is a pass; by default the first one."
    )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "families" and (value, field.default) != (None, None):
                _check_type(field.name, value, field.type)
        names, passing = self.families, self.pass_threshold
        is_list = bool(names) and not isinstance(names, str)
        rules = {
            "families": (is_list and len({*names}) == len(names), 'names like families=["slr"]'),
            "window": (self.window >= 1, "1 task or more"),
            "pass_threshold": (
                0 < passing < 1,
                "a pass rate in (0, 1): 0.8 asks for four passes in five attempts",
            ),
            "replay_share": (0 <= self.replay_share < 1, "a share of slots in [0, 1)"),
        }
        for name, (fits, needed) in rules.items():
            if not fits:
                raise ValueError(f"{name} is {getattr(self, name)!r}, but it has to be {needed}.")
        if not issubclass(strategy_class(self.strategy), Threshold):
            return
        highest, _ = wilson_bounds(1.0, self.window)
        if passing > highest:
            raise ValueError(
                f"pass_threshold is {passing} and window {self.window}, but the lower bound of a "
                f"rate over {self.window} tasks is at most {highest:.3f}, even if all are solved: "
                "raise window or lower pass_threshold."
            )


def _check_type(name: str, value: object, kind: Any) -> None:
    """Check that a value has the type of its field; an integer will do for a float."""
    fits = isinstance(value, kind) or (isinstance(value, int) and isinstance(0.5, kind))
    if isinstance(value, bool) or not fits:
        wanted = str(getattr(kind, "__name__", kind)).replace(" | None", ", or left out")
        raise ValueError(
            f"{name} is {value!r}, of type {type(value).__name__}: {wanted} is needed."
        )
