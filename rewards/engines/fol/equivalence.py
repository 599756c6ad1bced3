"""Are two sentences equivalent? Both directions, refuted by finite models or proven by Z3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from logic_curriculum.rewards.engines.fol.models import (
    FreeVariableError,
    Models,
    evaluate,
    random_models,
    widths,
)
from logic_curriculum.rewards.engines.fol.normal import normal_form
from logic_curriculum.rewards.engines.fol.prover import entails
from logic_curriculum.rewards.engines.fol.structure import Structure, structure_of
from logic_curriculum.rewards.engines.fol.syntax import (
    Formula,
    Signature,
    free_variables,
    signature,
)

RLIMIT = 300_000
"""Z3 resource units for each direction: 40 times what any published pair takes."""

_SIZES = (1, 2, 3, 4)
_MODELS = 256
_MAX_CELLS = 1 << 23

Relation = Literal["equivalent", "stronger", "weaker", "unrelated"]


@dataclass(frozen=True)
class Equivalence:
    """How one sentence relates to another."""

    verdict: bool | None
    """Whether they are equivalent; None when Z3's budget did not suffice."""
    relation: Relation | None
    """What the first is: ``stronger`` when it entails the second but not the other way round,
    ``weaker`` for the reverse, ``unrelated`` when neither entails the other. None when unknown,
    which it may be although the verdict is False."""
    countermodel: Structure | None
    """A structure of at most four objects in which they differ, if one was found."""


@lru_cache(maxsize=1024)
def equivalent(first: Formula, second: Formula) -> Equivalence:
    """Compare two sentences.

    Random finite models of 1 to 4 objects are tried first, 256 of each size, since they refute
    nearly everything that is not equivalent within a fraction of a millisecond. Of sentences that
    take very long to evaluate, fewer models are tried. Z3 decides what the models leave open.

    Raises:
        ArityClashError: When a predicate occurs with different numbers of arguments.
        FreeVariableError: When a formula is no sentence.

    >>> from logic_curriculum.rewards.engines.fol.parser import parse
    >>> equivalent(parse("∀x(Fx→Gx)"), parse("¬∃y(Fy∧¬Gy)")).verdict
    True
    >>> found = equivalent(parse("∀xFx"), parse("∃xFx"))
    >>> found.verdict, found.relation, found.countermodel.monadic["F"]
    (False, 'stronger', frozenset({1}))
    """
    symbols = signature(first, second)
    for formula in (first, second):
        if free := free_variables(formula):
            raise FreeVariableError(
                f"{', '.join(sorted(free))} occurs free in {formula}. Bind it by a quantifier."
            )
    if normal_form(first) == normal_form(second):
        return Equivalence(True, "equivalent", None)
    refuted_forth, refuted_back, countermodel = _refuted(first, second, symbols)
    forth = False if refuted_forth else entails([first], second, rlimit=RLIMIT)
    back = False if refuted_back else entails([second], first, rlimit=RLIMIT)
    if forth is None and back is None:
        return Equivalence(None, None, None)
    if forth is None or back is None:
        verdict = None if forth or back else False
        return Equivalence(verdict, None, countermodel)
    relations: dict[tuple[bool, bool], Relation] = {
        (True, True): "equivalent",
        (True, False): "stronger",
        (False, True): "weaker",
        (False, False): "unrelated",
    }
    return Equivalence(forth and back, relations[forth, back], countermodel)


def _refuted(
    first: Formula, second: Formula, symbols: Signature
) -> tuple[bool, bool, Structure | None]:
    """Say which directions fail in a finite model, and return the first model of all."""
    forth = back = False
    countermodel = None
    for models in _models(first, second, symbols):
        here, there = evaluate(first, models), evaluate(second, models)
        if countermodel is None and (here != there).any():
            countermodel = structure_of(models, int(np.argmax(here != there)))
        forth = forth or bool((here > there).any())
        back = back or bool((here < there).any())
        if forth and back:
            break
    return forth, back, countermodel


def _models(first: Formula, second: Formula, symbols: Signature) -> Iterator[Models]:
    subformulas = [sum(pair) for pair in zip(widths(first), widths(second), strict=True)]
    for size in _SIZES:
        cells = sum(count * size**width for width, count in enumerate(subformulas))
        if count := min(_MODELS, _MAX_CELLS // cells):
            yield _drawn(symbols, size, count)


def _drawn(symbols: Signature, size: int, count: int) -> Models:
    """Put models together from those of each symbol, which most formulas share."""
    arities = symbols.arities
    monadic, binary = (
        {
            name: _interpretation(name, wanted, size, count)
            for name, arity in arities.items()
            if arity == wanted
        }
        for wanted in (1, 2)
    )
    constants = {name: _interpretation(name, 0, size, count) for name in sorted(symbols.constants)}
    return Models(size, count, constants, monadic, binary)


@lru_cache(maxsize=1024)
def _interpretation(symbol: str, arity: int, size: int, count: int) -> npt.NDArray[Any]:
    if not arity:
        constant = Signature({}, frozenset((symbol,)))
        return random_models(constant, size, count, "equivalence").constants[symbol]
    models = random_models(Signature({symbol: arity}, frozenset()), size, count, "equivalence")
    return (models.monadic if arity == 1 else models.binary)[symbol]
