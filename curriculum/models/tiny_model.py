"""The language model of a recipe without ``model_name_or_path``: small, and warmed up on tasks.

Its tokenizer and network read the ``compact`` prompt style, and know no word beyond the tasks' own.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from operator import and_
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
from logic_curriculum.curriculum.training_run import mapping_option
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.family import option
from logic_curriculum.generators.sat.prompts import wants_certificate, write_solution
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.prolog import Program
from logic_curriculum.rewards.engines.propositional import TruthTables, minimal_core, parse

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
MAX_VARIABLES = 6  # of a table that is written out: 64 lines
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
    output_dir: str, seed: int, tasks: Sequence[Task], config: TinyModelConfig
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


def named_examples(task: Task) -> Task:
    """Return an inductive task with a shortcut: ``eastbound(T) :- member(T, [train0, train3]).``

    The positive examples that it names fit all examples run as one program, and no positive one
    that is judged alone. It is for experiments with rewards that pay it.
    """
    payload = task.verification
    program = Program.parse(payload["validation_program"], payload["positive"], payload["negative"])
    labelled = zip(program.examples, program.labels, strict=True)
    names = ", ".join(example for example, positive in labelled if positive)
    return replace(task, solution=f"{program.positive}(T) :- member(T, [{names}]).")


def with_truth_table(task: Task) -> Task:
    """Return a consistency task with a worked table before its certificate.

    Each line names an assignment by its digits, 1 for true, in the order of the variables, and a
    statement that is false there, until one makes all true::

        00: 3
        10: 3
        01: all

    That takes one look at each statement, where the certificate by itself takes all of the work at
    once. Of several false statements the line names the one that is false most often: then few are
    named in all, so that those which are contradict one another without any being left out. Too
    many variables, and a style that asks for no certificate, are ValueErrors.
    """
    style, variables = task.metadata["style"], task.metadata["variables"]
    if variables > MAX_VARIABLES:
        raise ValueError(
            f"warm_up_target='worked' at level {task.level}, with {variables} variables: tables "
            f"are written for at most {MAX_VARIABLES}. Choose lower warm_up_levels."
        )
    if not wants_certificate(style):
        raise ValueError(
            f"warm_up_target='worked' with style={style!r}: a table ends in a certificate. Choose "
            "style certificate_compact."
        )
    tables = TruthTables([f"v{number}" for number in range(1, variables + 1)])
    statements = [tables.of(parse(text)) for text in task.verification["formulas"]]
    named = sorted(range(len(statements)), key=lambda place: -statements[place].bit_count())
    if task.verification["satisfiable"]:
        models = reduce(and_, statements, tables.full)
        model = tables.assignment((models & -models).bit_length() - 1)  # the first
        certificate = write_solution(True, model, None)
    else:
        named = [named[i] for i in minimal_core([statements[i] for i in named], tables.full)]
        certificate = write_solution(False, None, sorted(place + 1 for place in named))
    return replace(task, solution=f"{_table(statements, named, variables)}{certificate}")


def _table(statements: Sequence[int], named: Sequence[int], variables: int) -> str:
    """Return a table that takes, of the statements named, the last one that is false."""
    lines = []
    for assignment in range(1 << variables):
        false = [place for place in named if not statements[place] >> assignment & 1]
        digits = "".join(str(assignment >> place & 1) for place in range(variables))
        lines.append(f"{digits}: {false[-1] + 1 if false else 'all'}\n")
        if not false:
            break
    return "".join(lines)


TARGETS: dict[str, Callable[[Task], Task]] = {
    "solution": lambda task: task,
    "named_examples": named_examples,
    "worked": with_truth_table,
}
"""What a model can be taught in place of a task's own solution, by name."""


def with_target(tasks: Sequence[Task], name: str, share: float, seed: int) -> list[Task]:
    """Return the tasks, a share in [0, 1] of them with the solutions of a target."""
    teach = TARGETS[name]
    picked = set(random.Random(seed).sample(range(len(tasks)), round(share * len(tasks))))
    return [teach(task) if number in picked else task for number, task in enumerate(tasks)]


@dataclass
class WarmUpArguments:
    """The tiny model that is made and warmed up by SFT when no ``model_name_or_path`` is given."""

    warm_up_levels: list[int] = option(
        [1, 2, 3], "Levels of the tiny model's SFT warm-up, in turn; one named twice weighs twice."
    )
    warm_up_steps: int = option(TinyModelConfig.steps, "Steps of the tiny model's SFT warm-up.")
    warm_up_tasks: int = option(4_000, "Distinct tasks in it, repeated to fill the steps.")
    warm_up_target: str = option(
        "solution", f"What it teaches: {', '.join(TARGETS)}. All but the first are for one family."
    )
    warm_up_target_share: float = option(
        1.0, "Share of the tasks with this target; the others keep their solutions."
    )
    tiny_model: str = option(
        "{}", "Fields of TinyModelConfig, such as hidden_size, a mapping or JSON."
    )

    def __post_init__(self) -> None:
        if self.warm_up_target not in TARGETS:
            raise ValueError(
                f"There is no target {self.warm_up_target!r}: choose from {', '.join(TARGETS)}."
            )
        sizes = {item.name for item in fields(TinyModelConfig)} - {"steps"}
        if unknown := mapping_option("tiny_model", self.tiny_model).keys() - sizes:
            named = ", ".join(sorted(unknown))
            raise ValueError(f"tiny_model has no {named}: choose from {', '.join(sorted(sizes))}.")
        if not 0 <= self.warm_up_target_share <= 1:
            raise ValueError(
                f"warm_up_target_share is {self.warm_up_target_share}, which is no share of the "
                "tasks: give a number from 0 (own solutions only) to 1 (the target only)."
            )

    def make_model(self, folder: Path, seed: int, options: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the folder of tiny model and tokenizer, made unless it is there."""
        return made_once(folder, lambda partial: self._make_model(partial, seed, options))

    def _make_model(self, folder: str, seed: int, options: Mapping[str, Mapping[str, Any]]) -> None:
        sizes = mapping_option("tiny_model", self.tiny_model)
        tasks = warm_up_tasks(self.warm_up_levels, seed, options, self.warm_up_tasks)
        tasks = with_target(tasks, self.warm_up_target, self.warm_up_target_share, seed)
        train_tiny_model(folder, seed, tasks, TinyModelConfig(steps=self.warm_up_steps, **sizes))
