"""Where a text quotes the statements of a task, told by their words.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from functools import lru_cache

_QUOTED = re.compile(r"\"[^\"\n]{9,200}\"|\((?!\d)[^()\n]{12,200}\)")
_SAYS = r"(?:must|has to|follows|necessarily|is (?:not|true|correct|valid|certain|the answer))\b"
_LETTERS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=64)
def wordings_of(texts: tuple[str, ...]) -> Wordings:
    """Return the wordings of a task's statements, made once for the answers of a group."""
    return Wordings(texts)


class Wordings:
    """The statements' texts, to find and to blank in what a model wrote."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        words = [r"\W+".join(map(re.escape, _LETTERS.findall(text))) for text in texts]
        by_length = sorted((n for n in range(len(texts)) if words[n]), key=lambda n: -len(words[n]))
        groups = "|".join(rf"(?P<n{number + 1}>{words[number]})" for number in by_length)
        self._pattern = re.compile(rf"\b(?:{groups})\b", re.IGNORECASE) if groups else None
        whole = rf"\b(?:{groups})\b(?=\s*+(?:[\"'.,;:!?()*\]]|\Z|{_SAYS}))"
        self._quotation = re.compile(whole, re.IGNORECASE) if groups else None

    def quoted(self, text: str) -> list[int]:
        """Return the numbers of the statements that a text quotes, in order."""
        found = self._quotation.finditer(text) if self._quotation else ()
        return [int(str(match.lastgroup)[1:]) for match in found]

    def blanked(self, text: str) -> str:
        """Return a text without statements quoted in it, and without anything between quotes."""
        return _QUOTED.sub("…", self._pattern.sub("…", text) if self._pattern else text)
