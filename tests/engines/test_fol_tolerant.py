"""Formulas as models write them."""

from __future__ import annotations

import random

import pytest
from fol_sentences import random_sentence
from fol_spelling import spelled

from logic_curriculum.rewards.engines.fol.syntax import (
    MAX_LENGTH,
    ArgumentsError,
    Formula,
    FormulaError,
    free_variables,
    parse,
)
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant

ACCEPTED = [
    # connectives
    (r"Fa & Gb", "(Fa∧Gb)"),
    (r"Fa && ~Gb", "(Fa∧¬Gb)"),
    (r"Fa /\ Gb \/ Hc", "((Fa∧Gb)∨Hc)"),
    (r"Fa | Gb || Hc", "((Fa∨Gb)∨Hc)"),
    (r"!Fa -> -Gb", "(¬Fa→¬Gb)"),
    (r"−Fa ⊃ ∼Gb", "(¬Fa→¬Gb)"),
    (r"Fa => Gb <=> Hc", "((Fa→Gb)↔Hc)"),
    (r"Fa ≡ Gb ⇔ Hc", "((Fa↔Gb)↔Hc)"),
    (r"∀x(Fx if and only if Gx)", "∀x(Fx↔Gx)"),
    (r"not Fa and Gb or Hc implies Ia iff Jb", "((((¬Fa∧Gb)∨Hc)→Ia)↔Jb)"),
    (r"Fa &amp; Gb -&gt; Hc &lt;-&gt; Ia", "(((Fa∧Gb)→Hc)↔Ia)"),
    (r"&forall;x(Fx &rarr; &not;Gx)", "∀x(Fx→¬Gx)"),
    (r"∀x(Fx·Gx)", "∀x(Fx∧Gx)"),
    # v between formulas, and as a variable
    (r"Fa v Gb", "(Fa∨Gb)"),
    (r"(Fa)v(Gb)", "(Fa∨Gb)"),
    (r"FavGb", "(Fa∨Gb)"),
    (r"∀v(Fv → Pav)", "∀v(Fv→Pav)"),
    (r"∀v((Fv) v (Gv))", "∀v(Fv∨Gv)"),
    (r"∀x(Fx V Gx)", "∀x(Fx∨Gx)"),
    # LaTeX, with and without its backslashes
    (r"$\forall x\, (Fx \rightarrow \exists y\, (Gy \wedge Rxy))$", "∀x(Fx→∃y(Gy∧Rxy))"),
    (r"\( \neg\exists x \left( F(x) \land G(x) \right) \)", "¬∃x(Fx∧Gx)"),
    (r"\[\forall{x}{\left\{ P_{xy} \supset \lnot Q_{x,y}\right\}}\]", "∀x(Pxy→¬Qxy)"),
    (r"\\forall x\\;(\\mathrm{F}x \\implies \\text{G}(x))", "∀x(Fx→Gx)"),
    (r"\forall x \, \text{Fx} \text{ and } \bigl(Ga\bigr)", "(∀xFx∧Ga)"),
    ("forall x (Fx rightarrow neg Gx)", "∀x(Fx→¬Gx)"),
    ("forallx existsy Rxy", "∀x∃yRxy"),
    (r"\forallx\existsy Rxy", "∀x∃yRxy"),
    (r"\not\exists x Fx", "¬∃xFx"),
    (r"\nexists x Fx", "¬∃xFx"),
    # quantifiers
    ("(x)(Fx → Gx)", "∀x(Fx→Gx)"),
    ("(∀x)(∃y)Rxy", "∀x∃yRxy"),
    ("(∀x∃y)Rxy", "∀x∃yRxy"),
    ("(¬∃x)(Fx)", "¬∃xFx"),
    ("[∀x] (Fx)", "∀xFx"),
    ("∀(x)(Fx)", "∀xFx"),
    ("∀x,y Rxy", "∀x∀yRxy"),
    ("∀xy(Rxy)", "∀x∀yRxy"),
    ("∀x, ∃y: Rxy", "∀x∃yRxy"),
    ("∄x,y Rxy", "¬∃x∃yRxy"),
    ("For all x, there exists y such that R(x, y)", "∀x∃yRxy"),
    (r"\exists x\colon \forall y \text{ s.t. } R(x, y)", "∃x∀yRxy"),
    # atoms
    ("∀x∃y R(x,y)", "∀x∃yRxy"),
    ("∀x R x a", "∀xRxa"),
    ("Rc,a", "Rca"),
    ("R[c, a]", "Rca"),
    ("(Rxb ∧ (Fx))", "(Rxb∧Fx)"),
    # chains, precedence, brackets
    ("Fa ∧ Gb ∧ Hc", "((Fa∧Gb)∧Hc)"),
    ("(Fa → Gb) → Hc", "((Fa→Gb)→Hc)"),
    ("Fa → Gb ↔ Hc → Ia", "((Fa→Gb)↔(Hc→Ia))"),
    ("Fa ∨ Gb ∧ ¬Hc", "(Fa∨(Gb∧¬Hc))"),
    ("((∀x(Fx→Gx))→(((Ha))))", "(∀x(Fx→Gx)→Ha)"),
    ("{[Fa ∧ Gb] → Hc}", "((Fa∧Gb)→Hc)"),
    # scope
    ("∀xFx → Ga", "(∀xFx→Ga)"),
    ("∀x Fx → Gx", "(∀xFx→Gx)"),
    ("∀x.Fx → ∃y.Gy ∧ Rxy", "∀x(Fx→∃y(Gy∧Rxy))"),
    ("Ha ∧ ∃x: Fx ∧ Gx", "(Ha∧∃x(Fx∧Gx))"),
    ("∃x Fx ∧ ∃x Gx", "(∃xFx∧∃xGx)"),
    ("∀x(Fx ∧ ∃x Gx → Hx)", "∀x((Fx∧∃xGx)→Hx)"),
    ("∀x. ¬∃y (Gy ∧ Rxy) → Fx", "∀x(¬∃y(Gy∧Rxy)→Fx)"),
    ("∀x. Fx → Ga", "∀x(Fx→Ga)"),
    ("Fa → ∀x. Gx → Hx", "(Fa→∀x(Gx→Hx))"),  # the dot shows where the second one belongs
    ("∀x: Fx → Ga", "∀x(Fx→Ga)"),
    ("∀x, Fx → Ga", "∀x(Fx→Ga)"),
    ("∀x.(Fx → Gx) → Ha", "(∀x(Fx→Gx)→Ha)"),
    ("∀x (Fx → Gx) → Ha", "(∀x(Fx→Gx)→Ha)"),
    # what stands around, and look-alikes
    ("**∀x(Fx→Gx)**", "∀x(Fx→Gx)"),
    ("`∀xFx`.", "∀xFx"),
    ("- ∀xFx", "∀xFx"),
    ("-Fa", "¬Fa"),
    ("− Fa", "¬Fa"),
    ("2. ∀xFx;", "∀xFx"),
    ("“∀xFx”", "∀xFx"),
    ("∀𝑥（𝐹𝑥→𝐺𝑥）", "∀x(Fx→Gx)"),
    ("∃x\u200b(Nх∧Рₓₐ)", "∃x(Nx∧Pxa)"),  # Cyrillic letters, and subscripts
    ("∃x\\_(Fx \\& Gx)", "∃x(Fx∧Gx)"),
    (r"\begin{aligned}&\forall x(Fx\to Gx)\\&\land\neg Fa\end{aligned}", "(∀x(Fx→Gx)∧¬Fa)"),
    (r"\begin{align*} Fa &\to Gb \& Ga \end{align*}", "(Fa→(Gb∧Ga))"),
    (r"\begin{equation} Fa & Gb \end{equation}", "(Fa∧Gb)"),
]

REJECTED = [
    ("", "expected a formula, found the end, at character 1 "),
    ("ERROR", "expected a connective or|predicate E has 0 arguments"),
    ("∀x(Fx→Gx", r"expected a connective or '\)', found the end, at character 9 "),
    ("∀x(Fx→Gx))", r"expected the end or a connective, found '\)', at character 10 "),
    ("(Fa]", r"expected a connective or '\)', found '\]', at character 4 "),
    ("(Fa∧Gb}", "expected a connective"),
    ("∀x(Fx Gx)", "expected a connective or '\\)', found 'G', at character 7 "),
    ("Fa →", "expected a formula, found the end"),
    ("∧ Fa", "expected a formula, found '∧'"),
    ("¬", "expected a formula, found the end"),
    ("()", r"expected a formula, found '\)'"),
    ("∀Fx", "expected a variable .s to z., found 'F', at character 2 "),
    ("∀aFa", "expected a variable .s to z., found 'a', at character 2 "),
    ("Ax(Fx → Gx)", r"expected the end or a connective, found '\('"),  # A may be a predicate
    ("Ex(Fx & Gx)", r"expected the end or a connective, found '\('"),
    ("∃x(Fx∧x≠a)", "identity is not part of the language, at character 8 "),
    (r"\exists x (x \neq a)", "identity is not part of the language"),
    ("∃!xFx", "uniqueness"),
    ("∀x∈D Fx", "restricted"),
    ("Fa → ⊥", "constant truth values"),
    ("∀x(Ωx→Fx)", "is no sign of the language, at character 4 "),
    ("Fa → Gb → Hc", "a chain of → needs brackets"),
    ("Fa → ¬Gb → Hc", "a chain of → needs brackets"),
    ("∀x(Fx → Gx ∧ Hx → Ix)", "a chain of → needs brackets"),
    ("F1", "'1' is no sign of the language, at character 2 "),
    (r"\frac Fa", r"'\\\\' is no sign"),
    ("R(x,f(y))", r"expected a term or '\)'"),
    ("The answer is Fa", "predicate T has 2 arguments|expected"),
]


@pytest.mark.parametrize(("text", "formula"), ACCEPTED)
def test_a_usual_notation_is_read(text: str, formula: str) -> None:
    assert str(parse_tolerant(text)) == formula


@pytest.mark.parametrize(("text", "reason"), REJECTED)
def test_what_is_no_formula_is_refused_with_where_and_why(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        parse_tolerant(text)


@pytest.mark.parametrize("text", ["∀xF", "Pabc", "P(a,b,c)", "∀x(Rxax→Fx)", "Donkey(x)", "F()"])
def test_a_wrong_number_of_arguments_has_an_error_of_its_own(text: str) -> None:
    with pytest.raises(ArgumentsError, match=r"has \d arguments?, 1 or 2 expected|expected a term"):
        parse_tolerant(text)


def test_a_known_arity_tells_a_disjunction_from_an_argument() -> None:
    text = "∀v(Fv v Gv)"
    assert str(parse_tolerant(text, {"F": 1, "G": 1})) == "∀v(Fv∨Gv)"
    with pytest.raises(FormulaError):
        parse_tolerant(text)
    assert str(parse_tolerant("∀v(Fv → Pvv)", {"F": 1, "P": 2})) == "∀v(Fv→Pvv)"


def test_a_bracket_after_a_quantifier_shows_its_scope() -> None:
    assert free_variables(parse_tolerant("∀x(Fx→Gx)→Hx")) == {"x"}
    assert free_variables(parse_tolerant("∀x∃y(Rxy)→Hy")) == {"y"}


def test_free_variables_and_arities_are_left_to_the_judge() -> None:
    assert parse_tolerant("Fx ∧ Pab ∧ Pa") == parse("((Fx∧Pab)∧Pa)")


def test_strict_text_is_read_as_the_strict_parser_reads_it() -> None:
    rng = random.Random(3)
    for _ in range(500):
        text = str(random_sentence(rng, 6))
        assert parse_tolerant(text) == parse(text)


@pytest.mark.parametrize("seed", range(4))
def test_a_formula_in_a_random_notation_is_read_as_it_was_meant(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(1000):
        formula = random_sentence(rng, rng.randrange(6))
        text = spelled(rng, formula)
        assert parse_tolerant(text) == formula, text


def outcome(text: str) -> Formula | str:
    try:
        return parse_tolerant(text)
    except FormulaError as error:
        return error.problem


@pytest.mark.parametrize(
    ("piece", "ending"),
    [
        ("¬", "Fa"),
        ("(", "Fa"),
        ("∀x", "Fx"),
        ("(∀x)", "Fx"),
        ("∀x.Fx→", "Fx"),
        ("∀x Fx→", "Gx"),
        ("Fa→", "Fa"),
        ("Fa∧", "Fa"),
        ("(Fa∧", "Fa"),
        ("\\", "Fa"),
        ("\\text{", "Fa"),
        (" ", "Fa"),
        ("'", "Fa"),
        ("(∀x(", "Fx"),
        ("(x", ")Fx"),
        ("Px", "Fx"),
        ("v", "v"),
    ],
)
@pytest.mark.parametrize("length", [MAX_LENGTH // 2, MAX_LENGTH, 1_000_000])
def test_endless_repetition_is_refused_or_read_and_nothing_else(
    piece: str, ending: str, length: int
) -> None:
    text = piece * ((length - len(ending)) // len(piece)) + ending
    result = outcome(text)
    assert isinstance(result, str) or piece in " '"
