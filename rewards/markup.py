r"""Blocks that a model marks as code or as its answer: tags, boxes, fences.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewards.clauses import as_program, is_hypothesis, join_last

_ANSWER_TAG = re.compile(r"[\[<](?P<closing>/?)(?:RULE\]|answer>)", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}+|~{3,}+")
_INFO_STRING = re.compile(
    r"[ \t]*+[\w+#-]*+(?:[ \t][^\n(:%]*+)?\r?\n"  # prolog title="rule.pl"
    r"|[ \t]*+(?:prolog|swipl|pl)\b"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*+\{")
_LATEX_WRAPPER = re.compile(
    r"\\(?:(?:text|texttt|mathtt|mathrm|boxed|fbox)\s*+\{|verb\*?+(?P<delimiter>[^\w\s*]))"
)
_BRACE = re.compile(r"[{}]")

_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060"
_EDGE = " \t\r\n*`$" + _INVISIBLE
"""White space, and the marks of bold, code and formulas; no Prolog clause begins or ends so."""
_MAX_WRAPPERS = 4


def tagged_blocks(text: str) -> list[str]:
    """Return what stands between answer tags, see :func:`tagged_texts`, without wrapping."""
    return [unwrap(block) for block in tagged_texts(text)]


def tagged_texts(text: str) -> list[str]:
    """Return what stands between answer tags, ``[RULE]`` or ``<answer>``, as it is.

    A tag that is never closed runs to the end; one that is opened twice starts anew.
    """
    blocks, opened = [], None
    for tag in _ANSWER_TAG.finditer(text):
        if not tag["closing"]:
            opened = tag.end()
        elif opened is not None:
            blocks.append(text[opened : tag.start()])
            opened = None
    if opened is not None:
        blocks.append(text[opened:])
    return blocks


def without_tags(text: str) -> str:
    """Return the text with a line break for each answer tag."""
    return _ANSWER_TAG.sub("\n", text)


def boxed_blocks(text: str) -> list[str]:
    r"""Return what stands in each ``\boxed{}`` or ``\fbox{}``, the innermost of nested ones.

    LaTeX's escapes are undone; a box that is never closed runs to the next one or to the end.
    """
    return [unwrap(block).replace("\\_", "_") for block in boxed_texts(text)]


def boxed_texts(text: str) -> list[str]:
    """Return what stands in each box, see :func:`boxed_blocks`, as it is."""
    return [_braced(part) for part in _BOX.split(text)[1:]]


def fenced_blocks(text: str) -> list[str]:
    """Return the fenced code blocks without their info strings; the last may be unclosed."""
    return [_without_info_string(block) for block in _FENCE.split(text)[1::2]]


def fenced_program(blocks: Sequence[str]) -> str | None:
    """Return the last of the fenced blocks that is a hypothesis, with what belongs to it."""
    return join_last([as_program(block) for block in blocks if is_hypothesis(block)])


def last_fenced_term(blocks: Sequence[str]) -> str | None:
    """Return the last of the fenced blocks that could hold a clause."""
    return next((block for block in reversed(blocks) if "(" in block), None)


def unwrap(block: str) -> str:
    r"""Return a block without what wraps all of it: a fence, bold, backticks, ``$``, ``\text{}``.

    >>> unwrap("**`p(X) :- q(X).`**")
    'p(X) :- q(X).'
    """
    if _FENCE.search(block):
        fenced = fenced_blocks(block)
        return fenced_program(fenced) or last_fenced_term(fenced) or block.strip(_EDGE)
    bare = block.strip(_EDGE)
    is_latex = block.strip().startswith("$")
    for _ in range(_MAX_WRAPPERS):
        wrapper = _LATEX_WRAPPER.match(bare)
        if wrapper is None:
            break
        is_latex = True
        content = bare[wrapper.end() :]
        delimiter = wrapper["delimiter"]
        bare = (content.removesuffix(delimiter) if delimiter else _braced(content)).strip(_EDGE)
    return bare.replace("\\_", "_") if is_latex else bare


def _without_info_string(block: str) -> str:
    info = _INFO_STRING.match(block)
    return (block[info.end() :] if info else block).strip(_EDGE)


def _braced(text: str) -> str:
    """Return the text up to the brace that closes it, or all of it."""
    depth = 1
    for brace in _BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[: brace.start()]
    return text
