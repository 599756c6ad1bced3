"""Formulas that completions state, and texts that state none."""

import time

import pytest

from rewards.formulas import extract_formula

SYMBOLS = "MNOJKPQabcGFLRx"
READ = [
    ("∀x(Fx→Gx)", "∀x(Fx→Gx)"),
    ("So ∀x(Fx → Gx).", "∀x(Fx → Gx)"),
    ("Qcb", "Qcb"),
    ("Q(c,b)", "Q(c,b)"),
    ("**Answer:** $\\forall x (Fx \\rightarrow Gx)$", "∀ x (Fx → Gx)"),
    ("```\n∀x(Fx→Gx)\n```", "∀x(Fx→Gx)"),
    (
        "Let me think. Every monkey: ∀x(Ox→Jx). Hazel: Kc.\n"
        "Therefore the formula is (∀x(Ox→Jx)∧Kc).\n\nExplanation:\n"
        "- `∀x(Ox→Jx)`: every monkey is asleep\n- Kc: Hazel is happy",
        "(∀x(Ox→Jx)∧Kc)",
    ),
    ("not Fa and Gb", "not Fa and Gb"),
    ("The answer is Fa.", "Fa"),
    ("No", None),
    ("The answer is No.", None),
    ("Fa AND Gb", "Fa AND Gb"),
    ("\\boxed{\\text{valid}} where ∀x(Fx→Gx)", "∀x(Fx→Gx)"),
    ("\\boxed{Fa}\n\nThis uses ∀x(Fx→Gx)", "Fa"),
    ("Attempt: ¬∀x(Ox→Pxc).\n\nFinal answer: ∀x(Ox→Pxc)", "∀x(Ox→Pxc)"),
    ("∀x(Ox→Jx)\n\nEquivalently: ¬∃x(Ox∧¬Jx)", "∀x(Ox→Jx)"),
    ("∃x(Ox∧¬Pxc)\n", "∃x(Ox∧¬Pxc)"),
    ("1. ∀x(Ox→Jx)\n2. ∀x(Ox→Kx)", "∀x(Ox→Kx)"),
    ("∀x(Mx → (∃y(Ny ∧ Pxy) →\n  Qxa))", "∀x(Mx → (∃y(Ny ∧ Pxy) → Qxa))"),
    ("Pzxc ∧", "Pzxc ∧"),
    ("The formula is ∃x Mx, which says there is a donkey.", "∃x Mx"),
    ("### Formalization\n∀x(Fx→Gx)", "∀x(Fx→Gx)"),
    ("<think>∀xFx</think>∃xFx", "∃xFx"),
    ("<think>∀xFx</think>", "∀xFx"),
    ("(∀x)(Fx → Gx)", "(∀x)(Fx → Gx)"),
    ("Fa -> ~Gb", "Fa -> ~Gb"),
    ("Fa | Gb", "Fa | Gb"),
    ("Fa => Gb", "Fa => Gb"),
    (
        "Here is the translation:\n\n∀x(Fx→Gx)\n\nLet me know if you need anything else!",
        "∀x(Fx→Gx)",
    ),
    ("Pa b", "Pa b"),
    ("∃x(Ox∧Jx)\n\nwhere:\n- Ox: x is a monkey", "∃x(Ox∧Jx)"),
    ("", None),
    ("I can't translate that.", None),
]


@pytest.mark.parametrize(("text", "formula"), READ, ids=[text[:40] for text, _ in READ])
def test_the_formula_is_found_without_its_markup(text, formula):
    assert extract_formula(text, SYMBOLS) == formula


def test_of_many_formulas_exactly_the_last_counts():
    formulas = [f"∀x({p}x→{q}x)" for p in "FGHIJ" for q in "KLMN"]
    assert extract_formula("\n".join(formulas)) == formulas[-1]


@pytest.mark.parametrize(
    "later", ["Fa", "\n\nFa", "So:\nFa", "Thus, the formula is:\n\nFa", "**Fa**", "$Fa$", "  Fa."]
)
def test_a_part_of_the_formula_before_it_counts_on_a_line_of_its_own(later):
    assert extract_formula(f"(Fa∧Fa)\n{later}", SYMBOLS) == "Fa"


@pytest.mark.parametrize(
    "later",
    [
        "Here Fa says that a is F.",
        "where Fa",
        "- Fa\n- Ga",
        "1. Fa",
        "| Fa | a is F |",
        "|Fa|",
        "a is F: Fa",
        "Predicates used:\nFa",
    ],
)
def test_a_part_of_the_formula_before_it_explains_that_elsewhere(later):
    assert extract_formula(f"(Fa∧Ga)\n\n{later}", SYMBOLS) == "(Fa∧Ga)"


def test_a_malformed_answer_hides_the_good_one_before_it():
    assert extract_formula("∀x(Fx→Gx)\n\nFinal answer: ∀x(Fx→→Hx") == "∀x(Fx→→Hx"


@pytest.mark.parametrize("piece", ["(", "∀x", "¬", "Fa ", "Fa & ", "```\n", "\\boxed{", "$", "| "])
def test_a_hostile_megabyte_is_read_in_time(piece):
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    extract_formula(text)
    assert time.process_time() - started < 10
