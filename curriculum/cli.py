"""The command ``logic-curriculum``: its first word says what to do, the others are passed on."""

import argparse
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]  # holds the recipes, in a checkout and in an installed package
CONFIGS = ROOT / "recipes" / "configs"
MODULES = {  # command → its module in logic_curriculum, and what it does
    "generate": ("generators.__main__", "make tasks, or print one"),
    "judge": ("rewards.__main__", "judge a file of answers"),
    "play": ("curriculum.play", "try tasks, answers and judges on a page"),
    "evaluate": ("curriculum.evaluation.evaluate", "evaluate a model by Inspect"),
    "report": ("curriculum.evaluation.report", "make the papers' tables from Inspect's logs"),
}


def main() -> int:
    """Run a command and return its exit status; 2 if there is none, 141 if its reader has gone."""
    try:
        try:
            return _run()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        from logic_curriculum.generators.__main__ import pipe_closed

        return pipe_closed()


def _run() -> int:
    name, *words = sys.argv[1:] or [""]
    if name in MODULES:
        try:
            module = import_module(f"logic_curriculum.{MODULES[name][0]}")
        except ImportError as error:  # an extra's package is missing
            print(f"logic-curriculum {name}: error: {error}", file=sys.stderr)
            return 1
        return int(module.main(words))
    if name == "train":
        return train(words)
    told = {key: text for key, (_, text) in MODULES.items()}
    told["train"] = "train a model by one of the recipes"
    lines = "\n".join(f"  {key:<10} {text}" for key, text in told.items())
    usage = f"usage: logic-curriculum COMMAND …\n\n{lines}\n\nCOMMAND --help lists its options."
    if name in ("-h", "--help"):
        print(usage)
        return 0
    if name == "--version":
        print(f"logic-curriculum {version('logic-curriculum')}")
        return 0
    near = get_close_matches(name, told, 1)
    meant = f": did you mean {near[0]}?" if near else "."
    unknown = f"There is no command {name!r}{meant} logic-curriculum --help lists them."
    print(unknown if name else usage, file=sys.stderr)
    return 2


def with_config(recipe: str, words: Sequence[str]) -> list[str]:
    """Return the words with the file of a configuration that comes along in place of its name."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum train",
        usage=argparse.SUPPRESS,
        allow_abbrev=False,
        add_help=False,
    )
    parser.add_argument("--config")
    given, others = parser.parse_known_args(words)
    if given.config is None:
        return list(words)
    shipped = {path.stem: path for path in sorted((CONFIGS / recipe).glob("*.yaml"))}
    config = shipped.get(given.config, Path(given.config))
    if not config.is_file():
        parser.error(
            f"--config {config} is neither a file nor one of {recipe}: {', '.join(shipped)}"
        )
    return ["--config", str(config), *others]


def recipe_names() -> list[str]:
    """Return the names of the folders with configurations for training."""
    return sorted(path.name for path in CONFIGS.iterdir() if not path.name.startswith("eval"))


def short_names() -> dict[str, str]:
    """Return the recipes that may be named without their ``grpo_``: short name → name."""
    names = (name for name in recipe_names() if name.startswith("grpo_"))
    return {name.removeprefix("grpo_"): name for name in names}


def train(words: Sequence[str]) -> int:
    """Start a recipe by ``accelerate launch``, and return its exit status."""
    recipes, short = recipe_names(), short_names()
    files = sorted(path.stem for path in (ROOT / "accelerate_configs").glob("*.yaml"))
    parser = argparse.ArgumentParser(
        prog="logic-curriculum train",
        description="Train a model. --config names a configuration that comes along, or a YAML "
        "file; other options are the recipe's, of TRL and PEFT among them.",
        epilog=f"{', '.join(short)} are short for grpo_…; RECIPE --help lists its options.",
        allow_abbrev=False,
        add_help=not words or words[0] in ("-h", "--help"),
    )
    parser.add_argument("recipe", choices=[*recipes, *short], metavar="RECIPE", help="%(choices)s")
    parser.add_argument(
        "--accelerate", choices=files, help="hardware; default: what `accelerate config` wrote"
    )
    given, others = parser.parse_known_args(words)
    recipe = short.get(given.recipe, given.recipe)
    if find_spec("trl") is None:
        parser.error('training needs TRL: pip install "logic-curriculum[train]"')
    script = ROOT / "recipes" / f"{recipe}.py"
    command = []
    if given.accelerate:
        hardware = ROOT / "accelerate_configs" / f"{given.accelerate}.yaml"
        command += ["--config_file", str(hardware)]
        if "DEEPSPEED" in hardware.read_text(encoding="utf-8") and find_spec("deepspeed") is None:
            parser.error(
                f"--accelerate {given.accelerate} needs DeepSpeed: "
                'pip install "logic-curriculum[deepspeed]"'
            )
    command += [str(script if script.is_file() else script.with_name("grpo_slr.py"))]
    asked = {word.split("=")[0] for word in others}
    if not script.is_file() and asked.isdisjoint({"--config", "-h", "--help"}):
        names = ", ".join(sorted(path.stem for path in (CONFIGS / recipe).glob("*.yaml")))
        parser.error(f"{given.recipe} has no default: give --config, one of {names}, or a file")
    command += with_config(recipe, others)
    print(f"accelerate launch {' '.join(command)}", file=sys.stderr, flush=True)
    return launch(command)


def launch(command: Sequence[str]) -> int:
    """Do what ``accelerate launch`` does, and return the exit status of the recipe.

    SIGTERM is passed on to it; with several processes torch does that. Ctrl-C reaches it by itself.
    """
    from accelerate.commands.launch import launch_command, launch_command_parser

    signal.signal(signal.SIGTERM, _pass_on)
    try:
        launch_command(launch_command_parser().parse_args(command))
    except KeyboardInterrupt:
        return _await_children()
    except subprocess.CalledProcessError as error:
        return error.returncode if error.returncode > 0 else 128 - error.returncode
    return 0


def _await_children() -> int:
    """Return the exit status of an interrupted recipe once it has saved its checkpoint."""
    import psutil

    with suppress(KeyboardInterrupt):  # a second one ends the recipe as well
        for child in psutil.Process().children():
            if (status := child.wait()) and status > 0:
                return int(status)
    return 130


def _pass_on(number: int, frame: Any) -> None:
    import psutil

    for child in (children := psutil.Process().children()):
        child.send_signal(number)
    if not children:  # not started yet
        sys.exit(128 + number)
