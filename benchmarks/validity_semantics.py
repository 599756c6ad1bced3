"""Ways to pick an option by what it means, without asking whether the premises entail it.

These look at the options' formulas in random models of the domain axiom. They are no shortcuts that
a reader of the prompt could take by looking; they show whether the options give the answer away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol import Models, Signature, evaluate, parse, random_models

SIZE = 4
MODELS = 512
KINDS = "MNO"

Bools = npt.NDArray[np.bool_]


@lru_cache(maxsize=1)
def models() -> Models:
    """Return random models of the domain axiom with all symbols of the paper's lexicons."""
    arities = dict.fromkeys("FGHIJKL" + KINDS, 1) | dict.fromkeys("PQR", 2)
    found = random_models(Signature(arities, frozenset("abc")), SIZE, MODELS, "shortcuts")
    last = np.array([derive_seed("kind", model) % len(KINDS) for model in range(MODELS)])
    kinds = np.stack([*(np.full(MODELS, kind) for kind in range(len(KINDS))), last], axis=1)
    monadic = {kind: kinds == place for place, kind in enumerate(KINDS)}
    return Models(SIZE, MODELS, found.constants, {**found.monadic, **monadic}, found.binary)


@lru_cache(maxsize=100_000)
def truth(formula: str) -> Bools:
    """Return in which of the models a formula is true."""
    return evaluate(parse(formula), models())


def _given(option: Bools, premise: Bools) -> float:
    """Return how probable an option is among the models of a premise."""
    return float((option & premise).sum() + 1) / float(premise.sum() + 2)


def _probability(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return float(option.mean())


def _others_below(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(not (other & ~option).any() for other in options)


def _others_above(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(not (option & ~other).any() for other in options)


def _agreement(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(float((option == other).mean()) for other in options)


def _supported(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(float(np.log(_given(option, premise))) for premise in premises)


def _raised(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    base = _given(option, np.ones_like(option))
    return sum(float(np.log(_given(option, premise) / base)) for premise in premises)


Score = Callable[[Bools, Sequence[Bools], Sequence[Bools]], float]
SCORES: Mapping[str, tuple[Score, int]] = {
    "the most probable option": (_probability, 1),
    "the least probable option": (_probability, -1),
    "the option that most others entail": (_others_below, 1),
    "the option that entails most others": (_others_above, 1),
    "the option most like the others in truth": (_agreement, 1),
    "the option least like the others in truth": (_agreement, -1),
    "the most probable given single premises": (_supported, 1),
    "the most raised by single premises": (_raised, 1),
}
"""What options are compared by, and whether the highest or the lowest is taken."""


def answers(tasks: Sequence[Task]) -> dict[str, list[str]]:
    """Return the answers of all these strategies by name."""
    return {
        name: [_pick(score, sign, task) for task in tasks] for name, (score, sign) in SCORES.items()
    }


def _pick(score: Score, sign: int, task: Task) -> str:
    options = [truth(text) for text in task.metadata["options"]]
    premises = [truth(text) for text in task.metadata["premises"]]
    values = [sign * score(option, options, premises) for option in options]
    best = [i for i, value in enumerate(values) if value == max(values)]
    return str(best[derive_seed("tie", task.prompt) % len(best)] + 1)
