"""What every recipe does first: read its options."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from logic_curriculum.generators import registry
from logic_curriculum.generators.family import ranges
from logic_curriculum.rewards.engines.prolog import PrologUnavailable

USAGE = "%(prog)s [--config FILE.yaml] [--OPTION VALUE ...]"
WRONG_INPUT = (ValueError, OSError, ImportError, yaml.YAMLError, PrologUnavailable)
"""What :func:`run_recipe` ends with one line for."""


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
    from accelerate.utils import parse_flag_from_env
    from trl import ModelConfig, TrlParser

    from logic_curriculum.curriculum.models import pretrained
    from logic_curriculum.curriculum.training_run import has_bfloat16

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
    separate = {"return_remaining_strings": True, "separate_remaining_strings": True}
    *parsed, in_file, in_words = parser.parse_args_and_config(args=argv, **separate)
    if unknown := [*in_file, *in_words]:
        known = [f"--{item.name}" for group in dataclasses for item in fields(group)]
        raise SystemExit(_unknown_option(str(unknown[0]), known))
    for args in parsed:
        if getattr(args, "resume_from_checkpoint", None) in ("true", "True"):
            args.resume_from_checkpoint = True  # transformers' way to say "the latest one"
        if isinstance(args, ModelConfig):
            args.model_name_or_path = pretrained.resolve(args.model_name_or_path)
    return tuple(parsed)


def _unknown_option(word: str, options: Sequence[str]) -> str:
    near = get_close_matches(word, [*options, "--config"], 1)
    meant = f": did you mean {near[0]}?" if near else "."
    return f"{word} is an unknown option{meant} --help lists all options."


def run_recipe(main: Callable[[], None]) -> None:
    """Run a recipe's ``main``: wrong input ends in one line, and so does Ctrl-C."""
    try:
        main()
    except KeyboardInterrupt:
        again = "the same command continues with --resume_from_checkpoint true"
        print(f"\nInterrupted: {again}.", file=sys.stderr)
        raise SystemExit(130) from None
    except WRONG_INPUT as error:
        place = isinstance(error, OSError) and error.filename
        remedy = ": check the path, and that you may write there" if place else ""
        line = " ".join(f"{error}{remedy}".split())
        raise SystemExit(f"{Path(sys.argv[0]).name}: error: {line}") from None


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
