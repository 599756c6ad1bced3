"""Reward functions for TRL, one per family of reasoning tasks, and the judges behind them.

Importing this package is light: no torch, no trainer, no symbolic engine, no process started.
"""

from logic_curriculum.rewards.functions import (
    REWARDS,
    RewardFunction,
    countermodel_partial_reward,
    countermodel_reward,
    logic_reward,
    loginum_process_reward,
    loginum_reward,
    loginum_verified_reward,
    sat_partial_reward,
    sat_reward,
    sat_verdict_reward,
    slr_chance_corrected_reward,
    slr_paper_reward,
    slr_partial_reward,
    slr_reward,
    symbolization_reward,
    validity_f1_reward,
    validity_reward,
)
from logic_curriculum.rewards.registry import judge, judge_batch, measure_batch
from logic_curriculum.rewards.verdict import Verdict

__all__ = [
    "REWARDS",
    "RewardFunction",
    "Verdict",
    "countermodel_partial_reward",
    "countermodel_reward",
    "judge",
    "judge_batch",
    "logic_reward",
    "loginum_process_reward",
    "loginum_reward",
    "loginum_verified_reward",
    "measure_batch",
    "sat_partial_reward",
    "sat_reward",
    "sat_verdict_reward",
    "slr_chance_corrected_reward",
    "slr_paper_reward",
    "slr_partial_reward",
    "slr_reward",
    "symbolization_reward",
    "validity_f1_reward",
    "validity_reward",
]
