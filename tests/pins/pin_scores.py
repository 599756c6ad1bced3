"""The numbers of evaluations whose completions are canned: no model takes part."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pin_hash import combined, rounded
from pin_library import (
    COMPARE,
    EVALUATE,
    FAMILIES,
    IMPORT_ROOT,
    ROOT,
    generate,
    load_prices,
    make_record,
    measure_batch,
    write_report,
)
from pin_model import ANSWERS, stand_in

LEVELS = (1, 3, 6)
TASKS = 5
SAMPLES = 2
_CHANGING = re.compile(
    r"^- (date|device|versions|prices): .*$|(?<=\(0\.0\) \| )[\d.]+ \([\d.]+\)(?= \|)", re.MULTILINE
)
"""What a report says of day and machine, seconds per answer among it."""


def _completion(number: int, solution: str, other: str) -> str:
    """Return a right answer, a wrong one or another text, in turn."""
    said = (solution, other, f"<think>{other}</think>{solution}", ANSWERS[number % len(ANSWERS)])
    return said[number % 7 % 4]


def canned_records(salt: int) -> list[Any]:
    """Return records of answers to each family; the salt decides which are right."""
    records = []
    for place, family in enumerate(FAMILIES):
        asked = [
            (generate(family, level, seed, split="test"), sample)
            for level in LEVELS
            for seed in range(TASKS)
            for sample in range(SAMPLES)
        ]
        other = generate(family, 1, TASKS, split="test").solution
        said = [
            _completion(salt + place + number, task.solution, other)
            for number, (task, _) in enumerate(asked)
        ]
        verdicts = measure_batch(family, said, [task.verification for task, _ in asked])
        records += [
            make_record(
                task,
                verdict,
                model="gpt-4o",
                prompt=task.prompt,
                completion=text,
                sample=sample,
                prompt_tokens=100 + number,
                completion_tokens=len(text),
            )
            for number, ((task, sample), verdict, text) in enumerate(
                zip(asked, verdicts, said, strict=True)
            )
        ]
    return records


def report_of(records: list[Any], folder: Path) -> dict[str, Any]:
    """Return scores and tables of records, as the report's files have them."""
    printed = write_report(folder, records, {"made": "by hand"}, load_prices())
    return {"printed": printed, **written(folder)}


def written(folder: Path) -> dict[str, Any]:
    """Return the numbers in a folder with a report; its page and pictures are left out."""
    text = (folder / "report.md").read_text(encoding="utf-8")
    return {
        "scores.json": rounded(json.loads((folder / "scores.json").read_text())),
        "report.md": _CHANGING.sub("", text.replace(IMPORT_ROOT, "")),
    }


def run_evaluation(folder: Path) -> None:
    """Run the command that evaluates a model, with the stand-in for the model."""
    _run(
        EVALUATE,
        *("--output_dir", str(folder), "--endpoint", stand_in()),
        *("--families", *FAMILIES, "--levels", "1", "3", "--tasks", "3", "--samples", "2"),
        *("--shots", "0", "1", "--batch_size", "4", "--task_options", "{}"),
    )


def run_comparison(one: Path, other: Path, out: Path) -> None:
    """Run the command that compares two runs."""
    _run(COMPARE, str(one), str(other), "--out", str(out))


def _run(script: Path, *options: str) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    quiet = {"ACCELERATE_USE_CPU": "true", "PYTHONPATH": path}
    ended = subprocess.run(
        [sys.executable, str(script), *options],
        cwd=ROOT,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
    )
    if ended.returncode:
        raise RuntimeError(f"{script.name} failed:\n{ended.stdout[-2000:]}{ended.stderr[-3000:]}")


def score_pins() -> dict[str, str]:
    """Return hashes of the report on canned records."""
    with tempfile.TemporaryDirectory(prefix="pins-") as name:
        found = report_of(canned_records(0), Path(name))
    return {f"report: {part}": combined([content]) for part, content in found.items()}


def command_pins() -> dict[str, str]:
    """Return hashes of what the commands of evaluation and comparison write."""
    with tempfile.TemporaryDirectory(prefix="pins-") as name:
        runs = [Path(name) / "one", Path(name) / "other"]
        run_evaluation(runs[0])
        lines = (runs[0] / "records.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        for record in records:
            del record["verification"]  # pinned with the rows
            del record["verdict"]["faults"]  # for a reader alone
            del record["seconds"]
        found = {"records.jsonl": records, **written(runs[0])}
        runs[1].mkdir()
        (runs[1] / "run.json").write_bytes((runs[0] / "run.json").read_bytes())
        changed = [
            line.replace('"solved": false', '"solved": true') if number % 3 == 0 else line
            for number, line in enumerate(lines)
        ]
        (runs[1] / "records.jsonl").write_text("\n".join(changed) + "\n", encoding="utf-8")
        run_comparison(*runs, Path(name) / "both")
        compared = (Path(name) / "both" / "comparison.md").read_text(encoding="utf-8")
        found["comparison.md"] = _CHANGING.sub("", compared.replace(name, ""))
        settings = json.loads((runs[0] / "run.json").read_text())
        found["run.json"] = {
            key: value for key, value in settings.items() if key not in ("versions", "endpoint_url")
        }
    return {f"command: {part}": combined([content]) for part, content in found.items()}
