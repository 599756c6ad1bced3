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

from logic_curriculum.rewards.engines.fol import syntax
from logic_curriculum.rewards.engines.fol.syntax import VARIABLES, Formula, Signature

Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.int_]

MAX_CELLS = 1 << 26
"""Most truth values of one subformula: models * size ** (its free variables)."""

_CONNECTIVES: Mapping[str, Callable[[Bools, Bools], Bools]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "imp": np.less_equal,
    "iff": np.equal,
}
_QUANTIFIERS: Mapping[str, np.ufunc] = {"forall": np.logical_and, "exists": np.logical_or}


class TooLargeError(ValueError):
    """A formula has too many variables free at once for models of this size."""


@dataclass(frozen=True)
class Models:
    """Finite models of one size, whose domains are ``0 .. size - 1``.

    Any memory layout is right; :func:`evaluate` is fastest when neighbouring models are neighbours
    in memory, as in the arrays of :func:`random_models`.
    """

    size: int  # objects in each domain, at least 1
    count: int
    constants: Mapping[str, Objects]  # constant → the object it names, [count]
    monadic: Mapping[str, Bools]  # predicate → [count, size]
    binary: Mapping[str, Bools]  # predicate → [count, size, size]

    @cached_property
    def indices(self) -> Objects:
        """The number of each model."""
        return np.arange(self.count)


def random_models(signature: Signature, size: int, count: int, *seed: str | int) -> Models:
    """Draw models of a signature; equal arguments give equal models on every machine.

    How dense a predicate is differs from model to model, uniformly from empty to nearly full, so
    that universal sentences hold in many models and existential ones fail in many. What a symbol
    means does not depend on the other symbols. Arrays are kept, and can't be written to.

    >>> models = random_models(Signature({"F": 1}, frozenset("a")), 2, 3, "doc")
    >>> models.monadic["F"].shape, models.constants["a"].shape
    ((3, 2), (3,))
    """
    scope = (size, count, seed)
    extensions: tuple[dict[str, Bools], ...] = ({}, {}, {})
    for name, arity in signature.arities.items():
        extensions[arity][name] = _extension(name, arity, *scope)
    constants = {name: _objects(name, *scope) for name in sorted(signature.constants)}
    return Models(size, count, constants, *extensions[1:])


Seed = tuple[str | int, ...]


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
def _objects(constant: str, size: int, count: int, seed: Seed) -> Objects:
    high, low = _octets(constant, 2, size, count, seed).astype(np.int_)
    objects: Objects = (high * 256 + low) * size >> 16
    objects.setflags(write=False)
    return objects


def widths(formula: Formula) -> tuple[int, ...]:
    """Count the subformulas by how many variables are free in them: none, one, ..."""
    counts = [0] * (len(VARIABLES) + 1)
    syntax.free_variables(formula, counts)
    return tuple(counts)


def check_size(formula: Formula, size: int, count: int = 1) -> None:
    """Raise a TooLargeError for what :func:`evaluate` refuses in so many models of a size."""
    largest = size ** max(width for width, n in enumerate(widths(formula)) if n)
    if largest * count > MAX_CELLS:
        raise TooLargeError(
            f"a subformula has {largest} truth values in a model of size {size}, too many "
            f"for {count} models. Use fewer variables at once, or a smaller model."
        )


def evaluate(formula: Formula, models: Models) -> Bools:
    """Return the truth value of a sentence in each model, ``[count]``.

    Every subformula becomes an array with one axis per free variable, aligned by the variables'
    names, so that time is linear in the formula's length however deep the quantifiers nest.

    Raises a KeyError for a symbol that the models do not interpret, a FreeVariableError when the
    formula is no sentence, and a TooLargeError when an array had more than :data:`MAX_CELLS` cells.
    """
    check_size(formula, models.size, models.count)
    axes, values = _table(formula, models)
    if axes:
        syntax.check_sentence(formula)  # raises
    return np.broadcast_to(values, models.count)


class _Table(NamedTuple):
    """Truth values of a subformula: ``values[x, y, ..., model]`` for ``axes`` x, y, ..., sorted."""

    axes: tuple[str, ...]
    values: Bools

    def along(self, axes: tuple[str, ...]) -> Bools:
        """Give the values an axis for each name; those that don't matter have length 1."""
        if axes == self.axes:
            return self.values
        return self.values[tuple(slice(None) if name in self.axes else None for name in axes)]


def _table(formula: Formula, models: Models) -> _Table:
    match formula:
        case syntax.Atom(predicate, terms):
            return _atom(predicate, terms, models)
        case syntax.Not(body):
            axes, values = _table(body, models)
            return _Table(axes, ~values)
        case syntax.Binary(connective, left_side, right_side):
            left, right = _table(left_side, models), _table(right_side, models)
            axes = left.axes
            if right.axes != axes:
                axes = tuple(sorted({*axes, *right.axes}))
            return _Table(axes, _CONNECTIVES[connective](left.along(axes), right.along(axes)))
        case syntax.Quantified(quantifier, variable, body):
            axes, values = _table(body, models)
            if variable not in axes:
                return _Table(axes, values)
            place = axes.index(variable)
            values = _QUANTIFIERS[quantifier].reduce(values, axis=place)
            return _Table(axes[:place] + axes[place + 1 :], values)


def _atom(predicate: str, terms: tuple[str, ...], models: Models) -> _Table:
    meaning = (models.monadic if len(terms) == 1 else models.binary)[predicate]
    free = tuple([term for term in terms if term in VARIABLES])
    if len(free) < len(terms):
        named = [slice(None) if term in VARIABLES else models.constants[term] for term in terms]
        meaning = meaning[(models.indices, *named)]  # [count, size, ...], an axis for each variable
    if len(free) < 2:
        return _Table(free, meaning.T)
    first, last = free
    if first == last:
        return _Table((first,), np.diagonal(meaning, axis1=1, axis2=2).T)
    if first < last:
        return _Table(free, meaning.transpose(1, 2, 0))
    return _Table((last, first), meaning.T)


@dataclass(frozen=True)
class Structure:
    """A domain and what constants and predicates mean in it."""

    domain: tuple[int, ...]  # at least one object, each once; nothing else is spoken of
    constants: Mapping[str, int]
    monadic: Mapping[str, frozenset[int]]
    binary: Mapping[str, frozenset[tuple[int, int]]]

    @cached_property
    def as_models(self) -> Models:
        """The same as a batch of one, its objects numbered in the domain's order."""
        domain = self.domain
        constants = {name: np.array([domain.index(at)]) for name, at in self.constants.items()}
        monadic = {f: np.array([[x in true for x in domain]]) for f, true in self.monadic.items()}
        binary = {
            name: np.array([[[(x, y) in pairs for y in domain] for x in domain]])
            for name, pairs in self.binary.items()
        }
        return Models(len(domain), 1, constants, monadic, binary)


def holds(formula: Formula, structure: Structure) -> bool:
    """Say whether a sentence is true in a structure; errors as for :func:`evaluate`.

    >>> from logic_curriculum.rewards.engines.fol.syntax import parse
    >>> structure = Structure((0, 1), {"a": 1}, {"F": frozenset({1})}, {})
    >>> holds(parse("Fa"), structure), holds(parse("∀xFx"), structure)
    (True, False)
    """
    return bool(evaluate(formula, structure.as_models)[0])


def structure_of(models: Models, index: int) -> Structure:
    """Return one of many models as a structure, its domain ``0 .. size - 1``."""

    def true_of(values: Bools) -> Iterable[Any]:
        return map(tuple, np.argwhere(values[index]).tolist())

    return Structure(
        domain=tuple(range(models.size)),
        constants={name: int(values[index]) for name, values in models.constants.items()},
        monadic={name: frozenset(chain(*true_of(f))) for name, f in models.monadic.items()},
        binary={name: frozenset(true_of(r)) for name, r in models.binary.items()},
    )
