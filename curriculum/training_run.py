"""What a recipe does before it trains: read options, claim a folder, warn of long prompts."""

import argparse
import json
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

import torch
import yaml
from accelerate import PartialState
from accelerate.utils import broadcast_object_list, parse_flag_from_env
from datasets import Dataset
from transformers import TrainingArguments
from trl import ModelConfig, TrlParser

from logic_curriculum.common.files import told
from logic_curriculum.curriculum import run_settings
from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.checkpoints import EXIT_STATUS, PREEMPTED, newest_checkpoint
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.curriculum.models.merging import whole_model
from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.family import ranges
from logic_curriculum.generators.task import as_chat
from logic_curriculum.rewards.engines.prolog import PrologUnavailable
from logic_curriculum.rewards.registry import check_recorded, versions_of_all

logger = logging.getLogger(__name__)


USAGE = "%(prog)s [--config FILE.yaml] [--OPTION VALUE ...]"
WRONG_INPUT = (ValueError, OSError, ImportError, yaml.YAMLError, PrologUnavailable)
"""What :func:`run_recipe` ends with one line for."""
_claimed: list[Path] = []  # the folder of the run, once it has one


class _HelpFormatter(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    """Keeps the lines of a recipe's docstring, and shows the options' defaults."""


def parse(dataclasses: tuple[type, ...], default_config: Path) -> tuple[Any, ...]:
    """Return one instance of each dataclass, read from the command line and a YAML file.

    The file is the one that ``--config`` names. Without one it is the default, which is for the
    small network that a recipe makes; for a model that the command line names, there is no file.
    ``--help`` shows the docstring of the script that was started, then all options with the
    defaults of the YAML. The name of the pretrained model that ``make model`` makes becomes its
    folder. Under accelerate's configuration for CPUs, ``use_cpu`` is true and ``bf16`` is what the
    processor has, unless one says otherwise.
    """
    words = [arg.split("=", 1) if arg.startswith("--config=") else [arg] for arg in sys.argv[1:]]
    argv = [word for parts in words for word in parts]  # TrlParser knows --config FILE only
    named = {word.split("=")[0].replace("_", "-") for word in argv}  # it takes both spellings
    if named.isdisjoint({"--config", "--model-name-or-path"}):
        argv = ["--config", str(default_config), *argv]
    parser = TrlParser(
        dataclasses,
        usage=USAGE,
        description=sys.modules["__main__"].__doc__,
        epilog=f"Without --config and a model: {Path(*default_config.parts[-4:])}.",
        formatter_class=_HelpFormatter,
    )
    if parse_flag_from_env("ACCELERATE_USE_CPU"):
        parser.set_defaults_with_config(use_cpu=True, bf16=has_bfloat16())
    known = [f"--{item.name}" for group in dataclasses for item in fields(group)]
    if unknown := _unknown_options(parser, known, argv):  # before an object is made, and refuses
        near = get_close_matches(unknown[0], [*known, "--config"], 1)
        meant = f": did you mean {near[0]}?" if near else "."
        raise SystemExit(f"{unknown[0]} is an unknown option{meant} --help lists all options.")
    try:
        parsed = parser.parse_args_and_config(args=argv)
    except ValueError as error:
        remedy = " Without a GPU, add --accelerate cpu, or --use_cpu true --bf16 false."
        raise ValueError(f"{error}{remedy if 'bf16/gpu' in str(error) else ''}") from error
    for args in parsed:
        if getattr(args, "resume_from_checkpoint", None) in ("true", "True"):
            args.resume_from_checkpoint = True  # transformers' way to say "the latest one"
        if isinstance(args, ModelConfig):
            args.model_name_or_path = pretrained.resolve(args.model_name_or_path)
    return tuple(parsed)


def _unknown_options(parser: TrlParser, known: Sequence[str], argv: Sequence[str]) -> list[str]:
    """Return the options of a YAML file and of the command line that are not known."""
    words, in_file = list(argv), []
    if "--config" in words[:-1]:
        at = words.index("--config")
        with Path(words[at + 1]).open(encoding="utf-8") as file:
            content = yaml.safe_load(file)
        if isinstance(content, dict):  # else the parser says what is wrong
            in_file = [f"--{name}" for name in content if f"--{name}" not in {*known, "--env"}]
        del words[at : at + 2]
    asks_for_help = not {"-h", "--help"}.isdisjoint(words)  # whose defaults are the file's
    return in_file + ([] if asks_for_help else parser.parse_known_args(words)[1])


def run_recipe(main: Callable[[], None]) -> None:
    """Run a recipe's ``main``: wrong input ends in one line, and so do Ctrl-C and SIGTERM.

    SIGTERM is heard before and after the training, and leaves the file ``PREEMPTED`` in the run
    folder; :class:`.Preemption` hears it in between.
    """
    process = os.getpid()

    def stop(number: int, frame: Any) -> None:
        if os.getpid() == process:
            raise KeyboardInterrupt(number)
        signal.signal(number, signal.SIG_DFL)  # in a forked child
        signal.raise_signal(number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        main()
        PartialState().wait_for_everyone()  # a process that aborts at its end would end the others
        PartialState().destroy_process_group()
    except KeyboardInterrupt as error:
        for folder in _claimed if error.args else ():
            (folder / PREEMPTED).write_text("before the training\n", encoding="utf-8")
        again = "with --resume_from_checkpoint true the same command continues from what is saved"
        print(f"\nInterrupted: {again}, or else starts again.", file=sys.stderr)
        raise SystemExit(EXIT_STATUS if error.args else 130) from None
    except WRONG_INPUT as error:
        place = isinstance(error, OSError) and error.filename
        remedy = ": check the path, and that you may write there" if place else ""
        line = " ".join(f"{error}{remedy}".split())
        raise SystemExit(f"{Path(sys.argv[0]).name}: error: {line}") from None
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def training() -> Iterator[None]:
    """Keep the traceback of what goes wrong inside, since it is no wrong input."""
    try:
        yield
    except WRONG_INPUT as error:
        raise RuntimeError(f"The training failed: {error}") from error


def mapping_option(name: str, value: Any) -> dict[str, Any]:
    """Return an option that is a mapping, or JSON of one; anything else is a ValueError."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError(f"{name} is {value!r}, which is not JSON ({error}).") from error
    if not isinstance(found, Mapping):
        raise ValueError(f"{name} is {value!r}: give a mapping, or JSON that begins with a brace.")
    return dict(found)


def check_levels(
    task_options: Mapping[str, Mapping[str, Any]], **asked: Iterable[int | None]
) -> None:
    """Raise a SystemExit if an option asks for a level that a family, or its preset, lacks.

    ``task_options`` are by family, ``asked`` the levels by option; None is no level.
    """
    for (name, levels), (family, options) in product(asked.items(), task_options.items()):
        known = registry.family(family).levels(options.get("preset"))
        if missing := [level for level in levels if level not in (None, *known)]:
            raise SystemExit(
                f"{name} asks for level {missing[0]}, but the tasks of {family} have the levels "
                f"{ranges(known)}: choose among them."
            )


def begin_training(
    args: TrainingArguments,
    model_args: ModelConfig,
    families: Sequence[str],
    notice: str,
    **facts: Any,
) -> None:
    """Claim the run folder and print what to expect, on the main process.

    A new folder gets ``run.json``: the model, the families, their versions and the facts, all
    JSON-able. A run that is resumed has to have the same versions; it, another run in the folder or
    a folder that can't be written is a SystemExit, in all processes. To resume the latest
    checkpoint means the newest one that is whole, and the beginning if there is none. The folder of
    an adapter as the model means its base with the adapter merged in.
    """
    problem = None
    if args.process_index == 0:
        try:
            _claim(args, model_args, families, facts)
            print(f"{notice}Processes: {args.world_size}", flush=True)
        except (SystemExit, ValueError, OSError) as error:
            problem = told(error, args.output_dir)
    if problem := broadcast_object_list([problem])[0]:  # so that no process waits for the others
        raise SystemExit(problem)
    model_args.model_name_or_path = whole_model(model_args.model_name_or_path)
    if args.resume_from_checkpoint is True:
        args.resume_from_checkpoint = newest_checkpoint(Path(args.output_dir))
    if args.disable_tqdm:
        disable_progress_bars()


def _claim(
    args: TrainingArguments, model_args: ModelConfig, families: Sequence[str], facts: dict[str, Any]
) -> None:
    folder = Path(args.output_dir)
    _claimed[:] = [folder]
    if not run_settings.has_started(folder):
        facts |= {"model": model_args.model_name_or_path, "families": list(families)}
        run_settings.write_settings(folder, {**facts, **versions_of_all(families)})
    elif args.resume_from_checkpoint is None:
        raise SystemExit(
            f"{folder} is not empty, and a new run would overwrite what is there: choose "
            "another --output_dir, or continue it with --resume_from_checkpoint true."
        )
    else:
        check_recorded(f"The run in {folder}", run_settings.read_settings(folder), families)
        with tempfile.TemporaryFile(dir=folder):
            pass  # it can be written


def loading_options(model_args: ModelConfig, given: Any = None) -> dict[str, Any]:
    """Return ModelConfig's options of ``from_pretrained``; a trainer's ``given`` ones win."""
    return {
        "revision": model_args.model_revision,
        "attn_implementation": model_args.attn_implementation,
        "dtype": model_args.dtype,
        **(given or {}),
    }


def has_bfloat16() -> bool:
    """Return whether the processor computes with bfloat16; without it, float32 is faster."""
    features = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in features)


def warn_of_long_prompts(
    trainer: Any,
    task_options: Mapping[str, Mapping[str, Any]],
    levels: Iterable[int],
    conversational: bool,
) -> None:
    """Warn of levels whose first task leaves no room for a completion in the model's context.

    The main process does.

    Args:
        trainer: A GRPOTrainer or RLOOTrainer.
        task_options: Options of ``generate`` by family.
        levels: Levels that are trained or evaluated, of every family.
        conversational: Whether prompts are chats with one user message.
    """
    args, own = trainer.args, getattr(trainer.model.config, "max_position_embeddings", None)
    limit = args.vllm_max_model_length or own
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
                f"model reads (levels {ranges(long)}): lower last_level and eval_levels, or choose "
                "a shorter style."
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
