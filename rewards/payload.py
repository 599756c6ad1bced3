"""What every family's judge does with the rows it gets: read them, and name the broken one."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

Payload = TypeVar("Payload")


@contextmanager
def named_row(index: int) -> Iterator[None]:
    """Name the row in the error that a malformed payload raises."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"Row {index} can't be judged. {error}") from error


def read_payloads(
    verifications: Sequence[Any], read: Callable[[Any], Payload]
) -> tuple[Payload, ...]:
    """Read payloads by ``read``; the ``ValueError`` of a malformed one names its position."""
    payloads: list[Payload] = []
    for index, verification in enumerate(verifications):
        if index and verification is verifications[index - 1]:
            payloads.append(payloads[-1])  # a group of completions shares its row
            continue
        with named_row(index):
            payloads.append(read(verification))
    return tuple(payloads)


def as_mapping(verification: Any) -> Mapping[str, Any]:
    """Return a payload, a mapping or its JSON text, as a mapping; else raise a ``ValueError``."""
    if not isinstance(verification, str | Mapping):
        raise ValueError(
            f"The verification is of type {type(verification).__name__}, but the judge reads a "
            "mapping or its JSON text. Keep the generator's 'verification' column as it is."
        )
    return _read_json(verification) if isinstance(verification, str) else verification


@lru_cache(maxsize=64)
def _read_json(text: str) -> Mapping[str, Any]:
    remedy = "Pass the mapping itself or the text that json.dumps made of it."
    try:
        payload = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"The verification {text[:60]!r} is no JSON ({error}). {remedy}"
        ) from error
    if not isinstance(payload, Mapping):
        raise ValueError(f"The verification {text[:60]!r} is JSON but no object. {remedy}")
    return payload


def shown(value: Any) -> str:
    """Return a value and its type for an error message."""
    return f"{repr(value)[:60]} of type {type(value).__name__}"


def required(payload: Mapping[str, Any], key: str, kind: type, example: str) -> Any:
    """Return a payload's value; raise a ``ValueError`` if it is absent, null or of another type."""
    value = payload.get(key)
    if value is None:
        raise ValueError(
            f"The row has no {key!r}, only {sorted(map(str, payload))}, so there is nothing to "
            "judge by. Keep the generator's 'verification' column in the dataset."
        )
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(
            f"{key} is {shown(value)}, but the judge reads {example}. Give it as the generator's "
            "'verification' column does."
        )
    return value
