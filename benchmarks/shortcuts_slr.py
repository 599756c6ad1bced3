"""What cheap strategies earn on SLR tasks, and whether they keep to their bounds.

    python benchmarks/shortcuts_slr.py                            # 5 levels, 30 tasks each: minutes
    python benchmarks/shortcuts_slr.py --levels all --tasks 100   # the published table
    python benchmarks/shortcuts_slr.py --keep FOLDER ...          # a second run goes on from there

Each strategy sees what a model sees, the prompt and the examples in it, and writes a Prolog text;
all texts go through the reward. Where a rule is paid, its true balanced accuracy is measured over
2,000 fresh trains (at levels 1 to 3 over all 20), labelled by the ground truth.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean

import slr_bounds
from machine import describe_machine
from slr_bounds import BEST, ONE, SHORTEST, Earned
from slr_constants import (
    HANDWRITTEN,
    best_guess,
    best_of,
    fits_by_engine,
    look_around,
    short_rules,
    wider_rules,
)
from slr_learners import (
    LISTS,
    Trained,
    fits_some,
    half_of_the_trains,
    shortest,
    shortest_signed,
    train_choices,
    training_row,
)
from slr_memory import MEMORISERS, NEIGHBOURS
from slr_shown import Shown, draw_tasks
from slr_truth import GENERALISES, balanced_accuracies

from logic_curriculum.rewards import judge_batch

LEVELS = (1, 4, 8, 13, 20)
FIRST_SEED = 5_000_000
"""Seed of the first test task; no other program of the repository starts there."""
TRAINING_SEED = 6_000_000
TRAINING_TASKS = 150
"""For each level; 3,000 for all twenty."""
SLACK = 0.05
"""Share of unearned pay from which on all rules of a strategy are measured, not the paid ones."""

LOOKING = "looking around at other trains, best of all"
WIDER = "best of disjunctions, counts, order … and training rules"
HAND = "written by hand, best of all"
GUESS = "best single value, its errors remembered"
SEEING = "trained to choose among conjunctions"
HALF = "a condition that half of the trains meet"
BLIND = "trained to choose without labels"
GROUPS = {
    ONE: "references",
    BEST: "references",
    **dict.fromkeys([HAND, LOOKING, WIDER], "constants"),
    **dict.fromkeys(MEMORISERS, "memorisers"),
    **dict.fromkeys([GUESS, *LISTS, *NEIGHBOURS, SEEING], "learners"),
    **dict.fromkeys([HALF, BLIND], "without labels"),
    "ground truth": "truth",
    SHORTEST: "short",
    "a shortest conjunction of at most two values, over all tasks": "references",
    "a shortest conjunction, negation included": "references",
}


def measure(learners: Sequence[Trained], count: int, level: int) -> dict[str, Earned]:
    """Return what each strategy earns on test tasks of a level."""
    tasks = draw_tasks(level, count, FIRST_SEED)
    texts = _texts_by_task(tasks, learners)
    earned = _constants(tasks)
    paid = {name: _pay(tasks, column) for name, column in texts.items()}
    earned[HAND] = max((paid.pop(name)[0] for name in HANDWRITTEN), key=lambda item: item.paid)
    rewards = {name: column for name, (_, column) in paid.items()}
    earned |= {name: item for name, (item, _) in paid.items()}
    learning = [name for name, its in GROUPS.items() if its in ("learners", "without labels")]
    for name, (unearned, share) in _generalising(tasks, texts, rewards, learning).items():
        earned[name] = earned[name]._replace(unearned=unearned, share=share)
    whole = earned["a shortest conjunction of at most two values, over all tasks"]
    possible = fmean(map(fits_some, tasks))
    earned[SHORTEST] = whole._replace(paid=whole.paid / possible if possible else 1.0)
    return {name: earned[name] for name in GROUPS}


def _texts_by_task(tasks: Sequence[Shown], learners: Sequence[Trained]) -> dict[str, list[str]]:
    strategies = {
        **HANDWRITTEN,
        **MEMORISERS,
        **LISTS,
        HALF: half_of_the_trains,
        **NEIGHBOURS,
        "a shortest conjunction of at most two values, over all tasks": shortest,
        "a shortest conjunction, negation included": shortest_signed,
    }
    texts = {name: [write(shown) for shown in tasks] for name, write in strategies.items()}
    texts[GUESS] = best_guess(tasks)
    texts["ground truth"] = [shown.task.metadata["rule"] for shown in tasks]
    trained = zip((SEEING, BLIND), learners, strict=True)
    return texts | {name: learner.answers(tasks) for name, learner in trained}


def _pay(tasks: Sequence[Shown], texts: Sequence[str]) -> tuple[Earned, list[bool]]:
    verdicts = judge_batch("slr", list(texts), [shown.task.verification for shown in tasks])
    assert all(verdict.reward is not None for verdict in verdicts)
    solved = [verdict.solved for verdict in verdicts]
    return Earned(fmean(solved), fmean(verdict.metrics["fits"] for verdict in verdicts)), solved


def _constants(tasks: Sequence[Shown]) -> dict[str, Earned]:
    writer, count = tasks[0].writer, len(tasks)
    conjunctions, fits, disjunctions, their_fits = short_rules(tasks)
    single = [
        i
        for i, (first, *more) in enumerate(conjunctions)
        if not more and len(first.literals) == 1 and first.some and first.literals[0].holds
    ]
    one, _ = best_of(tasks, lambda i: writer.rule(conjunctions[single[i]]), fits[:, single])
    best, _ = best_of(tasks, lambda i: writer.rule(conjunctions[i]), fits, least=one)
    wider, _ = best_of(tasks, disjunctions.__getitem__, their_fits)
    counted, _ = _best_by_engine(tasks, wider_rules(writer), least=wider)
    looking, _ = _best_by_engine(tasks, look_around(writer))
    found = {ONE: one, BEST: best, WIDER: counted, LOOKING: looking}
    return {name: Earned(paid / count) for name, paid in found.items()}


def _best_by_engine(
    tasks: Sequence[Shown], texts: Sequence[str], least: int = 0
) -> tuple[int, str]:
    return best_of(tasks, texts.__getitem__, fits_by_engine(tasks, texts), least)


def _generalising(
    tasks: Sequence[Shown],
    texts: Mapping[str, Sequence[str]],
    rewards: Mapping[str, Sequence[bool]],
    names: Sequence[str],
) -> dict[str, tuple[float, float | None]]:
    """Return each strategy's unearned pay, and where that is much its share of good rules."""
    unearned = dict.fromkeys(names, 0)
    for at, shown in enumerate(tasks):
        paid = [name for name in names if rewards[name][at]]
        for name, accuracy in zip(
            paid, balanced_accuracies(shown, [texts[name][at] for name in paid]), strict=True
        ):
            unearned[name] += accuracy < GENERALISES
    much = [name for name in names if unearned[name] > SLACK * len(tasks)]
    rows = [
        balanced_accuracies(shown, [texts[n][at] for n in much]) for at, shown in enumerate(tasks)
    ]
    shares = {name: fmean(row[i] >= GENERALISES for row in rows) for i, name in enumerate(much)}
    return {name: (unearned[name] / len(tasks), shares.get(name)) for name in names}


def _train(levels: Sequence[int], processes: ProcessPoolExecutor) -> list[Trained]:
    """Train the learners on tasks of all levels together."""
    seeds = range(TRAINING_SEED, TRAINING_SEED + TRAINING_TASKS)
    jobs = [(level, seed) for seed in seeds for level in levels]
    rows = processes.map(training_row, *zip(*jobs, strict=True), chunksize=10)
    return train_choices(list(rows))


def _measured(levels: Sequence[int], count: int, keep: Path | None) -> dict[int, dict[str, Earned]]:
    files = {level: keep / f"level-{level}-{count}.json" for level in levels} if keep else {}
    results = {
        level: {name: Earned(*row) for name, row in json.loads(path.read_text()).items()}
        for level, path in files.items()
        if path.exists()
    }
    missing = [level for level in sorted(levels, reverse=True) if level not in results]
    if not missing:
        return results
    os.environ.setdefault("LOGIC_CURRICULUM_WORKERS", "1")
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        learners = _train(levels, processes)
        work = processes.map(partial(measure, learners, count), missing)
        for level, row in zip(missing, work, strict=True):
            results[level] = row
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                files[level].write_text(json.dumps(row))
    return {level: results[level] for level in sorted(results)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies.")
    parser.add_argument("--levels", nargs="+", default=[str(level) for level in LEVELS])
    parser.add_argument("--tasks", type=int, default=30, help="test tasks per level")
    parser.add_argument("--keep", type=Path, help="folder of results, level by level")
    options = parser.parse_args()
    levels = range(1, 21) if options.levels == ["all"] else [int(text) for text in options.levels]
    machine, start = describe_machine(), time.perf_counter()
    results = _measured(levels, options.tasks, options.keep)
    print(
        f"{options.tasks} fresh test tasks per level. Share of them that is paid; in brackets the"
    )
    print("share that is paid for a rule whose true balanced accuracy is below .75.\n")
    print(slr_bounds.table(results, GROUPS))
    print("\nBounds\n")
    print(slr_bounds.verdicts(results, GROUPS))
    print(f"\n{machine} · {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
