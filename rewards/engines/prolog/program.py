"""A task's program: labelled examples and background facts, read strictly, and its copy.

The isomorphic copy is the same task with nothing left to exploit but its logic. A rule that names
examples (``eastbound(train0).``), or reads labels off the order of facts or off names, fails on it,
while a rule about the examples' attributes keeps every outcome.
"""

from __future__ import annotations

import hashlib
import random
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

_ATOM = r"[a-z]\w*|'(?:[^'\\\n]|''|\\[^\n])+'"
_NUMBER = r"-?\d+(?:\.\d+)?(?![\w.]\w)"
_SPACE = r"(?su:\s|%[^\n]*(?:\n|$)|/\*.*?\*/)*+"  # and comments
_CONSTANT = re.compile(f"{_ATOM}|{_NUMBER}", re.A)
_FACT = re.compile(
    rf"{_SPACE}({_ATOM})\(\s*((?:{_ATOM}|{_NUMBER})(?:\s*,\s*(?:{_ATOM}|{_NUMBER}))*)\s*\)\s*\.(?=[\s%]|$)",
    re.A,
)
_UNQUOTED = re.compile(r"[a-z]\w*", re.A)
_NUMERIC = "-0123456789"  # first characters of numbers

_NAME_LENGTH = 4  # 456,976 names; short ones are read faster
_ATTEMPTS = 1000
_REGULARITY = 0.85  # share of the labels that a pattern of the order may not predict
_LEAST_EXAMPLES = 6


class Fact(NamedTuple):
    """A ground atom; predicate and arguments are written as in Prolog text."""

    predicate: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.arguments)})."

    def renamed(self, names: Mapping[str, str]) -> Fact:
        """Return the fact with other names for some constants."""
        return Fact(self.predicate, tuple([names.get(c, c) for c in self.arguments]))


@dataclass(frozen=True)
class Program:
    """Labelled examples over background facts, e.g. a validation program of SLR-Bench.

    The examples stand in the order of their label facts; all outcomes of a judgement follow it.
    """

    text: str  # as it was given
    positive: str  # name of the unary predicate that labels positive examples; hypotheses define it
    negative: str  # name of the unary predicate that labels negative examples
    examples: tuple[str, ...]  # their constants, e.g. ``train0``
    labels: tuple[bool, ...]  # whether each example is positive
    facts: tuple[Fact, ...] = field(repr=False)  # in text order, labels left out

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """Constants that name individuals: examples, and atoms that are first in some fact.

        Colours, sizes and numbers only occur in later positions and are values. Names play no part.
        """
        about = (fact.arguments[0] for fact in self.facts)
        atoms = (constant for constant in about if constant[0] not in _NUMERIC)
        return tuple(dict.fromkeys((*self.examples, *atoms)))

    @classmethod
    def parse(cls, text: str, positive: str = "eastbound", negative: str = "westbound") -> Program:
        """Read a program of ground facts, and check all of it.

        Facts ``name(argument, ...).`` have atoms (plain or quoted) and numbers as arguments, label
        facts one; comments and blank lines may stand between them. A ValueError names the line that
        is something else or labels an example again, or says that no example is labelled.
        """
        labels: dict[str, bool] = {}
        facts = []
        for fact, offset in _read_facts(text):
            count, example = len(fact.arguments), fact.arguments[0]
            if fact.predicate not in (positive, negative) or count != 1:
                facts.append(fact)
            elif example in labels:
                remedy = f"give each example one label, {positive} or {negative}."
                raise _error(text, offset, f" labels example {example!r} a second time; {remedy}")
            else:
                labels[example] = fact.predicate == positive
        if not labels:
            raise ValueError(
                f"The program has no fact {positive}(...) or {negative}(...), so there is no "
                "example to judge; pass the label predicates it uses as positive and negative."
            )
        return cls(text, positive, negative, tuple(labels), tuple(labels.values()), tuple(facts))

    def components(self) -> dict[str, set[str]]:
        """Return for each example the objects that facts link to it, directly or through others."""
        objects = frozenset(self.objects)
        mentioned = [objects.intersection(fact.arguments) for fact in self.facts]
        components = {example: {example} for example in self.examples}
        for known in components.values():
            size = 0
            while size < len(known):
                size = len(known)
                known.update(*(some for some in mentioned if not known.isdisjoint(some)))
        return components

    def alone(self) -> dict[str, list[Fact]]:
        """Return for each example the facts about its component and those about none."""
        components = self.components()
        objects = frozenset(self.objects)
        facts = [(fact, objects.intersection(fact.arguments)) for fact in self.facts]
        common = objects.difference(*components.values())
        return {
            example: [fact for fact, some in facts if some <= common or not some.isdisjoint(own)]
            for example, own in components.items()
        }


def _read_facts(text: str) -> Iterator[tuple[Fact, int]]:
    position = 0
    while match := _FACT.match(text, position):
        name, *constants = map(_canonical, [match[1], *_CONSTANT.findall(match[2])])
        yield Fact(name, tuple(constants)), match.start(1)
        position = match.end()
    if rest := re.sub(_SPACE, "", text[position:], count=1):
        shown = rest.split("\n", 1)[0][:80]
        remedy = "write name(argument, ...). with atoms or numbers, no variables and no strings"
        raise _error(text, len(text) - len(rest), f", {shown!r}, is no fact: {remedy}.")


def _error(text: str, offset: int, problem: str) -> ValueError:
    return ValueError(f"Line {text.count(chr(10), 0, offset) + 1} of the program{problem}")


def _canonical(constant: str) -> str:
    """Drop the quotes of an atom that needs none."""
    inner = constant[1:-1]
    return inner if constant[0] == "'" and _UNQUOTED.fullmatch(inner) else constant


def isomorphic_copy(program: Program) -> Program:
    """Rename all objects of a program and reorder its examples.

    Objects (see :attr:`Program.objects`) get opaque names; predicates and values stay. The facts
    of an example keep their order, and so do its objects under the standard order of terms, so
    that a rule may speak of the first car or sort cars. The order of the examples, by position
    and by name, is drawn until no simple pattern of it (alternation, halves) predicts labels.
    Every order of two examples has such a pattern, so a program of fewer than six is repeated,
    each time under other names; the share of examples that a rule gets right stays the same.

    The copy's text is canonical, a fact to a line, and depends on the program's text alone.
    """
    digest = hashlib.sha256(program.text.encode("utf-8", "replace")).digest()
    draw = random.Random(int.from_bytes(digest, "big"))
    full = _repeated(program)
    owners: dict[str, str] = {}  # objects → example
    for example, component in full.components().items():
        owners = dict.fromkeys(component, example) | owners
    labels = dict(zip(full.examples, full.labels, strict=True))
    # Names come in alphabetical order: the order of the drawn mapping is what must not tell labels.
    names = _irregular(lambda: _fresh_names(full, owners, draw), labels)
    order = _irregular(lambda: dict.fromkeys(draw.sample(full.examples, len(labels)), ""), labels)
    blocks: dict[str | None, list[str]] = {None: []}
    for example in order:
        label = full.positive if labels[example] else full.negative
        blocks[example] = [f"{label}({names[example]})."]
    for fact in full.facts:
        owner = next((owners[constant] for constant in fact.arguments if constant in owners), None)
        blocks[owner].append(str(fact.renamed(names)))
    text = "\n".join(line for lines in blocks.values() for line in lines) + "\n"
    return Program.parse(text, program.positive, program.negative)


def _repeated(program: Program) -> Program:
    """Repeat a program of few examples under prefixed names until it has enough of them."""
    rounds = -(-_LEAST_EXAMPLES // len(program.examples))
    if rounds == 1:
        return program
    objects = frozenset(program.objects)
    lines = [str(fact) for fact in program.facts if objects.isdisjoint(fact.arguments)]
    for number in range(rounds):
        names = {constant: _prefixed(f"r{number}", constant) for constant in program.objects}
        for example, positive in zip(program.examples, program.labels, strict=True):
            label = program.positive if positive else program.negative
            lines.append(f"{label}({names[example]}).")
        about = [fact for fact in program.facts if not objects.isdisjoint(fact.arguments)]
        lines += [str(fact.renamed(names)) for fact in about]
    return Program.parse("\n".join(lines) + "\n", program.positive, program.negative)


def _prefixed(prefix: str, constant: str) -> str:
    return f"'{prefix}{constant[1:]}" if constant[0] == "'" else f"{prefix}{constant}"


def _fresh_names(
    program: Program, owners: Mapping[str, str], draw: random.Random
) -> dict[str, str]:
    """Draw a name for each object; within an example the names keep their standard order."""
    taken = {constant for fact in program.facts for constant in fact.arguments}

    def fresh_name() -> str:
        name = "o" + "".join(draw.choices(string.ascii_lowercase, k=_NAME_LENGTH))
        if name in taken:
            return fresh_name()
        taken.add(name)
        return name

    def collation(constant: str) -> str:  # the text by which Prolog orders an atom
        return constant[1:-1].replace("''", "'") if constant[0] == "'" else constant

    groups: dict[str | None, list[str]] = {}
    for constant in program.objects:
        groups.setdefault(owners.get(constant), []).append(constant)
    names: dict[str, str] = {}
    for constants in groups.values():
        fresh = sorted(fresh_name() for _ in constants)
        names.update(zip(sorted(constants, key=collation), fresh, strict=True))
    return dict(sorted(names.items(), key=lambda item: item[1]))


def _irregular(draw: Callable[[], dict[str, str]], labels: Mapping[str, bool]) -> dict[str, str]:
    """Draw until the order of the examples, the keys, predicts their labels no longer."""
    for _ in range(_ATTEMPTS):
        drawn = draw()
        if not _is_regular([labels[name] for name in drawn if name in labels]):
            return drawn
    raise RuntimeError(f"{_ATTEMPTS} random orders of {len(labels)} examples were all regular")


def _is_regular(pattern: Sequence[bool]) -> bool:
    """Tell whether labels mostly alternate, or mostly differ between first and second half."""
    size = len(pattern)
    alternation = sum(label == (i % 2 == 0) for i, label in enumerate(pattern))
    halves = sum(label == (i < size // 2) for i, label in enumerate(pattern))
    return any(max(hits, size - hits) > _REGULARITY * size for hits in (alternation, halves))
