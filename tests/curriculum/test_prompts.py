"""Questions of a file, and what a report on LogicSkills makes of their answers."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from statistics import fmean

import pytest
from answered import answered, frame

from logic_curriculum.curriculum.evaluation.papers import COLUMNS, PUBLISHED, logicskills
from logic_curriculum.curriculum.evaluation.prompts import read_questions
from logic_curriculum.curriculum.evaluation.records import make_record
from logic_curriculum.rewards import judge

AXIOM = "∃xMx"
WHOLE = [
    {
        **{"set": "main", "task": "symbolization", "language": "carroll", "id": "7"},
        **{"prompt": "Say it.", "key": {"F": "[1] gyred", "a": "Zindle"}, "formula": "¬Fa"},
        **{"label": "¬Fa", "type": "negation"},
    },
    {
        **{"set": "main", "task": "validity", "language": "english", "id": "8"},
        **{"prompt": "Which?", "options": ["Fa", "Fb"], "option_sentences": ["A.", "B."]},
        "label": "2",
    },
    {
        **{"set": "main", "task": "countermodel", "language": "formal", "id": "9"},
        **{"prompt": "Refute it.", "domain": AXIOM, "premises": ["Fa"], "conclusion": "Ma"},
        **{"required_domain": [0, 1], "label": None},
        "example_countermodel": {"Domain": [0, 1], "a": 0, "F": [0], "M": [1]},
    },
]
MINIMAL = [
    {
        **{"task": "symbolization", "language": "carroll", "id": "7"},
        **{"input": "Sentence:\n\nZindle didn't gyre.", "answer": "¬Fa"},
    },
    {
        **{"task": "validity", "language": "english", "id": "8"},
        **{"input": "Everything drank.\n\n1. Alfred ate.\n2. Lewis ate.\n", "answer": [2]},
    },
    {
        **{"task": "countermodel", "language": "formal", "id": "9", "answer": None},
        "input": f"3. Use the fixed domain [0, 1]\n\nArgument:\n\n{AXIOM}, Fa |= Ma",
    },
]
RIGHT = {
    "symbolization": "¬Fa",
    "validity": "Answer: 2",
    "countermodel": 'Domain: [0, 1]\nConstants: "a": 0\nMonadic predicates: "F": [0], "M": [1]',
}


def written(path, rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize(("rows", "name"), [(WHOLE, "q.jsonl.gz"), (MINIMAL, "q.jsonl")])
def test_published_items_are_asked_word_for_word_and_judged(tmp_path, rows, name):
    questions = read_questions(written(tmp_path / name, rows))
    assert [q.prompt for q in questions] == [row.get("prompt", row.get("input")) for row in rows]
    assert [q.id for q in questions] == ["main/carroll/7", "main/english/8", "main/formal/9"]
    for question in questions:
        family, payload = question.task.family, question.task.verification
        assert judge(family, RIGHT[family], payload).solved
        assert not judge(family, "Fa", payload).solved


def test_a_solution_is_one_that_the_judge_accepts(tmp_path):
    for question in read_questions(written(tmp_path / "q.jsonl", WHOLE)):
        task = question.task
        assert judge(task.family, task.solution, task.verification).solved


def test_a_counterpart_is_another_question(tmp_path):
    rows = [{**WHOLE[1], "language": language} for language in ("english", "carroll")]
    one, two = read_questions(written(tmp_path / "q.jsonl", rows))
    verdict = judge("validity", "Answer: 2", one.task.verification)
    records = [make_record(q.task, verdict, id=q.id) for q in (one, two)]
    assert records[0].id != records[1].id
    assert records[0].metadata["set"] == "main"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"task": "chess", "prompt": "?"}, "line 2 .*chess"),
        ({"task": "validity", "options": 2, "label": "1"}, "line 2 .*prompt"),
        ({"task": "validity", "prompt": "?", "options": 2, "label": "3"}, "line 2 .*correct"),
        ([], "line 2"),
    ],
)
def test_a_line_that_can_t_be_asked_is_named(tmp_path, row, reason):
    with pytest.raises(ValueError, match=reason):
        read_questions(written(tmp_path / "q.jsonl", [WHOLE[0], row]))


def test_a_file_without_questions_is_refused(tmp_path):
    for nothing in (tmp_path / "q.jsonl", tmp_path):
        with pytest.raises(ValueError, match="no file of JSON lines"):
            read_questions(nothing)
    with pytest.raises(ValueError, match="holds no line"):
        read_questions(written(tmp_path / "q.jsonl", []))


def test_all_files_of_a_folder_are_read(tmp_path):
    for number, row in enumerate(MINIMAL):
        written(tmp_path / f"{number}.jsonl", [row])
    assert [q.task.family for q in read_questions(tmp_path)] == [row["task"] for row in MINIMAL]


def answers(language, marks, *, family="validity", error="superset", data_set="main"):
    """Return records of a skill in a language: 1 solved, else wrong, ``s`` by the error."""
    return [
        answered(
            number,
            mark == "1",
            level=0,
            family=family,
            id=f"{language}-{number}",
            metadata={"tier": "", "language": language, "set": data_set},
            metrics={error: float(mark == "s")},
        )
        for number, mark in enumerate(marks)
    ]


def test_skills_and_languages_stand_beside_the_published_ones():
    records = answers("english", "1100") + answers("carroll", "1110")
    records += answers("formal", "10", family="countermodel", error="not_countermodel")
    first, _ = logicskills(frame(*records))
    # standard errors: 28.9 of 2 in 4, 25 of 3 in 4, 50 of 1 in 2
    cells = {"Val (Car.)": "75.0 ± 25.0", "Val (Eng.)": "50.0 ± 28.9", "Counter": "50.0 ± 50.0"}
    assert {name: str(cell) for name, cell in first.rows[0].items()} == {"model": "m", **cells}
    published = {"Val (Car.)": 87, "Val (Eng.)": 85, "Counter": 10}
    assert {"model": "published: openai/gpt-4o", **published} in first.rows


def test_other_questions_have_no_published_figures():
    records = answers("english", "10", data_set="") + answers("carroll", "11", data_set="")
    assert len(logicskills(frame(*records))[0].rows) == 1


def test_the_share_of_supersets_is_of_the_wrong_answers():
    # 3 of 5 are wrong, and 2 of these name all that follows and more
    (row,) = logicskills(frame(*answers("english", "1ss01")))[1].rows
    assert (row["wrong answers"], row["error"], row["published (%)"]) == (3, "superset", 58.4)
    assert str(row["of them (%)"]).startswith("66.7 ±")
    assert logicskills(frame(*answers("english", "11")))[1].rows == []


def test_an_answer_whose_kind_of_error_is_known_is_no_lost_answer():
    # of 4 wrong ones, one has no answer and one, without a tag, leaves a symbol out
    kinds = [("unreadable",), ("unreadable", "missing_interpretation"), ("arity",), ("malformed",)]
    wrong = answers("formal", "0000", family="countermodel", error="not_countermodel")
    records = [replace(record, errors=own) for record, own in zip(wrong, kinds, strict=True)]
    (row,) = logicskills(frame(*records))[1].rows
    assert str(row["of them (%)"]) == "0.0 ± 0.0"
    assert row["no answer found (%)"].value == 25.0


def test_table_2_gives_the_means_and_the_largest_gap_of_section_5_1():
    means = [fmean(column) for column in zip(*PUBLISHED.values(), strict=True)]
    assert [round(mean, 1) for mean in means[:4]] == [84.4, 82.9, 69.1, 70.7]
    gaps = [abs(row[n] - row[n + 1]) for row in PUBLISHED.values() for n in (0, 2)]
    assert max(gaps) == 7


def test_table_2_gives_about_as_many_wrong_answers_as_section_5_2():
    totals = dict(zip(("Val", "Sym", "Counter"), (980, 1803, 2020), strict=True))
    for name, total in totals.items():
        places = [n for n, title in enumerate(COLUMNS.values()) if title.startswith(name)]
        wrong = sum(3 * (100 - row[place]) for row in PUBLISHED.values() for place in places)
        assert wrong == pytest.approx(total, abs=1.5 * len(PUBLISHED) * len(places))
