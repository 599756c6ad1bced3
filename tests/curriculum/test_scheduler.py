"""The scheduler, without any trainer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from math import nan

import pytest

from logic_curriculum.curriculum import (
    CurriculumCallback,
    CurriculumConfig,
    CurriculumDataset,
    CurriculumScheduler,
    Ladder,
)
from logic_curriculum.curriculum.scheduler import Completion, LevelCounts, groups_of
from logic_curriculum.curriculum.strategies import STRATEGIES, Group

LADDER = Ladder("toy", ("basic", "basic", "hard"))


def scheduler(**options: object) -> CurriculumScheduler:
    config = CurriculumConfig(**{"families": ["toy"], "window": 16, **options})
    return CurriculumScheduler(config, [Ladder(family, LADDER.tiers) for family in config.families])


def groups(level: int, passes: int, count: int = 16, family: str = "toy") -> list[Group]:
    """Return groups of eight completions each."""
    rate = passes / 8
    return [Group(n, family, level, 8, passes, rate, rate * (1 - rate)) for n in range(count)]


def test_passing_a_level_moves_to_the_next_and_is_recorded() -> None:
    subject = scheduler()
    (move,) = subject.observe(groups(1, 8), step=17)
    assert (move.step, move.family, move.kind, move.level) == (17, "toy", "advance", 1)
    assert subject.levels == {"toy": 2}
    assert subject.history == (move,)


def test_passing_the_last_level_finishes_the_family_once() -> None:
    subject = scheduler(start_level=3)
    kinds = [[m.kind for m in subject.observe(groups(3, 8), step)] for step in range(2)]
    assert kinds == [["finish"], []]
    assert subject.finished


def test_last_level_ends_below_the_top_of_the_family() -> None:
    subject = scheduler(last_level=2, start_level=2)
    subject.observe(groups(2, 8), step=0)
    assert subject.level("toy") == 2
    assert subject.finished


def test_the_order_of_groups_does_not_matter() -> None:
    one, other = scheduler(), scheduler()
    mixed = groups(1, 8, 9) + groups(1, 3, 4)
    mixed = [group._replace(slot=slot) for slot, group in enumerate(mixed)]
    one.observe(mixed, step=0)
    other.observe(reversed(mixed), step=0)
    assert one.state_dict() == other.state_dict()


def test_what_levels_were_trained_on_is_counted() -> None:
    subject = scheduler()
    subject.observe(groups(1, 8, 2) + groups(2, 4, 1), step=0)
    counts = subject.counts("toy")
    assert counts[1] == LevelCounts(groups=2, useful_groups=0, attempts=16, passes=16)
    assert counts[2] == LevelCounts(groups=1, useful_groups=1, attempts=8, passes=4)


def test_a_finished_family_gives_its_share_away() -> None:
    subject = scheduler(families=["toy", "other"])
    before = Counter(subject.assign(slot).family for slot in range(4000))
    for level in (1, 2, 3):
        subject.observe(groups(level, 8, family="other"), step=level)
    assert subject.levels == {"toy": 1, "other": 3}
    after = Counter(subject.assign(slot).family for slot in range(4000))
    # Shares of 1/2, then of 0.3 / 1.3; the standard deviation is below 0.008.
    assert before["other"] / 4000 == pytest.approx(0.5, abs=0.03)
    assert after["other"] / 4000 == pytest.approx(0.231, abs=0.03)


def test_a_mastered_family_asks_for_less() -> None:
    subject = scheduler(families=["toy", "other"], strategy="target")
    for step in range(30):
        solved = [group for level in (1, 2, 3) for group in groups(level, 8, family="other")]
        subject.observe([*solved, *groups(1, step % 9)], step)
    after = Counter(subject.assign(slot).family for slot in range(1000))
    assert after["other"] / 1000 < 0.25


def test_slots_are_drawn_in_proportion_to_the_weights() -> None:
    subject = scheduler(start_level=3, replay_share=0.4)
    counts = Counter(subject.assign(slot).level for slot in range(5000))
    # 0.4 / 2 for each of levels 1 and 2, never tried; the standard deviation is about 0.006
    assert counts[1] / 5000 == pytest.approx(0.2, abs=0.03)
    assert counts[2] / 5000 == pytest.approx(0.2, abs=0.03)


def test_replay_stays_within_the_range_of_the_curriculum() -> None:
    subject = scheduler(first_level=2, start_level=3, replay_share=0.5)
    assert {subject.assign(slot).level for slot in range(200)} == {2, 3}


def test_without_replay_every_slot_asks_for_the_current_level() -> None:
    subject = scheduler(start_level=2, replay_share=0.0)
    assert {subject.assign(slot).level for slot in range(200)} == {2}


def test_without_a_frontier_the_level_is_the_mean_of_the_weights() -> None:
    subject = scheduler(strategy="uniform")
    assert subject.level("toy") == 2.0
    assert subject.observe(groups(1, 8), step=0) == []


def test_a_slot_means_the_same_task_in_every_process() -> None:
    code = (
        "from logic_curriculum.curriculum import *; "
        "s = CurriculumScheduler(CurriculumConfig(['toy'], start_level=3, replay_share=0.5), "
        "[Ladder('toy', ('basic', 'basic', 'hard'))]); "
        "print([(s.assign(n).level, s.task_seed(n)) for n in range(20)])"
    ).replace("import *", "import CurriculumConfig, CurriculumScheduler, Ladder")
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_slots_have_different_seeds_and_so_do_task_seeds() -> None:
    first, second = scheduler(task_seed=1), scheduler(task_seed=2)
    seeds = {subject.task_seed(slot) for subject in (first, second) for slot in range(1000)}
    assert len(seeds) == 2000


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_state_survives_json_and_continues_as_if_never_saved(strategy: str) -> None:
    options = {"families": ["toy", "other"], "strategy": strategy}
    original, copy = scheduler(**options), scheduler(**options)
    batches = [groups(1, 8, 9), groups(1, 7, 9, "other"), groups(1, 8, 7), groups(2, 3, 9)]
    for step, batch in enumerate(batches[:3]):
        original.observe(batch, step)
    copy.load_state_dict(json.loads(json.dumps(original.state_dict())))
    assert copy.state_dict() == original.state_dict()
    for subject in (original, copy):
        subject.observe(batches[3], step=3)
    assert copy.state_dict() == original.state_dict()
    assert [copy.assign(slot) for slot in range(99)] == [
        original.assign(slot) for slot in range(99)
    ]


def test_a_finished_run_goes_on_where_levels_were_added() -> None:
    saved = scheduler(last_level=2, start_level=2)
    saved.observe(groups(2, 8), step=0)
    subject = scheduler(last_level=3)
    subject.load_state_dict(saved.state_dict())
    assert (subject.level("toy"), subject.finished) == (3, False)
    subject.observe(groups(3, 8), step=1)
    assert [move.kind for move in subject.history] == ["finish", "finish"]
    assert subject.counts("toy")[2].groups == 16


def test_a_saved_state_does_not_change_with_the_scheduler() -> None:
    subject = scheduler()
    saved = subject.state_dict()
    before = json.dumps(saved)
    subject.observe(groups(1, 8, 5), step=0)
    assert json.dumps(saved) == before


def test_the_order_of_families_does_not_change_a_resumed_run() -> None:
    one, other = (scheduler(families=names) for names in (["a", "b"], ["b", "a"]))
    other.load_state_dict(one.state_dict())
    assert [one.assign(slot) for slot in range(50)] == [other.assign(slot) for slot in range(50)]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"families": ["toy", "other"]}, "families"),
        ({"last_level": 2}, "levels of 'toy'"),
        ({"first_level": 2}, "levels of 'toy'"),
        ({"task_seed": 5}, "task_seed"),
        ({"strategy": "target"}, "strategy"),
    ],
)
def test_a_state_of_another_curriculum_is_refused_by_name(
    options: dict[str, object], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        scheduler(**options).load_state_dict(scheduler().state_dict())


def test_a_refused_state_changes_nothing() -> None:
    subject = scheduler(task_seed=5)
    before = subject.state_dict()
    with pytest.raises(ValueError, match="task_seed"):
        subject.load_state_dict(scheduler(start_level=2).state_dict())
    assert subject.state_dict() == before


def test_a_state_of_an_earlier_form_is_refused() -> None:
    with pytest.raises(ValueError, match="has version 1, this one 2"):
        scheduler().load_state_dict({**scheduler().state_dict(), "version": 1})


def test_a_state_of_an_earlier_threshold_is_refused() -> None:
    state = {**scheduler().state_dict(), "strategy_version": 1}
    del state["families"]["toy"]["state"]["rates"]
    with pytest.raises(ValueError, match=r"has strategy_version 1, this one 4, .* start a new run"):
        scheduler().load_state_dict(state)


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ({"task_versions": {"toy": 0}}, "has task_version 0 of toy, but this library has"),
        ({"reward_versions": {"toy": 2}}, "has reward_version 2 of toy, but this library has"),
        ({"task_versions": None}, "records no task_version of toy, but this library has"),
    ],
)
def test_a_state_of_other_versions_or_of_none_is_refused(
    saved: dict[str, object], said: str
) -> None:
    subject = scheduler()
    before = subject.state_dict()
    with pytest.raises(ValueError, match=f"^The saved curriculum {said}"):
        subject.load_state_dict({**scheduler(start_level=2).state_dict(), **saved})
    assert subject.state_dict() == before


def test_thresholds_may_change_when_a_run_is_continued() -> None:
    subject = scheduler(pass_threshold=0.3)
    subject.load_state_dict(scheduler().state_dict())
    subject.observe(groups(1, 5), step=0)
    assert subject.level("toy") == 2


@pytest.mark.parametrize(
    ("observation", "message"),
    [
        (("nobody", 1, 1, 1), "nobody"),
        (("toy", 0, 1, 1), "Level 0"),
        (("toy", 4, 1, 1), "levels 1 to 3"),
    ],
)
def test_impossible_observations_are_refused(
    observation: tuple[str, int, int, int], message: str
) -> None:
    subject = scheduler()
    before = subject.state_dict()
    with pytest.raises(ValueError, match=message):
        subject.observe([*groups(1, 8), Group(99, *observation, 0.0, 0.0)], step=0)
    assert subject.state_dict() == before


@pytest.mark.parametrize(
    "options",
    [
        *({"last_level": 4}, {"start_level": 4}, {"first_level": 4}, {"first_level": 0}),
        *({"first_level": 3, "last_level": 2}, {"first_level": 2, "start_level": 1}),
    ],
    ids=str,
)
def test_levels_that_a_family_lacks_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="family 'toy' has levels 1 to 3"):
        scheduler(**options)


def test_a_family_without_a_ladder_is_refused() -> None:
    with pytest.raises(ValueError, match="There is no task family 'nobody'"):
        CurriculumScheduler(CurriculumConfig(families=["nobody"]), [LADDER])


def test_the_default_ladder_is_the_generators_own() -> None:
    subject = CurriculumScheduler(CurriculumConfig(families=["slr"]))
    assert subject.strategy("slr").levels == range(1, 21)


def test_the_scheduler_needs_no_torch() -> None:
    code = (
        "import sys\n"
        "from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler\n"
        "CurriculumScheduler(CurriculumConfig()).assign(0); "
        "heavy = {'torch', 'trl', 'transformers', 'datasets', 'matplotlib'} & set(sys.modules); "
        "sys.exit(', '.join(heavy) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_completions_are_gathered_by_slot_without_what_was_not_graded() -> None:
    completions = [
        Completion(5, "b", 1, 1.0, reward=0.25),
        Completion(4, "a", 2, 0.99),
        Completion(4, "a", 2, 1.0),
        Completion(4, "a", 2, None),
        Completion(3, "a", 1, nan),
        Completion(5, "b", 1, 0.0, reward=0.75),
    ]
    expected = [
        Group(4, "a", 2, attempts=2, passes=1, mean=0.995, variance=pytest.approx(0.000025)),
        Group(5, "b", 1, attempts=2, passes=1, mean=0.5, variance=0.0625),
    ]
    assert groups_of(completions) == expected
    assert groups_of(reversed(completions)) == expected


@pytest.mark.parametrize("made", [CurriculumScheduler, CurriculumDataset, CurriculumCallback])
@pytest.mark.parametrize("given", ["threshold", None, {"families": ["slr"]}])
def test_what_is_no_curriculum_is_refused_in_words(made, given):
    with pytest.raises(TypeError, match=rf"{made.__name__} is .*CurriculumConfig\(strategy="):
        made(given)


def test_numbers_of_numpy_and_torch_leave_a_state_that_json_takes() -> None:
    import numpy as np
    import torch

    ours = scheduler()
    for rewards in (np.ones(4, np.float32), torch.ones(4), [np.float32(1.0), 1.0, 0.5, None]):
        paid = [Completion(0, "toy", 1, reward) for reward in rewards]
        ours.observe(groups_of(paid), 0)
    assert json.loads(json.dumps(ours.state_dict())) == ours.state_dict()
    assert ours.assign(np.int64(3)) == ours.assign(3)
    assert ours.task_seed(np.int64(3)) == ours.task_seed(3)


def test_a_ladder_of_letters_is_refused() -> None:
    with pytest.raises(ValueError, match=r"write \('easy',\) for one level"):
        Ladder("mine", "easy")
