"""What an argument seems to ask for, to one who looks at the signs of what occurs alone.

A place of an atom asks for truth or for falsehood: in ``(¬Fa→Gb)`` both ask for truth. The family
countermodel draws no argument that a structure made of such signs refutes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np

from logic_curriculum.generators.logicskills.constructions import CANONICAL
from logic_curriculum.generators.logicskills.models import Bits, ModelStore, count_bits
from logic_curriculum.rewards.engines.fol import models as fol
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

Votes = tuple[int, int]
"""Places that ask for truth, less those that ask for falsehood: all, and those below no ↔."""
WHOLE: tuple[Callable[[int], bool], ...] = (
    lambda votes: False,
    lambda votes: True,
    lambda votes: votes > 0,
    lambda votes: votes >= 0,
    lambda votes: votes < 0,
    lambda votes: votes <= 0,
)
"""Whether a predicate is true of everything, or else of nothing."""
EACH = (0, 1, -1)
"""A ground atom is as its predicate, as most of its places ask for, or the other way round."""


def occurrences(formula: Formula, sign: int = 1, iff: int = 0) -> Iterator[tuple[Atom, int, int]]:
    """Yield each atom with 1 where its place asks for truth, or -1, and with the ↔ above it.

    The clauses of a biconditional ask for what it asks for.

    >>> from logic_curriculum.rewards.engines.fol.syntax import parse
    >>> [(str(atom), sign, iff) for atom, sign, iff in occurrences(parse("(¬Fa→(Ga↔¬Gb))"))]
    [('Fa', 1, 0), ('Ga', 1, 1), ('Gb', -1, 1)]
    """
    match formula:
        case Atom():
            yield formula, sign, iff
        case Not(body):
            yield from occurrences(body, -sign, iff)
        case Quantified():
            yield from occurrences(formula.body, sign, iff)
        case Binary(connective, left, right):
            iff += connective == "iff"
            yield from occurrences(left, -sign if connective == "imp" else sign, iff)
            yield from occurrences(right, sign, iff)


@dataclass(frozen=True)
class Signs:
    """The signs of an argument."""

    heads: Mapping[str, Votes]  # of predicates
    atoms: Mapping[Atom, Votes]  # of ground atoms
    said: Mapping[Atom, int]  # atoms that are a sentence, perhaps a denied one → 1 or -1

    @classmethod
    def of(cls, premises: Sequence[Formula], conclusion: Formula) -> "Signs":
        """Count the signs in the premises and the denied conclusion."""
        heads: dict[str, Votes] = {}
        atoms: dict[Atom, Votes] = {}
        said: dict[Atom, int] = {}
        for sentence in (*premises, Not(conclusion)):
            places = list(occurrences(sentence))
            for atom, sign, iff in places:
                _vote(heads, atom.predicate, sign, iff)
                if set(atom.terms) <= set(CANONICAL.names):
                    _vote(atoms, atom, sign, iff)
                    if len(places) == 1:
                        said[atom] = sign
        return cls(heads, atoms, said)

    def are_idle(self, stored: ModelStore, refuted: Bits) -> bool:
        """Return whether about half of the atoms, and of their places, are as asked for.

        ``refuted`` are the countermodels among the stored ones, shape [words]. Atoms that are a
        sentence are not counted, nor are places below biconditionals.
        """
        asked = [atom for atom in self.atoms if atom not in self.said]
        votes = np.array([self.atoms[atom][1] for atom in asked])
        true = np.array([count_bits(stored.bits(atom) & refuted) for atom in asked])
        each = 2 * true / count_bits(refuted) - 1  # from -1, never true, to 1, always
        return bool(abs(np.sign(votes) @ each) <= 1 and abs(votes @ each) <= 1)

    def readings(self, size: int, axiom: bool) -> fol.Models:
        """Return the structures with ``size`` objects that one can write by looking at signs.

        What is a sentence may be taken at its word, places below biconditionals may count, names
        are different objects or one, and the domain axiom's kinds are in any order.
        """
        kinds = CANONICAL.kinds if axiom else ""
        heads = [head for head in self.heads if head not in kinds]
        atoms = [atom for atom in self.atoms if atom.predicate not in kinds]
        ways = product((0, 1), WHOLE, EACH, ({}, self.said))
        rows = sorted({self._reading(heads, atoms, *way) for way in ways})
        orders = list(permutations(range(3))) if axiom else [()]
        found = list(product(rows, (0, 1), orders))
        count = len(found)
        names = {
            name: np.array([apart * (place % size) for _, apart, _ in found])
            for place, name in enumerate(CANONICAL.names)
        }
        tables = {
            head: np.zeros((count, *[size] * (1 + (head in CANONICAL.binary))), dtype=bool)
            for head in (*heads, *kinds)
        }
        for number, (row, _, order) in enumerate(found):
            for head, is_full in zip(heads, row, strict=False):
                tables[head][number] = is_full
            for atom, is_true in zip(atoms, row[len(heads) :], strict=True):
                at = tuple(names[term][number] for term in atom.terms)
                tables[atom.predicate][(number, *at)] = is_true
            for kind, place in zip(kinds, order, strict=True):
                tables[kind][number] = np.arange(size) % 3 == place
        monadic = {name: table for name, table in tables.items() if table.ndim == 2}
        binary = {name: table for name, table in tables.items() if table.ndim == 3}
        return fol.Models(size, count, names, monadic, binary)

    def _reading(
        self,
        heads: Sequence[str],
        atoms: Sequence[Atom],
        counted: int,
        whole: Callable[[int], bool],
        each: int,
        said: Mapping[Atom, int],
    ) -> tuple[bool, ...]:
        """Return the truth values of predicates, everywhere else, and of atoms."""
        full = {head: whole(self.heads[head][counted]) for head in heads}
        votes = {atom: said.get(atom) or each * self.atoms[atom][counted] for atom in atoms}
        values = [votes[atom] > 0 if votes[atom] else full[atom.predicate] for atom in atoms]
        return (*full.values(), *values)


def _vote(votes: dict[Any, Votes], key: str | Atom, sign: int, iff: int) -> None:
    every, plain = votes.get(key, (0, 0))
    votes[key] = (every + sign, plain + sign * (not iff))
