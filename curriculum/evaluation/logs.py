"""Inspect's logs of our tasks as records."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.records import Record


def read_logs(paths: Sequence[Path]) -> list[Record]:
    """Return the answers in logs, or in folders of logs, in their order.

    Models of one name in different logs that were asked the same task get the logs' names as well.
    A log without answers to our tasks is a ValueError.
    """
    inspect_log = require("inspect_ai.log", extra="inspect")
    found: list[list[Record]] = []
    names: list[str] = []
    for path in paths:
        if not path.exists():
            raise ValueError(
                f"{path} does not exist: name logs of `inspect eval`, or their folder."
            )
        files = [str(path)]
        if path.is_dir():
            inside = inspect_log.list_eval_logs(str(path), descending=False)
            files = [info.name.removeprefix("file://") for info in inside]
        for name in files:
            found.append(_records_of(inspect_log.read_eval_log(name), name))
            names.append(Path(name).stem)
    if not any(found):
        raise ValueError(f"{paths[0]} holds no answers: give logs of a finished `inspect eval`.")
    asked = Counter(key for own in found for key in {(r.model, r.task) for r in own})
    twice = {model for (model, _), count in asked.items() if count > 1}
    return [
        replace(record, model=f"{record.model} ({name})") if record.model in twice else record
        for own, name in zip(found, names, strict=True)
        for record in own
    ]


def _records_of(log: Any, path: str) -> list[Record]:
    samples = [sample for sample in log.samples or () if sample.scores]
    if samples and not all("verdict" in sample.scores for sample in samples):
        raise ValueError(
            f"{path} is a log of {log.eval.task}, which is not one of our tasks: give logs of "
            "`inspect eval logic_curriculum/…`."
        )
    if log.status != "success":
        print(
            f"{path} has the status {log.status!r} and {len(samples)} answers; `inspect eval-retry "
            f"{path}` finishes it.",
            file=sys.stderr,
        )
    return list(_read(samples, _model_of(log)))


def _model_of(log: Any) -> str:
    """Return the guesser that answered, the last part of a local model's name, or the name."""
    name = str((log.eval.model_args or {}).get("model_path") or log.eval.model)
    if guess := (log.eval.task_args or {}).get("guess"):
        return str(guess).replace("_", " ")
    return Path(name).name if name.startswith(("hf/", "/")) else name


def _read(samples: Sequence[Any], model: str) -> Iterator[Record]:
    for sample in samples:
        score, about = sample.scores["verdict"], sample.metadata
        details, usage = score.metadata or {}, sample.output.usage
        graded = isinstance(score.value, dict)
        value = score.value if graded else {}
        versions = {"task_version": about["verification"].get("task_version")}
        versions["reward_version"] = details.get("reward_version")
        yield Record(
            id=about["task"],
            family=about["family"],
            level=about["level"],
            model=model,
            prompt=sample.input if isinstance(sample.input, str) else sample.input[-1].text,
            completion=sample.output.completion,
            solved=bool(value.get("accepted")),
            paper=value.get("paper"),
            syntax=bool(value.get("syntax")),
            partial=value.get("partial", 0.0),
            graded=graded,
            metrics=details.get("metrics", {}),
            errors=details.get("errors", ()),
            shots=about["shots"],
            sample=sample.epoch - 1,
            metadata={**about["about"], **versions},
            prompt_tokens=usage.input_tokens if usage else None,
            completion_tokens=usage.output_tokens if usage else None,
            cost=usage.total_cost if usage else None,
            seconds=sample.output.time,
        )
