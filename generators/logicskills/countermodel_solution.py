"""The one countermodel that a task shows: distinct names, and no object or pair to spare."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import Indices
from logic_curriculum.rewards.engines.fol.models import (
    Bools,
    Models,
    Structure,
    evaluate,
    structure_of,
)
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not


def sparsest(models: Models, found: Indices, symbols: Collection[str]) -> int:
    """Return which of some models tells most names apart, and then has the least in predicates.

    Args:
        models: Models of one size.
        found: Places of those to choose from, at least one.
        symbols: What counts of them; the first is taken of those that are alike.
    """
    names = [values[found] for name, values in models.constants.items() if name in symbols]
    apart = np.zeros(len(found), np.intp)
    if names:
        apart = (np.diff(np.sort(names, axis=0), axis=0) != 0).sum(axis=0)
    extensions = {**models.monadic, **models.binary}
    used = [values[found] for name, values in extensions.items() if name in symbols]
    filled = sum((values.reshape(len(found), -1).sum(axis=1) for values in used), np.intp(0))
    return int(found[np.lexsort((np.broadcast_to(filled, apart.shape), -apart))[0]])


def in_order(structure: Structure, names: Sequence[str], kinds: Sequence[str]) -> list[int]:
    """Return a new number for each object: those with names first, then kind by kind.

    Args:
        structure: Its domain is ``0 .. size - 1``.
        names: Constants in the order that counts.
        kinds: Monadic predicates in the order that counts.

    >>> in_order(Structure((0, 1, 2), {"a": 2}, {"M": frozenset({1})}, {}), "a", "M")
    [2, 1, 0]
    """
    sequence = [structure.constants[name] for name in names]
    sequence += [item for kind in kinds for item in sorted(structure.monadic[kind])]
    order = list(dict.fromkeys([*sequence, *structure.domain]))
    return [order.index(item) for item in structure.domain]


@dataclass(frozen=True, eq=False)
class _Cells:
    """Where the predicates of a structure stand in a row of truth values."""

    monadic: Mapping[str, slice]
    binary: Mapping[str, slice]

    def models(self, structure: Structure, rows: Bools) -> Models:
        """Return structures with the same constants, one for each row of values."""
        count, size = len(rows), len(structure.domain)
        known = structure.as_models
        return Models(
            size,
            count,
            {name: np.repeat(value, count) for name, value in known.constants.items()},
            {name: rows[:, part] for name, part in self.monadic.items()},
            {name: rows[:, part].reshape(count, size, size) for name, part in self.binary.items()},
        )


def thinned(
    structure: Structure, premises: Sequence[Formula], conclusion: Formula, fixed: Collection[str]
) -> Structure:
    """Return a countermodel without an object or pair that could be left out of a predicate.

    Predicates are gone through in alphabetic order, their members in ascending order, and what can
    be left out is, as many at a time as can go together.

    Args:
        structure: Premises are true in it, the conclusion is not.
        premises: Of the argument.
        conclusion: Of the argument.
        fixed: Predicates that stay as they are.
    """
    wanted: Formula = reduce(lambda a, b: Binary("and", a, b), [*premises, Not(conclusion)])
    cells, row = _cells(structure)
    loose = row.copy()
    for name in fixed:
        loose[cells.monadic.get(name, slice(0))] = False
    while len(held := np.flatnonzero(row & loose)):
        ones = _without(row, held, np.eye(len(held), dtype=np.bool_))
        free = held[evaluate(wanted, cells.models(structure, ones))]
        if not len(free):
            break
        several = _without(row, free, np.tri(len(free), dtype=np.bool_))
        row = several[np.flatnonzero(evaluate(wanted, cells.models(structure, several)))[-1]]
    return structure_of(cells.models(structure, row[None]), 0)


def _cells(structure: Structure) -> tuple[_Cells, Bools]:
    """Return where predicates stand, and the structure's own row."""
    known, start = structure.as_models, 0
    parts: list[dict[str, slice]] = [{}, {}]
    rows: list[npt.NDArray[np.bool_]] = []
    for found, extensions in zip(parts, (known.monadic, known.binary), strict=True):
        for name in sorted(extensions):
            rows.append(extensions[name].ravel())
            found[name] = slice(start, start + rows[-1].size)
            start += rows[-1].size
    row = np.concatenate(rows) if rows else np.zeros(0, np.bool_)
    return _Cells(*parts), row


def _without(row: Bools, places: Indices, out: Bools) -> Bools:
    """Return a copy of the row for each row of ``out``, which says what places are emptied."""
    rows = np.repeat(row[None], len(out), axis=0)
    rows[:, places] &= ~out
    return rows
