"""Keeps an option's likeness to the premises from telling whether it is right.

The words of logic in the premises decide what follows, so that the option that is most like some
premise, function words included, would be right more often than by chance. Therefore premises count
only if there are others for each of the options that put all of them in the same *order*: which
option is more like a premise than which other one, and which are equally alike. Whoever knows this
order as well as the options can't tell for which of them the premises were made.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from generators.logicskills.arguments import Combinations, Indices
from generators.logicskills.sentences import Sentence
from generators.logicskills.validity_wording import Wording, Words

Bools = npt.NDArray[np.bool_]
Shares = npt.NDArray[np.float64]


def likenesses(
    combinations: Combinations, rows: Indices, options: Sequence[Sentence], wording: Wording
) -> Shares:
    """Return how much each option is like the premise, or the axiom, that it is most like.

    Likeness is the share of common words among all words of the two. Equal shares are equal floats.

    Args:
        combinations: The premises.
        rows: Which combinations to look at.
        options: Sentences that are compared with the premises.
        wording: Says the sentences.

    Returns:
        Shares of shape ``[rows, options]``.
    """
    said = [wording.words(option) for option in options]
    best = np.tile(_shares([wording.axiom], said), (len(rows), 1))
    for variants, chosen in zip(combinations.variants, combinations.chosen[:, rows], strict=True):
        used, places = np.unique(chosen, return_inverse=True)
        premises = [wording.words(variants[variant].sentence) for variant in used]
        best = np.maximum(best, _shares(premises, said)[places])
    return best


def _shares(premises: Sequence[Words], options: Sequence[Words]) -> Shares:
    number = {word: i for i, word in enumerate(sorted(frozenset().union(*premises, *options)))}
    one, other = _table(premises, number), _table(options, number)
    common = one @ other.T
    shares: Shares = common / (one.sum(axis=1)[:, None] + other.sum(axis=1) - common)
    return shares


def _table(sentences: Sequence[Words], number: dict[str, int]) -> npt.NDArray[np.int64]:
    table = np.zeros((len(sentences), len(number)), np.int64)
    for row, words in zip(table, sentences, strict=True):
        row[[number[word] for word in words]] = 1
    return table


def refine(orders: Indices, shares: Shares, added: Shares) -> Indices:
    """Return the order under each combination with one more option.

    Args:
        orders: A number for each combination, equal where the order of the options so far is.
        shares: Likeness of the options so far, ``[combinations, options]``.
        added: Likeness of the option to add, ``[combinations]``.
    """
    signs = np.sign(added[:, None] - shares).astype(np.intp) + 1
    powers = 3 ** np.arange(shares.shape[1])
    return orders * 3 ** len(powers) + signs @ powers


def shared_orders(orders: Indices, right: Indices, options: int) -> Indices:
    """Return the orders in which each option is the right one of some combination.

    Args:
        orders: As :func:`refine` returns them.
        right: The option that each combination makes the right one, by its place, -1 for none.
        options: Number of options.
    """
    decided = np.flatnonzero(right >= 0)
    known, places = np.unique(orders[decided], return_inverse=True)
    found = np.zeros((len(known), options), np.bool_)
    found[places, right[decided]] = True
    return known[found.all(axis=1)]
