"""Which option is right can't be told from how much the options are like the premises."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from generators import generate
from generators.logicskills.argument_levels import draw_draft
from generators.logicskills.arguments import clauses_of, combine
from generators.logicskills.lexicon import load_lexicon
from generators.logicskills.renaming import draw_renaming, rename_sentence
from generators.logicskills.sentences import realize
from generators.logicskills.validity_balance import likenesses, refine, shared_orders
from generators.logicskills.validity_levels import LEVELS
from generators.logicskills.validity_search import OPTIONS, draw_subject, search, stored_models
from generators.logicskills.validity_wording import Wording

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
    wording = Wording(renaming)
    found = search(
        question, FixedAnswer(seed, right), minimal=True, belongs=lambda _: True, wording=wording
    )
    if found is None:
        return None
    said = [
        [realize(rename_sentence(item, renaming), LEXICON) for item in sentences]
        for sentences in (found.options, found.premises)
    ]
    return found, *said


@pytest.mark.parametrize("level", [1, 3, 5, 8])
def test_whichever_option_is_right_options_and_order_of_likeness_are_the_same(level):
    seeds = (seed for seed in range(1_000) if find(LEVELS[level - 1].questions[0], seed, 0))
    for seed in (next(seeds), next(seeds)):
        cases = [find(LEVELS[level - 1].questions[0], seed, right) for right in range(OPTIONS)]
        assert [found.right for found, *_ in cases] == list(range(OPTIONS))
        assert len({tuple(options) for _, options, _ in cases}) == 1
        assert len({tuple(premises) for *_, premises in cases}) == OPTIONS
        orders = [
            order_of(options, [LEXICON.domain_axiom, *premises]) for _, options, premises in cases
        ]
        assert all(order == orders[0] for order in orders)


def test_likeness_counts_function_words_and_the_axiom():
    rng = random.Random(5)
    question = LEVELS[4].questions[0]
    subject = draw_subject(question, rng)
    clauses = clauses_of(stored_models())
    draft = draw_draft(question.material, subject.topics, subject.topics, clauses, rng)
    combinations = combine(draft, clauses, rng, variants=8, count=40, near=4)
    options = [item.sentence for item in clauses.on(subject.topics[0], alone=False)]
    renaming = draw_renaming(rng)
    rows = np.arange(3, 30, 7)
    found = likenesses(combinations, rows, options, Wording(renaming))
    for row, shares in zip(rows, found, strict=True):
        premises = [
            realize(rename_sentence(item, renaming), LEXICON)
            for item in combinations.sentences(row)
        ]
        for option, share in zip(options, shares, strict=True):
            text = realize(rename_sentence(option, renaming), LEXICON)
            assert share == float(likeness(text, [LEXICON.domain_axiom, *premises]))


def test_orders_are_equal_where_every_pair_of_options_compares_alike():
    shares = np.array([[0.5, 0.2, 0.3], [0.9, 0.1, 0.8], [0.5, 0.5, 0.3], [0.2, 0.5, 0.3]])
    orders = np.zeros(4, np.intp)
    for option in range(3):
        orders = refine(orders, shares[:, :option], shares[:, option])
    assert orders[0] == orders[1]
    assert len(set(orders.tolist())) == 3


def test_an_order_is_shared_where_each_option_is_right_in_some_combination():
    orders = np.array([4, 4, 4, 7, 7, 7])
    assert shared_orders(orders, np.array([0, -1, 1, 0, 0, -1]), 2).tolist() == [4]
    assert shared_orders(orders, np.array([0, -1, 1, 1, 0, -1]), 2).tolist() == [4, 7]
    assert shared_orders(orders, np.array([0, -1, 0, 1, 1, -1]), 2).tolist() == []


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
        rank = order[int(task.solution) - 1]
        ties = order.count(rank)
        for place in range(rank, rank + ties):
            at_rank[place] += Fraction(1, ties)
    mean, spread = len(tasks) / OPTIONS, (len(tasks) * 5 / 36) ** 0.5
    assert all(abs(at_rank[place] - mean) < 4 * spread for place in range(OPTIONS))
