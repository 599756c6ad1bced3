"""The form of an answer on countermodels: a value for each symbol."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from logic_curriculum.rewards.answers import (
    AmbiguousError,
    Reading,
    is_label,
    read,
    read_mapping,
    without_markup,
)
from logic_curriculum.rewards.blocks import Unit, paragraphs

Value: TypeAlias = "int | str | tuple[Value, ...]"
"""An element, a constant that names one, or what is between brackets."""
Stated: TypeAlias = Mapping[str, Value]
"""Symbol → what it means; ``domain`` → the domain, where it is stated."""

KEYS = (
    *("domain", "universe", "constants", "predicates", "relations", "monadic predicates"),
    *("unary predicates", "binary predicates", "interpretation", "extensions", "structure"),
    *("model", "countermodel", "answer", "final answer"),
)
_MAX_DEPTH = 3
_MAX_VALUE = 4000  # longest value that is read, in characters
_MAX_NAMES = 8
_MATES = {"[": "]", "(": ")", "{": "}", "⟨": "⟩", "<": ">"}
_SAID = r"(?!\b(?i:or|alternatively|instead|should)\b)[^()\n]"
_REMARK = rf"\((?:{_SAID}|\((?:{_SAID}|\((?:{_SAID}){{0,99}}+\)){{0,99}}+\)){{0,500}}+\)"
_IN_WORDS = rf"(?=\([^A-Za-z)\n]{{0,99}}[A-Za-z]){_REMARK}"
_SPACE = re.compile(r"(?:\s|//[^\n]*|#[^\n]*)*+")
_AFTER_ITEM = re.compile(rf"(?:{_SPACE.pattern}{_IN_WORDS})*+")
_AFTER_PAIR = re.compile(rf"(?:{_SPACE.pattern}(?!\([a-r], ?[a-r]\)){_IN_WORDS})*+")
_ELEMENT = re.compile(r"([\"']?)(?:(?P<number>-?[0-9]{1,9})|(?P<name>[a-r]))\1(?!\w|\.\w)")
_EMPTY = re.compile(
    r"∅|\(?(?:(?:the )?empty(?: set| list| relation)?|none)\b\)?|set\(\)", re.IGNORECASE
)
_START = re.compile(
    r"(?:[ \t>|#•+&-]|\d{1,2}[.)][ \t]|\\item"
    r"|(?:the|let(?:'s| us)?|set|assign|assume|take|put) )*+",
    re.IGNORECASE,
)
_BOLD_LINE = re.compile(r"^[ \t]*(?:[-*•] )?\*\*([^*\n]+)\*\*[ \t]*$", re.MULTILINE)
_MODEL = r"(?:\\[a-z]{1,9} ?(?:\{[ABD-Z]\}|[ABD-Z])|[ABD-Z])'?"  # no C, for a complement
_OF_MODEL = re.compile(rf"(?<=[A-Za-z])\^(?:\{{{_MODEL}\}}|{_MODEL})")  # as in F^{M}
_DENIAL = r"(?![^\n]{0,80}\b(?i:not|no|never|or|wrong|incorrect|fails?|alternatively|instead)\b)"
_LABEL = re.compile(  # words before assignments, or alone on a line
    r"[\"']?(?P<words>[A-Za-z][^\n0-9:=|\[\]{}()∀∃¬.]{2,60}+)"
    rf"(?:{_REMARK} ?)?[:=|] *[{{\[]? *"
)
_SYMBOL_WORDS = """
binary constant constants domain dyadic elements extension extensions individual monadic names
objects predicate predicates relation relations set sets symbol symbols unary universe
"""
_LABEL_WORDS = frozenset(_SYMBOL_WORDS.split())
_HEADING = re.compile(
    _DENIAL + r"[A-Za-z][^\n0-9=|\[\]{}∀∃¬.]{2,60}?" + rf"(?:{_REMARK}:?)?(?=\n|\Z)"
)
_SECTION = re.compile(
    r"(?:domain|(?:individual )?constants?|(?:(?:monadic|unary|binary|dyadic) )?(?:predicates?"
    r"|relations?)|interpretation|structure|(?:counter-?)?model|symbols?[ |]+[a-z ]{3,20}[ |]*)"
    rf" ?(?:{_REMARK})?[ |]*(?=\n|\Z)",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?P<domain>[\"']?\b(?:domain(?: of discourse)?|universe|(?-i:[DU])(?= ?[:=]))[\"']?)"
    r"|(?:(?:(?:extension|interpretation) of|individual|monadic|unary|binary|dyadic"
    r"|predicates?|relations?|constants?) )*+(?:(?:I|V|ext|⟦)?[(⟦])?"
    r"(?P<quote>[\"']?)(?P<letter>[A-Za-z])(?P=quote)"
    r"(?:[s-z]{1,2}(?![A-Za-z])|\([s-z](?:, ?[s-z])?\))?[)⟧]?(?:[\^_][A-Za-z]?'?)?",
    re.IGNORECASE,
)
_SIGN = re.compile(rf" ?(?:{_IN_WORDS})? ?(?::=|=>|->|[:=→↦|]|(?:is|denotes|names)\b) *")
_FACT = re.compile(
    r"(?P<not>[¬~] ?|not )?(?P<name>[A-Z])\((?P<terms>[0-9]{1,3}(?:, ?[0-9]{1,3})?)\)"
    r"(?: ?(?:=|:|is) ?(?P<value>true|false|[TF10⊤⊥])\b)?"
)
_AFTER_VALUE = re.compile(rf" *(?:{_REMARK})?")
_NEXT = re.compile(r" *(?:[,;](?: *and\b)?|and\b) *")
_SPACES = re.compile(r" *")
_LINE_END = re.compile(r"[ \t,;.|})\]&]*+(?:(?://|#)[^\n]*+)?(?:\n|\Z)")


def read_structure(
    text: str, symbols: Collection[str], binary: Collection[str], least: float = 1.0
) -> Reading[Stated]:
    """Return the structure that a completion answers with, for the symbols of one argument.

    ``binary`` are those of them that are predicates of two arguments. Lines without a tag are a
    structure if they interpret the ``least`` share of the symbols.

    >>> read_structure("Domain: [0, 1]\\na: 1\\nF = {0}  // cats", "aF", "").answer
    {'domain': (0, 1), 'a': 1, 'F': (0,)}
    """
    form = _Form(frozenset(symbols), frozenset(binary), least)
    return read(text, form.structure, parts=form.runs)


_Entry = tuple[str, Value, bool | None]
"""A symbol and its value, and None; or a predicate, what it is said of, and whether it holds."""


class _Line(NamedTuple):
    stated: list[_Entry]
    end: int


class _Form(NamedTuple):
    symbols: frozenset[str]
    binary: frozenset[str]
    least: float  # share of the symbols that a run of lines has to interpret to be an answer

    def structure(self, block: str) -> Stated | None:
        """Return the structure that a block states, or ``None`` when it says something else.

        Raises an :class:`AmbiguousError` when it gives a symbol two values.
        """
        is_braced = block.startswith("{")
        found = None if is_braced else self._of_lines(block)
        if found is None and (mapping := read_mapping(block, (*KEYS, *self.symbols))):
            given = mapping.get("answer", mapping.get("final answer"))
            is_text = isinstance(given, str)
            found = self._of_lines(given) if is_text else self._settled(_flat(mapping))
        return self._of_lines(block) if found is None and is_braced else found

    def _of_lines(self, block: str) -> Stated | None:
        said = _said(block)
        if said.startswith("{") and said.endswith("}"):
            said = said[1:-1].strip()
        lines: list[_Line] = []
        while not lines or lines[-1].end < len(said):
            line = self.line(said, lines[-1].end if lines else 0)
            if line is None:
                return None
            lines.append(line)
        return self._settled(_gathered(entry for line in lines for entry in line.stated))

    def _settled(self, stated: Iterable[tuple[str, Value | None]]) -> Stated | None:
        found: dict[str, Value] = {}
        entries = list(stated)
        constants = {name: value for name, value in entries if isinstance(value, int)}
        for name, given in entries:
            if name not in self.symbols and name != "domain":
                continue
            if (value := _resolved(given, constants)) is None:
                return None
            is_pair = isinstance(value, _Pair) and [*map(type, value)] == [int, int]
            if name in self.binary and is_pair:  # without brackets around it
                value = (value,)
            if _content(found.setdefault(name, value)) != _content(value):
                raise AmbiguousError(f"{name} has two values")
        return found if found.keys() & self.symbols else None

    def runs(self, text: str, start: int, end: int) -> Iterator[Unit]:
        """Yield runs of lines that assign, and paragraphs; runs are answers if enough is in them.

        Headings continue a run if what follows them assigns other symbols. Otherwise they end it.
        """
        lines = text[start:end].split("\n")
        said_lines = [line and _said(line).replace("\n", " ") for line in lines]
        said = "\n".join(said_lines)
        starts = [start, *accumulate((len(line) + 1 for line in lines), initial=start)][1:]
        said_starts = list(accumulate((len(line) + 1 for line in said_lines), initial=0))
        begin, heading = start, -1  # where a run or prose begins, and headings that may end it
        names: set[str] | None = None
        number = 0
        while number < len(lines):
            if not lines[number]:
                number += 1
                continue
            line = self.line(said, said_starts[number])
            new = {name for name, *_ in line.stated} if line else set()
            here = starts[number]
            if names is None and new:
                yield from _prose(text, begin, here)
                begin, names, heading = here, new, -1
            elif names is not None and (line is None or (heading >= 0 and new & names)):
                stop = heading if heading >= 0 else here
                yield self._run(text, begin, stop, names)
                begin = here if new else stop
                yield from _prose(text, stop, begin)
                names, heading = new or None, -1
            elif names is not None and lines[number].strip():
                heading = -1 if new else heading if heading >= 0 else here
                names |= new
            number = max(bisect_left(said_starts, line.end) if line else 0, number + 1)
        if names is None:
            yield from _prose(text, begin, end)
        else:
            yield self._run(text, begin, heading if heading >= 0 else end, names)

    def _run(self, text: str, start: int, end: int, names: set[str]) -> Unit:
        is_answer = len(self.symbols & names) >= self.least * len(self.symbols)
        return Unit(start, end, text[start:end], "paragraph" if is_answer else "prose")

    def line(self, said: str, position: int) -> _Line | None:
        """Read a line that assigns values or is a heading, ``None`` if it says something else."""
        start = _START.match(said, position)
        marks, position = (start[0], start.end()) if start else ("", position)
        stated: list[_Entry] = []
        if not _FACT.match(said, position) and self._entry(said, position) is None:
            heading = _HEADING if "#" in marks else _SECTION
            position = _end(heading, said, _after_label(said, position))
        while (ended := _LINE_END.match(said, position)) is None:
            if fact := _FACT.match(said, position):
                stated.append(_fact(fact))
                position = fact.end()
            elif found := self._entry(said, position):
                stated += found[0]
                position = found[1]
            elif stated and (label := _after_label(said, position)) > position:
                position = label
                continue
            else:
                return None
            position = _end(_SPACES, said, _end(_NEXT, said, _end(_AFTER_VALUE, said, position)))
        return _Line(stated, ended.end())

    def _entry(self, said: str, position: int) -> tuple[list[_Entry], int] | None:
        """Return names with the value that they share, and where it ends."""
        names: list[str] = []
        while (
            len(names) < _MAX_NAMES
            and (name := _NAME.match(said, position))
            and (sign := _SIGN.match(said, name.end()))
        ):
            letter = name["letter"]
            if name["domain"] and (len(name[0]) > 1 or name[0] not in self.symbols):
                letter = "domain"
            names.append(letter or name[0])
            position = sign.end()
        found = _value(said, position, position + _MAX_VALUE) if names else None
        if found is None:
            return None
        items, end = [found[0]], found[1]
        is_predicate = names[-1] in self.symbols and names[-1].isupper()
        while is_predicate or names[-1] == "domain":
            following = _end(_NEXT, said, end)
            more = _value(said, following, following + _MAX_VALUE) if following > end else None
            if more is None:
                break
            items.append(more[0])
            end = more[1]
        is_list = len(items) > 1 or (isinstance(items[0], int) and is_predicate)
        value = tuple(items) if is_list else items[0]
        return [(name, value, None) for name in names], end


class _Pair(tuple[Value, ...]):
    """Items between round or angle brackets."""

    __slots__ = ()


def _resolved(value: Value | None, constants: Mapping[str, int]) -> Value | None:
    """Return a value with what its constants name, ``None`` if that is not stated."""
    if not isinstance(value, tuple):
        return constants.get(value) if isinstance(value, str) else value
    items = [of for item in value if (of := _resolved(item, constants)) is not None]
    return type(value)(items) if len(items) == len(value) else None


def _said(block: str) -> str:
    """Return a block in plain text, with lines in bold as headings."""
    return without_markup(_BOLD_LINE.sub(r"# \1", _OF_MODEL.sub("", block)))


def _end(pattern: re.Pattern[str], text: str, position: int, limit: int = sys.maxsize) -> int:
    match = pattern.match(text, position, limit)
    return match.end() if match else position


def _after_label(text: str, position: int) -> int:
    label = _LABEL.match(text, position)
    return label.end() if label and is_label(label["words"], _LABEL_WORDS) else position


def _prose(text: str, start: int, end: int) -> Iterator[Unit]:
    """Yield paragraphs that are no run of lines; of these only JSON may be a structure."""
    for unit in paragraphs(text, start, end):
        is_mapping = unit.text.lstrip().startswith("{")
        yield unit._replace(kind="paragraph" if is_mapping else "prose")


def _value(text: str, position: int, limit: int, depth: int = 0) -> tuple[Value, int] | None:
    """Return the value that begins at a position, and where it ends."""
    if (element := _ELEMENT.match(text, position, limit)) and (depth or element["number"]):
        return element["name"] or int(element["number"]), element.end()
    if empty := _EMPTY.match(text, position, limit):
        return (), empty.end()
    if text.startswith("set(", position):
        position += 4
    bracket = text[position : position + 1]
    if bracket not in _MATES or depth == _MAX_DEPTH:
        return None
    items: list[Value] = []
    position, nothing = position + 1, False
    while position < limit:
        position = _end(_SPACE, text, position, limit)
        if text[position : position + 1] in (",", ";"):
            position += 1
        elif text[position : position + 1] == _MATES[bracket]:
            is_pair = bracket in "(⟨<"
            items = [] if nothing and len(items) == 1 else items
            if is_pair and len(items) == 1 and depth:
                return items[0], position + 1
            return (_Pair(items) if is_pair else tuple(items)), position + 1
        elif item := _value(text, position, limit, depth + 1):
            nothing = item[0] == () and text.startswith("(", position)  # as in {(none)}
            items.append(item[0])
            after = _AFTER_PAIR if isinstance(item[0], tuple) else _AFTER_ITEM
            position = _end(after, text, item[1], limit)
        else:
            return None
    return None


def _fact(fact: re.Match[str]) -> _Entry:
    terms = tuple(map(int, fact["terms"].split(",")))
    holds = (fact["value"] or "true").lower() in ("true", "t", "1", "⊤")
    return fact["name"], terms if len(terms) > 1 else terms[0], holds != bool(fact["not"])


def _gathered(stated: Iterable[_Entry]) -> Iterator[tuple[str, Value]]:
    facts: dict[str, dict[Value, bool]] = {}
    for name, item, holds in stated:
        if holds is None:
            yield name, item
        elif facts.setdefault(name, {}).setdefault(item, holds) != holds:
            raise AmbiguousError(f"{name} is both true and false of {item}")
    for name, items in facts.items():
        yield name, tuple(item for item, holds in items.items() if holds)


def _flat(mapping: Mapping[str, Any]) -> Iterator[tuple[str, Value | None]]:
    """Yield the names of a mapping and of those within it, with their values."""
    for name, value in mapping.items():
        if isinstance(value, dict) and len(name) > 1:
            yield from _flat(value)
        elif value is not None:
            letter = name[:1] if re.fullmatch(r"[A-Za-z]\([s-z](?:, ?[s-z])?\)", name) else name
            yield "domain" if letter == "universe" else letter, _of_json(value)


def _of_json(value: Any, depth: int = 0) -> Value | None:
    if isinstance(value, str):
        read = _value(value.strip(), 0, _MAX_VALUE, depth)
        return read[0] if read and read[1] == len(value.strip()) else None
    if isinstance(value, list):
        items = tuple(item for part in value if (item := _of_json(part, 1)) is not None)
        return items if len(items) == len(value) else None
    return value if type(value) is int else None


def _content(value: Value) -> Value | frozenset[Value]:
    return frozenset(value) if isinstance(value, tuple) else value
