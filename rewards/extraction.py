"""The answer out of a free-form completion; what the answer is worth is judged elsewhere.

Everything here runs on text that a model wrote and that may be hostile, so each function takes
time linear in the length of its input: no pattern can backtrack, no scan starts over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

Completion = str | Sequence[Mapping[str, Any]]
"""What TRL hands to a reward function: text, or the messages of a conversational completion."""

_THINK_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_RULE_TAG = re.compile(r"\[(/?)RULE\]", re.IGNORECASE)
_LANGUAGE_TAG = re.compile(r"[ \t]*+[\w+#-]*+[ \t]*+\r?\n|[ \t]*+(?:prolog|swipl|pl)\b")
_LATEX_WRAPPER = re.compile(r"\\(?:text|texttt|mathtt|mathrm)\{")
_BRACE = re.compile(r"[{}]")

_END = r"(?<![-+*/\\^<>=~:.?@#&$])\.(?=[\s%`*\"']|\Z)"
_CLAUSE_START = re.compile(
    rf"(?<!\w)[a-z]\w*+(?:(?:\([^()]*+\))?\s*+(?P<neck>:-)|\([^()]*+\)\s*+{_END})"
)
_BODY_TOKEN = re.compile(
    r"'(?:[^'\\\n]|\\.|'')*+'?"  # a quoted atom; a stray quote ends with its line
    r'|"(?:[^"\\\n]|\\.|"")*+"?'
    r"|%[^\n]*+"
    r"|/\*.*?(?:\*/|\Z)"
    rf"|(?P<end>{_END})"
    r"|(?P<cut>`|\n[ \t\r]*+\n)",
    re.DOTALL,
)
_COMMENT_LINE = re.compile(r"^[ \t]*+%.*$", re.MULTILINE)
_GAP = re.compile(r"(?:[\s`]++|%[^\n]*+|/\*.*?(?:\*/|\Z))*+", re.DOTALL)


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
        return "".join(part.get("text") or "" for part in content)
    raise ValueError(
        f"Message content of type {type(content).__name__} can't be read: expected text or a list "
        'of parts. Pass a str or [{"type": "text", "text": "..."}].'
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


def extract_rule(text: str) -> str | None:
    r"""Return the hypothesis that a completion states, or ``None`` when there is none.

    Looked for in this order, outside think blocks, and in each place the last candidate counts:
    the text between ``[RULE]`` and ``[/RULE]``; ``\boxed{}``; a fenced code block; in bare prose,
    the last run of consecutive clauses. Tagged, boxed and fenced text is taken whole, so helper
    predicates and comments stay. Nothing is repaired: a clause without its final full stop is
    returned without it, and the judge calls it a syntax error.

    >>> extract_rule("I think [RULE]eastbound(T) :- has_car(T, C), car_color(C, red).[/RULE]")
    'eastbound(T) :- has_car(T, C), car_color(C, red).'
    >>> extract_rule("I don't know.") is None
    True
    """
    answer = strip_reasoning(text)
    tagged = _last_tagged(answer)
    if tagged is not None:
        return _last_fenced(tagged) or tagged
    untagged = _RULE_TAG.sub("\n", answer)
    return _last_boxed(untagged) or _last_fenced(untagged) or _last_clauses(untagged)


def _last_tagged(text: str) -> str | None:
    """Return the last non-empty ``[RULE]`` block; one that is never closed runs to the end."""
    last, opened = None, None
    for tag in _RULE_TAG.finditer(text):
        if not tag[1]:
            opened = tag.end()
        elif opened is not None:
            last = text[opened : tag.start()].strip() or last
            opened = None
    if opened is not None:
        last = text[opened:].strip() or last
    return last


def _last_fenced(text: str) -> str | None:
    """Return the last fenced block that could hold a clause, without its language tag."""
    blocks = text.replace("~~~", "```").split("```")[1::2]
    for block in reversed(blocks):
        language = _LANGUAGE_TAG.match(block)
        code = block[language.end() :] if language else block
        if "(" in code:
            return code.strip("` \t\r\n")
    return None


def _last_boxed(text: str) -> str | None:
    r"""Return the content of the last ``\boxed{}``, with LaTeX's escapes undone."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return None
    content = _braced(text, start + len("\\boxed{")).strip().strip("$").strip()
    wrapper = _LATEX_WRAPPER.match(content)
    if wrapper:
        content = _braced(content, wrapper.end()).strip()
    return content.replace("\\_", "_") or None


def _braced(text: str, start: int) -> str:
    """Return the text from ``start`` to the brace that closes it, or to the end."""
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[start : brace.start()]
    return text[start:]


def _last_clauses(text: str) -> str | None:
    """Return the last run of consecutive clauses in prose, rules before mere facts.

    When a neck (``:-``) stands somewhere but no clause can be made out, the whole text is the
    answer, for the judge to call unreadable.
    """
    text = _COMMENT_LINE.sub("", text)
    rules, facts = None, None
    for has_neck, run in _runs(text):
        if has_neck:
            rules = run
        else:
            facts = run
    if rules is not None:
        return rules
    return text.strip() if ":-" in text else facts


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield each run of consecutive clauses, and whether one of them is a rule."""
    clause = _CLAUSE_START.search(text)
    while clause is not None:
        clauses, has_neck, position = [], False, clause.start()
        while clause is not None:
            end, position = _clause_end(text, clause)
            clauses.append(text[clause.start() : end].strip())
            has_neck = has_neck or clause["neck"] is not None
            gap = _GAP.match(text, position)
            position = gap.end() if gap else position
            clause = _CLAUSE_START.match(text, position)
        yield has_neck, "\n".join(clauses)
        clause = _CLAUSE_START.search(text, position)


def _clause_end(text: str, clause: re.Match[str]) -> tuple[int, int]:
    """Return where the clause ends and where to read on.

    Prose ends a clause that lacks its full stop: at a blank line, at a backtick, or at the end.
    """
    if clause["neck"] is None:
        return clause.end(), clause.end()
    for token in _BODY_TOKEN.finditer(text, clause.end()):
        if token["end"] is not None:
            return token.end(), token.end()
        if token["cut"] is not None:
            return token.start(), token.end()
    return len(text), len(text)
