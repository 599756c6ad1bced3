"""The formula that a completion states; whether it is one, a parser decides.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rewards.extraction import readings
from rewards.markup import boxed_texts, tagged_texts
from rewards.plain import plain_text

_ARROW = r"<?[-=–—]{1,2}>|[→↔⇒⇔⟶⟷⟹⟺⊃≡]"
_OPERATOR = rf"[¬∧∨~∼!˜&·∙•|^]|{_ARROW}"
_QUANTIFIER = (
    r"(?:[∀∃∄]|\b(?:forall|exists)\b)!?\s*+\(?[a-z](?:\s*+,?\s*+[a-z](?![A-Za-z]))*+\)?\s*+[.:,]?"
)
_ATOM = r"[A-Z](?:\s?\(\s*+[a-z](?:\s*+,\s*+[a-z]|[a-z])*+\s*+\)|[a-z]{1,4}(?![A-Za-z]))"
_CONNECTIVE_WORD = r"\b(?:not|and|or|implies|iff|NOT|AND|OR|IMPLIES|IFF)\b"
_SPAN = re.compile(
    rf"(?:(?:{_QUANTIFIER}|{_ARROW}|{_OPERATOR}|{_CONNECTIVE_WORD}|{_ATOM}|[()\[\]{{}}])[ \t]*+)++"
)
_HAS_OPERATOR = re.compile(rf"[∀∃∄¬∧∨~∼&]|{_ARROW}|\b(?:forall|exists)\b|[A-Z][a-z(][^|]*+\|")
_ATOM_ALONE = re.compile(r"[A-Z](?:[a-z]{1,2}|\s?\([a-z](?:\s*+,\s*+[a-z])?\))\Z")
_WORD = re.compile(r"[A-Za-z]{2,}+")
_FORMULA_WORD = re.compile(
    rf"{_CONNECTIVE_WORD}|forall|exists|[a-z]{{0,3}}(?:[A-Z][a-z]{{0,3}})++|[a-z]{{2}}"
)
_LEAD = re.compile(
    r"\s*+(?:(?:[-*+•>–—]|#{1,6}|\(?\d{1,3}[.)]|[∴⊢])\s++)*+(?:[^\n:=]{0,200}?(?::=?|=)\s++)?"
)
_STRAY_WORD = re.compile(r"(?:(?:and|or|not|iff|implies|[A-Z][a-z]{1,4})\s++)+(?=[∀∃∄¬~(\[{A-Z])")
_TRAILING_WORD = re.compile(r"(?<=[\w)\]}])\s++(?:and|or|iff|implies|not|[A-Z][a-z]{1,4})\Z")
_FINAL = re.compile(r"\b(?:final|answer)\b", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r"\b(?:answer|formal\w*|translat\w*|symboli\w*|formula|therefore|thus|hence|so|final\w*|"
    r"result\w*|becomes?|combin\w*|together|express\w*|represent\w*|written|logic\w*|get|gives?|"
    r"obtain|conclu\w*|sentence|have|yields?)\b",
    re.IGNORECASE,
)
_DISOWNS = re.compile(
    r"\b(?:not|n't|instead of|rather than|unlike|wrong\w*|incorrect\w*|equivalent\w*|"
    r"alternativ\w*|example|e\.g\.|or)\b|\bfor instance\b",
    re.IGNORECASE,
)
_JOINS = re.compile(rf"(?:{_OPERATOR}|[(\[{{∀∃,])\s*+\Z")
_CONTINUES = re.compile(rf"\s*+(?:{_ARROW}|[∧∨&|)\]}}])")
_BRACKETS = str.maketrans("", "", " \t()[]{}")
_MAX_LINE = 5000


@dataclass(frozen=True)
class _Candidate:
    text: str
    is_final: bool
    """Whether it is announced as the answer."""
    is_whole_line: bool


def extract_formula(text: str) -> str | None:
    r"""Return the formula that a completion states, or ``None`` when there is none.

    Looked for in this order, outside think blocks: the last ``<answer>`` tag, the last
    ``\boxed{}``, what is announced as the answer, a formula that has a line of its own or ends an
    announcing line, a formula within prose. In each place the last counts, except one that is
    a part of the one before it (which explains that) or is disowned ("not ...", "equivalently").

    Markup and LaTeX are taken off; nothing else is repaired, so that what is no formula is found
    as it stands, and hides the one before it.

    >>> extract_formula("The translation is $\\forall x (Ox \\to Jx)$.")
    '∀ x (Ox → Jx)'
    >>> extract_formula("∀x(Ox→Jx)\n\nHere Ox means that x is a monkey.")
    '∀x(Ox→Jx)'
    """
    return next((found for part in readings(text) if (found := _stated(part))), None)


def _stated(text: str) -> str | None:
    for blocks in (tagged_texts(text), boxed_texts(text)):
        marked = next((block for block in reversed(blocks) if block.strip()), None)
        if marked is not None:
            return _stated_in(marked) or _bare(plain_text(marked)) or None
    return _stated_in(text)


def _stated_in(text: str) -> str | None:
    candidates = list(_candidates(plain_text(text)))
    final = [candidate for candidate in candidates if candidate.is_final]
    whole = [candidate for candidate in candidates if candidate.is_whole_line]
    return _last(final or whole or candidates)


def _last(candidates: list[_Candidate]) -> str | None:
    """Return the last candidate that is no part of the one which it would replace."""
    chosen, letters = None, ""
    for candidate in candidates:
        of_candidate = candidate.text.translate(_BRACKETS)
        if chosen is None or len(of_candidate) >= len(letters) or of_candidate not in letters:
            chosen, letters = candidate.text, of_candidate
    return chosen


def _candidates(text: str) -> Iterator[_Candidate]:
    announced = ""
    for line in _joined(_cells(text)):
        line = line[:_MAX_LINE]
        lead = _LEAD.match(line)
        body = line[lead.end() :] if lead else line
        before = line[: lead.end()] if lead else ""
        if _is_formula(line):
            body, before = line, ""
        if _is_formula(body):
            label = before if before.strip(" -*+•>.)#0123456789") else announced
            if not _DISOWNS.search(label):
                yield _Candidate(_bare(body), bool(_FINAL.search(label)), True)
        else:
            yield from _in_prose(line)
        if line.strip():
            announced = line if line.rstrip().endswith(":") else ""


def _in_prose(line: str) -> Iterator[_Candidate]:
    """Yield the formulas in a line of prose; one that ends an announcing line has that rank."""
    for span in _SPAN.finditer(line):
        text = _bare(span[0])
        if _HAS_OPERATOR.search(text) and _WORD.search(text):
            label = line[: span.start()]
            at_end = not line[span.end() :].strip(" .;,")
            if not _DISOWNS.search(label[-60:]):
                announced = at_end and bool(_ANNOUNCES.search(label))
                yield _Candidate(text, announced and bool(_FINAL.search(label)), announced)


def _cells(text: str) -> Iterator[str]:
    """Yield lines; those of a table cell by cell."""
    for line in text.splitlines():
        stripped = line.strip()
        if len(stripped) > 1 and stripped[0] == stripped[-1] == "|":
            yield from stripped.strip("|").split("|")
        else:
            yield line


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """Yield lines, with the pieces of a formula that is written over several put together."""
    whole = ""
    for line in lines:
        goes_on = _JOINS.search(whole[-20:]) or _CONTINUES.match(line)
        if whole and goes_on and _HAS_OPERATOR.search(whole) and len(whole) < _MAX_LINE:
            whole = f"{whole} {line.strip()}"
        else:
            yield whole
            whole = line.rstrip()
    yield whole


def _is_formula(line: str) -> bool:
    """Return whether a line holds operators and letters but no words."""
    bare = _bare(line)
    if _ATOM_ALONE.match(bare):
        return True
    return bool(_HAS_OPERATOR.search(bare)) and all(
        _FORMULA_WORD.fullmatch(word[0]) for word in _WORD.finditer(bare)
    )


def _bare(text: str) -> str:
    """Return a formula without punctuation and stray words around it."""
    bare = text.strip(" \t\r\n.;,:\"'")
    stray = _STRAY_WORD.match(bare)
    if stray:
        bare = bare[stray.end() :]
    return _TRAILING_WORD.sub("", bare)
