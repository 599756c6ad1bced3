"""Records of answers: what is written comes back, and what is no record is refused by line."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache

import pytest

from logic_curriculum.curriculum.evaluation.records import (
    light_metadata,
    make_record,
    read_records,
    write_records,
)
from logic_curriculum.generators import generate
from logic_curriculum.rewards import Verdict, judge


@cache
def record(family: str = "sat", completion: str = "1"):
    task = generate(family, level=1, seed=5, split="test")
    verdict = judge(family, completion, task.verification)
    return make_record(task, verdict, model="m", prompt=task.prompt, completion=completion)


@pytest.mark.parametrize(
    "completion",
    [
        "plain",
        "",
        "∀x(Fx→Gx)",
        "two\nlines\r\nand\rmore",
        "separators \u2028 \u2029 \x85 \x0b \x1c",  # str.splitlines would cut the line here
        "half a pair \ud83d of surrogates",
        "\\ud83d written out",
        'quotes " and \\ and \x00',
        "</script><img onerror=alert(1)>",
    ],
)
def test_any_completion_comes_back_as_it_was(tmp_path, completion):
    path = tmp_path / "deep" / "records.jsonl"
    written = [record(completion=completion), record(completion="1")]
    write_records(path, written)
    assert read_records(path) == written


@pytest.mark.parametrize(
    "family", ["slr", "loginum", "sat", "symbolization", "countermodel", "validity"]
)
def test_the_record_of_each_family_comes_back(tmp_path, family):
    written = replace(record(family, "nonsense"), completion_tokens=3)
    write_records(tmp_path / "r.jsonl", [written])
    assert read_records(tmp_path / "r.jsonl") == [written]
    assert written.metadata["split"] == written.split == "test"


def test_tasks_are_told_apart_by_content_not_by_answer():
    assert record(completion="2").id == record().id
    other = generate("sat", level=1, seed=6, split="test")
    made = make_record(other, Verdict(False, 0.0), model="m", prompt="", completion="")
    assert made.id != record().id


def test_what_can_not_be_graded_says_nothing_of_the_model():
    assert record().graded
    assert not replace(record(), verdict=Verdict(False, None)).graded


def test_numbers_that_json_lacks_are_null_in_the_file_and_nan_when_read(tmp_path):
    metrics = {"good": 0.5, "bad": float("nan"), "worse": float("inf")}
    broken = replace(record(), verdict=Verdict(False, 0.0, partial=float("nan"), metrics=metrics))
    found = json.loads(broken.to_json(), parse_constant=pytest.fail)["verdict"]
    assert (found["partial"], found["metrics"]) == (None, {**metrics, "bad": None, "worse": None})
    write_records(tmp_path / "r.jsonl", [broken])
    (back,) = read_records(tmp_path / "r.jsonl")
    assert math.isnan(back.verdict.partial)
    assert back.verdict.metrics["good"] == 0.5
    assert math.isnan(back.verdict.metrics["worse"])
    assert back.to_json() == broken.to_json()


def test_long_entries_of_the_metadata_are_left_out():
    metadata = {"tier": "easy", "counts": (1, 2), "statements": ["x" * 300]}
    assert light_metadata(metadata) == {"tier": "easy", "counts": [1, 2]}


def test_a_record_holds_what_its_judge_needs_and_old_files_are_read_without_it(tmp_path):
    task = generate("sat", level=1, seed=5, split="test")
    assert record().verification == json.loads(json.dumps(task.verification))
    (tmp_path / "r.jsonl").write_text(without("verification") + "\n")
    assert read_records(tmp_path / "r.jsonl") == [replace(record(), verification={})]


def test_a_verdict_of_before_faults_were_kept_has_none(tmp_path):
    row = json.loads(record().to_json())
    del row["verdict"]["faults"]
    (tmp_path / "r.jsonl").write_text(json.dumps(row) + "\n")
    assert read_records(tmp_path / "r.jsonl") == [record()]


def without(key: str) -> str:
    row = json.loads(record().to_json())
    del row[key]
    return json.dumps(row)


def with_entry(name: str, value: object) -> str:
    return json.dumps({**json.loads(record().to_json()), name: value})


def with_verdict(name: str, value: object) -> str:
    row = json.loads(record().to_json())
    row["verdict"][name] = value
    return json.dumps(row)


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "r.jsonl").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(ValueError, match=r"r\.jsonl, line 1 is no record \('utf-8' codec"):
        read_records(tmp_path / "r.jsonl")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1]", "a list, not an object"),
        ("{", "Expecting property name"),
        (without("verdict"), "verdict missing or unknown"),
        (with_entry("extra", 1), "extra missing or unknown"),
        (with_entry("level", "1"), "level is '1', but int is needed"),
        (with_entry("prompt", None), "prompt is None, but str is needed"),
        (with_entry("completion_tokens", "5"), "completion_tokens is '5', but int | None"),
        (with_entry("verification", "{}"), "verification is '{}', but Mapping is needed"),
        (with_entry("metadata", None), "metadata is None, but Mapping is needed"),
        (with_entry("verdict", {"right": 1}), "verdict: "),
        (with_entry("verdict", None), "verdict: "),
        (with_verdict("solved", "yes"), "verdict: solved is 'yes', but bool is needed"),
        (with_verdict("reward", "1"), "verdict: reward is '1'"),
        (with_verdict("answer", 5), "verdict: answer is 5, but str | None is needed"),
        (with_verdict("metrics", None), "verdict: 'NoneType'"),
        (with_verdict("metrics", {"gap": "wide"}), "verdict: 'wide' is not a number"),
        (with_verdict("faults", {"train1": 1}), "verdict: faults is {'train1': 1}"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path, line, reason):
    path = tmp_path / "r.jsonl"
    path.write_text(record().to_json() + "\n\n" + line + "\n")
    with pytest.raises(ValueError, match=r"line 3 is no record") as raised:
        read_records(path)
    assert reason in str(raised.value)
