from dataclasses import replace

import pytest

from logic_curriculum.curriculum.evaluation.guessers import best_number
from logic_curriculum.curriculum.evaluation.papers import loginum
from logic_curriculum.curriculum.evaluation.prompts import few_shot_examples, in_context
from logic_curriculum.curriculum.evaluation.records import Record, as_frame, make_record
from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.loginum.prompts import INSTRUCTIONS, NOTATION
from logic_curriculum.rewards import Verdict

COMPACT = {"language": "clauses", "style": "compact", "vocabulary": 20}


def task(level: int = 2, seed: int = 0, **options: object) -> Task:
    return generate("loginum", level, seed, **{"split": "test", "preset": "EL-EN", **options})


@pytest.mark.parametrize("language", ["english", "formal", "clauses"])
def test_examples_stand_between_the_instructions_and_the_question(language):
    told = INSTRUCTIONS + NOTATION * (language != "english")
    options = {"preset": "EL-EN", "language": language}
    asked = task(**options)
    shown = few_shot_examples("loginum", [1, 2, 3], count=3, seed=0, index=7, **options)

    prompt = in_context(asked, shown).prompt

    assert prompt.startswith(told)
    assert (prompt.count(INSTRUCTIONS), prompt.count(NOTATION)) == (1, language != "english")
    assert prompt.endswith(f"\n\n{asked.prompt.removeprefix(told)}")
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


def record(
    number: int, level: int, solved: bool | None, partial: float | None, **changes: object
) -> Record:
    reward = None if solved is None else float(solved)
    metrics = {} if partial is None else {"paper_process_accuracy": min(1.0, 2 * partial)}
    verdict = Verdict(bool(solved), reward, partial=partial or 0.0, metrics=metrics)
    about = {"id": str(number), "model": "before", "prompt": "", "completion": "", **changes}
    preset = about.pop("preset", "EL-EN")
    made = make_record(task(level), verdict, **about)
    return replace(made, metadata={**made.metadata, "preset": preset})


def rows(*records: Record) -> list[list[dict[str, str]]]:
    """Return the rows of the tables, as texts."""
    tables = loginum(as_frame(records))
    return [[{n: str(c) for n, c in row.items()} for row in table.rows] for table in tables]


def test_scores_are_means_over_what_could_be_graded():
    ((row,), _) = rows(record(1, 1, True, 1.0), record(2, 1, False, 0.5), record(3, 2, None, None))

    # errors: 70.7 of 100 and 0, and 35.4 of 100 and 50, over the root of 2
    assert (row["EL-EN Ans"], row["EL-EN Proc"]) == ("50.0 ± 50.0", "75.0 ± 25.0")


def test_the_table_has_the_pairs_and_means_of_table_3_and_the_paper_s_measure():
    records = [record(n, 1, True, 1.0) for n in range(4)]
    records += [record(n, 3, False, 0.25, preset="HL-HN") for n in range(4)]

    assert rows(*records)[0] == [
        {
            **{"model": "before", "shots": "0-shot", "EL-EN Proc": "100.0 ± 0.0"},
            **{"EL-EN paper's Proc": "100.0 ± 0.0", "EL-EN Ans": "100.0 ± 0.0"},
            **{"HL-HN Proc": "25.0 ± 0.0", "HL-HN paper's Proc": "50.0 ± 0.0"},
            **{"HL-HN Ans": "0.0 ± 0.0", "mean Proc": "62.5", "mean paper's Proc": "75.0"},
            "mean Ans": "50.0",
        }
    ]


def test_depths_models_and_numbers_of_examples_are_told_apart():
    records = [
        record(level, level, level == 1, float(level == 1), model=model, shots=shots)
        for model in ("before", "after")
        for level in (1, 2)
        for shots in (0, 3)
    ]
    first, second, third, _ = rows(*records)[1]

    assert list(first.values())[:5] == ["EL-EN", "0-shot", "1", "1", "100.0 ± 0.0"]
    assert list(second.values())[:5] == ["EL-EN", "0-shot", "2", "1", "0.0 ± 0.0"]
    assert (third["shots"], third["after Ans"]) == ("3-shot", "100.0 ± 0.0")


def test_the_best_constant_is_the_commonest_answer():
    tasks = [task(1, seed) for seed in range(30)]
    answers = [item.verification["answer"] for item in tasks]

    assert best_number(tasks).value == pytest.approx(100 * max(map(answers.count, answers)) / 30)


def test_training_sets_are_mixed_in_equal_parts_and_in_turns():
    from sft_loginum import LoginumArguments, training_set

    mixed = {"train_preset": "EL-Train+EN-Train", "train_examples": 8, "conversational": False}
    rows = training_set(LoginumArguments(**mixed, language="formal", style="compact"), seed=0)
    steps = [row["completion"].count("=>>") for row in rows]
    assert all(count <= 3 for count in steps[::2])  # EL-Train has depths 1 to 3
    assert all(count >= 4 for count in steps[1::2])  # EN-Train has 4 to 6
