"""Random rules mean here what they mean in SWI-Prolog."""

import random
from pathlib import Path

import pytest
from random_rules import RuleWriter

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr import prompts
from logic_curriculum.generators.slr.language import load_language, vocabulary_of
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.rewards.engines.prolog import Program, entailed
from logic_curriculum.rewards.engines.rules import LabelledExamples, RefusedError, compile_rule

LANGUAGES = ("trains", "houses", "wide_trains")


def compare(language, level, seed, count):
    """Compare so many rules on the examples of a task; return how many were compared."""
    task = generate("slr", level, seed, language=language)
    vocabulary = vocabulary_of(load_language(language), level_of(level))
    given = task.verification
    text, names = given["validation_program"], (given["positive"], given["negative"])
    shown, program = LabelledExamples.read(text, *names), Program.parse(text, *names)
    writer = RuleWriter(vocabulary, random.Random(f"{language} {level} {seed}"))
    compared = 0
    for _ in range(count):
        rule = writer.rule()
        try:
            outcomes, _ = compile_rule(rule, vocabulary).entailed(shown.examples)
        except RefusedError:  # numbers that the level does not have, too many steps
            continue
        compared += 1
        told = entailed(rule, program)
        mine = [bool(outcomes >> at & 1) for at in range(len(told))]
        assert all(its in (None, ours) for its, ours in zip(told, mine, strict=True)), rule
        assert (told == list(program.labels)) == (outcomes == shown.labels), rule
    return compared


@pytest.mark.parametrize("language", LANGUAGES)
def test_random_rules_mean_what_they_mean_in_prolog(language):
    assert sum(compare(language, level, 0, 10) for level in range(1, 21)) > 150


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", range(1, 21))
def test_a_hundred_thousand_rules_mean_what_they_mean_in_prolog(language, level):
    assert sum(compare(language, level, seed, 120) for seed in range(1, 21)) > 1_500


def test_nineteen_of_the_paper_s_twenty_rules_are_rules_of_the_language():
    level = level_of(20)
    vocabulary = vocabulary_of(load_language("trains"), level)
    file = Path(prompts.__file__).with_name("templates") / "appendix_e.txt"
    blocks = file.read_text(encoding="utf-8").split("\n\n")
    rules = [block for block in blocks if ":-" in block]
    refused = []
    for rule in rules:
        try:
            compile_rule(rule, vocabulary, level.caps)
        except RefusedError:
            refused.append(rule)
    assert len(rules) == 20
    assert [rule.split(" ")[0] for rule in refused] == [
        "eastbound([Car|Cars])"
    ]  # a train is no list
