"""The answer that a completion states, apart from what it is worth."""

import time

import pytest

from rewards.extraction import completion_text, extract_rule, strip_reasoning

RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."
BLUE = "eastbound(T) :- has_car(T, C), car_color(C, blue)."
HELPER = "odd(C) :- car_num(C, N), 1 is N mod 2.\neastbound(T) :- has_car(T, C), odd(C)."

FOUND = [
    (RED, RED, "a bare rule, as a tiny model writes it"),
    (f"  {RED}\n", RED, "white space around it"),
    (f"[RULE]{RED}[/RULE]", RED, "the format that prompts ask for"),
    (f"[rule]\n{RED}\n[/rule]", RED, "tags in lower case"),
    (f"[RULE]{BLUE}[/RULE] No: [RULE]{RED}[/RULE]", RED, "several candidates, the last counts"),
    (f"[RULE]{BLUE}[RULE]{RED}[/RULE]", RED, "a tag opened twice starts anew"),
    (f"[RULE]{RED}[/RULE] I used [RULE][/RULE].", RED, "an empty candidate is none"),
    (f"Here: [RULE]\n{RED}", RED, "a tag never closed runs to the end"),
    (f"{RED}[/RULE]", RED, "a tag that the prompt opened"),
    (f"[RULE]```prolog\n{RED}\n```[/RULE]", RED, "a fence inside the tags"),
    (f"```prolog\n[RULE]\n{RED}\n[/RULE]\n```", RED, "tags inside a fence"),
    (f"[RULE]{HELPER}[/RULE]", HELPER, "helper predicates stay"),
    (f"[RULE]% odd\n{HELPER}[/RULE]", f"% odd\n{HELPER}", "comments stay in a tagged block"),
    (f"```\n{RED}\n```", RED, "a fence without language"),
    (f"```c++\n{RED}\n```", RED, "any language tag"),
    (f"```prolog {RED}```", RED, "a fence on one line"),
    (f"~~~prolog\n{RED}\n~~~", RED, "tildes"),
    (f"````\n{RED}\n````", RED, "four backticks"),
    (f"```prolog\n{RED}", RED, "a fence never closed"),
    (f"```\n{BLUE}\n```\nor\n```\n{RED}\n```", RED, "several fences, the last counts"),
    (f"```\n{RED}\n```\n```text\nDone!\n```", RED, "a fence without any clause is no candidate"),
    (f"```prolog\n{HELPER}\n```", HELPER, "helper predicates stay in a fence"),
    (f"[RULE]{RED}[/RULE]\n```\n{BLUE}\n```", RED, "tags outrank fences"),
    (rf"The answer is \boxed{{{RED}}}", RED, "boxed"),
    (rf"\boxed{{{BLUE}}} then $\boxed{{\text{{{RED}}}}}$", RED, "boxed as LaTeX text"),
    (r"\boxed{eastbound(T) :- has\_car(T, C).}", "eastbound(T) :- has_car(T, C).", "escapes"),
    (rf"\boxed{{{RED}", RED, "boxed and cut off"),
    (f"The rule is: {RED} It fits all trains.", RED, "prose on both sides"),
    (f"The rule is `{RED}`, I think.", RED, "inline code"),
    (f"**{RED}**", RED, "bold"),
    (f"1. {BLUE}\nThis fails.\n2. {RED}\n", RED, "a numbered list"),
    (f"So:\n\n{HELPER}\n\nThat's it.", HELPER, "consecutive clauses in prose"),
    (
        "Take a(X) :- b(X).\n% and\n/* then */ c(X) :- a(X). Fine.",
        "a(X) :- b(X).\nc(X) :- a(X).",
        "comments between clauses",
    ),
    (f"{RED} For example, has_car(train0, car0_1).", RED, "a fact in prose is no answer"),
    (
        "I say eastbound(train0). eastbound(train1).",
        "eastbound(train0).\neastbound(train1).",
        "facts",
    ),
    ("eastbound(T).", "eastbound(T).", "an always-true fact"),
    (f"% {BLUE}\n{RED}", RED, "a clause commented out"),
    (f"{RED}\n% {BLUE}", RED, "a clause commented out afterwards"),
    ("p(X) :- q(X, 'a. b'), r(X).", "p(X) :- q(X, 'a. b'), r(X).", "a full stop in quotes"),
    ("p(X) :- q(X, '% no'), r(X).", "p(X) :- q(X, '% no'), r(X).", "a percent sign in quotes"),
    ("p(X) :- q(X), % e.g. red. So\n r(X).", "p(X) :- q(X), % e.g. red. So\n r(X).", "a comment"),
    ("p(X) :- q(X), /* a. b */ r(X). Yes", "p(X) :- q(X), /* a. b */ r(X).", "block comment"),
    ("p(X) :- X =.. [_], X < 1.5. Yes", "p(X) :- X =.. [_], X < 1.5.", "stops that end no clause"),
    (f"<think>{BLUE}</think>{RED}", RED, "a think block"),
    (f"{BLUE}</think>{RED}", RED, "a think block that the prompt opened"),
    (f"<think>[RULE]{BLUE}[/RULE]</think>\n[RULE]{RED}[/RULE]", RED, "tags in the thought"),
    (f"[RULE]{RED}[/RULE]<think>or [RULE]{BLUE}[/RULE]", RED, "an afterthought, cut off"),
    (f"<THINK>{BLUE}</THINK>{RED}", RED, "think tags in upper case"),
]
MALFORMED = [
    ("eastbound(T) :- has_car(T, C)", "eastbound(T) :- has_car(T, C)", "no full stop"),
    ("[RULE]p(X) :- q(X)[/RULE]", "p(X) :- q(X)", "no full stop in tags"),
    ("`p(X) :- q(X)`. Done.", "p(X) :- q(X)", "no full stop in inline code"),
    ("p(X) :- q(X)\n\nThis is it.", "p(X) :- q(X)", "no full stop before a paragraph"),
    ("eastbound(T) :- has_car(T,", "eastbound(T) :- has_car(T,", "cut off"),
    ("eastbound(T :- has_car(T, C).", "eastbound(T :- has_car(T, C).", "no clause can be made out"),
]
NOTHING = [
    ("", "an empty completion"),
    (" \n\t", "white space"),
    ("I don't know.", "prose"),
    ("eastbound", "a word"),
    ("[RULE][/RULE]", "empty tags"),
    ("``````", "an empty fence"),
    (r"\boxed{}", "an empty box"),
    (f"<think>[RULE]{RED}[/RULE]", "a thought that was cut off is no answer"),
    (f"[RULE]{RED}[/RULE]</think>", "a thought that the prompt opened, and nothing after"),
    (f"% {RED}", "a comment alone"),
]
HOSTILE = [
    *("[RULE]", "[/RULE]", "[RULE]x[/RULE]", "<think>", "</think>", "`", "```", "~~~", "%", "/*"),
    *("\\boxed{", "{", "'", "\\'", "a", "a ", "a(", "a()", "a() ", "a:-", "a(b).%", "a:-b. x "),
    *("a:-/*", "a:-'\\", "%a:-b. ", "\n", "\n%", "\0", "\ud800", " "),
]


@pytest.mark.parametrize(("text", "rule", "reason"), FOUND, ids=[case[2] for case in FOUND])
def test_a_rule_is_found(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "rule", "reason"), MALFORMED, ids=[c[2] for c in MALFORMED])
def test_a_malformed_rule_is_not_repaired(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "reason"), NOTHING, ids=[case[1] for case in NOTHING])
def test_no_rule_is_none(text, reason):
    assert extract_rule(text) is None, reason


@pytest.mark.parametrize("prefix", ["", "p(X) :- ", "[RULE]", "\\boxed{", "% "])
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit, prefix):
    """Four times the text may not take much more than four times as long (quadratic: 16)."""
    size = 1 << 18
    small, large = (prefix + unit * (n // len(unit)) for n in (size, 4 * size))
    assert _seconds(large) < 12 * max(_seconds(small), 0.05)


def _seconds(text: str) -> float:
    start = time.process_time()
    extract_rule(text)
    return time.process_time() - start


@pytest.mark.parametrize("odd", ["\0", "\ud800", "\u202e", "\ufeff", "𝔢"])
def test_odd_characters_reach_the_judge_unchanged(odd):
    rule = f"eastbound(T) :- has_car(T, '{odd}')."
    assert extract_rule(f"[RULE]{rule}[/RULE]") == rule


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("plain", "plain"),
        ([{"role": "assistant", "content": "said"}], "said"),
        ([{"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}], "b"),
        ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "b"}], "a"),
        (
            [{"role": "assistant", "content": [{"type": "text", "text": "x"}, {"text": "y"}]}],
            "xy",
        ),
        ([{"role": "assistant", "content": [{"type": "image"}, {"text": "y"}]}], "y"),
        ([{"role": "assistant", "content": None}], ""),
        ([{"role": "user", "content": "q"}], ""),
        ([], ""),
    ],
)
def test_a_completion_is_text_or_messages(completion, text):
    assert completion_text(completion) == text


@pytest.mark.parametrize("completion", [None, 3, ["text"], [{"role": "assistant", "content": 3}]])
def test_any_other_completion_is_refused_with_a_remedy(completion):
    with pytest.raises(ValueError, match="Pass a str or"):
        completion_text(completion)


def test_nested_think_blocks_are_thoughts():
    assert strip_reasoning("a<think>b<think>c</think>d</think>e") == "e"
