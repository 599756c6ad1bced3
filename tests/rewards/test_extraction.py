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
    (f"[RULE]{RED}[/RULE]</think>It is red.", "text after the thought, but no rule in it"),
    (f"It is red. <think>[RULE]{RED}[/RULE]", "a thought that was cut off, after text"),
    (f"% {RED}", "a comment alone"),
]
USAGE = "?- eastbound(train0).\ntrue."
ODD_TRAIN = "eastbound(T) :- has_car(T, C), odd(C)."
ODD = "odd(C) :- car_num(C, N), odd_number(N)."
ODD_NUMBER = "odd_number(N) :- 1 is N mod 2."
WRAPPED = [
    (f"**[RULE]**\n{RED}\n**[/RULE]**", RED, "bold tags"),
    (f"**[RULE]**\n{RED}\n[/RULE]", RED, "a bold opening tag alone"),
    (f"[RULE]`{RED}`[/RULE]", RED, "backticks in the tags"),
    (f"[RULE]\n**{RED}**\n[/RULE]", RED, "bold in the tags"),
    (f"[RULE]**`{RED}`**[/RULE]", RED, "bold backticks in the tags"),
    (f"[RULE]${RED}$[/RULE]", RED, "a formula in the tags"),
    (rf"[RULE]$\texttt{{{RED}}}$[/RULE]", RED, "typewriter in the tags"),
    (rf"[RULE]\boxed{{{RED}}}[/RULE]", RED, "a box in the tags"),
    (r"[RULE]$p(X) :- has\_car(X, C).$[/RULE]", "p(X) :- has_car(X, C).", "LaTeX's escapes"),
    (f"[RULE]{RED}[/RULE] as asked between [RULE] and [/RULE].", RED, "tags that are mentioned"),
    (f"[RULE]{RED}[/RULE] I closed the [RULE] tag.", RED, "an opening tag that is mentioned"),
    (f"```\n{RED}\n``` in place of [RULE] and [/RULE]", RED, "tags mentioned after a fence"),
    (f"[RULE]```\n{RED}\n```\n```\n{USAGE}\n```[/RULE]", RED, "a fence of queries in the tags"),
    (f"<answer>{RED}</answer>", RED, "answer tags"),
    (f"<answer>\n[RULE]{RED}[/RULE]\n</answer>", RED, "rule tags in answer tags"),
    (f"[RULE]<answer>{RED}</answer>[/RULE]", RED, "answer tags in rule tags"),
    (f"\ufeff{RED}", RED, "a byte order mark before a bare rule"),
    (f"[RULE]\ufeff{RED}[/RULE]", RED, "a byte order mark in the tags"),
    (f"```prolog\n\u200b{RED}\n```", RED, "a zero-width space in a fence"),
    (f"```prolog\n{RED}\n```\n```text\ntrain0: red(car0_1)\n```", RED, "a fence of examples"),
    (f"```prolog\n{RED}\n```\n```\neastbound(train0).\n```", RED, "a fence of ground facts"),
    (f"```prolog\n{RED}\n```\n```prolog\n{USAGE}\n```", RED, "a fence of queries"),
    (f"```prolog\n{RED}\n```\n```\n?- eastbound(T).\n```", RED, "a query with a variable"),
    (f"```prolog\n{RED}\n```\n```\n:- [rules].\n{USAGE}\n```", RED, "a directive to load it"),
    (f"```prolog\n{RED}\n```\n$\\boxed{{eastbound}}$", RED, "a boxed word after a fence"),
    (f"```prolog\n{RED}\n```\n\\boxed{{3}}", RED, "a boxed number after a fence"),
    (f"{RED}\nSo \\boxed{{3}}", RED, "a boxed number after a bare rule"),
    (f'```prolog title="rule.pl"\n{RED}\n```', RED, "an info string"),
    (f"````prolog\n{RED}\n````", RED, "four backticks and a language"),
    (f"~~~~prolog\r\n{RED}\r\n~~~~", RED, "four tildes, Windows line ends"),
    (f"\\boxed{{\n```prolog\n{RED}\n```\n}}", RED, "a fence in a box"),
    (f"\\boxed{{`{RED}`}}", RED, "backticks in a box"),
    (rf"\boxed{{\verb|{RED}|}}", RED, "verbatim in a box"),
    (rf"\boxed{{\verb|{RED[:-1]}, X = [a|_].|}}", f"{RED[:-1]}, X = [a|_].", "a bar in verbatim"),
    (rf"\boxed{{\texttt{{{RED}}}}}", RED, "typewriter in a box"),
    (rf"\boxed{{$\text{{{RED}}}$}}", RED, "a formula in a box"),
    (rf"\boxed {{{RED}}}", RED, "a space before the brace"),
    (rf"\fbox{{{RED}}}", RED, "a framed box"),
    (rf"\boxed{{\fbox{{{RED}}}}}", RED, "a box in a box"),
    (f"[RULE]{RED}[/RULE]\n</think>", RED, "nothing but a thought that the prompt opened"),
    (f"<think>[RULE]{RED}[/RULE]</think>\n", RED, "nothing but a thought"),
    (f"[RULE]{BLUE}[/RULE] or [RULE]{RED}[/RULE]</think>", RED, "the last rule of the thought"),
]
JOINED = [
    (f"{ODD_TRAIN}\nIt uses the helper:\n{ODD}", f"{ODD_TRAIN}\n{ODD}", "a helper afterwards"),
    (f"First, {ODD}\nThen\n{ODD_TRAIN}", f"{ODD}\n{ODD_TRAIN}", "a helper before"),
    (
        f"{ODD_TRAIN}\nwhere\n{ODD}\nand\n{ODD_NUMBER}\nThat's it.",
        f"{ODD_TRAIN}\n{ODD}\n{ODD_NUMBER}",
        "a helper of a helper",
    ),
    (
        f"```prolog\n{ODD_TRAIN}\n```\nwhere\n```prolog\n{ODD}\n```",
        f"{ODD_TRAIN}\n{ODD}",
        "a helper in a fence of its own",
    ),
    (f"{ODD_TRAIN} So\n{ODD}\nNo, wait:\n{RED}", RED, "an alternative that needs no helper"),
    (f"{BLUE} Or\n{ODD_TRAIN} with\n{ODD}", f"{ODD_TRAIN}\n{ODD}", "an alternative with one"),
    (f"{RED} Or use {ODD_TRAIN} with {HELPER}", HELPER, "a definition replaces an earlier one"),
    (f"In general, p(X) :- q(X). Here, {RED}", RED, "a clause that has nothing to do with it"),
    (f"{ODD_TRAIN[:-1]}\n\nwith\n{ODD}", f"{ODD_TRAIN[:-1]}\n{ODD}", "no full stop is added"),
]
FINAL = [
    (f"[RULE]{RED}[/RULE] No: [RULE]{BLUE[:-1]}[/RULE]", BLUE[:-1], "without its full stop"),
    (f"[RULE]{RED}[/RULE] No: [RULE]p(T) <- q(T).[/RULE]", "p(T) <- q(T).", "not Prolog"),
    (f"[RULE]{RED}[/RULE] No: [RULE]eastbound(train0).[/RULE]", "eastbound(train0).", "a fact"),
    (f"{RED} So [RULE]red cars[/RULE]", "red cars", "tags around words, after musings"),
    (f"```\n{RED}\n``` \\boxed{{p(T) \\leftarrow q(T)}}", r"p(T) \leftarrow q(T)", "a box"),
    (f"```\n{RED}\n```\n```\neastbound(T).\n```", "eastbound(T).", "an always-true fact"),
    (f"```\n{RED}\n```\n```\np(T :- q(T).\n```", "p(T :- q(T).", "a fence that is malformed"),
]
ALONE = [
    ("[RULE]red cars[/RULE]", "red cars", "words in the tags"),
    (r"\boxed{red}", "red", "a word in a box"),
    ("```\neastbound(train0).\n```", "eastbound(train0).", "ground facts in a fence"),
    ("```\n?- eastbound(train0).\n```", "?- eastbound(train0).", "a query in a fence"),
]
HOSTILE = [
    *("[RULE]", "[/RULE]", "[RULE]x[/RULE]", "<think>", "</think>", "`", "```", "~~~", "%", "/*"),
    *("\\boxed{", "{", "'", "\\'", "a", "a ", "a(", "a()", "a() ", "a:-", "a(b).%", "a:-b. x "),
    *("a:-/*", "a:-'\\", "%a:-b. ", "\n", "\n%", "\0", "\ud800", " "),
    *("<answer>", "\\fbox{", "\\boxed{\\boxed {}", "\\verb|", "\\text{", "*", "$", "*`$", "\ufeff"),
    *("```p(X):-q(X).```", "```a b", "p(X):-p(X). x ", "?- p(X).", "p(", "(,[", "</think> "),
]


@pytest.mark.parametrize(("text", "rule", "reason"), FOUND, ids=[case[2] for case in FOUND])
def test_a_rule_is_found(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "rule", "reason"), WRAPPED, ids=[case[2] for case in WRAPPED])
def test_a_rule_is_found_whatever_wraps_or_follows_it(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "rule", "reason"), JOINED, ids=[case[2] for case in JOINED])
def test_clauses_apart_are_joined_only_when_one_calls_the_other(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "rule", "reason"), FINAL, ids=[case[2] for case in FINAL])
def test_a_bad_final_answer_hides_a_good_one_before_it(text, rule, reason):
    assert extract_rule(text) == rule, reason


@pytest.mark.parametrize(("text", "rule", "reason"), ALONE, ids=[case[2] for case in ALONE])
def test_an_answer_that_is_no_hypothesis_counts_when_there_is_no_other(text, rule, reason):
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
    size = 1 << 18
    small, large = (prefix + unit * (n // len(unit)) for n in (size, 4 * size))
    assert _is_linear(small, large)


def test_many_helpers_apart_take_linear_time():
    def chain(size: int) -> str:
        return " x ".join(f"p{i}(X) :- p{i + 1}(X)." for i in range(size))

    assert _is_linear(chain(5_000), chain(20_000))
    assert extract_rule(chain(3)).count(":-") == 3


def _is_linear(small: str, large: str) -> bool:
    """Say whether four times the text takes much less than 16 times as long, in one try of three.

    The tries after the first are for the noise of a machine that has other work to do.
    """
    return any(_seconds(large) < 12 * max(_seconds(small), 0.05) for _ in range(3))


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


@pytest.mark.parametrize(
    "completion",
    [
        *(None, 3, ["text"], [{"role": "assistant", "content": 3}]),
        [{"role": "assistant", "content": [{"type": "text", "text": 7}]}],
        [{"role": "assistant", "content": [{"type": "text", "text": 0}]}],
    ],
)
def test_any_other_completion_is_refused_with_a_remedy(completion):
    with pytest.raises(ValueError, match="Pass a str or"):
        completion_text(completion)


def test_nested_think_blocks_are_thoughts():
    assert strip_reasoning("a<think>b<think>c</think>d</think>e") == "e"
