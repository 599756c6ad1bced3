"""Reward functions for TRL, one per family of reasoning tasks, and the judges behind them.

Importing this package is light: no torch, no trainer, no symbolic engine, no process started.
"""

from rewards.functions import (
    REWARDS,
    RewardFunction,
    logic_reward,
    slr_chance_corrected_reward,
    slr_partial_reward,
    slr_reward,
)
from rewards.registry import judge, judge_batch
from rewards.verdict import Verdict

__all__ = [
    "REWARDS",
    "RewardFunction",
    "Verdict",
    "judge",
    "judge_batch",
    "logic_reward",
    "slr_chance_corrected_reward",
    "slr_partial_reward",
    "slr_reward",
]
