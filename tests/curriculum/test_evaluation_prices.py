"""Prices of tokens: Table 5 of the SLR paper, and files of one's own."""

from __future__ import annotations

import pytest
import yaml

from logic_curriculum.curriculum.evaluation.prices import SHIPPED, cost, load_prices


@pytest.mark.parametrize(
    ("model", "read", "written"),
    [
        ("gpt-4.5-preview", 75.0, 150.0),
        ("o1-pro", 150.0, 600.0),
        ("o4-mini-high", 1.10, 4.40),
        ("DeepSeek-R1", 0.10, 0.40),
        ("DeepSeek-R1-Distill-Llama-70B", 0.10, 0.40),
        ("meta-llama/Llama-3.1-8B-Instruct", 0.02, 0.03),
        ("LLAMA-3.2-3B", 0.015, 0.025),
        ("gpt-4o-2024-08-06", 2.5, 10.0),
        ("/models/QwQ-32B-Preview/", 0.15, 0.20),
    ],
)
def test_a_model_is_found_by_name_tag_or_path(model, read, written):
    prices = load_prices().of(model)
    assert prices is not None
    assert (prices.input, prices.output) == (read, written)


def test_the_table_is_dated_and_whole():
    table = load_prices()
    assert table.date.isoformat() == "2025-05-01"
    assert table.currency == "USD"
    providers = yaml.safe_load(SHIPPED.read_text())["providers"]
    assert {name: len(models) for name, models in providers.items()} == {
        "OpenAI": 14,
        "OpenRouter": 8,
        "Estimated": 2,
        "TogetherAI": 1,
    }


def test_what_the_table_lacks_costs_nothing_that_is_known():
    assert load_prices().of("tiny model") is None
    assert cost(None, 10, 10) is None
    assert cost(load_prices().of("o3"), None, 10) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "- a",
        "date: 2025-05-01\ncurrency: EUR\nproviders: {here: {m: {input: 1}}}",
        "date: 2025-05-01\ncurrency: EUR\nproviders: {here: {m: {input: 1, output: -2}}}",
        "date: today\ncurrency: EUR\nproviders: {}",
        "date: [",
    ],
)
def test_a_file_that_is_no_table_is_refused_by_name(tmp_path, content):
    path = tmp_path / "own.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"own\.yaml is no table of prices"):
        load_prices(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.yaml can't be read"):
        load_prices(tmp_path / "none.yaml")
