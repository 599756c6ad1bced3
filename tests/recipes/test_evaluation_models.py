"""The three ways to run a model, each with a small stand-in, and the shipped configurations."""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
import yaml
from launching import ROOT
from peft import LoraConfig, get_peft_model
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast, set_seed
from trl import ModelConfig

from logic_curriculum.curriculum.command_line import mapping_option, parse
from logic_curriculum.curriculum.evaluation.ask import Question, Reply
from logic_curriculum.curriculum.evaluation.endpoint import EndpointModel
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel, VllmModel
from logic_curriculum.curriculum.evaluation.run import (
    EvaluationArguments,
    make_questions,
    opener,
    public_url,
    settings_of,
)
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.curriculum.models.warm_up import WarmUpArguments
from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.llm import Answer, LLMConfig, LLMError, Usage

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


def test_a_conversational_model_reads_its_chat_template(network):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}>"
    replies = TransformersModel(network, tokenizer, Decoding(4, True)).answer(QUESTIONS[:1], 0)
    text = f"user: {QUESTIONS[0].prompt}>"
    assert replies[0].prompt_tokens == len(tokenizer(text)["input_ids"])


def test_the_chat_template_gets_its_options(network):
    tokenizer = make_tokenizer(TASKS, 300)
    tokenizer.chat_template = "{{ messages[0].content }}{% if not enable_thinking %} no{% endif %}"
    lengths = [
        TransformersModel(network, tokenizer, Decoding(4, True, template=options))
        .answer(QUESTIONS[:1], 0)[0]
        .prompt_tokens
        for options in ({"enable_thinking": True}, {"enable_thinking": False})
    ]
    assert lengths[0] < lengths[1]


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

    def chat(self, chats, sampling, use_tqdm, chat_template_kwargs):
        self.options |= {"template": chat_template_kwargs}
        self.asked += zip(chats, sampling, strict=True)
        return [_output(f"chat {number}") for number in range(len(chats))]

    def generate(self, prompts, sampling, use_tqdm):
        self.asked += zip(prompts, sampling, strict=True)
        return [_output(prompt[:5]) for prompt in prompts]


def _output(text: str) -> Any:
    completion = SimpleNamespace(text=text, token_ids=(1, 2, 3))
    return SimpleNamespace(outputs=[completion], prompt=None, prompt_token_ids=[1] * 9)


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
    assert {name: value for name, value in sampling.items() if name != "seed"} == {
        **{"max_tokens": 64, "temperature": 0.5, "top_p": 1.0, "top_k": 20, "min_p": 0.0},
        **{"repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0},
    }
    assert sampling["seed"] != other["seed"]
    model.answer(QUESTIONS[1:2], seed=5)
    assert engine.asked[-1][1]["seed"] == other["seed"]  # whatever else is in the batch


@pytest.mark.usefixtures("vllm")
def test_vllm_chats_with_a_conversational_model():
    decoding = Decoding(64, conversational=True, template={"enable_thinking": False})
    model = VllmModel(decoding, 0, model="m")
    assert [reply.completion for reply in model.answer(QUESTIONS[:2], seed=0)] == [
        "chat 0",
        "chat 1",
    ]
    engine: Any = model._engine
    assert engine.asked[0][0] == [{"role": "user", "content": QUESTIONS[0].prompt}]
    assert engine.options["template"] == {"enable_thinking": False}


def test_without_vllm_the_install_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(ImportError, match=r'pip install "logic-curriculum\[vllm\]"'):
        VllmModel(Decoding(64), 0, model="m")


class Client:
    """In place of logic_curriculum.generators.llm.LanguageModel."""

    def __init__(self, error: LLMError | None = None, cached: int = 0) -> None:
        self.error = error
        self.asked: list[Any] = []
        self.usage = Usage(cached=cached)
        self.config = LLMConfig(model="m", cache=Path("answers"))

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


@pytest.mark.parametrize("cached", [0, 1])
def test_answers_from_the_cache_are_told_of_once(cached, capsys):
    client: Any = Client(cached=cached)
    model = EndpointModel(client)
    model.answer(QUESTIONS[:1], seed=0)
    model.answer(QUESTIONS[1:], seed=0)
    assert capsys.readouterr().out.count("since answers has them") == cached


def test_an_endpoint_that_fails_ends_the_run_with_its_reason():
    client: Any = Client(LLMError("The model gave no answer. Check OPENAI_API_KEY."))
    with pytest.raises(SystemExit, match="Check OPENAI_API_KEY"):
        EndpointModel(client).answer(QUESTIONS, seed=0)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_each_configuration_is_one_of_evaluate_py(path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["evaluate.py", "--config", str(path)])
    script, _, model_args = parse((EvaluationArguments, WarmUpArguments, ModelConfig), path)
    family = script.families[0]
    preset = mapping_option("task_options", script.task_options).get(family, {}).get("preset")
    first = registry.family(family).levels(preset)[0]
    one = replace(script, families=[family], tasks=1, levels=[first], shots=[0])
    assert make_questions(one)[0].task.family == family
    settings = settings_of(script, model_args)
    assert json.loads(json.dumps(settings)) == settings


def test_options_of_the_chat_template_decide_the_prompt_and_are_of_the_settings():
    plain = EvaluationArguments("run")
    thoughtless = replace(plain, chat_template_kwargs='{"enable_thinking": false}')
    assert thoughtless.decoding.template == {"enable_thinking": False}
    assert settings_of(plain, ModelConfig("m")) != settings_of(thoughtless, ModelConfig("m"))


def test_quantization_and_the_engines_options_are_of_the_settings():
    script = EvaluationArguments("run", backend="vllm")
    other = replace(script, vllm_options='{"quantization": "fp8"}')
    plain, quantized = ModelConfig("m"), ModelConfig("m", load_in_4bit=True)
    assert settings_of(script, plain) != settings_of(other, plain)
    assert settings_of(script, plain) != settings_of(script, quantized)


@pytest.mark.usefixtures("vllm")
def test_vllm_loads_the_model_in_the_type_that_was_asked_for():
    script = EvaluationArguments("run", backend="vllm", vllm_options='{"max_model_len": 9}')
    opened: Any = opener(script, ModelConfig("m", dtype="bfloat16"), processes=1)()
    expected = {"model": "m", "revision": "main", "dtype": "bfloat16", "max_model_len": 9}
    assert opened._engine.options == expected


def test_what_vllm_would_load_otherwise_is_refused(tmp_path):
    script = EvaluationArguments("run", backend="vllm")
    with pytest.raises(SystemExit, match="load_in_4bit and load_in_8bit are for transformers"):
        opener(script, ModelConfig("m", load_in_4bit=True), processes=1)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(SystemExit, match="holds an adapter, but vLLM is given whole models"):
        opener(script, ModelConfig(str(tmp_path)), processes=1)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a:8000/v1", "http://a:8000/v1"),
        ("http://a:8000/v1/", "http://a:8000/v1"),
        ("https://user:secret@a/v1?key=secret", "https://a/v1"),
    ],
)
def test_an_endpoints_address_is_kept_without_secrets(url: str, shown: str):
    assert public_url(LLMConfig(model="m", client={"base_url": url})) == shown


def test_an_endpoints_address_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://b/v1")
    assert public_url(LLMConfig(model="m")) == "http://b/v1"
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert public_url(LLMConfig(model="m")) == "https://api.openai.com/v1"


@pytest.mark.parametrize("role", ["endpoint", "extractor"])
@pytest.mark.parametrize(
    "change", ["client: {base_url: http://b/v1}", "options: {temperature: 1.0}", "model: other"]
)
def test_what_a_language_models_file_says_is_of_the_settings(tmp_path, role: str, change: str):
    path = tmp_path / "llm.yaml"
    script = replace(EvaluationArguments("run"), **{role: str(path)})
    headers = {"extra_headers": {"Authorization": "secret"}}
    client = {"base_url": "http://a/v1", "api_key": "secret"}
    begin = {"model": "m", "client": client, "options": headers}
    path.write_text(yaml.safe_dump(begin))
    before = settings_of(script, ModelConfig("local"))
    path.write_text(yaml.safe_dump({**begin, "concurrency": 2}))
    assert settings_of(script, ModelConfig("local")) == before
    path.write_text(yaml.safe_dump({**begin, **yaml.safe_load(change)}))
    assert settings_of(script, ModelConfig("local")) != before
    assert "secret" not in json.dumps(before)
