"""A program as the engine judges it: a case for each example, with the facts about it alone.

The facts about an example are its connected component: all that it is linked to by facts, directly
or through other objects. Its objects get names by the order in which the facts mention them, the
same names for every example, so that neither names nor other examples tell anything. Facts about
objects of no example stay visible to all.

The engine is given tables, and each predicate as a view of one. Predicates with one value for each
of the same objects (``car_color``, ``car_len`` …) share a table, which then has a row per object in
place of a fact per value.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_uppercase

from logic_curriculum.rewards.engines.prolog.program import MAX_ARITY, Fact, Program

_NAME = "obj{:03}".format
_RESERVED = re.compile(r"obj\d{3,}", re.ASCII)
_HEADER = re.compile(r"(\d+) (\d{1,9}) ([01]+) (.+)", re.ASCII)


@dataclass(frozen=True)
class Cases:
    """Labelled examples with their facts, ready for the engine; outcomes follow their order."""

    positive: str  # name of the unary predicate that labels positive examples; hypotheses define it
    negative: str  # name of the unary predicate that labels negative examples
    examples: tuple[str, ...]  # their constants in the program, in the order of their label facts
    labels: tuple[bool, ...]  # whether each example is positive
    source: str  # the cases as ``text_to_program/2`` in ``engine/judging.pl`` reads them
    sharing: int = 0
    """Number of examples that share objects with another one. What is shared stays together: each
    of them sees the facts about all of them."""

    @property
    def bits(self) -> str:
        """The labels, 1 for positive examples and 0 for the others."""
        return "".join(["1" if label else "0" for label in self.labels])

    def packed(self, text: str) -> str:
        """Write the cases of a program's text, so that :func:`own_facts` need not make them anew.

        One line has a checksum of the text, the number of examples that share objects, the labels
        and the examples; then comes the source.
        """
        checksum = _checksum(text, self.positive, self.negative)
        words = [checksum, str(self.sharing), self.bits, *self.examples]
        return f"{' '.join(words)}\n{self.source}"


def own_facts(
    text: str, positive: str = "eastbound", negative: str = "westbound", packed: str | None = None
) -> Cases:
    """Read a program, see :meth:`Program.parse`, and give each example a case of its own.

    ``packed`` is what :meth:`Cases.packed` wrote of this text earlier; that of another text plays
    no part. A ValueError is raised as there, or when a value has a name that objects get here.
    """
    if packed is not None:
        first_line, _, source = packed.partition("\n")
        header = _HEADER.fullmatch(first_line)
        if header and header[1] == _checksum(text, positive, negative):
            marks, examples = tuple([bit == "1" for bit in header[3]]), tuple(header[4].split(" "))
            if len(marks) == len(examples):
                return Cases(positive, negative, examples, marks, source, int(header[2]))
    layout = _Layout.of(text, positive, negative)
    cases = layout.read(text) if layout else None
    return cases or _separated(Program.parse(text, positive, negative))


def _predicates(program: Program) -> list[tuple[str, int]]:
    return list(dict.fromkeys((name, len(arguments)) for name, arguments in program.facts))


def _checksum(text: str, *names: str) -> str:
    return str(zlib.crc32(text.encode("utf-8", "replace"), zlib.crc32(" ".join(names).encode())))


def whole_program(program: Program) -> Cases:
    """Return all examples as one case, with all facts and their names: the published judging."""
    tables = [_Table(number, [item]) for number, item in enumerate(_predicates(program))]
    # There are many rows of each, and passing over them costs nothing, so each that is found does.
    cases = [(program.examples, _rows(program.facts, tables))]
    source = _source(tables, cases, after_each=", '$step'")
    return Cases(program.positive, program.negative, program.examples, program.labels, source)


@dataclass(frozen=True)
class _Table:
    """Rows ``'$number'(...)`` that hold the facts of one predicate, or of several.

    A table of one predicate has the predicate's arguments; one of several has an object and then a
    value for each of them.
    """

    number: int
    predicates: Sequence[tuple[str, int]]  # names and arities
    link: tuple[str, str] | None = None
    """A predicate whose facts are left out, and the object that it links to all of the table."""

    @property
    def arity(self) -> int:
        return self.predicates[0][1] if len(self.predicates) == 1 else 1 + len(self.predicates)

    def row(self, arguments: Iterable[str]) -> str:
        return f"'${self.number}'({', '.join(arguments)})"

    def views(self) -> dict[tuple[str, int], str]:
        """Return for each predicate, with the arguments A, B …, the row that it looks up."""
        if len(self.predicates) == 1 and not self.link:
            return {self.predicates[0]: self.row(_variables(self.arity))}
        views = {
            predicate: self.row(["A", *("B" if at == predicate else "_" for at in self.predicates)])
            for predicate in self.predicates
        }
        if self.link:
            name, start = self.link
            views[name, 2] = f"A = {start}, {self.row(['B', *'_' * len(self.predicates)])}"
        return views


def _variables(count: int) -> list[str]:
    return list(ascii_uppercase[:count]) if count <= 26 else [f"A{at}" for at in range(count)]


def _source(
    tables: Sequence[_Table],
    cases: Iterable[tuple[Iterable[str], Iterable[str]]],
    common: Sequence[_Table] = (),
    common_rows: Iterable[str] = (),
    after_each: str = "",
) -> str:
    """Write a program for the engine: tables, which each case fills, and common ones.

    A case is the objects asked about and its rows; ``after_each`` is called after each row found.
    """
    views: dict[tuple[str, int], list[str]] = {}
    for table in (*tables, *common):
        for predicate, rows in table.views().items():
            views.setdefault(predicate, []).append(rows + after_each)
    clauses = [
        f"({name}({', '.join(_variables(arity))}) :- {' ; '.join(bodies)})"
        for (name, arity), bodies in views.items()
    ]
    filled = [f"'${table.number}'/{table.arity}" for table in tables]
    header = ", ".join(f"[{', '.join(items)}]" for items in (clauses, filled, common_rows))
    lines = [f"case([{', '.join(asked)}], [{', '.join(rows)}])" for asked, rows in cases]
    body = ",\n".join(lines)  # SWI-Prolog reads short lines faster
    return f"background({header}).\n[{body}].\n"


def _rows(facts: Iterable[Fact], tables: Iterable[_Table]) -> list[str]:
    by_predicate: dict[tuple[str, int], list[tuple[str, ...]]] = {}
    for name, arguments in facts:
        by_predicate.setdefault((name, len(arguments)), []).append(arguments)
    rows: list[str] = []
    for table in tables:
        columns = [by_predicate.get(predicate, []) for predicate in table.predicates]
        if len(columns) == 1:
            rows += map(table.row, columns[0])
        else:  # one value for each of the same objects in the same order
            lines = zip(*columns, strict=True)
            rows += [table.row([line[0][0], *(value for _, value in line)]) for line in lines]
    return rows


_VALUE = r"[a-z]\w*|\d+"
_LINE = re.compile(rf"([a-z]\w*)\(([a-z]\w*), ({_VALUE})\)\.\n", re.ASCII)


@dataclass(frozen=True)
class _Layout:
    """How the generator writes a program: example after example, part after part, a fact to a line.

    First the example's label, then for each part the fact that links the example to it, and a fact
    for each attribute of the part, the same attributes in the same order.
    """

    positive: str
    negative: str
    link: str
    attributes: tuple[str, ...]
    unit: re.Pattern[str]  # matches the lines of a label, or of a part with all of its facts

    @classmethod
    def of(cls, text: str, positive: str, negative: str) -> _Layout | None:
        """Take the layout from the first part; ``None`` if the program starts otherwise."""
        label = rf"({re.escape(positive)}|{re.escape(negative)})\(([a-z]\w*)\)\.\n"
        first = re.compile(label, re.ASCII).match(text)
        link = first and _LINE.match(text, first.end())
        if not first or not link or link[2] != first[2]:
            return None
        attributes: dict[str, None] = {}
        line = _LINE.match(text, link.end())
        while line and line[2] == link[3] and line[1] not in (link[1], *attributes):
            attributes[line[1]] = None
            line = _LINE.match(text, line.end())
        facts = "".join(rf"{name}\(\4, ({_VALUE})\)\.\n" for name in attributes)
        part = rf"{link[1]}\(([a-z]\w*), ([a-z]\w*)\)\.\n{facts}"
        unit = re.compile(rf"^(?:{label}|{part})", re.ASCII | re.MULTILINE)
        fits = 0 < len(attributes) < MAX_ARITY
        return cls(positive, negative, link[1], tuple(attributes), unit) if fits else None

    def read(self, text: str) -> Cases | None:
        """Read a program; ``None`` if it departs from the layout or links examples."""
        text = text if text.endswith("\n") else f"{text}\n"
        labels: dict[str, bool] = {}
        parts: list[list[tuple[str, ...]]] = []
        example = ""
        for unit in self.unit.findall(text):
            if unit[0]:
                example = unit[1]
                labels[example] = unit[0] == self.positive
                parts.append([])
            elif unit[2] != example:
                return None
            else:
                parts[-1].append(unit[3:])
        if not self._is_all(text, labels, list(chain.from_iterable(parts))):
            return None
        marks, source = tuple(labels.values()), self._write(parts)
        return Cases(self.positive, self.negative, tuple(labels), marks, source)

    def _is_all(
        self, text: str, labels: Mapping[str, bool], parts: Sequence[tuple[str, ...]]
    ) -> bool:
        """Tell whether nothing else is in the text, and every object stands in one place."""
        lines = len(labels) + len(parts) * (1 + len(self.attributes))
        objects = {*labels, *(part[0] for part in parts)}
        if text.count("\n") != lines or len(objects) != len(labels) + len(parts):
            return False
        values = frozenset(chain.from_iterable(part[1:] for part in parts))
        return values.isdisjoint(objects) and not any(map(_RESERVED.fullmatch, values))

    def _write(self, cases: Sequence[Sequence[tuple[str, ...]]]) -> str:
        asked = _NAME(0)
        table = _Table(0, [(name, 2) for name in self.attributes], (self.link, asked))
        heads = [f"'$0'({_NAME(number + 1)}, " for number in range(max(map(len, cases)))]
        written = [
            [f"{head}{', '.join(part[1:])})" for head, part in zip(heads, parts, strict=False)]
            for parts in cases
        ]
        return _source([table], [((asked,), rows) for rows in written])


def _separated(program: Program) -> Cases:
    """Give each example of any program a case of its own."""
    component = _components(program)
    facts: dict[str, list[Fact]] = {example: [] for example in component.values()}
    common: list[Fact] = []
    for fact in program.facts:
        owner = next((component[c] for c in fact.arguments if c in component), None)
        (common if owner is None else facts[owner]).append(fact)
    examples = program.examples
    cases = [_renamed(example, facts[component[example]], component) for example in examples]
    _check_names(program, component)
    tables = _tables(_predicates(program), cases)
    shared = dict.fromkeys((fact.predicate, len(fact.arguments)) for fact in common)
    for_all = [_Table(len(tables) + number, [item]) for number, item in enumerate(shared)]
    filled = [((_NAME(0),), _rows(case, tables)) for case in cases]
    source = _source(tables, filled, for_all, _rows(common, for_all))
    sizes = Counter(component[example] for example in examples)
    sharing = sum(size for size in sizes.values() if size > 1)
    return Cases(program.positive, program.negative, examples, program.labels, source, sharing)


def _components(program: Program) -> dict[str, str]:
    """Map each object that is linked to an example to the first example of its component."""
    objects = frozenset(program.objects)
    linked: dict[str, list[str]] = {}
    for fact in program.facts:
        touched = [constant for constant in fact.arguments if constant in objects]
        for constant in touched:
            linked.setdefault(constant, []).extend(touched)
    component: dict[str, str] = {}
    for example in program.examples:
        pending = [example] if example not in component else []
        while pending:
            constant = pending.pop()
            if constant not in component:
                component[constant] = example
                pending += linked.get(constant, [])
    return component


def _renamed(example: str, facts: Iterable[Fact], objects: Mapping[str, str]) -> list[Fact]:
    """Name the objects of a case by the order in which its facts mention them."""
    names = {example: _NAME(0)}
    renamed = []
    for fact in facts:
        for constant in fact.arguments:
            if constant in objects and constant not in names:
                names[constant] = _NAME(len(names))
        renamed.append(fact.renamed(names))
    return renamed


def _check_names(program: Program, objects: Mapping[str, str]) -> None:
    kept = {c for fact in program.facts for c in fact.arguments if c not in objects}
    if reserved := sorted(filter(_RESERVED.fullmatch, kept)):
        problem = f"The program has a value {reserved[0]!r}, which is what the judge calls objects"
        raise ValueError(f"{problem}; give the value another name.")


def _tables(predicates: Sequence[tuple[str, int]], cases: Sequence[Sequence[Fact]]) -> list[_Table]:
    """Let predicates share a table that have a value for each of the same objects in every case."""
    groups: dict[object, list[tuple[str, int]]] = {}
    for name, arity in predicates:
        about = tuple(
            tuple(f.arguments[0] for f in case if (f.predicate, len(f.arguments)) == (name, arity))
            for case in cases
        )
        is_function = arity == 2 and all(len(frozenset(column)) == len(column) for column in about)
        groups.setdefault(about if is_function else (name, arity), []).append((name, arity))
    most = MAX_ARITY - 1  # beside the object
    parts = [
        group[at : at + most] for group in groups.values() for at in range(0, len(group), most)
    ]
    return [_Table(number, group) for number, group in enumerate(parts)]
