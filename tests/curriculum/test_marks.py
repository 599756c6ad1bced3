"""Where a report marks what an answer gets wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evaluation_records import made_up

from logic_curriculum.curriculum.evaluation.marks import categories, marks
from logic_curriculum.curriculum.evaluation.records import make_record
from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge


def marked(record) -> dict[str, list[str]]:
    """Return the marked texts of a record."""
    found = marks(record, record.prompt, record.completion)
    texts = {"prompt": record.prompt, "completion": record.completion}
    units = {name: text.encode("utf-16-le", "surrogatepass") for name, text in texts.items()}
    return {
        name: [units[name][2 * a : 2 * b].decode("utf-16-le", "surrogatepass") for a, b in spans]
        for name, spans in found.items()
    }


def answered(task, completion: str, prompt: str | None = None):
    verdict = judge(task.family, completion, task.verification)
    prompt = prompt or task.prompt
    return make_record(task, verdict, model="m", prompt=prompt, completion=completion)


@pytest.mark.parametrize("style", ["full", "compact"])
def test_false_premises_and_a_true_conclusion_are_marked(style):
    task = generate("countermodel", level=3, seed=7, style=style)
    empty = "<answer>a=0 b=0 c=0 M={} N={} O={} Q={}</answer>"
    record = answered(task, empty)
    premises, conclusion = task.verification["premises"], task.verification["conclusion"]
    assert marked(record)["prompt"] == [
        part for part in (*premises, conclusion) if part in record.verdict.faults
    ]


def test_the_wrong_steps_of_a_derivation_are_marked_in_the_completion():
    task = generate("loginum", level=2, seed=7)
    wrong = "Yasmine's nice is 9"
    text = (
        f"rule_1 & fact_4 =>> int_1: Yasmine's imaginative is 7\nrule_5 & int_1 =>> int_2: {wrong}"
    )
    record = answered(task, f"I first thought {wrong}.\nReasoning:\n{text}\nAnswer: \\boxed{{9}}")
    assert marked(record) == {"prompt": [], "completion": [text.split("\n")[1]]}
    assert marks(record, record.prompt, record.completion)["completion"][0][0] > 100  # the last one


@pytest.mark.parametrize(
    ("completion", "part", "found"),
    [
        ("so x is 1.\nx is 10", "x is 1", ["so x is 1."]),  # no part of a longer number
        ("\U0001d504\nx is 1\n\n", "x is 1", ["x is 1"]),  # two units of UTF-16
        ("half \ud83d\nx is 1", "x is 1", ["x is 1"]),
        ("aaaa" * 100, "aa", []),
        ("nothing of it", "x is 1", []),
    ],
)
def test_whole_parts_are_marked(completion, part, found):
    record = made_up(family="loginum", completion=completion)
    record = replace(record, verdict=replace(record.verdict, faults={part: "wrong"}))
    assert marked(record)["completion"] == found


def test_what_could_not_be_graded_is_a_category_of_its_own():
    assert categories(made_up(graded=False)) == ("not_gradable",)
    assert categories(made_up(solved=False)) == ("wrong",)
    assert categories(made_up()) == ()
