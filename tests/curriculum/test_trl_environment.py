"""The environment in which a model submits answers to TRL's GRPOTrainer."""

from __future__ import annotations

import json
from copy import copy
from functools import partial
from typing import Any

import pytest
import torch
from byte_model import byte_tokenizer, tiny_model
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from logic_curriculum.curriculum import CurriculumConfig, CurriculumGRPOTrainer
from logic_curriculum.curriculum.integrations.trl_environment import (
    TOLD,
    SubmitEnvironment,
    finding,
    submission_reward,
)
from logic_curriculum.generators import Task, families, generate
from logic_curriculum.rewards import judge

PROOF = {"style": "certificate"}
NEVER = "eastbound(T) :- fail."


def started(task: Task, **settings: Any) -> SubmitEnvironment:
    environment = SubmitEnvironment(**settings)
    environment.reset(**task.to_row(conversational=True))
    return environment


def reward_of(environment: SubmitEnvironment) -> float | None:
    return submission_reward(["what it says is not read"], environments=[environment])[0]


@pytest.mark.parametrize("family", families())
def test_the_right_answer_earns_1_at_the_first_submission(family):
    task = generate(family, level=2, seed=3)
    environment = started(task)
    environment.submit(task.solution)
    assert reward_of(environment) == 1.0


def test_each_further_submission_costs_and_the_last_answer_counts():
    task = generate("slr", level=3, seed=7)
    environment = started(task, max_submissions=3, cost=0.25)
    earned = []
    for rule in (NEVER, task.metadata["rule"], NEVER):
        environment.submit(rule)
        earned.append(reward_of(environment))
    assert earned == [0.0, 1.0 - 0.25, 0.0 - 0.5]


def test_what_is_submitted_after_the_last_submission_is_not_looked_at():
    task = generate("slr", level=3, seed=7)
    environment = started(task, max_submissions=1)
    environment.submit(NEVER)
    assert environment.submit(task.metadata["rule"]) == "not taken: no submissions are left"
    assert reward_of(environment) == 0.0


def test_without_a_submission_the_reward_is_0():
    assert reward_of(started(generate("slr", level=3, seed=7))) == 0.0


def test_reset_forgets_the_task_before():
    task, other = (generate("slr", level=3, seed=seed) for seed in (7, 8))
    environment = started(task)
    environment.submit(task.metadata["rule"])
    environment.reset(**other.to_row(conversational=True))
    assert environment.answers == []
    environment.submit(other.metadata["rule"])
    assert reward_of(environment) == 1.0


def test_the_finding_of_slr_names_a_train_shown_that_is_misclassified():
    task = generate("slr", level=5, seed=2)
    train = (
        finding("slr", NEVER, task.verification).split("; ")[1].removesuffix(" should be eastbound")
    )
    assert f"eastbound({train})" in task.verification["validation_program"]


def test_the_finding_of_slr_keeps_back_whether_a_rule_is_accepted():
    task = generate("slr", level=3, seed=7)
    refused = {**task.verification, "accepted": ["0" * len(task.verification["accepted"][0])]}
    for payload, reward in ((task.verification, 1.0), (refused, 0.0)):
        assert judge("slr", task.metadata["rule"], payload).reward == reward
        assert finding("slr", task.metadata["rule"], payload) == "right on all examples shown"


def test_the_finding_of_a_countermodel_says_which_premise_is_false():
    row = {"premises": ["∀x(Fx→Gx)", "Ga"], "conclusion": "Fa", "domain": [0, 1]}
    assert "premise Ga is false" in finding("countermodel", "F={}, G={0}, a=1", row)
    assert finding("countermodel", "F={0}, G={0,1}, a=1", row).startswith("all premises true")


def test_nothing_is_told_where_the_answer_would_be_compared_with_the_key():
    for family in sorted({*families()} - {*TOLD}):
        task = generate(family, level=2, seed=3)
        for answer in (task.solution, "1", "nonsense"):
            assert finding(family, answer, task.verification) == "recorded"


@pytest.mark.parametrize("answer", ["", "\x00", "\ud800", "</answer>", "<think>", "(" * 30_000])
@pytest.mark.parametrize(
    ("family", "options"), [(name, {}) for name in families()] + [("sat", PROOF)]
)
def test_no_answer_breaks_the_tool_or_goes_ungraded(family, options, answer):
    environment = started(generate(family, level=2, seed=3, **options))
    assert environment.submit(answer)
    assert reward_of(environment) == 0.0


def test_an_answer_of_another_type_is_refused_and_costs_nothing():
    environment = started(generate("slr", level=3, seed=7))
    with pytest.raises(TypeError, match="has to be a text"):
        environment.submit(["eastbound(T)."])
    assert environment.answers == []


def test_a_row_without_a_payload_is_refused():
    with pytest.raises(ValueError, match="no 'verification'"):
        SubmitEnvironment().reset(prompt="?", family="slr")


def test_a_malformed_row_stops_the_run_though_the_tool_may_not():
    environment = SubmitEnvironment()
    environment.reset(family="slr", verification=json.dumps({"positive": "eastbound"}))
    with pytest.raises(ValueError, match="no 'validation_program'"):
        environment.submit(NEVER)  # TRL would tell the model, and go on
    with pytest.raises(ValueError, match="no 'validation_program'"):
        reward_of(environment)


def test_settings_by_which_a_right_answer_earned_nothing_are_refused():
    with pytest.raises(ValueError, match="more than 0"):
        SubmitEnvironment(max_submissions=3, cost=0.5)


def call(answer: str) -> str:
    arguments = json.dumps({"name": "submit", "arguments": {"answer": answer}})
    return f"<tool_call>\n{arguments}\n</tool_call><|im_end|>"


def scripted(trainer: Any, scripts: list[list[str]]) -> Any:
    """Stand in for ``model.generate``: the rollouts' turns, one call of this for each turn."""
    tokenizer, real = trainer.processing_class, trainer.model.generate
    left = [iter(script) for script in scripts]

    def generate_turn(input_ids: torch.Tensor, generation_config: Any, **kwargs: Any) -> Any:
        short = copy(generation_config)
        short.max_new_tokens = 2
        real(input_ids=input_ids, generation_config=short, **kwargs)  # takes what TRL passes
        turns = [text for script in left if (text := next(script, None)) is not None]
        assert len(turns) == len(input_ids)  # those that called the tool the turn before
        ids = [tokenizer(text)["input_ids"] for text in turns]
        longest = max(map(len, ids))
        padded = [[*row, *[tokenizer.pad_token_id] * (longest - len(row))] for row in ids]
        return torch.cat([input_ids, torch.tensor(padded)], dim=1)

    return generate_turn


@pytest.mark.slow
@pytest.mark.parametrize("kind", [GRPOTrainer, CurriculumGRPOTrainer])
def test_a_step_of_grpo_learns_from_what_several_turns_earned(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    tokenizer = byte_tokenizer(qwen3_chat_template)
    row = generate("slr", level=1, seed=3, style="compact").to_row(conversational=True)
    args = GRPOConfig(
        str(tmp_path), max_steps=1, per_device_train_batch_size=4, num_generations=4,
        max_completion_length=2000, logging_steps=1, use_cpu=True, bf16=False, report_to="none",
        learning_rate=1e-2,
    )  # fmt: skip
    seen: list[Any] = []

    def watched(completions: Any, environments: Any, **columns: Any) -> list[float | None]:
        seen.extend(completions)
        return submission_reward(completions, environments=environments, **columns)

    watched.__name__ = submission_reward.__name__
    given: dict[str, Any] = {"train_dataset": Dataset.from_list([row] * 4)}
    if kind is CurriculumGRPOTrainer:
        curriculum = CurriculumConfig(families=["slr"], last_level=1)
        given = {"curriculum": curriculum, "make_task": lambda *_: row}
    trainer = kind(
        tiny_model(len(tokenizer)), watched, args, processing_class=tokenizer, **given,
        environment_factory=partial(SubmitEnvironment, max_submissions=3, cost=0.25),
    )  # fmt: skip
    good, done = call(json.loads(row["metadata"])["rule"]), "Done.<|im_end|>"
    scripts = [[good, done], [call(NEVER), good, done], [call(NEVER), done], [good.upper()]]
    monkeypatch.setattr(trainer.model, "generate", scripted(trainer, scripts))
    before = [parameter.clone() for parameter in trainer.model.parameters()]
    trainer.train()
    logged = trainer.state.log_history[0]
    # Right at once 1, at the second try 1 - 0.25, given up 0, and no call of the tool 0.
    assert logged["rewards/submission_reward/mean"] == pytest.approx((1 + 0.75 + 0 + 0) / 4)
    assert logged["slr/pass_rate"] == 0.5
    assert logged["submissions"] == (1 + 2 + 1 + 0) / 4
    assert logged["tools/failure_frequency"] == 0.0
    told = [message["content"] for message in seen[1] if message["role"] == "tool"]
    assert told[0].endswith("should be eastbound; submissions left: 2")
    assert told[1] == "right on all examples shown; submissions left: 1"
    after = trainer.model.parameters()
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
    if kind is CurriculumGRPOTrainer:  # a pass is a right first answer
        assert logged["curriculum/pass_rate"] == 0.25
