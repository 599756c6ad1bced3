"""Formulas, their strict text and their trees."""

from __future__ import annotations

import random

import pytest
from fol_sentences import random_sentence

from logic_curriculum.rewards.engines.fol.parser import (
    MAX_DEPTH,
    MAX_LENGTH,
    ArgumentsError,
    FormulaError,
    parse,
)
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Atom,
    Binary,
    Not,
    Quantified,
    conjoin,
    free_variables,
    from_ast,
    signature,
    subformulas,
    to_ast,
)


def test_text_and_tree_give_the_same_formula_back() -> None:
    rng = random.Random(1)
    for _ in range(500):
        formula = random_sentence(rng, 6)
        assert parse(str(formula)) == formula
        assert from_ast(to_ast(formula)) == formula


def test_a_formula_is_parsed_into_its_parts() -> None:
    assert parse("∀x(Fx→¬∃y Pyx)") == Quantified(
        "forall",
        "x",
        Binary("imp", Atom("F", ("x",)), Not(Quantified("exists", "y", Atom("P", ("y", "x"))))),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a formula, found 'the end'"),
        ("Fa∧Gb", "follows a complete formula, at character 3 "),
        ("(Fa∧Gb∧Hc)", r"expected '\)', found '∧', at character 7 "),
        ("(Fa)", r"expected a connective, found '\)', at character 4 "),
        ("∀aFa", "expected a variable .s to z., found 'a', at character 2 "),
        ("Fa→", "follows a complete formula"),
        ("F", "predicate F has 0 arguments"),
        ("Pabc", "predicate P has 3 arguments"),
        ("¬" * MAX_DEPTH + "Fa", "nested more than"),
        ("¬" * MAX_LENGTH + "Fa", "are too many for a formula"),
    ],
)
def test_the_strict_grammar_refuses_with_where_and_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        parse(text)


@pytest.mark.parametrize("text", ["∀xF", "(Fa∧Pabc)"])
def test_a_wrong_number_of_arguments_has_an_error_of_its_own_in_strict_text(text: str) -> None:
    with pytest.raises(ArgumentsError):
        parse(text)


@pytest.mark.parametrize(
    "tree",
    [
        [],
        ["pred1", "F"],
        ["pred2", "F", "x"],
        ["pred1", "F", "x", "y"],
        ["pred1", "F(x))", "x"],
        ["pred1", "F", "alfred"],
        ["forall", "a", ["pred1", "F", "a"]],
        ["xor", ["pred1", "F", "a"], ["pred1", "F", "a"]],
        ["and", ["pred1", "F", "a"]],
        "Fa",
    ],
)
def test_a_tree_of_another_shape_is_refused(tree: list) -> None:
    with pytest.raises(ValueError, match="is no formula's tree"):
        from_ast(tree)


def test_the_signature_lists_predicates_and_constants() -> None:
    found = signature(parse("∀x(Fx→Pxa)"), parse("Gb"))
    assert found.arities == {"F": 1, "P": 2, "G": 1}
    assert found.constants == {"a", "b"}


def test_a_predicate_keeps_its_number_of_arguments() -> None:
    with pytest.raises(ArityClashError, match="P occurs with 1 and with 2 arguments"):
        signature(parse("Pa"), parse("Pab"))


@pytest.mark.parametrize(
    ("text", "free"),
    [("∀xFx", ""), ("(∀xFx∧Gx)", "x"), ("∃xPxy", "y"), ("(∀x∃xFx∧Pzw)", "wz"), ("Fa", "")],
)
def test_free_variables_are_those_that_no_quantifier_binds(text: str, free: str) -> None:
    assert free_variables(parse(text)) == frozenset(free)


def test_subformulas_come_in_the_order_in_which_they_are_written() -> None:
    parts = [str(part) for part in subformulas(parse("(¬Fa∧∀xGx)"))]
    assert parts == ["(¬Fa∧∀xGx)", "¬Fa", "Fa", "∀xGx", "Gx"]


def test_a_conjunction_of_many_is_grouped_to_the_left() -> None:
    assert str(conjoin([parse("Fa"), parse("Gb"), parse("Hc")])) == "((Fa∧Gb)∧Hc)"
