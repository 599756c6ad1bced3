"""The steps that a completion states, and what their conclusions say, whatever the spelling."""

import random

import pytest
from linear_time import takes_linear_time

from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, parse_fact
from logic_curriculum.rewards.loginum.answer import MAX_STEPS, is_about, read_claim, read_steps

STEPS = (
    "rule_5 & fact_4 & fact_7 =>> int_1: Hetty's legal is -3151",
    "rule_6 & fact_3 & int_1 =>> int_2: Hetty's willing is -3197",
)
BASES = [(1, {5}, {4, 7}, set()), (2, {6}, {3}, {1})]


def bases(text):
    return [(step.number, step.rules, step.facts, step.steps) for step in read_steps(text)]


def turned(step):
    basis, conclusion = step.split(" =>> ")
    return f"{conclusion} <<= {basis}"


def spelled(old, new):
    return lambda step: step.replace(old, new)


ARROWS = ["=>", "==>", "->", "-->", "→", "⟹", "∴", r"\Rightarrow", r"\to", r"$\implies$"]
TURNED = ["<<=", "<=", "<-", "←", "⇐", r"\Leftarrow"]
RESPELLED = [
    *(spelled("=>>", arrow) for arrow in ("=>>", *ARROWS)),
    *(spelled(" &", sign) for sign in (",", " and", " +", " with", "&")),
    *(spelled("rule", f"{lead}rule") for lead in ("- ", "* ", "7. ", "> ", "Step 3: ", "| ")),
    *(lambda step, sign=sign: turned(step).replace("<<=", sign) for sign in TURNED),
    lambda step: step.translate({code: code + 0xFEE0 for code in range(33, 127)}),
    lambda step: step.replace("&", "&amp;").replace("=>>", "=&gt;&gt;"),
    lambda step: f"**Step 3:** using {step}",
    lambda step: f"| {step} |",
    lambda step: f"{step}.",
    lambda step: step.replace("rule_", "Rule ").replace("fact_", "Fact "),
    lambda step: step.replace("_", ""),
    lambda step: step.replace("int_", "fact_i"),
    lambda step: step.replace("int_", "Intermediate conclusion "),
    lambda step: step.replace("rule_", "R").replace("fact_", "F").replace("int_", "I"),
    lambda step: step.replace("_", " #"),
    lambda step: step.replace("rule_", "**rule_").replace(" &", "** &", 1),
    lambda step: f"`{step.replace(' =>>', '` =>>').replace(':', ':`', 1)}`",
    lambda step: step.replace("_", r"\_").replace("&", r"\&"),
    lambda step: r"$\text{rule}_{" + step[5] + "}" + step[6:] + "$",
    lambda step: step.replace(" & ", " &\n  "),
    lambda step: step.replace(" =>>", "\n  =>>"),
    lambda step: "(" + step.replace(" =>>", ") =>>"),
    lambda step: step.replace("fact_4", "fact_4 (Hetty is calm)"),
    lambda step: step.replace("fact_4", "fact_4 (is(Hetty, calm, 5))"),
    lambda step: step.replace("fact_4 & fact_7", "facts 4, 7"),
    str.upper,
]


@pytest.mark.parametrize("respelled", RESPELLED)
def test_spellings_of_a_step_are_read_alike(respelled):
    text = "\n".join(map(respelled, STEPS))
    assert bases(text) == BASES
    assert bases(f"Reasoning:\r\n{text}\r\n\r\nAnswer: \\boxed{{-3197}}") == BASES


def test_steps_without_a_number_have_that_of_their_place():
    assert bases("\n".join(STEPS).replace("int_1: ", "").replace("int_2: ", "")) == BASES
    doubled = "rule_1 & fact_1 => int_2: A's b is 1\nrule_2 & fact_2 => C's d is 2"
    assert [step.number for step in read_steps(doubled)] == [2, -2]


def test_of_steps_with_one_number_the_last_counts():
    text = "\n".join((*STEPS, "rule_9 & fact_1 =>> int_1: Hetty's legal is 7"))
    assert [(step.number, step.claim[-2:]) for step in read_steps(text)] == [(2, "97"), (1, " 7")]


NO_STEPS = [
    "The facts say that A -> B, so C => D.",
    "rule_5: if the calm of X is 5 -> the legal of X is 4",
    "fact_4 says something, therefore → 3",
    "rule_X & fact_Y =>> int_n: [relation] exists between [A] and [B]",
    "int_1: Hetty's legal is -3151 (rule_5 & fact_4)",
    f"<think>{STEPS[0]}</think> So it is.",
    f"<think>{STEPS[0]}",
    "",
]


@pytest.mark.parametrize("text", NO_STEPS)
def test_what_has_no_references_before_an_arrow_or_is_a_thought_is_no_step(text):
    assert read_steps(text) == ()


OTHER = "rule_1 & fact_1 => int_7: A's b is 1"
BEFORE = [
    f"Reasoning:\n{OTHER}\nWait.\n## Final Summary\n",
    f"{OTHER}\n\n**Reasoning:**\n",
    f"{OTHER}\nAnswer: \\boxed{{1}}\nOr rather:\n",
    f"<think>{OTHER}</think>",
]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("place", ["{}", "<answer>\n{}\n</answer>", "```\n{}\n```", "{}\n\nSo."])
def test_the_last_summary_counts_in_any_block(before, place):
    assert bases(before + place.format("\n".join(STEPS)) + "\nAnswer: \\boxed{-3197}") == BASES


def test_the_steps_that_are_read_are_limited():
    lines = (f"rule_1 & fact_1 =>> int_{number}: A's b is {number}" for number in range(1, 200))
    assert len(read_steps("\n".join(lines))) == MAX_STEPS


def test_steps_spelled_as_asked_for_and_others_are_read_alike():
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
            claim = f"Ann's odd is {rng.randint(-9, 9)}{rng.choice(('', '', '.', ' (by 3)'))}"
            lines.append(f"{' & '.join(parts)} =>> int_{label}: {claim}")
        text = rng.choice(("\n", "\r\n")).join(lines)
        assert read_steps(text) == read_steps(text.replace(" & ", " &  ").replace(": ", " : "))


# -- conclusions -----------------------------------------------------------------------------------

NAMES = ("hetty", "arvie", "jo", "jos", "ann", "bo", "hans")
LEGAL, WHOLE, HAMPER = "is(Hetty, legal, -3151)", "is({}, whole, 7)", "hamper(Ann, Bo)"
SAID = [
    (LEGAL, "Hetty's legal is -3151"),
    (LEGAL, "Hettys legal is -3151."),
    (LEGAL, "Hetty’s legal is −3,151"),
    (LEGAL, "hetty's LEGAL is -3151"),
    (LEGAL, "**Hetty's legal** is **-3151**"),
    (LEGAL, "Hetty's legal = -95 * 33 - 16 = -3151"),
    (LEGAL, "Hetty's legal is subtraction(-95 * 33, 16) = -3151"),
    (LEGAL, "the value of the legal attribute for Hetty is -3151"),
    (LEGAL, "legal of Hetty equals -3151"),
    (LEGAL, "Hetty has a legal value of -3151"),
    (LEGAL, "is(Hetty, legal, -3151)"),
    (LEGAL, "Hetty[legal] = -3151"),
    (LEGAL, "Hetty's legal is -3151 (by rule_5 and fact_4)"),
    (LEGAL, "Hetty's legal is -3151 since she is calm"),
    (LEGAL, r"\text{Hetty's legal is } -3151$"),
    (WHOLE.format("Arvie"), "Arvies' whole is 7"),
    (WHOLE.format("Hans"), "Hans' whole is 7"),
    (WHOLE.format("Hans"), "Hans's whole is 7.000"),
    (WHOLE.format("Jos"), "Jos whole is 7"),
    (HAMPER, "hamper exists between Ann and Bo"),
    (HAMPER, "hampers exists between Ann and Bo."),
    (HAMPER, "a hampering relation exists between Ann and Bo"),
    (HAMPER, "the `hamper` relationship holds from Ann to Bo"),
    (HAMPER, "Ann hampered Bo"),
    (HAMPER, "Bo is hampered by Ann"),
    (HAMPER, "hamper(Ann, Bo)"),
    ("hamper(Ann, Ann)", "hamper exists between Ann and Ann"),
    ("resubmit(Ann, Bo)", "resubmitted exists between Ann and Bo"),
]


@pytest.mark.parametrize(("fact", "text"), SAID)
def test_claims_are_recognised_in_many_wordings(fact, text):
    fact, claim = parse_fact(fact), read_claim(text)
    assert is_about(claim, fact, NAMES)
    assert claim.numbers == ((fact.value,) if isinstance(fact, AttributeFact) else ())


NUMBERS = {-3151: ["−3151", "- 3151"], 36: ["36.0", "72/2"], 10**400 - 1: ["9" * 400]}
NUMBERS[15388] = ["15,388", "15{,}388", "15\u202f388", "15_388", "15'388"]


@pytest.mark.parametrize(
    ("value", "spelling"),
    [(v, s) for v in NUMBERS for s in NUMBERS[v]],
    ids=lambda value: str(value)[:20],
)
def test_numbers_are_read_in_many_spellings(value, spelling):
    for claim in (f"Hetty's legal is {spelling}", f"Hetty[legal] = 2 * 3 = {spelling}"):
        assert read_claim(claim).numbers == (value,)


FIVE = "is(Hetty, legal, 5)"
OTHERS = [
    ("is(Bradly, legal, 5)", "Bradleys legal is 5", "another name"),
    ("is(Jo, legal, 5)", "Jos legal is 5", "somebody else's name"),
    (FIVE, "Hetty's illegal is 5", "another attribute"),
    (FIVE, "Hetty's is 5", "no attribute"),
    (FIVE, "legal is 5", "no entity"),
    (FIVE, "Hetty's legal", "no number"),
    (FIVE, "Hetty's legal is not 5", "a negation"),
    *((FIVE, f"Hetty's legal {sign} 5", "a sign that changes it") for sign in ("≠", ">=", "~")),
    (FIVE, "Hetty's legal is -(5)", "a sign before brackets"),
    (FIVE, "Hetty's legal is ⁵", "a superscript"),
    (FIVE, "Hetty's legal or Ann's legal is 5", "two entities"),
    (HAMPER, "hamper exists between Bo and Ann", "the other direction"),
    (HAMPER, "Ann is hampered by Bo", "the other direction in the passive"),
    (HAMPER, "hinder exists between Ann and Bo", "another relation"),
    (HAMPER, "hamper exists between Ann and Ann", "another entity"),
    (HAMPER, "hamper exists between Ann and Bo and Cy", "one more entity"),
    (HAMPER, "¬hamper(Ann, Bo)", "a negation"),
    (HAMPER, "no hamper exists between Ann and Bo", "a negation in words"),
    (HAMPER, "hamper exists between Ann and Bo 3", "a number"),
]


@pytest.mark.parametrize(("fact", "text", "reason"), OTHERS)
def test_claims_about_something_else_are_not(fact, text, reason):
    assert not is_about(read_claim(text), parse_fact(fact), NAMES), reason


@pytest.mark.parametrize("value", ["5 6", "9 * 3 + 9", "5.5", "5%", "2^5", "9" * 401])
def test_a_claim_gives_one_whole_number(value):
    claim = read_claim(f"Hetty's legal is {value}")
    assert claim is None or [number.denominator for number in claim.numbers] != [1]


# -- hostile texts ---------------------------------------------------------------------------------

HOSTILE = [
    *("rule_1 & ", "rule_1 & fact_2 =>> ", "=>> int_1: ", "-", "=", "(", "[", "fact_", "&\n", "\n"),
    *("Reasoning:\n", "Answer: ", "<think>", "1,000,", "\\text{", " \n", "'", " (a", "9", "i1 "),
    *("rule_1 =>> int_1: Ann's odd is (", "rule_1 & int_2 =>> int_1: x\n", "rule_1,\n", "is = "),
    *("{,}000", "*", "_", "fact_1 (a (", "fact 1, ", "->", "&", "rule_1 -> ", "a <- rule_1 "),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit):
    small, large = ("\n".join(STEPS) + unit * (size // len(unit)) for size in (24_000, 96_000))
    assert takes_linear_time(read_all, small, large)


def read_all(text):
    for step in read_steps(text):
        read_claim(step.claim)
