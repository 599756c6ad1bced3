"""Batches as callers hold them, and the text of a completion, be it text or messages.

A batch is a list, a NumPy array, a pandas Series, an Arrow array, a tensor or any other iterable.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from logic_curriculum.rewards.blocks import opens_thought

Completion = str | Sequence[Mapping[str, Any]]
"""What TRL hands to a reward function: text, or the messages of a conversational completion."""
_MOST_LEVELS = 16  # what is nested deeper is left as it is


def completion_texts(
    completions: Iterable[Completion], prompts: Iterable[Completion] | None = None
) -> list[str]:
    """Return the texts of completions; one whose prompt ends in a thought begins with its mark.

    Prompts that are not one for each completion count for nothing.
    """
    texts = list(map(completion_text, as_list("completions", completions)))
    asked = [] if prompts is None else [plain(prompt) for prompt in as_list("prompts", prompts)]
    if len(asked) != len(texts):
        return texts
    return [
        with_opening_mark(text) if _ends_in_thought(prompt) else text
        for prompt, text in zip(asked, texts, strict=True)
    ]


def _ends_in_thought(prompt: Completion) -> bool:
    is_open = isinstance(prompt, str) or (prompt and prompt[-1].get("role") == "assistant")
    return bool(is_open) and opens_thought(completion_text(prompt))


def with_opening_mark(text: str) -> str:
    """Return a completion behind the opening thought mark that its prompt ends with."""
    return f"<think>{text}"


def completion_text(completion: Completion) -> str:
    """Return the text of a completion, be it plain or conversational, else raise a ValueError.

    Of messages, such as ``[{"role": "assistant", "content": "..."}]``, the last of the assistant
    counts; its content may be a list of parts (``{"type": "text", "text": "..."}``). A message
    without text (a tool call) counts as empty. Lists may be arrays, as ``to_pandas`` makes them.
    """
    completion = plain(completion)
    if isinstance(completion, str):
        return completion
    try:
        spoken = [m for m in completion if m.get("role", "assistant") == "assistant"]
        content = spoken[-1].get("content") if spoken else None
        if content is None or isinstance(content, str):
            return content or ""
        kinds = ("text", "output_text")
        texts = [part.get("text") for part in content if part.get("type", "text") in kinds]
        return "".join(text for text in texts if text is not None)
    except (AttributeError, TypeError) as error:
        raise ValueError(
            f"A completion of type {type(completion).__name__} can't be read ({error}). Pass a str "
            'or [{"role": "assistant", "content": "..."}].'
        ) from error


def between_last(text: str, opening: str, closing: str) -> str | None:
    """Return what is between the last opening mark and the closing one that follows it.

    >>> between_last("<a>no</a> <a>yes</a>", "<a>", "</a>")
    'yes'
    """
    _, opened, rest = text.rpartition(opening)
    inside, closed, _ = rest.partition(closing)
    return inside if opened and closed else None


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


def paired(name: str, column: Any, count: int) -> list[Any]:
    """Return a column as a list after checking that it has one item per completion."""
    items = as_list(name, column)
    if len(items) != count:
        raise ValueError(
            f"{count} completions came with {len(items)} items of {name}, so they can't be "
            "paired. Pass exactly one item per completion."
        )
    return items


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
