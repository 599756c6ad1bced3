"""The answer out of a free-form completion; what the answer is worth is judged elsewhere.

Everything here, and in the modules for markup and clauses, runs on text that a model wrote and
that may be hostile, so each function takes time linear in the length of its input: no pattern
can backtrack, no scan starts over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from rewards.clauses import find_clauses, is_attempt, join_last, without_comment_lines
from rewards.markup import (
    boxed_blocks,
    fenced_blocks,
    fenced_program,
    last_fenced_term,
    tagged_blocks,
    without_tags,
)

Completion = str | Sequence[Mapping[str, Any]]
"""What TRL hands to a reward function: text, or the messages of a conversational completion."""

_THINK_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_ENDS_WITH_THOUGHT = re.compile(r"</think(?:ing)?>\s*+\Z", re.IGNORECASE)


def completion_text(completion: Completion) -> str:
    """Return the text of a completion, be it plain or conversational.

    Args:
        completion: Text, or messages such as ``[{"role": "assistant", "content": "..."}]`` whose
            content may also be a list of parts (``{"type": "text", "text": "..."}``). The last
            assistant message counts; a message without text (a tool call) counts as empty.

    Raises:
        ValueError: When the completion is neither.
    """
    if isinstance(completion, str):
        return completion
    if _all_mappings(completion):
        spoken = [m for m in completion if m.get("role", "assistant") == "assistant"]
        return _content_text(spoken[-1].get("content")) if spoken else ""
    raise ValueError(
        f"A completion of type {type(completion).__name__} can't be read: expected text or a list "
        'of messages. Pass a str or [{"role": "assistant", "content": "..."}].'
    )


def _all_mappings(value: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    return isinstance(value, Sequence) and all(isinstance(item, Mapping) for item in value)


def _content_text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if _all_mappings(content):
        return "".join(_part_text(part) for part in content)
    raise ValueError(
        f"Message content of type {type(content).__name__} can't be read: expected text or a list "
        'of parts. Pass a str or [{"type": "text", "text": "..."}].'
    )


def _part_text(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    if text is None or isinstance(text, str):
        return text or ""
    raise ValueError(
        f"A content part whose text is of type {type(text).__name__} can't be read: expected text. "
        'Pass a str or [{"type": "text", "text": "..."}].'
    )


def strip_reasoning(text: str) -> str:
    """Return the text without its think blocks.

    A closing tag without an opening one ends a thought that began in the prompt, so everything
    before it goes; an opening tag that is never closed begins a thought that was cut off, so
    everything after it goes.

    >>> strip_reasoning("<think>red?</think>blue")
    'blue'
    >>> strip_reasoning("red?</think>blue<think>or")
    'blue'
    """
    kept: list[str] = []
    thinking, position = False, 0
    for tag in _THINK_TAG.finditer(text):
        if tag[1] and not thinking:
            kept.clear()
        elif not tag[1] and not thinking:
            kept.append(text[position : tag.start()])
        thinking = not tag[1]
        position = tag.end()
    if not thinking:
        kept.append(text[position:])
    return "".join(kept)


def readings(text: str) -> Iterator[str]:
    """Yield the text outside think blocks; then, if it ends with one, the text with its thoughts.

    An extractor takes the first that holds an answer.
    """
    if "<" not in text:  # no tag of any kind
        yield text
        return
    yield strip_reasoning(text)
    if _ENDS_WITH_THOUGHT.search(text):
        yield _THINK_TAG.sub("\n", text)


def extract_rule(text: str) -> str | None:
    r"""Return the hypothesis that a completion states, or ``None`` when there is none.

    Looked for in this order, outside think blocks, and in each place the last candidate counts:

    1. the text between ``[RULE]`` and ``[/RULE]`` or in ``<answer>``;
    2. ``\boxed{}`` or ``\fbox{}``;
    3. fenced code;
    4. the clauses in prose.

    What is tagged, boxed or fenced is taken whole, so helper predicates and comments stay; only
    markup that wraps all of it goes. A tag or box without neck or term (``[RULE] and [/RULE]``,
    ``\boxed{3}``) and a fence with examples or queries alone are no candidates, as long as there
    are others. Clauses that text separates, in fences or prose, are one program when one calls
    what the other defines; a later definition of the same predicate replaces the earlier.

    A completion that ends with a closing think tag and has no rule outside its thoughts states
    the last one inside. Otherwise thoughts hold no answer.

    Nothing is repaired: a clause without its final full stop is returned without it, and the
    judge calls it a syntax error.

    >>> extract_rule("I think [RULE]eastbound(T) :- has_car(T, C), car_color(C, red).[/RULE]")
    'eastbound(T) :- has_car(T, C), car_color(C, red).'
    >>> extract_rule("I don't know.") is None
    True
    """
    return next((rule for part in readings(text) if (rule := _stated_rule(part))), None)


def _stated_rule(answer: str) -> str | None:
    tagged = tagged_blocks(answer)
    rule = _last(tagged, is_attempt)
    if rule is not None:
        return rule
    untagged = without_tags(answer)
    boxed, fenced = boxed_blocks(untagged), fenced_blocks(untagged)
    return (
        _last(boxed, is_attempt)
        or fenced_program(fenced)
        or _last(tagged, bool)
        or _rules_in_prose(untagged)
        or _last(boxed, bool)
        or last_fenced_term(fenced)
        or _facts_in_prose(untagged)
    )


def _last(blocks: Sequence[str], counts: Callable[[str], bool]) -> str | None:
    return next((block for block in reversed(blocks) if counts(block)), None)


def _rules_in_prose(text: str) -> str | None:
    """Return the last rule with its helpers; mere facts in prose are examples.

    When a neck (``:-``) stands somewhere but no clause can be made out, the whole text is the
    answer, for the judge to call unreadable.
    """
    text = without_comment_lines(text)
    rules = join_last([clauses for clauses in find_clauses(text) if clauses.has_rule])
    return rules or (text.strip() if ":-" in text else None)


def _facts_in_prose(text: str) -> str | None:
    facts = [clauses.text for clauses in find_clauses(without_comment_lines(text))]
    return facts[-1] if facts else None
