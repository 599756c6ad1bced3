r"""The reasoning steps and the answer in what a model wrote, read without a language model.

A step is what it rests on, an arrow, its number and what it concludes::

    rule_5 & fact_4 & int_1 =>> int_2: Hetty's willing is -3197

Models vary this: other arrows, bullets, Markdown, LaTeX, ``fact_i2`` or ``Rule 5``. What a step
concludes is left as text here. Every function takes time linear in the length of its input, which
may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rewards.extraction import readings
from rewards.markup import boxed_texts, tagged_texts

MAX_TEXT = 100_000
"""How much of a completion is read, in characters from its end."""
MAX_STEPS = 100
"""How many steps of a summary are read; what follows them is not."""
MAX_CONTINUED = 5
"""Over how many more lines what a step rests on may be spread."""
MAX_CLAIM = 2000
"""How much of a conclusion is read, in characters."""

_ARROW_SIGNS = "→⇒⟹⟶➔➜⇛↦∴⊢"
_ARROW_COMMAND = re.compile(
    r"\\(?:(?:[Ll]ong)?[rR]ightarrow|Rrightarrow|implies|to|mapsto)(?![A-Za-z])"
)
_ARROW = re.compile(rf"(?<![=–—-])[=–—-]++(?:>|&gt;)++|[{_ARROW_SIGNS}]|{_ARROW_COMMAND.pattern}")
_PLAIN_PART = r"(?:[Rr]ule|[Ff]act|[Ii]nt)[_ ]i?\d{1,4}"
_PLAIN_STEP = re.compile(
    rf"\n(?:[-*•] |\d{{1,2}}\. )?+({_PLAIN_PART}(?: & {_PLAIN_PART}){{0,30}}+)"
    r" (?:=>>|=>|->|→|⇒|\$\\Rightarrow\$) (?:int[_ ]|fact_i)(\d{1,4}): "
    rf"([^\n>&\\{_ARROW_SIGNS}]{{1,200}}+)(?![^\n])"
)
_GLUE = r"[\s_\\{}#*`.-]*+"
_REFERENCE = (
    r"(?<![^\W_])(?:(?P<kind>rule|fact|int(?:ermediate)?+(?:[ _](?:fact|conclusion|result))?+"
    rf"|conclusion)s?+{_GLUE}|(?P<letter>[rfi])_?+(?=\d))"
    rf"(?:(?P<derived>i(?:nt(?:ermediate)?+)?+){_GLUE})?+[(\[]?+(?P<number>\d{{1,4}})(?![^\W_])"
)
_TOKEN = re.compile(
    rf"(?P<reference>{_REFERENCE})"
    r"|(?P<bare>(?<![\w.])\d{1,4}(?![^\W_]))"
    r"|(?P<between>(?:[\s&,;:+*`$\\{}()\[\]\"'|∧·^~_-]"
    r"|(?<![^\W_])(?:and|with|plus|from|using|via|on|to|by|applied|then|text[a-z]*+|math[a-z]*+"
    r"|land|wedge|quad|amp)(?![^\W_]))++)"
    r"|[^\W_]++|.",
    re.IGNORECASE | re.DOTALL,
)
_ASIDE = re.compile(
    r"\((?![^()]*(?:rule|fact|int)s?[\s_\\{}]*i?\d)(?:[^()]++|\([^()]*+\))*+\)", re.IGNORECASE
)
_MARKS = r"[\s*`$\\{}\"'()]*+"
_LABEL = re.compile(
    rf"{_MARKS}(?:(?:text|math)[a-z]*+{_MARKS})?+{_REFERENCE}{_MARKS}[:.=–—-]*+", re.IGNORECASE
)
_BOUNDARY = re.compile(
    r"\n[^\w\n]*+(?:\d++[.)][ \t]*+)?+(?:"
    r"(?:(?:final|structured|complete|formal|my|the|overall|logical)[ \t]++)*+"
    r"(?:reasoning|summary)(?:[ \t]++(?:summary|steps?|process|chain))*+"
    r"(?:[*_`]*+:|[^\w\n]*+(?=\n))"
    r"|(?<=\\)boxed\b|(?:(?:the|final)[ \t]++)*+answer\b[*_` \t]*+(?:is\b|:|=))",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\banswer\b[*_` \t]*+(?:(?:to|for|of)[ \t][^:.\n]{0,60}?)?(?:is\b|:|=)", re.IGNORECASE
)
_COLON = re.compile(r"[\s*`$\\{}]*+:")
_SIMPLE_BOX = re.compile(r"\\boxed\{(-?\d{1,400}+)\}")
_DIGIT = re.compile(r"\d")


class Step(NamedTuple):
    """A step as stated."""

    number: int
    """By which others refer to it: the one that it states, else its place, from 1."""
    rules: frozenset[int]
    facts: frozenset[int]
    steps: frozenset[int]
    """Numbers of the steps that it rests on."""
    claim: str
    """What it concludes, as written."""


class Summary(NamedTuple):
    """What a completion states."""

    steps: tuple[Step, ...]
    """The steps of its last summary, no two with the same number, in the order of the text."""
    answer: str | None
    """The answer as written, perhaps malformed; ``None`` when there is none."""


def read_summary(text: str) -> Summary:
    r"""Return the steps and the answer of a completion.

    Think blocks are left out, unless the completion ends with one and states nothing outside.

    >>> found = read_summary("- **Rule 5** & fact_4 → int1: Hetty’s legal = 3\n\\boxed{3}")
    >>> found.steps[0].rules, found.steps[0].facts, found.steps[0].claim, found.answer
    (frozenset({5}), frozenset({4}), "Hetty's legal = 3", '3')
    """
    text = text[-MAX_TEXT:]
    steps: tuple[Step, ...] = ()
    answer = None
    for part in readings(text) if "<" in text else (text,):
        steps, answer = read_steps(part), find_answer(part)
        if steps or answer is not None:
            break
    return Summary(steps, answer)


def find_answer(text: str) -> str | None:
    r"""Return where a text gives its answer, as written.

    Looked for in the last ``<answer>`` tag with a digit, then in the last such ``\boxed{}``, then
    behind the last ``Answer:`` or "the answer is".
    """
    simple = _SIMPLE_BOX.match(text, max(0, text.rfind("\\boxed")))
    if simple and "<" not in text and "[" not in text:
        return simple[1]
    marked = tagged_texts(text)
    for block in reversed(marked):
        if _DIGIT.search(block):
            return find_answer(block) or block.strip()
    for block in reversed(boxed_texts(text)):
        if _DIGIT.search(block):
            return block.strip()
    ends = [announced.end() for announced in _ANSWER.finditer(text)]
    if not ends:
        return None
    line = text[ends[-1] : ends[-1] + MAX_CLAIM].strip().partition("\n")[0]
    return re.split(r"\.\s|\s(?:because|since)\s", line, maxsplit=1)[0].strip()


def read_steps(text: str) -> tuple[Step, ...]:
    """Return the steps of the last summary in a text.

    A summary begins at a heading (``Reasoning:``, ``## Final Summary``) or after an answer. Of
    steps with the same number the last counts.
    """
    text = text.replace("**", "").replace("’", "'")
    plain = _plain_steps(text)
    if plain is not None:
        return plain
    found = _find_steps(text)
    if not found:
        return ()
    begin = _last_boundary(text, found[-1].start)
    block = [raw for raw in found if raw.start >= begin][:MAX_STEPS]
    return _numbered([_read_step(text, raw) for raw in block])


def _plain_steps(text: str) -> tuple[Step, ...] | None:
    """Return the steps of a text that has one summary, line by line as prompts ask for it.

    Such texts are worth a way of their own, which is three times as fast and finds the same.
    """
    steps: dict[int, Step] = {}
    begin, end, count = 0, 0, 0
    text = "\n" + text
    for line in _PLAIN_STEP.finditer(text):
        if not count:
            begin = line.start()
        elif end != line.start():
            return None
        basis, label, claim = line.groups()
        number, end, count = int(label), line.end(), count + 1
        steps.pop(number, None)
        steps[number] = Step(number, *_plain_basis(basis), claim.strip().strip(" ."))
    if not 0 < count <= MAX_STEPS or _has_arrow(text[:begin] + text[end:]):
        return None
    return tuple(steps.values())


def _has_arrow(text: str) -> bool:
    """Return whether a text has an arrow; most have no character that could be one."""
    possible = (
        ">" in text
        or ("&" in text and "&gt;" in text)
        or (not text.isascii() and any(map(text.__contains__, _ARROW_SIGNS)))
        or ("\\" in text and _ARROW_COMMAND.search(text) is not None)
    )
    return possible and _ARROW.search(text) is not None


_Numbers = frozenset[int]


class _Reference(NamedTuple):
    kind: str
    """``rule``, ``fact`` or ``int``."""
    number: int


@lru_cache(maxsize=4096)
def _plain_basis(text: str) -> tuple[_Numbers, _Numbers, _Numbers]:
    cited: dict[str, list[int]] = {"r": [], "f": [], "i": []}
    for part in text.lower().split(" & "):
        kind = "i" if "i" in part else part[0]
        cited[kind].append(int(part.lstrip("rulefactin_ ")))
    return frozenset(cited["r"]), frozenset(cited["f"]), frozenset(cited["i"])


def _sorted_out(references: Iterable[_Reference]) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return the numbers of rules, of facts and of steps."""
    cited: dict[str, list[int]] = {"rule": [], "fact": [], "int": []}
    for kind, number in references:
        cited[kind].append(number)
    return frozenset(cited["rule"]), frozenset(cited["fact"]), frozenset(cited["int"])


class _Basis(NamedTuple):
    """What stands before an arrow."""

    begin: int
    """Where it begins, in characters."""
    references: tuple[_Reference, ...]
    label: int | None
    """The step's own number, if that stands here: ``int_1: rule_5 & fact_4 => ...``."""


class _Raw(NamedTuple):
    """Where a step stands in a text."""

    start: int
    basis: _Basis
    arrow_end: int
    end: int


_Stated = tuple[int | None, tuple[_Reference, ...], str]
"""A step's number if it states one, what it rests on, its conclusion."""


def _reference(match: re.Match[str]) -> _Reference:
    kind = (match["kind"] or match["letter"]).lower()
    if match["derived"] or kind[0] in "ic":
        kind = "int"
    return _Reference({"r": "rule", "f": "fact", "i": "int"}[kind[0]], int(match["number"]))


def _find_steps(text: str) -> list[_Raw]:
    """Return each arrow with nothing but references before it, and its surroundings."""
    found: list[_Raw] = []
    floor = 0
    for arrow in _ARROW.finditer(text):
        start = max(floor, text.rfind("\n", floor, arrow.start()) + 1)
        for _ in range(MAX_CONTINUED):
            if start <= floor or not _goes_on(text, start, arrow.start()):
                break
            start = max(floor, text.rfind("\n", floor, start - 1) + 1)
        basis = _read_basis(text[start : arrow.start()])
        if basis.references:
            begin = start + basis.begin
            if found:
                found[-1] = found[-1]._replace(end=begin)
            found.append(_Raw(begin, basis, arrow.end(), len(text)))
        floor = arrow.end()
    return found


def _goes_on(text: str, start: int, end: int) -> bool:
    """Return whether a line begins before ``start``: with an arrow alone, or after ``&``."""
    before = text[max(0, start - 20) : start].rstrip()
    return before[-1:] in ("&", ",") or not text[start:end].strip()


def _read_basis(text: str) -> _Basis:
    """Return what a text refers to at its end, with nothing else in between."""
    if "(" in text:
        text = _ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    references: list[_Reference] = []
    begin, label = 0, None
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "reference":
                reference = _reference(token)
                if references:
                    references.append(reference)
                    continue
                begin = token.start()
                if reference.kind == "int" and _COLON.match(text, token.end()):
                    label = reference.number
                else:
                    references.append(reference)
            case "bare" if references:
                references.append(_Reference(references[-1].kind, int(token[0])))
            case "between":
                pass
            case _:
                references.clear()
                label = None
    return _Basis(begin, tuple(references), label)


def _read_step(text: str, raw: _Raw) -> _Stated:
    line = text[raw.arrow_end : min(raw.end, raw.arrow_end + MAX_CLAIM)].lstrip()
    line = line.partition("\n")[0]
    label = _LABEL.match(line)
    number = raw.basis.label
    reference = _reference(label) if label else None
    if label and reference and reference.kind != "rule":
        line = line[label.end() :]
        number = reference.number if reference.kind == "int" else number
    return number, raw.basis.references, line.strip()


def _numbered(stated: Sequence[_Stated]) -> tuple[Step, ...]:
    """Give steps without a number that of their place, and drop those that a later one replaces."""
    taken = {number for number, *_ in stated}
    steps: dict[int, Step] = {}
    for place, (number, references, claim) in enumerate(stated, 1):
        if number is None:
            number = -place if place in taken else place
        steps.pop(number, None)
        steps[number] = Step(number, *_sorted_out(references), claim.strip(" ."))
    return tuple(steps.values())


def _last_boundary(text: str, end: int) -> int:
    """Return where the summary begins to which the step at ``end`` belongs."""
    begin = 0
    for boundary in _BOUNDARY.finditer("\n" + text[:end]):
        begin = boundary.start()
    return begin
