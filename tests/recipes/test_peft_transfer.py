import json
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from launching import ROOT, Launch
from peft_transfer import TransferArguments

from logic_curriculum.generators import generate

CONFIGS = ROOT / "recipes" / "configs" / "peft_transfer"

ADAPTERS = ["symbolization", "countermodel", "symbolization+countermodel"]


def transfer(launch: Launch, run: Path, *hardware: object, **options: object):
    return launch(run, *hardware, recipe="peft_transfer", **options)


@pytest.mark.slow
def test_a_run_leaves_adapters_answers_matrix_and_profile(launch: Launch, tmp_path: Path):
    run = transfer(launch, tmp_path / "run")

    assert run.returncode == 0, run.stderr[-3000:]
    assert "| trained on | symbolization Δ | symbolization, paper Δ |" in run.stdout
    for name in ADAPTERS:
        assert (tmp_path / "run" / "adapters" / name / "adapter_model.safetensors").is_file()
    answers = list(records(tmp_path / "run" / "evaluation" / "base.jsonl"))
    assert len(answers) == 25  # five settings of five tasks
    languages = {answer["metadata"].get("language") for answer in answers}
    assert languages == {"english", "carroll", None}
    text = (tmp_path / "run" / "transfer.md").read_text()
    assert all(f"| {name} | " in text for name in ADAPTERS)


@pytest.mark.slow
def test_finished_adapters_and_answers_are_reused_and_an_interrupted_one_continues(
    launch: Launch, tmp_path: Path
):
    first = transfer(launch, tmp_path, adapters="countermodel", save_strategy="steps", save_steps=1)
    assert first.returncode == 0, first.stderr[-3000:]
    folder = tmp_path / "adapters" / "countermodel"
    (folder / "training.json").unlink()  # as if it had been killed after its last checkpoint
    answers = (tmp_path / "evaluation" / "base.jsonl").stat().st_mtime_ns

    second = transfer(
        launch,
        tmp_path,
        adapters=["countermodel", "symbolization"],
        resume_from_checkpoint="true",
    )

    assert second.returncode == 0, second.stderr[-3000:]
    assert "warm-up loss" not in second.stdout
    assert "step    1  symbolization: loss" in second.stdout
    assert "step    1  countermodel: loss" not in second.stdout
    assert json.loads((folder / "training.json").read_text())["steps"] == 2
    assert (tmp_path / "evaluation" / "base.jsonl").stat().st_mtime_ns == answers


@pytest.mark.slow
def test_an_adapter_that_was_trained_on_other_examples_is_not_reused(
    launch: Launch, tmp_path: Path
):
    first = transfer(launch, tmp_path, adapters="countermodel")
    assert first.returncode == 0, first.stderr[-3000:]
    shutil.rmtree(tmp_path / "data")  # which would itself refuse another size

    second = transfer(
        launch,
        tmp_path,
        adapters="countermodel",
        train_examples=24,
        resume_from_checkpoint="true",
    )

    assert second.returncode != 0
    assert "examples is 16, but 24" in second.stderr


@pytest.mark.slow
def test_the_questions_of_a_folder_are_asked_in_place_of_tasks(launch: Launch, tmp_path: Path):
    rows = [generate(skill, 5, 3).to_row() for skill in ("symbolization", "countermodel")]
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / "all.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = transfer(launch, tmp_path / "run", adapters="countermodel", questions=tmp_path / "asked")

    assert run.returncode == 0, run.stderr[-3000:]
    answers = list(records(tmp_path / "run" / "evaluation" / "base.jsonl"))
    assert [answer["prompt"] for answer in answers] == [row["prompt"] for row in rows]


def test_an_adapter_of_no_skill_is_refused():
    with pytest.raises(ValueError, match="there is no skill 'grammar': join one or more of symb"):
        TransferArguments(adapters=["symbolization+grammar"])


def test_levels_are_those_given_or_the_default_ones():
    levels = TransferArguments(levels='{"countermodel": [2]}').levels_by_skill
    assert list(levels) == ["symbolization", "countermodel", "validity"]
    assert (levels["countermodel"], levels["validity"]) == ([2], [*range(1, 11)])
    assert levels["symbolization"] == [3, 5, 6, 7, 8, 9, 10]


def test_the_paper_s_config_trains_on_the_paper_s_kind_of_tasks():
    config = yaml.safe_load((CONFIGS / "llama3.2-3b-paper.yaml").read_text())
    own = {f.name: config[f.name] for f in fields(TransferArguments) if f.name in config}
    script = TransferArguments(**own)
    for skill in ("countermodel", "validity"):
        for premises, level in zip((3, 4, 5), script.levels_by_skill[skill], strict=True):
            task = generate(skill, level, 0, **script.train_options(skill))
            assert len(task.metadata["premises"]) == premises
            assert task.metadata["style"] == "paper"
            assert skill == "validity" or task.verification["domain"] == [0, 1, 2]
    assert (script.train_examples, script.eval_tasks) == (100_000, 300)


@pytest.mark.slow
@pytest.mark.timeout(1500, func_only=True)
def test_two_processes_train_every_adapter_and_share_the_evaluation(
    launch: Launch, tmp_path: Path, pair: tuple[str, tuple[str, ...]]
):
    """With ZeRO-3, this is several DeepSpeed trainers in one process, one after the other."""
    run = transfer(launch, tmp_path / "run", *pair)

    assert "Processes: 2" in run.stdout, run.stderr[-3000:]
    for name in ADAPTERS:
        assert (tmp_path / "run" / "adapters" / name / "adapter_model.safetensors").is_file()
    for name in ["base", *ADAPTERS]:
        answers = list(records(tmp_path / "run" / "evaluation" / f"{name}.jsonl"))
        assert len(answers) == 25, run.stderr[-3000:]
    assert (tmp_path / "run" / "transfer.md").is_file(), run.stderr[-3000:]


def records(path: Path) -> Iterator[dict[str, object]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
