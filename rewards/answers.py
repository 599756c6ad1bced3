r"""Where the answer is in a completion: the contract of ``docs/judges.md``.

A completion's last answer block holds its answer, and nothing outside that block counts. This
module finds the blocks; what an answer looks like is a family's form, in its ``answer.py``.

Completions are hostile: every function here, in ``answer_values.py`` and in the families'
``answer.py`` takes time linear in the length of its input.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Literal, NamedTuple, TypeVar

from logic_curriculum.rewards.completions import spoken_text

Answer = TypeVar("Answer")
_WHY = {
    "answered": "",
    "ambiguous": "the answer block gives different answers",
    "truncated": "the text ends before an answer",
    "unreadable": "no answer found",
}
STATUSES = tuple(_WHY)
"""What became of a completion; a verdict has 1.0 as the metric of one of them."""
MAX_BLOCK = 20_000  # longest block that is read, in characters


class AmbiguousError(ValueError):
    """A block gives different answers."""


class RefusedError(Exception):
    """A block is a mapping that could be read in more than one way."""


@dataclass(frozen=True)
class Reading(Generic[Answer]):
    """What a completion answers."""

    status: str  # one of STATUSES
    answer: Answer | None = None
    text: str | None = None  # the block that holds the answer, without what wraps it

    @property
    def explanation(self) -> str:
        """Why there is no answer, in one line."""
        return _WHY[self.status]

    @property
    def metrics(self) -> dict[str, float]:
        """The status as metrics, 1.0 for one and 0.0 for the others."""
        return {name: float(name == self.status) for name in STATUSES}


ANSWERED = Reading("answered").metrics  # the status of a completion that has an answer, as metrics

# -- blocks ----------------------------------------------------------------------------------------


class Unit(NamedTuple):
    """A paragraph or a fence, and where it is.

    Prose, such as a heading, is a paragraph that holds an answer only behind a marker.
    """

    start: int
    end: int
    text: str
    kind: Literal["paragraph", "fence", "prose"] = "paragraph"


Parts = Callable[[str, int, int], Iterable[Unit]]
_MARKUP = " \t\n*`"
_BRACE = re.compile(r"\\(?:boxed|fbox)\s*+(?P<box>\{)|\\.|[{}]", re.DOTALL)
_FENCE = re.compile(
    r"(?P<starts>^[ \t>]*+(?:[-*•] |\d{1,2}[.)] )?)?(?:`{3,}+|(?<=\n)~{3,}+|(?<![^\n])~{3,}+)"
    r"|(?P<inline>(?<!`)```(?!`)[^`\n]++```(?!`))",
    re.MULTILINE,
)
_INFO = re.compile(r"[ \t]*+[\w+#.-]*+(?:[ \t][^\n(:%]*+)?\n|[ \t]*+(?:prolog|json|yaml|text)\b")
_BLANK = re.compile(r"\n(?:[ \t>]*+\n)++")
_HEADING = re.compile(r"[\s>]*#{1,6}[ \t][^\n]*\n?")
_ITEM = re.compile(r"[ \t>]*+[*_#]*+[ \t]*+(?:[-*+•][ \t]|\(?\d{1,2}[.)])")
_MARKER = re.compile(
    r"^(?:>[ \t]*+)*+(?:[^\w\n\"'<>\[\]{}/]|_){0,16}(?:\\text(?:bf|it)?\{)?"
    r"(?:\d{1,2}[.)][ \t*_]{1,4})?(?:(?:the|my|our)[ \t])?(?:(?:final|correct)[ \t])*"
    r"answers?(?![^\W_]|[-'’])(?:[ \t]is(?![^\W_]))?"
    r"|(?<![^\W_])the[ \t\n](?:(?:final|correct)[ \t\n])*answer[ \t\n]is(?![^\W_])"
    r"|^[ \t]*+(?P<hashes>####(?!\#))",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER_MARKER = re.compile(
    r"[*_`}\"]*+[ \t]*+(?:\([^()\n]{0,60}\)[*_` \t]*+(?=[:：]))?"  # a remark
    r"(?:[:：=]|[–—](?=[ \t])|-(?=[ \t]))?+(?:[*_`]++(?=[ \t\n]|\Z))?"
)
_RULED_LINE = re.compile(r"[ \t]*+(?:[-=*_][ \t]*+){3,}+(?=\n|\Z)")


@lru_cache(maxsize=32)
def _tag_pattern(tags: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(tags)
    return re.compile(rf"[<\[]\s?(?P<closes>[/\\]?)\s?(?P<name>{names})\s?[>\]]", re.IGNORECASE)


def _tagged(text: str, tag: re.Pattern[str]) -> tuple[list[str], int]:
    """Return the texts between tags, and the place of an unclosed tag or else the text's end."""
    blocks: list[str] = []
    opened: re.Match[str] | None = None
    first = len(text)
    for found in tag.finditer(text):
        if not found["closes"]:
            first = found.start() if opened is None else first
            opened = found
        elif opened and opened["name"].lower() == found["name"].lower():
            blocks.append(text[opened.end() : found.start()])
            opened = None
    return blocks, first if opened else len(text)


def _boxed(text: str) -> tuple[list[str], bool]:
    """Return the texts in boxes that hold no other box, and whether one is never closed."""
    if "box" not in text:
        return [], False
    blocks: list[str] = []
    opened: list[int] = []
    innermost = -1
    for brace in _BRACE.finditer(text):
        if brace["box"]:
            innermost = brace.end()
            opened.append(innermost)
        elif brace[0] == "{":
            opened.append(-1)
        elif brace[0] == "}" and opened:
            start = opened.pop()
            if start == innermost != -1:
                blocks.append(text[start : brace.start()])
                innermost = -1
    return blocks, innermost != -1


def _fences(text: str) -> tuple[list[Unit], int]:
    """Return the fenced blocks, and where the text ends or a fence that is never closed."""
    if "```" not in text and "~~~" not in text:
        return [], len(text)
    fences: list[Unit] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark if mark["starts"] is not None else None
        elif mark[0].strip(" \t>").startswith(opened[0].strip(" \t>")):
            info = _INFO.match(text, opened.end(), mark.start())
            content = text[info.end() if info else opened.end() : mark.start()]
            fences.append(Unit(opened.start(), mark.end(), content, "fence"))
            opened = None
    return fences, opened.start() if opened else len(text)


def paragraphs(text: str, start: int, end: int) -> list[Unit]:
    """Return the paragraphs between two positions; items of one list are one paragraph."""
    units: list[Unit] = []
    while start < end:
        heading = _HEADING.match(text, start, end)
        blank = None if heading else _BLANK.search(text, start, end)
        stop = heading.end() if heading else blank.start() if blank else end
        paragraph = text[start:stop]
        if heading:
            units.append(Unit(start, stop, paragraph, "prose"))
        elif units and _ITEM.match(paragraph) and _ITEM.match(units[-1].text):
            units[-1] = Unit(units[-1].start, stop, f"{units[-1].text}\n{paragraph}")
        elif paragraph.strip(_MARKUP) and not _RULED_LINE.fullmatch(paragraph.strip("\n")):
            units.append(Unit(start, stop, paragraph))
        start = blank.end() if blank else stop
    return units


def _units(text: str, fences: Sequence[Unit], parts: Parts) -> list[Unit]:
    """Return fences, and paragraphs without and within them, in their order."""
    units: list[Unit] = []
    position = 0
    for fence in fences:
        inside = text.index(fence.text, fence.start)
        units += parts(text, position, fence.start)
        units += [fence, *parts(text, inside, inside + len(fence.text))]
        position = fence.end
    return [*units, *parts(text, position, len(text))]


def _marked(text: str, units: Sequence[Unit]) -> Iterator[str]:
    """Yield the values of answer markers, from the last to the first."""
    starts = [unit.start for unit in units]
    later, used = len(text) + 1, -1
    for marker in reversed(list(_MARKER.finditer(text))):
        end = text.find("\n", marker.end())
        end = len(text) if end < 0 else end
        if end >= later:
            continue  # a line's last marker is the one that has a value
        rest = _AFTER_MARKER.match(text, marker.end(), end)
        value = text[rest.end() if rest else marker.end() : end]
        index = bisect_right(starts, marker.start()) - 1
        if _announces(value) and index >= 0:
            value = text[end : min(units[index].end, later)]
        later = text.rfind("\n", 0, marker.start()) + 1
        if _announces(value):
            index += 1
            if index == used:
                continue  # a unit is the value of one marker
            used = index
            value = units[index].text if index < len(units) else ""
        if marker["hashes"] and (index + 1 < len(units) or text[end:].strip(_MARKUP)):
            continue  # a heading, unless the text ends with it
        yield value


def _announces(value: str) -> bool:
    """Return whether a marker's value is empty or ends in a colon."""
    return not value.strip(_MARKUP + "}_-=") or value.rstrip(_MARKUP + "_").endswith(":")


# -- what stands in a block ------------------------------------------------------------------------

_COMMAND = re.compile(
    r"\\(?:(?:text|math)[a-z]*+|operatorname|boxed|fbox|mbox|emph)\s*+\{|\\verb\*?+(?=[^\w\s*])"
)
_PAIRS = (
    *(("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ('"', '"'), ("'", "'")),
    *(("“", "”"), ("‘", "’"), ("«", "»"), ("`", "`"), ("__", "__"), ("_", "_")),
    *((f"<{name}>", f"</{name}>") for name in ("b", "strong", "i", "em", "code", "pre")),
)
_NEUTRAL = """
a above among analysis answer answers as assignment based be best by can certificate clause code
conclude conclusion core correct counter-model countermodel deduce exactly expression final first
first-order fol follow follows following for formal formalisation formalization formula get given
have hence here here's however hypothesis i in information interpretation is are it learned logic
logical logically model must my necessarily necessary notation number numbers of on one only
option options order our output predicate program prolog response result rule rules sentence
sentence's simplest situation so solution statement statements strict structure symbolic
symbolisation symbolization that the therefore these this thus translation true value verdict we
which with
"""
NEUTRAL_WORDS = frozenset(_NEUTRAL.split())
"""What a label is made of: words that announce an answer and say nothing about it."""
_LABEL = re.compile(
    r"_{0,2}+[A-Za-z'’-]++(?:[\s*_,()]{1,4}+[A-Za-z][A-Za-z'’-]*+){0,14}+[\s*_)]{0,3}+:(?![-=])"
)
_MINUS = re.compile(r"\A\s*[-−](?:\s|\\[,:;! ]|~)+(?=[0-9]|\\[dt]?frac)")
_MAX_LAYERS = 10


def with_minus(text: str) -> str:
    """Return a text that is no list, such as a formula's, with its minus next to the number."""
    return _MINUS.sub("-", text)


def is_label(text: str, words: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has only words that announce an answer, or some of a family's."""
    said = re.findall(r"[a-z'-]+", text.lower().replace("’", "'"))
    return all(word in NEUTRAL_WORDS or word in words for word in said)


def without_label(block: str) -> str | None:
    """Return what follows the label that a block begins with, ``None`` if there is none."""
    label = _LABEL.match(block)
    return block[label.end() :] if label and is_label(label[0]) else None


def _layers(block: str) -> Iterator[str]:
    """Yield a block, and what is left of it as what wraps it is taken off."""
    has_label = True
    for _ in range(_MAX_LAYERS):
        block = _unquoted(block.strip(" \t\n*")).strip(" \t\n*")
        if block[:2] in ("- ", "• ", "+ ") and "\n" not in block:
            block = block[2:]
            continue
        fences, end = _fences(block)
        if len(fences) == 1 and end == len(block) == fences[0].end - fences[0].start:
            block = fences[0].text
            continue
        yield block
        inner = _unwrapped(block)
        if inner is None and has_label:
            inner, has_label = without_label(block), False
        if inner is None:
            return
        block = inner


def _unwrapped(block: str) -> str | None:
    for opening, closing in _PAIRS:
        inside = len(block) - len(closing)
        if len(opening) <= inside and block.startswith(opening) and block.endswith(closing):
            return with_minus(block[len(opening) : inside])
    if command := _COMMAND.match(block):
        if command[0].startswith(r"\verb"):
            return block[command.end() + 1 : -1]
        return with_minus(block[command.end() : -1]) if block.endswith("}") else None
    return None


def _unquoted(block: str) -> str:
    """Return a block without the ``>`` before each of its lines."""
    if not block.startswith(">"):
        return block
    lines = [line.lstrip() for line in block.split("\n")]
    is_quoted = all(line.startswith(">") for line in lines if line)
    return "\n".join(line[1:] for line in lines) if is_quoted else block


def read(
    text: str,
    form: Callable[[str], Answer | None],
    tags: Sequence[str] = (),
    parts: Parts = paragraphs,
) -> Reading[Answer]:
    r"""Read the answer of a completion.

    ``form`` returns the answer that a block holds, or ``None`` when it holds something else or
    something more, and raises :class:`AmbiguousError` when it holds different ones. ``tags`` are
    the family's own, beside ``<answer>`` and ``<final_answer>``. ``parts`` returns the paragraphs
    between two positions of a text, in their order.

    >>> read("So it is 3.\n**Answer:** 4", lambda block: int(block) if block.isdigit() else None)
    Reading(status='answered', answer=4, text='4')
    """
    spoken, is_cut = spoken_text(text)
    tag = _tag_pattern((*tags, "answer", "final[_ -]?answer"))
    return _last_answer(
        _blocks(spoken, tag, parts),
        form,
        lambda: is_cut or _boxed(spoken)[1] or len(_body(spoken, tag)) < len(spoken),
    )


def read_tag(text: str, form: Callable[[str], Answer | None], tag: str) -> Reading[Answer]:
    """Read the answer in one tag alone; see :func:`read`."""
    spoken, is_cut = spoken_text(text)
    tagged, end = _tagged(spoken, _tag_pattern((tag,)))
    return _last_answer(reversed(tagged), form, lambda: is_cut or end < len(spoken))


def _blocks(text: str, tag: re.Pattern[str], parts: Parts) -> Iterator[str]:
    """Yield the blocks of a text, kind by kind, the last of each kind first."""
    yield from reversed(_tagged(text, tag)[0])
    yield from map(with_minus, reversed(_boxed(text)[0]))
    body = tag.sub("\n\n", _body(text, tag))
    fences = _fences(body)[0]
    units = _units(body, fences, parts)
    yield from _marked(body, units)
    yield from (fence.text for fence in reversed(fences))
    yield from (unit.text for unit in reversed(units) if unit.kind == "paragraph")


def _body(text: str, tag: re.Pattern[str]) -> str:
    """Return a text up to a tag or fence that is never closed."""
    text = text[: _tagged(text, tag)[1]]
    return text[: _fences(text)[1]]


def _last_answer(
    blocks: Iterable[str], form: Callable[[str], Answer | None], is_cut: Callable[[], bool]
) -> Reading[Answer]:
    """Return the answer of the first of some blocks that has one; else whether the text is cut."""
    seen: set[str] = set()
    for block in blocks:
        if block in seen or len(block) > MAX_BLOCK or "..." in block or "…" in block:
            continue
        seen.add(block)
        for layer in _layers(block):
            try:
                answer = form(layer)
            except AmbiguousError:
                return Reading("ambiguous", text=layer)
            except RefusedError:
                return Reading("unreadable", text=layer)
            if answer is not None:
                return Reading("answered", answer, layer)
    return Reading("truncated" if is_cut() else "unreadable")
