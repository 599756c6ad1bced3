"""Strategies without any trainer: what each makes of the same groups."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler, Group, Ladder
from logic_curriculum.curriculum.strategies import (
    SCALE,
    STRATEGIES,
    Strategy,
    strategy_class,
    wilson_bounds,
)

LEVELS = range(1, 7)


def strategy(name: str, **options: object) -> Strategy:
    config = CurriculumConfig(["toy"], strategy=name, **{"window": 16, **options})
    return strategy_class(name)(LEVELS, config)


def groups(level: int, rate: float, count: int = 16) -> list[Group]:
    passes = round(8 * rate)
    variance = passes / 8 * (1 - passes / 8)
    return [Group(n, "toy", level, 8, passes, passes / 8, variance) for n in range(count)]


def test_a_level_that_is_clearly_solved_is_left_after_a_quarter_of_the_window():
    subject = strategy("threshold", window=64)
    subject.observe(groups(1, 0.75, count=15))
    assert subject.frontier == 1  # one task is missing
    subject.observe(groups(1, 0.75, count=1))
    assert subject.frontier == 2  # 12 of 16: at least 0.65
    subject.observe(groups(2, 0.5, count=64))
    assert subject.frontier == 2  # at least 0.45


def test_a_level_near_the_threshold_takes_more_tasks():
    subject = strategy("threshold", window=64, pass_threshold=0.55)
    subject.observe(groups(1, 0.625, count=24))
    assert subject.frontier == 1  # at least 0.54
    subject.observe(groups(1, 0.625, count=16))
    assert subject.frontier == 2  # at least 0.56


def test_what_lies_further_back_than_a_window_does_not_count():
    subject = strategy("threshold")
    subject.observe(groups(1, 0.0, count=100))
    subject.observe(groups(1, 1.0, count=9))
    assert subject.frontier == 1  # 9 of the last 16: at least 0.46
    subject.observe(groups(1, 1.0, count=1))
    assert subject.frontier == 2  # 10 of 16: at least 0.52


def test_a_batch_without_a_task_of_the_level_tests_nothing():
    subject = strategy("threshold", start_level=2, pass_threshold=0.6)
    subject.observe(groups(2, 0.625))
    saved = subject.state_dict()
    subject.observe(groups(1, 1.0))
    assert subject.state_dict() | {"rates": saved["rates"]} == saved


def test_groups_of_other_levels_are_no_part_of_the_test():
    subject = strategy("threshold", start_level=3)
    subject.observe(groups(2, 1.0, count=100))
    assert subject.frontier == 3


@pytest.mark.parametrize(
    ("rate", "steps", "low", "high"),
    [(0.40, 60, 0.0, 0.08), (0.50, 4, 0.1, 0.3), (0.60, 10, 0.8, 1.0), (0.75, 4, 0.95, 1.0)],
)
def test_few_models_below_the_threshold_pass_and_most_above_it(rate, steps, low, high):
    # Six tasks a step, whose pass rates have a Beta distribution: they differ as they usually do.
    rng, passed, runs = np.random.default_rng(0), 0, 200
    for _ in range(runs):
        scheduler = CurriculumScheduler(CurriculumConfig(["toy"]), [Ladder("toy", ("basic",) * 2)])
        for step in range(steps):
            rates = rng.binomial(8, rng.beta(rate, 1 - rate, 6)) / 8
            made = [Group(n, "toy", 1, 8, int(8 * each), each, 0.1) for n, each in enumerate(rates)]
            if scheduler.observe(made, step):
                passed += 1
                break
    assert low <= passed / runs <= high


def test_replay_is_in_proportion_to_what_is_neither_mastered_nor_forgotten():
    subject = strategy("threshold", start_level=4, replay_share=0.4)
    for level, rate in ((1, 1.0), (2, 0.5), (3, 0.25)):
        subject.observe(groups(level, rate))
    weights = subject.weights()
    assert weights[3:] == [6 * SCALE // 10, 0, 0]
    assert sum(weights) == pytest.approx(SCALE, abs=3)
    below = np.array([0.0, 0.25, 0.1875]) + 0.02
    assert weights[:3] == pytest.approx(4000 * below / below.sum(), abs=1)


def test_after_the_last_level_all_levels_are_replayed():
    subject = strategy("threshold", start_level=6)
    subject.observe(groups(6, 1.0))
    assert subject.finished
    assert subject.frontier == 6
    assert all(subject.weights())
    assert sum(subject.weights()) == pytest.approx(0.3 * SCALE, abs=3)


def test_without_replay_a_finished_family_asks_for_what_no_other_wants():
    subject = strategy("threshold", start_level=6, replay_share=0.0)
    assert subject.weights() == [0, 0, 0, 0, 0, SCALE]
    subject.observe(groups(6, 1.0))
    assert subject.weights() == [0, 0, 0, 0, 0, 1]


def test_a_target_prefers_levels_near_one_half():
    subject = strategy("target")
    for level, rate in zip(LEVELS, (1.0, 0.875, 0.5, 0.25, 0.0, 0.0), strict=True):
        subject.observe(groups(level, rate))
    weights = subject.weights()
    assert sorted(LEVELS, key=lambda level: -weights[level - 1])[:3] == [3, 4, 2]
    assert min(weights) >= SCALE // 10 // len(LEVELS)  # a level is never given up


def test_a_staircase_leaves_a_level_after_its_tasks_whatever_they_score():
    subject = strategy("staircase", window=32)
    frontiers = []
    for _ in range(4):
        subject.observe(groups(subject.frontier, 0.0))
        frontiers.append(subject.frontier)
    assert frontiers == [1, 2, 2, 3]


def test_rlve_raises_the_highest_of_four_levels_at_nine_tenths():
    subject, ranges = strategy("rlve"), []
    for rate in (1.0, 0.75, 1.0, 1.0, 1.0):
        subject.observe(groups(subject.frontier - 1, 0.0) if subject.frontier > 1 else [])
        subject.observe(groups(subject.frontier, rate, count=7))
        before = subject.frontier
        subject.observe(groups(subject.frontier, rate, count=1))
        assert subject.frontier == before + (rate == 1.0)
        ranges.append([level for level, n in zip(LEVELS, subject.weights(), strict=True) if n])
    assert ranges == [[1, 2], [1, 2], [1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]
    assert len(set(subject.weights()[1:5])) == 1


def test_what_rlve_has_tested_does_not_count_again():
    subject = strategy("rlve")
    subject.observe(groups(1, 0.0, count=8))
    subject.observe(groups(1, 1.0, count=8))
    assert subject.frontier == 2


def test_adarft_moves_its_target_by_the_mean_reward():
    subject = strategy("adarft")
    assert subject.weights() == [SCALE, 0, 0, 0, 0, 0]
    subject.observe(groups(1, 1.0))  # five levels above level 1 stand for a difficulty of 100
    target = 2.5 * np.tanh(1.0)
    between = [2 - target, target - 1]
    assert subject.weights() == pytest.approx([0, *np.multiply(SCALE, between), 0, 0, 0], abs=1)
    subject.observe([])
    subject.observe(groups(2, 0.5))
    assert subject.state_dict() == {"above": pytest.approx(target)}
    for _ in range(3):
        subject.observe(groups(3, 1.0))
    assert subject.weights() == [0, 0, 0, 0, 0, SCALE]
    subject.observe(groups(6, 0.0))
    assert subject.state_dict() == {"above": pytest.approx(5 - target)}


def test_sec_draws_levels_by_a_softmax_of_their_mean_absolute_advantages():
    subject = strategy("sec")
    assert len(set(subject.weights())) == 1
    subject.observe([*groups(2, 0.5, count=3), *groups(2, 1.0, count=1), *groups(3, 0.0)])
    # The advantages of half of eight right answers are 1 and -1; those of equal rewards are 0.
    values = {"1": 0.0, "2": 0.5 * 0.75, "3": 0.0, "4": 0.0, "5": 0.0, "6": 0.0}
    assert subject.state_dict() == pytest.approx(values)
    odds = np.exp(np.array(list(values.values())) / 0.4)
    assert subject.weights() == pytest.approx(SCALE * odds / odds.sum(), abs=1)
    subject.observe(groups(2, 0.125))  # the mean size is 2 sqrt(1/8 x 7/8), half of the way to it
    assert subject.state_dict()["2"] == pytest.approx(0.5 * 0.375 + sqrt(7 / 64))


def test_e2h_moves_from_the_lowest_level_to_the_highest_as_tasks_are_seen():
    gaussian, cosine = strategy("e2h_gaussian"), strategy("e2h_cosine")
    tops = []
    for _ in range(7):
        tops.append(LEVELS[int(np.argmax(gaussian.weights()))])
        gaussian.observe(groups(1, 0.0))  # one sixth of the schedule
    assert tops == [1, 3, 4, 5, 5, 6, 6]  # 1 + 5 sqrt(n / 6)
    assert min(gaussian.weights()) == pytest.approx(SCALE * 2 / 42, abs=1)
    assert cosine.weights() == pytest.approx(SCALE * np.arange(6, 0, -1) / 21, abs=1)
    cosine.observe(groups(1, 0.0, count=48))
    assert len(set(cosine.weights())) == 1  # half of the way
    cosine.observe(groups(1, 0.0, count=480))
    assert cosine.weights() == pytest.approx(SCALE * np.arange(1, 7) / 21, abs=1)


def test_uniform_weights_are_equal():
    assert len(set(strategy("uniform").weights())) == 1


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_continues_from_its_state_as_if_never_saved(name):
    rng = np.random.default_rng(0)
    batches = [
        [
            Group(n, "toy", int(rng.integers(1, 7)), 8, int(rng.integers(9)), 0.5, 0.1)
            for n in range(20)
        ]
        for _ in range(12)
    ]
    whole, first = strategy(name), strategy(name)
    for batch in batches:
        whole.observe(batch)
    for batch in batches[:7]:
        first.observe(batch)
    second = strategy(name)
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    for batch in batches[7:]:
        second.observe(batch)
    assert second.weights() == whole.weights()
    assert second.state_dict() == whole.state_dict()


def test_a_class_of_the_user_s_own_is_named_by_its_module(tmp_path: Path, monkeypatch):
    (tmp_path / "easiest.py").write_text(
        "from logic_curriculum.curriculum import Strategy\n\n\n"
        "class Easiest(Strategy):\n"
        "    def weights(self):\n"
        "        return [1] + [0] * (len(self.levels) - 1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    config = CurriculumConfig(["toy"], strategy="easiest:Easiest")
    scheduler = CurriculumScheduler(config, [Ladder("toy", ("basic",) * 3)])
    assert {scheduler.assign(slot).level for slot in range(50)} == {1}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("thresholds", "choose one of threshold, target"),
        ("no_such_module:Mine", "could not be imported .No module named"),
        ("json:Mine", "module 'json' has no attribute"),
        ("json:JSONDecoder", "no subclass of Strategy"),
    ],
)
def test_an_unknown_strategy_is_refused_by_name(name, said):
    with pytest.raises(ValueError, match=f"strategy is '{name}'.*{said}"):
        CurriculumConfig(strategy=name)


@pytest.mark.parametrize(
    "weights",
    ["[1, 2]", "[0, 0, 0]", "[1.5, 0, 1]", "[-1, 1, 1]", '{"1": 1, "2": 1, "3": 1}', "null"],
)
def test_impossible_weights_are_refused(weights, tmp_path, monkeypatch):
    class Broken(Strategy):
        def weights(self):
            return json.loads(weights)

    monkeypatch.setitem(STRATEGIES, "broken", Broken)
    with pytest.raises(ValueError, match="strategy 'broken' gave"):
        CurriculumScheduler(
            CurriculumConfig(["toy"], strategy="broken"), [Ladder("toy", ("basic",) * 3)]
        )


def test_a_strategy_that_saves_and_never_loads_is_refused(tmp_path, monkeypatch):
    (tmp_path / "forgetful.py").write_text(
        "from logic_curriculum.curriculum import Strategy\n\n\n"
        "class Forgetful(Strategy):\n"
        "    def weights(self):\n"
        "        return [1] * len(self.levels)\n\n"
        "    def state_dict(self):\n"
        "        return {'seen': 1}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="only one of state_dict and load_state_dict"):
        CurriculumConfig(["toy"], strategy="forgetful:Forgetful")


def test_a_state_that_json_changes_is_refused(monkeypatch):
    class Mine(STRATEGIES["uniform"]):
        def state_dict(self):
            return {"seen": {1: 0.5}}

        def load_state_dict(self, state):
            pass

    monkeypatch.setitem(STRATEGIES, "mine", Mine)
    config = CurriculumConfig(["toy"], strategy="mine")
    with pytest.raises(ValueError, match=r"strategy 'mine' gave .* from JSON as"):
        CurriculumScheduler(config, [Ladder("toy", ("basic",) * 3)]).state_dict()


def test_wilson_bounds_are_those_of_the_textbook():
    # Wilson (1927) with z = 1.6449 and 9 successes in 10 draws.
    low, high = wilson_bounds(0.9, 10, 0.95)
    assert (low, high) == pytest.approx((0.6524, 0.9774), abs=1e-3)


@pytest.mark.parametrize("frontier", [4, 0, 1.5])
def test_a_frontier_that_is_no_level_is_refused_when_it_is_reached(frontier, monkeypatch):
    class Beyond(STRATEGIES["uniform"]):
        frontier = 1

        def observe(self, groups):
            self.frontier = frontier

    monkeypatch.setitem(STRATEGIES, "beyond", Beyond)
    config = CurriculumConfig(["toy"], strategy="beyond")
    scheduler = CurriculumScheduler(config, [Ladder("toy", ("basic",) * 3)])
    with pytest.raises(ValueError, match=rf"frontier {frontier}: one of its levels, 1 to 3"):
        scheduler.observe([], 0)


def test_a_saved_state_is_a_copy(monkeypatch):
    class Mine(STRATEGIES["uniform"]):
        def state_dict(self):
            return seen

        def load_state_dict(self, state):
            pass

    seen = {"groups": [0]}
    monkeypatch.setitem(STRATEGIES, "mine", Mine)
    scheduler = CurriculumScheduler(
        CurriculumConfig(["toy"], strategy="mine"), [Ladder("toy", ("basic",))]
    )
    saved = scheduler.state_dict()
    seen["groups"][0] = 1
    assert saved["families"]["toy"]["state"] == {"groups": [0]}
