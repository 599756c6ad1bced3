from dataclasses import replace

import pytest
import torch

from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    make_model,
    make_tokenizer,
)
from logic_curriculum.generators import Task, generate


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


def test_half_of_the_heads_can_begin_as_matching_ones():
    tokenizer = make_tokenizer([Task("slr", 1, 0, "a b", "c", {})])
    config = TinyModelConfig(hidden_size=32, layers=2, heads=2, convolutions=True)

    def halves(matching: bool) -> list[bool]:
        model = make_model(tokenizer, replace(config, matching_heads=matching))
        attention = model.model.layers[1].self_attn
        pairs = zip(attention.q_proj.weight.chunk(2), attention.k_proj.weight.chunk(2), strict=True)
        return [torch.equal(queries, keys) for queries, keys in pairs]

    assert halves(matching=True) == [True, False]
    assert halves(matching=False) == [False, False]


def test_a_variable_is_one_token():
    tokenizer = make_tokenizer(
        [generate("sat", 1, 0, language="symbolic", style="certificate_compact")]
    )
    tokens = [tokenizer.decode([token]) for token in tokenizer("(v1→¬v2)").input_ids]
    assert tokens == ["(", "v1", "→", "¬", "v2", ")"]
