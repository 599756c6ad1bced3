"""The model of a recipe that answers questions, before, while or after it trains.

It decodes by its :class:`Decoding` alone: of the checkpoint's generation config, which may ask for
a repetition penalty or the like, only the special tokens count. Processes ask it in step: each
makes the same forward passes, whatever its questions are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import gather_object
from peft import PeftModel
from transformers import GenerationConfig

from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.curriculum.evaluation.records import (
    Record,
    grouped,
    judged,
    read_records,
    write_records,
)
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
        self,
        questions: Sequence[Question],
        seed: int,
        beside: Sequence[Question] = (),
        rows: int = 0,
    ) -> list[str]:
        """Answer all questions at once.

        The model may be sharded: processes that call this together make the same forward passes,
        filled up to so many ``rows``, as long as the longest prompt ``beside`` theirs.
        """
        torch.manual_seed(seed % 2**32)
        self._model.eval()
        asked, prompts = len(questions), self._prompts(questions)
        read = self._tokens(prompts)
        width = max(map(len, self._tokens(self._prompts(beside or questions))))
        filled, padding = [*read, *read[:1] * (rows - asked)], self._tokenizer.pad_token_id
        given = {
            "input_ids": [[padding] * (width - len(ids)) + ids for ids in filled],
            "attention_mask": [[0] * (width - len(ids)) + [1] * len(ids) for ids in filled],
        }
        inputs = {name: torch.tensor(each).to(self._model.device) for name, each in given.items()}
        together = bool(beside) and PartialState().num_processes > 1
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


def batches(questions: Sequence[Question], size: int) -> list[list[Question]]:
    """Return the questions in batches of one family each.

    Long prompts come first: little padding, and if memory runs out, it does so at once.
    """
    groups = []
    for group in grouped(questions, lambda question: question.task.family).values():
        group.sort(key=lambda question: -len(question.prompt))
        groups += [group[start : start + size] for start in range(0, len(group), size)]
    return groups


def in_step(
    model: TransformersModel, work: Sequence[Sequence[Question]], seed_of: Callable[[int], int]
) -> Iterator[tuple[Sequence[Question], list[str]]]:
    """Yield this process's batches, and the answers to them.

    Processes that hold parts of one model can only generate together. So all answer as many
    batches, filled up to one shape: a process that has none left answers another one's again,
    which is not yielded. ``seed_of`` gives the seed for a batch's number.
    """
    state = PartialState()
    rows = max(map(len, work), default=0)
    for start in range(0, len(work), state.num_processes):
        at_once = work[start : start + state.num_processes]
        place = min(state.process_index, len(at_once) - 1)
        beside = [question for batch in at_once for question in batch]
        texts = model.answer(at_once[place], seed_of(start + place), beside, rows)
        if place == state.process_index:
            yield at_once[place], texts


def answers_to(
    questions: Sequence[Question],
    path: Path,
    open_model: Callable[[], TransformersModel],
    batch_size: int,
    seed: int,
) -> list[Record]:
    """Return the judged answers to questions, in their order and in every process.

    The main process writes them to ``path``. If that is there already, nothing is asked and no
    model opened; a file of answers to other questions is a SystemExit.
    """
    state, is_there = PartialState(), path.is_file()
    state.wait_for_everyone()  # all have looked before one writes
    if is_there:
        records = read_records(path)
    else:
        records = _ask(open_model(), questions, path.stem, batch_size, seed)
        if state.is_main_process:
            write_records(path, records)
        state.wait_for_everyone()
    asked = [(question.task.family, question.task.level, question.prompt) for question in questions]
    if asked != [(record.family, record.level, record.prompt) for record in records]:
        raise SystemExit(
            f"{path} holds answers to other questions than those asked for: keep seed, levels, "
            "style and number of tasks as they were, or delete it to ask again."
        )
    return records


def _ask(
    model: TransformersModel, questions: Sequence[Question], name: str, batch_size: int, seed: int
) -> list[Record]:
    """Return the answers in the order of the questions."""
    places = {id(question): place for place, question in enumerate(questions)}
    answered: list[tuple[int, Record]] = []
    work = batches(questions, batch_size)
    for batch, texts in in_step(model, work, partial(derive_seed, "decoding", seed)):
        own = [places[id(question)] for question in batch]
        answered += zip(own, judged(batch, texts, name), strict=True)
    return [record for _, record in sorted(gather_object(answered), key=lambda pair: pair[0])]
