"""The tiny model: its tokens, its network, and what it is taught."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from logic_curriculum.curriculum.models.tiny_model import (
    TARGETS,
    TinyModelConfig,
    WarmUpArguments,
    made_once,
    make_model,
    make_tokenizer,
    named_examples,
    with_target,
    with_truth_table,
)
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards import judge_batch, measure_batch, slr_paper_reward, slr_reward

TASKS = [generate("slr", level, seed, style="compact") for level in (1, 3, 6) for seed in range(4)]


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


def test_named_examples_fit_as_shown_and_under_no_other_names():
    names = [named_examples(task).solution for task in TASKS]
    for verdict in measure_batch("slr", names, [task.verification for task in TASKS]):
        assert (verdict.metrics["extensional"], verdict.metrics["isomorphic"]) == (1.0, 0.0)


def test_only_the_paper_s_reward_pays_for_names():
    names = [named_examples(task).solution for task in TASKS]
    columns = {"verification": [task.verification for task in TASKS]}

    assert slr_paper_reward(names, **columns) == [1.0] * len(TASKS)
    assert slr_reward(names, **columns) == [0.0] * len(TASKS)


def test_the_share_asked_for_gets_the_target_and_the_rest_stays():
    mixed = with_target(TASKS, "named_examples", 0.25, seed=0)

    changed = [(new, old) for new, old in zip(mixed, TASKS, strict=True) if new != old]
    assert len(changed) == 3
    assert all(new == named_examples(old) for new, old in changed)
    assert with_target(TASKS, "named_examples", 0.0, seed=0) == TASKS


def test_which_tasks_get_the_target_depends_on_the_seed_alone():
    assert with_target(TASKS, "named_examples", 0.5, seed=1) == with_target(
        TASKS, "named_examples", 0.5, seed=1
    )
    assert with_target(TASKS, "named_examples", 0.5, seed=1) != with_target(
        TASKS, "named_examples", 0.5, seed=2
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"warm_up_target_share": 1.5}, "warm_up_target_share is 1.5"),
        ({"warm_up_target": "best"}, "no target 'best': choose from solution, named_examples"),
    ],
)
def test_a_target_or_share_that_there_is_not_is_refused(options: dict[str, object], said: str):
    with pytest.raises(ValueError, match=said):
        WarmUpArguments(**options)


def test_worked_tables_end_in_a_certificate_that_is_paid_and_hold_true_lines():
    for level in (1, 2, 3):
        for seed in range(25):
            task = generate("sat", level, seed, language="symbolic", style="certificate_compact")
            tabled = with_truth_table(task)
            (verdict,) = judge_batch("sat", [tabled.solution], [task.verification])
            assert verdict.reward == 1.0
            table = tabled.solution.partition("<result>")[0].splitlines()
            consistent = task.verification["satisfiable"]
            assert (len(table) == 2 ** task.metadata["variables"]) or consistent
            assert table[-1].endswith("all") is consistent
            named = {line.partition(": ")[2] for line in table} - {"all"}
            if not consistent:
                core = tabled.solution.partition("<certificate>")[2].partition("<")[0]
                assert named == set(core.split(", "))


def test_a_line_names_a_statement_that_is_false_there():
    formulas = ["(v1→v2)", "(v2∧¬v1)", "(v1→¬v2)"]
    payload = {"formulas": formulas, "satisfiable": True}
    about = {"variables": 2, "style": "certificate_compact"}
    task = Task("sat", 1, 0, "", "<result>consistent</result>", payload, about)

    # v1 and v2 false: 2 is false; v1 alone true: 1 and 2, of which 2 is false most often
    assert with_truth_table(task).solution.splitlines()[:3] == ["00: 2", "10: 2", "01: all"]
    assert TARGETS["solution"](task) == task


@pytest.mark.parametrize(
    ("level", "style", "named"), [(6, "certificate", "lower"), (1, "full", "certificate_compact")]
)
def test_a_table_that_can_not_be_written_is_refused(level: int, style: str, named: str):
    with pytest.raises(ValueError, match=named):
        with_truth_table(generate("sat", level, 0, style=style))


def test_a_model_that_was_cut_short_is_made_again(tmp_path):
    def killed(folder: str) -> None:
        Path(folder).mkdir()
        (Path(folder) / "model.safetensors").write_text("half")
        raise KeyboardInterrupt

    def whole(folder: str) -> None:
        (Path(folder) / "model.safetensors").write_text("whole")

    with pytest.raises(KeyboardInterrupt):
        made_once(tmp_path / "model", killed)
    assert not (tmp_path / "model").exists()
    made = Path(made_once(tmp_path / "model", whole))
    assert (made / "model.safetensors").read_text() == "whole"
    assert made_once(made, killed) == str(made)
