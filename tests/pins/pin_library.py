"""Everything that the pins use of the library, under its names: the one place to change them."""

# ruff: noqa: E402  (where things are is said before they are imported)

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
for _folder in (ROOT, TESTS / "rewards", TESTS / "engines"):
    if str(_folder) not in sys.path:  # tables of answers and attacks
        sys.path.append(str(_folder))

from hostile_table import ATTACKS
from loginum_cases import CASES
from test_answer_attacks import HEDGES, KEYS, RIGHT, TASKS
from test_answers import HOSTILE

from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.dataset import build_dataset
from logic_curriculum.generators.sampling import available_tasks
from logic_curriculum.rewards import REWARDS, logic_reward, measure_batch
from logic_curriculum.rewards.llm_extraction import judge_with_extractor
from logic_curriculum.rewards.registry import judge_of

IMPORT_ROOT = "logic_curriculum."
"""Left out of every pinned text, so that the packages may move below it."""

FAMILIES = ("slr", "symbolization", "countermodel", "validity", "loginum", "sat")

__all__ = [
    "ATTACKS", "CASES", "FAMILIES", "HEDGES", "HOSTILE", "IMPORT_ROOT", "KEYS", "REWARDS", "RIGHT",
    "ROOT", "TASKS", "TESTS", "Task", "available_tasks", "build_dataset", "generate", "judge_of",
    "judge_with_extractor", "logic_reward", "measure_batch", "registry",
]  # fmt: skip
