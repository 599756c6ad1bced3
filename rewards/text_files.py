"""Text files that a user may have written: UTF-8, with any line ends and byte-order marks."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path


def read_text(path: str | Path) -> str:
    """Return the text of a file, with ``\\n`` for every line end."""
    return Path(path).read_text(encoding="utf-8-sig")


def lines_of(file: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines; one that is first in a file, or in one of several joined, loses its mark."""
    return (line.removeprefix(BOM_UTF8) for line in file)
