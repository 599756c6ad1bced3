"""Entailment and satisfiability by Z3."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from fol_sentences import random_sentence

from logic_curriculum.rewards.engines.fol import entailment
from logic_curriculum.rewards.engines.fol.entailment import entails, satisfiable
from logic_curriculum.rewards.engines.fol.models import FreeVariableError, evaluate, random_models
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Atom,
    Binary,
    Not,
    Quantified,
    signature,
)

INFINITE = "(∀x∃yPxy∧(∀x∀y∀z((Pxy∧Pyz)→Pxz)∧∀x¬Pxx))"
KINDS = "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"  # the axiom


@pytest.mark.parametrize(
    ("premises", "conclusion", "follows"),
    [
        (["∀x(Fx→Gx)", "Fa"], "Ga", True),
        (["∀x(Fx→Gx)", "Ga"], "Fa", False),
        (["∃x∀yPxy"], "∀y∃xPxy", True),
        (["∀y∃xPxy"], "∃x∀yPxy", False),
        (["∀xFx"], "∃xFx", True),  # no domain is empty
        ([], "(Fa∨¬Fa)", True),
        ([], "Fa", False),
        (["Fa", "¬Fa"], "Gb", True),
        ([KINDS, "¬Ma", "¬Na"], "Oa", True),
        ([KINDS], "∃x∃y(Mx∧(Ny∧¬My))", True),
        ([KINDS], "∃xFx", False),
        (["∀x(Ux→∃yUy)"], "Ua", False),  # no name clashes with Z3's sorts
    ],
)
def test_a_conclusion_follows_or_not(premises: list[str], conclusion: str, follows: bool) -> None:
    assert entails([parse(text) for text in premises], parse(conclusion)) is follows


@pytest.mark.parametrize("seed", range(3))
def test_what_z3_says_of_random_sentences_is_so_in_finite_models(seed: int) -> None:
    rng = random.Random(seed)
    decided = 0
    for _ in range(60):
        premise, conclusion = random_sentence(rng, 3), random_sentence(rng, 3)
        models = random_models(signature(premise, conclusion), 3, 100, "z3")
        counterexample = (evaluate(premise, models) & ~evaluate(conclusion, models)).any()
        answer = entails([premise], conclusion)
        assert not (answer and counterexample), f"{premise} entails {conclusion}?"
        decided += answer is not None
    assert decided == 60


def test_nothing_asked_can_be_true() -> None:
    assert satisfiable([]) is True


def test_what_only_infinite_models_satisfy_is_not_called_unsatisfiable() -> None:
    assert satisfiable([parse(INFINITE)], rlimit=20_000) is None


def test_models_that_z3_alone_builds_ever_larger_are_found_by_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences = [parse("∀x(Mx→∃y(My∧Pxy))"), parse("¬∃x(Mx∧Pxx)"), parse("∃xMx")]
    assert satisfiable(sentences, rlimit=100_000) is True
    monkeypatch.setattr(entailment, "_DOMAINS", ())
    assert satisfiable(sentences, rlimit=100_000) is None


def questions() -> list[tuple]:
    rng = random.Random(7)
    return [([random_sentence(rng, 4)], random_sentence(rng, 4)) for _ in range(40)]


def test_an_answer_within_a_tight_budget_does_not_depend_on_what_was_asked_before() -> None:
    asked = questions()
    budget = 600  # some are answered within it, some are not
    first = [entails(*question, rlimit=budget) for question in asked]
    again = [entails(*question, rlimit=budget) for question in reversed(asked)]
    assert first == again[::-1]
    assert {True, False, None} >= frozenset(first) > {None}
    assert None in first


def test_threads_get_the_answers_that_one_thread_gets() -> None:
    asked = questions()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: entails(*question, rlimit=600), asked))
    assert together == [entails(*question, rlimit=600) for question in asked]


def test_nested_biconditionals_end_in_no_answer_rather_than_no_end() -> None:
    sentence = Atom("P", ("x", "y"))
    for index in range(90):
        variable, other = "stuvwxyz"[index % 8], "stuvwxyz"[(index + 3) % 8]
        inner = Binary("iff", Atom("Q", (variable, other)), sentence)
        sentence = Quantified("forall" if index % 2 else "exists", variable, inner)
    for variable in "stuvwxyz":
        sentence = Quantified("forall", variable, sentence)
    assert satisfiable([sentence], rlimit=100_000) is None


def test_open_formulas_and_clashing_predicates_are_refused() -> None:
    with pytest.raises(FreeVariableError, match="x occurs free"):
        entails([parse("Fx")], parse("Fa"))
    with pytest.raises(ArityClashError):
        satisfiable([parse("Fa"), Not(parse("Fab"))])
