"""Strategies: how often a level is trained, and when it is passed, by what its groups scored.

A strategy sees the groups of one family, batch by batch, and answers with an integer weight for
each level. It draws no random number and reads no clock: equal groups give equal weights, which is
how all processes of a distributed run agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import isabstract
from math import cos, exp, pi, sqrt, tanh
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from logic_curriculum.curriculum.config import CurriculumConfig

SCALE = 10_000
"""What the weights of a family sum up to, or a multiple of it where it asks for more slots."""
CONFIDENCE = 0.8
"""Of the one-sided bound by which a level is passed: too early costs less than certainty."""


class Group(NamedTuple):
    """What the graded completions of one slot's task scored."""

    slot: int
    family: str
    level: int
    attempts: int
    """Graded completions."""
    passes: int
    """Solved ones among them: those that pass_reward pays at least 1 (``PASS``)."""
    mean: float
    """Of the rewards that train."""
    variance: float
    """Of these rewards; 0 if all are equal, which gives no advantage to learn from."""

    @property
    def pass_rate(self) -> float:
        """Passes per attempt."""
        return self.passes / self.attempts


class Strategy(ABC):
    """Decides how often each level of one family is trained.

    Subclass it, implement :meth:`weights`, and name the class in ``CurriculumConfig.strategy`` as
    ``module:Class``. What changes during a run goes into :meth:`state_dict`.
    """

    version: ClassVar[int] = 1
    """To be raised when the state changes its form."""
    frontier: int | None = None
    """The level to be passed next, for strategies that have one."""
    finished: bool = False
    """Whether the last level has been passed, for strategies that have a frontier."""

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        self.levels = levels
        self.config = config

    @abstractmethod
    def weights(self) -> Sequence[int]:
        """Return a weight, 0 or more, for each of ``levels``.

        A slot asks for a level with a probability in proportion to its weight. Families share the
        slots in proportion to the sums of their weights.
        """

    def observe(self, groups: Sequence[Group]) -> None:  # noqa: B027 - uniform needs none
        """Take in the groups of a batch, sorted by slot; none if none could be graded."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state that changes during a run, as JSON-able data."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:  # noqa: B027 - as above
        """Continue from a state, maybe of a run with fewer levels above."""


class Uniform(Strategy):
    """All levels alike, all the time: what a curriculum is compared with."""

    def weights(self) -> list[int]:
        """Return equal weights."""
        return in_proportion([1.0] * len(self.levels))


class _Rated(Strategy):
    """Keeps a running mean of each level's pass rate, in which a new group counts a tenth."""

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        super().__init__(levels, config)
        self._means: dict[int, float] = {}

    def observe(self, groups: Sequence[Group]) -> None:
        """Take in the pass rates of a batch; the order of its groups does not matter."""
        for level in {group.level: None for group in groups}:
            rates = [group.pass_rate for group in groups if group.level == level]
            known, share = self._means.get(level), 1 - 0.9 ** len(rates)
            found = fmean(rates)
            self._means[level] = found if known is None else known + share * (found - known)

    def _spread(self, level: int) -> float:
        """Return p(1 - p), at most 0.25, and that for a level which was never tried."""
        rate = self._means.get(level, 0.5)
        return rate * (1 - rate)

    def state_dict(self) -> dict[str, Any]:
        """Return the state, with the means by level."""
        means = {str(level): mean for level, mean in self._means.items()}
        return {**super().state_dict(), "rates": means}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        super().load_state_dict(state)
        self._means = {int(level): mean for level, mean in state["rates"].items()}


class _Frontier(Strategy):
    """A level that is trained until it is left, and the tasks counted there."""

    frontier: int
    """The level to be passed next; the last one after the finish."""

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        super().__init__(levels, config)
        self.frontier = levels[0] if config.start_level is None else config.start_level
        self._window: list[float] = []

    def _count(self, groups: Sequence[Group]) -> int:
        """Take in the pass rates of the tasks at the frontier, and return how many there were."""
        rates = [group.pass_rate for group in groups if group.level == self.frontier]
        self._window += rates
        return len(rates)

    def _advance(self) -> None:
        self.finished |= self.frontier == self.levels[-1]
        self.frontier, self._window = min(self.frontier + 1, self.levels[-1]), []

    def state_dict(self) -> dict[str, Any]:
        """Return level, window and whether the last level was passed."""
        state = {"level": self.frontier, "finished": self.finished, "window": [*self._window]}
        return {**state, "last": self.levels[-1]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue; a finished run continues at the first level that was added."""
        self.frontier, last, self.finished = state["level"], state["last"], state["finished"]
        self._window = [*state["window"]]
        if self.finished and last < self.levels[-1]:
            self.frontier, self._window, self.finished = last + 1, [], False


class Threshold(_Rated, _Frontier):
    """Trains a level until its pass rate reaches a threshold, and then the next one.

    After each batch the last ``config.window`` tasks at the level are tested, once there are a
    quarter as many: the level is passed if the lower 80 % confidence bound of their pass rate
    (Wilson, each task counted once, since completions of one task depend on one another) reaches
    ``config.pass_threshold``. So a level that is clearly solved is left after a quarter of a
    window, and what a model learned long ago does not count.

    ``config.replay_share`` of the slots repeat the levels below, in proportion to p(1 - p), p being
    a level's running pass rate: what is neither forgotten nor mastered. After the last level was
    passed all levels are trained by this rule, and of several families a finished one asks for the
    replay share alone.
    """

    version = 4

    def weights(self) -> list[int]:
        """Return the weight of the level, and of the ones below what they need to be kept."""
        below = self.levels[: self.frontier - self.levels[0] + self.finished]
        replayed = round(SCALE * self.config.replay_share) if below else 0
        spread = [self._spread(level) + 0.02 if level in below else 0 for level in self.levels]
        weights = in_proportion(spread, replayed)
        if not self.finished:
            weights[self.levels.index(self.frontier)] += SCALE - replayed
        elif not any(weights):
            weights[-1] = 1  # the last level, unless another family wants the slot
        return weights

    def observe(self, groups: Sequence[Group]) -> None:
        """Take in the groups of a batch, and move if the tasks counted ask for it."""
        super().observe(groups)
        size, counted = self.config.window, self._count(groups)
        self._window = self._window[-size:]
        if counted and 4 * len(self._window) >= size:
            lowest, _ = wilson_bounds(fmean(self._window), len(self._window))
            if lowest >= self.config.pass_threshold:
                self._advance()


class Staircase(_Frontier):
    """Trains each level for ``config.window`` tasks, whatever they score, then the next one."""

    def weights(self) -> list[int]:
        """Return a weight for the present level only; after the last one hardly any."""
        weight = 1 if self.finished else SCALE
        return [weight * (level == self.frontier) for level in self.levels]

    def observe(self, groups: Sequence[Group]) -> None:
        """Count tasks, and leave the level when there were enough."""
        self._count(groups)
        if len(self._window) >= self.config.window:
            self._advance()


class Target(_Rated):
    """Trains levels whose pass rate is near one half, by (p(1 - p))²; a tenth goes to all alike.

    After SPEED-RL (arXiv 2506.09016): the signal-to-noise ratio of a group's gradient is bounded by
    a multiple of p(1 - p). Of several families, one whose levels are all far from one half asks for
    less.
    """

    def weights(self) -> list[int]:
        """Return the weights."""
        spreads = [self._spread(level) ** 2 for level in self.levels]
        asked = 1 + round(19 * 16 * max(spreads))  # 20 where a level is at one half
        near = in_proportion([spread + 1e-4 for spread in spreads])
        return [asked * (9 * weight // 10 + SCALE // 10 // len(self.levels)) for weight in near]


class RLVE(_Frontier):
    """Four levels alike, the highest of which moves up when 90 % of its answers are right.

    After RLVE (arXiv 2511.07317): after each 8 tasks at the highest level their pass rate is
    tested, and then they are forgotten. The range begins as one level. There are no levels between
    two levels, and a family that has finished keeps its share of the slots.
    """

    width, tasks, rate = 4, 8, 0.9

    def weights(self) -> list[int]:
        """Return equal weights for the levels of the range."""
        lowest = self.frontier - self.width
        return in_proportion([float(lowest < level <= self.frontier) for level in self.levels])

    def observe(self, groups: Sequence[Group]) -> None:
        """Count tasks at the highest level, and test them when there are enough."""
        self._count(groups)
        if len(self._window) >= self.tasks:
            if fmean(self._window) >= self.rate:
                self._advance()
            self._window = []


class AdaRFT(Strategy):
    """The level nearest to a target difficulty, which rises with the mean reward above one half.

    After AdaRFT (arXiv 2504.05520), which adds 50 tanh(2 (R - 0.5)) to a difficulty between 0 and
    100 after each batch of mean reward R; here the highest level stands for 100. That takes the
    tasks nearest to the target from a fixed set: here a target between two levels asks for both,
    for the nearer one more often.
    """

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        super().__init__(levels, config)
        start = levels[0] if config.start_level is None else config.start_level
        self._above = float(start - levels[0])  # levels from the lowest to the target

    def weights(self) -> list[int]:
        """Return the weights of the two levels next to the target."""
        distances = [abs(place - self._above) for place in range(len(self.levels))]
        return in_proportion([max(1 - distance, 0.0) for distance in distances])

    def observe(self, groups: Sequence[Group]) -> None:
        """Move the target by the mean reward of a batch."""
        if groups:
            last = len(self.levels) - 1
            moved = last / 2 * tanh(2 * (fmean(group.mean for group in groups) - 0.5))
            self._above = min(max(self._above + moved, 0.0), float(last))

    def state_dict(self) -> dict[str, Any]:
        """Return the target."""
        return {"above": self._above}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self._above = float(state["above"])


class SEC(Strategy):
    """Levels by the size of their advantages: a bandit with one arm for each level.

    After SEC (arXiv 2505.14970): the value of a level moves towards the mean absolute advantage of
    each batch that has the level, Q ← Q + a (|A| - Q) from Q = 0, and levels are drawn by a softmax
    of Q / T. With rewards of 0 and 1, advantages that are divided by the group's standard deviation
    have a mean size of twice that deviation, which is what is used here. The rate a = 0.5 and the
    temperature T = 0.4 are our choice.
    """

    rate, temperature = 0.5, 0.4

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        super().__init__(levels, config)
        self._values = dict.fromkeys(levels, 0.0)

    def weights(self) -> list[int]:
        """Return the weights."""
        return in_proportion([exp(value / self.temperature) for value in self._values.values()])

    def observe(self, groups: Sequence[Group]) -> None:
        """Move the values of the levels of a batch."""
        for level in {group.level: None for group in groups}:
            sizes = [2 * sqrt(group.variance) for group in groups if group.level == level]
            self._values[level] += self.rate * (fmean(sizes) - self._values[level])

    def state_dict(self) -> dict[str, Any]:
        """Return the values by level."""
        return {str(level): value for level, value in self._values.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self._values |= {int(level): value for level, value in state.items()}


class _EasyToHard(Strategy):
    """A fixed schedule over ``config.window`` tasks for each level, whatever they score.

    After E2H Reasoner (arXiv 2506.06632) and its code, where a schedule is as long as the training.
    Of n levels, each has a share of 2 / n(n + 1) or more at all times.
    """

    def __init__(self, levels: range, config: CurriculumConfig) -> None:
        super().__init__(levels, config)
        self._seen = 0

    @property
    def progress(self) -> float:
        """How much of the schedule has passed, in [0, 1]."""
        return min(self._seen / (self.config.window * len(self.levels)), 1.0)

    def observe(self, groups: Sequence[Group]) -> None:
        """Count the tasks."""
        self._seen += len(groups)

    def state_dict(self) -> dict[str, Any]:
        """Return the number of tasks."""
        return {"seen": self._seen}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self._seen = state["seen"]


class E2HGaussian(_EasyToHard):
    """A bell over the levels, of width 0.5, that moves upwards, at first faster (E2H-G)."""

    def weights(self) -> list[int]:
        """Return the weights."""
        count = len(self.levels)
        centre = sqrt(self.progress) * (count - 1)
        bell = [exp(-2 * (place - centre) ** 2) for place in range(count)]
        least = 2 / (count * (count + 1))
        return in_proportion([least + (1 - count * least) * each / sum(bell) for each in bell])


class E2HCosine(_EasyToHard):
    """From weights that fall with the level to weights that rise with it, by a cosine (E2H-C)."""

    def weights(self) -> list[int]:
        """Return the weights."""
        early, count = (1 + cos(pi * self.progress)) / 2, len(self.levels)
        return in_proportion(
            [early * (count - place) + (1 - early) * (place + 1) for place in range(count)]
        )


STRATEGIES: dict[str, type[Strategy]] = {
    "threshold": Threshold,
    "target": Target,
    "rlve": RLVE,
    "adarft": AdaRFT,
    "sec": SEC,
    "e2h_gaussian": E2HGaussian,
    "e2h_cosine": E2HCosine,
    "uniform": Uniform,
    "staircase": Staircase,
}


def strategy_class(name: str) -> type[Strategy]:
    """Return a strategy by its name, or by ``module:Class`` for one of the user's own.

    Raises:
        ValueError: If there is no such strategy.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    module, colon, attribute = name.partition(":")
    known = f"choose one of {', '.join(STRATEGIES)}, or name a class as module:Class"
    if not colon:
        raise ValueError(f"strategy is {name!r}, which is unknown: {known}.")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(
            f"strategy is {name!r}, which could not be imported ({error}): {known}. Is the folder "
            "of the module on PYTHONPATH?"
        ) from error
    if not (isinstance(found, type) and issubclass(found, Strategy)) or isabstract(found):
        raise ValueError(f"strategy is {name!r}, which is no subclass of Strategy with weights().")
    methods = ("state_dict", "load_state_dict")
    if len({getattr(found, each) is getattr(Strategy, each) for each in methods}) > 1:
        raise ValueError(
            f"strategy is {name!r}, which has only one of {' and '.join(methods)}, so that a "
            "resumed run would differ: give it both."
        )
    return found


def in_proportion(values: Sequence[float], total: int = SCALE) -> list[int]:
    """Return integers in proportion to values of 0 or more, which sum up to about ``total``."""
    whole = sum(values)
    return [round(total * value / whole) if whole else 0 for value in values]


def wilson_bounds(rate: float, count: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the one-sided bounds, lower and upper, of a rate found in ``count`` draws."""
    z = NormalDist().inv_cdf(confidence)
    centre = rate + z * z / (2 * count)
    margin = z * sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (centre - margin) / scale), min(1.0, (centre + margin) / scale)
