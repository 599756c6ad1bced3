"""The model of a recipe that answers questions, before, while or after it trains.

It decodes by its :class:`Decoding` alone: of the checkpoint's generation config, which may ask for
a repetition penalty or the like, only the special tokens count.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from accelerate import PartialState
from peft import PeftModel
from transformers import GenerationConfig, set_seed

from logic_curriculum.curriculum.evaluation.ask import Shape
from logic_curriculum.curriculum.evaluation.questions import Question
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
    ) -> list[str]:
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
        return [
            with_opening_mark(text) if opens_thought(prompt) else text
            for prompt, text in zip(prompts, texts, strict=True)
        ]

    def _prompts(self, questions: Sequence[Question]) -> list[str]:
        prompts = [question.prompt for question in questions]
        if not self._decoding.conversational:
            return prompts
        options = {"add_generation_prompt": True, **(self._decoding.template or {})}
        chats = [as_chat({"prompt": prompt})["prompt"] for prompt in prompts]
        return list(self._tokenizer.apply_chat_template(chats, tokenize=False, **options))

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        special = not self._decoding.conversational  # a chat template writes its own special tokens
        found: list[list[int]] = self._tokenizer(texts, add_special_tokens=special)["input_ids"]
        return found


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
