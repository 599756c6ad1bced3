"""Values as models write them: ``0``, ``[0, 2]``, ``{(0,1), (2,2)}``, ``⟨0,1⟩``, ``∅``.

Every function takes time linear in the length of what it reads, which may be hostile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

MAX_DEPTH = 3
"""Deepest nesting of brackets that is read."""

_CLOSERS = {"[": "]", "(": ")", "{": "}", "⟨": "⟩", "<": ">"}
_TOKEN = re.compile(
    r"\s*+(?:(?:frozen)?set\s*+(?=\()|)"
    r"(?:(?P<open>[\[({⟨<])|(?P<close>[\])}⟩>])|(?P<comma>[,;])"
    r"|(?P<quote>[\"']?)(?:(?P<number>-?\d{1,9})(?!\w|\.\d)|(?P<word>true|false|null))(?P=quote)"
    r"|(?P<empty>∅))",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"\s*+(?:∅|\"\"|''|(?:the |an )?empty(?: set| list| relation)?\b|none\b|nothing\b|no one\b"
    r"|no (?:elements?|pairs?)\b|(?:frozen)?set\(\s*+\))",
    re.IGNORECASE,
)
_NEXT_ITEM = re.compile(r"\s*+(?:,(?:\s*+and\b)?|;|and\b)(?=[ \t]*+[\d(⟨<\[])")

Item: TypeAlias = "int | str | Listing"
"""A number, a word such as ``true`` (in lower case), or a bracketed list."""


@dataclass(frozen=True)
class Listing:
    """Items between brackets."""

    bracket: str
    """The opening bracket, empty for items that stand without any."""
    items: tuple[Item, ...]

    def __str__(self) -> str:
        inside = ",".join(map(str, self.items))
        return f"{self.bracket}{inside}{_CLOSERS.get(self.bracket, '')}"


@dataclass(frozen=True)
class Read:
    """A value, and where the text goes on after it."""

    value: Item | None
    """``None`` when brackets open but what follows is no value."""
    end: int


def read_value(text: str, start: int) -> Read | None:
    """Read the value that begins at a position, or return ``None`` when none begins there.

    >>> str(read_value("P = {(0,1), (2, 2)}.", 3).value)
    '{(0,1),(2,2)}'
    """
    empty = _EMPTY.match(text, start)
    if empty:
        return Read(Listing("{", ()), empty.end())
    token = _TOKEN.match(text, start)
    if token is None or token["close"] or token["comma"]:
        return None
    if token["open"]:
        return _read_listing(text, token)
    return Read(_atom(token), token.end())


def read_items(text: str, start: int) -> Read | None:
    """Read a value; several without brackets around them, ``0, 2`` or ``(0,1), (2,2)``, are one."""
    first = read_value(text, start)
    if first is None or first.value is None:
        return first
    items, end = [first.value], first.end
    while separator := _NEXT_ITEM.match(text, end):
        following = read_value(text, separator.end())
        if following is None or following.value is None:
            break
        items.append(following.value)
        end = following.end
    return Read(Listing("", tuple(items)), end) if len(items) > 1 else first


def _atom(token: re.Match[str]) -> Item:
    if token["empty"]:
        return Listing("{", ())
    return int(token["number"]) if token["number"] else token["word"].lower()


def _read_listing(text: str, token: re.Match[str] | None) -> Read:
    brackets: list[str] = []
    levels: list[list[Item]] = [[]]
    end = token.end() if token else 0
    while token is not None:
        end = token.end()
        if token["open"]:
            brackets.append(token["open"])
            levels.append([])
            if len(brackets) > MAX_DEPTH:
                break
        elif token["close"]:
            bracket, items = brackets.pop(), levels.pop()
            if _CLOSERS[bracket] != token["close"]:
                break
            levels[-1].append(Listing(bracket, tuple(items)))
            if not brackets:
                return Read(levels[0][0], end)
        elif not token["comma"]:
            levels[-1].append(_atom(token))
        token = _TOKEN.match(text, end)
    return Read(None, end)
