"""Reward functions for TRL, one per family of reasoning tasks, and the judges behind them.

Each function of :data:`REWARDS` is an attribute of this package, those of a family that you
registered too: ``from logic_curriculum.rewards import slr_reward``. Importing it is light: no
torch, no trainer, no process started.
"""

from logic_curriculum.rewards.functions import (
    REWARDS,
    RewardFunction,
    logic_reward,
    reward_function,
)
from logic_curriculum.rewards.judge import Judge, Verdict
from logic_curriculum.rewards.registry import judge, judge_batch, measure_batch

__all__ = ["REWARDS", "Judge", "RewardFunction", "Verdict", "judge", "judge_batch"]
__all__ += ["logic_reward", "measure_batch", "reward_function"]


def __getattr__(name: str) -> RewardFunction:
    if name.endswith("_reward"):
        try:
            return reward_function(name)
        except ValueError as error:
            raise AttributeError(str(error)) from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *REWARDS})
