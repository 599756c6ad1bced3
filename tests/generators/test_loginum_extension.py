"""Kinds of expressions and conditions beyond the paper's, and how to add one's own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import pytest
from loginum_tasks import read, tasks

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.conditions import CONDITIONS
from logic_curriculum.generators.loginum.expressions import EXPRESSIONS, Pen
from logic_curriculum.generators.loginum.presets import PRESETS, Preset
from logic_curriculum.generators.loginum.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.loginum.vocabulary import draw_words
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.parser import parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    AnyOf,
    Assignment,
    Expression,
    Lookup,
    Valuation,
)


@pytest.fixture
def preset_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that registers a preset ``"mine"`` of depth 3 for the time of a test."""

    def register(**changes: object) -> None:
        config = replace(PRESETS["HL-EN"].configs[4], **changes)
        monkeypatch.setitem(PRESETS, "mine", Preset({3: config}, 9, "train"))

    return register


def expressions_of(item) -> list[Expression]:
    return [
        rule.conclusion.expression for rule in item.rules if isinstance(rule.conclusion, Assignment)
    ]


def test_powers_are_drawn_where_they_have_a_weight(preset_of):
    preset_of(expressions={"constant": 1, "power": 2})
    kinds = set()
    for item in tasks("mine", 3, 10):
        kinds |= {type(expression).__name__ for expression in expressions_of(item)}
        known = closure(item.facts, item.rules)
        assert known.value(*item.query) == item.task.verification["answer"]
    assert kinds == {"Constant", "Power"}


def test_disjunctions_are_drawn_where_they_have_a_weight(preset_of):
    preset_of(condition_kinds={"pattern": 1, "any_of": 1})
    gold = 0
    for item in tasks("mine", 3, 20):
        conditions = [condition for rule in item.rules for condition in rule.conditions]
        assert 0 < sum(isinstance(condition, AnyOf) for condition in conditions) < len(conditions)
        known = closure(item.facts, item.rules)
        assert known.value(*item.query) == item.task.verification["answer"]
        assert all(len(ways) == 1 for ways in known.derivations.values())
        used = [item.rules[step["rule"] - 1] for step in item.task.verification["steps"]]
        gold += any(isinstance(condition, AnyOf) for rule in used for condition in rule.conditions)
    assert gold > 10


def test_no_preset_draws_what_the_paper_has_not():
    for preset in PRESETS.values():
        for config in preset.configs.values():
            assert "power" not in config.expressions
            assert "any_of" not in config.condition_kinds


def test_powers_and_disjunctions_are_said_in_english_too(preset_of):
    preset_of(expressions={"power": 1}, condition_kinds={"any_of": 1})
    task = generate("loginum", 3, 0, preset="mine")
    assert len(task.metadata["rule_sentences"]) == 15
    assert read(task).task is task


@dataclass(frozen=True)
class Remainder(Expression, names=("remainder",)):
    """``remainder(?x[a], 7)``: what is left of a value after division."""

    base: Expression
    divisor: int

    @classmethod
    def of_parts(cls, name: str, parts: tuple[Expression, ...]) -> Expression:
        base, divisor = parts
        return cls(base, divisor.value(lambda lookup: 0))

    def value(self, valuation: Valuation) -> int:
        return self.base.value(valuation) % self.divisor

    def lookups(self) -> Iterable[Lookup]:
        return self.base.lookups()

    def __str__(self) -> str:
        return f"remainder({self.base}, {self.divisor})"


def draw_remainder(pen: Pen) -> Expression:
    return Remainder(pen.part(), pen.pick((3, 5, 7)))


def test_a_new_kind_of_expression_takes_a_class_and_a_draw_function(preset_of, monkeypatch):
    monkeypatch.setitem(EXPRESSIONS, "remainder", draw_remainder)
    preset_of(expressions={"remainder": 1}, parts={"retrieval": 1, "calculation": 1})
    for item in tasks("mine", 3, 10):
        assert all(isinstance(expression, Remainder) for expression in expressions_of(item))
        assert 0 <= item.task.verification["answer"] < 7
        known = closure(item.facts, item.rules)
        assert known.value(*item.query) == item.task.verification["answer"]
    text = "likes(?x, ?y) -> is(?x, old, remainder(2*?y[old]+1, 7))"
    assert str(parse_rule(text)) == text


def test_a_new_kind_of_condition_takes_a_draw_function(preset_of, monkeypatch):
    def one_of_three(pen, met):
        return AnyOf((pen.other_pattern(met), met, pen.other_pattern(met)))

    monkeypatch.setitem(CONDITIONS, "one_of_three", one_of_three)
    preset_of(condition_kinds={"one_of_three": 1})
    for item in tasks("mine", 3, 5):
        assert all(len(c.patterns) == 3 for rule in item.rules for c in rule.conditions)
        known = closure(item.facts, item.rules)
        assert known.value(*item.query) == item.task.verification["answer"]


def test_a_world_without_room_is_given_up_with_advice():
    config = replace(PRESETS["HL-HN"].configs[6], facts=3)
    words = draw_words(random.Random(0), config.entities, config.attributes, config.relations)
    with pytest.raises(SynthesisError, match="Give more facts"):
        synthesize(config, 6, words, random.Random(0))
