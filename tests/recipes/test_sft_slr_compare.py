import json
from pathlib import Path

import pytest
from sft_compare import compare


def run(folder: Path, *solved: int) -> Path:
    folder.mkdir()
    lines = [
        {"step": step, "split": "validation", "levels": {"1": [4, count], "2": [4, 0]}}
        for step, count in enumerate(solved)
    ]
    (folder / "evaluation.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_ways_to_train_are_compared_at_their_end(tmp_path: Path):
    ordered = [run(tmp_path / "a", 0, 1, 2), run(tmp_path / "b", 1, 4)]
    shuffled = [run(tmp_path / "c", 1, 3)]

    text = compare({"in order": ordered, "random": shuffled})

    # in order: 2 and 4 of 4 solved at the end, so 75 % on average
    assert "| level | before (3 runs) | in order (2 runs) | random (1 runs) |" in text
    assert "| 1 | 17 (0–25) | 75 (50–100) | 75 (75–75) |" in text
    assert "| 2 | 0 (0–0) | 0 (0–0) | 0 (0–0) |" in text
    assert "| mean | 8 (0–12) | 38 (25–50) | 38 (38–38) |" in text


def test_a_folder_without_evaluation_is_named(tmp_path: Path):
    with pytest.raises(SystemExit, match="holds no evaluation"):
        compare({"in order": [tmp_path]})
