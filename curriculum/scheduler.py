"""Which level next: a state machine that knows attempts, passes and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.generators.seeding import derive_seed, stream
from logic_curriculum.rewards.versions import check_recorded, versions_of_all

STATE_VERSION = 1
PASS = 1.0  # the reward from which on a completion counts as solved


@dataclass(frozen=True)
class Ladder:
    """The levels of one family, counted from 1; a ValueError if there is none."""

    family: str
    tiers: tuple[str, ...]
    """Tier of each level, lowest level first."""

    def __post_init__(self) -> None:
        """Check that there is a level."""
        if not self.tiers:
            raise ValueError(
                f"The ladder of family {self.family!r} has no levels: give a tier for each level."
            )

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
    from logic_curriculum.generators import registry  # the scheduler itself needs no generator

    return Ladder(family, tuple(registry.family(family).tiers))


class Assignment(NamedTuple):
    """The task that a slot asks for."""

    family: str
    level: int


class AttemptCounts(NamedTuple):
    """Graded completions of one family at one level."""

    family: str
    level: int
    attempts: int
    passes: int


def count_attempts(rewards: Iterable[tuple[str, int, float | None]]) -> list[AttemptCounts]:
    """Count attempts and passes by family and level.

    ``rewards`` holds (family, level, reward) of each completion; with ``None`` or NaN it could not
    be graded and is no attempt. The counts are sorted, so that the order of the completions, and
    with it the number of processes, does not matter.
    """
    counts: dict[tuple[str, int], list[int]] = {}
    for family, level, reward in rewards:
        if reward is None or math.isnan(reward):
            continue
        count = counts.setdefault((family, level), [0, 0])
        count[0] += 1
        count[1] += reward >= PASS
    return [AttemptCounts(*key, *counts[key]) for key in sorted(counts)]


@dataclass(frozen=True)
class Move:
    """A change of level, or the end of a track."""

    step: int
    """Optimizer steps done when the level moved."""
    family: str
    kind: str
    """``"advance"``, ``"demote"``, or ``"finish"`` when the last level is passed the first time."""
    level: int
    """The level left; for ``"finish"`` the last one."""
    pass_rate: float
    """Over the window that caused the move."""


@dataclass(frozen=True)
class Track:
    """Where one family stands."""

    first: int
    last: int
    level: int
    """The current one, from ``first`` to ``last``."""
    finished: bool = False
    """Whether the last level has been passed."""
    attempts: int = 0
    """Graded completions at the current level since it was reached."""
    window: tuple[tuple[int, int], ...] = ()
    """(attempts, passes) of the latest observations at the current level, oldest first."""
    totals: tuple[tuple[int, int], ...] = ()
    """(attempts, passes) of the whole run for each level from ``first`` to ``last``."""

    @property
    def window_attempts(self) -> int:
        """Attempts in the window."""
        return sum(attempts for attempts, _ in self.window)

    @property
    def pass_rate(self) -> float | None:
        """Pass rate over the window, or ``None`` before the first attempt at this level."""
        attempts = self.window_attempts
        return sum(passes for _, passes in self.window) / attempts if attempts else None

    def counted(self, level: int, attempts: int, passes: int, size: int) -> Track:
        """Return the track with attempts counted; only those at its level enter the window.

        Once it is full, the window holds ``size`` attempts at least.
        """
        totals = list(self.totals)
        old_attempts, old_passes = totals[level - self.first]
        totals[level - self.first] = (old_attempts + attempts, old_passes + passes)
        if level != self.level:
            return replace(self, totals=tuple(totals))
        window = [*self.window, (attempts, passes)]
        total = self.window_attempts + attempts
        while total - window[0][0] >= size:
            total -= window.pop(0)[0]
        seen = self.attempts + attempts
        return replace(self, attempts=seen, window=tuple(window), totals=tuple(totals))

    def moved_to(self, level: int) -> Track:
        """Return the track at another level, with an empty window."""
        return replace(self, level=level, attempts=0, window=())


class CurriculumScheduler:
    """Moves one track per family up, and on request down, by the pass rate at its level.

    The pass rate of a track is taken over a sliding window: the latest observations at the current
    level that hold at least ``config.window`` attempts. Every move empties the window. Attempts at
    other levels (replay, or a batch made before a move) are counted in the totals only.

    The scheduler draws no random number and reads no clock: equal observations give equal levels,
    which is how all processes of a distributed run agree. By default ``ladders`` are those of the
    generators.

    Raises:
        ValueError: If a family is unknown, or has no level in the configured range.
    """

    def __init__(self, config: CurriculumConfig, ladders: Iterable[Ladder] | None = None) -> None:
        self.config = config
        given = ladders if ladders is not None else map(ladder_of, config.families)
        self.ladders: dict[str, Ladder] = {ladder.family: ladder for ladder in given}
        self._tracks = {family: self._new_track(family) for family in config.families}
        self._history: list[Move] = []

    def _new_track(self, family: str) -> Track:
        if family not in self.ladders:
            raise ValueError(
                f"No ladder was given for family {family!r}, only for {sorted(self.ladders)}: add "
                f"Ladder({family!r}, tiers=...), or leave `ladders` out for the generators' own."
            )
        first, top = self.config.first_level, self.ladders[family].top
        last = top if self.config.last_level is None else self.config.last_level
        start = first if self.config.start_level is None else self.config.start_level
        if last > top or start > last:
            raise ValueError(
                f"The curriculum asks for levels {first} to {last}, starting at {start}, but "
                f"family {family!r} has levels 1 to {top}: lower last_level, first_level or "
                "start_level."
            )
        return Track(first, last, start, totals=((0, 0),) * (last - first + 1))

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in the order of the configuration."""
        return tuple(self._tracks)

    @property
    def levels(self) -> dict[str, int]:
        """The current level of each family."""
        return {family: track.level for family, track in self._tracks.items()}

    @property
    def history(self) -> tuple[Move, ...]:
        """All moves so far, oldest first."""
        return tuple(self._history)

    @property
    def finished(self) -> bool:
        """Whether every track has passed its last level."""
        return all(track.finished for track in self._tracks.values())

    def track(self, family: str) -> Track:
        """Return where a family stands; a ValueError says that the curriculum lacks it."""
        if family not in self._tracks:
            raise ValueError(
                f"Family {family!r} is not part of this curriculum: it trains {self.families}."
            )
        return self._tracks[family]

    def level(self, family: str) -> int:
        """Return the current level of a family."""
        return self.track(family).level

    def tier(self, family: str) -> str:
        """Return the tier of a family's current level."""
        return self.ladders[family].tier(self.level(family))

    def assign(self, slot: int) -> Assignment:
        """Return the task that a slot asks for now.

        A pure function of (task seed, slot, current levels): families take turns slot by slot,
        and whether a slot replays an earlier level comes from a SHA-256 of seed and slot.
        """
        family = self.families[slot % len(self.families)]
        track = self._tracks[family]
        rng = stream("curriculum", "replay", self.config.task_seed, slot)
        if track.level > track.first and rng.random() < self.config.replay_share:
            return Assignment(family, rng.randrange(track.first, track.level))
        return Assignment(family, track.level)

    def task_seed(self, slot: int) -> int:
        """Return the seed of a slot's task; with the assignment it determines the task."""
        return derive_seed("curriculum", "task", self.config.task_seed, slot)

    def observe(
        self, family: str, level: int, attempts: int, passes: int, step: int
    ) -> Move | None:
        """Count attempts at a level, move the track when its window asks for it, return the move.

        ``attempts`` are the graded completions, ``passes`` the solved ones among them, ``step`` the
        optimizer steps done so far, for the history.

        Raises:
            ValueError: If the family, the level or the counts are impossible.
        """
        track = self.track(family)
        if not track.first <= level <= track.last:
            raise ValueError(
                f"Level {level} was observed, but the track of {family!r} has levels {track.first} "
                f"to {track.last}: report each attempt at the level its task was made for."
            )
        if not 0 <= passes <= attempts:
            raise ValueError(
                f"{passes} passes in {attempts} attempts were observed: passes are counted among "
                "the attempts, so they lie between 0 and their number."
            )
        if attempts == 0:
            return None
        self._tracks[family] = track = track.counted(level, attempts, passes, self.config.window)
        move = self._move(family, track, step) if level == track.level else None
        if move is not None:
            self._history.append(move)
        return move

    def _move(self, family: str, track: Track, step: int) -> Move | None:
        rate, lowest = track.pass_rate, self.config.demotion_threshold
        if rate is None or track.window_attempts < self.config.window:
            return None
        if rate >= self.config.pass_threshold and track.level < track.last:
            kind, after = "advance", track.moved_to(track.level + 1)
        elif rate >= self.config.pass_threshold and not track.finished:
            kind, after = "finish", replace(track, finished=True)
        elif lowest is not None and rate < lowest and track.level > track.first:
            kind, after = "demote", track.moved_to(track.level - 1)
        else:
            return None
        self._tracks[family] = after
        return Move(step, family, kind, track.level, rate)

    def state_dict(self) -> dict[str, Any]:
        """Return everything that changes during a run, as JSON-able data."""
        return {
            "version": STATE_VERSION,
            **versions_of_all(self.families),
            "task_seed": self.config.task_seed,
            "tracks": {family: asdict(track) for family, track in self._tracks.items()},
            "history": [asdict(move) for move in self._history],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what :meth:`state_dict` returned, also after a trip through JSON.

        Thresholds, window and replay may differ from the run that was saved; what decides which
        tasks a slot can mean may not.

        Raises:
            ValueError: If the state belongs to another curriculum, or to other versions of its
                families' tasks or rewards; the message names the field.
        """
        missing = [key for key in ("version", "task_seed", "tracks", "history") if key not in state]
        if missing:
            raise ValueError(
                f"The curriculum state lacks {missing}: pass what state_dict() returned."
            )
        self._require_equal("version", state["version"], STATE_VERSION)
        self._require_equal("task_seed", state["task_seed"], self.config.task_seed)
        self._require_equal("families", sorted(state["tracks"]), sorted(self.families))
        check_recorded("The saved curriculum", state, self.families)
        tracks = {name: self._load_track(name, state["tracks"][name]) for name in self._tracks}
        self._history = [Move(**move) for move in state["history"]]
        self._tracks = tracks

    def _load_track(self, family: str, saved: Mapping[str, Any]) -> Track:
        current = self._tracks[family]
        levels = f"levels of {family!r}"
        self._require_equal(levels, [saved["first"], saved["last"]], [current.first, current.last])
        pairs = {name: tuple(map(tuple, saved[name])) for name in ("window", "totals")}
        return Track(**{**saved, **pairs})

    @staticmethod
    def _require_equal(name: str, saved: object, current: object) -> None:
        if saved != current:
            raise ValueError(
                f"The saved curriculum has {name} {saved}, this one {current}, so the levels would "
                "not mean the same: use the configuration of the saved run, or start a new run."
            )
