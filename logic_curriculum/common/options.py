"""Options of dataclasses on the command line, read by argparse."""

import argparse
from collections.abc import Container
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def add_options(
    parser: argparse._ActionsContainer, dataclass: Any, leave_out: Container[str] = ()
) -> None:
    """Add an option for each field of a dataclass; what is not given is left to the dataclass."""
    kinds = get_type_hints(dataclass)
    for item in fields(dataclass):
        if item.name not in leave_out:
            how = {"help": _help(item), **_reader(kinds[item.name])}
            parser.add_argument(f"--{item.name}", default=argparse.SUPPRESS, **how)


def _help(item: Field[Any]) -> str:
    value = item.default if item.default_factory is MISSING else item.default_factory()
    text = str(item.metadata.get("help", ""))
    told = f"{text} (default: {value})" if value not in (None, "", MISSING) else text
    return told.replace("%", "%%")


def _reader(kind: Any) -> dict[str, Any]:
    """Return argparse's settings for an option of a type; what it can't read stays text."""
    kinds = [kind]
    if get_origin(kind) in (Union, UnionType):
        kinds = [part for part in get_args(kind) if part is not NoneType]
    if len(kinds) == 1 and get_origin(kinds[0]) is list:
        return {**_reader(get_args(kinds[0])[0]), "nargs": "*"}
    if kinds == [bool]:
        return {"type": _truth, "nargs": "?", "const": True}
    types = {int: int, float: float}
    return {"type": types.get(kinds[0], str) if len(kinds) == 1 else str}


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return text.lower() == "true"
