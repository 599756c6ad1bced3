"""Finite models: drawing them, and truth in many at once."""

from __future__ import annotations

import random
import tracemalloc
from functools import partial, reduce

import pytest
from fol_sentences import SYMBOLS_1, SYMBOLS_2, random_sentence, true_by_definition

from logic_curriculum.rewards.engines.fol.models import (
    Structure,
    TooLargeError,
    evaluate,
    holds,
    random_models,
    structure_of,
)
from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    FreeVariableError,
    Quantified,
    Signature,
    parse,
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


def test_an_inner_quantifier_takes_its_variable_over() -> None:
    structure = Structure((0, 1), {}, {"F": frozenset({0, 1}), "G": frozenset({1})}, {})
    assert holds(parse("∀x(Fx∧∃xGx)"), structure)
    assert not holds(parse("∀x(∃xGx∧Gx)"), structure)


def test_models_are_the_same_on_every_machine() -> None:
    models = random_models(Signature({"P": 2, "F": 1}, frozenset("a")), 3, 4, "pinned", 1)
    assert models.constants["a"].tolist() == [1, 1, 0, 2]
    assert sorted(structure_of(models, 2).binary["P"]) == [(1, 2), (2, 1), (2, 2)]


def test_predicates_are_sparse_in_some_models_and_dense_in_others() -> None:
    extensions = random_models(EVERYTHING, 4, 256, "density").binary["P"]
    filled = extensions.mean(axis=(1, 2))
    assert (filled < 0.2).mean() > 0.1
    assert (filled > 0.8).mean() > 0.1


def test_an_open_formula_has_no_truth_value() -> None:
    with pytest.raises(FreeVariableError, match="x occurs free in Fx"):
        evaluate(parse("Fx"), random_models(EVERYTHING, 2, 3, "open"))


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


def test_more_memory_than_that_is_not_taken() -> None:
    with pytest.raises(TooLargeError, match="1679616 truth values in a model of size 6"):
        evaluate(hostile_sentence(), random_models(signature(hostile_sentence()), 6, 64, "large"))
