"""Tokens to learn an answer from: what is too long loses the middle of its prompt, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

IGNORED = -100  # label of a token that the loss leaves out


class Encoder(NamedTuple):
    """Turns rows into what SFTTrainer's collator takes."""

    tokenizer: Any
    max_length: int | None
    """Longest example in tokens, prompt and completion together; None for any length."""
    only_completion: bool = True
    """Whether the loss leaves the prompt out."""

    def encode(self, row: Mapping[str, Any]) -> dict[str, list[int]]:
        """Return ``input_ids`` and ``labels`` of a row.

        The completion stays whole, with the sign of its end. A prompt that leaves too little room
        loses its middle: its beginning says what to do, and its end how to answer and, in a chat
        template, who speaks next.

        Args:
            row: ``prompt`` and ``completion``, both texts or both lists of chat messages.

        Raises:
            ValueError: If the completion leaves no room for a prompt, or the chat template writes
                a prompt otherwise once its answer follows.
        """
        if isinstance(row["prompt"], str):
            prompt, completion = self._plain(row)
        else:
            prompt, completion = self._chat(row)
        prompt = self._shortened(prompt, len(completion))
        ignored = [IGNORED] * len(prompt) if self.only_completion else prompt
        return {"input_ids": prompt + completion, "labels": ignored + completion}

    def _plain(self, row: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        prompt = self.tokenizer(row["prompt"])["input_ids"]
        completion = self.tokenizer(row["completion"], add_special_tokens=False)["input_ids"]
        return prompt, [*completion, self.tokenizer.eos_token_id]

    def _chat(self, row: Mapping[str, Any]) -> tuple[list[int], list[int]]:
        prompt = self._templated(row["prompt"], add_generation_prompt=True)
        whole = self._templated(row["prompt"] + row["completion"])
        if whole[: len(prompt)] != prompt:
            raise ValueError(
                f"The chat template of {self.tokenizer.name_or_path!r} writes a prompt otherwise "
                "when an answer follows, so it can't be told where the answer begins: give the "
                "tokenizer a template that ends a prompt as it begins an answer."
            )
        return prompt, whole[len(prompt) :]

    def _templated(self, messages: list[dict[str, str]], **options: bool) -> list[int]:
        tokens: list[int] = self.tokenizer.apply_chat_template(
            messages, tokenize=True, return_dict=False, **options
        )
        return tokens

    def _shortened(self, prompt: list[int], taken: int) -> list[int]:
        if self.max_length is None or len(prompt) + taken <= self.max_length:
            return prompt
        room = self.max_length - taken
        if room < 2:
            raise ValueError(
                f"An answer has {taken} tokens, which leaves no room for its prompt in max_length "
                f"{self.max_length}, and answers are never cut: raise max_length."
            )
        end = room // 2
        return prompt[: room - end] + prompt[-end:]
