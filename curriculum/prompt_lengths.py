"""A warning of prompts longer than a model or a limit allows, before hours are spent."""

import json
import logging
from collections.abc import Iterable, Mapping
from http.client import HTTPException
from typing import Any
from urllib.request import urlopen

from accelerate import PartialState
from datasets import Dataset

from logic_curriculum.generators import generate
from logic_curriculum.generators.family import ranges
from logic_curriculum.generators.task import as_chat

logger = logging.getLogger(__name__)


def vllm_server(args: Any) -> str | None:
    """Return the address of the vLLM server that a GRPOConfig or RLOOConfig generates with."""
    if not args.use_vllm or args.vllm_mode != "server":
        return None
    base = args.vllm_server_base_url
    return base or f"http://{args.vllm_server_host}:{args.vllm_server_port}"


def _served_length(server: str) -> int | None:
    """Return how many tokens a vLLM server reads and writes at most, if it says so."""
    try:
        with urlopen(f"{server.rstrip('/')}/v1/models", timeout=10) as answer:
            return int(json.load(answer)["data"][0]["max_model_len"])
    except (OSError, HTTPException, ValueError, TypeError, LookupError):
        return None


def warn_of_long_prompts(
    trainer: Any,
    task_options: Mapping[str, Mapping[str, Any]],
    levels: Iterable[int],
    conversational: bool,
) -> None:
    """Warn of levels whose first task leaves no room for a completion in the model's context.

    The main process does. A vLLM server refuses such a prompt, so it is asked for its own limit.

    Args:
        trainer: A GRPOTrainer or RLOOTrainer.
        task_options: Options of ``generate`` by family.
        levels: Levels that are trained or evaluated, of every family.
        conversational: Whether prompts are chats with one user message.
    """
    args, server = trainer.args, vllm_server(trainer.args)
    served = _served_length(server) if server else None
    context = args.vllm_max_model_length or getattr(
        trainer.model.config, "max_position_embeddings", None
    )
    limit, reader = served or context, f"vLLM server at {server}" if served else "model"
    if limit is None or not PartialState().is_main_process:
        return
    completion = args.max_completion_length
    for family, options in task_options.items():
        lengths = {}
        for level in sorted(set(levels)):
            prompt = generate(family, level, 0, **options).prompt
            lengths[level] = _tokens(trainer.processing_class, prompt, conversational)
        long = [level for level, length in lengths.items() if length + completion > limit]
        if long:
            logger.warning(
                f"Prompts of {family} have about {lengths[long[0]]:,} tokens at level {long[0]}, "
                f"which with a completion of {completion:,} is more than the {limit:,} that the "
                f"{reader} reads (levels {ranges(long)}): lower last_level and eval_levels, choose "
                "a shorter style, or raise the --max-model-len of a server."
            )


def _tokens(tokenizer: Any, prompt: str, conversational: bool) -> int:
    """Return the tokens of a prompt, with its chat template if it is conversational."""
    if not conversational:
        return len(tokenizer(prompt)["input_ids"])
    chat = as_chat({"prompt": prompt})["prompt"]
    options = {"add_generation_prompt": True, "tokenize": True, "return_dict": False}
    return len(tokenizer.apply_chat_template(chat, **options))


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
