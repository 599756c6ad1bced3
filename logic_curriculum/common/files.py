"""Files: written whole or not at all, and read whatever wrote them."""

import errno
import os
import socket
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PARTIAL = ".partial"  # suffix of a file that is being written, or was when its process was killed


@contextmanager
def atomic_write(path: Path, *, shared: bool = False) -> Iterator[Path]:
    """Yield another path to write to, and move it to ``path`` if the block succeeds.

    If ``shared``, processes of several machines may write the file at once; the last one wins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = f".{socket.gethostname()}-{os.getpid()}" if shared else ""
    partial = path.with_name(f"{path.name}{writer}{PARTIAL}")
    yield partial
    os.replace(partial, path)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield the path of a folder to make, and move it to ``path`` if the block succeeds.

    Several processes, of several machines, may do so at once: the first folder stays. Each works in
    a folder of its own, the parent of the path yielded, which is removed in the end.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as scratch:
        yield (made := Path(scratch) / path.name)
        try:
            made.rename(path)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise


DISK_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)  # name no file


def told(error: BaseException, folder: str | Path | None) -> str:
    """Return the message of an error; where a folder could not be written, one that says so."""
    if not isinstance(error, OSError) or folder is None:
        return str(error)
    if error.filename is None and error.errno not in DISK_FAULTS:
        return str(error)
    place, named = Path(folder), Path(error.filename or folder)
    if not (named.is_relative_to(place) or place.is_relative_to(named)):
        return str(error)
    return (
        f"{folder} can't be written ({os.strerror(error.errno or 0)}). What is there is kept: run "
        "the command again when that is mended, or name another folder."
    )


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with atomic_write(path) as partial:
        partial.write_text(text, encoding="utf-8")


def read_text(path: str | Path) -> str:
    """Return the text of a file, with ``\\n`` for every line end."""
    return Path(path).read_text(encoding="utf-8-sig")


@cache
def template(folder: Path, name: str) -> str:
    """Return a text with places to fill in, without the line break at its end.

    It is ``templates/NAME.txt`` of the folder of a package.
    """
    text = (folder / "templates" / f"{name}.txt").read_text(encoding="utf-8")
    return text.removesuffix("\n")


def lines_of(file: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines; one that stands first in a file, or in one of several joined, loses its mark."""
    return (line.removeprefix(BOM_UTF8) for line in file)
