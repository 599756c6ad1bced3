"""How to add a kind of expression of one's own, and a world without room."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import pytest
from loginum_tasks import tasks

from logic_curriculum.generators.loginum.levels import EXPRESSIONS, PRESETS, Preset
from logic_curriculum.generators.loginum.rules import RuleBuilder
from logic_curriculum.generators.loginum.synthesis import SynthesisError, synthesize
from logic_curriculum.generators.loginum.vocabulary import draw_words
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.parser import parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
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


def draw_remainder(rule: RuleBuilder) -> Expression:
    return Remainder(rule.part(), rule.pick((3, 5, 7)))


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


def test_a_world_without_room_is_given_up_with_advice():
    config = replace(PRESETS["HL-HN"].configs[6], facts=3)
    words = draw_words(random.Random(0), config.entities, config.attributes, config.relations)
    with pytest.raises(SynthesisError, match="Give more facts"):
        synthesize(config, 6, words, random.Random(0))
