"""The scheduler, without any trainer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler, Ladder
from logic_curriculum.curriculum.scheduler import AttemptCounts, count_attempts

LADDER = Ladder("toy", ("basic", "basic", "hard"))


def scheduler(**options: object) -> CurriculumScheduler:
    config = CurriculumConfig(
        **{"families": ["toy"], "window": 10, "pass_threshold": 0.8, **options}
    )
    return CurriculumScheduler(config, [Ladder(family, LADDER.tiers) for family in config.families])


# (attempts, passes) of one observation after the other, and the level they lead to; window 10.
TABLE = [
    ([(10, 8)], 2, "8 of 10 reaches 0.8"),
    ([(10, 7)], 1, "7 of 10 does not"),
    ([(9, 9)], 1, "nine attempts do not fill the window, however good"),
    ([(9, 9), (1, 0)], 2, "9 of 10 over two observations"),
    ([(10, 0), (10, 8)], 2, "the old failures have left the window"),
    ([(10, 0), (9, 9)], 1, "they are still needed to fill it: 9 of 19"),
    ([(100, 80)], 2, "an observation may hold more than the window, and counts whole"),
    ([(10, 10), (5, 5)], 2, "a move empties the window"),
    ([(0, 0)], 1, "no graded attempt, no opinion"),
    ([(10, 10), (10, 10), (10, 10)], 3, "the last level has no next one"),
]


@pytest.mark.parametrize(("observations", "level", "why"), TABLE, ids=[row[2] for row in TABLE])
def test_the_level_follows_the_pass_rate_over_the_window(
    observations: list[tuple[int, int]], level: int, why: str
) -> None:
    subject = scheduler()
    for attempts, passes in observations:
        subject.observe("toy", subject.level("toy"), attempts, passes, step=0)
    assert subject.level("toy") == level


def test_attempts_at_another_level_are_counted_but_move_nothing() -> None:
    subject = scheduler(start_level=2)
    assert subject.observe("toy", 1, 50, 50, step=0) is None
    track = subject.track("toy")
    assert (track.level, track.attempts, track.totals) == (2, 0, ((50, 50), (0, 0), (0, 0)))


def test_a_window_below_the_demotion_threshold_falls_back_a_level() -> None:
    subject = scheduler(start_level=2, demotion_threshold=0.3)
    subject.observe("toy", 2, 10, 3, step=4)
    assert subject.level("toy") == 2  # 0.3 is not below 0.3
    move = subject.observe("toy", 2, 10, 2, step=5)
    assert (subject.level("toy"), move.kind, move.step) == (1, "demote", 5)
    subject.observe("toy", 1, 10, 0, step=6)
    assert subject.level("toy") == 1  # the lowest level is the floor


def test_no_demotion_unless_asked_for() -> None:
    subject = scheduler(start_level=2)
    subject.observe("toy", 2, 1000, 0, step=0)
    assert subject.level("toy") == 2


def test_passing_the_last_level_finishes_the_track_once() -> None:
    subject = scheduler(start_level=3)
    kinds = [subject.observe("toy", 3, 10, 10, step=step) for step in range(2)]
    assert [move and move.kind for move in kinds] == ["finish", None]
    assert subject.finished
    assert subject.track("toy").finished


def test_last_level_ends_a_track_below_the_top_of_its_family() -> None:
    subject = scheduler(last_level=2, start_level=2)
    subject.observe("toy", 2, 10, 10, step=0)
    assert subject.level("toy") == 2
    assert subject.finished


def test_the_history_tells_step_family_level_and_pass_rate_of_each_move() -> None:
    subject = scheduler()
    subject.observe("toy", 1, 10, 9, step=17)
    (move,) = subject.history
    assert (move.step, move.family, move.kind, move.level) == (17, "toy", "advance", 1)
    assert move.pass_rate == 0.9


def test_each_family_has_a_track_of_its_own() -> None:
    subject = scheduler(families=["toy", "other"])
    subject.observe("other", 1, 10, 10, step=0)
    assert subject.levels == {"toy": 1, "other": 2}
    assert not subject.finished


def test_families_take_turns() -> None:
    subject = scheduler(families=["toy", "other"])
    assert [subject.assign(slot).family for slot in range(4)] == ["toy", "other", "toy", "other"]


def test_the_replay_share_of_slots_goes_evenly_to_earlier_levels() -> None:
    subject = scheduler(start_level=3, replay_share=0.4)
    counts = Counter(subject.assign(slot).level for slot in range(5000))
    # 0.4 / 2 for each of levels 1 and 2; the standard deviation is about 0.006
    assert counts[1] / 5000 == pytest.approx(0.2, abs=0.03)
    assert counts[2] / 5000 == pytest.approx(0.2, abs=0.03)


def test_replay_stays_within_the_range_of_the_curriculum() -> None:
    subject = scheduler(first_level=2, start_level=3, replay_share=0.5)
    assert {subject.assign(slot).level for slot in range(200)} == {2, 3}


def test_without_replay_every_slot_asks_for_the_current_level() -> None:
    subject = scheduler(start_level=2)
    assert {subject.assign(slot).level for slot in range(200)} == {2}


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


def test_the_state_survives_json_and_continues_as_if_never_saved() -> None:
    original = scheduler(families=["toy", "other"], demotion_threshold=0.2)
    observations = [("toy", 6, 6), ("other", 10, 10), ("toy", 3, 2), ("other", 10, 1)]
    for step, (family, attempts, passes) in enumerate(observations):
        original.observe(family, original.level(family), attempts, passes, step)
    copy = scheduler(families=["toy", "other"], demotion_threshold=0.2)
    copy.load_state_dict(json.loads(json.dumps(original.state_dict())))
    assert copy.state_dict() == original.state_dict()
    for subject in (original, copy):
        subject.observe("toy", 1, 1, 1, step=9)  # 9 of 10: advances, if the window came along
    assert copy.level("toy") == original.level("toy") == 2
    assert copy.history == original.history


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"families": ["toy", "other"]}, "families"),
        ({"last_level": 2}, "levels of 'toy'"),
        ({"task_seed": 5}, "task_seed"),
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


def test_a_state_without_a_field_is_refused_by_name() -> None:
    state = scheduler().state_dict()
    del state["history"]
    with pytest.raises(ValueError, match="history"):
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
    subject = scheduler(pass_threshold=0.5)
    subject.load_state_dict(scheduler().state_dict())
    subject.observe("toy", 1, 10, 5, step=0)
    assert subject.level("toy") == 2


@pytest.mark.parametrize(
    ("observation", "message"),
    [
        (("nobody", 1, 1, 1), "nobody"),
        (("toy", 0, 1, 1), "Level 0"),
        (("toy", 4, 1, 1), "levels 1 to 3"),
        (("toy", 1, 1, 2), "2 passes in 1 attempts"),
        (("toy", 1, -1, -1), "-1 passes"),
    ],
)
def test_impossible_observations_are_refused(
    observation: tuple[str, int, int, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        scheduler().observe(*observation, step=0)


@pytest.mark.parametrize(
    "options", [{"last_level": 4}, {"start_level": 4}, {"first_level": 4}], ids=str
)
def test_levels_that_a_family_lacks_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="family 'toy' has levels 1 to 3"):
        scheduler(**options)


def test_a_family_without_a_ladder_is_refused() -> None:
    with pytest.raises(ValueError, match="No ladder was given for family 'slr'"):
        CurriculumScheduler(CurriculumConfig(), [LADDER])


def test_the_default_ladder_is_the_generators_own() -> None:
    subject = CurriculumScheduler(CurriculumConfig(families=["slr"]))
    assert subject.track("slr").last == 20
    assert subject.tier("slr") == "basic"


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


def test_attempts_and_passes_are_counted_without_what_was_not_graded() -> None:
    rewards = [("b", 1, 1.0), ("a", 2, 0.99), ("a", 2, 1.0), ("a", 2, None), ("a", 1, float("nan"))]
    assert count_attempts(rewards) == [
        AttemptCounts("a", 2, attempts=2, passes=1),
        AttemptCounts("b", 1, 1, 1),
    ]
