"""Formulas, their strict text and their trees."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fol_sentences import random_sentence

from logic_curriculum.rewards.engines.fol.syntax import (
    MAX_DEPTH,
    MAX_LENGTH,
    SYMBOLS,
    ArityClashError,
    Atom,
    Binary,
    FormulaError,
    Not,
    Quantified,
    free_variables,
    parse,
    signature,
    to_ast,
)


def written(tree: list[Any]) -> str:
    """Write a tree in the strict grammar."""
    match tree:
        case ["pred1" | "pred2" as kind, predicate, *terms]:
            assert len(terms) == int(kind[-1])
            return "".join([predicate, *terms])
        case ["not", body]:
            return f"¬{written(body)}"
        case ["forall" | "exists" as quantifier, variable, body]:
            return f"{SYMBOLS[quantifier]}{variable}{written(body)}"
    connective, left, right = tree
    return f"({written(left)}{SYMBOLS[connective]}{written(right)})"


def test_text_and_tree_give_the_same_formula_back() -> None:
    rng = random.Random(1)
    for _ in range(500):
        formula = random_sentence(rng, 6)
        assert parse(str(formula)) == formula
        assert written(to_ast(formula)) == str(formula)


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
        ("Fa∧Gb", "expected the end, found '∧', at character 3 "),
        ("(Fa∧Gb∧Hc)", r"expected '\)', found '∧', at character 7 "),
        ("(Fa)", r"expected a connective, found '\)', at character 4 "),
        ("∀aFa", "expected a variable .s to z., found 'a', at character 2 "),
        ("Fa→", "expected the end"),
        ("F", "predicate F has 0 arguments"),
        ("Pabc", "predicate P has 3 arguments"),
        ("¬" * MAX_DEPTH + "Fa", "nested more than"),
        ("¬" * MAX_LENGTH + "Fa", "are too many"),
    ],
)
def test_the_strict_grammar_refuses_with_where_and_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        parse(text)


def test_a_predicate_keeps_its_number_of_arguments() -> None:
    with pytest.raises(ArityClashError, match="P occurs with 1 and with 2 arguments"):
        signature(parse("Pa"), parse("Pab"))


@pytest.mark.parametrize(
    ("text", "free"),
    [("∀xFx", ""), ("(∀xFx∧Gx)", "x"), ("∃xPxy", "y"), ("(∀x∃xFx∧Pzw)", "wz"), ("Fa", "")],
)
def test_free_variables_are_those_that_no_quantifier_binds(text: str, free: str) -> None:
    assert free_variables(parse(text)) == frozenset(free)
