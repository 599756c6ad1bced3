"""Examples as bit masks: which of them have which parts with which values.

Bit ``i`` of a mask stands for the example number ``i``, so that a goal is decided for all examples
at once. An example is a whole; its parts have places, from 0, in the order of its facts.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

Constant = str | int
Column = tuple[dict[Constant, int], ...]  # for each place: value → the examples that have it

_FACT = re.compile(
    r"\s*(?:(?:%[^\n]*|:-[^\n]*)\n\s*)*([a-z]\w*)\(\s*([a-z]\w*)\s*(?:,\s*([a-z]\w*|\d{1,9})\s*)?\)\s*\.",
    re.ASCII,
)


class OtherShapeError(ValueError):
    """Facts are not about examples, their parts and the parts' attributes."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Some examples of one vocabulary."""

    count: int
    exists: tuple[int, ...]  # for each place the examples that have a part there
    columns: Mapping[str, Column]  # attribute → its column

    @property
    def everything(self) -> int:
        """The mask of all examples."""
        return (1 << self.count) - 1

    @classmethod
    def of_parts(
        cls,
        attributes: Sequence[str],
        examples: Sequence[Sequence[Sequence[Constant]]],
        wanted: Container[str] | None = None,
    ) -> Examples:
        """Take examples as their parts, each of them its values in the order of the attributes.

        Only the columns that are ``wanted`` are made, by default all.
        """
        chosen = [(at, n) for at, n in enumerate(attributes) if wanted is None or n in wanted]
        exists = [0] * max(map(len, examples), default=0)
        columns: dict[str, Column] = {name: tuple({} for _ in exists) for _, name in chosen}
        for number, parts in enumerate(examples):
            bit = 1 << number
            for place, values in enumerate(parts):
                exists[place] |= bit
                for at, name in chosen:
                    cell = columns[name][place]
                    cell[values[at]] = cell.get(values[at], 0) | bit
        return cls(len(examples), tuple(exists), columns)


@dataclass(frozen=True, eq=False)
class LabelledExamples:
    """The examples of a program of facts, with their labels."""

    examples: Examples
    names: tuple[str, ...]  # their constants in the program
    labels: int  # the mask of the positive ones
    membership: str | None  # the predicate from a whole to a part, if any example has parts

    def packed(self, text: str) -> str:
        """Write the examples of a program's text, so that reading them takes no time.

        The first line is a checksum of the text and of what follows, as JSON, masks as hex.
        """
        columns = {
            name: [[(value, hex(mask)) for value, mask in cell.items()] for cell in column]
            for name, column in self.examples.columns.items()
        }
        there = [*map(hex, self.examples.exists)]
        body = json.dumps([self.membership, hex(self.labels), self.names, there, columns])
        return f"{_checksum(text, body)}\n{body}"

    @classmethod
    def unpacked(cls, packed: str, text: str) -> LabelledExamples | None:
        """Read what :meth:`packed` wrote of this text; None if it is of another one."""
        checksum, _, body = packed.partition("\n")
        if checksum != _checksum(text, body):
            return None
        membership, labels, names, there, columns = json.loads(body)
        cells = {
            name: tuple({value: int(mask, 16) for value, mask in cell} for cell in column)
            for name, column in columns.items()
        }
        examples = Examples(len(names), tuple(int(mask, 16) for mask in there), cells)
        return cls(examples, tuple(names), int(labels, 16), membership)

    @classmethod
    def read(cls, text: str, positive: str, negative: str) -> LabelledExamples:
        """Read ground facts, labels included.

        OtherShapeError says what is no fact about an example, its parts or their attributes.
        """
        labels: dict[str, bool] = {}
        others = []
        for name, first, second in _facts(text):
            if second:
                others.append((name, first, second))
            elif name in (positive, negative) and first not in labels:
                labels[first] = name == positive
            else:
                raise OtherShapeError(
                    f"{name}({first}) is neither the one label of an example, {positive}(...) or "
                    f"{negative}(...), nor about two objects"
                )
        if not labels:
            raise OtherShapeError(
                f"no fact {positive}(...) or {negative}(...) labels an example; give the names of "
                "the label predicates as 'positive' and 'negative'"
            )
        names = tuple(labels)
        membership, examples = _examples(names, others)
        if membership in examples.columns:
            raise OtherShapeError(f"{membership} gives examples their parts and parts their values")
        marked = sum(1 << at for at, name in enumerate(names) if labels[name])
        return cls(examples, names, marked, membership)


def _checksum(*texts: str) -> str:
    return format(zlib.crc32("".join(texts).encode("utf-8", "replace")), "x")


def _examples(names: Sequence[str], facts: Sequence[_Fact]) -> tuple[str | None, Examples]:
    """Return the membership predicate, and the examples with the parts and values of some facts."""
    numbers = {name: at for at, name in enumerate(names)}
    sizes = [0] * len(names)
    exists: defaultdict[int, int] = defaultdict(int)  # by place
    parts: dict[str, tuple[int, int]] = {}  # each with its example's number, and its place
    membership = None
    for name, first, second in (fact for fact in facts if fact[1] in numbers):
        if name != (membership := membership or name) or second in parts or second in numbers:
            raise OtherShapeError(
                f"{name}({first}, {second}) is not the one fact that gives an example a part "
                "of its own"
            )
        number = numbers[first]
        parts[second] = number, sizes[number]
        exists[sizes[number]] |= 1 << number
        sizes[number] += 1
    columns: defaultdict[str, Column] = defaultdict(lambda: tuple({} for _ in exists))
    for name, first, second in (fact for fact in facts if fact[1] not in numbers):
        if first not in parts or second in parts:
            raise OtherShapeError(f"{name}({first}, {second}) is no value of a part of an example")
        number, place = parts[first]
        cell, value = columns[name][place], int(second) if second.isdigit() else second
        cell[value] = cell.get(value, 0) | 1 << number
    return membership, Examples(len(names), tuple(exists.values()), dict(columns))


_Fact = tuple[str, str, str]
"""A predicate and its one or two arguments; the second may be empty."""


def _facts(text: str) -> list[_Fact]:
    found, position = [], 0
    while fact := _FACT.match(text, position):
        found.append((fact[1], fact[2], fact[3] or ""))
        position = fact.end()
    rest = re.sub(r"%[^\n]*", "", text[position:]).lstrip()
    if rest:
        line = text.count("\n") - rest.count("\n") + 1
        raise OtherShapeError(
            f"line {line}, {rest.splitlines()[0][:60]!r}, is no fact of two names"
        )
    return found
