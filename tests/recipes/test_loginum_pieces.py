import pytest

from logic_curriculum.curriculum.evaluation.loginum import (
    Condition,
    accuracies,
    accuracies_as_data,
    accuracy_table,
    best_constant,
    depth_table,
)
from logic_curriculum.curriculum.evaluation.questions import few_shot_examples, in_context
from logic_curriculum.curriculum.evaluation.records import Record, make_record
from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.loginum.prompts import INSTRUCTIONS
from logic_curriculum.rewards import Verdict

COMPACT = {"language": "clauses", "style": "compact", "vocabulary": 20}


def task(level: int = 2, seed: int = 0, **options: object) -> Task:
    return generate("loginum", level, seed, **{"split": "test", "preset": "EL-EN", **options})


def test_examples_stand_between_the_instructions_and_the_question():
    asked = task()
    shown = few_shot_examples("loginum", [1, 2, 3], count=3, seed=0, index=7, preset="EL-EN")

    prompt = in_context(asked, shown).prompt

    assert prompt.count(INSTRUCTIONS) == 1
    assert prompt.startswith(INSTRUCTIONS)
    assert prompt.endswith(asked.prompt.removeprefix(INSTRUCTIONS))
    places = [prompt.index(example.solution) for example in shown]
    assert places == sorted(places)


def test_compact_examples_have_no_instructions():
    asked = task(**COMPACT)
    (shown,) = few_shot_examples(
        "loginum", [1], count=1, seed=0, index=0, preset="EL-EN", **COMPACT
    )

    assert (
        in_context(asked, [shown]).prompt == f"{shown.prompt}\n{shown.solution}\n\n{asked.prompt}"
    )


def test_examples_share_no_process_with_training_or_test():
    shown = [
        example
        for index in range(40)
        for example in few_shot_examples(
            "loginum", [1, 2, 3], count=3, seed=0, index=index, preset="EL-EN"
        )
    ]
    leak_key = registry.family("loginum").leak_key
    others = {
        leak_key(task(1 + seed % 3, seed, split=s)) for seed in range(60) for s in ("train", "test")
    }

    assert {example.metadata["split"] for example in shown} == {"validation"}
    assert others.isdisjoint(map(leak_key, shown))


def test_each_question_has_examples_of_its_own_the_same_every_time():
    first, again, second = (
        [
            e.prompt
            for e in few_shot_examples("loginum", [1, 2, 3], 2, seed=0, index=index, preset="EL-EN")
        ]
        for index in (0, 0, 1)
    )

    assert first == again
    assert set(first).isdisjoint(second)


def record(level: int, solved: bool | None, partial: float | None) -> Record:
    reward = None if solved is None else float(solved)
    metrics = {} if partial is None else {"paper_process_accuracy": min(1.0, 2 * partial)}
    verdict = Verdict(bool(solved), reward, partial=partial or 0.0, metrics=metrics)
    return make_record(task(level), verdict, model="tiny", prompt="", completion="")


def test_scores_are_means_over_what_could_be_graded():
    found = accuracies([record(1, True, 1.0), record(1, False, 0.5), record(2, None, None)])

    assert found.answer[::2] == (50.0, 2)
    assert found.process[::2] == (75.0, 2)
    assert found.process.error == pytest.approx(25.0)  # spread 0.354 over the root of 2


def test_the_table_has_the_pairs_and_means_of_table_3_and_the_paper_s_measure():
    easy, hard = Condition("EL-EN", 0), Condition("HL-HN", 0)
    answers = {easy: [record(1, True, 1.0)] * 4, hard: [record(3, False, 0.25)] * 4}

    table = accuracy_table({"before": answers})

    assert table.header == [
        *("model", "shots", "EL-EN Proc", "EL-EN paper's Proc", "EL-EN Ans"),
        *("HL-HN Proc", "HL-HN paper's Proc", "HL-HN Ans"),
        *("mean Proc", "mean paper's Proc", "mean Ans"),
    ]
    assert table.rows == [
        [
            *("before", "0-shot", *["100.0 ± 0.0"] * 3),
            *("25.0 ± 0.0", "50.0 ± 0.0", "0.0 ± 0.0"),
            *("62.5", "75.0", "50.0"),
        ]
    ]


def test_depths_are_told_apart():
    answers = {Condition("EL-EN", 0): [record(1, True, 1.0), record(2, False, 0.0)]}

    rows = depth_table({"before": answers, "after": answers}).rows

    assert rows[0][:5] == ["EL-EN", "0-shot", "1", "1", "100.0 ± 0.0"]
    assert rows[1][:5] == ["EL-EN", "0-shot", "2", "1", "0.0 ± 0.0"]


def test_a_summary_names_model_dataset_and_shots():
    (summary,) = accuracies_as_data({"after": {Condition("EL-EN", 3): [record(1, True, 1.0)]}})

    assert (summary["model"], summary["dataset"], summary["shots"]) == ("after", "EL-EN", 3)
    assert summary["process"] == {"value": 100.0, "error": 0.0, "items": 1}


def test_the_best_constant_is_the_commonest_answer():
    tasks = [task(1, seed) for seed in range(30)]
    answers = [item.verification["answer"] for item in tasks]

    assert best_constant(tasks).value == pytest.approx(100 * max(map(answers.count, answers)) / 30)


def test_training_sets_are_mixed_in_equal_parts_and_in_turns():
    from sft_loginum import LoginumArguments, training_set

    mixed = {"train_preset": "EL-Train+EN-Train", "train_examples": 8, "conversational": False}
    rows = training_set(LoginumArguments(**mixed, language="formal", style="compact"), seed=0)
    steps = [row["completion"].count("=>>") for row in rows]
    assert all(count <= 3 for count in steps[::2])  # EL-Train has depths 1 to 3
    assert all(count >= 4 for count in steps[1::2])  # EN-Train has 4 to 6
