"""One finite model, as a person or a language model writes it, and truth in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from logic_curriculum.rewards.engines.fol.models import Models, evaluate
from logic_curriculum.rewards.engines.fol.syntax import Formula


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
        objects = frozenset(self.domain)
        if not self.domain or len(objects) < len(self.domain):
            raise ValueError(
                f"domain {list(self.domain)} is empty or has an object twice. "
                "List each of at least one object once."
            )
        mentioned: dict[str, frozenset[int]] = {
            **{name: frozenset((value,)) for name, value in self.constants.items()},
            **self.monadic,
            **{
                name: frozenset(i for pair in self.binary[name] for i in pair)
                for name in self.binary
            },
        }
        for name, values in mentioned.items():
            if values - objects:
                raise ValueError(
                    f"{name} speaks of {min(values - objects)}, which is not in the domain "
                    f"{list(self.domain)}. Use objects of the domain."
                )

    @cached_property
    def as_models(self) -> Models:
        """The same as a batch of one, its objects numbered in the domain's order."""
        place = {value: index for index, value in enumerate(self.domain)}
        size = len(self.domain)
        monadic = {name: np.zeros((1, size), np.bool_) for name in self.monadic}
        binary = {name: np.zeros((1, size, size), np.bool_) for name in self.binary}
        for name, objects in self.monadic.items():
            for value in objects:
                monadic[name][0, place[value]] = True
        for name, pairs in self.binary.items():
            for first, second in pairs:
                binary[name][0, place[first], place[second]] = True
        constants = {name: np.array([place[value]]) for name, value in self.constants.items()}
        return Models(size, 1, constants, monadic, binary)


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
