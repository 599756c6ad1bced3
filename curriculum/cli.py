"""The command ``logic-curriculum``: its first word says what to do, the others are passed on."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
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
    """Run a command and return its exit status; 141 if its reader has gone."""
    try:
        try:
            return _run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        from logic_curriculum.generators.__main__ import pipe_closed

        return pipe_closed()


def _run(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="logic-curriculum", epilog="COMMAND --help lists its options.", allow_abbrev=False
    )
    told = f"%(prog)s {version('logic-curriculum')}"
    parser.add_argument("--version", action="version", version=told)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, text) in MODULES.items():  # whose modules read the other words
        commands.add_parser(name, help=text, add_help=False)
    text = "train a model by one of the recipes"
    asks_for_help = argv[1:2] in ([], ["-h"], ["--help"])  # RECIPE --help is the recipe's
    add_train_options(commands.add_parser("train", help=text, add_help=asks_for_help))
    given, words = parser.parse_known_args(argv)
    if given.command == "train":
        return train(given, words)
    try:
        module = import_module(f"logic_curriculum.{MODULES[given.command][0]}")
    except ImportError as error:  # an extra's package is missing
        print(f"logic-curriculum {given.command}: error: {error}", file=sys.stderr)
        return 1
    return int(module.main(words))


def add_train_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``train``; a recipe of GRPO may be named without its ``grpo_``."""
    folders = [path.name for path in sorted(CONFIGS.iterdir()) if path.name != "evaluate"]
    recipes = {name.removeprefix("grpo_"): name for name in folders}
    recipes |= {name: name for name in folders}
    files = sorted(path.stem for path in (ROOT / "accelerate_configs").glob("*.yaml"))
    parser.description = "Train a model: GRPO with a curriculum, SFT, or an adapter for each skill."
    parser.epilog = "Further options are the recipe's, of TRL and PEFT too: see RECIPE --help."
    parser.allow_abbrev = False
    parser.set_defaults(parser=parser, recipes=recipes)
    text = f"{', '.join(folders)}; slr is grpo_slr"
    parser.add_argument("recipe", choices=recipes, metavar="RECIPE", help=text)
    text = "hardware; default: what `accelerate config` wrote"
    parser.add_argument("--accelerate", choices=files, help=text)
    parser.add_argument("--config", help="name of a configuration that comes along, or a YAML file")


def train(given: argparse.Namespace, words: Sequence[str]) -> int:
    """Start a recipe by ``accelerate launch``, and return its exit status."""
    refuse, recipe, command = given.parser.error, given.recipes[given.recipe], []
    if str(given.accelerate).startswith("cpu"):  # threads that spin are slow beside other jobs
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if find_spec("trl") is None:
        refuse('training needs TRL: pip install "logic-curriculum[train]"')
    if given.accelerate:
        hardware = ROOT / "accelerate_configs" / f"{given.accelerate}.yaml"
        command += ["--config_file", str(hardware)]
        if (sharding := hardware.with_suffix(".json")).is_file():
            command += ["--deepspeed_config_file", str(sharding)]  # from any folder
        if "DEEPSPEED" in hardware.read_text(encoding="utf-8") and find_spec("deepspeed") is None:
            needed = 'DeepSpeed: pip install "logic-curriculum[deepspeed]"'
            refuse(f"--accelerate {given.accelerate} needs {needed}")
    own = ROOT / "recipes" / f"{recipe}.py"
    command += [str(own if own.is_file() else own.with_name("grpo_slr.py"))]
    shipped = {path.stem: path for path in sorted((CONFIGS / recipe).glob("*.yaml"))}
    names = ", ".join(shipped)
    if given.config is not None:
        config = shipped.get(given.config, Path(given.config))
        if not config.is_file():
            refuse(f"--config {config} is neither a file nor one of {recipe}: {names}")
        command += ["--config", str(config)]
    elif not own.is_file() and not {"-h", "--help"} & {*words}:
        refuse(f"{given.recipe} has no default: give --config, one of {names}, or a file")
    command += words
    print(f"accelerate launch {' '.join(command)}", file=sys.stderr, flush=True)
    return launch(command)


def launch(command: Sequence[str]) -> int:
    """Do what ``accelerate launch`` does, and return the exit status of the recipe.

    SIGTERM is passed on to it; with several processes torch does that. Ctrl-C reaches it by itself.
    """
    import psutil  # noqa: F401 - here, since the handler can't import it twice at a time
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
