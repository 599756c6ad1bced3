"""Judged answers: of a recipe's own evaluation, kept as JSON lines, or of Inspect's logs.

Tables are made from a ``DataFrame`` of them; :func:`as_frame` says what its columns are.
"""

import json
import math
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from logic_curriculum.common.files import read_text, write_text
from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.prompts import Question
from logic_curriculum.curriculum.evaluation.tables import Mean, mean_percent
from logic_curriculum.generators import Task, registry
from logic_curriculum.rewards import Verdict, judge_batch
from logic_curriculum.rewards.registry import judge_of

BULKY = 200  # Characters, as JSON, from which on records leave out an entry of a task's metadata
PAPER_SCORES = {"slr": "extensional", "sat": "verdict"}
"""Family → the metric that is its paper's score; of other families it is what the judge accepts."""
PAPER_PROCESS = "paper_process_accuracy"  # Metric that is LogiNumSynth's process accuracy
TASK = ["family", "shots", "level", "id"]
"""Columns that tell tasks apart; a task that two levels share is asked at each."""
SCORES = ["solved", "paper", "syntax", "partial"]
COSTS = ["prompt_tokens", "completion_tokens", "cost", "seconds"]
Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Record:
    """One answer of a model to one task."""

    id: str  # Fingerprint of the task: equal for tasks of equal content
    family: str
    level: int
    model: str
    prompt: str  # The question as the model read it, examples included, before any chat template
    completion: str
    solved: bool  # By our judge, whose acceptance is stricter than the paper's
    paper: float | None  # Score of the family's paper
    syntax: bool
    partial: float
    graded: bool  # Whether the judge could decide; if not, the record says nothing of the model
    metrics: Mapping[str, float] = field(default_factory=dict)
    errors: Sequence[str] = ()  # What is wrong with the answer, in the judge's categories
    shots: int = 0  # Worked examples in front of the question
    sample: int = 0  # Number of the answer among those to this task, from 0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """``Task.metadata`` without its entries of :data:`BULKY` or more characters, what is true or
    false in ``Task.verification``, and the tier."""
    prompt_tokens: int | None = None  # None where nobody counted
    completion_tokens: int | None = None
    cost: float | None = None  # By the prices that Inspect was given
    seconds: float | None = None


def make_record(
    task: Task, verdict: Verdict, *, id: str = "", model: str = "", **answer: Any
) -> Record:
    """Return the record of an answer to a task; ``answer`` has more fields of :class:`Record`.

    Without an ``id``, the task's fingerprint is one.
    """
    found = registry.family(task.family)
    texts = {name: json.dumps(value) for name, value in task.metadata.items()}
    light = {name: json.loads(text) for name, text in texts.items() if len(text) < BULKY}
    light |= {name: value for name, value in task.verification.items() if isinstance(value, bool)}
    graded = verdict.reward is not None and math.isfinite(verdict.reward)
    return Record(
        id=id or found.fingerprint(task),
        family=task.family,
        level=task.level,
        model=model,
        solved=verdict.solved,
        paper=paper_score(task.family, verdict),
        syntax=verdict.syntax,
        partial=verdict.partial,
        graded=graded,
        metrics=dict(verdict.metrics),
        errors=judge_of(task.family).categories(verdict) if graded else (),
        metadata={**light, "tier": light.get("tier", found.tier(task.level)) or ""},
        **{"prompt": task.prompt, "completion": "", **answer},
    )


def paper_score(family: str, verdict: Verdict) -> float | None:
    """Return the score of a family's paper; None where a verdict does not have it."""
    if family in PAPER_SCORES:
        return verdict.metrics.get(PAPER_SCORES[family])
    return float(verdict.solved)


def judged(questions: Sequence[Question], texts: Sequence[str], model: str) -> list[Record]:
    """Return the answers of a model to questions of one family, with their verdicts."""
    tasks = [question.task for question in questions]
    verdicts = judge_batch(tasks[0].family, texts, [task.verification for task in tasks])
    records = []
    for asked, text, verdict in zip(questions, texts, verdicts, strict=True):
        said = {"prompt": asked.prompt, "completion": text, "shots": asked.shots}
        records.append(make_record(asked.task, verdict, id=asked.id, model=model, **said))
    return records


def read_records(path: Path) -> list[Record]:
    """Return the records of a file; a line that is none is a ValueError."""
    records = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            records.append(Record(**json.loads(line)))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{path}, line {number} is no record ({error}): delete the file, and its questions "
                "are asked again."
            ) from error
    return records


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records to a file that appears when it is complete."""
    write_text(path, "".join(json.dumps(asdict(record)) + "\n" for record in records))


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return the items by key, in the order of the keys' first items."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def as_frame(records: Iterable[Record]) -> pd.DataFrame:
    """Return a row for each answer.

    The columns are the fields of :class:`Record`, with ``metrics.NAME`` and ``metadata.NAME`` in
    place of the two mappings, and ``entry``, the model with its number of examples. Scores and
    costs are floats, NaN where unknown; the scores of what was not graded are.
    """
    frame = pd.json_normalize([vars(record) for record in records], max_level=1)
    frame = frame.astype(dict.fromkeys(SCORES + COSTS, float))
    frame.loc[~frame.graded, SCORES] = math.nan
    examples = frame.shots.map(lambda shots: f", {shots}-shot" if shots else "")
    return frame.assign(entry=frame.model + examples)


def column(answers: pd.DataFrame, name: str) -> pd.Series:
    """Return a column of metrics or metadata, NaN where an answer has no such entry."""
    return answers.get(name, pd.Series(math.nan, answers.index))


def percent(answers: pd.DataFrame, score: str) -> Mean:
    """Return the mean of a score over tasks in %; several answers to a task count as one."""
    return mean_percent(answers.groupby(TASK)[score].mean())


def read_logs(paths: Sequence[Path]) -> pd.DataFrame:
    """Return the answers in logs, or in folders of logs, in their order; see :func:`as_frame`.

    Models of one name in different logs that were asked the same task get the logs' names as well.
    A log without answers to our tasks is a ValueError.
    """
    inspect_log = require("inspect_ai.log", extra="inspect")
    frames = []
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
            try:
                log = inspect_log.read_eval_log(name)
            except ValueError as error:
                raise ValueError(f"{name} is no log, or one cut short: {error}.") from error
            if records := _records_of(log, name):
                frames.append(as_frame(records).assign(log=Path(name).stem))
    if not frames:
        raise ValueError(f"{paths[0]} holds no answers: give logs of a finished `inspect eval`.")
    answers = pd.concat(frames, ignore_index=True)
    logs = answers.groupby(["model", *TASK]).log.transform("nunique")
    twice = answers.model.isin(answers.model[logs > 1])
    for name in ("model", "entry"):
        answers.loc[twice, name] += " (" + answers.log + ")"
    return answers


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
