"""Our families as datasets of reasoning-gym, by its own functions."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from logic_curriculum.curriculum.integrations import reasoning_gym_datasets
from logic_curriculum.generators import families
from logic_curriculum.rewards import Verdict

reasoning_gym = pytest.importorskip("reasoning_gym")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Register in a copy, so that no other test sees the datasets."""
    monkeypatch.setattr(reasoning_gym.factory, "DATASETS", dict(reasoning_gym.factory.DATASETS))
    return reasoning_gym_datasets.register()


def test_each_family_is_a_dataset_and_registering_twice_changes_nothing(registered):
    assert registered == [f"logic_curriculum_{family}" for family in families()]
    before = dict(reasoning_gym.factory.DATASETS)
    assert reasoning_gym_datasets.register() == registered
    assert before == reasoning_gym.factory.DATASETS


@pytest.mark.parametrize("family", families())
def test_the_answer_of_an_entry_is_paid_and_no_answer_is_not(family):
    dataset = reasoning_gym.create_dataset(f"logic_curriculum_{family}", level=2, size=2, seed=7)
    for entry in dataset:
        assert dataset.score_answer(entry["answer"], entry) == 1.0
        assert dataset.score_answer(None, entry) == 0.0
        assert dataset.score_answer("", entry) == 0.0


def test_an_entry_depends_on_level_seed_and_index_only():
    def questions(size: int, **config: object) -> list[str]:
        dataset = reasoning_gym.create_dataset("logic_curriculum_sat", size=size, **config)
        return [entry["question"] for entry in dataset]

    assert questions(2, level=1, seed=7) == questions(4, level=1, seed=7)[:2]
    assert not {*questions(4, level=1, seed=7)} & {*questions(4, level=1, seed=8)}
    assert not {*questions(4, level=1, seed=7)} & {*questions(4, level=2, seed=7)}


def test_options_are_those_of_the_family():
    dataset = reasoning_gym.create_dataset("logic_curriculum_slr", size=1, seed=1, style="compact")
    assert dataset[0]["question"].endswith("Answer:\n")
    with pytest.raises(TypeError, match="styl"):
        reasoning_gym.create_dataset("logic_curriculum_slr", styl="compact")
    with pytest.raises(ValueError, match="choose one of"):
        reasoning_gym.create_dataset("logic_curriculum_slr", style="verse")[0]


def test_an_entry_read_back_from_json_is_scored_by_its_dataset_s_name():
    dataset = reasoning_gym.create_dataset("logic_curriculum_validity", size=1, seed=3)
    entry = json.loads(json.dumps(dataset[0]))
    score = reasoning_gym.get_score_answer_fn(entry["metadata"]["source_dataset"])
    assert score(entry["answer"], entry) == 1.0


def test_the_datasets_mix_with_others_and_start_anew_without_end():
    from reasoning_gym.composite import DatasetSpec
    from reasoning_gym.dataset import ReseedingDataset

    config = {"level": 1, "style": "compact"}
    specs = [DatasetSpec("logic_curriculum_symbolization", 1, config)]
    specs += [DatasetSpec("leg_counting", 1, {})]
    mixed = reasoning_gym.create_dataset("composite", size=6, seed=1, datasets=specs)
    for entry in mixed:
        assert mixed.score_answer(entry["answer"], entry) == 1.0

    one = reasoning_gym.create_dataset("logic_curriculum_sat", size=2, seed=1)
    endless = iter(ReseedingDataset(one, chunk_size=2))
    assert len({next(endless)["question"] for _ in range(6)}) == 6


@pytest.mark.parametrize("failures", [1, 2])
def test_what_could_not_be_graded_is_judged_again_and_then_an_error(monkeypatch, failures):
    verdicts = [Verdict(False, None, explanation="the worker was lost")] * failures
    verdicts.append(Verdict(True, 1.0))
    judge = iter(verdicts)
    monkeypatch.setattr(reasoning_gym_datasets, "judge", lambda *given: next(judge))
    dataset = reasoning_gym.create_dataset("logic_curriculum_sat", size=1, seed=1)
    if failures == 1:
        assert dataset.score_answer("an answer", dataset[0]) == 1.0
    else:
        with pytest.raises(RuntimeError, match="could not be graded: the worker was lost"):
            dataset.score_answer("an answer", dataset[0])


@pytest.mark.parametrize("foreign", ["reasoning_gym", "inspect_ai", "verifiers"])
def test_a_missing_package_is_one_line_that_says_what_to_install(foreign):
    module = {
        "reasoning_gym": "reasoning_gym_datasets",
        "inspect_ai": "inspect_tasks",
        "verifiers": "verifiers_taskset",
    }[foreign]
    code = f"import sys; sys.modules[{foreign!r}] = None\n"
    code += f"from logic_curriculum.curriculum.integrations import {module}\n"
    code += "reasoning_gym_datasets.register()" if foreign == "reasoning_gym" else ""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: "), done.stderr
    assert 'pip install "logic-curriculum[' in last


def test_importing_the_integrations_imports_none_of_the_packages():
    code = (
        "import sys, logic_curriculum.curriculum.integrations.reasoning_gym_datasets\n"
        "print({'inspect_ai', 'reasoning_gym', 'verifiers'} & sys.modules.keys())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "set()"
