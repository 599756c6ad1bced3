"""Keeps an option's likeness to the premises from telling whether it is right.

The words of logic in the premises decide what follows, so that the option that is most like some
premise, function words included, would be right more often than by chance. Therefore premises count
only if there are others for each of the options that put all of them in the same *order*: which
option is more like a premise than which other one, and which are equally alike. Whoever knows this
order as well as the options can't tell for which of them the premises were made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.logicskills.arguments import Combinations, Composition, Indices
from logic_curriculum.generators.logicskills.validity_wording import Wording

Shares = npt.NDArray[np.float64]
Orders = Mapping[int, int]
"""Order of likeness, as a number → the set of the combinations that put options in this order."""

MOST_WORDS = 256
"""Different words in the sentences of one draft, at most."""


def likenesses(
    combinations: Combinations, rows: Indices, options: Sequence[Composition], wording: Wording
) -> Shares:
    """Return how much each option is like the premise, or the axiom, that it is most like.

    Likeness is the share of common words among all words of the two. Equal shares are equal floats.

    Args:
        combinations: The premises.
        rows: Which combinations to look at.
        options: Sentences that are compared with the premises.
        wording: Says the sentences.

    Returns:
        Shares of shape ``[options, rows]``.
    """
    said = _table([wording.words(option) for option in options])
    best = np.tile(_shares(said, _table([wording.axiom])), len(rows))
    for variants, chosen in zip(combinations.variants, combinations.chosen[:, rows], strict=True):
        used, places = np.unique(chosen, return_inverse=True)
        premises = _table([wording.words(variants[variant]) for variant in used])
        best = np.maximum(best, _shares(said, premises)[:, places])
    return best


def _table(sentences: Sequence[int]) -> npt.NDArray[np.uint64]:
    """Return sets of words as bits, ``[sentences, words of bits]``."""
    octets = b"".join(words.to_bytes(MOST_WORDS // 8, "little") for words in sentences)
    return np.frombuffer(octets, np.uint64).reshape(len(sentences), -1)


def _shares(options: npt.NDArray[np.uint64], premises: npt.NDArray[np.uint64]) -> Shares:
    one, other = options[:, None], premises[None]
    common = np.bitwise_count(one & other).sum(axis=-1, dtype=np.int64)
    shares: Shares = common / np.bitwise_count(one | other).sum(axis=-1, dtype=np.int64)
    return shares


def refine(
    orders: Orders, compared: Sequence[tuple[int, int]], right: Iterable[int]
) -> dict[int, int]:
    """Return the orders of likeness with one more option, if each option may be right in them.

    Args:
        orders: Those of the options so far.
        compared: For each of these, the combinations that put the new one below it, and above it.
        right: For each option, the new one included, the combinations that make it right.
    """
    found = {order * 3 ** len(compared): rows for order, rows in orders.items()}
    for place, (below, above) in enumerate(compared):
        parts = (
            (order + sign * 3**place, rows & side)
            for order, rows in found.items()
            for sign, side in enumerate((below, ~(below | above), above))
        )
        found = shared(dict(parts), right)
    return found


def shared(orders: Orders, right: Iterable[int]) -> dict[int, int]:
    """Return the orders in which each option is right in some combination."""
    return {order: rows for order, rows in orders.items() if all(rows & one for one in right)}
