import pytest
import yaml
from launching import ROOT
from transformers import TrainingArguments

from logic_curriculum.curriculum import RecAdam
from logic_curriculum.curriculum.evaluation.ask import examples, in_context
from logic_curriculum.curriculum.evaluation.records import Record, make_record
from logic_curriculum.curriculum.evaluation.tables import (
    Condition,
    accuracies,
    accuracies_as_data,
    best_constant,
    format_depths,
    format_table,
)
from logic_curriculum.curriculum.models.loginum_base import NETWORK, growing_tasks
from logic_curriculum.curriculum.models.loginum_targets import check_target, with_target
from logic_curriculum.curriculum.optimizers import RecallArguments
from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.loginum.prompts import INSTRUCTIONS
from logic_curriculum.rewards import Verdict, judge_batch

CONFIGS = ROOT / "recipes" / "configs" / "sft_loginum"
COMPACT = {"language": "clauses", "style": "compact", "vocabulary": 20}


def task(level: int = 2, seed: int = 0, **options: object) -> Task:
    return generate("loginum", level, seed, **{"split": "test", "preset": "EL-EN", **options})


@pytest.mark.parametrize(
    ("target", "options"), [("summary", {}), ("summary", COMPACT), ("searched", COMPACT)]
)
def test_a_target_is_a_right_solution(target: str, options: dict[str, object]):
    tasks = [task(level, seed, **options) for level in (1, 2, 3) for seed in range(20)]

    solutions = [with_target(item, target).solution for item in tasks]

    verdicts = judge_batch("loginum", solutions, [item.verification for item in tasks])
    assert {(verdict.solved, verdict.partial) for verdict in verdicts} == {(True, 1.0)}


def test_examples_stand_between_the_instructions_and_the_question():
    asked = task()
    shown = examples("loginum", [1, 2, 3], count=3, seed=0, index=7, preset="EL-EN")

    prompt = in_context(asked, shown).prompt

    assert prompt.count(INSTRUCTIONS) == 1
    assert prompt.startswith(INSTRUCTIONS)
    assert prompt.endswith(asked.prompt.removeprefix(INSTRUCTIONS))
    places = [prompt.index(example.solution) for example in shown]
    assert places == sorted(places)


def test_compact_examples_have_no_instructions():
    asked = task(**COMPACT)
    (shown,) = examples("loginum", [1], count=1, seed=0, index=0, preset="EL-EN", **COMPACT)

    assert (
        in_context(asked, [shown]).prompt == f"{shown.prompt}\n{shown.solution}\n\n{asked.prompt}"
    )


def test_examples_share_no_process_with_training_or_test():
    shown = [
        example
        for index in range(40)
        for example in examples("loginum", [1, 2, 3], count=3, seed=0, index=index, preset="EL-EN")
    ]
    leak_key = registry.family("loginum").leak_key
    others = {
        leak_key(task(1 + seed % 3, seed, split=s)) for seed in range(60) for s in ("train", "test")
    }

    assert {example.metadata["split"] for example in shown} == {"validation"}
    assert others.isdisjoint(map(leak_key, shown))


def test_each_question_has_examples_of_its_own_the_same_every_time():
    first, again, second = (
        [e.prompt for e in examples("loginum", [1, 2, 3], 2, seed=0, index=index, preset="EL-EN")]
        for index in (0, 0, 1)
    )

    assert first == again
    assert set(first).isdisjoint(second)


def record(level: int, solved: bool | None, partial: float | None) -> Record:
    reward = None if solved is None else float(solved)
    verdict = Verdict(bool(solved), reward, partial=partial or 0.0)
    return make_record(task(level), verdict, model="tiny", prompt="", completion="")


def test_scores_are_means_over_what_could_be_graded():
    found = accuracies([record(1, True, 1.0), record(1, False, 0.5), record(2, None, None)])

    assert found.answer[::2] == (50.0, 2)
    assert found.process[::2] == (75.0, 2)
    assert found.process.error == pytest.approx(25.0)  # spread 0.354 over the root of 2


def test_the_table_has_the_pairs_and_means_of_table_3():
    easy, hard = Condition("EL-EN", 0), Condition("HL-HN", 0)
    answers = {easy: [record(1, True, 1.0)] * 4, hard: [record(3, False, 0.25)] * 4}

    table = format_table({"before": answers}).splitlines()

    assert table[0] == (
        "| model | shots | EL-EN Proc | EL-EN Ans | HL-HN Proc | HL-HN Ans | mean Proc | mean Ans |"
    )
    assert table[2] == (
        "| before | 0-shot | 100.0 ± 0.0 | 100.0 ± 0.0 | 25.0 ± 0.0 | 0.0 ± 0.0 | 62.5 | 50.0 |"
    )


def test_depths_are_told_apart():
    answers = {Condition("EL-EN", 0): [record(1, True, 1.0), record(2, False, 0.0)]}

    lines = format_depths({"before": answers, "after": answers}).splitlines()

    assert lines[2].startswith("| EL-EN | 0-shot | 1 | 1 | 100.0")
    assert lines[3].startswith("| EL-EN | 0-shot | 2 | 1 | 0.0")


def test_a_summary_names_model_dataset_and_shots():
    (summary,) = accuracies_as_data({"after": {Condition("EL-EN", 3): [record(1, True, 1.0)]}})

    assert (summary["model"], summary["dataset"], summary["shots"]) == ("after", "EL-EN", 3)
    assert summary["process"] == {"value": 100.0, "error": 0.0, "items": 1}


def test_the_best_constant_is_the_commonest_answer():
    tasks = [task(1, seed) for seed in range(30)]
    answers = [item.verification["answer"] for item in tasks]

    assert best_constant(tasks).value == pytest.approx(100 * max(map(answers.count, answers)) / 30)


def test_recall_adam_takes_the_trainers_options():
    args = TrainingArguments("unused", learning_rate=1e-7, adam_beta2=0.99, use_cpu=True)

    assert RecallArguments().for_trainer(args) is None
    kind, options = RecallArguments(recadam=True, anneal_t0=50).for_trainer(args) or (None, {})

    assert kind is RecAdam
    assert (options["lr"], options["betas"], options["anneal_t0"]) == (1e-7, (0.9, 0.99), 50)


def test_pretraining_reaches_one_level_after_the_other():
    size = NETWORK.batch_size
    tasks = list(growing_tasks(0, 12, [1, 2, 3], "searched", COMPACT))
    levels = [item.level for item in tasks]
    batches = [levels[i : i + size] for i in range(0, len(levels), size)]

    assert len(batches) == 12
    assert all(len(set(batch)) == 1 for batch in batches)
    assert set(levels[: 2 * size]) == {1}
    assert 3 not in levels[: 5 * size]
    assert set(levels[-5 * size :]) <= {2, 3}


def test_steps_on_tasks_of_no_level_are_refused():
    with pytest.raises(ValueError, match="name levels"):
        list(growing_tasks(0, 12, [], "searched", COMPACT))


@pytest.mark.parametrize(
    ("target", "language", "remedy"),
    [
        ("quoted", "clauses", "summary, searched"),
        ("searched", "english", "Set language to clauses"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused(target: str, language: str, remedy: str):
    with pytest.raises(ValueError, match=remedy):
        check_target(target, language)


TABLE_10 = {
    "llama3.2-1b": {
        "GSM8k": 2e-8,
        "MATH": 8e-9,
        "MATHQA": 2e-8,
        "SVAMP": 8e-9,
        "MAWPS": 8e-9,
        "AIME": 8e-9,
        "RuleTaker": 2e-8,
        "ProofWriter": 5e-7,
        "FOLIO": 5e-8,
        "FLD": 2e-7,
        "LogiQA": 5e-7,
        "ReClor": 2e-8,
        "AbductionR": 5e-7,
        "RuleArena": 5e-8,
    },
    "qwen3-1.7b": {
        "GSM8k": 1e-7,
        "MATH": 2e-8,
        "MATHQA": 5e-8,
        "SVAMP": 5e-8,
        "MAWPS": 8e-8,
        "AIME": 8e-8,
        "RuleTaker": 2e-8,
        "ProofWriter": 2e-7,
        "FOLIO": 2e-7,
        "FLD": 5e-7,
        "LogiQA": 5e-7,
        "ReClor": 5e-7,
        "AbductionR": 2e-8,
        "RuleArena": 2e-7,
    },
}
NUMERICAL = ["GSM8k", "MATH", "MATHQA", "SVAMP", "MAWPS", "AIME"]
RECALLED = {
    "llama3.2-1b": [*NUMERICAL, "RuleTaker", "ProofWriter", "LogiQA", "ReClor", "AbductionR"],
    "qwen3-1.7b": [*NUMERICAL, "LogiQA", "RuleArena"],
}
PRINTED = {
    "lora_r": 32,
    "lora_alpha": 64,
    "lora_dropout": 0.05,
    "lora_target_modules": [
        *("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    ],
    "per_device_train_batch_size": 8,
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_epsilon": 1e-8,
    "anneal_fun": "sigmoid",
    "anneal_k": 0.2,
    "anneal_t0": 100,
    "anneal_w": 1.0,
    "pretrain_cof": 3000,
    "train_examples": 5000,  # Table 7
    "eval_tasks": 500,  # Table 7
    "temperature": 0.3,
    "top_p": 0.8,
    "top_k": 20,
}
"""Appendices F.1 and F.3."""


@pytest.mark.parametrize("model", ["llama3.2-1b", "qwen3-1.7b"])
def test_the_configs_hold_the_papers_values(model: str):
    config = yaml.safe_load((CONFIGS / f"{model}.yaml").read_text())
    benchmarks = config["benchmarks"]

    assert {name: config[name] for name in PRINTED} == PRINTED
    assert {name: row["learning_rate"] for name, row in benchmarks.items()} == TABLE_10[model]
    assert [name for name, row in benchmarks.items() if row["recadam"]] == RECALLED[model]
    assert {name: row["train_preset"] for name, row in benchmarks.items()} == {
        name: "EL-Train" if name in NUMERICAL else "EN-Train" for name in TABLE_10[model]
    }


@pytest.mark.parametrize("model", ["llama3.2-1b", "qwen3-1.7b"])
def test_no_learning_rate_of_the_paper_is_too_high_for_its_pull(model: str):
    config = yaml.safe_load((CONFIGS / f"{model}.yaml").read_text())

    for row in config["benchmarks"].values():
        assert row["learning_rate"] * config["pretrain_cof"] * config["anneal_w"] < 1
