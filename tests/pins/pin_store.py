"""The pins by group and kind: how they are made, where they are kept, how they differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pin_datasets import dataset_pins
from pin_library import FAMILIES
from pin_rows import row_pins, text_pins
from pin_verdicts import verdict_pins

FILE = Path(__file__).with_name("pins.json")
_OF_FAMILY: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "texts": text_pins,
    "rows": row_pins,
    "verdicts": verdict_pins,
    "datasets": dataset_pins,
}
MAKERS: Mapping[str, Mapping[str, Callable[[], dict[str, Any]]]] = {
    family: {kind: partial(make, family) for kind, make in _OF_FAMILY.items()}
    for family in FAMILIES
}
"""Family → kind → what makes its pins."""


def stored() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the pins of the file."""
    return json.loads(FILE.read_text())


def write(pins: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Write the file, with a line for each entry of a kind."""
    FILE.write_text(_lines(pins, 3) + "\n")


def _lines(value: Any, depth: int, indent: str = "") -> str:
    if depth == 0 or not isinstance(value, Mapping):
        return json.dumps(value, separators=(",", ":"))
    entries = (
        f"{indent} {json.dumps(name)}: {_lines(item, depth - 1, indent + ' ')}"
        for name, item in value.items()
    )
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"


def differences(made: Any, kept: Any, *, partly: bool = False) -> list[str]:
    """Return where two trees of pins differ, as readable paths.

    Args:
        made: What there is now.
        kept: What the file holds.
        partly: Whether only a part was made, so that the rest of the file is not missing.
    """
    here, there = dict(_leaves(made)), dict(_leaves(kept))
    found = [
        f"{path}: {'changed' if path in there else 'not in the file'}"
        for path, value in here.items()
        if there.get(path) != value
    ]
    if not partly:
        found += [f"{path}: gone" for path in there if path not in here]
    return found


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if not isinstance(value, Mapping):
        yield path, value
        return
    for name, item in value.items():
        place = f"level {name}" if name.isdigit() else name
        yield from _leaves(item, f"{path}, {place}" if path else place)
