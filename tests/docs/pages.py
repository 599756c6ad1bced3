"""The fenced blocks of the README and the guides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w-]+\.\w+)`:\n\n$")
"""A file's name at the end of the text before its content."""


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    page: str
    """Relative to the repository."""
    line: int
    """Number of its first line, from 1."""
    language: str
    text: str
    printed: str | None
    """The text block that follows at once."""
    file: str | None
    """The file whose content it is, named just before."""

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = list(FENCED.finditer(text))
    name = str(page.relative_to(ROOT))
    blocks = []
    for this, after in zip(found, [*found[1:], None], strict=False):  # a page may have none
        follows = after and after[1] == "text" and not text[this.end() : after.start()].strip()
        line = text[: this.start(2)].count("\n") + 1
        file = FILE.search(text, 0, this.start())
        printed = after[2] if after and follows else None
        blocks.append(Block(name, line, this[1], this[2], printed, file and file[1]))
    return blocks


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
