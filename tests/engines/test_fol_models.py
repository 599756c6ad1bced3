"""Finite models: drawing them, and truth in many at once."""

from __future__ import annotations

import random
import tracemalloc
from functools import partial, reduce

import numpy as np
import pytest
from fol_sentences import SYMBOLS_1, SYMBOLS_2, random_sentence, true_by_definition

from logic_curriculum.rewards.engines.fol.models import (
    MissingSymbolError,
    Models,
    Structure,
    TooLargeError,
    evaluate,
    holds,
    random_models,
    structure_of,
    widths,
)
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    FreeVariableError,
    Quantified,
    Signature,
    signature,
)

EVERYTHING = Signature(
    {**dict.fromkeys(SYMBOLS_1, 1), **dict.fromkeys(SYMBOLS_2, 2)}, frozenset("ab")
)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_truth_is_what_the_definition_says(size: int) -> None:
    rng = random.Random(size)
    models = random_models(EVERYTHING, size, 5, "definition")
    for _ in range(150):
        sentence = random_sentence(rng, rng.randrange(6))
        expected = [true_by_definition(sentence, models, i) for i in range(models.count)]
        assert evaluate(sentence, models).tolist() == expected, str(sentence)


def test_truth_in_a_structure_is_truth_in_the_model_it_was_taken_from() -> None:
    rng = random.Random(0)
    models = random_models(EVERYTHING, 3, 4, "structures")
    structures = [structure_of(models, index) for index in range(models.count)]
    for _ in range(50):
        sentence = random_sentence(rng, 4)
        assert [holds(sentence, one) for one in structures] == evaluate(sentence, models).tolist()


def test_an_inner_quantifier_takes_its_variable_over() -> None:
    structure = Structure((0, 1), {}, {"F": frozenset({0, 1}), "G": frozenset({1})}, {})
    assert holds(parse("∀x(Fx∧∃xGx)"), structure)
    assert not holds(parse("∀x(∃xGx∧Gx)"), structure)


def test_the_objects_of_a_domain_may_be_any_numbers() -> None:
    structure = Structure((7, -1), {"a": -1}, {}, {"P": frozenset({(7, -1)})})
    assert holds(parse("∃xPxa"), structure)
    assert not holds(parse("∃xPax"), structure)


def test_models_are_the_same_on_every_machine() -> None:
    models = random_models(Signature({"P": 2, "F": 1}, frozenset("a")), 3, 4, "pinned", 1)
    assert models.constants["a"].tolist() == [1, 1, 0, 2]
    assert sorted(structure_of(models, 2).binary["P"]) == [(1, 2), (2, 1), (2, 2)]


def test_a_symbol_means_the_same_whatever_the_other_symbols_are() -> None:
    alone = random_models(Signature({"P": 2}, frozenset()), 3, 8, "seed")
    together = random_models(EVERYTHING, 3, 8, "seed")
    assert np.array_equal(alone.binary["P"], together.binary["P"])


def test_seeds_sizes_and_counts_give_models_of_their_own() -> None:
    drawn = [
        random_models(EVERYTHING, 3, 64, *seed).binary["P"].tobytes()
        for seed in (("a",), ("b",), ("a", 1), ("a", "1"))
    ]
    assert len(frozenset(drawn)) == 4


def test_predicates_are_sparse_in_some_models_and_dense_in_others() -> None:
    extensions = random_models(EVERYTHING, 4, 256, "density").binary["P"]
    filled = extensions.mean(axis=(1, 2))
    assert (filled < 0.2).mean() > 0.1
    assert (filled > 0.8).mean() > 0.1


@pytest.mark.parametrize(
    ("text", "symbol"), [("Ha", "H"), ("∃xRxx", "R"), ("Fc", "c"), ("Paa", "P"), ("∃xPxd", "d")]
)
def test_a_missing_symbol_is_named(text: str, symbol: str) -> None:
    structure = Structure((0,), {"a": 0}, {"F": frozenset()}, {"P": frozenset()})
    if text == "Paa":
        structure = Structure((0,), {"a": 0}, {"P": frozenset()}, {})
    with pytest.raises(MissingSymbolError, match=f" {symbol} has no interpretation"):
        holds(parse(text), structure)


def test_an_open_formula_has_no_truth_value() -> None:
    with pytest.raises(FreeVariableError, match="x occurs free in Fx"):
        evaluate(parse("Fx"), random_models(EVERYTHING, 2, 3, "open"))


@pytest.mark.parametrize(
    ("structure", "reason"),
    [
        (((), {}, {}, {}), "is empty"),
        (((0, 0), {}, {}, {}), "twice"),
        (((0, 1), {"a": 2}, {}, {}), "a speaks of 2"),
        (((0, 1), {}, {"F": frozenset({-1})}, {}), "F speaks of -1"),
        (((0, 1), {}, {}, {"P": frozenset({(0, 5)})}), "P speaks of 5"),
    ],
)
def test_a_structure_keeps_to_its_domain(structure: tuple, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Structure(*structure)


def test_widths_count_the_subformulas_by_their_free_variables() -> None:
    # none: the whole, Ha and ∀x…; one: Fx, Gy and ∃y…; two: the conjunction
    assert widths(parse("(Ha→∀x∃y(Fx∧Gy))"))[:4] == (3, 3, 1, 0)


def hostile_sentence() -> Quantified:
    """Return a sentence in which all eight variables are free at once."""
    atoms = [Atom("P", (a, b)) for a, b in zip("stuvwxy", "tuvwxyz", strict=True)] * 10
    pairs = reduce(partial(Binary, "and"), atoms)
    for variable in "stuvwxyz":
        pairs = Quantified("forall" if variable < "w" else "exists", variable, pairs)
    return pairs


def test_memory_stays_bounded_with_eight_variables_at_once() -> None:
    models = random_models(signature(hostile_sentence()), 4, 32, "hostile")
    tracemalloc.start()
    evaluate(hostile_sentence(), models)
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


def test_too_many_variables_for_a_size_are_refused() -> None:
    models = random_models(signature(hostile_sentence()), 7, 1, "hostile")
    with pytest.raises(TooLargeError, match="fewer variables"):
        evaluate(hostile_sentence(), models)


def test_no_models_give_no_truth_values() -> None:
    assert evaluate(parse("Fa"), Models(2, 0, {}, {}, {})).shape == (0,)
