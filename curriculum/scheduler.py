"""Which task next: draws levels by the strategies' weights, and records their moves."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from operator import index
from statistics import fmean, pvariance
from typing import Any, NamedTuple, TypeVar

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.strategies import Group, Strategy, strategy_class
from logic_curriculum.generators import registry
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.registry import check_recorded, versions_of_all

T = TypeVar("T")
STATE_VERSION = 2
PASS = 1.0  # the reward from which on a completion counts as solved


@dataclass(frozen=True)
class Ladder:
    """The levels of one family, counted from 1."""

    family: str
    tiers: tuple[str, ...]
    """Tier of each level, lowest level first."""

    def __post_init__(self) -> None:
        if isinstance(self.tiers, str):
            raise ValueError(f"tiers is {self.tiers!r}: write ({self.tiers!r},) for one level.")

    @property
    def top(self) -> int:
        """The highest level."""
        return len(self.tiers)

    def tier(self, level: int) -> str:
        """Return the tier of a level; a ValueError says that there is no such level."""
        if not 1 <= level <= self.top:
            raise ValueError(
                f"Level {level} does not exist: family {self.family!r} has levels 1 to {self.top}."
            )
        return self.tiers[level - 1]


def ladder_of(family: str) -> Ladder:
    """Return the ladder of a generator family; a ValueError says that there is no such family."""
    return Ladder(family, tuple(registry.family(family).tiers))


class Assignment(NamedTuple):
    """The task that a slot asks for."""

    family: str
    level: int


class Completion(NamedTuple):
    """What the scheduler has to know of a completion."""

    slot: int
    family: str
    level: int
    score: float | None
    """Solved from 1.0 on; ``None`` or NaN if it could not be graded, which is no attempt."""
    reward: float | None = None
    """What trains, if that is not the score itself."""


def groups_of(completions: Iterable[Completion]) -> list[Group]:
    """Return the groups of graded completions, sorted by slot.

    The order of the completions, and with it the number of processes, does not matter.
    """
    scores: dict[Any, list[tuple[float, float]]] = {}
    for slot, family, level, score, reward in completions:
        if score is not None and not math.isnan(score):
            pair = (float(score), float(score if reward is None else reward))
            scores.setdefault((slot, family, level), []).append(pair)
    groups = []
    for (slot, family, level), pairs in sorted(scores.items()):
        passes = sum(score >= PASS for score, _ in pairs)
        rewards = [reward for _, reward in sorted(pairs)]
        mean, variance = fmean(rewards), pvariance(rewards)
        groups.append(Group(slot, family, level, len(pairs), passes, mean, variance))
    return groups


@dataclass(frozen=True)
class Move:
    """A change of a family's frontier."""

    step: int
    """Optimizer steps done when the level moved."""
    family: str
    kind: str
    """``"advance"``, ``"demote"``, or ``"finish"`` when the last level is passed."""
    level: int
    """The level left; for ``"finish"`` the last one."""


@dataclass
class LevelCounts:
    """What a level was trained on since the run began."""

    groups: int = 0
    useful_groups: int = 0
    """Groups whose rewards were not all equal: the others teach nothing."""
    attempts: int = 0
    passes: int = 0

    def add(self, group: Group) -> None:
        """Count a group."""
        self.groups += 1
        self.useful_groups += group.variance > 0
        self.attempts += group.attempts
        self.passes += group.passes


def checked_curriculum(taker: object, given: object, kind: type[T]) -> T:
    """Return what was given; a TypeError if it is no scheduler, or no configuration of one."""
    if not isinstance(given, kind):
        raise TypeError(
            f"The curriculum of {type(taker).__name__} is {given!r}: give a {kind.__name__}, "
            "as in CurriculumScheduler(CurriculumConfig(strategy='threshold'))."
        )
    return given


class CurriculumScheduler:
    """Says which family and level a slot asks for, by one strategy for each family.

    Slots are drawn in proportion to the strategies' weights, each from its own random stream;
    the scheduler reads no clock, and equal observations give equal weights. So all processes of a
    distributed run agree, and a resumed run continues exactly. Families without one among the
    ``ladders`` have the generators'.

    Raises:
        ValueError: If a family is unknown, or has no level in the configured range.
    """

    def __init__(self, config: CurriculumConfig, ladders: Iterable[Ladder] = ()) -> None:
        self.config = config = checked_curriculum(self, config, CurriculumConfig)
        given = {ladder.family: ladder for ladder in ladders}
        self.ladders = {name: given.get(name) or ladder_of(name) for name in config.families}
        made = strategy_class(config.strategy)
        self._strategies = {
            family: made(self._levels(family), config) for family in config.families
        }
        self._counts = {
            name: {level: LevelCounts() for level in strategy.levels}
            for name, strategy in self._strategies.items()
        }
        self._history: list[Move] = []
        self._weigh()

    def _levels(self, family: str) -> range:
        first, top = self.config.first_level, self.ladders[family].top
        last = top if self.config.last_level is None else self.config.last_level
        start = first if self.config.start_level is None else self.config.start_level
        if not 1 <= first <= start <= last <= top:
            raise ValueError(
                f"The curriculum asks for levels {first} to {last}, starting at {start}, and "
                f"family {family!r} has levels 1 to {top}: choose first_level, start_level and "
                "last_level there, in this order."
            )
        return range(first, last + 1)

    def _weigh(self) -> None:
        """Ask the strategies for their weights, and add them up for the draws."""
        weights: dict[Assignment, int] = {}
        for family, strategy in sorted(self._strategies.items()):  # the same after a resume
            own, count = strategy.weights(), len(strategy.levels)
            is_list = hasattr(own, "__getitem__") and not isinstance(own, Mapping)
            if not is_list or len(own) != count or not all(map(_is_weight, own)):
                raise ValueError(
                    f"The strategy {self.config.strategy!r} gave {family!r} the weights {own}: a "
                    f"list of {count} integers of 0 or more is needed, one for each level; round() "
                    "makes an integer."
                )
            if strategy.frontier not in (None, *strategy.levels):
                raise ValueError(
                    f"The strategy {self.config.strategy!r} gave {family!r} the frontier "
                    f"{strategy.frontier}: one of its levels, {strategy.levels[0]} to "
                    f"{strategy.levels[-1]}, is needed; behind the last one, set finished instead."
                )
            pairs = zip(strategy.levels, own, strict=True)
            weights |= {Assignment(family, level): index(weight) for level, weight in pairs}
        if not any(weights.values()):
            raise ValueError(
                f"The strategy {self.config.strategy!r} gave all levels the weight 0, so that no "
                "task can be drawn: give one level at least a weight above 0."
            )
        self._weights, self._assignments = weights, list(weights)
        self._sums = list(accumulate(weights.values()))

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in the order of the configuration."""
        return tuple(self._strategies)

    @property
    def levels(self) -> dict[str, float]:
        """The level of each family, as :meth:`level` returns it."""
        return {family: self.level(family) for family in self._strategies}

    @property
    def history(self) -> tuple[Move, ...]:
        """All moves so far, oldest first."""
        return tuple(self._history)

    @property
    def finished(self) -> bool:
        """Whether every family has passed its last level."""
        return all(strategy.finished for strategy in self._strategies.values())

    def strategy(self, family: str) -> Strategy:
        """Return a family's strategy; a ValueError says that the curriculum lacks the family."""
        if family not in self._strategies:
            raise ValueError(
                f"Family {family!r} is not part of this curriculum: it trains {self.families}."
            )
        return self._strategies[family]

    def level(self, family: str) -> float:
        """Return the level to be passed next, or the mean level of the weights without one."""
        strategy = self.strategy(family)
        if strategy.frontier is not None:
            return strategy.frontier
        own = {level: self._weights[Assignment(family, level)] for level in strategy.levels}
        total = sum(own.values())
        if not total:
            return strategy.levels[-1]
        return sum(level * weight for level, weight in own.items()) / total

    def counts(self, family: str) -> Mapping[int, LevelCounts]:
        """Return the counts of groups and attempts so far at each level of a family."""
        return self._counts[family]

    def assign(self, slot: int) -> Assignment:
        """Return the task that a slot asks for now.

        A pure function of (task seed, slot, present weights): the inverse of the weights'
        cumulative distribution at a number that SHA-256 draws for the slot.
        """
        draw = derive_seed("curriculum", "slot", self.config.task_seed, index(slot))  # 63 bits
        return self._assignments[bisect_right(self._sums, draw * self._sums[-1] >> 63)]

    def task_seed(self, slot: int) -> int:
        """Return the seed of a slot's task; with the assignment it determines the task."""
        return derive_seed("curriculum", "task", self.config.task_seed, index(slot))

    def observe(self, groups: Iterable[Group], step: int) -> list[Move]:
        """Take in the groups of a batch, in any order, and return the moves that they caused.

        ``step`` is the number of optimizer steps done so far, for the history.

        Raises:
            ValueError: If a family or a level is not trained.
        """
        groups = sorted(groups)
        for group in groups:
            levels = self.strategy(group.family).levels
            if group.level not in levels:
                raise ValueError(
                    f"Level {group.level} was observed, but {group.family!r} is trained on levels "
                    f"{levels[0]} to {levels[-1]}: report a group at its task's level."
                )
        moves = []
        for family, strategy in self._strategies.items():
            own = [group for group in groups if group.family == family]
            for group in own:
                self._counts[family][group.level].add(group)
            before, was_finished = strategy.frontier, strategy.finished
            strategy.observe(own)
            kind = _kind(before, strategy.frontier, strategy.finished and not was_finished)
            if kind and before is not None:
                moves.append(Move(step, family, kind, before))
        self._history += moves
        self._weigh()
        return moves

    def state_dict(self) -> dict[str, Any]:
        """Return everything that changes during a run, as JSON-able data."""
        return {
            "version": STATE_VERSION,
            **versions_of_all(self.families),
            "task_seed": self.config.task_seed,
            "pass_reward": self.config.pass_reward,
            "strategy": self.config.strategy,
            "strategy_version": strategy_class(self.config.strategy).version,
            "families": {
                family: {
                    "levels": [strategy.levels[0], strategy.levels[-1]],
                    "state": self._state(strategy),
                    "counts": {str(n): asdict(count) for n, count in self._counts[family].items()},
                }
                for family, strategy in self._strategies.items()
            },
            "history": [asdict(move) for move in self._history],
        }

    def _state(self, strategy: Strategy) -> dict[str, Any]:
        """Return a strategy's state, which a checkpoint has to hold as it is."""
        state = strategy.state_dict()
        copied: dict[str, Any] = json.loads(json.dumps(state))  # which later steps don't change
        if copied != state:
            raise ValueError(
                f"state_dict of the strategy {self.config.strategy!r} gave {state}, which comes "
                "back from JSON as another one: use lists, and texts as keys of a mapping."
            )
        return copied

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what :meth:`state_dict` returned, also after a trip through JSON.

        Thresholds, window, replay and ``last_level`` may differ from the run that was saved, the
        last only upwards; what decides which tasks a slot can mean may not.

        Raises:
            ValueError: If the state belongs to another curriculum, or to other versions of its
                families' tasks or rewards; the message names the field.
        """
        own = self.state_dict()
        state = {"pass_reward": self.config.pass_reward, **state}  # of runs that don't tell it
        for name in ("version", "task_seed", "pass_reward", "strategy", "strategy_version"):
            require_equal(name, state.get(name), own[name])
        saved = state["families"]
        require_equal("families", sorted(saved), sorted(self.families))
        check_recorded("The saved curriculum", state, self.families)
        for family, strategy in self._strategies.items():
            (first, last), levels = saved[family]["levels"], strategy.levels
            if first != levels[0] or last > levels[-1]:
                require_equal(f"levels of {family!r}", [first, last], [levels[0], levels[-1]])
        for family, strategy in self._strategies.items():
            strategy.load_state_dict(saved[family]["state"])
            for level, counts in saved[family]["counts"].items():
                self._counts[family][int(level)] = LevelCounts(**counts)
        self._history = [Move(**move) for move in state["history"]]
        self._weigh()


def _is_weight(value: object) -> bool:
    """Return whether a value is an integer, numpy's among them, of 0 or more."""
    return hasattr(value, "__index__") and index(value) >= 0


def _kind(before: int | None, after: int | None, finishes: bool) -> str | None:
    """Return the kind of a frontier's move, or None if it stayed."""
    if finishes:
        return "finish"
    if before is None or after is None or before == after:
        return None
    return "advance" if after > before else "demote"


def require_equal(name: str, saved: object, current: object) -> None:
    """Raise a ValueError if a curriculum was saved with another value."""
    if saved != current:
        raise ValueError(
            f"The saved curriculum has {name} {saved}, this one {current}, so the levels would "
            "not mean the same: use the configuration of the saved run, or start a new run."
        )
