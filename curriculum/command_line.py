"""What every recipe does first: read its options, and claim its run folder."""

import json
import logging
import sys
from argparse import ArgumentDefaultsHelpFormatter, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from traceback import walk_tb
from typing import Any

import yaml
from transformers import Trainer, TrainingArguments
from trl import ModelConfig, TrlParser

from logic_curriculum.curriculum import run_settings
from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.models import on_cpu, pretrained
from logic_curriculum.generators import registry
from logic_curriculum.generators.family import ranges

logger = logging.getLogger(__name__)

OWN_MODEL = ("--model_name_or_path", "--endpoint")
"""Options after which a demo's settings, made for a network of its own, are out of place."""


RESUME = " with --resume_from_checkpoint true"


class _HelpFormatter(RawDescriptionHelpFormatter, ArgumentDefaultsHelpFormatter):
    """Keeps the lines of a recipe's docstring, and tells the options' defaults."""


def parse(dataclasses: tuple[type, ...], default_config: Path) -> tuple[Any, ...]:
    """Return one instance of each dataclass, read from the command line and a YAML file.

    The file is the one that ``--config`` names. Without one it is the default, which is for the
    small network that a recipe makes; for a model that the command line names, there is no file.
    ``--help`` shows the docstring of the script that was started, then all options with the
    defaults of the YAML. The ``notice`` of a file is dropped where the families are not those of
    the file. The name of the pretrained model that ``make model`` makes becomes its folder.
    """
    words = [arg.split("=", 1) if arg.startswith("--config=") else [arg] for arg in sys.argv[1:]]
    argv = [word for parts in words for word in parts]  # TrlParser knows --config FILE only
    if not {"--config", *OWN_MODEL} & {word.split("=")[0] for word in argv}:
        argv = ["--config", str(default_config), *argv]
    parser = TrlParser(
        dataclasses,
        usage="%(prog)s [--config FILE.yaml] [--OPTION VALUE ...]",
        description=sys.modules["__main__"].__doc__,
        epilog=f"Without --config and a model: {Path(*default_config.parts[-4:])}.",
        formatter_class=_HelpFormatter,
    )
    separate = {"return_remaining_strings": True, "separate_remaining_strings": True}
    *parsed, in_file, in_words = parser.parse_args_and_config(args=argv, **separate)
    if unknown := [*in_file, *in_words]:
        raise SystemExit(_unknown_option(str(unknown[0]), list(parser._option_string_actions)))
    file = Path(argv[argv.index("--config") + 1]) if "--config" in argv else None
    written = (yaml.safe_load(file.read_text()) or {}) if file else {}
    families = [args.families for args in parsed if hasattr(args, "families")]
    changed = "families" in written and families not in ([], [written["families"]])
    for args in parsed:
        if changed and hasattr(args, "notice") and args.notice == written.get("notice", ""):
            args.notice = ""
        if getattr(args, "resume_from_checkpoint", None) in ("true", "True"):
            args.resume_from_checkpoint = True  # transformers' way to say "the latest one"
        if isinstance(args, ModelConfig):
            args.model_name_or_path = pretrained.resolve(args.model_name_or_path)
    return tuple(parsed)


def _unknown_option(word: str, options: Sequence[str]) -> str:
    near = get_close_matches(word, [*options, "--config"], 1)
    meant = f": did you mean {near[0]}?" if near else "."
    return f"{word} is no option of this recipe{meant} --help lists them all."


def run_recipe(
    main: Callable[[], None], resume: str = " with --resume_from_checkpoint true"
) -> None:
    """Run a recipe's ``main``: wrong input ends in one line, and so does Ctrl-C.

    An error inside ``Trainer.train`` keeps its traceback. ``resume`` says what makes the same
    command go on.
    """
    try:
        main()
    except KeyboardInterrupt:
        print(f"\nInterrupted: the same command goes on{resume}.", file=sys.stderr)
        raise SystemExit(130) from None
    except (ValueError, OSError, yaml.YAMLError) as error:
        frames = (frame for frame, _ in walk_tb(error.__traceback__))
        if any(frame.f_code is Trainer.train.__code__ for frame in frames):
            raise
        line = " ".join(str(error).split())
        raise SystemExit(f"{Path(sys.argv[0]).name}: error: {line}") from None


def mapping_option(name: str, value: Any) -> dict[str, Any]:
    """Return an option that is a mapping, or JSON of one; anything else is a ValueError."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise ValueError(f"{name} is {value!r}, which is no JSON ({error}).") from error
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
    JSON-able. A run that is resumed has to have the same versions; it or another run in the folder
    is a SystemExit.
    """
    if args.device.type == "cpu":
        on_cpu.score_answers_only()
        on_cpu.keep_memory()
        if (args.bf16 or model_args.dtype == "bfloat16") and not on_cpu.has_bfloat16():
            logger.warning(
                "bfloat16 was asked for, but this processor computes it in float32 piece by piece: "
                "--bf16 false and --dtype float32 are faster here."
            )
    if args.process_index == 0:
        folder = Path(args.output_dir)
        if not run_settings.has_started(folder):
            model = model_args.model_name_or_path
            facts |= {"model": model, "weights": pretrained.weights_of(model)}
            run_settings.write_settings(folder, run_settings.run_facts(families, **facts))
        elif args.resume_from_checkpoint is None:
            raise SystemExit(
                f"{folder} is not empty, and a new run would overwrite what is there: choose "
                "another --output_dir, or continue it with --resume_from_checkpoint true."
            )
        else:
            run_settings.check_versions_of_run(folder, families)
        print(f"{notice}Processes: {args.world_size}", flush=True)
    if args.disable_tqdm:
        disable_progress_bars()


def loading_options(model_args: ModelConfig, given: Any = None) -> dict[str, Any]:
    """Return ModelConfig's options of ``from_pretrained``; a trainer's ``given`` ones win."""
    return {
        "revision": model_args.model_revision,
        "attn_implementation": model_args.attn_implementation,
        "dtype": model_args.dtype,
        **(given or {}),
    }
