"""JSON that every reader takes: Python's own writes ``NaN`` and ``Infinity``, which JSON lacks."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def dumps(value: Any, **options: Any) -> str:
    """Return data as JSON, with null in place of numbers that are not finite.

    >>> dumps({"mean": float("nan"), "count": 2})
    '{"mean": null, "count": 2}'

    Args:
        value: JSON-able data.
        options: Options of ``json.dumps``.
    """
    return json.dumps(_finite(value), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
