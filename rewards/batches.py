"""Batches as callers hold them: lists, NumPy arrays, pandas Series, Arrow arrays, tensors."""

from collections.abc import Iterable, Mapping, Set
from typing import Any

_MOST_LEVELS = 16  # what is nested deeper is left as it is


def as_list(name: str, batch: Any) -> list[Any]:
    """Return the items of a batch, in the order that iteration has; labels count for nothing.

    A ``ValueError`` says that it is a single item, a table, or has no order, as a set.
    """
    found = _converted(batch)
    is_single = isinstance(found, str | bytes | Mapping | Set) or not isinstance(found, Iterable)
    if is_single or hasattr(type(found), "columns"):  # iterating over a table yields their names
        raise ValueError(
            f"{name} is a single {type(batch).__name__}, but one item per completion, in order, is "
            f"needed. Pass a list, e.g. {name}=[…]."
        )
    return list(found)


def plain(value: Any, levels: int = _MOST_LEVELS) -> Any:
    """Return a value as JSON has it: arrays as lists, numbers as Python's, what is missing as None.

    For what is missing pandas has NaN and NA, by the type of a column.
    """
    if isinstance(value, str) or levels == 0:
        return value
    value = _converted(value)
    if isinstance(value, Mapping):
        return {key: plain(item, levels - 1) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(plain(item, levels - 1) for item in value)
    is_missing = isinstance(value, float) and value != value
    return None if is_missing or type(value).__name__ == "NAType" else value


def _converted(value: Any) -> Any:
    """Return a library's array or scalar as Python's, and all else as it is."""
    for name in ("to_pylist", "tolist", "as_py"):  # of Arrow; of NumPy, pandas and torch; of Arrow
        if hasattr(type(value), name):
            return getattr(value, name)()
    return value
