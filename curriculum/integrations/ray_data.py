"""Ray Data: make tasks, and judge answers, by actors on all machines of a cluster.

    import ray
    from logic_curriculum.curriculum.integrations.ray_data import generate_tasks, judge_answers

    asked = ray.data.from_items([{"level": 1 + i % 8, "seed": i} for i in range(100_000)])
    tasks = generate_tasks(asked, "slr")
    judged = judge_answers(tasks)  # of a column `completion`

A task depends on its family, level and seed alone, and a verdict on its row. So what Ray does again
because a machine is lost comes out the same, and is there once. The module needs no ray itself.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from logic_curriculum.common.processes import WORKERS_VARIABLE
from logic_curriculum.generators import registry
from logic_curriculum.rewards.registry import judge_of, judge_rows

BATCH = 64  # rows at a time: seconds of work, which is what a lost machine costs each of its actors

VERDICT = pa.schema(
    {
        "solved": pa.bool_(),
        "reward": pa.float64(),  # null where a completion could not be graded
        "syntax": pa.bool_(),
        "partial": pa.float64(),
        "answer": pa.string(),
        "explanation": pa.string(),
        "metrics": pa.string(),  # as JSON
        "error": pa.string(),  # why there is no verdict, and then all others are null
    }
)
"""The columns that judging adds."""


class GenerateTasks:
    """An actor class for ``map_batches``: rows with ``level`` and ``seed`` become tasks.

    Other columns of the rows stay. A row may have its own ``split``.

    Args:
        family: Name of a family that is built in, or that an installed package brings.
        options: Options of the family, such as ``style`` and ``split``.
    """

    def __init__(self, family: str, options: Mapping[str, Any] | None = None) -> None:
        _one_judge_worker()
        self._family, self._options = registry.family(family), dict(options or {})

    def __call__(self, batch: Any) -> pa.Table:
        """Return the columns of :meth:`Task.to_row`, with the ``fingerprint`` of each task."""
        rows = []
        for given in _table(batch).to_pylist():
            own = {name: given[name] for name in ("split",) if name in given}
            task = self._family.generate(given["level"], given["seed"], **{**self._options, **own})
            rows.append({**given, **task.to_row(), "fingerprint": self._family.fingerprint(task)})
        return pa.Table.from_pylist(rows)


class JudgeAnswers:
    """An actor class for ``map_batches``: rows with answers get the columns of :data:`VERDICT`.

    A row has ``completion`` and ``verification``. One that can't be judged gets an ``error``, and
    costs the others nothing.

    Args:
        family: Name of a family; None reads it from each row's ``family`` column.
    """

    def __init__(self, family: str | None = None) -> None:
        _one_judge_worker()
        if family is not None:
            judge_of(family)  # an unknown one fails at once
        self._family = family

    def __call__(self, batch: Any) -> pa.Table:
        """Return the rows with their verdicts."""
        table = _table(batch)
        rows = table.to_pylist()
        families = [self._family or row.get("family") for row in rows]
        found: list[dict[str, Any]] = [{} for _ in rows]
        for family in dict.fromkeys(families):
            places = [place for place, name in enumerate(families) if name == family]
            verdicts = _verdicts(family, [rows[place] for place in places])
            for place, columns in zip(places, verdicts, strict=True):
                found[place] = columns
        judged = pa.Table.from_pylist(found, schema=VERDICT)
        table = table.drop_columns([name for name in VERDICT.names if name in table.column_names])
        for field in VERDICT:
            table = table.append_column(field, judged[field.name])
        return table


def generate_tasks(rows: Any, family: str, *, options: Any = None, **map_batches: Any) -> Any:
    """Return the tasks of a ``ray.data.Dataset`` of levels and seeds; see :class:`GenerateTasks`.

    Further arguments are those of ``map_batches``: ``compute``, ``batch_size``, ``num_cpus``, …
    """
    arguments = {"fn_constructor_kwargs": {"family": family, "options": options}, **map_batches}
    return rows.map_batches(GenerateTasks, **{**_DEFAULTS, **arguments})


def judge_answers(rows: Any, family: str | None = None, **map_batches: Any) -> Any:
    """Return a ``ray.data.Dataset`` of answers with its verdicts; see :class:`JudgeAnswers`.

    Further arguments are those of ``map_batches``.
    """
    arguments = {"fn_constructor_kwargs": {"family": family}, **map_batches}
    return rows.map_batches(JudgeAnswers, **{**_DEFAULTS, **arguments})


_DEFAULTS: Mapping[str, Any] = {"batch_format": "pyarrow", "batch_size": BATCH}


def _one_judge_worker() -> None:
    """Give this actor one worker of the Prolog judge, as it has one CPU."""
    os.environ.setdefault(WORKERS_VARIABLE, "1")


def _table(batch: Any) -> pa.Table:
    """Return a batch of any ``batch_format`` as a table."""
    if isinstance(batch, pa.Table):
        return batch
    if isinstance(batch, Mapping):
        return pa.table({name: column.tolist() for name, column in batch.items()})
    return pa.Table.from_pandas(batch, preserve_index=False)


def _verdicts(family: str | None, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if family is None:
        return [{"error": "no 'family' in the row, and none was given"}] * len(rows)
    try:
        judge_of(family)
    except ValueError as error:
        return [{"error": str(error)}] * len(rows)
    return [
        {"error": found}
        if isinstance(found, str)
        else {**vars(found), "metrics": json.dumps(found.metrics, sort_keys=True)}
        for found in judge_rows(family, rows)
    ]
