"""The client on the wire of a real server: ``transformers serve`` with a tiny model made here."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.llm import LanguageModel, LLMConfig, LLMError, Question, load_model
from logic_curriculum.generators.sat.sentences import GroundingError

PATIENCE = 240
"""Seconds in which the server has to start."""
MISSING = [
    name
    for name in ("transformers", "torch", "openai", "fastapi", "uvicorn", "rich")
    if importlib.util.find_spec(name) is None
]
TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(MISSING), reason=f"{', '.join(MISSING)} missing: pip install 'transformers[serving]'"
    ),
]


def make_model(folder: Path) -> None:
    """Write a model of a few thousand weights, which says nothing sensible, and its tokenizer."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(["<eos>", *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<eos>", chat_template=TEMPLATE
    )
    fast.save_pretrained(folder)
    set_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=8192,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
    )
    model = LlamaForCausalLM(config)
    model.generation_config.do_sample = True  # or the server gives the same answer every time
    model.generation_config.suppress_tokens = [0]  # or an answer may end early
    model.save_pretrained(folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[str, str]]:
    """Start the server; return the model's name and the endpoint's address."""
    folder = tmp_path_factory.mktemp("served")
    make_model(folder / "model")
    port = free_port()
    command = [Path(sys.executable).with_name("transformers"), "serve", str(folder / "model")]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
            stdout=log,
            stderr=log,
            env=environment,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server, folder / "log")
        yield str(folder / "model"), f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(30)


def wait_for(url: str, server: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-2000:]}")


def client(name: str, url: str, cache: Path, **options) -> LanguageModel:
    return LanguageModel(
        LLMConfig(
            model=name,
            client={"base_url": url, "api_key": "none", "timeout": 120, "max_retries": 1},
            options={"max_tokens": 12, "temperature": 1.0, **options},
            concurrency=2,
            cache=cache,
        )
    )


def test_answers_come_with_a_count_of_tokens_and_are_kept(served, tmp_path):
    model = client(*served, tmp_path)
    questions = [Question.of("Name a bird.", sample) for sample in range(3)]
    answers = model.ask_all(questions)
    assert [answer.finish_reason for answer in answers] == ["length"] * 3
    assert [answer.output_tokens for answer in answers] == [12] * 3
    # a letter is a token, and the template adds a space: "Name a bird. "
    assert [answer.input_tokens for answer in answers] == [13] * 3
    assert len({answer.text for answer in answers}) > 1
    assert (model.usage.asked, model.usage.output_tokens) == (3, 36)

    nowhere = client(served[0], "http://127.0.0.1:9/v1", tmp_path)
    assert nowhere.ask_all(questions) == answers
    assert nowhere.usage.asked == 0


def test_what_the_server_refuses_is_told(served, tmp_path):
    name, url = served
    with pytest.raises(LLMError, match=r"gave no answer.*Check"):
        client(f"{name}-other", url, tmp_path).ask(Question.of("Name a bird."))
    assert not list(tmp_path.rglob("*.json"))


def test_a_model_without_sense_spoils_no_task(served, tmp_path):
    name, url = served
    file = tmp_path / "llm.yaml"
    file.write_text(
        f"model: {name}\nclient: {{base_url: '{url}', api_key: none}}\n"
        f"options: {{max_tokens: 12}}\ncache: {tmp_path / 'cache'}\n"
    )
    load_model.cache_clear()
    task, plain = generate("loginum", 1, 0, llm=str(file)), generate("loginum", 1, 0)
    assert task.prompt == plain.prompt
    assert task.metadata["refinement"]["reworded"] == 0
    with pytest.raises(GroundingError, match="answers without a sentence"):
        generate("sat", 1, 0, grounding="themes", llm=str(file))
