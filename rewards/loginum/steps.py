r"""The reasoning steps in what a model wrote, read from all of it.

A step is what it rests on, an arrow, its number and what it concludes, or the other way round::

    rule_5 & fact_4 & int_1 =>> int_2: Hetty's willing is -3197
    int_2: Hetty's willing is -3197 <<= rule_5 & fact_4 & int_1

Models vary arrows, bullets and references (``**Rule 5**``, ``fact_i2``, ``\text{rule}_{5}``). What a
step concludes is left as text here. Every function takes time linear in the length of its input,
which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rewards.answers import MAX_TEXT, without_thoughts

MAX_STEPS = 100
"""How many steps of a summary are read; what follows them is not."""
MAX_CONTINUED = 5
"""Over how many more lines what a step rests on may be spread."""
MAX_CLAIM = 2000
"""How much of a conclusion is read, in characters."""

_RIGHT_SIGNS, _LEFT_SIGNS = "→⇒⟹⟶➔➜⇛↦∴⊢", "←⇐⟸⟵"
_ARROW = re.compile(
    rf"(?<![=–—<-])[=–—-]++(?:>|&gt;)++|[{_RIGHT_SIGNS}]"
    r"|\\(?:(?:[Ll]ong)?[rR]ightarrow|Rrightarrow|implies|to|mapsto)(?![A-Za-z])"
    rf"|(?P<left>(?:<|&lt;){{1,2}}[=–—-]++(?!>)|[{_LEFT_SIGNS}]"
    r"|\\(?:(?:[Ll]ong)?[lL]eftarrow|impliedby)(?![A-Za-z]))"
)
_PLAIN_PART = r"(?:[Rr]ule|[Ff]act|[Ii]nt)[_ ]i?\d{1,4}"
_PLAIN_STEP = re.compile(
    rf"\n(?:[-*•] |\d{{1,2}}\. )?+({_PLAIN_PART}(?: & {_PLAIN_PART}){{0,30}}+)"
    r" (?:=>>|=>|->|→|⇒) (?:int[_ ]|fact_i)(\d{1,4}): "
    rf"([^\n<>&\\{_RIGHT_SIGNS}{_LEFT_SIGNS}]{{1,200}}+)(?![^\n])"
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
    rf"[-•]?{_MARKS}(?:(?:text|math)[a-z]*+{_MARKS})?+{_REFERENCE}{_MARKS}[:.=–—-]*+", re.IGNORECASE
)
_HEADING = re.compile(
    r"\n[ \t>]*+(?!.*\bstep\b)(?:#{1,6}[ \t][^\n]*+|[^\W\d_][^\W\d_ \t]*+(?:[ \t]++[^\W\d_]++){0,6}+[ \t]*+:"
    r"|(?:(?:the|final)[ \t]++)*+answer\b)",
    re.IGNORECASE,
)
_COLON = re.compile(r"[\s*`$\\{}]*+:")


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


def read_steps(completion: str) -> tuple[Step, ...]:
    """Return the steps of the last summary outside of thoughts, in the order of the text.

    A heading begins a new summary (``Reasoning:``, ``## Final summary``; not ``Step 2:``). Of steps
    with the same number the last counts.

    >>> read_steps("- **Rule 5** & fact_4 → int1: Hetty’s legal = 3")[0].claim
    "Hetty's legal = 3"
    """
    text = without_thoughts(completion)[0][-MAX_TEXT:].replace("**", "  ").replace("’", "'")
    plain = _plain_steps(text)
    if plain is not None:
        return plain
    found = _find_steps(text)
    if not found:
        return ()
    begin = 0
    for heading in _HEADING.finditer("\n" + text[: found[-1].start]):
        begin = heading.start()
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
    possible = any(map(text.__contains__, "<>\\")) or "&" in text or not text.isascii()
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
    """What a step rests on."""

    begin: int
    """Where it begins, in characters."""
    references: tuple[_Reference, ...]
    label: int | None
    """The step's own number, if that stands here: ``int_1: rule_5 & fact_4 => ...``."""


class _Raw(NamedTuple):
    """Where a step stands in a text."""

    start: int
    basis: _Basis
    claim: int
    """Where its conclusion begins, or its label."""
    end: int


def _reference(match: re.Match[str]) -> _Reference:
    kind = (match["kind"] or match["letter"]).lower()
    if match["derived"] or kind[0] in "ic":
        kind = "int"
    return _Reference({"r": "rule", "f": "fact", "i": "int"}[kind[0]], int(match["number"]))


def _find_steps(text: str) -> list[_Raw]:
    """Return each arrow with nothing but references at its tail, and its surroundings."""
    found: list[_Raw] = []
    floor = 0
    for arrow in _ARROW.finditer(text):
        line = max(floor, text.rfind("\n", floor, arrow.start()) + 1)
        if arrow["left"]:
            end = text.find("\n", arrow.end(), arrow.end() + MAX_CLAIM)
            end = end if end >= 0 else min(len(text), arrow.end() + MAX_CLAIM)
            basis = _read_basis(text[arrow.end() : end])
            begin, claim, stop = line, line, arrow.start()
        else:
            start = line
            for _ in range(MAX_CONTINUED):
                if start <= floor or not _goes_on(text, start, arrow.start()):
                    break
                start = max(floor, text.rfind("\n", floor, start - 1) + 1)
            basis = _read_basis(text[start : arrow.start()])
            begin, claim, stop = start + basis.begin, arrow.end(), len(text)
        if basis.references:
            if found:
                found[-1] = found[-1]._replace(end=min(found[-1].end, begin))
            found.append(_Raw(begin, basis, claim, stop))
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


_Stated = tuple[int | None, tuple[_Reference, ...], str]
"""A step's number if it states one, what it rests on, its conclusion."""


def _read_step(text: str, raw: _Raw) -> _Stated:
    line = text[raw.claim : min(raw.end, raw.claim + MAX_CLAIM)].lstrip().partition("\n")[0]
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
