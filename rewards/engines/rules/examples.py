"""Examples as bit masks: which of them have which parts with which values.

Bit ``i`` of a mask stands for the example number ``i``, so that a goal is decided for all examples
at once. An example is a whole; its parts have places, from 0, in the order of its facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Constant = str | int
Column = tuple[Mapping[Constant, int], ...]  # for each place: value → the examples that have it

_FACT = re.compile(
    r"\s*(?:(?:%[^\n]*|:-[^\n]*)\n\s*)*([a-z]\w*)\(\s*([a-z]\w*)\s*(?:,\s*([a-z]\w*|\d+)\s*)?\)\s*\.",
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
        cls, attributes: Sequence[str], examples: Iterable[Sequence[Sequence[Constant]]]
    ) -> Examples:
        """Take examples as their parts, each of them its values in the order of the attributes."""
        exists: list[int] = []
        columns: list[tuple[dict[Constant, int], ...]] = []
        bit = 1
        for parts in examples:
            while len(exists) < len(parts):
                exists.append(0)
                columns.append(tuple({} for _ in attributes))
            for place, values in enumerate(parts):
                exists[place] |= bit
                for column, value in zip(columns[place], values, strict=True):
                    column[value] = column.get(value, 0) | bit
            bit <<= 1
        by_name = {name: tuple(c[at] for c in columns) for at, name in enumerate(attributes)}
        return cls(bit.bit_length() - 1, tuple(exists), by_name)


@dataclass(frozen=True, eq=False)
class LabelledExamples:
    """The examples of a program of facts, with their labels."""

    examples: Examples
    names: tuple[str, ...]  # their constants in the program
    labels: int  # the mask of the positive ones
    membership: str | None  # the predicate from a whole to a part, if any example has parts

    @classmethod
    def read(cls, text: str, positive: str, negative: str) -> LabelledExamples:
        """Read ground facts, labels included.

        OtherShapeError says what is no fact about an example, its parts or their attributes.
        """
        facts = _facts(text)
        labels = {a: n == positive for n, a, b in facts if not b and n in (positive, negative)}
        if not labels:
            raise OtherShapeError(
                f"no fact {positive}(...) or {negative}(...) labels an example; give the names of "
                "the label predicates as 'positive' and 'negative'"
            )
        bits = {name: 1 << at for at, name in enumerate(labels)}
        places: dict[str, tuple[int, int]] = {}  # part → the bit of its example, and its place
        exists: list[int] = []
        columns: dict[str, list[dict[Constant, int]]] = {}
        sizes = dict.fromkeys(labels, 0)
        membership = None
        for name, first, second in facts:
            if not second:
                if name in (positive, negative):
                    continue
                raise OtherShapeError(f"{name}({first}) is neither a label nor about two objects")
            if first in bits:
                if name != (membership := membership or name) or second in places:
                    raise OtherShapeError(
                        f"{name}({first}, {second}) is not the one fact that gives an example a "
                        "part of its own"
                    )
                places[second] = bits[first], sizes[first]
                sizes[first] += 1
                if len(exists) < sizes[first]:
                    exists.append(0)
                exists[sizes[first] - 1] |= bits[first]
        for name, first, second in facts:
            if not second or first in bits:
                continue
            if first not in places:
                raise OtherShapeError(f"{name}({first}, {second}) is about no part of an example")
            if second in places or second in bits:
                raise OtherShapeError(f"{name}({first}, {second}) links an object to another")
            bit, place = places[first]
            column = columns.setdefault(name, [])
            while len(column) < len(exists):
                column.append({})
            value = int(second) if second.isdigit() else second
            column[place][value] = column[place].get(value, 0) | bit
        if membership in columns:
            raise OtherShapeError(f"{membership} gives examples their parts and parts their values")
        by_name = {name: tuple(column) for name, column in columns.items()}
        examples = Examples(len(bits), tuple(exists), by_name)
        marked = sum(bit for name, bit in bits.items() if labels[name])
        return cls(examples, tuple(bits), marked, membership)


def _facts(text: str) -> list[tuple[str, str, str]]:
    found, position = [], 0
    for fact in _FACT.finditer(text):
        if fact.start() != position:
            break
        found.append(fact.groups(""))
        position = fact.end()
    rest = re.sub(r"%[^\n]*", "", text[position:]).strip()
    if rest:
        line = text.count("\n", 0, position) + 1
        raise OtherShapeError(f"line {line}, {rest.splitlines()[0][:60]!r}, is no fact of two names")
    return found
