"""The three ways to run a model, each with a small stand-in, and the shipped configurations."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
from answering import Question, Reply
from command_line import parse
from evaluation_arguments import EvaluationArguments
from evaluation_models import Decoding, EndpointModel, TransformersModel, VllmModel
from evaluation_run import make_questions, settings_of
from launching import ROOT
from tiny_model import TinyModelConfig, make_model, make_tokenizer
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast, set_seed
from trl import ModelConfig

from generators import generate
from generators.llm import Answer, LLMError

CONFIGS = ROOT / "recipes" / "configs" / "evaluate"
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


def test_tokens_are_counted_without_padding(network, tokenizer):
    replies = TransformersModel(network, tokenizer, Decoding(8)).answer(QUESTIONS, seed=0)
    for question, reply in zip(QUESTIONS, replies, strict=True):
        assert reply.prompt_tokens == len(tokenizer(question.prompt)["input_ids"])
        assert 1 <= reply.completion_tokens <= 8


def test_the_sign_of_the_end_is_the_last_token_that_counts(network, tokenizer):
    end = tokenizer.eos_token_id

    class Fixed:
        """A network that writes five tokens, the third of which is the end."""

        device = torch.device("cpu")
        generation_config = network.generation_config

        def eval(self) -> None:
            """Do nothing."""

        def generate(self, input_ids, **options):
            written = torch.tensor([[7, 8, end, tokenizer.pad_token_id, tokenizer.pad_token_id]])
            return torch.cat([input_ids, written], dim=1)

    (reply,) = TransformersModel(Fixed(), tokenizer, Decoding(5)).answer(QUESTIONS[:1], seed=0)
    assert reply.completion_tokens == 3


def test_drawn_answers_depend_on_the_seed_alone(network, tokenizer):
    model = TransformersModel(network, tokenizer, Decoding(8, temperature=1.0))
    first = model.answer(QUESTIONS, seed=2**62 + 1)
    torch.rand(3)
    assert model.answer(QUESTIONS, seed=2**62 + 1) == first
    assert model.answer(QUESTIONS, seed=2) != first


def test_a_conversational_model_reads_its_chat_template(network):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}>"
    replies = TransformersModel(network, tokenizer, Decoding(4, True)).answer(QUESTIONS[:1], 0)
    text = f"user: {QUESTIONS[0].prompt}>"
    assert replies[0].prompt_tokens == len(tokenizer(text)["input_ids"])


@pytest.mark.parametrize("conversational", [False, True])
def test_a_prompt_begins_with_one_sign_of_its_beginning(network, conversational: bool):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "<eos>{% for m in messages %}{{ m.content }}{% endfor %}"
    begin = tokenizer.eos_token_id
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<eos> $A", special_tokens=[("<eos>", begin)]
    )
    asked = []

    class Asked:
        """A network that writes nothing and keeps what it reads."""

        device = torch.device("cpu")
        generation_config = network.generation_config

        def eval(self) -> None:
            """Do nothing."""

        def generate(self, input_ids, **options):
            asked.extend(input_ids[0].tolist())
            return input_ids

    decoding = Decoding(4, conversational)
    TransformersModel(Asked(), tokenizer, decoding).answer(QUESTIONS[:1], seed=0)
    assert asked[0] == begin
    assert asked.count(begin) == 1


@dataclass
class Engine:
    """In place of vllm.LLM."""

    options: dict[str, Any]
    asked: list[Any] = field(default_factory=list)

    def chat(self, chats, sampling, use_tqdm):
        self.asked += zip(chats, sampling, strict=True)
        return [_output(f"chat {number}") for number in range(len(chats))]

    def generate(self, prompts, sampling, use_tqdm):
        self.asked += zip(prompts, sampling, strict=True)
        return [_output(prompt[:5]) for prompt in prompts]


def _output(text: str) -> Any:
    completion = SimpleNamespace(text=text, token_ids=(1, 2, 3))
    return SimpleNamespace(outputs=[completion], prompt_token_ids=[1] * 9)


@pytest.fixture
def vllm(monkeypatch) -> None:
    module = ModuleType("vllm")
    vars(module).update(LLM=lambda **options: Engine(options), SamplingParams=dict)
    monkeypatch.setitem(sys.modules, "vllm", module)


@pytest.mark.usefixtures("vllm")
def test_vllm_gets_prompts_options_and_a_seed_for_each_question():
    model = VllmModel(Decoding(64, temperature=0.5, top_k=20), 1, model="m", max_model_len=100)
    assert model.answer(QUESTIONS[:2], seed=0)[0] == Reply(QUESTIONS[0].prompt[:5], 9, 3)
    engine: Any = model._engine
    assert engine.options == {"model": "m", "max_model_len": 100}
    (prompt, sampling), (_, other) = engine.asked
    assert prompt == QUESTIONS[0].prompt
    assert {name: sampling[name] for name in ("max_tokens", "temperature", "top_p", "top_k")} == {
        "max_tokens": 64,
        "temperature": 0.5,
        "top_p": 1.0,
        "top_k": 20,
    }
    assert sampling["seed"] != other["seed"]
    model.answer(QUESTIONS[1:2], seed=5)
    assert engine.asked[-1][1]["seed"] == other["seed"]  # whatever else is in the batch


@pytest.mark.usefixtures("vllm")
def test_vllm_chats_with_a_conversational_model():
    model = VllmModel(Decoding(64, conversational=True), 0, model="m")
    assert [reply.text for reply in model.answer(QUESTIONS[:2], seed=0)] == ["chat 0", "chat 1"]
    engine: Any = model._engine
    assert engine.asked[0][0] == [{"role": "user", "content": QUESTIONS[0].prompt}]


def test_without_vllm_the_install_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(ImportError, match=r'pip install "logic-curriculum\[vllm\]"'):
        VllmModel(Decoding(64), 0, model="m")


class Client:
    """In place of generators.llm.LanguageModel."""

    def __init__(self, error: LLMError | None = None) -> None:
        self.error = error
        self.asked: list[Any] = []

    def ask_all(self, questions):
        if self.error:
            raise self.error
        self.asked += questions
        return [Answer(f"{q.messages[0][1][:5]} {q.sample}", "stop", 10, None) for q in questions]


def test_an_endpoint_gets_the_number_of_each_sample():
    client: Any = Client()
    question = QUESTIONS[0]
    replies = EndpointModel(client).answer([question, question._replace(sample=1)], seed=0)
    start = question.prompt[:5]
    assert replies == [Reply(f"{start} 0", 10, None), Reply(f"{start} 1", 10, None)]


def test_an_endpoint_that_fails_ends_the_run_with_its_reason():
    client: Any = Client(LLMError("The model gave no answer. Check OPENAI_API_KEY."))
    with pytest.raises(SystemExit, match="Check OPENAI_API_KEY"):
        EndpointModel(client).answer(QUESTIONS, seed=0)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_each_configuration_is_one_of_evaluate_py(path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["evaluate.py", "--config", str(path)])
    script, model_args = parse((EvaluationArguments, ModelConfig), path)
    one = replace(script, families=script.families[:1], tasks=1, levels=[1], shots=[0])
    question = make_questions(one)[0]
    assert question.task.family == script.families[0]
    settings = settings_of(script, model_args)
    assert json.loads(json.dumps(settings)) == settings


def test_quantization_and_the_engines_options_are_of_the_settings():
    script = EvaluationArguments("run", backend="vllm")
    other = replace(script, vllm_options='{"quantization": "fp8"}')
    plain, quantized = ModelConfig("m"), ModelConfig("m", load_in_4bit=True)
    assert settings_of(script, plain) != settings_of(other, plain)
    assert settings_of(script, plain) != settings_of(script, quantized)
