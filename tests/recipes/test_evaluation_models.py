"""The model of a recipe that answers questions."""

from __future__ import annotations

import copy

import pytest
import torch
from peft import LoraConfig, get_peft_model
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast, set_seed

from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.generators import generate

TASKS = [
    generate("slr", level, seed, split="test", style="compact")
    for level in (1, 2)
    for seed in range(3)
]
QUESTIONS = [Question(task, task.prompt) for task in TASKS]


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return make_tokenizer(TASKS, 300)


@pytest.fixture(scope="module")
def network(tokenizer):
    set_seed(0)
    return make_model(tokenizer, TinyModelConfig(hidden_size=32, layers=2, intermediate_size=64))


def test_greedy_answers_do_not_depend_on_the_batch(network, tokenizer):
    model = TransformersModel(network, tokenizer, Decoding(8))
    together = model.answer(QUESTIONS, seed=0)
    alone = [model.answer([question], seed=1)[0] for question in QUESTIONS]
    assert together == alone


def test_drawn_answers_depend_on_the_seed_alone(network, tokenizer):
    model = TransformersModel(network, tokenizer, Decoding(8, temperature=1.0))
    first = model.answer(QUESTIONS, seed=2**62 + 1)
    torch.rand(3)
    assert model.answer(QUESTIONS, seed=2**62 + 1) == first
    assert model.answer(QUESTIONS, seed=2) != first


@pytest.fixture(scope="module")
def opinionated(network):
    """Return the same network with defaults of decoding of its own."""
    model = copy.deepcopy(network)
    model.generation_config.update(repetition_penalty=5.0, min_p=0.9, typical_p=0.1)
    return model


@pytest.mark.parametrize("decoding", [Decoding(8), Decoding(8, temperature=1.0)])
def test_the_models_own_defaults_of_decoding_do_not_count(
    network, opinionated, tokenizer, decoding
):
    inputs = tokenizer(QUESTIONS[0].prompt, return_tensors="pt").input_ids
    plain, other = (
        model.generate(input_ids=inputs, **Decoding(8).options())
        for model in (network, opinionated)
    )
    assert plain.tolist() != other.tolist()
    answers, same = (
        TransformersModel(model, tokenizer, decoding).answer(QUESTIONS, seed=3)
        for model in (network, opinionated)
    )
    assert same == answers


def test_the_model_keeps_its_defaults_below_an_adapter_too(network, opinionated, tokenizer):
    adapted = get_peft_model(copy.deepcopy(opinionated), LoraConfig(target_modules="all-linear"))
    untrained = TransformersModel(adapted, tokenizer, Decoding(8)).answer(QUESTIONS, seed=0)
    assert untrained == TransformersModel(network, tokenizer, Decoding(8)).answer(QUESTIONS, seed=0)
    assert adapted.merge_and_unload().generation_config.repetition_penalty == 5.0


def read(tokenizer, network, decoding: Decoding) -> str:
    """Return what a model reads when it is asked the first question."""
    read: list[str] = []

    class Asked:
        """A network that writes nothing and keeps what it reads."""

        device = torch.device("cpu")
        generation_config = network.generation_config

        def eval(self) -> None:
            """Do nothing."""

        def generate(self, input_ids, **options):
            read.append(tokenizer.decode(input_ids[0]))
            return input_ids

    TransformersModel(Asked(), tokenizer, decoding).answer(QUESTIONS[:1], seed=0)
    return read[0]


def test_a_conversational_model_reads_its_chat_template_with_its_options(network):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "{{ messages[0].content }}{% if not thinking %} no{% endif %}"
    plain = read(tokenizer, network, Decoding(4))
    assert read(tokenizer, network, Decoding(4, True, template={"thinking": True})) == plain
    assert len(read(tokenizer, network, Decoding(4, True))) > len(plain)


@pytest.mark.parametrize("conversational", [False, True])
def test_a_prompt_begins_with_one_sign_of_its_beginning(network, conversational: bool):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "<eos>{% for m in messages %}{{ m.content }}{% endfor %}"
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<eos> $A", special_tokens=[("<eos>", tokenizer.eos_token_id)]
    )
    text = read(tokenizer, network, Decoding(4, conversational))
    assert text.startswith("<eos>")
    assert text.count("<eos>") == 1
