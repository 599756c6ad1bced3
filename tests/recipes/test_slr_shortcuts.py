import pytest

from logic_curriculum.curriculum.models.slr_shortcuts import named_examples, with_shortcuts
from logic_curriculum.generators import generate
from logic_curriculum.rewards import measure_batch, slr_paper_reward, slr_reward

TASKS = [generate("slr", level, seed, style="compact") for level in (1, 3, 6) for seed in range(4)]


def test_named_examples_fit_as_shown_and_under_no_other_names():
    names = [named_examples(task) for task in TASKS]
    for verdict in measure_batch("slr", names, [task.verification for task in TASKS]):
        assert (verdict.metrics["extensional"], verdict.metrics["isomorphic"]) == (1.0, 0.0)


def test_only_the_paper_s_reward_pays_for_names():
    names = [named_examples(task) for task in TASKS]
    columns = {"verification": [task.verification for task in TASKS]}

    assert slr_paper_reward(names, **columns) == [1.0] * len(TASKS)
    assert slr_reward(names, **columns) == [0.0] * len(TASKS)


def test_the_share_asked_for_gets_a_shortcut_and_the_rest_stays():
    mixed = with_shortcuts(TASKS, 0.25, seed=0)

    changed = [new for new, old in zip(mixed, TASKS, strict=True) if new != old]
    assert len(changed) == 3
    assert all(task.solution == named_examples(task) for task in changed)
    assert with_shortcuts(TASKS, 0.0, seed=0) == TASKS


def test_which_tasks_get_a_shortcut_depends_on_the_seed_alone():
    assert with_shortcuts(TASKS, 0.5, seed=1) == with_shortcuts(TASKS, 0.5, seed=1)
    assert with_shortcuts(TASKS, 0.5, seed=1) != with_shortcuts(TASKS, 0.5, seed=2)


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_out_of_range_is_refused(share: float):
    with pytest.raises(ValueError, match=f"warm_up_shortcuts is {share}"):
        with_shortcuts(TASKS, share, seed=0)
