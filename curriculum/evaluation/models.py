"""Models that answer questions on this machine, by transformers or by vLLM.

A local model decodes by its :class:`Decoding` alone: of the checkpoint's generation config, which
may ask for a repetition penalty or the like, only the special tokens count.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel
from transformers import GenerationConfig, set_seed
from transformers.utils import ADAPTER_CONFIG_NAME
from trl import ModelConfig

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.ask import Question, Reply, Shape
from logic_curriculum.curriculum.models.adapters import load_model
from logic_curriculum.curriculum.models.pretrained import base_of
from logic_curriculum.curriculum.processes import PartialState
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import as_chat
from logic_curriculum.rewards.blocks import opens_thought
from logic_curriculum.rewards.completions import with_opening_mark

DRAWN = ("temperature", "top_p", "top_k")  # Options of a completion that is drawn


@dataclass(frozen=True)
class Decoding:
    """How completions are made."""

    max_new_tokens: int  # The longest completion, in tokens
    conversational: bool = False  # Whether prompts are chat messages
    temperature: float = 0.0  # 0 takes the likeliest token each time; above, tokens are drawn
    top_p: float = 1.0  # Draw from the likeliest tokens with this probability mass
    top_k: int = 0  # Draw from this many of the likeliest tokens; 0 for all
    template: Mapping[str, Any] | None = None  # Options of the chat template

    def options(self) -> dict[str, Any]:
        """Return the options of ``model.generate``."""
        options: dict[str, Any] = {"max_new_tokens": self.max_new_tokens, "do_sample": False}
        if self.temperature > 0:
            options |= {"do_sample": True, **{name: getattr(self, name) for name in DRAWN}}
        return options


class TransformersModel:
    """A whole model on this process's device; its tokenizer pads on the left."""

    def __init__(self, model: Any, tokenizer: Any, decoding: Decoding) -> None:
        self._model, self._tokenizer, self._decoding = model, tokenizer, decoding

    @torch.no_grad()
    def answer(
        self, questions: Sequence[Question], seed: int, shape: Shape | None = None
    ) -> list[Reply]:
        """Answer all questions at once.

        The model may be sharded: processes that call this together, with one shape, make the same
        forward passes.
        """
        set_seed(seed % 2**32)
        self._model.eval()
        asked, (rows, beside) = len(questions), shape or Shape(0, questions)
        prompts = self._prompts(questions)
        read = self._tokens(prompts)
        width = max(map(len, self._tokens(self._prompts(beside))))
        filled, padding = [*read, *read[:1] * (rows - asked)], self._tokenizer.pad_token_id
        given = {
            "input_ids": [[padding] * (width - len(ids)) + ids for ids in filled],
            "attention_mask": [[0] * (width - len(ids)) + [1] * len(ids) for ids in filled],
        }
        inputs = {name: torch.tensor(each).to(self._model.device) for name, each in given.items()}
        together = shape is not None and PartialState().num_processes > 1
        with _without_defaults(self._model):
            sequences = self._model.generate(
                **inputs, synced_gpus=together, **self._decoding.options()
            )
        written = sequences[:asked, width:]
        texts = self._tokenizer.batch_decode(written, skip_special_tokens=True)
        texts = [_marked(*pair) for pair in zip(prompts, texts, strict=True)]
        lengths = [self._length(tokens) for tokens in written.tolist()]
        return [Reply(*parts) for parts in zip(texts, map(len, read), lengths, strict=True)]

    def _prompts(self, questions: Sequence[Question]) -> list[str]:
        prompts = [question.prompt for question in questions]
        if not self._decoding.conversational:
            return prompts
        options = {"add_generation_prompt": True, **(self._decoding.template or {})}
        chats = _chats(prompts)
        return list(self._tokenizer.apply_chat_template(chats, tokenize=False, **options))

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        special = not self._decoding.conversational  # a chat template writes its own special tokens
        found: list[list[int]] = self._tokenizer(texts, add_special_tokens=special)["input_ids"]
        return found

    def _length(self, tokens: Sequence[int]) -> int:
        """Return the number of tokens up to the end of the text, its sign included."""
        ends = self._model.generation_config.eos_token_id
        ends = ends if isinstance(ends, list) else [ends]
        first = next((place for place, token in enumerate(tokens) if token in ends), None)
        return len(tokens) if first is None else first + 1


def _chats(prompts: Sequence[str]) -> list[Any]:
    return [as_chat({"prompt": prompt})["prompt"] for prompt in prompts]


def _marked(prompt: str, text: str) -> str:
    """Return a completion with the opening thought mark that its prompt ends with, if any."""
    return with_opening_mark(text) if opens_thought(prompt) else text


@contextmanager
def _without_defaults(model: Any) -> Iterator[None]:
    """Ignore the checkpoint's generation config, except its special tokens."""
    holder = model.get_base_model() if isinstance(model, PeftModel) else model
    own = holder.generation_config
    tokens = ("bos_token_id", "eos_token_id", "pad_token_id")
    holder.generation_config = GenerationConfig(**{name: getattr(own, name) for name in tokens})
    try:
        yield
    finally:
        holder.generation_config = own


class VllmModel:
    """A model that vLLM, which has to be installed, runs in this process by its ``LLM``."""

    def __init__(self, decoding: Decoding, seed: int, **options: Any) -> None:
        self._vllm = require("vllm", extra="vllm")
        self._engine = self._vllm.LLM(**options)
        self._decoding, self._seed = decoding, seed

    def answer(
        self, questions: Sequence[Question], seed: int, shape: Shape | None = None
    ) -> list[Reply]:
        """Answer all questions; draws don't depend on what else is in the batch."""
        sampling = [self._sampling(question) for question in questions]
        prompts: list[Any] = [question.prompt for question in questions]
        if self._decoding.conversational:
            options = {"use_tqdm": False, "chat_template_kwargs": self._decoding.template}
            outputs = self._engine.chat(_chats(prompts), sampling, **options)
        else:
            outputs = self._engine.generate(prompts, sampling, use_tqdm=False)
        return [
            Reply(
                _marked(output.prompt or "", output.outputs[0].text),
                len(output.prompt_token_ids),
                len(output.outputs[0].token_ids),
            )
            for output in outputs
        ]

    def _sampling(self, question: Question) -> Any:
        return self._vllm.SamplingParams(
            max_tokens=self._decoding.max_new_tokens,
            **{name: getattr(self._decoding, name) for name in DRAWN},
            repetition_penalty=1.0,
            **dict.fromkeys(("min_p", "presence_penalty", "frequency_penalty"), 0.0),
            seed=derive_seed(self._seed, question.prompt, question.sample),
        )


def open_transformers_model(model_args: ModelConfig, decoding: Decoding) -> TransformersModel:
    """Return a local model; the folder of an adapter means its base with the adapter on top."""
    folder = Path(str(model_args.model_name_or_path))
    if not (folder / ADAPTER_CONFIG_NAME).is_file():
        return TransformersModel(*load_model(model_args), decoding)
    loaded = load_model(replace(model_args, model_name_or_path=base_of(folder)), folder)
    return TransformersModel(*loaded, decoding)


def vllm_options(model_args: ModelConfig, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of ``vllm.LLM``; a SystemExit if it would take another model."""
    if model_args.load_in_4bit or model_args.load_in_8bit:
        raise SystemExit(
            "load_in_4bit and load_in_8bit are for transformers, and vLLM would load the model "
            "whole: leave them out, and give vllm_options its quantization."
        )
    folder = Path(str(model_args.model_name_or_path))
    if (folder / ADAPTER_CONFIG_NAME).is_file():
        raise SystemExit(
            f"{folder} holds an adapter, but vLLM is given whole models here: leave out --backend "
            "vllm, or merge the adapter as docs/sft.md shows and name the merged model."
        )
    dtype, revision = model_args.dtype or "auto", model_args.model_revision
    return {"model": model_args.model_name_or_path, "revision": revision, "dtype": dtype, **given}
