"""A language model made for demos: a tokenizer and a small network, warmed up on ground truth.

It reads the ``compact`` prompt style and knows no word beyond the tasks' own.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import transformers
from accelerate import PartialState
from datasets import Dataset
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedModel, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

from logic_curriculum.common.files import PARTIAL
from logic_curriculum.curriculum.callback import print_lines
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.seeding import derive_seed

PAD, EOS = "<pad>", "<eos>"
CONVOLVED = 5  # latest tokens that a convolution sees
WORDS = Regex(r" ?\S+|\n")  # a word keeps the space before it, so that a rule is a dozen tokens
FORMULAS = Regex(  # as WORDS, but cut where a symbol begins, so that one token is one symbol
    r"[∀∃][s-z]|[¬∧∨→↔()]|\n|v\d+"
    r"|[A-Z](?=[a-z]{0,2}(?![a-z]))"  # the predicate of Pxc, or of P alone
    r"|(?<=[A-Z])[a-z](?=[a-z]?(?![a-z]))|(?<=[A-Z][a-z])[a-z](?![a-z])"  # its terms
    r"|(?<![A-Za-z])[a-z](?![a-z])"  # a name's symbol alone
    r"| (?=[A-Z][a-z]{0,2}(?![a-z])|[a-z](?![a-z]))"  # the space before any of these
    r"| ?[A-Za-z][a-z'-]*| ?[^\sA-Za-z¬∧∨→↔∀∃()]+"
)
SCHEDULE = {"lr_scheduler_type": "cosine", "warmup_steps": 0.05, "adam_beta2": 0.95}
ON_CPU = {"use_cpu": True, "bf16": False, "activation_checkpointing": False}
QUIET = {"save_strategy": "no", "report_to": "none", "disable_tqdm": True}


@dataclass(frozen=True)
class TinyModelConfig:
    """Size of the model and of its warm-up."""

    hidden_size: int = 128
    layers: int = 4
    heads: int = 4
    intermediate_size: int = 384
    convolutions: bool = False
    """Whether every other layer, from the first, is a short convolution (LFM2), not attention."""
    matching_heads: bool = False
    """Whether half of the heads begin with equal projections to queries and keys, so that a word
    attends to its like from the first step on. Needs convolutions; halves the training time."""
    initializer_range: float = 0.02
    """Standard deviation of the first weights. With the usual 0.02, layers of narrow networks
    hardly add anything at first, which costs training time."""
    steps: int = 350
    batch_size: int = 64
    learning_rate: float = 2e-3
    sampling: str = "random"
    """``random``, or ``group_by_length``, which pads less where tasks differ in length."""


def make_tokenizer(tasks: Sequence[Task], vocab_size: int = 2048) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer on the text of tasks; any other text stays encodable.

    Words are its units. In tasks with formulas, so are connectives, brackets, quantifiers with
    their variable, and pairs such as (0,1).
    """
    texts = [text for task in tasks for text in (task.prompt, task.solution)]
    pieces = FORMULAS if any("→" in text for text in texts) else WORDS
    tokenizer = Tokenizer(models.BPE())
    as_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    split = pre_tokenizers.Split(pieces, "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, as_bytes])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[PAD, EOS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=EOS, padding_side="left"
    )


def make_model(tokenizer: PreTrainedTokenizerFast, config: TinyModelConfig) -> PreTrainedModel:
    """Return a randomly initialised network of about a million parameters."""
    common = {
        "vocab_size": len(tokenizer),
        "hidden_size": config.hidden_size,
        "intermediate_size": config.intermediate_size,
        "num_hidden_layers": config.layers,
        "num_attention_heads": config.heads,
        "max_position_embeddings": 1024,
        "initializer_range": config.initializer_range,
        "tie_word_embeddings": True,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
    }
    if not config.convolutions:
        return transformers.LlamaForCausalLM(transformers.LlamaConfig(**common))
    kinds = ["full_attention" if layer % 2 else "conv" for layer in range(config.layers)]
    own = {"num_key_value_heads": config.heads, "layer_types": kinds, "conv_L_cache": CONVOLVED}
    size = transformers.Lfm2Config(**common, **own, block_auto_adjust_ff_dim=False)
    model = transformers.Lfm2ForCausalLM(size)
    if config.matching_heads:
        half = config.hidden_size // 2
        for layer in model.model.layers[1::2]:
            attention = layer.self_attn
            attention.k_proj.weight.data[:half] = attention.q_proj.weight.data[:half]
    return model


def warm_up_tasks(
    levels: Sequence[int], seed: int, options: Mapping[str, Mapping[str, Any]], count: int
) -> list[Task]:
    """Return ``count`` training tasks, families and levels in turn; ``options`` are by family."""
    families = list(options)
    tasks = []
    for index in range(count):
        turn, place = divmod(index, len(families))
        family, level = families[place], levels[turn % len(levels)]
        task_seed = derive_seed("warm-up", seed, index)
        tasks.append(generate(family, level, task_seed, split="train", **options[family]))
    return tasks


def made_once(folder: Path, make: Callable[[str], object]) -> str:
    """Return ``folder``; if it is missing, let ``make`` fill it first.

    The folder appears when it is complete. All processes call this.
    """
    if not folder.is_dir():
        partial = folder.with_name(folder.name + PARTIAL)
        make(str(partial))
        with PartialState().main_process_first():
            if partial.is_dir():
                partial.rename(folder)
    return str(folder)


def train_tiny_model(
    output_dir: str,
    seed: int,
    tasks: Sequence[Task],
    config: TinyModelConfig,
) -> None:
    """Make a model and a tokenizer of the tasks' text, warm up by SFT and save both.

    The seed is that of the first weights and the order of training.
    """
    tokenizer = make_tokenizer(tasks)
    rng = random.Random(seed)
    picked = [rng.choice(tasks) for _ in range(config.steps * config.batch_size)]
    rows = [{"prompt": task.prompt, "completion": task.solution} for task in picked]
    transformers.set_seed(seed)
    trainer = SFTTrainer(
        model=make_model(tokenizer, config),
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows),
        args=SFTConfig(
            output_dir,
            seed=seed,
            max_steps=config.steps,
            per_device_train_batch_size=config.batch_size,
            train_sampling_strategy=config.sampling,
            logging_steps=max(1, config.steps // 5),
            learning_rate=config.learning_rate,
            **SCHEDULE,
            **ON_CPU,
            **QUIET,
        ),
    )
    print_lines(trainer, {"warm-up loss": "loss"})
    trainer.train()
    trainer.save_model(output_dir)
    trainer.accelerator.wait_for_everyone()  # the others read what the main process writes
