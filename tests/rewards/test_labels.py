"""Statements that completions give as their answer, and texts that give none."""

import time

import pytest

from rewards.labels import extract_labels

TEXTS = (
    "Every donkey saw every monkey.",
    "No donkeys saw a monkey.",
    "There is a donkey that every monkey saw.",
    "A donkey saw a monkey.",
    "Hazel isn't asleep.",
    "Not all donkeys saw every monkey.",
)
READ = [
    ("3", {3}),
    ("3.", {3}),
    ("(3)", {3}),
    ("Statement 3", {3}),
    ("4. A donkey saw a monkey.", {4}),
    ("Answer: 3", {3}),
    ("**Answer:** 3", {3}),
    ("Final answer: 4. A donkey saw a monkey.", {4}),
    ("\\boxed{3}", {3}),
    ("\\boxed{2} and \\boxed{5}", {2, 5}),
    ("None of them", set()),
    ("None", set()),
    ("**None of the statements must be true.**", set()),
    ("Answer: none", set()),
    ("Statements 2 and 5 must be true.", {2, 5}),
    ("Only statement 3 must be true.", {3}),
    ("Only statement 3", {3}),
    ('{"answer": [2, 5]}', {2, 5}),
    ('```json\n{"answer": 3}\n```', {3}),
    ('{"answer": []}', set()),
    (
        "1. False\n2. True\n3. Not necessarily true\n4. false\n5. cannot be determined\n6. False",
        {2},
    ),
    ("The only statement that must be true is:\n\n**2. No donkeys saw a monkey.**", {2}),
    ("The statements that must be true are:\n\n- 1. X.\n- 4. Y.", {1, 4}),
    ("Therefore the answer is 3 because premise 2 rules out 4.", {3}),
    (
        "Statement 3 is the only one that must be true; statements 1, 2, 4, 5 and "
        "6 are not necessarily true.",
        {3},
    ),
    ("I don't know.", None),
    ("", None),
    ("<think>3</think>", {3}),
    ("<think>Statement 3 must be true</think>\nThe answer is 4.", {4}),
    ("A donkey saw a monkey.", {4}),
    ("Answer: A donkey saw a monkey.", {4}),
    ("Therefore, the statement that must be true is:\n1. A donkey saw a monkey.", {4}),
    ("The fourth statement must be true.", {4}),
    ("Answer: Statement 5 (Hazel isn't asleep).", {5}),
    ("Final answer: statements 2, 3, and 6", {2, 3, 6}),
    ("All of the statements must be true.", {1, 2, 3, 4, 5, 6}),
    ("1, 2, 3, 4, 5, 6", {1, 2, 3, 4, 5, 6}),
    ("### Final Answer\n\n3", {3}),
    ("### Final Answer\n\n**Statement 3**: There is a donkey that every monkey saw.", {3}),
    ("Statement 2 must be true. Statement 5 must also be true.", {2, 5}),
    ("Answer: $\\{2,5\\}$", {2, 5}),
    ("The answer is (3).", {3}),
    ("So the correct option is 6.", {6}),
    ("Hence, statement 4 follows.", {4}),
    ("**3**", {3}),
    ("Answer: 3 and 4", {3, 4}),
    ("\\[\\boxed{\\text{Statement } 4}\\]", {4}),
    ("\\boxed{\\text{None}}", set()),
    ("None of the other statements must be true, so the answer is 2.", {2}),
    (
        "Statement 1: not necessarily true.\nStatement 2: true.\n"
        "Statement 3: false.\nStatement 4: unknown.\n"
        "Statement 5: not guaranteed.\nStatement 6: false.\n\nSo statement 2.",
        {2},
    ),
    ("The answer is 3, not 4.", {3}),
    ("3 is correct.", {3}),
    ("#3", {3}),
    ("Options 1 and 2", {1, 2}),
    ("Answer: [3]", {3}),
    ("answer = 3", {3}),
    ("No statement must be true.", set()),
    ("So 3.", {3}),
    ("Premise 2 says so.\nTherefore, 3.", {3}),
    ("Final: 3", {3}),
    ("=> 3", {3}),
    ("→ 3", {3}),
    ("I choose 3.", {3}),
    ("I would pick statement 3.", {3}),
    ("I'm not sure, but the answer is 3.", {3}),
    ("It is true that the answer is 3.", {3}),
    ("The answer is the third one.", {3}),
    ("The answer is three.", {3}),
    ('"A donkey saw a monkey." must be true.', {4}),
    ("**A donkey saw a monkey** must be true.", {4}),
    (
        "A donkey saw a monkey must be true.\nHazel isn't asleep is not certain.\n"
        "No donkeys saw a monkey must be true.",
        {2, 4},
    ),
    ("Answer: 4\nWait, that is wrong. Answer: 3", {3}),
    ("Answer: 4. No, that's not right. The answer is 3.", {3}),
    ("My first attempt was incorrect. The correct answer is 3.", {3}),
    ("Statement 4 is wrong. The answer is 3.", {3}),
]


@pytest.mark.parametrize(("text", "labels"), READ, ids=[text[:40] for text, _ in READ])
def test_the_answer_is_read_as_a_person_reads_it(text, labels):
    assert extract_labels(text, 6, TEXTS) == (None if labels is None else frozenset(labels))


NOT_ASSERTED = [
    "Answer: 3 is wrong",
    "Answer: 3 is not the answer",
    "Answer: 3 is not correct.",
    "The answer is not 3.",
    "It is untrue that the answer is 3.",
    "It is not the case that the answer is 3.",
    "I don't think the answer is 3.",
    "I'm not sure if the answer is 3.",
    "If the answer is 3, then I am a donkey.",
    "Suppose the answer is 3.",
    "Question: is the answer 3?",
    "The answer is 3?",
    "Answer: >= 3",
    "Answer: < 3",
    "The answer is at least 3.",
    "Answer: 3\n\nWait, that is wrong.",
    "Answer: 3. Actually, this is incorrect.",
    '"There is a donkey that every monkey saw." is not certain.',
]


@pytest.mark.parametrize("text", NOT_ASSERTED)
def test_a_number_that_is_denied_supposed_asked_for_or_compared_is_no_answer(text):
    assert extract_labels(text, 6, TEXTS) is None


WITHOUT_WORDINGS = [
    ("Final answer: 4. A donkey saw a monkey.", {4}, "a number before its statement"),
    ("The statements that must be true are:\n- 1. X.\n- 4. Y.", {1, 4}, "a list"),
    ("Answer: A donkey saw a monkey.", None, "a quotation of what is not known"),
    ("However, we can deduce that statement 4 is true, and statement 2 is false.", {4}, "both"),
    ("None of the given statements must be true.", set(), "none"),
    ("1. This must be true.\n2. True.\n3. This is", None, "breaks off before all are judged"),
]


@pytest.mark.parametrize(("text", "labels", "reason"), WITHOUT_WORDINGS)
def test_numbers_are_enough(text, labels, reason):
    assert extract_labels(text, 6) == (None if labels is None else frozenset(labels)), reason


def test_the_last_answer_counts():
    text = "Answer: 2\n\nWait, that contradicts premise 3.\n\nAnswer: 5"
    assert extract_labels(text, 6) == {5}


@pytest.mark.parametrize(
    "text",
    ["-3", "Answer: -3", "Answer: −3", "\\boxed{-3}", "Answer:\n-3", "Statement -3 must be true."],
)
def test_a_negative_number_is_not_the_option_without_its_sign(text):
    assert extract_labels(text, 6) == {-3}


@pytest.mark.parametrize("text", ["- 3", "Answer: - 3", "Answer – 3", "Answer:\n- 3\n"])
def test_a_dash_before_an_item_is_no_sign(text):
    assert extract_labels(text, 6) == {3}


def test_naming_every_option_is_the_answer_that_all_follow():
    text = "\n".join(f"Answer: {number}" for number in range(1, 7)) + "\nAnswer: 1, 2, 3, 4, 5, 6"
    assert extract_labels(text, 6) == {1, 2, 3, 4, 5, 6}


def test_a_list_with_numbers_of_its_own_is_read_by_what_it_quotes():
    text = "The statement that must be true is:\n1. A donkey saw a monkey."
    assert extract_labels(text, 6, TEXTS) == {4}
    assert extract_labels(text, 6) == {1}


def test_a_box_in_the_last_paragraph_goes_before_the_prose_around_it():
    assert extract_labels("Statement 2 must be true.\n\n\\boxed{3}", 6) == {3}


@pytest.mark.parametrize(
    "piece",
    ["[", "3 ", "3, ", "statement 3 ", "\n", "```", "1. x\n", "true 3 ", "The answer is:\n"],
)
def test_a_hostile_megabyte_is_read_in_time(piece):
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    extract_labels(text, 6, TEXTS)
    assert time.process_time() - started < 10
