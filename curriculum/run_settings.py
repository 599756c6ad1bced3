"""What a run folder records: ``run.json``, its settings and versions, and logs by step."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import PARTIAL, read_text, write_text

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
            f"{path} is not JSON any more ({error}), so what its answers depend on is not known: "
            "fix it, or choose another --output_dir."
        ) from error


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write what a run depends on to its folder, which is made if need be."""
    write_text(folder / SETTINGS, json.dumps(settings, indent=2) + "\n")


class StepLog:
    """A file with a line of JSON per event; ``step`` in each is a number of optimizer steps."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[dict[str, Any]]:
        """Return the lines; one cut short by a kill is left out."""
        lines = read_text(self.path).splitlines(keepends=True) if self.path.is_file() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def rewind(self, step: int) -> None:
        """Drop the lines of ``step`` and later: training starts again from there.

        At 0, what another run has left goes to the end of a file ``….old``.
        """
        if step == 0 and (lines := self.read()):
            StepLog(Path(f"{self.path}.old")).append(lines)
        kept = [line for line in self.read() if line["step"] < step]
        write_text(self.path, _lines(kept))

    def append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add lines at the end."""
        with self.path.open("a") as file:
            file.write(_lines(lines))


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def has_started(folder: Path) -> bool:
    """Return whether a folder holds more than settings, empty files and empty folders."""
    settings = {folder / SETTINGS, folder / (SETTINGS + PARTIAL)}
    files = (path for path in folder.rglob("*") if path.is_file() and path not in settings)
    return any(path.stat().st_size for path in files)
