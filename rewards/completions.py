"""What a completion says outside of its thoughts, be it text or messages.

Completions are hostile: every function takes time linear in the length of its input.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from logic_curriculum.rewards.batches import plain

Completion = str | Sequence[Mapping[str, Any]]
"""What TRL hands to a reward function: text, or the messages of a conversational completion."""
MAX_TEXT = 100_000  # how much of a text is read, in characters from its end
_PARTS = '[{"type": "text", "text": "..."}]'


def completion_text(completion: Completion) -> str:
    """Return the text of a completion, be it plain or conversational, else raise a ValueError.

    Of messages, such as ``[{"role": "assistant", "content": "..."}]``, the last of the assistant
    counts; its content may be a list of parts (``{"type": "text", "text": "..."}``). A message
    without text (a tool call) counts as empty. Lists may be arrays, as ``to_pandas`` makes them.
    """
    completion = plain(completion)
    if isinstance(completion, str):
        return completion
    if not _all_mappings(completion):
        raise _unreadable("A completion", completion, '[{"role": "assistant", "content": "..."}]')
    spoken = [m for m in completion if m.get("role", "assistant") == "assistant"]
    content = spoken[-1].get("content") if spoken else None
    if content is None or isinstance(content, str):
        return content or ""
    if not _all_mappings(content):
        raise _unreadable("Message content", content, _PARTS)
    kinds = ("text", "output_text")
    texts = [part.get("text") for part in content if part.get("type", "text") in kinds]
    for text in texts:
        if text is not None and not isinstance(text, str):
            raise _unreadable("The text of a content part", text, _PARTS)
    return "".join(text or "" for text in texts)


def _all_mappings(value: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    return isinstance(value, Sequence) and all(isinstance(item, Mapping) for item in value)


def _unreadable(what: str, value: Any, example: str) -> ValueError:
    return ValueError(
        f"{what} of type {type(value).__name__} can't be read. Pass a str or {example}."
    )


_THOUGHT = r"(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad|reflection|\w{2,12}[:_]think)"
_CLOSES_THOUGHT = re.compile(
    rf"[<\[]\s?/\s?{_THOUGHT}\s?[>\]]|◁/think▷|<\|(?:end_of_thought|end_thinking|/think)\|>"
    r"|<\|channel\|>\s?final\b[^<\n]{0,40}(?:<\|message\|>)?|<channel\|>"
    r"|assistantfinal",  # the same marks, as decoders that skip special tokens leave them
    re.IGNORECASE,
)
_OPENS_THOUGHT = re.compile(
    rf"<\s?{_THOUGHT}\s?>|\[\s?think(?:ing)?\s?\]|◁think▷"
    r"|<\|(?:begin_of_thought|start_thinking|think)\|>|<\|channel>\s?thought"
    r"|<\|channel\|>\s?(?:analysis|commentary)\b[^<\n]{0,40}(?:<\|message\|>)?|(?-i:\Aanalysis(?=[A-Z]))",
    re.IGNORECASE,
)
_MAY_THINK = re.compile(
    r"[<◁]|\[\s?/?\s?(?:th|rea|ref|ana|scr|\w+[:_])|assistantfinal|\Aanalysis", re.IGNORECASE
)
_TURN_END = re.compile(r"(?:<\|[A-Za-z_]{2,20}\|>|</s>|<end_of_turn>|<eos>)\s{0,3}\Z")
_MOST_TURN_ENDS = 5
_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad\r]")


def between_last(text: str, opening: str, closing: str) -> str | None:
    """Return what is between the last opening mark and the closing one that follows it.

    >>> between_last("<a>no</a> <a>yes</a>", "<a>", "</a>")
    'yes'
    """
    _, opened, rest = text.rpartition(opening)
    inside, closed, _ = rest.partition(closing)
    return inside if opened and closed else None


def opens_thought(prompt: str) -> bool:
    """Return whether a prompt ends with an opening thought mark, so that the completion thinks.

    >>> opens_thought("Is it red?<think>\\n"), opens_thought("Is it <think> red?")
    (True, False)
    """
    end = prompt[-100:].rstrip()
    return any(mark.end() == len(end) for mark in _OPENS_THOUGHT.finditer(end))


def with_opening_mark(text: str) -> str:
    """Return a completion behind the opening thought mark that its prompt ends with."""
    return f"<think>{text}"


def without_thoughts(text: str) -> tuple[str, bool]:
    """Return a text without its thoughts, and whether it ends within one.

    A thought ends at the last closing mark, or begins at an opening mark that is never closed.

    >>> without_thoughts("red?</think>blue")
    ('blue', False)
    >>> without_thoughts("red<think>or blue?")
    ('red', True)
    """
    if not _MAY_THINK.search(text):
        return text, False
    start = max((mark.end() for mark in _CLOSES_THOUGHT.finditer(text)), default=0)
    opened = _OPENS_THOUGHT.search(text, start)
    return text[start : opened.start() if opened else None], opened is not None


def spoken_text(text: str) -> tuple[str, bool]:
    """Return the end of a text without thoughts and marks, and whether it ends in a thought."""
    if not text.isascii() or "\r" in text:
        text = _INVISIBLE.sub("", text).replace("\u00a0", " ")
    spoken, is_cut = without_thoughts(text)
    spoken = spoken[-MAX_TEXT:]
    for _ in range(_MOST_TURN_ENDS):
        end = _TURN_END.search(spoken, max(0, len(spoken) - 30))
        if end is None:
            break
        spoken = spoken[: end.start()]
    return spoken, is_cut
