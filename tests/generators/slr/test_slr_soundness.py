"""Levels 1 to 3 pay for rules: not for their examples by heart, nor for trains without labels."""

import re
from collections import Counter, defaultdict
from functools import cache

import pytest
from slr_small_tasks import drawn_tasks, enumerated_tasks, small

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.enumeration import questions, small_rules, space_of
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.rewards import slr_reward

LANGUAGES = ("trains", "houses")
LEVELS = (1, 2, 3)


@cache
def sound_tasks(name, level):
    """Every sound question with its rule, by the generator's own enumeration."""
    space = space_of(load_language(name), level_of(level))
    return space, [
        (rule, examples)
        for rule in small_rules(space)
        for examples in questions(space, rule)
        if space.is_sound(examples, rule.members)
    ]


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_both_enumerations_have_the_same_sound_questions(name, level):
    trains = small(name)
    expected = Counter(
        (task.canonical, frozenset((train,) for train in task.yes))
        for task in drawn_tasks(name)
        if task.level == level and trains.is_sound(task)
    )
    _, found = sound_tasks(name, level)
    assert found
    assert expected == Counter(
        (rule.canonical, frozenset(item.parts for item in examples if item.positive))
        for rule, examples in found
    )


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_positives_shown_taken_for_all_there_are_are_accepted_in_no_task(name, level):
    """At level 3, three of four tasks once accepted two clauses for the two positives shown."""
    space, found = sound_tasks(name, level)
    for rule, examples in found:
        accepted = space.accepted(examples, rule.members)
        negatives = space.set_of(item.parts for item in examples if not item.positive)
        everything = (1 << len(space.examples)) - 1
        assert rule.members in accepted
        assert space.labelled(examples, True) not in accepted
        assert everything ^ negatives not in accepted


def memorised(program, label):
    """A clause for each example of a class, with all values of its car."""
    clauses = []
    for block in re.split(r"\n(?=(?:east|west)bound)", program):
        if block.startswith(label):
            values = re.findall(r"^(\w+)\(car\w+, (\w+)\)\.$", block, flags=re.MULTILINE)
            body = ", ".join(f"{name}(C, {value})" for name, value in values)
            clauses.append(f"has_car(T, C), {body}")
    return clauses


@pytest.mark.parametrize("level", LEVELS)
def test_a_clause_for_each_positive_or_against_each_negative_earns_nothing(level):
    payloads = [
        generate("slr", level, seed, split=split).verification
        for split in ("train", "test")
        for seed in range(25)
    ]
    answers = []
    for payload in payloads:
        program = payload["validation_program"]
        positives, negatives = (memorised(program, label) for label in ("eastbound", "westbound"))
        assert len(positives) == len(negatives) == level_of(level).kappa // 2
        for_each = "\n".join(f"eastbound(T) :- {body}." for body in positives)
        against = ", ".join(f"\\+ ({body})" for body in negatives)
        answers.append((for_each, f"eastbound(T) :- {against}."))
    for texts in zip(*answers, strict=True):
        completions = [f"[RULE]\n{text}\n[/RULE]" for text in texts]
        assert slr_reward(completions, verification=payloads) == [0.0] * len(payloads)


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_every_shortest_conjunction_that_fits_is_accepted(name, level):
    space, found = sound_tasks(name, level)
    for rule, examples in found:
        accepted = space.accepted(examples, rule.members)
        shown = [(space.places[item.parts], item.positive) for item in examples]
        fitting = [
            other
            for other in small_rules(space)
            if all((other.members >> place & 1) == positive for place, positive in shown)
        ]
        shortest = min(len(other.literals) for other in fitting)
        for other in fitting:
            if len(other.literals) == shortest:
                assert other.members in accepted


def labellings(name, level, split):
    """How often each set of trains stands in a split with which of them positive."""
    found = defaultdict(Counter)
    for at, task in enumerated_tasks(name):
        if (at, task.level) == (split, level):
            found[task.yes | task.no][task.yes] += 1
    return found


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("split", ["train", "validation"])
def test_two_trains_that_a_split_shows_stand_there_with_both_labellings(name, level, split):
    for counts in labellings(name, level, split).values():
        first, second = counts.values()
        assert first == second


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("level", [1, 2])
def test_the_trains_of_a_training_task_do_not_tell_their_labels(name, level):
    """Of all training tasks, looking up the more frequent labelling once guessed .89 to .97.

    At level 3 it guesses .92 (houses: .77), and no split mends that: where two trains share a value
    that the other two lack, those two most often share none of their own.
    """
    found = labellings(name, level, "train").values()
    guessed = sum(max(counts.values()) for counts in found)
    assert guessed / sum(counts.total() for counts in found) <= 0.5
