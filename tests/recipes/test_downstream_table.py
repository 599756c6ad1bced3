"""Table 3's layout, and what it is made of; without the harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from logic_curriculum.curriculum.evaluation.benchmarks import (
    DOWNSTREAM,
    PUBLISHED,
    SLR_BENCH,
    DownstreamArguments,
    columns,
    read,
    report,
)

SIZES = {
    "mmlu_high_school_statistics": 216,
    "mmlu_high_school_computer_science": 100,
    "mmlu_machine_learning": 112,
    "logiqa": 651,
    "logiqa2": 1572,
    "gpqa_main_zeroshot": 448,
    "gpqa_extended_zeroshot": 546,
    "gpqa_diamond_zeroshot": 198,
    "arc_easy": 2376,
    "arc_challenge": 1172,
    "hellaswag": 10042,
}
"""Questions of the splits that the harness asks, where a benchmark is one task."""
MMLU = "mmlu_high_school_statistics"


def result(task: str, outcomes: list[float], metric: str = "acc") -> dict[str, Any]:
    share = sum(outcomes) / len(outcomes)
    values = {"alias": task, f"{metric},none": share, f"{metric}_stderr,none": 0.1}
    return {"results": {task: values}, "n-shot": {task: 0}, "outcomes": {task: outcomes}}


def rows(text: str, start: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [line for line in cells if line[0] == start]


def test_the_columns_are_the_papers_in_its_order():
    shown = columns([item.task for item in DOWNSTREAM])
    assert [item.title for item in shown] == [
        *("MMLU", "MMLU-Stats", "MMLU-CS", "MMLU-ML", "LogiQA", "LogiQA2"),
        *("GPQA", "GPQA-Ext.", "GPQA-Dia.", "ARC-Easy", "ARC", "HellaSwag"),
    ]


@pytest.mark.parametrize("item", [item for item in DOWNSTREAM if item.result in SIZES])
def test_the_published_scores_are_shares_of_the_splits_that_are_asked(item):
    """So each figure, in % to one decimal, is a whole number of the split's questions."""
    size = SIZES[item.result]
    for figure in item.published:
        right = round(figure / 100 * size)
        assert abs(100 * right / size - figure) <= 0.051, (item.title, figure, right, size)


def test_the_first_model_is_the_base_and_others_show_their_change():
    results = {
        "base": {"logiqa": result("logiqa", [1, 0, 0, 0])},
        "tuned": {"logiqa": result("logiqa", [1, 1, 1, 0])},
    }
    text = report(results, ["logiqa"])

    assert rows(text, "base")[0] == ["base", "25.0"]
    assert rows(text, "tuned")[0] == ["tuned", "75.0 (+50.0)"]
    # Two questions turned out better and none worse: p = 2 * (1/2)**2.
    assert rows(text, "LogiQA")[0][2:] == ["4", "0", "–", "25.0 ± 10.0", "75.0 ± 10.0", "0.5"]


def test_what_one_answer_solves_stands_beside_a_score():
    puzzles = result("gym_gcd", [1, 0]) | {"constants": {"gym_gcd": 0.36}}
    assert rows(report({"base": {"gym_gcd": puzzles}}, ["gym_gcd"]), "gym_gcd")[0][4] == "36.0"


def test_a_change_too_small_to_show_has_no_minus():
    results = {
        name: {"logic_slr": result("logic_slr", [1], "lrl") | {"outcomes": {"logic_slr": []}}}
        for name in ("base", "tuned")
    }
    results["tuned"]["logic_slr"]["results"] = {"logic_slr": {"lrl,none": 0.98}}
    assert rows(report(results, ["logic_slr"]), "tuned")[0][1] == "1.0 (+0.0)"


def test_a_part_of_a_group_has_the_outcomes_of_that_part():
    group = result("mmlu", [1, 0])
    part = result(MMLU, [1, 1])
    both = {
        "results": {**group["results"], **part["results"]},
        "n-shot": {"mmlu": 0, MMLU: 0},
        "outcomes": {MMLU: [1, 1], "mmlu_anatomy": [0, 0]},
    }
    text = report({"base": {"mmlu": both}}, ["mmlu"])

    assert rows(text, "base")[0][1:4] == ["50.0", "100.0", "–"]
    assert rows(text, "MMLU")[0][2] == "4"
    assert rows(text, "MMLU-Stats")[0][2] == "2"


def test_the_reasoning_level_is_no_share():
    found = result("logic_slr", [1, 0], "solved")
    found["results"]["logic_slr"] |= {"lrl,none": 3.5, "hard,none": None, "syntax,none": 1.0}
    text = report({"base": {"logic_slr": found}}, ["logic_slr"])
    assert rows(text, "base")[0] == ["base", "3.5", "100.0", "–", "–", "–", "–"]


def test_a_perplexity_is_no_share_and_has_no_right_answers_to_compare():
    values = {"word_perplexity,none": 31.5, "bits_per_byte,none": 1.2}
    outcomes = {"text": [None, None]}
    found = {"results": {"text": values}, "n-shot": {"text": 0}, "outcomes": outcomes}
    text = report({"base": {"text": found}, "tuned": {"text": found}}, ["text"])
    assert rows(text, "tuned")[0] == ["tuned", "31.5 (+0.0)"]
    assert rows(text, "text")[-1][-1] == "–"


def test_a_task_that_the_paper_lacks_gets_a_column_of_its_own():
    text = report({"base": {"mine": result("mine", [1, 0], "exact_match")}}, ["mine"])
    assert rows(text, "base")[0] == ["base", "50.0"]


def test_what_is_not_there_yet_is_a_dash(tmp_path: Path):
    (tmp_path / "logiqa.json").write_text(json.dumps(result("logiqa", [1, 0])))
    results = read({"base": tmp_path, "tuned": tmp_path / "none"}, ["logiqa"])
    assert rows(report(results, ["logiqa"]), "tuned")[0] == ["tuned", "–"]


def test_the_papers_rows_stand_beside_its_model_only():
    found = {"logiqa": result("logiqa", [1, 0])}
    assert "published" not in report({"Qwen/Qwen3-4B": found}, ["logiqa"])
    text = report({"meta-llama/Llama-3.1-8B-Instruct": found}, ["logiqa"])
    assert rows(text, "published: Llama-8b-it-SLR")[0][1] == "31 (+0.9)"


def test_scores_of_loginumsynth_stand_beside_its_models_and_have_its_averages():
    found = {"fld_default": result("fld_default", [1, 0], "exact_match")}
    text = report({"Qwen/Qwen3-1.7B": found}, ["gsm8k", "fld_default", "svamp"])
    assert rows(text, "")[0][1:] == ["GSM8k", "FLD", "SVAMP"]
    assert rows(text, "Qwen/Qwen3-1.7B")[0][1:] == ["–", "50.0", "–"]
    last = rows(text, "published: Qwen3-1.7B + LogiNumSynth")[0][1:]
    assert last == ["89.23 (+0.5)", "63.9 (+3.7)", "95.33 (+1.0)"]
    numerical = ("GSM8k", "MATH", "MATHQA", "SVAMP", "MAWPS", "AIME")
    logical = ("RuleTaker", "ProofWriter", "FOLIO", "FLD")
    # Table 5's averages, before and after: some are cut off, not rounded.
    averages = {
        "llama-3.2-1b-instruct": ((37.27, 38.44), (34.77, 35.32)),
        "qwen3-1.7b": ((72.54, 73.20), (64.53, 69.47)),
    }
    for model, pairs in averages.items():
        for names, pair in zip((numerical, logical), pairs, strict=True):
            scores = [PUBLISHED[model].scores[name] for name in names]
            for printed, column in zip(pair, zip(*scores, strict=True), strict=True):
                assert sum(column) / len(names) == pytest.approx(printed, abs=0.015)


def test_the_papers_first_part_comes_from_our_own_tasks():
    assert [item.title for item in columns(["logic_slr"])] == [item.title for item in SLR_BENCH]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "transformers"}, "choose one of hf, vllm"),
        ({"benchmarks": []}, "name at least one"),
        ({"benchmarks": ["mmlu", "mmlu"]}, "none twice"),
        ({"limit": 0}, "at least 1 question"),
        ({"num_fewshot": -1}, "num_fewshot is -1"),
    ],
)
def test_options_that_can_not_work_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        DownstreamArguments("run", **options)


@pytest.mark.parametrize("given", ["[1]", "levels"])
def test_a_mapping_is_asked_for_where_one_is_needed(given: str):
    with pytest.raises(ValueError, match="task_metadata is"):
        _ = DownstreamArguments("run", task_metadata=given).metadata
