"""Sentences that logic alone decides are no tasks: a tautology would be a right answer."""

from __future__ import annotations

from functools import lru_cache

from logic_curriculum.generators.logicskills.constructions import ALL_SYMBOLS
from logic_curriculum.generators.logicskills.sentences import Sentence, contradicts_itself
from logic_curriculum.rewards.engines.fol.models import Models, evaluate, random_models
from logic_curriculum.rewards.engines.fol.syntax import Signature

_SIZES = (2, 3)
_MODELS = 128
"""Models of each size."""


def is_contingent(sentence: Sentence) -> bool:
    """Return whether a sentence is true in one model and false in another, of 256 random ones.

    A sentence that nearly every model decides in the same way is refused as well.
    """
    if not sentence.parts:
        return True
    if contradicts_itself(sentence):
        return False
    seen: set[bool] = set()
    for models in _models():
        truth = evaluate(sentence.formula, models)
        seen.update((bool(truth.any()), bool(truth.all())))
        if len(seen) > 1:
            return True
    return False


@lru_cache(maxsize=1)
def _models() -> tuple[Models, ...]:
    arities = {
        **dict.fromkeys(ALL_SYMBOLS.monadic + ALL_SYMBOLS.kinds, 1),
        **dict.fromkeys(ALL_SYMBOLS.binary, 2),
    }
    symbols = Signature(arities, frozenset(ALL_SYMBOLS.names))
    return tuple(random_models(symbols, size, _MODELS, "contingency") for size in _SIZES)
