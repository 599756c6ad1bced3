"""Isomorphic verification: the same task with nothing left to exploit but its logic.

A rule that names examples (``eastbound(train0).``), or reads labels off the order of facts, off
the alphabetical order of names or off digits in them, is right on the program it was written for
and on no other. On a copy with new names and new order it fails, while a rule about the examples'
attributes keeps every outcome.
"""

from __future__ import annotations

import hashlib
import random
import string
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from logic_curriculum.rewards.engines.prolog.program import Fact, Program

_NAME_LENGTH = 4  # 456,976 names; short ones are read faster
_ATTEMPTS = 1000
_REGULARITY = 0.85
_LEAST_EXAMPLES = 6


def isomorphic_copy(program: Program) -> Program:
    """Rename all objects of a program and reorder its examples.

    Objects (see :attr:`Program.objects`) get opaque names; predicates and values stay. The facts
    of an example keep their order, and so do its objects under the standard order of terms, so
    that a rule may speak of the first car or sort cars. The order of the examples, by position
    and by name, is drawn until no simple pattern of it (alternation, halves) predicts labels.
    Every order of two examples has such a pattern, so a program of fewer than six is repeated,
    each time under other names; the share of examples that a rule gets right stays the same.

    Args:
        program: The program to copy.

    Returns:
        A program whose text is canonical, a fact to a line. It depends on the program's text
        alone.
    """
    digest = hashlib.sha256(program.text.encode("utf-8", "replace")).digest()
    draw = random.Random(int.from_bytes(digest, "big"))
    full = _repeated(program)
    owners = _owners(full)
    labels = dict(zip(full.examples, full.labels, strict=True))
    names = _irregular(lambda: _fresh_names(full, owners, draw), labels, _by_name)
    order = _irregular(lambda: draw.sample(full.examples, len(labels)), labels, list)
    text = _assemble(full, owners, names, order)
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
        for predicate, arguments in program.facts:
            if not objects.isdisjoint(arguments):
                renamed = tuple(names.get(constant, constant) for constant in arguments)
                lines.append(str(Fact(predicate, renamed)))
    return Program.parse("\n".join(lines) + "\n", program.positive, program.negative)


def _prefixed(prefix: str, constant: str) -> str:
    return f"'{prefix}{constant[1:]}" if constant[0] == "'" else f"{prefix}{constant}"


def _assemble(
    program: Program, owners: Mapping[str, str], names: Mapping[str, str], order: Sequence[str]
) -> str:
    """Write the renamed blocks of facts in the given order of examples."""
    labels = dict(zip(program.examples, program.labels, strict=True))
    blocks: dict[str | None, list[Fact]] = {owner: [] for owner in (None, *program.examples)}
    for predicate, arguments in program.facts:
        owner = next((owners[constant] for constant in arguments if constant in owners), None)
        renamed = tuple(names.get(constant, constant) for constant in arguments)
        blocks[owner].append(Fact(predicate, renamed))
    lines = [str(fact) for fact in blocks[None]]
    for example in order:
        label = program.positive if labels[example] else program.negative
        lines += [f"{label}({names[example]}).", *(str(fact) for fact in blocks[example])]
    return "\n".join(lines) + "\n"


def _owners(program: Program) -> dict[str, str]:
    """Map each object to the example it is linked to by facts, directly or through others."""
    objects = frozenset(program.objects)
    linked = [[c for c in fact.arguments if c in objects] for fact in program.facts]
    links = [constants for constants in linked if len(constants) > 1]
    owners = {example: example for example in program.examples}
    grown = True
    while grown:
        known = len(owners)
        for constants in links:
            owner = next((owners[constant] for constant in constants if constant in owners), None)
            if owner is not None:
                for constant in constants:
                    owners.setdefault(constant, owner)
        grown = len(owners) > known
    return owners


def _fresh_names(
    program: Program, owners: Mapping[str, str], draw: random.Random
) -> dict[str, str]:
    """Draw a name for each object; within an example the names keep their standard order."""
    taken = {constant for fact in program.facts for constant in fact.arguments}
    groups: dict[str | None, list[str]] = {}
    for constant in program.objects:
        groups.setdefault(owners.get(constant), []).append(constant)
    names: dict[str, str] = {}
    for constants in groups.values():
        fresh = sorted(_fresh_name(taken, draw) for _ in constants)
        names.update(zip(sorted(constants, key=_collation), fresh, strict=True))
    return names


def _fresh_name(taken: set[str], draw: random.Random) -> str:
    while True:
        name = "o" + "".join(draw.choices(string.ascii_lowercase, k=_NAME_LENGTH))
        if name not in taken:
            taken.add(name)
            return name


def _collation(constant: str) -> str:
    """Return the text by which Prolog orders an atom."""
    return constant[1:-1].replace("''", "'") if constant[0] == "'" else constant


def _by_name(names: Mapping[str, str]) -> list[str]:
    return sorted(names, key=names.__getitem__)


_Drawn = TypeVar("_Drawn")


def _irregular(
    draw: Callable[[], _Drawn],
    labels: Mapping[str, bool],
    ordered: Callable[[_Drawn], Sequence[str]],
) -> _Drawn:
    """Draw until the order of the examples predicts their labels no longer."""
    for _ in range(_ATTEMPTS):
        drawn = draw()
        pattern = [labels[name] for name in ordered(drawn) if name in labels]
        if not _is_regular(pattern):
            return drawn
    raise RuntimeError(
        f"{_ATTEMPTS} random orders of {len(labels)} examples were all regular, which no labels of "
        f"{_LEAST_EXAMPLES} or more examples make likely: this is an error of isomorphic_copy. "
        "Please report it with the program."
    )


def _is_regular(pattern: Sequence[bool]) -> bool:
    """Tell whether alternation or halves agree with a pattern of labels, or with its inverse."""
    size = len(pattern)
    alternation = sum(label == (i % 2 == 0) for i, label in enumerate(pattern))
    halves = sum(label == (i < size // 2) for i, label in enumerate(pattern))
    return any(max(hits, size - hits) > _REGULARITY * size for hits in (alternation, halves))
