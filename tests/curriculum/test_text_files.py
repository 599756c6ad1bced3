"""Text files as editors leave them: with a byte-order mark, with other line ends, joined."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from logic_curriculum.curriculum.evaluation.prompts import read_questions
from logic_curriculum.curriculum.run_settings import StepLog, read_settings
from logic_curriculum.generators import generate
from logic_curriculum.generators.llm import load_config
from logic_curriculum.rewards.__main__ import main as judge_command

ROOT = Path(__file__).parents[2]
GENERATORS = ROOT / "generators"
BOM = b"\xef\xbb\xbf"
AS_EDITORS_LEAVE_IT: dict[str, Callable[[bytes], bytes]] = {
    "byte-order mark": lambda content: BOM + content,
    "Windows line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "both": lambda content: BOM + content.replace(b"\n", b"\r\n"),
}
edited = pytest.mark.parametrize(
    "edit", AS_EDITORS_LEAVE_IT.values(), ids=list(AS_EDITORS_LEAVE_IT)
)
LINES = [
    {"completion": "Answer: 2", "verification": {"correct": [number], "options": 3}, "level": 1}
    for number in (2, 1, 2)
]


def json_lines(rows: Any) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def verdicts_on(folder: Path, content: bytes) -> list[tuple[int, bool]]:
    predictions, out = folder / "predictions.jsonl", folder / "verdicts.jsonl"
    predictions.write_bytes(content)
    assert judge_command(["validity", "--predictions", str(predictions), "--out", str(out)]) == 0
    found = map(json.loads, out.read_text().splitlines())
    return [(verdict["line"], verdict["solved"]) for verdict in found]


@edited
@pytest.mark.parametrize("rows", [LINES, LINES[:1]])
def test_no_line_of_predictions_is_lost(tmp_path, edit, rows):
    expected = [(1, True), (2, False), (3, True)][: len(rows)]
    assert verdicts_on(tmp_path, edit(json_lines(rows))) == expected


def test_no_line_of_joined_files_is_lost(tmp_path):
    content = b"".join(BOM + json_lines([line]) for line in LINES)
    assert verdicts_on(tmp_path, content) == [(1, True), (2, False), (3, True)]


def test_a_file_of_predictions_that_holds_but_a_mark_has_no_line(tmp_path, capsys):
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_bytes(BOM + b"\r\n")
    assert judge_command(["validity", "--predictions", str(predictions)]) == 1
    assert capsys.readouterr().err == f"{predictions} has no line to judge\n"


def at_place(name: str, read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Return a reader of the file's folder, where the file needs a name of its own."""

    def reader(path: Path) -> Any:
        return read(path.rename(path.with_name(name)).parent)

    return reader


def shipped(name: str) -> bytes:
    return (GENERATORS / name).read_bytes()


def made(family: str, level: int, option: str) -> Callable[[Path], Any]:
    return lambda path: generate(family, level, 1, **{option: str(path)}).prompt


QUESTION = {"family": "validity", "prompt": "Which?", "correct": [2], "options": 3}
CONFIG = b"model: m\nclient:\n  timeout: 9\n"
READERS: dict[str, tuple[bytes, Callable[[Path], Any]]] = {
    "language of slr": (shipped("slr/languages/houses.yaml"), made("slr", 5, "language")),
    "theme": (shipped("sat/themes/farm.yaml"), made("sat", 1, "theme")),
    "endpoint": (CONFIG, lambda path: load_config(str(path))),
    "questions": (json_lines([QUESTION] * 2), read_questions),
    "run.json": (b'{"seed": 1,\n"rewards": []}\n', at_place("run.json", read_settings)),
    "log by step": (json_lines([{"step": 1}, {"step": 2}]), lambda path: StepLog(path).read()),
}


@edited
@pytest.mark.parametrize("content", READERS.values(), ids=list(READERS))
def test_a_file_reads_the_same_however_it_was_saved(tmp_path, edit, content):
    data, read = content
    found = []
    for name, saved in (("plain", data), ("edited", edit(data))):
        path = tmp_path / name / "file.yaml"
        path.parent.mkdir()
        path.write_bytes(saved)
        found.append(read(path))
    assert found[0] == found[1]


@edited
def test_gzipped_questions_read_the_same(tmp_path, edit):
    path = tmp_path / "questions.jsonl.gz"
    path.write_bytes(gzip.compress(edit(json_lines([QUESTION] * 2))))
    assert [question.prompt for question in read_questions(path)] == ["Which?"] * 2


def test_a_question_that_is_no_text_is_named_by_its_line(tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(json_lines([QUESTION]) + b'{"prompt": "\xff"}\n')
    with pytest.raises(ValueError, match=r"line 2 is no question \(UnicodeDecodeError"):
        read_questions(path)
