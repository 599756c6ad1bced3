import pytest
from tiny_model import make_tokenizer

from generators import Task


def pieces(prompt: str, solution: str = "(Ma→Pab)") -> list[str]:
    tokenizer = make_tokenizer([Task("symbolization", 1, 0, prompt, solution, {})])
    return [tokenizer.decode([token]) for token in tokenizer(prompt).input_ids]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("¬∃x(Mx∧Pxc)", ["¬", "∃x", "(", "M", "x", "∧", "P", "x", "c", ")"]),
        ("∀xMx↔Qab∨Fa", ["∀x", "M", "x", "↔", "Q", "a", "b", "∨", "F", "a"]),
        ("P [1] saw [2], b Lewis", ["P", " [1]", " saw", " [2],", " ", "b", " Lewis"]),
        ("Every human ran.", ["Every", " human", " ran", "."]),
        ("a=0 P={(0,1)}", ["a", "=0", " ", "P", "={", "(", "0,1", ")", "}"]),
    ],
)
def test_a_symbol_is_one_token_wherever_it_stands(text: str, tokens: list[str]):
    assert pieces(text) == tokens


def test_tasks_without_formulas_are_read_word_by_word():
    rule = "eastbound(T) :- has_car(T, C)."

    assert pieces(rule, rule) == ["eastbound(T)", " :-", " has_car(T,", " C)."]
