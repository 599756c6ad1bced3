"""What an answer looks like in each family, in one block: docs/judges.md."""

import pytest
from linear_time import takes_linear_time

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.countermodel.answer import read_structure
from logic_curriculum.rewards.engines.numeric.syntax import Query
from logic_curriculum.rewards.loginum.answer import read_value
from logic_curriculum.rewards.sat import read_certificate, read_verdict
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.symbolization import read_formula
from logic_curriculum.rewards.validity import read_labels

NONE, SEVERAL = "unreadable", "ambiguous"


def said(reading):
    """Return what a completion answers, or else what became of it."""
    return reading.status if reading.answer is None else reading.answer


def cases(table):
    return pytest.mark.parametrize(("block", "found", "reason"), table, ids=lambda value: None)


# -- slr -------------------------------------------------------------------------------------------

RED = "eastbound(T) :- has_car(T, C), red(C)."
HELPER = "red(C) :- car_color(C, red)."
SLR = [
    (RED, RED, "a clause"),
    (RED[:-1], RED, "without its full stop"),
    ("eastbound(_).", "eastbound(_).", "an always-true fact, which is not ground"),
    (f"{RED}\n{HELPER}", f"{RED}\n{HELPER}", "a helper clause in the same block"),
    (f"?- eastbound(t0).\n{RED}\n:- dynamic red/1.", RED, "queries and declarations are dropped"),
    (f"{RED}\nwestbound(T) :- \\+ eastbound(T).", RED, "that the negative class is the rest"),
    (f"{RED}\nwestbound(T) :- blue(T).", SEVERAL, "another rule, but for a copied label"),
    (f"# Rule\n// red\n% red\n{RED} /* a. b */", RED, "all kinds of comments"),
    (rf"\texttt{{{RED}}}".replace("_", r"\_"), RED, "LaTeX's underscore and typewriter"),
    ("eastbound(T) :- a(T, 'x. % y').", SEVERAL, "signs in quotes, which are no value's"),
    ("eastbound(T) :- X =.. [_], X < 1.5.", SEVERAL, "other stops, which a word could make"),
    (f"\nred(a). red(b).\n{RED}", f"red(a).\nred(b).\n{RED}", "facts on a line"),
    (f"{RED}\nred('my (car)').", f"{RED}\nred('my (car)').", "a bracket in quotes"),
    (f"{RED}\nred(f(g(h(_)))).", f"{RED}\nred(f(g(h(_)))).", "brackets in brackets"),
    (f"{RED}\n'as red'(t0).", f"{RED}\n'as red'(t0).", "a name in quotes"),
    (f"'eastbound'{RED[9:]}", f"'eastbound'{RED[9:]}", "the positive class in quotes"),
    ("eastbound(T) :- X is 2*3, *(X).", "eastbound(T) :- X is 2*3, *(X).", "stars are Prolog"),
    (f'{{"Rule": "{RED}", "why": "it fits"}}', RED, "JSON"),
    (f"hypothesis: |\n  {RED}\n  {HELPER}", f"{RED}\n{HELPER}", "YAML over several lines"),
    (f'{{"rule": "{RED}", "program": "eastbound(_)."}}', SEVERAL, "two of the keys"),
    ("eastbound(T) <- red(T).", "eastbound(T) <- red(T).", "a malformed clause with a neck"),
    ("eastbound(T) :- red(T", "eastbound(T) :- red(T.", "a malformed body"),
    ("eastbound(t0). eastbound(t1).", NONE, "ground facts alone"),
    ("?- eastbound(T).", NONE, "a query alone"),
    ("westbound(T) :- blue(T).", NONE, "the negative class alone"),
    (HELPER, NONE, "no clause about the positive class"),
    (f"{RED} It fits all trains.", NONE, "prose after it"),
    (f"% {RED}", NONE, "a comment"),
    ("red cars", NONE, "words"),
    (f"1. {RED}\n2. {HELPER}", NONE, "numbers before clauses"),
]


@cases(SLR)
def test_slr_reads_a_program(block, found, reason):
    assert said(read_rule(f"[RULE]{block}[/RULE]", "eastbound", "westbound")) == found, reason


def test_clauses_apart_are_not_joined():
    assert said(read_rule(f"{RED}\n\n{HELPER}", "eastbound", "westbound")) == "ambiguous"
    fences = f"```\n{RED}\n```\nwith\n```\n{HELPER}\n```"
    assert said(read_rule(fences, "eastbound", "westbound")) == "ambiguous"


# -- symbolization ---------------------------------------------------------------------------------

SYMBOLIZATION = [
    ("∀x(Fx→Gx)", "∀x(Fx→Gx)", "a formula"),
    ("∀x(Fx→Gx).", "∀x(Fx→Gx).", "with a full stop"),
    (r"$\forall x\,(F(x) \to G(x))$", r"$\forall x\,(F(x) \to G(x))$", "LaTeX"),
    ("forall x (Fx -> not Gx)", "forall x (Fx -> not Gx)", "words for signs"),
    ("∀x(Fx →\n  Gx)", "∀x(Fx →\n  Gx)", "over two lines"),
    ("Symbolization: Fa", "Fa", "a label"),
    ("So the formula is: ∀x(Fx→Gx)", "∀x(Fx→Gx)", "a label"),
    ("Fa→Gb→Fb", "Fa→Gb→Fb", "a chain, which is malformed"),
    ("∀x(Fx→→Gx", "∀x(Fx→→Gx", "malformed ones"),
    ("Pab", "Pab", "the task's symbols, without a connective"),
    ("No", NONE, "letters that are none of its symbols"),
    ("¬No", "¬No", "letters with a connective"),
    ('{"formula": "Fa", "sentence": "Gb"}', "Fa", "JSON"),
    (r'{"formula": "\\forall x Fx"}', "∀xFx", "JSON's escapes"),
    ('{"formula": "Fa", "translation": "(Fa)"}', "Fa", "one answer after parsing"),
    ('{"formula": "Fa", "answer": "Gb"}', SEVERAL, "two of the keys"),
    ("Fa\nGb", SEVERAL, "formulas on lines of their own"),
    ("Fa∧Gb\n(Fa∧Gb)", "Fa∧Gb", "the same formula twice"),
    ("Fa∧Gb or Gb∧Fa", SEVERAL, 'the word "or" between formulas of signs'),
    ("not Fa or Gb", "not Fa or Gb", "in a formula of words it is one of them"),
    ("The formula is Fa", NONE, "prose"),
    ("Fa, where a is Al", NONE, "prose after it"),
    ("Donkey(a)", NONE, "a predicate's name in words"),
    ("¬" * 2500 + "Fa", "¬" * 2500 + "Fa", "too long to be parsed, which is malformed"),
]


@cases(SYMBOLIZATION)
def test_symbolization_reads_a_formula(block, found, reason):
    assert said(read_formula(f"<answer>{block}</answer>", "FGPabc")) == found, reason


# -- countermodel ----------------------------------------------------------------------------------

WHOLE = {"domain": (0, 1), "a": 0, "b": 1, "M": (0, 1), "N": (), "P": ((0, 1),)}
PAPER = """Domain: [0, 1]
Constants: "a": 0, "b": 1
Monadic predicates: "M": [0, 1], "N": []
Binary predicates: "P": [[0, 1]]"""
STRUCTURES = [
    (PAPER, "the paper's layout"),
    ("Domain: [0,1]\na: 0\nb: 1\nM: [0, 1]\nN: []\nP: [[0, 1]]", "a line for each"),
    ("domain={0,1} a=0 b=1 M={0,1} N={} P={(0,1)}", "one line"),
    ("D = {0, 1}; a := 0; b := 1\nM → {0, 1}\nN is empty\nP = {⟨0,1⟩}", "other signs"),
    ("Domain: {0,1}\n- **a**: 0\n- **b**: 1\n- **M**: {0, 1}\n- N: ∅\n- `Pxy`: {(0,1)}", "a list"),
    ("# All\nDomain: [0, 1]\n\n# Rest\na = 0, b = 1\nM = {0,1}, N = ∅, P = {(0,1)}", "headings"),
    ("| symbol | value |\n|---|---|\n| domain | [0, 1] |\n| a | 0 |\n| b | 1 |\n| M | {0, 1} |\n"
     "| N | ∅ |\n| P | {(0,1)} |", "a table"),
    ("Domain: {0,1}\nLet a = 0, b = 1\nM(0), M(1), N(0) = false\nP(0,1), ¬P(1,1)", "facts"),
    ('{"Domain": [0, 1], "Constants": {"a": 0, "b": 1}, "M": ["0", "1"], "N": [],'
     ' "P": [[0, 1]]}', "JSON"),
    ("domain: [0, 1]\na: 0\nb: 1\nM:\n  - 0\n  - 1\nN: []\nP:\n  - [0, 1]", "YAML"),
    (r"$D = \{0,1\}$, $a = 0$, $b = 1$, $M = \{0, 1\}$, $N = \varnothing$, "
     r"$P = \{\langle 0, 1 \rangle\}$", "LaTeX"),
    (f"{PAPER}\nc: 1\nQ: [0]", "other symbols are ignored"),
    ("Domain: [0, 1] // two\na: 0 # Al\nb: 1 (Bo)\nM: [0, 1]\nN: []\nP: [[0, 1]]", "comments"),
]  # fmt: skip


@pytest.mark.parametrize(("block", "reason"), STRUCTURES, ids=lambda value: None)
@pytest.mark.parametrize("place", ["<answer>\n{}\n</answer>", "It is:\n\n```\n{}\n```\n\nSo."])
def test_countermodel_reads_a_structure_in_any_layout(block, reason, place):
    assert said(read_structure(place.format(block), "abMNP", "P")) == WHOLE, reason


LINE = "a=0 b=1 M={0} N={} P={}"
AT = {"a": 0, "b": 1, "M": (0,), "N": (), "P": ()}
PARTS_OF_STRUCTURES = [
    ("<answer>a = 0\nM = {0}</answer>", {"a": 0, "M": (0,)}, "a block may leave symbols out"),
    ("<answer>a = 0\na = 1</answer>", SEVERAL, "a symbol with two values"),
    ("<answer>M(0), ¬M(0)</answer>", SEVERAL, "a fact that is denied"),
    ("<answer>M = {0, 0}\nM = {0}</answer>", {"M": (0, 0)}, "the same value twice"),
    ("<answer>a = 0\nM = {0}\nThis is no countermodel</answer>", NONE, "a sentence"),
    ("<answer>a = 0 or 1</answer>", NONE, "a choice"),
    ("<answer>M = [x]</answer>", NONE, "no element"),
    ("<answer>Q = {0}</answer>", NONE, "no symbol of the argument"),
    ('<answer>{"a": 0, "a": 1}</answer>', NONE, "a key given twice"),
    (f"Let me see.\n{LINE}\nSo it is invalid.", AT, "a run of lines, whatever stands around"),
    ("a=0 b=1\n\n# Predicates\n\nM={0} N={}\nP={}", AT, "over empty lines and headings"),
    ("a = 0\nM = {0}", NONE, "a run that leaves symbols out"),
    ("a=0 b=1\nNow, since a is no M, we have\nM={0} N={} P={}", NONE, "any other line ends a run"),
    (f"{LINE}\n\n# Again\n\n{LINE.replace('a=0', 'a=1')}", {**AT, "a": 1}, "a heading begins anew"),
    (f"{LINE}\n\n{LINE.replace('a=0', 'a=1')}", SEVERAL, "without a heading it is the same run"),
    (f"{LINE}\nActually, let M = {{1}}.", AT, "a sentence is no part of a run"),
]


@cases(PARTS_OF_STRUCTURES)
def test_countermodel_reads_lines_that_assign(block, found, reason):
    assert said(read_structure(block, "abMNP", "P")) == found, reason


# -- validity --------------------------------------------------------------------------------------

TEXTS = (
    "Every donkey saw every monkey.",
    "No donkeys saw a monkey.",
    "There is a donkey that every monkey saw.",
    "A donkey saw a monkey.",
    "Hazel isn't asleep.",
    "Not all donkeys saw every monkey.",
)
VALIDITY = [
    ("3", [3], "a number"),
    ("2, 5", [2, 5], "numbers"),
    ("5 and 2", [2, 5], "in any order"),
    ("[2, 5]", [2, 5], "in brackets"),
    (r"$\{2, 5\}$", [2, 5], "as a set of LaTeX's"),
    ("- 2\n- 5", [2, 5], "a list"),
    ("none", [], "none"),
    ("None of them.", [], "none of them"),
    ("none of the above", [], "none of the above"),
    ("Statements 2 and 5 must be true.", [2, 5], "words that say nothing"),
    ("Therefore, only option 3 necessarily follows in this situation", [3], "more of them"),
    ("My conclusion: exactly these are guaranteed: 2, 5", [2, 5], "behind a label"),
    ("A donkey saw a monkey.", [4], "a wording"),
    ('"a donkey saw a monkey"', [4], "case, quotes and full stop don't matter"),
    ("4. A donkey saw a monkey.", [4], "a wording behind its number"),
    ("3. A donkey saw a monkey.", SEVERAL, "a wording behind another's number"),
    ("2: No donkeys saw a monkey.\n5: Hazel isn’t asleep.", [2, 5], "several of them"),
    ('3 (it follows) "so it is"', [3], "remarks without numbers"),
    ("3 (by premise 2)", NONE, "a remark with a number"),
    ('{"answer": [2, 5], "premises": [1]}', [2, 5], "JSON"),
    ("labels: none", [], "YAML"),
    ('{"statement": 3, "option": 4}', SEVERAL, "two of the keys"),
    ("2 or 5", SEVERAL, "a choice"),
    ("none, or 2", SEVERAL, "none and a number"),
    ("3, not 4", NONE, "a word that says something"),
    ("the third", NONE, "a number in words"),
    ("-3", NONE, "a sign"),
    ("2–5", NONE, "a range"),
    ("3?", NONE, "a question"),
    ("7", [7], "a number beyond the options, which is wrong"),
    ("100", [100], "of any length"),
]


@cases(VALIDITY)
def test_validity_reads_a_set_of_statements(block, found, reason):
    labels = said(read_labels(f"<answer>{block}</answer>", TEXTS))
    assert (labels if isinstance(labels, str) else sorted(labels)) == found, reason


# -- loginum ---------------------------------------------------------------------------------------

LOGINUM = [
    ("290", 290, "a number"),
    ("-3,197", -3197, "a sign and groups"),
    ("−3197", -3197, "another sign"),
    ("-3{,}197", -3197, "LaTeX's groups"),
    ("15\u202f388", 15388, "groups by thin spaces"),
    ("290.0", 290, "decimals that say nothing"),
    ("580/2", 290, "a fraction"),
    (r"$\frac{580}{2}$", 290, "LaTeX's fraction"),
    ("290 units", 290, "units"),
    ("x = 290", 290, "an equation"),
    ("42 * 5 + 80 = 290", 290, "what follows the last ="),
    ("Hetty's legal is 290.", 290, "the sentence that is asked for"),
    ("The legal of Hetty is 290", 290, "in another wording"),
    ('{"answer": 290, "steps": 3}', 290, "JSON"),
    ("value: 580/2", 290, "YAML"),
    ('{"answer": 290, "value": "290.0"}', 290, "the same answer twice"),
    ('{"answer": 290, "value": 291}', SEVERAL, "two of the keys"),
    ("290 or 291", SEVERAL, "two numbers"),
    ("290\n291", SEVERAL, "on two lines"),
    ("x = 290, x = 291", SEVERAL, "a variable with two values"),
    ("290.5", NONE, "no whole number"),
    ("581/2", NONE, "a fraction that is none"),
    ("Hetty's willing is 290", NONE, "another attribute"),
    ("Bo's legal is 290", NONE, "another entity"),
    *((block, NONE, "a sign that changes it") for block in ("15%", "~15", "≥ 15", "-(15)", "√15")),
    ("not 15", NONE, "a word that changes it"),
    ("290 or so", NONE, "words that make it vague"),
    ("290, because rule_5 applies", NONE, "a reason"),
    ("1e3", 1000, "a power of ten"),
    ("fifteen", NONE, "a number in words"),
    ("9" * 5000, NONE, "more digits than any answer has"),
]


@cases(LOGINUM)
def test_loginum_reads_a_whole_number(block, found, reason):
    assert said(read_value(rf"\boxed{{{block}}}", Query("Hetty", "legal"))) == found, reason


# -- sat -------------------------------------------------------------------------------------------

YES = "consistent, Consistent., **consistent**, satisfiable, SAT, yes, true, jointly consistent"
NO = "inconsistent, not consistent, unsatisfiable, UNSAT, not satisfiable, no, false, contradictory"
YES = [*YES.split(", "), "The statements are consistent.", "verdict: SAT"]
NO = [*NO.split(", "), "The statements are logically inconsistent.", '{"verdict": "inconsistent"}']
VERDICTS = [
    *((block, True, "says that they are") for block in YES),
    ('{"result": "consistent", "core": []}', True, "beside a certificate"),
    ("The statements are not consistent", False, "says that they aren't"),
    *((block, False, "says that they aren't") for block in NO),
    ("consistent or inconsistent", SEVERAL, "both"),
    ("consistent/inconsistent", SEVERAL, "both, as prompts may have it"),
    ('{"result": "SAT", "answer": "UNSAT"}', SEVERAL, "two of the keys"),
    ("consistent?", NONE, "a question"),
    ("They can all be true", NONE, "prose"),
    ("not inconsistent", NONE, "a double negation"),
]


@cases(VERDICTS)
@pytest.mark.parametrize("place", ["<result>{}</result>", "<answer>{}</answer>"])
def test_sat_reads_a_verdict(block, found, reason, place):
    assert said(read_verdict(place.format(block))) == found, reason


SAT, UNSAT = "<result>consistent</result>\n", "<result>inconsistent</result>\n"
ALL = {"v1": True, "v2": False}
CORE = frozenset({2, 5, 7})
CERTIFICATES = [
    *((block, ALL, "an assignment") for block in ("v1=true, v2=false", "v1 = True; v2 = False")),
    *((block, ALL, "other values") for block in ("v1: T, v2: F", "v1=1, v2=0")),
    *((block, ALL, "literals") for block in ("v1, ¬v2", "{v1, not v2}", "v1 and ~v2", "V1 & ¬V2")),
    *((block, NONE, "no literals") for block in ("v1, v2=0", "v1=1, ¬v2", "v1, -v2", "v1, v2 (0)")),
    ("- v1: **true**\n- v2: **false**", ALL, "a list"),
    ("$v_1 = true$, $v_{2} = F$", ALL, "LaTeX"),
    ('{"v1": true, "v2": false}', ALL, "JSON"),
    ("V1=true (since 3), v2=false  # by 2", ALL, "comments"),
    ("The assignment is: v1=true, v2=false", ALL, "a label"),
    ("v1=true, v2=false, v1=true", ALL, "the same value twice"),
    ("v1=true, v2=false, v1=false", SEVERAL, "a variable with two values"),
    ("v1=true", {"v1": True}, "variables may be left out, which is wrong"),
    ("v1=true, v9=false", NONE, "another variable"),
    ("v1=true, v2=...", NONE, "dots"),
    ("2, 5, 7", CORE, "numbers of statements"),
    ("[7, 5, 2]", CORE, "in brackets, in any order"),
    ("statements 2, 5 and 7", CORE, "with words"),
    ("S2, S5", NONE, "other names"),
    ("2-5", NONE, "a range"),
    ("the second one", NONE, "prose"),
    ("", NONE, "nothing"),
]


@cases(CERTIFICATES)
def test_sat_reads_a_certificate(block, found, reason):
    text = f"{SAT}<certificate>{block}</certificate>"
    assert said(read_certificate(text, ["v1", "v2"], read_verdict(text))) == found, reason


PLACES = [
    (f"<certificate>2</certificate>\n{UNSAT}", {2}, "in either order"),
    (f"{UNSAT}<certificate>1</certificate> <certificate>2</certificate>", {2}, "the last counts"),
    (f"<certificate>2</certificate>\n{SAT} no: {UNSAT}", {2}, "of each, on its own"),
    ("<answer>inconsistent</answer><certificate>2</certificate>", {2}, "beside another tag"),
    ('{"verdict": "UNSAT", "certificate": [2]}', {2}, "in the verdict's mapping"),
    ("result: UNSAT\ncore: 2, 5", {2, 5}, "in YAML"),
    ('{"verdict": "UNSAT", "core": [2, 5], "certificate": [5, 2]}', {2, 5}, "twice the same"),
    ('{"verdict": "UNSAT", "core": [2], "certificate": [5]}', SEVERAL, "two of the keys"),
    ('{"verdict": "SAT", "certificate": ["v1", "¬v1"]}', SEVERAL, "two values in a mapping"),
    ('{"verdict": "SAT", "certificate": "{v1: &a true}"}', SEVERAL, "YAML with an anchor"),
    (f"{UNSAT}\nThe core is 2.", NONE, "in no tag"),
    (f"{UNSAT}<certificate>2,", "truncated", "in an open tag that goes on"),
    (f"<think><certificate>2</certificate></think>{UNSAT}", NONE, "in a thought"),
]


@cases(PLACES)
def test_sat_reads_the_last_certificate_wherever_the_verdict_stands(block, found, reason):
    assert said(read_certificate(block, ["v1"], read_verdict(block))) == found, reason


@pytest.mark.parametrize(("block", "core"), [("#2, #5", {2, 5}), ("12345", {12345})])
def test_numbers_of_statements_are_read_whole_or_not_at_all(block, core):
    text = f"{UNSAT}<certificate>{block}</certificate>"
    assert read_certificate(text, ["v1"], read_verdict(text)).answer in (None, core)


# -- hostile texts ---------------------------------------------------------------------------------

ROWS = {
    "slr": {"validation_program": "eastbound(t0).\nhas_car(t0, c0).\ncar_color(c0, red).\n"
     "westbound(t1).\nhas_car(t1, c1).\ncar_color(c1, blue)."},
    "symbolization": {"formula": "Fa", "abbreviations": {"F": "[1] ran", "a": "Al"}},
    "countermodel": {"premises": ["Fa"], "conclusion": "Pab", "domain": [0, 1]},
    "validity": {"correct": [3], "options": 6, "texts": list(TEXTS)},
    "loginum": {"facts": ["is(Ed, low, 5)", "hamper(Ed, Ann)"],
     "rules": ["hamper(?x, ?y) -> is(?y, humid, ?x[low])"], "query": "is(Ann, humid, ?)",
     "answer": 5, "steps": [{"conclusion": "is(Ann, humid, 5)"}]},
    "sat": {"formulas": ["v1", "¬v1"], "satisfiable": False, "certificate": True},
}  # fmt: skip
UNITS = {
    "slr": ["p(", "p(a)", "p(X):-q(X).", "p:-/*", "p:-'\\", "% ", "/*", "'", "?- p.\n", ". "],
    "symbolization": ["(", "∀x", "¬", "Fa ", "Fa\n", "Fa & ", "$", "\\forall ", "for all ", "Fa;"],
    "countermodel": ["[", "F={", "a=", "a=0 ", "F(0),", "F: [0]\n", "P: [[0,1],", "# a\n", "| "],
    "validity": ["3 ", "3, ", "statement 3 ", "1. x\n", "A donkey saw ", "none ", "(", '"', "or "],
    "loginum": ["1,000,", "= ", "9", "1/", "legal ", "\\frac{1}{", "{,}000", "1\n", "is 5 ", "1."],
    "sat": ["v1=true, ", "statement 1 and ", "1 ", "not ", "consistent or ", "<certificate>",
     "[certificate]"],
}  # fmt: skip
LAYOUTS = ["{}", "<answer>{}</answer>", "Answer: {}\n"]


@pytest.mark.parametrize(
    ("family", "unit"), [(family, unit) for family, units in UNITS.items() for unit in units]
)
def test_hostile_text_is_judged_in_linear_time(family, unit):
    def work(text):
        judge(family, text, ROWS[family])

    for layout in LAYOUTS:
        block = layout.format(unit * (5000 // len(unit)))
        assert takes_linear_time(work, block * 3, block * 12), layout
        assert takes_linear_time(
            work, *(layout.format(unit * (size // len(unit))) for size in (15_000, 60_000))
        ), layout


def test_lone_surrogates_null_characters_and_megabytes_get_a_verdict():
    for family, row in ROWS.items():
        for text in ("\ud800", "\0", "<answer>\ud800</answer>", "(" * 1_000_000, "9" * 1_000_000):
            assert judge(family, text, row).reward == 0.0
