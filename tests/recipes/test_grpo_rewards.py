"""Which rewards a GRPO recipe is given, and what each weighs."""

import pytest
from grpo_curriculum import check_weights


@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.5, 0.5], []])
def test_weights_that_do_not_fit_the_rewards_are_refused(weights: list[float]):
    with pytest.raises(
        ValueError, match=f"reward_weights has {len(weights)} numbers for 2 rewards"
    ):
        check_weights(["slr_reward", "slr_partial_reward"], weights)


@pytest.mark.parametrize("weights", [None, [0.0, 1.0]])
def test_weights_may_be_left_out_or_one_for_each_reward(weights: list[float] | None):
    check_weights(["slr_reward", "slr_partial_reward"], weights)
