"""A reward function that a curriculum watches, for trainers without curriculum methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from accelerate.utils import gather_object

from logic_curriculum.curriculum.dataset import SLOT
from logic_curriculum.curriculum.tally import Tally, tally

RewardFunction = Callable[..., Sequence[float | None]]
Observe = Callable[[Sequence[Tally], int], dict[str, float]]


class ObservedReward:
    """Calls a reward function and reports the passes of all processes.

    Rows without a slot, such as those of an evaluation set, are rewarded and not reported.

    Args:
        reward: A reward function with TRL's signature, not async.
        observe: Takes the tallies and the step, and returns metrics to log.

    Raises:
        ValueError: If the reward function is async.
    """

    def __init__(self, reward: RewardFunction, observe: Observe) -> None:
        called = reward if inspect.isroutine(reward) else type(reward).__call__
        if inspect.iscoroutinefunction(called):
            raise ValueError(
                f"{reward!r} is async, but the curriculum gathers its rewards from all processes, "
                "which needs a fixed order: pass a plain function, or use CurriculumGRPOTrainer."
            )
        self.reward = reward
        self.observe = observe
        self.__name__ = getattr(reward, "__name__", type(reward).__name__)

    def __call__(self, **kwargs: Any) -> Sequence[float | None]:
        """Return the rewards, after the scheduler has seen them."""
        rewards = self.reward(**kwargs)
        if SLOT in kwargs:
            own = list(zip(kwargs["family"], kwargs["level"], rewards, strict=True))
            metrics = self.observe(tally(gather_object(own)), kwargs["trainer_state"].global_step)
            for name, value in metrics.items():
                kwargs["log_metric"](name, value)
        return rewards
