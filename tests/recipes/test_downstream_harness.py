"""The harness, offline: a benchmark of a local file and our own tasks, on a worthless network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval", reason='needs pip install "logic-curriculum[downstream]"')

from launching import ROOT
from lm_eval.tasks import TaskManager
from peft import LoraConfig, get_peft_model
from transformers import set_seed
from trl import ModelConfig

from logic_curriculum.curriculum.evaluation import downstream
from logic_curriculum.curriculum.evaluation.benchmarks import DownstreamArguments, read, report
from logic_curriculum.curriculum.evaluation.downstream import (
    EvaluatedModel,
    check_loading,
    definitions,
    evaluated_models,
    harness_arguments,
    run_missing,
    settings,
    task_manager,
    write_results,
)
from logic_curriculum.curriculum.evaluation.harness import write_tasks
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.generators import generate

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
LOCAL_TASK = """
task: opposites
dataset_path: json
dataset_kwargs: {data_files: {test: TEST, train: TRAIN}}
output_type: multiple_choice
test_split: test
fewshot_split: train
doc_to_text: "The opposite of {{word}} is"
doc_to_choice: "{{options}}"
doc_to_target: answer
metric_list:
  - {metric: acc, aggregation: mean, higher_is_better: true}
"""
PAIRS = (("hot", "cold"), ("up", "down"), ("long", "short"), ("first", "last"))


@pytest.fixture(autouse=True)
def few_tasks(monkeypatch):
    """Spare the harness the reading of its own thousands of files."""
    few = partial(TaskManager, include_defaults=False)
    monkeypatch.setattr("logic_curriculum.curriculum.evaluation.downstream.TaskManager", few)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Path:
    """Return the folder of a network with random weights, and an adapter in it."""
    tasks = [generate("slr", 1, seed, style="compact") for seed in range(20)]
    tokenizer = make_tokenizer(tasks, 600)
    tokenizer.chat_template = TEMPLATE
    folder = tmp_path_factory.mktemp("network")
    set_seed(0)
    model = make_model(tokenizer, TinyModelConfig(hidden_size=32, layers=1))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    config = LoraConfig(r=24, init_lora_weights=False, target_modules="all-linear")
    tuned = get_peft_model(model, config)
    tuned.peft_config["default"].base_model_name_or_path = str(folder)
    tuned.save_pretrained(folder / "adapter")
    return folder


@pytest.fixture
def script(tmp_path: Path) -> DownstreamArguments:
    """Return the options of an examination by a local benchmark and by one of ours."""
    rows = [
        {"word": word, "options": [other, word], "answer": 0}
        for pair in PAIRS
        for word, other in (pair, pair[::-1])
    ]
    files = {"TEST": tmp_path / "test.jsonl", "TRAIN": tmp_path / "train.jsonl"}
    files["TEST"].write_text("\n".join(map(json.dumps, rows[:6])))
    files["TRAIN"].write_text("\n".join(map(json.dumps, rows[6:])))
    task = LOCAL_TASK
    for name, path in files.items():
        task = task.replace(name, str(path))
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "opposites.yaml").write_text(task)
    return DownstreamArguments(
        output_dir=str(tmp_path / "run"),
        benchmarks=["opposites", "logic_slr"],
        include_path=str(tmp_path / "tasks"),
        task_metadata=json.dumps(
            {"levels": [1], "tasks_per_level": 3, "task_options": {"style": "compact"}}
        ),
        gen_kwargs='{"max_gen_toks": 4}',
        batch_size="4",
        num_fewshot=2,
        log_samples=True,
    )


def run(script: DownstreamArguments, network: Path, *tuned: str) -> dict[str, Path]:
    """Run all benchmarks on the models and return the folders of their results."""
    model_args = ModelConfig(model_name_or_path=str(network), dtype="float32")
    models = evaluated_models(str(network), tuned)
    folders = {model.name: Path(script.output_dir) / model.folder for model in models}
    found = task_manager(script)
    for model in models:
        run_missing(folders[model.name], model, script, model_args, found)
    return folders


def test_base_and_adapter_are_examined_and_examples_are_turns(script, network):
    folders = run(script, network, str(network / "adapter"))
    base, tuned = (read({"m": folder}, script.benchmarks)["m"] for folder in folders.values())
    text = report(read(folders, script.benchmarks), script.benchmarks)

    assert len(base["opposites"]["outcomes"]["opposites"]) == 6
    assert base["opposites"]["n-shot"] == {"opposites": 2}
    assert base["logic_slr"]["results"]["logic_slr"]["ungraded,none"] == 0
    assert len(tuned["opposites"]["outcomes"]["opposites"]) == 6
    assert "| opposites | opposites | 6 | 2 |" in " ".join(text.split())
    folder = next(iter(folders.values()))
    sample = json.loads((folder / "opposites.samples.jsonl").read_text().splitlines()[0])
    prompt = sample["arguments"][0][0]
    assert prompt.count("<user>The opposite of") == 3
    assert prompt.count("<assistant>") == 3
    assert prompt.endswith("<assistant>")
    said = [
        [json.loads(line)["resps"] for line in (path / "opposites.samples.jsonl").open()]
        for path in folders.values()
    ]
    assert said[0] != said[1]


def test_only_what_is_missing_is_run_again(script, network, monkeypatch):
    folders = run(script, network)
    base = next(iter(folders.values()))
    before = (base / "logic_slr.json").read_text()
    (base / "opposites.json").unlink()
    asked: list[str] = []
    real = downstream.simple_evaluate

    def counted(**options: Any) -> Any:
        asked.extend(options["tasks"])
        return real(**options)

    monkeypatch.setattr(downstream, "simple_evaluate", counted)
    run(script, network)

    assert asked == ["opposites"]
    assert (base / "logic_slr.json").read_text() == before


def test_results_of_other_settings_are_not_added_to(script, network, tmp_path):
    model = EvaluatedModel(str(network), None)
    model_args = ModelConfig(model_name_or_path=str(network))
    folder = tmp_path / "results"
    few = replace(script, benchmarks=["opposites"])
    run_missing(folder, model, few, model_args, task_manager(few))
    with pytest.raises(SystemExit, match="whose limit is None, but 1"):
        run_missing(folder, model, replace(few, limit=1), model_args, None)


def test_results_of_a_task_that_was_defined_otherwise_are_refused(script, network, tmp_path):
    few = replace(script, benchmarks=["opposites"])
    run(few, network)
    run(few, network)  # nothing changed, nothing is said
    tasks = tmp_path / "tasks"
    (tasks / "another.yaml").write_text(LOCAL_TASK.replace("opposites", "another"))
    run(few, network)
    moved = tasks.rename(tmp_path / "moved")
    run(replace(few, include_path=str(moved)), network)
    definition = moved / "opposites.yaml"
    definition.write_text(definition.read_text().replace("The opposite of", "Against"))
    with pytest.raises(SystemExit, match="task opposites, which is defined otherwise now"):
        run(replace(few, include_path=str(moved)), network)


def test_a_question_read_by_two_filters_counts_once(tmp_path):
    samples = [
        {"doc_id": number, "filter": name, "exact_match": float(name == "strict")}
        for name in ("strict", "flexible")
        for number in (1, 0)
    ]
    write_results(tmp_path, "gsm8k", {"samples": {"gsm8k": samples}}, log_samples=False)
    found = json.loads((tmp_path / "gsm8k.json").read_text())
    assert found["outcomes"] == {"gsm8k": [1.0, 1.0]}


def test_a_tasks_python_file_is_part_of_its_definition(script, tmp_path):
    manager = task_manager(script)
    before = definitions(manager, ["opposites", "logic_slr"])
    (tmp_path / "tasks" / "utils.py").write_text("x = 1")
    after = definitions(manager, ["opposites", "logic_slr"])
    assert before["opposites"] != after["opposites"]
    assert before["logic_slr"] == after["logic_slr"]


def test_a_task_is_defined_alike_wherever_its_folder_lies(tmp_path):
    digests = []
    for name in ("tasks", 'Prüfung "2"'):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "utils.py").write_text("def grade(doc, results): ...")
        yaml = "task: own\noutput_type: generate_until\nprocess_results: !function utils.grade\n"
        (folder / "own.yaml").write_text(yaml)
        manager = TaskManager(include_path=[folder], include_defaults=False)
        digests.append(definitions(manager, ["own"])["own"])
    assert digests[0] == digests[1]


@pytest.mark.parametrize("option", ["load_in_4bit", "load_in_8bit"])
def test_quantization_that_the_harness_would_not_do_is_refused(option):
    with pytest.raises(SystemExit, match="have no way through the harness"):
        check_loading(ModelConfig("m", **{option: True}))
    check_loading(ModelConfig("m"))


def test_a_benchmark_that_the_harness_lacks_is_refused(script):
    with pytest.raises(SystemExit, match=r"no task mmmlu: .* lists what it has"):
        task_manager(replace(script, benchmarks=["opposites", "mmmlu"]))


def test_vllm_gets_an_adapter_with_room_for_its_rank(network, script):
    model_args = ModelConfig(model_name_or_path=str(network), dtype="bfloat16")
    vllm = replace(script, backend="vllm", harness_args='{"tensor_parallel_size": 2}')
    adapter = EvaluatedModel("tuned", network / "adapter")

    assert harness_arguments(adapter, vllm, model_args) == {
        "pretrained": str(network),
        "revision": "main",
        "dtype": "bfloat16",
        "batch_size": "4",
        "lora_local_path": str(network / "adapter"),
        "max_lora_rank": 24,
        "tensor_parallel_size": 2,
    }


def test_an_adapter_is_put_on_the_model_that_it_was_trained_on(network, script):
    adapter = EvaluatedModel("after GRPO", network / "adapter")
    given = harness_arguments(adapter, script, ModelConfig("the/base", model_revision="v1"))
    assert given["pretrained"] == str(network)
    assert "revision" not in given
    assert given["peft"] == str(network / "adapter")
    assert settings(script, ModelConfig("the/base"), adapter)["model"] == str(network)


def test_a_whole_tuned_model_is_loaded_in_place_of_the_base(network, script):
    model_args = ModelConfig(model_name_or_path="base", model_revision="v1")
    given = harness_arguments(EvaluatedModel("lab/tuned", None), script, model_args)
    assert given["pretrained"] == "lab/tuned"
    assert "revision" not in given
    assert "peft" not in given


def test_two_models_of_one_name_are_refused():
    with pytest.raises(SystemExit, match="stands twice"):
        evaluated_models("a/b", ["a/b"])


def test_the_package_evaluate_is_found_where_recipes_come_first():
    """Some benchmarks import it, and the folder of the script comes first on the path."""
    code = "import runpy, sys; runpy.run_path('recipes/evaluate_downstream.py'); import evaluate; "
    code += "print(evaluate.__file__)"
    path = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "recipes"), *sys.path])}
    words = [sys.executable, "-c", code]
    run = subprocess.run(words, cwd=ROOT, env=path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-3000:]
    assert not run.stdout.startswith(str(ROOT / "recipes"))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_harness_alone_asks_our_tasks(tmp_path):
    """Its dummy model answers nothing of sense, so it solves nothing."""
    words = [sys.executable, "-m", "lm_eval", "run", "--model", "dummy", "--tasks", "logic"]
    words += ["--include_path", str(write_tasks())]
    words += ["--metadata", '{"levels": [1], "tasks_per_level": 2}']
    words += ["--output_path", str(tmp_path)]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)

    assert run.returncode == 0, run.stderr[-3000:]
    (file,) = tmp_path.rglob("results_*.json")
    results = json.loads(file.read_text())["results"]
    assert results["logic"]["solved,none"] == 0
    assert results["logic_validity"]["sample_len"] == 2


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_without_a_model_two_small_ones_are_made_and_compared(tmp_path):
    words = [*(sys.executable, "-m", "accelerate.commands.launch"), "--config_file"]
    words += ["accelerate_configs/cpu.yaml", "recipes/evaluate_downstream.py"]
    words += ["--warm_up_steps=2", "--adapter_steps=2", "--limit=4"]
    words += [f"--output_dir={tmp_path / 'run'}"]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stderr[-3000:]
    assert "LRL" in run.stdout
    assert (tmp_path / "run" / "table.md").is_file()
