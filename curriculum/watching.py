"""Reward functions that tell a curriculum or an evaluation what they pay."""

import inspect
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from logic_curriculum.rewards.completions import Completion, with_opening_mark

Reward = Callable[..., Any]
"""A reward function of TRL: keyword arguments in, one number or None for each completion out."""
See = Callable[[Sequence[Completion], dict[str, Any], Sequence[float | None]], None]
"""Takes completions, the trainer's other arguments by name, and the rewards of one call."""


class WatchedReward:
    """A reward function, under its own name, whose rewards :attr:`see` is shown.

    It can be pickled if the function and ``see`` can. Arguments and rewards are the function's own.
    """

    def __init__(self, reward: Reward, see: See) -> None:
        inner = _without_partial(reward)
        self.__name__ = getattr(inner, "__name__", type(inner).__name__)  # as TRL names it
        self.reward, self.see = reward, see
        self.opens_thought = False
        """Whether the chat template opens a thought that messages hold without that mark."""
        self.seconds = 0.0
        """What the function took since someone set this to 0."""

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> Any:
        """Return the function's rewards."""
        completions, began = self._marked(completions), time.perf_counter()
        rewards = self.reward(completions=completions, **columns)
        return self._seen(completions, columns, rewards, began)

    def _seen(
        self,
        completions: Sequence[Completion],
        columns: dict[str, Any],
        rewards: Sequence[float | None],
        began: float,
    ) -> Sequence[float | None]:
        self.seconds += time.perf_counter() - began
        self.see(completions, columns, rewards)
        return rewards

    def _marked(self, completions: Sequence[Completion]) -> Sequence[Completion]:
        """Return messages with the opening mark of their thought, which stands in the prompt."""
        if not self.opens_thought:
            return completions
        return [
            text
            if isinstance(text, str)
            else [{**text[0], "content": with_opening_mark(text[0]["content"])}, *text[1:]]
            for text in completions
        ]


class AsyncWatchedReward(WatchedReward):
    """The same of an async function."""

    async def __call__(self, completions: Sequence[Completion], **columns: Any) -> Any:
        """Return the function's rewards."""
        completions, began = self._marked(completions), time.perf_counter()
        rewards = await self.reward(completions=completions, **columns)
        return self._seen(completions, columns, rewards, began)


def watched(reward: Reward, see: See) -> WatchedReward:
    """Return a watched function, async if the function is."""
    inner = _without_partial(reward)
    called = inner if inspect.isroutine(inner) else type(inner).__call__
    is_async = inspect.iscoroutinefunction(called)
    return (AsyncWatchedReward if is_async else WatchedReward)(reward, see)


def _without_partial(reward: Reward) -> Reward:
    while isinstance(reward, partial):
        reward = reward.func
    return reward
