"""Runs ``recipes/grpo_slr.py`` with completions that are given instead of sampled.

Processes draw from random states of their own, so what they sample differs from what one process
would. Here the n-th completion of a generation is the same however many processes share it: the
solutions of the run's own tasks in turn, of several lengths, so that each step has a right one.
All else is the recipe's own: tasks, judge, advantages, loss, optimizer, curriculum.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "recipes"))

import grpo_slr

from logic_curriculum.curriculum import (
    CurriculumConfig,
    CurriculumGRPOTrainer,
    CurriculumScheduler,
)
from logic_curriculum.generators import generate

LEVELS = [1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3]  # of the slots: a staircase, three a step
SEEDS = map(CurriculumScheduler(CurriculumConfig(["slr"])).task_seed, range(len(LEVELS)))
RULES = [
    generate("slr", level, seed, style="compact").solution
    for level, seed in zip(LEVELS, SEEDS, strict=True)
]


def given_completions(
    self: CurriculumGRPOTrainer, prompt_ids: list[list[int]], *rest: Any
) -> tuple[list[list[int]], None]:
    first = self.accelerator.process_index * len(prompt_ids)
    places = range(first, first + len(prompt_ids))
    rules = [RULES[(place + self.state.global_step) % len(RULES)] for place in places]
    tokenizer = self.processing_class
    return [[*tokenizer(rule)["input_ids"], tokenizer.eos_token_id] for rule in rules], None


if __name__ == "__main__":
    CurriculumGRPOTrainer._generate_single_turn = given_completions
    grpo_slr.main()
