"""Where an answer stands in a completion, on a form of answers that are plain numbers."""

import pytest
from linear_time import seconds, takes_linear_time

from logic_curriculum.rewards import validity_reward
from logic_curriculum.rewards.answers import (
    MAX_BLOCK,
    MAX_READ,
    MAX_YAML,
    AmbiguousError,
    read,
    read_field,
    read_tag,
)
from logic_curriculum.rewards.blocks import without_thoughts
from logic_curriculum.rewards.completions import completion_text

READ = "answered"


def number(block):
    """Return the number that a block is; numbers joined by "or" are several answers."""
    found = read_field(block, ("answer", "value"), number)
    if found is not None:
        return found
    numbers = block.split(" or ")
    if not all(each.isdigit() for each in numbers):
        return None
    if len(set(numbers)) > 1:
        raise AmbiguousError(block)
    return int(numbers[0])


def answer(text):
    reading = read(text, number, tags=("rule",))
    return reading.answer if reading.status == READ else reading.status


# -- the text --------------------------------------------------------------------------------------

COMPLETIONS = [
    ("plain", "plain", "text"),
    ([{"role": "assistant", "content": "said"}], "said", "a message"),
    ([{"role": "assistant", "content": each} for each in "ab"], "b", "the last message"),
    ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "b"}], "a", "a tool's"),
    ([{"role": "user", "content": "q"}], "", "no message of the assistant's"),
    ([{"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}], "", "a tool call"),
    ([{"role": "assistant", "content": "a", "reasoning_content": "b"}], "a", "a reasoning field"),
    ([{"content": [{"type": "text", "text": "x"}, {"text": "y"}]}], "xy", "parts, as they are"),
    ([{"content": [{"type": "image"}, {"text": "y"}]}], "y", "a part without text"),
    ([], "", "no message"),
]


@pytest.mark.parametrize(("completion", "text", "reason"), COMPLETIONS)
def test_a_completion_is_text_or_messages(completion, text, reason):
    assert completion_text(completion) == text, reason


@pytest.mark.parametrize(
    "completion",
    [None, 3, ["text"], [{"content": 3}], [{"content": [{"type": "text", "text": 0}]}]],
)
def test_any_other_completion_is_refused_with_a_remedy(completion):
    with pytest.raises(ValueError, match="Pass a str or"):
        completion_text(completion)


CLOSING = [
    *("</think>", "</THINK>", "</thinking>", "</thought>", "</reasoning>", "</analysis>"),
    *("</scratchpad>", "</reflection>", "</seed:think>", "[/think]", "[/REASONING]", "◁/think▷"),
    *("<|end_of_thought|>", "<|END_THINKING|>", "<|channel|>final<|message|>", "assistantfinal"),
]
OPENING = ["<think>", "<THINK>", "<thinking>", "<reasoning>", "[think]", "◁think▷"]
OPENING += ["<|begin_of_thought|>", "<|START_THINKING|>", "<|channel|>analysis<|message|>"]


@pytest.mark.parametrize("mark", CLOSING)
def test_what_precedes_the_last_closing_thought_mark_is_dropped(mark):
    assert answer(f"<answer>4</answer> hm{mark}3") == 3
    assert answer(f"<answer>4</answer> hm{mark}<answer>5</answer> no{mark}3") == 3
    assert answer(f"<answer>4</answer> hm{mark}") == "unreadable"


@pytest.mark.parametrize("mark", OPENING)
def test_a_thought_that_is_never_closed_holds_no_answer(mark):
    assert answer(f"{mark}<answer>4</answer>") == "truncated"
    assert answer(f"3\n\n{mark}<answer>4</answer>") == 3
    assert without_thoughts(f"a{mark}b") == ("a", True)


@pytest.mark.parametrize(
    ("prompt", "paid"),
    [
        ("2 + 1?", 1.0),
        ("2 + 1?\n<think>\n", 0.0),
        ("Is <think> a tag?", 1.0),
        ("2 + 1?<|start|>assistant<|channel|>analysis<|message|>", 0.0),
        ([{"role": "user", "content": "<think>"}], 1.0),
        ([{"role": "user", "content": "2 + 1?"}, {"role": "assistant", "content": "<think>"}], 0.0),
    ],
)
def test_a_thought_that_the_prompt_opened_holds_no_answer_either(prompt, paid):
    columns = {"verification": [{"correct": [3], "options": 6}], "prompts": [prompt]}
    assert validity_reward(["Answer: 3"], **columns) == [paid]
    assert validity_reward(["Answer: 4</think>Answer: 3"], **columns) == [1.0]


@pytest.mark.parametrize("mark", ["<|im_end|>", "</s>", "<|eot_id|>\n", "<|im_end|>\n</s>"])
def test_marks_at_the_end_of_a_turn_are_dropped(mark):
    assert answer(f"3{mark}") == answer(f"Answer:\n3\n{mark}") == 3


# -- blocks ----------------------------------------------------------------------------------------

TAGS = [
    ("<answer>3</answer>", 3, "the tag of all families"),
    ("<ANSWER>3</Answer>", 3, "any case"),
    ("[answer]3[/answer]", 3, "square brackets"),
    ("<answer>3<\\answer>", 3, "a backslash"),
    ("<final_answer>3</final_answer>", 3, "the other tag"),
    ("[RULE]3[/RULE]", 3, "the family's own tag"),
    ("<result>3</result>", "unreadable", "another family's tag"),
    ("<answer>2</answer> no, <answer>3</answer>", 3, "the last candidate"),
    ("<answer>2 <answer>3</answer></answer>", 3, "the innermost of tags within tags"),
    ("<answer>\n[RULE]3[/RULE]\n</answer>", 3, "the innermost of different tags"),
    ("4\n\n<answer>3", 3, "the end of the text closes a tag"),
    ("<answer>3,", "truncated", "unless what it holds goes on"),
    ("4\n\n<answer>3 (", 4, "then what precedes it may be a candidate"),
    ("<answer>3\n\n4", "truncated", "what follows an open tag is no paragraph"),
    ("The answer is <answer>3 or", "truncated", "nor what a marker marks"),
]
BOXES = [
    (r"So \boxed{3}.", 3, "a box"),
    (r"\fbox{3}", 3, "a framed box"),
    (r"\boxed{2}, no: \boxed{3}", 3, "the last candidate"),
    (r"\boxed{4 \fbox{3}}", 3, "the innermost of boxes in boxes"),
    (r"$\boxed{\text{3}}$", 3, "braces within"),
    (r"\boxed{3", "truncated", "a box that is not closed"),
]
MARKERS = [
    ("Answer: 3", 3, "a line that begins with a marker"),
    ("**Answer:** 3", 3, "in bold"),
    ("**Answer**: 3", 3, "in bold, without its colon"),
    ("### Final Answer\n\n3", 3, "a heading, and the next paragraph"),
    ("### Final Answer: 3", 3, "a heading's line"),
    ("- answer: 3", 3, "an item"),
    ("1. **Answer:** 3", 3, "a numbered item"),
    ("ANSWER 3", 3, "any case, no colon"),
    ("So the answer is 3", 3, "within a line"),
    ("so, the correct answer is: 3", 3, "within a line, with a colon"),
    ("The final answer is **3**", 3, "within a line, its value in bold"),
    ("This is the value: 3", 3, "one leading label, of a paragraph"),
    ("Final answer:\n3\n\nIndeed.", 3, "the rest of the paragraph"),
    ("Answer:\n\n```\n3\n```\n\n4", 3, "the next fence"),
    ("Answer: it is this one:\n\n3\n\n4", 3, "a value that ends in a colon"),
    ("Answer: it is this one:\n3\n\n4", 3, "and goes on in the next line"),
    ("Answer: 2, so the answer is 3", 3, "the last marker of a line"),
    ("Answer: 2\n\nNo. Answer: 4\n\nAnswer: 3", 3, "the last marker that begins a line"),
    ("It is so.\n#### 3", 3, "four hashes before the value that ends the text"),
    ("#### 3\n\nIt is so.", "unreadable", "four hashes before more text are a heading"),
]
PARTS = [
    ("```\n3\n```", 3, "a fence"),
    ("~~~text\n3\n~~~", 3, "tildes"),
    ("```\n2\n```\nthen\n```\n3\n```", 3, "the last fence"),
    ("```\n3", "truncated", "a fence that is not closed"),
    ("4\n\n```\n3\n\n5", 4, "what follows an open fence is no paragraph"),
    ("It is\n\n3\n\nas I said", 3, "a paragraph"),
    ("2\n\n3", 3, "the last paragraph"),
    ("It is\n3", "unreadable", "a paragraph is read whole"),
    ("# 3", "unreadable", "a heading is no paragraph"),
    ("- 2\n\n- 3", "unreadable", "the items of a list are one paragraph"),
]
ORDER = [
    ("<answer>3</answer> \\boxed{4}", 3, "tags before boxes"),
    ("\\boxed{3}\n\nAnswer: 4", 3, "boxes before markers"),
    ("Answer: 3\n\n```\n4\n```", 3, "markers before fences"),
    ("```\n3\n```\n\n4", 3, "fences before paragraphs"),
    ("<answer>words</answer> \\boxed{3}", 3, "a kind without candidates decides nothing"),
    ("\\boxed{3} <answer>1 or 2</answer>", "ambiguous", "an ambiguous answer is final"),
    ("<answer>3</answer> <answer>1 or 2</answer>", "ambiguous", "among its kind, too"),
    ("<answer>1 or 2</answer> <answer>3</answer>", 3, "unless it is not the last"),
    ("<answer>3</answer> <answer>words</answer>", 3, "words are no candidate"),
    ("<answer>3</answer> <answer></answer>", 3, "nor is nothing"),
    ("<answer>3</answer> <answer>2 ...</answer>", 3, "nor what has dots in it"),
    ("<answer>3</answer> <answer>2 …</answer>", 3, "in one character, too"),
    (f"3\n\n<answer>{' ' * MAX_BLOCK}4</answer>", 3, "nor what is too long"),
    ("<answer>I mean \\boxed{3}</answer>", 3, "tags without answer are read by other kinds"),
    ("<answer>So:\n\nAnswer: 3\n</answer>", 3, "by markers"),
    ("```\nSo:\n\nAnswer: 3\n```", 3, "and fences likewise"),
]


@pytest.mark.parametrize(
    ("text", "found", "reason"), [*TAGS, *BOXES, *MARKERS, *PARTS, *ORDER], ids=lambda value: None
)
def test_the_last_candidate_of_the_first_kind_is_the_answer(text, found, reason):
    assert answer(text) == found, reason


# -- in a block ------------------------------------------------------------------------------------

WRAPPED = [
    *("```\n3\n```", "**3**", "*3*", "`3`", '"3"', "'3'", "“3”", "_3_", "$3$", "$$3$$"),
    *(r"\(3\)", r"\[3\]", r"\boxed{3}", r"\text{3}", r"\mathrm{3}", "<b>3</b>", "<code>3</code>"),
    *("> 3", "• 3", "The number is: 3", "**The number is:** 3", "**`3`**", r"$\boxed{\text{3}}$"),
]


@pytest.mark.parametrize("block", WRAPPED)
@pytest.mark.parametrize("place", ["<answer>{}</answer>", "<answer>\n\n{}\n</answer>", "{}"])
def test_what_wraps_a_block_is_taken_off(block, place):
    assert answer(place.format(block)) == 3


MORE = ["3 of them", "It is 3", "The number: it is: 3", "3 (three)"]
DENIED = ["It is not: 3", "It isn't: 3", "Wrong: 3", "None of these: 3"]


@pytest.mark.parametrize("block", [*MORE, *DENIED])
def test_a_block_that_says_more_is_no_candidate(block):
    assert answer(f"<answer>{block}</answer>") == "unreadable"


FIELDS = [
    ('{"answer": 3}', 3, "JSON"),
    ('{"Answer": "3", "why": "4"}', 3, "other keys and case don't matter"),
    ("answer: 3\nwhy: it is", 3, "YAML"),
    ('{"answer": 3, "value": "3"}', 3, "the same answer twice"),
    ('{"answer": 3, "value": 4}', "ambiguous", "different answers"),
    ('{"answer": 3, "answer": 3}', "unreadable", "a key given twice"),
    ("value: 3\nvalue: 3", "unreadable", "a key given twice in YAML"),
    ("value: &x 3", "unreadable", "an anchor"),
    (f"value: 3\nwhy: {'x' * MAX_YAML}", "unreadable", "a long mapping in YAML"),
    (f'{{"value": 3, "why": "{"x" * MAX_YAML}"}}', 3, "which JSON may be"),
    ('{"number": 3}', "unreadable", "no key of the family's"),
]


@pytest.mark.parametrize(("block", "found", "reason"), FIELDS)
@pytest.mark.parametrize("place", ["<answer>{}</answer>", "```json\n{}\n```"])
def test_an_answer_may_be_a_field(block, found, reason, place):
    assert answer(place.format(block)) == found, reason


def test_exactly_one_metric_tells_what_became_of_a_completion():
    for text, status in [
        ("3", "answered"),
        ("1 or 2", "ambiguous"),
        ("<think>3", "truncated"),
        ("words", "unreadable"),
    ]:
        reading = read(text, number)
        assert [name for name, value in reading.metrics.items() if value == 1.0] == [status]
        assert sum(reading.metrics.values()) == 1.0
        assert bool(reading.explanation) == (status != READ)


def test_a_tag_alone_is_read_by_its_own_last_candidate():
    text = "[proof]2[/proof] <proof>3</proof> <proof>x</proof> <answer>4</answer>"
    assert read_tag(text, number, "proof").answer == 3
    assert read_tag("<proof>2</proof>\n<proof>x", number, "proof").answer == 2
    assert read_tag("3\n<proof>3,", number, "proof").status == "truncated"
    assert read_tag("Answer: 3", number, "proof").status == "unreadable"


# -- hostile texts ---------------------------------------------------------------------------------

HOSTILE = [
    *("<answer>", "</answer>", "<answer>3</answer>", "<answer>x</answer>", "[", "<", "<think>"),
    *("</think>", "</think> ", "\\boxed{", "\\boxed{}", "\\fbox{", "\\boxed{\\boxed {}", "{", "}"),
    *("Answer: ", "Answer:\n", "Answer:\n\n", "the answer is ", "#### ", "\n#### 3", "# a\n"),
    *("`", "```", "```\n", "```a b", "~~~", "> ", ">", "- x\n", "- x\n\n", "1. x\n", "\n", " "),
    *("*", "_", "$", "*`$", '"', "'", "\\", "\\text{", "\\verb|", "a: ", "a:\n ", "a", "3"),
    *("...", '{"answer": ', "answer: [", "answer: {", "? ", "&a ", "- ", "<|im_end|>", "</s> ",
     "\ufeff", "\0"),
]  # fmt: skip


@pytest.mark.parametrize("ending", ["", "\n\nAnswer: 3"])
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit, ending):
    small, large = (unit * (size // len(unit)) + ending for size in (12_000, 48_000))
    assert takes_linear_time(answer, small, large)


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_megabyte_of_hostile_text_takes_seconds(unit):
    assert seconds(answer, unit * (1_000_000 // len(unit))) < 10


@pytest.mark.parametrize("odd", ["\ud800", "\u202e", "𝔢", "٣"])
def test_odd_characters_are_text(odd):
    assert read(f"<answer>{odd}</answer>", lambda block: block or None).answer == odd


def test_blocks_are_read_up_to_a_bound_and_then_the_text_has_no_answer():
    wrapped = [
        f"Answer: {'_' * 9}{number}{'x' * 4000}{'_' * 9}{'. x' * 5}\n\n" for number in range(20)
    ]
    sizes: list[int] = []
    found = read("".join(wrapped), lambda block: sizes.append(len(block)))
    assert (found.status, sum(sizes) <= MAX_READ) == ("unreadable", True)
