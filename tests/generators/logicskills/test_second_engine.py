"""The engine that re-verifies tasks is right by itself: small cases worked out by hand."""

from __future__ import annotations

import english_reader
import pytest
import second_prover
from english_reader import ENGLISH, ReadingError
from fol_reference import AXIOM, World, read, true_in

# (premises, conclusion, whether it follows)
ARGUMENTS = [
    ([], "(Fa∨¬Fa)", True),
    ([], "∃x(Fx→∀yFy)", True),
    ([], "(Fa→Fb)", False),
    (["∀x(Fx→Gx)", "Fa"], "Ga", True),
    (["∀x(Fx→Gx)", "Ga"], "Fa", False),
    (["∃x∀yPxy"], "∀y∃xPxy", True),
    (["∀y∃xPxy"], "∃x∀yPxy", False),
    (["∀x(Fx→Gx)"], "∃x(Fx∧Gx)", False),  # no F need exist
    ([AXIOM, "∀x(Mx→Gx)"], "∃x(Mx∧Gx)", True),  # the axiom says that there is an M
    ([AXIOM, "Ma"], "¬Na", True),
    (["∀x∀y(Pxy→Pyx)", "∀x∀y∀z((Pxy∧Pyz)→Pxz)", "∀x∃yPxy"], "∀xPxx", True),
    (["∀x∀y∀z((Pxy∧Pyz)→Pxz)", "∀x∃yPxy"], "∃x¬Pxx", False),
]


@pytest.mark.parametrize(("premises", "conclusion", "valid"), ARGUMENTS)
def test_entailment_is_told_from_its_absence(
    premises: list[str], conclusion: str, valid: bool
) -> None:
    assert second_prover.follows([read(text) for text in premises], read(conclusion)) is valid


def test_truth_is_evaluated_by_the_clauses() -> None:
    world = World(
        (0, 1), {"a": 0, "b": 1}, {"F": frozenset({(0,)}), "P": frozenset({(0, 1), (1, 1)})}
    )
    true = ["Fa", "¬Fb", "Pab", "∀x∃yPxy", "∃y∀xPxy", "(Fb→Fa)", "(Fb↔¬Fa)", "∃x∀x(Fx∨Pxx)"]
    false = ["Fb", "Pba", "∀xPxx", "(Fa→Fb)", "(Fa↔Fb)", "∃x(Fx∧∀yPxy)"]
    assert [text for text in true if not true_in(read(text), world)] == []
    assert [text for text in false if true_in(read(text), world)] == []


@pytest.mark.parametrize(
    "text", ["", "F", "Fx∧Gx", "(Fa∧Ga", "(Fa∧Ga∧Ha)", "∀a Fa", "Pabc", "(Fa)", "Fa)", "fa"]
)
def test_what_is_no_strict_formula_is_refused(text: str) -> None:
    with pytest.raises((ValueError, IndexError, KeyError)):
        read(text)


# Sentence types of the paper's table, each with the formula that its words mean.
SENTENCES = [
    ("Hazel drank.", "Hc"),
    ("Lewis isn't happy.", "¬Kb"),
    ("Only humans will run.", "∀x(Fx→Nx)"),
    ("Not all donkeys chased Alfred.", "∃x(Mx∧¬Rxa)"),
    ("Every donkey saw every donkey that saw every monkey.", "∀x(Mx→∀y((My∧∀z(Oz→Pyz))→Pxy))"),
    ("A monkey saw every human that saw it.", "∃x(Ox∧∀y((Ny∧Pyx)→Pxy))"),
    ("No donkeys kicked a monkey that kicked it.", "¬∃x∃y((Mx∧Oy)∧(Qxy∧Qyx))"),
    ("There is a donkey that every monkey kicked.", "∃x(Mx∧∀y(Oy→Qyx))"),
    ("There is not a monkey that every human chased.", "¬∃x(Ox∧∀y(Ny→Ryx))"),
    ("A donkey kicked itself.", "∃x(Mx∧Qxx)"),
    ("If Hazel ate, then Lewis ate only if Alfred ate.", "(Ic→(Ib→Ia))"),
    ("Alfred ate unless Lewis ate.", "(¬Ib→Ia)"),
    ("Hazel or Lewis are asleep.", "(Jc∨Jb)"),
    ("Either Hazel ate or Lewis ate, and Alfred ate.", "((Ic∨Ib)∧Ia)"),
    ("Both Hazel ate and either Lewis ate or Alfred ate.", "(Ic∧(Ib∨Ia))"),
    ("If Hazel ate, then it is not the case that both Lewis ate and Alfred ate.", "(Ic→¬(Ib∧Ia))"),
    ("Hazel saw Lewis but it is not the case that Lewis isn't hungry.", "(Pcb∧Lb)"),
]


@pytest.mark.parametrize(("sentence", "formula"), SENTENCES)
def test_sentences_are_understood(sentence: str, formula: str) -> None:
    understood = english_reader.understand(sentence, ENGLISH)
    assert second_prover.same_truth_conditions(understood, read(formula))


@pytest.mark.parametrize(
    "sentence",
    [
        "Hazel drank and Lewis drank or Alfred drank.",  # which connective is the main one?
        "It is not the case that Hazel drank and Lewis ate.",
        "Hazel drank only if Lewis drank only if Alfred drank.",
        "Hazel gyred.",  # another language's word
        "Every donkeys drank.",
        "hazel drank.",
        "Hazel drank",
        "Hazel drank it.",
        "Every human saw it.",
    ],
)
def test_sentences_with_no_reading_or_several_are_refused(sentence: str) -> None:
    with pytest.raises(ReadingError):
        english_reader.understand(sentence, ENGLISH)
