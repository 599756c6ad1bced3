"""Scores of made-up runs, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from evaluation_records import made_up, run

from logic_curriculum.curriculum import Ladder
from logic_curriculum.curriculum.evaluation.levels import profile
from logic_curriculum.curriculum.evaluation.papers import PAPERS, Paper, summary_tables
from logic_curriculum.curriculum.evaluation.scores import SHIPPED, cost, load_prices, score_run
from logic_curriculum.curriculum.evaluation.tables import (
    NONE,
    Table,
    hacking_table,
    joined,
    leaderboard,
    metric_table,
    process_and_answer,
    skill_profile,
)

NAN, INFINITE = float("nan"), float("inf")


def one(records, **options):
    (scores,) = score_run(records, **options)
    return scores


def test_accuracy_by_level_and_tier_and_lrl():
    records = run("1110", "10") + [made_up(n, n == 0, level=3, tier="hard") for n in range(4)]
    scores = one(records)
    assert [item.accuracy.value for item in scores.levels] == [0.75, 0.5, 0.25]
    assert {item.name: item.accuracy.value for item in scores.tiers} == {
        "basic": 4 / 6,
        "hard": 0.25,
    }
    assert scores.reasoning_level.value == 1.5
    assert scores.overall.accuracy.value == 0.5
    ladder = Ladder("slr", ("basic", "basic", "hard"))
    outcomes = [(record.level, record.verdict.solved) for record in records]
    assert profile(outcomes, ladder).logical_reasoning_level == scores.reasoning_level.value


def test_what_could_not_be_graded_is_left_out_and_counted():
    scores = one(run("110?"))
    assert scores.overall.accuracy.value == pytest.approx(2 / 3)
    assert (scores.overall.tasks, scores.answers, scores.ungraded) == (3, 4, 1)


def test_a_run_that_could_not_be_graded_at_all_has_no_scores():
    assert score_run(run("??")) == []


def test_several_answers_to_a_task_count_as_one_task():
    several = [replace(record, sample=sample) for record in run("110100") for sample in range(4)]
    scores, alone = one(several), one(run("110100"))
    assert scores.overall.accuracy == alone.overall.accuracy  # the interval is no narrower
    assert scores.pass_at[4] == alone.pass_at[1]


def test_pass_at_k_is_a_mean_over_tasks():
    # task 0: 1 of 2 right, task 1: 0 of 2
    records = [
        made_up(task, sample == task == 0, sample=sample) for task in (0, 1) for sample in (0, 1)
    ]
    scores = one(records)
    assert {k: item.value for k, item in scores.pass_at.items()} == {1: 0.25, 2: 0.5}
    assert scores.pass_at[1] == scores.overall.accuracy


def test_the_share_of_answers_that_can_be_read_is_the_syntax_score():
    records = [made_up(0), made_up(1, False), made_up(2, False, syntax=False)]
    assert one(records).overall.syntax.value == pytest.approx(2 / 3)


def test_tokens_and_cost_are_of_all_answers():
    scores = one(run("10?"), prices=load_prices())
    assert (scores.prompt_tokens, scores.completion_tokens) == (300, 30)
    # gpt-4o: (300 * 2.50 + 30 * 10.00) / 1e6
    assert scores.cost == pytest.approx(0.00105)


def test_a_missing_count_of_tokens_leaves_the_total_open():
    records = run("10")
    records[0] = replace(records[0], completion_tokens=None)
    scores = one(records, prices=load_prices())
    assert scores.completion_tokens is scores.cost is scores.overall.tokens is None
    assert scores.prompt_tokens == 200


def test_the_judges_measurements_are_means_over_tasks():
    records = [made_up(0, metrics={"hacking_gap": 1.0}), made_up(1, metrics={"hacking_gap": 0.0})]
    assert one(records).metrics["hacking_gap"].value == 0.5


def test_families_and_shots_are_scored_apart():
    records = run("1") + run("0", family="sat") + run("0", shots=3)
    assert [(s.family, s.shots, s.overall.accuracy.value) for s in score_run(records)] == [
        ("slr", 0, 1.0),
        ("sat", 0, 0.0),
        ("slr", 3, 0.0),
    ]


def test_a_run_of_two_models_is_refused():
    with pytest.raises(ValueError, match=r"gpt-4o, o3.*logic-curriculum compare"):
        score_run(run("1") + run("1", model="o3"))


def test_the_leaderboard_row_has_the_form_of_table_4():
    records = run("1111", "11") + [made_up(n, False, level=3, tier="hard") for n in range(3)]
    table = leaderboard(score_run(records, load_prices()), "USD")
    assert table.header == [
        *("model", "LRL", "syntax score (%)", "basic (%)", "hard (%)", "tokens (M)", "cost (USD)")
    ]
    assert table.rows == [
        [
            *("gpt-4o", "2.0 [2.0, 2.0]", "100 [100, 100]", "100 [100, 100]", "0 [0, 0]"),
            *("9e-05", "0.00315"),  # 9 answers of 10 tokens; 9 * (100 * 2.5 + 10 * 10) / 1e6
        ]
    ]


def test_the_hacking_gap_is_what_is_lost_on_renamed_copies():
    solved = {"extensional": 1.0, "isomorphic": 1.0, "hacking_gap": 0.0}
    hacked = {"extensional": 1.0, "isomorphic": 0.0, "hacking_gap": 1.0}
    records = [made_up(n, n > 0, metrics=solved if n else hacked) for n in range(4)]
    (row,) = hacking_table(score_run(records)).rows
    assert [cell.split()[0] for cell in row] == ["gpt-4o", "0", "100", "75", "25"]


def test_process_and_answer_accuracy_name_the_data_set():
    for preset, name in (("EL-EN", "EL-EN"), (None, "ladder")):
        metadata = {"tier": "basic", "preset": preset}
        table = process_and_answer(score_run(run("1110", family="loginum", metadata=metadata)))
        ((model, dataset, shots, proc, ans),) = table.rows
        assert (model, dataset, shots) == ("gpt-4o", name, "0-shot")
        assert (proc.split()[0], ans.split()[0]) == ("75", "75")


def test_the_skill_profile_names_the_errors_that_occurred():
    errors = {"answered": 1.0, "unreadable": 0.0, "subset": 0.0, "incorrect": 1.0}
    records = [made_up(0, False, family="validity", metrics=errors)]
    (row,) = skill_profile(score_run(records)).rows
    assert row == ["validity", "0 [0, 0]", "100 [100, 100]", "incorrect 100 [100, 100]"]


def test_the_skill_profile_tells_what_is_known_of_an_error():
    errors = {"arity": 0.0, "not_equivalent": 1.0, "stronger": 1.0, "weaker": 0.0}
    records = [made_up(0, False, family="symbolization", metrics=errors)]
    (row,) = skill_profile(score_run(records)).rows
    assert row[-1] == "not_equivalent 100 [100, 100] (stronger 100 [100, 100])"


def test_every_row_names_its_model_where_there_are_several():
    records = [made_up(0, True, family=family) for family in ("slr", "validity")]
    scores = score_run(records) + score_run([replace(record, model="o3") for record in records])
    for table in summary_tables(scores, "USD"):
        assert table.header[0] == "model"
        assert {row[0] for row in table.rows} == {"gpt-4o", "o3"}


def test_a_family_may_have_tables_of_its_own(monkeypatch):
    paper = Paper(lambda own, currency: [Table(f"{len(own)} in {currency}", [], [])])
    monkeypatch.setitem(PAPERS, "toy", paper)
    scores = score_run([made_up(0, family=family) for family in ("toy", "slr")])
    assert "1 in USD" in [table.title for table in summary_tables(scores, "USD")]


def test_markdown_is_not_broken_by_a_models_name():
    text = joined(summary_tables(score_run(run("1", model="a|b\n<img>\\")), "USD"))
    assert "| a\\|b &lt;img>\\\\ |" in text


def test_a_measurement_that_is_no_number_counts_for_nothing():
    values = (NAN, 1.0, INFINITE, 0.5)
    records = [made_up(n, metrics={"gap": value, "none": NAN}) for n, value in enumerate(values)]
    scores = one(records)
    assert (scores.metrics["gap"].value, scores.metrics["gap"].tasks) == (0.75, 2)
    assert "none" not in scores.metrics
    assert metric_table(scores).note == "Not measured on all 4 tasks: gap over 2."


def test_a_partial_score_that_is_no_number_is_shown_as_missing():
    record = made_up(0, family="loginum")
    broken = replace(record, verdict=replace(record.verdict, partial=NAN))
    scores = one([broken])
    assert scores.overall.partial is None
    assert process_and_answer([scores]).rows[0][3] == NONE


def test_an_answer_whose_reward_is_no_number_is_not_graded():
    record = made_up(0)
    assert not replace(record, verdict=replace(record.verdict, reward=NAN)).graded


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
    with pytest.raises(ValueError, match=r"own\.yaml is not a table of prices"):
        load_prices(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.yaml can't be read"):
        load_prices(tmp_path / "none.yaml")
