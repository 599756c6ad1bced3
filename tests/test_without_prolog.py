"""Without SWI-Prolog, tasks of slr are made, trained on and judged; what needs it says so."""

import os
import subprocess
import sys
from functools import partial

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr import family
from logic_curriculum.rewards.engines import prolog

SCRIPT = """
import sys
sys.modules["pyswip"] = None  # importing it raises ImportError
from logic_curriculum.curriculum.integrations.trl_environment import finding
from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.llm_rules import examine
from logic_curriculum.generators.slr.rules import Rule
from logic_curriculum.rewards import slr_paper_reward, slr_reward
from logic_curriculum.rewards.engines.prolog import PrologUnavailable
for level in (1, 4, 8, 20):
    for split in ("train", "validation", "test"):
        task = generate("slr", level, 1, split=split)
        assert slr_reward([task.solution], verification=[task.verification]) == [1.0]
        sly = family("slr").sly_answers(task).values()
        paid = slr_reward(list(sly), verification=[task.verification] * len(sly))
        assert not any(paid)
        assert finding("slr", str(task.metadata["rule"]), task.verification).startswith("right")
shown = Rule("eastbound(T) :- has_car(T, C), car_color(C, red).", "schema", "conjunction")
text = "[RULE]eastbound(T) :- has_car(T, C), car_color(C, blue), car_len(C, long).[/RULE]"
assert examine(text, load_language("trains"), level_of(12), shown).sampling == "llm"
import warnings
from logic_curriculum.rewards import measure_batch
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    (verdict,) = measure_batch("slr", [task.solution], [task.verification])
assert verdict.solved and "hacking_gap" not in verdict.metrics
assert "scores of the slr paper are left out. SWI-Prolog" in str(told[0].message)
for needs_prolog in (
    lambda: slr_paper_reward([task.solution], verification=[task.verification]),
    lambda: generate("slr", 1, 1, verify=True),
):
    try:
        needs_prolog()
    except PrologUnavailable as error:
        print(type(error).__name__, str(error).replace("\\n", " "))
"""


def test_without_prolog_tasks_are_made_and_judged_and_the_paper_s_score_says_what_it_needs():
    environment = {**os.environ, "LOGIC_CURRICULUM_SWIPL": "/nowhere/swipl"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == 2
    for line in told:
        assert line.startswith("PrologUnavailable")
        assert "swi-prolog" in line


@pytest.mark.parametrize("level", [1, 6, 20])
def test_labels_are_verified_by_prolog_where_that_is_asked_for(level):
    task = generate("slr", level, 3, verify=True)
    assert task == generate("slr", level, 3)


def test_a_label_that_prolog_does_not_find_is_an_error(monkeypatch):
    nothing = partial(prolog.entailed, "eastbound(T) :- fail.")
    monkeypatch.setattr(family, "entailed", lambda _, program: nothing(program))
    with pytest.raises(RuntimeError, match="SWI-Prolog finds another label for train"):
        generate("slr", 1, 3, verify=True)
