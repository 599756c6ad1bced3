"""What LogiNumSynth says in English and in clauses; ``test_loginum_reverified`` reads it back."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum import language
from logic_curriculum.generators.loginum.language import Speaker, clause, english
from logic_curriculum.rewards.engines.numeric.syntax import Constant, Expression, Rule, parse_rule

FILE = Path(__file__).parents[2] / "generators/loginum/templates/english.yaml"
TEXT = FILE.read_text(encoding="utf-8")


def test_there_are_as_many_templates_as_in_the_paper():
    banks = english()
    assert len(banks.attribute_facts) == 222
    assert len(banks.assignments) == 147
    assert len(banks.relation_facts) == 20
    assert len(banks.implications) == 26
    assert len(banks.retrievals) == 16
    assert len(banks.calculations["addition"]) == 15
    assert len(banks.calculations["subtraction"]) == 15
    assert {name: len(bank) for name, bank in banks.aggregations.items()} == {
        "max": 6,
        "min": 6,
        "addition": 6,
        "subtraction": 6,
    }


def test_an_expression_without_templates_is_named():
    @dataclass(frozen=True)
    class Sine(Constant):
        pass

    parsed = parse_rule("is(?x, cold, 4) -> is(?x, legal, 1)")
    unknown: Expression = Sine(0)
    strange = Rule(parsed.conditions, parsed.conclusion._replace(expression=unknown))
    with pytest.raises(TypeError, match=r"no templates for Sine: there are some for Constant"):
        Speaker(random.Random(0)).rule(strange)


def test_a_template_with_an_unknown_slot_is_refused(monkeypatch):
    broken = yaml.safe_load(TEXT.replace("Find {lookup}.", "Find {lookups}."))
    monkeypatch.setattr(language.yaml, "safe_load", lambda text: broken)
    with pytest.raises(ValueError, match=r"has a slot 'lookups'; its slots are lookup"):
        language.english.__wrapped__()


def test_clauses_mean_what_the_rules_mean():
    hard = ("exHL-HN", 7, 51)  # a rule of seven variables
    for preset, level, seed in [*(("HL-HN", 4, seed) for seed in range(30)), hard]:
        options = {"preset": preset, "style": "compact"}
        told = generate("loginum", level, seed, language="clauses", **options)
        formal = generate("loginum", level, seed, language="formal", **options)

        assert told.verification == formal.verification
        for sentence, text in zip(
            told.metadata["rule_sentences"], told.verification["rules"], strict=True
        ):
            assert sentence in told.prompt
            head, body = sentence.split(" <- ")
            assert clause(parse_rule(f"{body} -> {head}")) == clause(parse_rule(text)) == sentence
