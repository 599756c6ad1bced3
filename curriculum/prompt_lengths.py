"""Prompts that are longer than a model, or a limit, lets it read: told before hours are spent."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from datasets import Dataset

from logic_curriculum.generators import generate
from logic_curriculum.generators.family import ranges
from logic_curriculum.generators.task import as_chat

logger = logging.getLogger(__name__)


def warn_of_long_prompts(
    tokenizer: Any,
    context: int | None,
    completion: int,
    task_options: Mapping[str, Mapping[str, Any]],
    levels: Iterable[int],
    conversational: bool,
) -> None:
    """Warn of levels whose first task leaves no room for a completion in the model's context.

    Args:
        context: Tokens that the model reads and writes at most; None if that is not known.
        completion: Longest completion, in tokens.
        task_options: Options of ``generate`` by family.
        levels: Levels that are trained or evaluated, of every family.
        conversational: Whether prompts are chats with one user message.
    """
    if context is None:
        return
    for family, options in task_options.items():
        lengths = {}
        for level in sorted(set(levels)):
            prompt = generate(family, level, 0, **options).prompt
            if conversational:
                chat = as_chat({"prompt": prompt})["prompt"]
                found = tokenizer.apply_chat_template(
                    chat, add_generation_prompt=True, tokenize=True, return_dict=False
                )
            else:
                found = tokenizer(prompt)["input_ids"]
            lengths[level] = len(found)
        long = [level for level, length in lengths.items() if length + completion > context]
        if long:
            logger.warning(
                f"Prompts of {family} have about {lengths[long[0]]:,} tokens at level {long[0]}, "
                f"which with a completion of {completion:,} is more than the {context:,} that the "
                f"model reads (levels {ranges(long)}): lower last_level and eval_levels, or choose "
                "a shorter style."
            )


def warn_of_cut_prompts(encoded: Mapping[int, Dataset], max_length: int | None) -> None:
    """Warn of the levels with examples of ``max_length`` tokens, whose prompts were cut to fit.

    ``encoded`` has ``input_ids`` by level, as ``dataset.Encoder`` makes them.
    """
    counts = {
        level: sum(len(ids) == max_length for ids in rows["input_ids"])
        for level, rows in encoded.items()
    }
    told = [f"{n} of {len(encoded[level])} at level {level}" for level, n in counts.items() if n]
    if told:
        logger.warning(
            f"max_length is {max_length}: {', '.join(told)} are that long, and longer ones lost "
            "the middle of their prompts, which are facts that the answer follows from. Raise "
            "max_length, lower last_level, or choose a shorter style."
        )
