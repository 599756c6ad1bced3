"""A file of JSON lines that is written in order, and continues where a kill ended it."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

_BLOCK = 1 << 16


class Lines:
    """The lines that are there already, and a place for more."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path

    def earlier(self) -> Iterator[dict[str, Any]]:
        """Yield what is there, before anything is added."""
        if not self._path.is_file():  # a device, which need not end
            return
        self._file.seek(0)
        for number, line in enumerate(self._file, 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise ValueError(
                    f"Line {number} of {self._path} is damaged ({error}): delete that file to "
                    "begin again."
                ) from error

    def add(self, lines: list[dict[str, Any]]) -> None:
        """Write lines; they outlive this process when this returns."""
        self._file.write("".join(f"{json.dumps(line)}\n" for line in lines).encode())
        self._file.flush()


@contextmanager
def lines_to(path: Path | None, made_of: Mapping[str, Any]) -> Iterator[Lines]:
    """Yield the lines of a file that appears under its name when the block succeeds.

    Until then they are in ``<name>.partial``, and what they are made of is next to it. A ValueError
    says that they are made of something else, or that another process writes them. Without a path
    lines go nowhere.
    """
    if path is None:
        with open(os.devnull, "r+b", buffering=0) as nothing:
            yield Lines(nothing, Path(os.devnull))
        return
    partial = path.with_name(f"{path.name}.partial")
    record = path.with_name(f"{path.name}.partial.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    if partial.is_file():
        _check(partial, record, made_of)
    else:
        record.write_text(json.dumps(made_of), encoding="utf-8")
    with partial.open("a+b") as file:
        if partial.is_file():
            _lock(file, partial)
            _drop_unfinished_line(file)
        yield Lines(file, partial)
        file.flush()
        if partial.is_file():
            os.fsync(file.fileno())
    partial.replace(path)
    record.unlink(missing_ok=True)


def _check(partial: Path, record: Path, made_of: Mapping[str, Any]) -> None:
    remedy = "it was left as it is. Delete it to begin again, or name another file to write."
    try:
        there = json.loads(record.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        raise ValueError(
            f"{partial} is there, but no {record.name} says of what: {remedy}"
        ) from None
    if changed := [name for name in made_of if there.get(name) != made_of[name]]:
        text = "; ".join(
            f"{name}: {there.get(name)} there, {made_of[name]} now" for name in changed
        )
        raise ValueError(f"{partial} was begun with something else ({text}): {remedy}")


def _lock(file: BinaryIO, partial: Path) -> None:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with this process
    except BlockingIOError:
        raise ValueError(
            f"{partial} is being written by another process: wait for it, or end it."
        ) from None


def _drop_unfinished_line(file: BinaryIO) -> None:
    """Cut off what a kill left behind the last end of a line."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - _BLOCK)
        file.seek(start)
        if (at := file.read(end - start).rfind(b"\n")) >= 0:
            end = start + at + 1
            break
        end = start
    file.truncate(end)
    file.seek(0, os.SEEK_END)
