"""Which option is right can't be told from how much the options are like the premises."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.logicskills.arguments import (
    Composition,
    clause_table,
    combine,
    draw_schema,
)
from logic_curriculum.generators.logicskills.constructions import LEAF, SHAPES, leaves
from logic_curriculum.generators.logicskills.lexicon import load_lexicon
from logic_curriculum.generators.logicskills.sentences import (
    draw_renaming,
    realize,
    rename_sentence,
)
from logic_curriculum.generators.logicskills.validity import (
    LEVELS,
    draw_subject,
    search,
    stored_models,
)
from logic_curriculum.generators.logicskills.validity_options import (
    OPTIONS,
    EnglishWords,
    balanced,
    refine,
    word_overlaps,
)

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


def test_likeness_counts_function_words_and_the_axiom():
    rng = random.Random(5)
    question = LEVELS[4][0]
    about, _ = draw_subject(question, rng)
    clauses = clause_table(stored_models())
    schema = draw_schema(question.premises, about, about, clauses, rng)
    combinations = combine(schema, clauses, rng, 8, 40, 4)
    options = [Composition(LEAF, (item,)) for item in clauses.on(about[0], alone=False)]
    renaming = draw_renaming(rng)
    rows = np.arange(3, 30, 7)
    found = word_overlaps(combinations, rows, options, renaming)
    for row, shares in zip(rows, found.T, strict=True):
        premises = [
            realize(rename_sentence(item.sentence, renaming), LEXICON)
            for item in combinations.compositions(row)
        ]
        for option, share in zip(options, shares, strict=True):
            text = realize(rename_sentence(option.sentence, renaming), LEXICON)
            assert share == float(likeness(text, [LEXICON.domain_axiom, *premises]))


def test_the_words_of_a_compound_are_those_of_its_text():
    rng = random.Random(3)
    clauses = clause_table(stored_models())
    pool = [item for topic in clauses.by_topic for item in clauses.on(topic, alone=True)]
    for shape in (shape for shapes in SHAPES.values() for shape in shapes):
        renaming = draw_renaming(rng)
        english = EnglishWords(renaming)
        sentence = Composition(shape, tuple(rng.sample(pool, leaves(shape))))
        text = realize(rename_sentence(sentence.sentence, renaming), LEXICON)
        assert english.words(sentence).bit_count() == len(words_of(text))


def everyone(*numbers):
    """Return numbers as a set, one bit for each."""
    return sum(1 << number for number in numbers)


def test_rankings_are_equal_where_every_pair_of_options_compares_alike():
    shares = [[0.5, 0.2, 0.3], [0.9, 0.1, 0.8], [0.5, 0.5, 0.3], [0.2, 0.5, 0.3]]
    rows = range(len(shares))
    rankings = {0: everyone(*rows)}
    for option in range(3):
        compared = [
            (
                everyone(*(row for row in rows if shares[row][option] < shares[row][other])),
                everyone(*(row for row in rows if shares[row][option] > shares[row][other])),
            )
            for other in range(option)
        ]
        rankings = refine(rankings, compared, [everyone(*rows)])
    assert sorted(rankings.values()) == sorted([everyone(0, 1), everyone(2), everyone(3)])


def test_an_order_is_left_where_each_option_is_right_in_some_combination():
    rankings = {4: everyone(0, 1, 2), 7: everyone(3, 4, 5)}
    assert list(balanced(rankings, [everyone(0, 3, 4), everyone(2)])) == [4]
    assert list(balanced(rankings, [everyone(0, 4), everyone(2, 3)])) == [4, 7]
    assert list(balanced(rankings, [everyone(0, 2), everyone(3, 4)])) == []
    compared = [(everyone(3), everyone(0, 1, 2))]
    assert refine(rankings, compared, [everyone(0, 3), everyone(1, 4)]) == {4 * 3 + 2: 0b111}


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
