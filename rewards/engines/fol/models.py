"""Finite models: one as a person writes it, or many of a size, drawn and evaluated at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from logic_curriculum.rewards.engines.fol.syntax import (
    VARIABLES,
    Atom,
    Binary,
    Formula,
    FreeVariableError,
    Not,
    Quantified,
    Signature,
)

Bools = npt.NDArray[np.bool_]
Seed = tuple[str | int, ...]

MAX_CELLS = 1 << 21
"""Most truth values one subformula may have in one model: size ** (its free variables)."""

_CONNECTIVES: Mapping[str, Callable[[Bools, Bools], Bools]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "imp": np.less_equal,
    "iff": np.equal,
}
_QUANTIFIERS: Mapping[str, np.ufunc] = {"forall": np.logical_and, "exists": np.logical_or}


class MissingSymbolError(ValueError):
    """A formula uses a symbol that a model does not interpret."""

    def __init__(self, symbol: str, what: str) -> None:
        """Name the symbol, e.g. ``"P"``, and what it is, e.g. ``"binary predicate"``."""
        super().__init__(f"{what} {symbol} has no interpretation. Add one to the model.")
        self.symbol = symbol


class TooLargeError(ValueError):
    """A formula has too many variables free at once for models of this size."""


@dataclass(frozen=True)
class Models:
    """Finite models of one size, whose domains are ``0 .. size - 1``.

    Any memory layout is right; :func:`evaluate` is fastest when neighbouring models are neighbours
    in memory, as in the arrays of :func:`random_models`.
    """

    size: int
    """Objects in each domain, at least 1."""
    count: int
    """Number of models."""
    constants: Mapping[str, npt.NDArray[np.int_]]
    """Constant → the object it names, ``[count]``."""
    monadic: Mapping[str, Bools]
    """Predicate → ``[count, size]``."""
    binary: Mapping[str, Bools]
    """Predicate → ``[count, size, size]``."""


def random_models(signature: Signature, size: int, count: int, *seed: str | int) -> Models:
    """Draw models of a signature; equal arguments give equal models on every machine.

    How dense a predicate is differs from model to model, uniformly from empty to nearly full, so
    that universal sentences hold in many models and existential ones fail in many. What a symbol
    means depends on the seed, size and count alone, not on the other symbols. Arrays are kept for
    the next call, and can't be written to.

    >>> models = random_models(Signature({"F": 1}, frozenset("a")), 2, 3, "doc")
    >>> models.monadic["F"].shape, models.constants["a"].shape
    ((3, 2), (3,))
    """

    def drawn(arity: int) -> dict[str, npt.NDArray[Any]]:
        names = [name for name in signature.arities if signature.arities[name] == arity]
        return {name: _extension(name, arity, size, count, seed) for name in names}

    constants = {
        constant: _objects(constant, size, count, seed) for constant in sorted(signature.constants)
    }
    return Models(size, count, constants, drawn(1), drawn(2))


def _octets(symbol: str, rows: int, size: int, count: int, seed: Seed) -> npt.NDArray[np.uint8]:
    scope = json.dumps([*seed, size, count, symbol, 2]).encode()
    digest = hashlib.shake_256(scope).digest(rows * count)
    return np.frombuffer(digest, np.uint8).reshape(rows, count)


@lru_cache(maxsize=1024)
def _extension(predicate: str, arity: int, size: int, count: int, seed: Seed) -> Bools:
    drawn = _octets(predicate, size**arity + 1, size, count, seed)
    cells = (drawn[1:] < drawn[0]).reshape((size,) * arity + (count,))
    cells.setflags(write=False)
    return np.moveaxis(cells, -1, 0)


@lru_cache(maxsize=1024)
def _objects(constant: str, size: int, count: int, seed: Seed) -> npt.NDArray[np.int_]:
    high, low = _octets(constant, 2, size, count, seed).astype(np.int_)
    objects: npt.NDArray[np.int_] = (high * 256 + low) * size >> 16
    objects.setflags(write=False)
    return objects


def widths(formula: Formula) -> tuple[int, ...]:
    """Count the subformulas by how many variables are free in them: none, one, ...

    A subformula with n free variables has ``size ** n`` truth values in a model.
    """
    counts = [0] * (len(VARIABLES) + 1)

    def free(part: Formula) -> frozenset[str]:
        match part:
            case Atom(_, terms):
                found = VARIABLES.intersection(terms)
            case Not(body):
                found = free(body)
            case Binary(_, left, right):
                found = free(left) | free(right)
            case Quantified(_, variable, body):
                found = free(body) - {variable}
        counts[len(found)] += 1
        return found

    free(formula)
    return tuple(counts)


def evaluate(formula: Formula, models: Models) -> Bools:
    """Return the truth value of a sentence in each model, ``[count]``.

    Every subformula becomes an array with one axis per free variable, aligned by the variables'
    names, so that time is linear in the formula's length however deep the quantifiers nest. Models
    are taken in parts of at most :data:`MAX_CELLS` cells an array, which bounds the memory.

    Raises:
        MissingSymbolError: When the models lack a symbol of the formula.
        FreeVariableError: When the formula is no sentence.
        TooLargeError: When one model alone takes more than :data:`MAX_CELLS` cells.
    """
    largest = models.size ** len(VARIABLES)
    if largest * models.count > MAX_CELLS:  # only then is it worth a closer look
        largest = models.size ** max(width for width, n in enumerate(widths(formula)) if n)
    if largest > MAX_CELLS:
        raise TooLargeError(
            f"a subformula has {largest} truth values in a model of size {models.size}, "
            f"more than {MAX_CELLS}. Use fewer variables at once, or a smaller model."
        )
    step = MAX_CELLS // largest
    parts = [
        _Evaluation(models, slice(start, start + step)).truth(formula)
        for start in range(0, models.count, step)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, np.bool_)


class _Table(NamedTuple):
    """Truth values of a subformula: ``values[x, y, ..., model]`` for ``axes`` x, y, ..., sorted."""

    axes: tuple[str, ...]
    values: Bools

    def along(self, axes: tuple[str, ...]) -> Bools:
        """Give the values an axis for each name; those that don't matter have length 1."""
        if axes == self.axes:
            return self.values
        return self.values[tuple(slice(None) if name in self.axes else None for name in axes)]


class _Evaluation:
    """Evaluation in a part of the models."""

    def __init__(self, models: Models, part: slice) -> None:
        self.models = models
        self.part = part
        self.index = np.arange(*part.indices(models.count))

    def truth(self, sentence: Formula) -> Bools:
        axes, values = self.table(sentence)
        if axes:
            raise FreeVariableError(
                f"{', '.join(axes)} occurs free in {sentence}. Bind it by a quantifier."
            )
        return np.broadcast_to(values, self.index.shape)

    def table(self, formula: Formula) -> _Table:
        match formula:
            case Atom(predicate, (term,)):
                return self.monadic(predicate, term)
            case Atom(predicate, (first, second)):
                return self.binary(predicate, first, second)
            case Not(body):
                axes, values = self.table(body)
                return _Table(axes, ~values)
            case Binary(connective, left, right):
                return _joined(connective, self.table(left), self.table(right))
            case Quantified(quantifier, variable, body):
                return _quantified(quantifier, variable, self.table(body))
        raise ValueError(f"{formula} has no truth value. Give atoms one or two terms.")

    def monadic(self, predicate: str, term: str) -> _Table:
        values = self.extension(self.models.monadic, predicate, "monadic predicate")
        if term in VARIABLES:
            return _Table((term,), values[self.part].T)
        return _Table((), values[self.index, self.object(term)])

    def binary(self, predicate: str, first: str, second: str) -> _Table:
        values = self.extension(self.models.binary, predicate, "binary predicate")
        if first == second and first in VARIABLES:
            return _Table((first,), np.diagonal(values[self.part], axis1=1, axis2=2).T)
        if first not in VARIABLES and second not in VARIABLES:
            return _Table((), values[self.index, self.object(first), self.object(second)])
        if first not in VARIABLES:
            return _Table((second,), values[self.index, self.object(first)].T)
        if second not in VARIABLES:
            return _Table((first,), values.swapaxes(1, 2)[self.index, self.object(second)].T)
        order = (1, 2, 0) if first < second else (2, 1, 0)
        axes = (first, second) if first < second else (second, first)
        return _Table(axes, values[self.part].transpose(order))

    def extension(self, extensions: Mapping[str, Bools], predicate: str, what: str) -> Bools:
        try:
            return extensions[predicate]
        except KeyError:
            raise MissingSymbolError(predicate, what) from None

    def object(self, constant: str) -> npt.NDArray[Any]:
        try:
            return self.models.constants[constant][self.part]
        except KeyError:
            raise MissingSymbolError(constant, "constant") from None


def _joined(connective: str, left: _Table, right: _Table) -> _Table:
    axes = left.axes
    if right.axes != axes:
        axes = tuple(sorted({*axes, *right.axes}))
    return _Table(axes, _CONNECTIVES[connective](left.along(axes), right.along(axes)))


def _quantified(quantifier: str, variable: str, body: _Table) -> _Table:
    if variable not in body.axes:
        return body
    place = body.axes.index(variable)
    axes = body.axes[:place] + body.axes[place + 1 :]
    return _Table(axes, _QUANTIFIERS[quantifier].reduce(body.values, axis=place))


# -- one model -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Structure:
    """A domain and what constants and predicates mean in it.

    Raises:
        ValueError: When the domain is empty or has an object twice, or when a constant or
            predicate speaks of an object outside the domain.
    """

    domain: tuple[int, ...]
    constants: Mapping[str, int]
    monadic: Mapping[str, frozenset[int]]
    binary: Mapping[str, frozenset[tuple[int, int]]]

    def __post_init__(self) -> None:
        """Check that the domain is one, and that everything is inside."""
        if not self.domain or len(set(self.domain)) < len(self.domain):
            raise ValueError(
                f"domain {list(self.domain)} is empty or has an object twice. "
                "List each of at least one object once."
            )
        mentioned: dict[str, Iterable[int]] = {
            **{name: (value,) for name, value in self.constants.items()},
            **self.monadic,
            **{name: chain(*pairs) for name, pairs in self.binary.items()},
        }
        for name, values in mentioned.items():
            if outside := set(values) - set(self.domain):
                raise ValueError(
                    f"{name} speaks of {min(outside)}, which is not in the domain "
                    f"{list(self.domain)}. Use objects of the domain."
                )

    @cached_property
    def as_models(self) -> Models:
        """The same as a batch of one, its objects numbered in the domain's order."""
        domain = self.domain
        return Models(
            size=len(domain),
            count=1,
            constants={
                name: np.array([domain.index(value)]) for name, value in self.constants.items()
            },
            monadic={
                name: np.array([[value in objects for value in domain]])
                for name, objects in self.monadic.items()
            },
            binary={
                name: np.array([[[(one, other) in pairs for other in domain] for one in domain]])
                for name, pairs in self.binary.items()
            },
        )


def holds(formula: Formula, structure: Structure) -> bool:
    """Say whether a sentence is true in a structure.

    Raises:
        MissingSymbolError: When the structure lacks a symbol of the sentence.
        FreeVariableError: When the formula is no sentence.
        TooLargeError: When the domain is too large for so many variables.

    >>> from logic_curriculum.rewards.engines.fol.parser import parse
    >>> structure = Structure((0, 1), {"a": 1}, {"F": frozenset({1})}, {})
    >>> holds(parse("Fa"), structure), holds(parse("∀xFx"), structure)
    (True, False)
    """
    return bool(evaluate(formula, structure.as_models)[0])


def structure_of(models: Models, index: int) -> Structure:
    """Return one of many models as a structure, its domain ``0 .. size - 1``."""
    return Structure(
        domain=tuple(range(models.size)),
        constants={name: int(values[index]) for name, values in models.constants.items()},
        monadic={
            name: frozenset(np.flatnonzero(values[index]).tolist())
            for name, values in models.monadic.items()
        },
        binary={
            name: frozenset(
                (first, second) for first, second in np.argwhere(values[index]).tolist()
            )
            for name, values in models.binary.items()
        },
    )
