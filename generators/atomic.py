"""Files that appear under their name only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = ".partial"  # suffix of a file that is being written, or was when its process was killed


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield another path to write to, and move it to ``path`` if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + PARTIAL)
    yield partial
    os.replace(partial, path)
