"""Make tasks from the command line.

logic-curriculum generate slr --level 3 --show             # read one task
logic-curriculum generate slr --out DIR                    # a dataset as large as SLR-Bench
logic-curriculum generate slr --level 1-3,5 --count 10 --out DIR
logic-curriculum generate slr --describe                   # the table of levels
logic-curriculum generate loginum --preset HL-HN --out DIR
logic-curriculum generate slr --out DIR --ray auto         # on a cluster

Each family has options of its own: see ``FAMILY --help``.
"""

import argparse
import itertools
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError

from logic_curriculum.common.files import told
from logic_curriculum.generators import families, generate, registry
from logic_curriculum.generators.family import Family
from logic_curriculum.generators.task import SPLITS

_PROGRAM = "logic-curriculum generate"
_PIPE_CLOSED = 141  # the exit status of programs that a closed pipe ends: 128 + SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0; 1: the work failed; 2: an argument is wrong; 130: interrupted; 141: the output's reader left.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    family = next((word for word in words if word in families()), "")
    out = None
    try:
        options = _parser(family).parse_args(words)
        out = options.out
        _run(options)
    except BrokenPipeError:
        return pipe_closed()
    except (ValueError, RuntimeError, OSError) as error:
        print(f"{_PROGRAM}: error: {told(error, out)}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt:
        print(f"{_PROGRAM}: interrupted; the same command continues", file=sys.stderr)
        return 130
    return 0


def pipe_closed() -> int:
    """Return the exit status where nobody reads on, and write nothing more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
    return _PIPE_CLOSED


def _run(options: argparse.Namespace) -> None:
    names = [item.name for item in fields(registry.family(options.family).options)]
    given = {name: vars(options)[name] for name in names if name in vars(options)}
    if options.describe:
        print(registry.family(options.family).describe(given.get("preset")), flush=True)
        return
    if options.push_to_hub and options.out is None:
        raise ValueError("--push-to-hub sends a dataset: add --out DIR, without --show.")
    make = _show if options.show or (options.out is None and options.count == 1) else _build
    if given.get("llm") is None:
        return make(options, given)
    from logic_curriculum.generators.llm import load_model

    model = load_model(given["llm"])
    try:
        make(options, given)
    finally:  # what was asked of the language model, by all processes
        print(f"{model.config.model}: {model.usage}", file=sys.stderr)


def _show(options: argparse.Namespace, given: Mapping[str, Any]) -> None:
    if not isinstance(options.count, int | None):
        raise ValueError("--show takes one --count for all splits, such as --count 1.")
    levels = options.level or registry.family(options.family).levels(given.get("preset"))[:1]
    seeds = range(options.seed, options.seed + (options.count or 1))
    for split, level, seed in itertools.product(options.splits or ("train",), levels, seeds):
        task = generate(options.family, level, seed, split=split, **given)
        title = f"{task.family} · level {level} · {split} · seed {seed}"
        print(f"{title}\n{'─' * len(title)}\n{task.prompt}\n")
        print(f"Solution:\n{task.solution}\n", flush=True)


def _build(options: argparse.Namespace, given: Mapping[str, Any]) -> None:
    from logic_curriculum.generators.dataset import build_dataset

    if options.out is None:
        raise ValueError(
            "No --out: tasks are written to a folder. Add --out DIR, or --show to read one here."
        )
    sizes = options.count
    if isinstance(sizes, int):
        sizes = dict.fromkeys(options.splits or SPLITS, sizes)
    folder = build_dataset(
        options.family,
        options.level,
        out=options.out,
        splits=options.splits,
        sizes=sizes,
        seed=options.seed,
        num_proc=options.num_proc,
        ray=options.ray,
        push_to_hub=options.push_to_hub,
        **given,
    )
    text = f"Read it with datasets.load_dataset({str(folder)!r})."
    print(f"{folder}: built and verified. {text}", flush=True)


def _parser(family: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("family", choices=families(), help="family of tasks")
    text = "such as 3, 1-20 or 1-3,5; default: all, or level 1 with --show"
    add("--level", "--levels", type=_levels, metavar="LEVELS", help=text)
    text = "tasks per level, as 100 (in every split) or train=100,test=10; default: as published"
    add("--count", type=_count, metavar="N", help=text)
    text = "such as train or validation,test; default: all, or train with --show"
    add("--split", dest="splits", type=_splits, metavar="SPLITS", help=text)
    text = "seed of the dataset, or of the task shown; default: 0"
    add("--seed", type=int, default=0, help=text)
    add("--num-proc", type=int, metavar="N", help="worker processes; default: one per CPU")
    text = "Ray cluster that does the work instead: auto, local, or its address"
    add("--ray", metavar="ADDRESS", help=text)
    text = "dataset on the Hugging Face hub that gets the folder, such as me/slr"
    add("--push-to-hub", "--push_to_hub", metavar="REPO", help=text)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--out", metavar="DIR", help="write a dataset to this folder")
    mode.add_argument("--show", action="store_true", help="print tasks instead of writing them")
    mode.add_argument("--describe", action="store_true", help="print the table of levels")
    if family:
        own = parser.add_argument_group(f"options of {family}")
        _add_options(own, registry.family(family))
    return parser


def _levels(text: str) -> list[int]:
    levels: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        found = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not found:
            raise argparse.ArgumentTypeError(
                f"{part!r} is not a level or an ascending range; write 3, 1-20 or 1-3,5"
            )
        levels += found
    return levels


def _splits(text: str) -> list[str]:
    splits, known = text.split(","), ", ".join(SPLITS)
    if wrong := [split for split in splits if split not in SPLITS]:
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is not a split; choose among {known}")
    return splits


def _count(text: str) -> int | dict[str, int]:
    if re.fullmatch(r"[1-9]\d*", text):
        return int(text)
    parts = [part.partition("=") for part in text.split(",")]
    if not all(re.fullmatch(r"[1-9]\d*", number) for _, _, number in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of tasks; write 100 or train=100,test=10, each at least 1"
        )
    counts = {split: int(number) for split, _, number in parts if _splits(split)}
    if len(counts) < len(parts):
        raise argparse.ArgumentTypeError(f"{text!r} names a split twice; give each one number")
    return counts


def _add_options(parser: argparse._ActionsContainer, family: Family) -> None:
    """Add an option for each field but the split; what is not given is left to the dataclass."""
    kinds = get_type_hints(family.options)
    for item in fields(family.options):
        if item.name != "split":
            kind, text = kinds[item.name], str(item.metadata.get("help", ""))
            if item.default not in (None, "", MISSING):
                text += f" (default: {item.default})"
            how: dict[str, Any] = {"type": _reader(kind), "help": text.replace("%", "%%")}
            if bool in (kind, *get_args(kind)):
                how |= {"nargs": "?", "const": True}
            if names := item.metadata.get("choices") or (item.name == "preset" and family.presets):
                how["metavar"] = f"{{{','.join(map(str, names))}}}"
            parser.add_argument(f"--{item.name}", default=argparse.SUPPRESS, **how)


def _reader(kind: Any) -> Callable[[str], Any]:
    adapter = TypeAdapter(kind)

    def read(text: str) -> Any:
        try:
            return adapter.validate_python(text)
        except ValidationError as error:
            raise argparse.ArgumentTypeError(error.errors()[0]["msg"]) from error

    return read


if __name__ == "__main__":
    sys.exit(main())
