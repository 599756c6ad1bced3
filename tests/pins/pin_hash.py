"""Hashes of values: short, and the same for values that are the same as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from pin_library import IMPORT_ROOT

DIGITS = 12
"""Hexadecimal digits of a hash that are kept."""


def canonical(value: Any) -> str:
    """Return a value as JSON with sorted keys, without the import root."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return text.replace(IMPORT_ROOT, "")


def row_hash(value: Any) -> str:
    """Return the SHA-256 of one value."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def combined(values: Iterable[Any]) -> str:
    """Return the first digits of one hash over those of several values, in their order."""
    found = hashlib.sha256()
    for value in values:
        found.update(row_hash(value).encode())
    return found.hexdigest()[:DIGITS]
