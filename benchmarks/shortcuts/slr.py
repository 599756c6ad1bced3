"""What cheap strategies earn on SLR tasks, and whether they keep to their bounds.

    python benchmarks/shortcuts/slr.py                            # 5 levels, 30 tasks each: minutes
    python benchmarks/shortcuts/slr.py --levels all --tasks 100   # the published table
    python benchmarks/shortcuts/slr.py --keep FOLDER ...          # a second run goes on from there

Each strategy sees what a model sees, the prompt and the examples in it, and writes a Prolog text;
all texts go through the reward. Where a rule is paid, its true balanced accuracy is measured over
2,000 fresh trains (at levels 1 to 3 over all 20), labelled by the ground truth.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import slr_constants as constants
import slr_learners as learners
from common import markdown
from slr_constants import HANDWRITTEN, MEMORISERS
from slr_learners import LISTS, NEIGHBOURS
from slr_rules import GENERALISES, Shown, Strategy, balanced_accuracies, draw_tasks

from logic_curriculum.rewards import judge_batch

LEVELS = (1, 4, 8, 13, 20)
FIRST_SEED = 5_000_000
"""Seed of the first test task; no other program of the repository starts there."""
TRAINING_SEEDS = range(6_000_000, 6_000_150)  # for each level; 3,000 tasks for all twenty
SLACK = 0.05
"""Share of unearned pay from which on all rules of a strategy are measured, not the paid ones."""

ONE = "best single rule: one attribute value"
BEST = "best single rule: two literals, negation"
LOOKING = "looking around at other trains, best of all"
WIDER = "best of disjunctions, counts, order … and training rules"
HAND = "written by hand, best of all"
GUESS = "best single value, its errors remembered"
SEEING = "trained to choose among conjunctions"
HALF = "a condition that half of the trains meet"
BLIND = "trained to choose without labels"
SHORTEST_OVER_ALL = "a shortest conjunction of at most two values, over all tasks"
SHORTEST_SIGNED = "a shortest conjunction, negation included"
SHORTEST = "a shortest conjunction of at most two values, where one fits"
GROUPS = {
    **dict.fromkeys([ONE, BEST, SHORTEST_OVER_ALL, SHORTEST_SIGNED], "references"),
    **dict.fromkeys([HAND, LOOKING, WIDER], "constants"),
    **dict.fromkeys(MEMORISERS, "memorisers"),
    **dict.fromkeys([GUESS, *LISTS, *NEIGHBOURS, SEEING], "learners"),
    **dict.fromkeys([HALF, BLIND], "without labels"),
    "ground truth": "truth",
    SHORTEST: "short",
}
"""Strategy → its group, in the order of the table."""


class Earned(NamedTuple):
    """What a strategy earned on the tasks of a level, as shares of the tasks."""

    paid: float
    unearned: float | None = None  # though the rule's true balanced accuracy is below .75
    share: float | None = None  # of the tasks where it is at least .75, if that was measured

    @property
    def excess(self) -> float:
        """By how much more is paid than the share, or a number that this can't exceed."""
        if self.share is not None:
            return self.paid - self.share
        return self.paid if self.unearned is None else self.unearned


Row = Mapping[str, Earned]  # strategy → what it earned at a level
Results = Mapping[int, Row]


def measure(trained: Sequence[Strategy], count: int, level: int) -> Row:
    """Return what each strategy earns on test tasks of a level."""
    tasks = draw_tasks(level, count, FIRST_SEED)
    texts = _texts(tasks, trained)
    solved = {name: _solved(tasks, column) for name, column in texts.items()}
    paid = {name: fmean(its) for name, its in solved.items()} | _constants(tasks)
    paid[HAND] = max(paid.pop(name) for name in HANDWRITTEN)
    pairs = zip(tasks, texts[SHORTEST_OVER_ALL], strict=True)
    possible = fmean(text != shown.writer.never() for shown, text in pairs)
    paid[SHORTEST] = paid[SHORTEST_OVER_ALL] / possible if possible else 1.0
    names = [name for name, group in GROUPS.items() if group in ("learners", "without labels")]
    more = _generalising(tasks, texts, {name: solved[name] for name in names})
    return {name: Earned(paid[name], *more.get(name, ())) for name in GROUPS}


def _texts(tasks: Sequence[Shown], trained: Sequence[Strategy]) -> dict[str, list[str]]:
    strategies = {
        **HANDWRITTEN,
        **MEMORISERS,
        **LISTS,
        **NEIGHBOURS,
        HALF: learners.half_of_the_trains,
        SHORTEST_OVER_ALL: learners.shortest,
        SHORTEST_SIGNED: learners.shortest_signed,
        SEEING: trained[0],
        BLIND: trained[1],
        "ground truth": lambda shown: str(shown.task.metadata["rule"]),
    }
    texts = {name: [write(shown) for shown in tasks] for name, write in strategies.items()}
    return texts | {GUESS: constants.best_guess(tasks)}


def _solved(tasks: Sequence[Shown], texts: Sequence[str]) -> list[bool]:
    verdicts = judge_batch("slr", texts, [shown.task.verification for shown in tasks])
    assert all(verdict.reward is not None for verdict in verdicts)
    return [verdict.solved for verdict in verdicts]


def _constants(tasks: Sequence[Shown]) -> dict[str, float]:
    one, best, either = constants.best_short_rules(tasks)
    writer, judge = tasks[0].writer, partial(constants.best_by_engine, tasks)
    wider = judge(constants.wider_rules(writer), least=either)
    paid = {ONE: one, BEST: best, WIDER: wider, LOOKING: judge(constants.look_around(writer))}
    return {name: count / len(tasks) for name, count in paid.items()}


def _generalising(
    tasks: Sequence[Shown], texts: Mapping[str, Sequence[str]], solved: Mapping[str, Sequence[bool]]
) -> dict[str, tuple[float, float | None]]:
    """Return each strategy's unearned pay, and where that is much its share of good rules."""
    unearned = dict.fromkeys(solved, 0)
    for at, shown in enumerate(tasks):
        paid = [name for name in solved if solved[name][at]]
        accuracies = balanced_accuracies(shown, [texts[name][at] for name in paid])
        for name, accuracy in zip(paid, accuracies, strict=True):
            unearned[name] += accuracy < GENERALISES
    much = [name for name in solved if unearned[name] > SLACK * len(tasks)]
    rules = zip(*(texts[name] for name in much), strict=True)
    rows = list(map(balanced_accuracies, tasks, rules))
    shares = {name: fmean(row[i] >= GENERALISES for row in rows) for i, name in enumerate(much)}
    return {name: (unearned[name] / len(tasks), shares.get(name)) for name in solved}


def _measured(levels: Sequence[int], count: int, keep: Path | None) -> Results:
    """Read the levels that are kept, and measure the others."""
    files = {level: keep / f"level-{level}-{count}.json" for level in levels} if keep else {}
    results: dict[int, Row] = {
        level: {name: Earned(*row) for name, row in json.loads(path.read_text()).items()}
        for level, path in files.items()
        if path.exists()
    }
    missing = [level for level in sorted(levels, reverse=True) if level not in results]
    if not missing:
        return dict(sorted(results.items()))
    os.environ.setdefault("LOGIC_CURRICULUM_WORKERS", "1")
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        jobs = zip(*((level, seed) for seed in TRAINING_SEEDS for level in levels), strict=True)
        rows = processes.map(learners.training_row, *jobs, chunksize=10)
        trained = learners.train_choices(list(rows))  # on tasks of all levels together
        work = processes.map(partial(measure, trained, count), missing)
        for level, row in zip(missing, work, strict=True):
            results[level] = row
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                files[level].write_text(json.dumps(row))
    return dict(sorted(results.items()))


class Bound(NamedTuple):
    """A bound on what a group of strategies earns."""

    group: str
    says: str
    limit: Callable[[int, Row], float | None]  # at a level; None where nothing is demanded
    least: bool = False  # whether it is the least that it should earn
    excess: bool = False  # whether only what is paid beyond the rules that generalise counts


BEYOND = "at most .05 beyond the rules that generalise"
BOUNDS = (
    Bound("constants", "at most the best single rule + .03", lambda _, row: row[BEST].paid + 0.03),
    Bound(
        *("memorisers", "at most .05 from level 4 on, below the best single rule"),
        lambda level, row: 0.05 if level >= 4 else row[BEST].paid,
    ),
    Bound("learners", BEYOND, lambda *_: 0.05, excess=True),
    Bound("without labels", BEYOND, lambda *_: 0.05, excess=True),
    Bound("truth", "1.00", lambda *_: 1.0, least=True),
    Bound(
        "short", "at least .90 at levels 4 to 12", lambda n, _: 0.9 if 4 <= n <= 12 else None, True
    ),
)


def table(results: Results) -> str:
    """Return what each strategy earned; in brackets, what rules that do not generalise earned."""
    lines: list[list[str]] = []
    for group, names in groupby(GROUPS, GROUPS.__getitem__):
        lines.append([f"**{group}**", *[""] * len(results)])
        lines += [[name, *(_cell(row[name]) for row in results.values())] for name in names]
    return markdown(["strategy", *map(str, results)], lines)


def _cell(earned: Earned) -> str:
    paid = f"{earned.paid:.2f}".replace("0.", ".", 1)
    return paid if not earned.unearned else f"{paid} ({earned.unearned:.2f})".replace("(0.", "(.")


def bounds(results: Results) -> str:
    """Return for each strategy its bound, the level where it is closest, and whether it is met."""
    lines = [
        [name, bound.says, *_compared(bound, name, results)]
        for bound in BOUNDS
        for name, group in GROUPS.items()
        if group == bound.group
    ]
    return markdown(["strategy", "bound", "worst level", "there", "allowed", ""], lines, (0, 1, 5))


def _compared(bound: Bound, name: str, results: Results) -> list[str]:
    rows: list[tuple[float, int, float, float]] = []
    for level, row in results.items():
        if (limit := bound.limit(level, row)) is not None:
            earned = row[name].excess if bound.excess else row[name].paid
            rows.append((earned - limit if bound.least else limit - earned, level, earned, limit))
    if not rows:
        return ["", "", "", "not measured"]
    _, level, earned, limit = min(rows)
    missed = sorted(at for margin, at, _, _ in rows if margin < -1e-9)
    result = f"**missed** at {', '.join(map(str, missed))}" if missed else "met"
    return [str(level), f"{earned:.2f}", f"{limit:.2f}", result]


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies.")
    parser.add_argument("--levels", nargs="+", default=[str(level) for level in LEVELS])
    parser.add_argument("--tasks", type=int, default=30, help="test tasks per level")
    parser.add_argument("--keep", type=Path, help="folder of results, level by level")
    arguments = parser.parse_args()
    every = arguments.levels == ["all"]
    levels = range(1, 21) if every else list(map(int, arguments.levels))
    start = time.perf_counter()
    results = _measured(levels, arguments.tasks, arguments.keep)
    print(
        f"{arguments.tasks} fresh test tasks per level. Share of them that is paid; in brackets the"
        "\nshare that is paid for a rule whose true balanced accuracy is below .75.\n\n"
        f"{table(results)}\n\nBounds\n\n{bounds(results)}\n\n{time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
