"""Which option is right can't be told from how much the options are like the premises."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.logicskills.sentences import (
    draw_renaming,
    load_lexicon,
    realize,
    rename_sentence,
)
from logic_curriculum.generators.logicskills.validity import LEVELS, search
from logic_curriculum.generators.logicskills.validity_options import OPTIONS

LEXICON = load_lexicon("english")


def words_of(text):
    return set(text.lower().rstrip(".").replace(",", "").split())


def likeness(option, situation):
    """Return the greatest share of common words among all words of an option and a sentence."""
    mine = words_of(option)
    return max(
        Fraction(len(mine & words_of(said)), len(mine | words_of(said))) for said in situation
    )


def order_of(options, situation):
    """Return for each option how many others are more like some sentence."""
    shares = [likeness(option, situation) for option in options]
    return [sum(other > share for other in shares) for share in shares]


class FixedAnswer(random.Random):
    """Makes one place the right one, and draws everything else by the seed."""

    def __new__(cls, seed, right):
        return super().__new__(cls, seed)

    def __init__(self, seed, right):
        super().__init__(seed)
        self.right = right

    def randrange(self, start, *rest):
        return self.right if start == OPTIONS else super().randrange(start, *rest)


def find(question, seed, right):
    renaming = draw_renaming(random.Random(seed))
    answer = FixedAnswer(seed, right)
    found = search(question, answer, minimal=True, split="train", renaming=renaming)
    if found is None:
        return None
    said = [
        [realize(rename_sentence(item, renaming), LEXICON) for item in sentences]
        for sentences in (found.options, found.premises)
    ]
    return found, *said


@pytest.mark.parametrize("level", [1, 3, 5, 8])
def test_whichever_option_is_right_options_and_order_of_likeness_are_the_same(level):
    seeds = (seed for seed in range(1_000) if find(LEVELS[level - 1][0], seed, 0))
    for seed in (next(seeds), next(seeds)):
        cases = [find(LEVELS[level - 1][0], seed, right) for right in range(OPTIONS)]
        assert [found.right for found, *_ in cases] == list(range(OPTIONS))
        assert len({tuple(options) for _, options, _ in cases}) == 1
        assert len({tuple(premises) for *_, premises in cases}) == OPTIONS
        rankings = [
            order_of(options, [LEXICON.domain_axiom, *premises]) for _, options, premises in cases
        ]
        assert all(order == rankings[0] for order in rankings)


@pytest.mark.slow
def test_the_right_option_is_as_often_at_each_rank_of_likeness():
    """Ties are shared evenly. No rank is off by four standard deviations of a guess."""
    count = 200
    at_rank = Counter()
    tasks = [generate("validity", level, seed) for level in range(1, 11) for seed in range(count)]
    for task in tasks:
        about = task.metadata
        order = order_of(
            about["option_sentences"], [LEXICON.domain_axiom, *about["premise_sentences"]]
        )
        rank = order[task.verification["correct"][0] - 1]
        ties = order.count(rank)
        for place in range(rank, rank + ties):
            at_rank[place] += Fraction(1, ties)
    mean, spread = len(tasks) / OPTIONS, (len(tasks) * 5 / 36) ** 0.5
    assert all(abs(at_rank[place] - mean) < 4 * spread for place in range(OPTIONS))
