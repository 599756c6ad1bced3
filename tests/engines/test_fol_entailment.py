"""Entailment and satisfiability by Z3; equivalence, and the form that spares Z3 the easy cases."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from fol_sentences import random_sentence

from logic_curriculum.rewards.engines.fol import entailment
from logic_curriculum.rewards.engines.fol.entailment import (
    entails,
    equivalent,
    normal_form,
    satisfiable,
)
from logic_curriculum.rewards.engines.fol.models import evaluate, random_models
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Atom,
    Binary,
    Formula,
    FreeVariableError,
    Not,
    Quantified,
    parse,
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


def test_what_only_infinite_models_satisfy_is_not_called_unsatisfiable() -> None:
    assert satisfiable([parse(INFINITE)], rlimit=20_000) is None


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


# -- equivalence ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("∀x(Fx→Gx)", "¬∃x(Fx∧¬Gx)", "equivalent"),
        ("∀x(Fx→Gx)", "∀x(¬Gx→¬Fx)", "equivalent"),
        ("∃x(Fx∧Fx)", "∃yFy", "equivalent"),
        ("∀x∀yPxy", "∀y∀xPxy", "equivalent"),
        ("(∀xFx→Ga)", "∃x(Fx→Ga)", "equivalent"),
        ("(Fa↔Gb)", "((Fa→Gb)∧(Gb→Fa))", "equivalent"),
        ("∀x(Fx→∃y(Gy∧Pxy))", "∀x∃y(Fx→(Gy∧Pxy))", "equivalent"),
        ("∃x∀yPxy", "∀y∃xPxy", "stronger"),
        ("∀x(Fx∧Gx)", "∀x(Fx→Gx)", "stronger"),  # the mistake that one-way checks let pass
        ("∃x(Fx→Gx)", "∃x(Fx∧Gx)", "weaker"),
        ("(Fa∨Gb)", "(Fa∧Gb)", "weaker"),
        ("∀x(Fx→Gx)", "∀x(Gx→Fx)", "unrelated"),
        ("∀xPax", "∀xPxa", "unrelated"),
        ("Fa", "¬Fa", "unrelated"),
        ("Fa", "Ga", "unrelated"),
    ],
)
def test_the_relation_tells_which_direction_fails(first: str, second: str, relation: str) -> None:
    a, b = parse(first), parse(second)
    mirrored = {"stronger": "weaker", "weaker": "stronger"}.get(relation, relation)
    assert equivalent(a, b).relation == relation
    assert equivalent(b, a).relation == mirrored
    assert equivalent(a, b).verdict is (relation == "equivalent")


@pytest.mark.parametrize("seed", range(4))
def test_random_pairs_get_the_verdict_of_z3_alone(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        a, b = random_sentence(rng, 3), random_sentence(rng, 2)
        assert equivalent(a, b).verdict == (entails([a], b) and entails([b], a)), f"{a} and {b}"


def test_open_formulas_and_clashing_predicates_are_not_compared() -> None:
    with pytest.raises(FreeVariableError):
        equivalent(parse("∀xPxy"), parse("∀xPxx"))
    with pytest.raises(ArityClashError):
        equivalent(parse("∀xPx"), parse("∀xPxx"))


def test_sentences_of_one_normal_form_are_equivalent() -> None:
    rng = random.Random(12)
    seen: dict[str, Formula] = {}
    shared = 0
    for _ in range(4000):
        sentence = random_sentence(rng, rng.randrange(1, 4))
        other = seen.setdefault(normal_form(sentence), sentence)
        if other == sentence:
            continue
        shared += 1
        models = random_models(signature(sentence, other), 3, 64, "normal")
        assert (evaluate(sentence, models) == evaluate(other, models)).all(), f"{sentence}, {other}"
    assert shared > 100


KEY = (
    "((∃x(Mx∧∃y(My∧Pxy))∧(¬∃x((Nx∧∃y(Oy∧Rxy))∧∃y(Ny∧Pxy))∨∃x(Ox∧¬Lx)))"
    "↔(¬∃x(Nx∧∀y(Oy→Pxy))∨(∃x((Ox∧∃y(My∧Pxy))∧Rxa)∧¬Qba)))"
)
PARTS = {
    "∃x(Mx∧∃y(My∧Pxy))": "∃x∃y((Mx∧My)∧Pxy)",
    "¬∃x((Nx∧∃y(Oy∧Rxy))∧∃y(Ny∧Pxy))": "∀x(Nx→∀y∀z((Oy∧Nz)→(¬Rxy∨¬Pxz)))",
    "¬∃x(Nx∧∀y(Oy→Pxy))": "∀x(Nx→∃y(¬Pxy∧Oy))",
    "∃x((Ox∧∃y(My∧Pxy))∧Rxa)": "∃x∃y((My∧Pxy)∧(Rxa∧Ox))",
}


def test_long_sentences_whose_parts_are_spelled_otherwise_are_equivalent() -> None:
    other = KEY
    for part, spelling in PARTS.items():
        assert part in other
        other = other.replace(part, spelling)
    assert equivalent(parse(other), parse(KEY)).verdict is True


@pytest.mark.parametrize("seed", range(60))
def test_parts_prove_nothing_that_models_refute(seed: int) -> None:
    """Combinations of few parts, which often agree and often don't."""
    rng = random.Random(seed)
    parts = [random_sentence(rng, 2) for _ in range(3)]

    def combination() -> Formula:
        one, two, three = (rng.choice([part, Not(part)]) for part in rng.choices(parts, k=3))
        words = ["and", "or", "imp", "iff"]
        return Binary(rng.choice(words), one, Binary(rng.choice(words), two, three))

    first, second = combination(), combination()
    symbols = signature(first, second)
    if entailment._equal_by_parts(first, second, symbols):
        for size in (1, 2, 3):
            models = random_models(symbols, size, 200, f"parts {seed}")
            assert (evaluate(first, models) == evaluate(second, models)).all()
        assert entails([], Binary("iff", first, second), rlimit=10**6) is not False
