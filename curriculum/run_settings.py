"""What a run folder records: ``run.json``, its settings and versions, and logs by step."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import PARTIAL, atomic_write, read_text
from logic_curriculum.rewards.registry import check_recorded, versions_of_all

SETTINGS = "run.json"  # says what a run depends on


def read_settings(folder: Path) -> dict[str, Any]:
    """Return a run's recorded settings, ``{}`` without the file; a broken one is a SystemExit."""
    path = folder / SETTINGS
    if not path.is_file():
        return {}
    try:
        return dict(json.loads(read_text(path)))
    except ValueError as error:
        raise SystemExit(
            f"{path} is no JSON any more ({error}), so what its answers depend on is not known: "
            "fix it, or choose another --output_dir."
        ) from error


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write what a run depends on to its folder, which is made if need be."""
    with atomic_write(folder / SETTINGS) as partial:
        partial.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


class StepLog:
    """A file with a line of JSON per event; ``step`` in each is a number of optimizer steps."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[dict[str, Any]]:
        """Return the lines; one cut short by a kill is left out."""
        lines = read_text(self.path).splitlines(keepends=True) if self.path.is_file() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def rewind(self, step: int) -> None:
        """Drop the lines of ``step`` and later: training starts again from there."""
        kept = [line for line in self.read() if line["step"] < step]
        with atomic_write(self.path) as partial:
            partial.write_text(_lines(kept))

    def append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add lines at the end."""
        with self.path.open("a") as file:
            file.write(_lines(lines))


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def run_facts(families: Sequence[str], **facts: Any) -> dict[str, Any]:
    """Return what a run records: its families, JSON-able facts, and the families' versions."""
    return {"families": list(families), **facts, **versions_of_all(families)}


def has_started(folder: Path) -> bool:
    """Return whether a folder holds more than settings, empty files and empty folders."""
    settings = {folder / SETTINGS, folder / (SETTINGS + PARTIAL)}
    files = (path for path in folder.rglob("*") if path.is_file() and path not in settings)
    return any(path.stat().st_size for path in files)


def check_versions_of_run(folder: Path, families: Sequence[str]) -> None:
    """Raise SystemExit unless a run was begun with the current versions of its families."""
    try:
        check_recorded(f"The run in {folder}", read_settings(folder), families)
    except ValueError as error:
        raise SystemExit(str(error)) from error


def check_same_versions(folders: Sequence[Path]) -> None:
    """Raise SystemExit unless runs have the same versions of the families that they share."""
    for other in folders[1:]:
        one, two = read_settings(folders[0]), read_settings(other)
        families = one.get("families") or two.get("families") or []
        shared = [family for family in families if family in two.get("families", families)]
        for family, names in product(shared, ("task_versions", "reward_versions")):
            first, second = ((run.get(names) or {}).get(family, "none") for run in (one, two))
            if first != second:
                name = names.removesuffix("s")
                raise SystemExit(
                    f"{folders[0]} records {name} {first} of {family} and {other} {name} {second}, "
                    "so their figures don't mean the same: compare runs of one version, or make "
                    "the older run again in another folder."
                )
