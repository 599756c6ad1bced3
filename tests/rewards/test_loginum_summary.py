"""What is read out of completions: steps, whatever their spelling, and the answer."""

import random

import pytest

from rewards.judges.numeric.parser import parse_fact
from rewards.judges.numeric.syntax import Query
from rewards.loginum_claims import is_about, read_answer, read_claim
from rewards.loginum_summary import MAX_STEPS, read_steps, read_summary

STEPS = (
    "rule_5 & fact_4 & fact_7 =>> int_1: Hetty's legal is -3151",
    "rule_6 & fact_3 & int_1 =>> int_2: Hetty's willing is -3197",
)
BASES = [(1, {5}, {4, 7}, set()), (2, {6}, {3}, {1})]


def bases(text):
    return [(step.number, step.rules, step.facts, step.steps) for step in read_steps(text)]


@pytest.mark.parametrize(
    "respelled",
    [
        lambda step: step,
        lambda step: step.replace("=>>", "=>"),
        lambda step: step.replace("=>>", "->"),
        lambda step: step.replace("=>>", "-->"),
        lambda step: step.replace("=>>", "→"),
        lambda step: step.replace("=>>", "⟹"),
        lambda step: step.replace("&", "&amp;").replace("=>>", "=&gt;&gt;"),
        lambda step: step.replace("=>>", r"\Rightarrow"),
        lambda step: step.replace("=>>", r"$\implies$"),
        lambda step: step.replace("=>>", "∴"),
        lambda step: f"- {step}",
        lambda step: f"7. {step}",
        lambda step: f"> {step}",
        lambda step: f"Step 3: {step}",
        lambda step: f"**Step 3:** using {step}",
        lambda step: f"| {step} |",
        lambda step: f"{step}.",
        lambda step: step.replace("rule_", "Rule ").replace("fact_", "Fact "),
        lambda step: step.replace("_", ""),
        lambda step: step.replace("int_", "fact_i"),
        lambda step: step.replace("int_", "fact_int_"),
        lambda step: step.replace("int_", "Intermediate conclusion "),
        lambda step: step.replace("rule_", "R").replace("fact_", "F").replace("int_", "I"),
        lambda step: step.replace("rule_", "rule #").replace("_", " #"),
        lambda step: step.replace("rule_", "**rule_").replace(" &", "** &", 1),
        lambda step: f"`{step.replace(' =>>', '` =>>').replace(':', ':`', 1)}`",
        lambda step: step.replace("_", r"\_").replace("&", r"\&"),
        lambda step: r"$\text{rule}_" + step[5:] + "$",
        lambda step: step.replace(" &", ","),
        lambda step: step.replace(" &", " and"),
        lambda step: step.replace(" &", " +"),
        lambda step: step.replace(" & ", "&"),
        lambda step: step.replace(" & ", " &\n  "),
        lambda step: step.replace(" =>>", "\n  =>>"),
        lambda step: step.replace(" =>> ", " =>>\n"),
        lambda step: step.replace(": ", " = ", 1),
        lambda step: step.replace(": ", ". ", 1),
        lambda step: "(" + step.replace(" =>>", ") =>>"),
        lambda step: step.replace("fact_4", "fact_4 (Hetty is calm)"),
        lambda step: step.replace("fact_4", "fact_4 (is(Hetty, calm, 5))"),
        lambda step: step.replace("fact_4 & fact_7", "facts 4, 7"),
        lambda step: step.replace("_4", "_04"),
        str.upper,
    ],
)
def test_spellings_of_a_step_are_read_alike(respelled):
    text = "\n".join(map(respelled, STEPS))
    assert bases(text) == BASES
    assert bases(f"Reasoning:\r\n{text}\r\n\r\nAnswer: \\boxed{{-3197}}") == BASES


def test_steps_in_one_line_are_told_apart():
    assert bases(". ".join(STEPS)) == BASES
    assert read_steps(". ".join(STEPS))[0].claim == "Hetty's legal is -3151"


def test_a_number_before_the_dependencies_is_the_steps_own():
    text = "int_1: rule_5 & fact_4 & fact_7 => Hetty's legal is -3151"
    assert bases(text) == BASES[:1]


def test_steps_without_a_number_have_that_of_their_place():
    text = "\n".join(STEPS).replace("int_1: ", "").replace("int_2: ", "")
    assert bases(text) == BASES
    doubled = "rule_1 & fact_1 => int_2: A's b is 1\nrule_2 & fact_2 => C's d is 2"
    assert [step.number for step in read_steps(doubled)] == [2, -2]


def test_of_steps_with_one_number_the_last_counts():
    text = "\n".join((*STEPS, "rule_9 & fact_1 =>> int_1: Hetty's legal is 7"))
    assert [(step.number, step.claim[-2:]) for step in read_steps(text)] == [(2, "97"), (1, " 7")]


@pytest.mark.parametrize(
    "text",
    [
        "The facts say that A -> B, so C => D.",
        "rule_5: if the calm of X is 5 -> the legal of X is 4",
        "fact_4 says something, therefore → 3",
        "rule_X & fact_Y =>> int_n: [relation] exists between [A] and [B]",
        "int_1: Hetty's legal is -3151 (rule_5 & fact_4)",
        "",
    ],
)
def test_arrows_without_references_before_them_are_no_steps(text):
    assert read_steps(text) == ()


@pytest.mark.parametrize(
    "before",
    [
        "Reasoning:\nrule_1 & fact_1 => int_1: A's b is 1\nWait.\n## Final Summary\n",
        "rule_1 & fact_1 => int_7: A's b is 1\n\n**Reasoning:**\n",
        "rule_1 & fact_1 => int_7: A's b is 1\nAnswer: \\boxed{1}\nOr rather:\n",
        "rule_1 & fact_1 => int_7: A's b is 1\n$\\boxed{1}$\nOr rather:\n",
        "1. Let me see: rule_1 & fact_1 => int_7: A's b is 1\n\n3. Structured reasoning summary\n",
    ],
)
def test_of_several_summaries_the_last_counts(before):
    for steps in (STEPS, [f"- {step}" for step in STEPS]):
        assert bases(before + "\n".join(steps) + "\nAnswer: \\boxed{-3197}") == BASES


def test_thoughts_hold_no_steps_unless_nothing_else_does():
    thought = "<think>rule_1 & fact_1 => int_9: A's b is 1. Answer: 3</think>"
    assert bases("\n".join((*STEPS,))) == BASES
    summary = read_summary(thought + "\n".join(STEPS))
    assert ([step.number for step in summary.steps], summary.answer) == ([1, 2], None)
    assert read_summary(thought).answer == "3"


def test_the_steps_that_are_read_are_limited():
    lines = (f"rule_1 & fact_1 =>> int_{number}: A's b is {number}" for number in range(1, 200))
    assert len(read_steps("\n".join(lines))) == MAX_STEPS


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"Answer: \boxed{-3197}", -3197),
        (r"Answer: $\boxed{-3{,}197}$", -3197),
        (r"\boxed{5} no, \boxed{-3,197}", -3197),
        (r"\boxed{\text{Hetty's willing is } -3197}", -3197),
        (r"\boxed{Hetty's willing = -3151 - 46 = -3197}", -3197),
        (r"\[ \boxed{ −3197 } \]", -3197),
        (r"\boxed{[15]}", 15),
        (r"\boxed{15.0}", 15),
        (r"\boxed{+15}", 15),
        (r"\fbox{15}", 15),
        (r"\boxed{15", 15),
        (r"<answer>15</answer> \boxed{16}", 15),
        (r"<answer>\boxed{15}</answer>", 15),
        ("**Answer:** 15", 15),
        ("Answer: boxed{15}", 15),
        ("Final answer: 4 * 3 + 3 = 15.", 15),
        ("The answer is 15, because rule_5 applies", 15),
        ("The answer is 15, see rule_5", None),
        ("The answer is 15 or 16", None),
        ("The answer to the query is: -15", -15),
        (r"\boxed{15} or \boxed{x}", 15),
        (r"\boxed{15 or 16}", None),
        (r"\boxed{15, 16}", None),
        (r"\boxed{15.5}", None),
        (r"\boxed{1e3}", None),
        (r"\boxed{\frac{30}{2}}", None),
        (r"\boxed{" + "9" * 401 + "}", None),
        (r"\boxed{fifteen}", None),
        (r"\boxed{not 15}", None),
        (r"\boxed{\neq 15}", None),
        (r"\boxed{x \geq 15}", None),
        (r"\boxed{>15}", None),
        (r"\boxed{15\%}", None),
        (r"\boxed{\sqrt{15}}", None),
        (r"\boxed{-(15)}", None),
        (r"\boxed{15 or sixteen}", None),
        (r"\boxed{Bo's willing is 15}", None),
        ("Hetty's willing is 15", None),
        ("", None),
    ],
)
def test_one_whole_number_is_the_answer(text, answer):
    found = read_summary(text).answer
    assert (None if found is None else read_answer(found, Query("Hetty", "willing"))) == answer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-3151", -3151),
        ("−3151", -3151),
        ("- 3151", -3151),
        ("15,388,764", 15388764),
        ("15\u202f388\u202f764", 15388764),
        ("15_388", 15388),
        ("15'388", 15388),
        (r"15\,388", 15388),
        ("1,5388", None),
        ("42 * -29 + 86 = -1132", -1132),
        ("7.000", 7),
        ("2y", None),
        ("9" * 400, int("9" * 400)),
        ("9" * 5000, None),
    ],
)
def test_numbers_are_whole_and_of_bounded_length(text, number):
    assert read_answer(text, Query("Hetty", "willing")) == number


NAMES = ("hetty", "arvie", "jo", "jos", "ann", "bo", "hans")


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("is(Hetty, legal, -3151)", "Hetty's legal is -3151"),
        ("is(Hetty, legal, -3151)", "Hettys legal is -3151."),
        ("is(Hetty, legal, -3151)", "Hetty’s legal is −3,151"),
        ("is(Hetty, legal, -3151)", "hetty's LEGAL is -3151"),
        ("is(Hetty, legal, -3151)", "**Hetty's legal** is **-3151**"),
        ("is(Hetty, legal, -3151)", "Hetty's legal = -95 * 33 - 16 = -3151"),
        ("is(Hetty, legal, 839)", "Hetty's legal is -95*(-9) - 16 = 839"),
        ("is(Hetty, legal, -3151)", "Hetty's legal is subtraction(-95 * 33, 16) = -3151"),
        ("is(Hetty, legal, -3151)", "the value of the legal attribute for Hetty is -3151"),
        ("is(Hetty, legal, -3151)", "legal of Hetty equals -3151"),
        ("is(Hetty, legal, -3151)", "Hetty has a legal value of -3151"),
        ("is(Hetty, legal, -3151)", "Hetty is -3151 legal"),
        ("is(Hetty, legal, -3151)", "is(Hetty, legal, -3151)"),
        ("is(Hetty, legal, -3151)", "Hetty[legal] = -3151"),
        ("is(Hetty, legal, -3151)", "Hetty's legal is -3151 (by rule_5 and fact_4)"),
        ("is(Hetty, legal, -3151)", "Hetty's legal is -3151 since she is calm"),
        ("is(Hetty, legal, -3151)", r"\text{Hetty's legal is } -3151$"),
        ("is(Arvie, whole, 7)", "Arvies' whole is 7"),
        ("is(Arvie, whole, 7)", "Arvies's whole is 7"),
        ("is(Hans, whole, 7)", "Hans' whole is 7"),
        ("is(Hans, whole, 7)", "Hans's whole is 7"),
        ("is(Jos, whole, 7)", "Jos whole is 7"),
        ("hamper(Ann, Bo)", "hamper exists between Ann and Bo"),
        ("hamper(Ann, Bo)", "hampers exists between Ann and Bo."),
        ("hamper(Ann, Bo)", "a hampering relation exists between Ann and Bo"),
        ("hamper(Ann, Bo)", "the `hamper` relationship holds from Ann to Bo"),
        ("hamper(Ann, Bo)", "Ann hampered Bo"),
        ("hamper(Ann, Bo)", "hamper(Ann, Bo)"),
        ("hamper(Ann, Bo)", "hamper exists between Ann and Bo (Ann → Bo)"),
        ("hamper(Ann, Ann)", "hamper exists between Ann and Ann"),
        ("resubmit(Ann, Bo)", "resubmitted exists between Ann and Bo"),
    ],
)
def test_claims_are_recognised_in_many_wordings(fact, text):
    fact, claim = parse_fact(fact), read_claim(text)
    assert is_about(claim, fact, NAMES)
    assert claim.number == getattr(fact, "value", None)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("is(Bradly, legal, 5)", "Bradleys legal is 5"),  # another name
        ("is(Jo, legal, 5)", "Jos legal is 5"),  # Jos is somebody else
        ("is(Hetty, legal, 5)", "Hetty's illegal is 5"),
        ("is(Hetty, legal, 5)", "Hetty's is 5"),
        ("is(Hetty, legal, 5)", "legal is 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal is not 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal ≠ 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal != 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal >= 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal is ~5"),
        ("is(Hetty, legal, 5)", "Hetty's legal is -(5)"),
        ("is(Hetty, legal, 5)", "Hetty's legal is ⁵"),
        ("is(Hetty, legal, 5)", "Hetty's legal or Ann's legal is 5"),
        ("is(Hetty, legal, 5)", "Hetty's legal"),
        ("hamper(Ann, Bo)", "hamper exists between Bo and Ann"),
        ("hamper(Ann, Bo)", "Bo is hampered by Ann"),
        ("hamper(Ann, Bo)", "hinder exists between Ann and Bo"),
        ("hamper(Ann, Bo)", "hamper exists between Ann and Ann"),
        ("hamper(Ann, Bo)", "hamper exists between Ann and Bo and Cy"),
        ("hamper(Ann, Bo)", "¬hamper(Ann, Bo)"),
        ("hamper(Ann, Bo)", "no hamper exists between Ann and Bo"),
        ("hamper(Ann, Bo)", "hamper exists between Ann and Bo 3"),
    ],
)
def test_claims_about_something_else_are_not(fact, text):
    assert not is_about(read_claim(text), parse_fact(fact), NAMES)


@pytest.mark.parametrize("value", ["5 6", "9 * 3 + 9", "5.5", "5%", "2^5"])
def test_a_claim_gives_one_whole_number(value):
    claim = read_claim(f"Hetty's legal is {value}")
    assert is_about(claim, parse_fact("is(Hetty, legal, 5)"), NAMES)
    assert claim.number is None


def test_plain_summaries_and_others_are_read_alike():
    """Lines exactly as asked for are read in a quick way; a space more forces the general one."""
    rng = random.Random(3)
    for _ in range(300):
        lines = []
        for number in range(1, rng.randint(2, 8)):
            parts = [f"rule_{rng.randint(1, 20)}"]
            parts += [f"fact_{rng.randint(1, 20)}" for _ in range(rng.randint(0, 3))]
            parts += [f"int_{rng.randint(1, number)}" for _ in range(rng.randint(0, 2))]
            rng.shuffle(parts)
            label = rng.choice((number, number, rng.randint(1, 9)))
            claim = f"Ann's odd is {rng.randint(-9, 9)}{rng.choice(('', '', '.', ' (3 > 2)'))}"
            lines.append(f"{' & '.join(parts)} =>> int_{label}: {claim}")
        text = rng.choice(("\n", "\r\n")).join(lines)
        assert read_steps(text) == read_steps(text.replace(" & ", " &  ").replace(": ", " : "))


@pytest.mark.parametrize("arrow", ["=>>", "⇒", "→", "-&gt;", "$\\Rightarrow$", "\\to", "\\implies"])
@pytest.mark.parametrize("ending", ["", "\n\\boxed{7}", "\n\\[ 3 \\]", "\n>> done"])
def test_a_step_beside_those_that_are_spelled_as_asked_for_is_read_too(arrow, ending):
    beside = STEPS[1].replace("=>>", arrow)
    assert bases(f"{STEPS[0]}\nThen {beside}{ending}") == BASES[:2]


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "rule_1 & ",
            "rule_1 & fact_2 =>> ",
            "=>> int_1: ",
            "-",
            "=",
            "(",
            "[",
            "fact_",
            "\\boxed{",
        ),
        *("Reasoning:\n", "Answer: ", "<think>", "<answer>", "1,000,", "\\text{", "\n", " \n", "'"),
        *("rule_1 =>> int_1: Ann's odd is (", "rule_1 & int_2 =>> int_1: x\n", " (a", "9", "i1 "),
        *("&\n", "rule_1,\n", "is = ", "{,}000", "*", "_", "fact_1 (a (", "answer to "),
    ],
)
def test_long_hostile_texts_end_and_cost_no_more_than_their_length(unit):
    """What is quadratic would run for hours here; the time limit of the tests catches it."""
    for text in (unit * (1_000_000 // len(unit)), "\n".join(STEPS) + unit * 20_000):
        read_summary(text)
