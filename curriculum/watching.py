"""Reward functions that report what they pay to a curriculum or an evaluation."""

import inspect
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from logic_curriculum.rewards.blocks import without_thoughts
from logic_curriculum.rewards.completions import Completion, with_opening_mark
from logic_curriculum.rewards.functions import RewardFunction

Reward = Callable[..., Any]
"""A reward function of TRL: keyword arguments in, one number or None for each completion out."""
See = Callable[[Sequence[Completion], dict[str, Any], Sequence[float | None], float], None]
"""Takes completions, the trainer's other arguments by name, the rewards of one call, and the
seconds that it took."""


class WatchedReward:
    """A reward function, under its own name, whose rewards :attr:`see` is shown.

    It can be pickled if the function and ``see`` can, and is not async. Arguments and rewards are
    the function's own.
    """

    def __init__(self, reward: Reward, see: See, weight: float = 1.0) -> None:
        self.logs = True  # whether it may add columns to TRL's table of completions
        inner = reward
        while isinstance(inner, partial):
            inner = inner.func
        named = reward if hasattr(reward, "__name__") else inner
        self.__name__ = getattr(named, "__name__", type(named).__name__)  # as TRL names it
        called = inner if inspect.isroutine(inner) else type(inner).__call__
        self.is_async = inspect.iscoroutinefunction(called)
        self.reward, self.see, self.weight = reward, see, weight
        self.decode: Callable[[Sequence[int]], str] | None = None
        """Makes text of tokens, where the chat template opens the thought that a completion is in;
        then a message whose thought never ends is told by it."""

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> Any:
        """Return the function's rewards."""
        completions, began = self._marked(completions, columns), time.perf_counter()
        rewards = self.reward(completions=completions, **columns)
        self.see(completions, columns, rewards, time.perf_counter() - began)
        return rewards

    def for_trainer(self) -> Reward:
        """Return the function as a trainer takes it, async if it is."""
        if not self.is_async:
            return self

        async def paid(completions: Sequence[Completion], **columns: Any) -> Any:
            completions, began = self._marked(completions, columns), time.perf_counter()
            rewards = await self.reward(completions=completions, **columns)
            self.see(completions, columns, rewards, time.perf_counter() - began)
            return rewards

        paid.__name__ = self.__name__  # TRL reads the name and the kind of the function itself
        return paid

    def _marked(
        self, completions: Sequence[Completion], columns: dict[str, Any]
    ) -> Sequence[Completion]:
        """Return messages with the opening mark of a thought that does not end.

        The mark itself is in the prompt. A thought that ends may be in the message, or the
        trainer has taken it out; tokens tell what was written.
        """
        if not self.logs:
            columns.pop("log_extra", None)
        if self.decode is None:
            return completions
        pairs = zip(completions, columns["completion_ids"], strict=True)
        return [self._with_mark(text, self.decode(ids)) for text, ids in pairs]

    @property
    def judge(self) -> Any:
        """The family and the kind of score, which is what is logged; of others the reward."""
        inner = self.reward.reward if isinstance(self.reward, WatchedReward) else self.reward
        return (inner.family, inner.paper) if isinstance(inner, RewardFunction) else inner

    def _with_mark(self, completion: Completion, written: str) -> Completion:
        _, is_cut = without_thoughts(with_opening_mark(written))
        if isinstance(completion, str) or not completion or not is_cut:
            return completion
        *others, last = completion
        return [*others, {**last, "content": with_opening_mark(last.get("content") or "")}]
