"""Runs ``recipes/grpo_slr.py`` with completions that are given instead of sampled.

Processes draw from random states of their own, so what they sample differs from what one process
would. Here the n-th completion of a generation is the same however many processes share it: rules
of levels 1 to 3 in turn, of several lengths, some of which solve the task. All else is the
recipe's own: tasks, judge, advantages, loss, optimizer, curriculum.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "recipes"))

import grpo_slr

from logic_curriculum.curriculum import CurriculumGRPOTrainer
from logic_curriculum.generators import generate

RULES = [generate("slr", 1 + seed % 3, seed, style="compact").solution for seed in range(7)]


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
