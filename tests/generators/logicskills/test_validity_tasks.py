"""Validity tasks: exactly one option follows, every premise is needed, nothing else tells it."""

import math
from collections import Counter
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from brute_force import true_in

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.logicskills import tells
from logic_curriculum.generators.logicskills import validity as module
from logic_curriculum.generators.logicskills.arguments import Composition, SynthesisError
from logic_curriculum.generators.logicskills.constructions import LEAF
from logic_curriculum.generators.logicskills.validity import LEVELS
from logic_curriculum.generators.logicskills.validity_options import OPTIONS
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.engines.fol.syntax import parse

SEEDS = 3
FAMILY = registry.family("validity")


@cache
def tasks(count=SEEDS, split="train", **options):
    return [
        generate("validity", level, seed, split=split, **options)
        for level in FAMILY.levels()
        for seed in range(count)
    ]


def right(task):
    """The number of the option that must be true."""
    (number,) = task.verification["correct"]
    return number


def premises_of(task):
    return [task.metadata["domain"], *task.metadata["premises"]]


def check_refutations(found):
    for task in found:
        about = task.metadata
        others = {str(n) for n in range(1, OPTIONS + 1)} - {str(right(task))}
        assert set(about["refutations"]) == others
        for number, structure in about["refutations"].items():
            for premise in premises_of(task):
                assert true_in(structure, premise)
            assert not true_in(structure, about["options"][int(number) - 1])


def test_every_other_option_is_false_in_a_structure_where_the_premises_are_true():
    check_refutations(tasks())


def check_needs(found):
    """Without any one premise, there is a structure where the right option is false."""
    for task in found:
        about = task.metadata
        numbers = range(1, len(about["premises"]) + 1)
        assert list(about["needs"]) == list(map(str, numbers))
        for number in numbers:
            structure = about["needs"][str(number)]
            others = [text for n, text in enumerate(about["premises"], start=1) if n != number]
            assert all(true_in(structure, premise) for premise in [about["domain"], *others])
            assert not true_in(structure, about["options"][right(task) - 1])


def test_the_right_option_needs_every_premise():
    check_needs(tasks())


def test_without_the_option_minimal_the_conclusion_needs_more_than_one_premise():
    found = [generate("validity", level, 1, minimal=False) for level in (2, 5, 8)]
    check_refutations(found)
    for task in found:
        domain, *premises = map(parse, premises_of(task))
        conclusion = parse(task.metadata["options"][right(task) - 1])
        assert entails([domain, *premises], conclusion) is not False
        assert all(entails([domain, premise], conclusion) is not True for premise in premises)


def test_no_option_entails_another():
    for task in tasks()[::6]:
        domain = parse(task.metadata["domain"])
        options = list(map(parse, task.metadata["options"]))
        for one, other in permutations(options, 2):
            assert entails([domain, one], other) is not True


def test_each_level_has_its_number_of_premises():
    for task in tasks():
        assert len(task.metadata["premises"]) == LEVELS[task.level - 1][0].premises.premises
    assert [level[0].premises.premises for level in LEVELS] == [3, 3, 3, 3, 3, 4, 4, 4, 5, 5]


def check_places(found):
    """No place holds the right option more often than chance by five standard deviations."""
    counts = Counter(right(task) for task in found)
    mean = len(found) / OPTIONS
    spread = (mean * (1 - 1 / OPTIONS)) ** 0.5
    assert set(counts) == set(range(1, OPTIONS + 1))
    assert all(abs(count - mean) < 5 * spread for count in counts.values())


def test_the_right_option_stands_anywhere():
    check_places(tasks())


def test_the_answer_does_not_depend_on_how_often_clauses_occur_in_the_premises():
    """The option whose words or whole clauses the premises have most is right by chance only."""
    found = tasks()
    for measure in (shared_words, shared_text):
        picked = 0.0
        for task in found:
            scores = [measure(task, option) for option in task.metadata["option_sentences"]]
            best = [n for n, score in enumerate(scores, start=1) if score == max(scores)]
            picked += (right(task) in best) / len(best)
        spread = (len(found) * 5 / 36) ** 0.5
        assert abs(picked - len(found) / OPTIONS) < 4 * spread


def shared_words(task, option):
    words = " ".join(task.metadata["premise_sentences"]).lower().replace(".", "").split()
    return sum(words.count(word) for word in option.lower().rstrip(".").split())


def shared_text(task, option):
    """Return the length of the longest run of words that the option has in common."""
    premises, words = " ".join(task.metadata["premise_sentences"]).lower(), option.lower().split()
    runs = (
        words[start:end] for start in range(len(words)) for end in range(start + 1, len(words) + 1)
    )
    return max((len(run) for run in runs if " ".join(run).rstrip(".") in premises), default=0)


def test_language_and_style_do_not_change_the_argument():
    plain = generate("validity", 4, 2)
    styles = {"style": "compact"}, {"style": "paper"}
    for options in ({"language": "carroll"}, *styles, {"language": "mixed"}):
        other = generate("validity", 4, 2, **options)
        assert other.prompt != plain.prompt or options == {"language": "mixed"}
        assert right(other) == right(plain)
        assert FAMILY.fingerprint(other) == FAMILY.fingerprint(plain)
        assert FAMILY.leak_key(other) == FAMILY.leak_key(plain)
        assert other.metadata["premises"] == plain.metadata["premises"]
        assert other.metadata["options"] == plain.metadata["options"]


def test_tasks_are_distinct():
    assert len({FAMILY.fingerprint(task) for task in tasks()}) == len(tasks())


def test_a_level_without_arguments_is_an_error_that_says_so(monkeypatch):
    monkeypatch.setattr(module, "search", lambda *args, **options: None)
    with pytest.raises(SynthesisError, match=r"level 3 and split 'test' in 20000 schemas.*report"):
        generate("validity", 3, 0, split="test")


@pytest.mark.slow
def test_hundreds_of_tasks_per_level_are_right():
    found = tasks(100)
    check_refutations(found)
    check_places(found)
    check_needs(found)
    assert len({FAMILY.fingerprint(task) for task in found}) == len(found)


def test_what_premises_tell_of_an_option_counts_alone_and_in_pairs(monkeypatch):
    table = module.arguments.clause_table(module.stored_models())
    first, *options = (Composition(LEAF, table.on(name + "F", alone=False)[:1]) for name in "abc")
    premise = Composition(("if_then", LEAF, LEAF), (*first.parts, *options[0].parts))
    found = ["∨+=+", "all ∨++", "X|(∨X=Z)"]
    assert tells.seen(tells.look(premise, options[0])) == Counter(found)
    own, factors = np.zeros(9), np.arange(9)
    own[0], factors[0] = 0.5, 0
    six, chosen = options[:1] + options[1:] * 5, np.zeros((2, 1), np.intp)
    for row, lean in ((own, 1.0), (factors, 1 + 4 + 9 + 16 - 25 - 36 - 49 - 64)):
        monkeypatch.setattr(tells, "_weights", lambda _, row=row: {"∨+=+": row})
        tells._vector.cache_clear()
        (shares,) = tells.shares_of([[premise]] * 2, chosen, six)
        assert shares == pytest.approx([math.exp(lean) / (math.exp(lean) + 5)] + [shares[1]] * 5)
    tells._vector.cache_clear()


def test_arguments_are_left_out_where_something_tells_too_much():
    rng = np.random.default_rng(0)
    for lowest, share, kept in ((tells.LOWEST, 0.5, 0), (0.1, 0.1, 1_000), (0.1, 0.4, 250)):
        shares = np.full((1_000, 6), 0.2)
        shares[:, 0], shares[:, 1] = share, lowest
        found = tells.kept(shares, np.zeros(1_000, np.intp), rng.random(1_000))
        assert abs(len(found) - kept) < 45  # lowest / share of 1,000


def test_denials_are_seen_wherever_they_stand():
    table = module.arguments.clause_table(module.stored_models())
    (yes, no), (other, _) = (table.on(name + "F", alone=False) for name in "ab")
    both = Composition(("or", LEAF, LEAF), (yes, other))
    connectives = ["if_and_only_if", "if_and_only_if", "if_then", "if_then", "unless"]
    forms = ["↔X=Y=", "↮X=Y=", "∨-X=Y=", "∨X=Y=", "∨-X=Y="]
    for connective, one, form in zip(connectives, (yes, no, yes, no, no), forms, strict=True):
        premise = Composition((connective, LEAF, LEAF), (one, other))
        assert tells.seen(tells.look(premise, both))[f"(∨XY)|({form})"] == 1
    every, some, no_one, not_all, only = table.on("MF", alone=False)
    pairs = (every, not_all), (some, no_one), (every, every), (every, only), (every, some)
    assert [tells._related(*pair) for pair in pairs] == ["-=", "-=", "=", "0000", "-0001"]
