"""The work of a build, by processes of this machine or by Ray Data on a cluster.

Making tasks and checking files are one kind of work: a function says keys and numbers of each item,
and what counts is the lowest and the highest number of each key.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from logic_curriculum.common.processes import cores, in_order

Function = Callable[[Any], Iterable[tuple[str, int]]]
"""Returns keys and numbers of an item."""
Pick = Callable[[pa.Table], pa.Table]
"""Returns what is wanted of a table of ``key``, ``low`` and ``high``, in which no key is twice."""
Grouping = Callable[[Function, Sequence[Any], Pick, str], pa.Table]
"""Applies a function to items, in parallel, and picks from the groups; the text is for progress."""
_ROWS = pa.schema([("key", pa.string()), ("number", pa.int64())])
_GROUPS = pa.schema([("key", pa.string()), ("low", pa.int64()), ("high", pa.int64())])


def one_machine(num_proc: int | None = None) -> Grouping:
    """Return the work by so many processes, by default one for each CPU."""
    return partial(_by_processes, num_proc or cores())


def _by_processes(
    num_proc: int, function: Function, items: Sequence[Any], pick: Pick, text: str
) -> pa.Table:
    from datasets.utils import tqdm

    # A single worker is a process of its own, too, so that a build starts no Prolog in this one.
    tables = in_order(partial(_rows, function), items, min(num_proc, len(items)))
    rows = pa.concat_tables(tqdm(tables, total=len(items), desc=text, unit="piece"))
    groups = rows.group_by("key").aggregate([("number", "min"), ("number", "max")])
    return pick(groups.rename_columns(_GROUPS.names))


def _rows(function: Function, item: Any) -> pa.Table:
    keys, numbers = zip(*function(item), strict=True)
    return pa.table([keys, numbers], schema=_ROWS)


def cluster(address: str) -> Grouping:
    """Return the work by Ray Data, on the cluster of an address as ``ray.init`` takes it."""
    try:
        import ray
    except ImportError as error:
        raise RuntimeError(
            f'ray={address!r} needs the package ray: pip install "logic-curriculum[ray]"'
        ) from error
    if not ray.is_initialized():
        alone: dict[str, Any] = {"include_dashboard": False} if address == "local" else {}
        ray.init(address, log_to_driver=False, **alone)
    return _by_ray


def _by_ray(function: Function, items: Sequence[Any], pick: Pick, text: str) -> pa.Table:
    import ray
    from ray.data.aggregate import Max, Min

    places = ray.data.range(len(items), override_num_blocks=len(items))
    rows = places.map_batches(_rows_at, fn_args=(function, items), batch_format="pyarrow")
    partitions = int(ray.cluster_resources()["CPU"])  # Ray's default, 200, takes half a minute
    groups = rows.groupby("key", num_partitions=partitions).aggregate(
        Min("number", alias_name="low"), Max("number", alias_name="high")
    )
    picked = groups.map_batches(pick, batch_format="pyarrow")
    try:
        tables = list(picked.iter_batches(batch_size=None, batch_format="pyarrow"))
    except ray.exceptions.RayError as error:  # which holds the worker's error as text alone
        line = re.search(r"^\w+: (.+)$", str(error), re.MULTILINE)
        raise RuntimeError(f"{text} on Ray failed: {line[1] if line else error}") from error
    return pa.concat_tables([pick(_GROUPS.empty_table()), *tables])


def _rows_at(places: pa.Table, function: Function, items: Sequence[Any]) -> pa.Table:
    return pa.concat_tables(_rows(function, items[place]) for place in places["id"].to_pylist())
