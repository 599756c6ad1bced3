"""Evens out how much the right option looks like the premises.

The words of logic in the premises decide what follows, so that the option that is most like some
premise, function words included, would be right more often than by chance. Among the premises that
entail the right option, those are picked where its likeness has a rank that was drawn before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from generators.logicskills.sentences import Sentence

Words = frozenset[str]


def likeness(option: Words, premises: Sequence[Words]) -> float:
    """Return the greatest share of common words among all words of the option and a premise."""
    return max(len(option & premise) / len(option | premise) for premise in premises)


def pick_evenly(
    premises: Mapping[int, Sequence[Sentence]],
    options: Sequence[Sentence],
    right: int,
    words: Callable[[Sentence], Words],
    rng: random.Random,
) -> int:
    """Pick premises under which the right option's likeness to them has a random rank.

    Args:
        premises: Those to pick from, by number; at least one.
        options: The options among which the right one is ranked.
        right: Place of the right option.
        words: Returns the words with which a sentence is said.
        rng: What decides.

    Returns:
        The number of the premises whose rank is nearest to the one drawn.
    """
    said = [words(option) for option in options]
    target = rng.randrange(len(options))
    distances: dict[int, int] = {}
    for number in rng.sample(list(premises), len(premises)):
        there = [words(premise) for premise in premises[number]]
        scores = [likeness(option, there) for option in said]
        first = sum(score > scores[right] for score in scores)
        last = first + scores.count(scores[right]) - 1
        distances[number] = max(first - target, target - last, 0)
    return min(distances, key=distances.__getitem__)
