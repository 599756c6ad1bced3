"""The formula that a completion states; whether it is one, a parser decides.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rewards.disowning import Standing, Withdrawal, is_rejected_by, standing, withdrawal
from rewards.extraction import readings
from rewards.fields import unfold_fields
from rewards.markup import boxed_texts, tagged_texts
from rewards.plain import MAX_TEXT, plain_text

_ARROW = r"<?[-=–—]{1,2}>|[→↔⇒⇔⟶⟷⟹⟺⊃≡]"
_OPERATOR = rf"[¬∧∨~∼!˜&·∙•|^]|{_ARROW}"
_QUANTIFIER = (
    r"(?:[∀∃∄]|\b(?:forall|exists)\b)!?\s*+\(?[a-z](?:\s*+,?\s*+[a-z](?![A-Za-z]))*+\)?\s*+[.:,]?"
)
_ATOM = (
    r"[A-Z](?:\s?\(\s*+[a-z](?:\s*+,\s*+[a-z]|[a-z])*+\s*+\)|[a-z]{1,4}(?![A-Za-z])"
    r"(?:\s[a-z](?![A-Za-z]))?|(?:\s[a-z](?![A-Za-z])){1,2})"
)
_CONNECTIVE_WORD = r"\b(?:not|and|or|implies|iff|NOT|AND|OR|IMPLIES|IFF)\b"
_SPAN = re.compile(
    rf"(?:(?:{_QUANTIFIER}|{_ARROW}|{_OPERATOR}|{_CONNECTIVE_WORD}|{_ATOM}|[()\[\]{{}}])[ \t]*+)++"
)
_HAS_OPERATOR = re.compile(
    rf"[∀∃∄¬∧∨~∼&]|{_ARROW}|\b(?:forall|exists)\b"
    r"|[a-z)\]]\s?\|{1,2}\s?[A-Z(\[¬~∀∃]"
)
_ATOM_ALONE = re.compile(r"[A-Z](?:\s?[a-z](?:\s?[a-z])?|\s?\([a-z](?:\s*+,\s*+[a-z])?\))\Z")
_WORD = re.compile(r"[A-Za-z]{2,}+")
_FORMULA_WORD = re.compile(
    rf"{_CONNECTIVE_WORD}|forall|exists|[a-z]{{0,3}}(?:[A-Z][a-z]{{0,3}})++|[a-z]{{2}}"
)
_BULLET = re.compile(r"\s*+(?:(?:[-*+•>–—]|#{1,6}|\(?\d{1,3}[.)]|[∴⊢→⇒⟹✅✓✔])\s++)*+")
_COURTESY = re.compile(r"\A\s*+(?:Sure|Okay|Yes|Right|Great|Certainly|Of course)[!,.]\s++(?=\S)")
_LABEL = re.compile(
    r"[^\n:=]{0,200}?(?::=?|=)\s++|[^\n→⇒⟹]{0,200}?\b(?:[a-z]{3}|[A-Z][a-z]{3})[a-z]*+[\"'.)]*+\s*+[→⇒⟹]\s++"
)
_SHORT_LABEL = re.compile(r"(?!forall|exists|for all)[A-Za-z][A-Za-z ]{0,30}+\d{0,2}+:\s++")
_CONTRAST = re.compile(r"\s*+(?:[,;—–]|(?<=\s)-)\s*+(?:and |but )?(?:not|rather than)\b")
_STRAY_WORD = re.compile(
    r"(?:(?:and|or|iff|implies)\s++|[A-Z][a-z]{1,4}\s++(?!(?:AND|OR|IFF|IMPLIES)\b)(?=[∀∃∄¬~(\[{A-Z]))++"
)
_TRAILING_WORD = re.compile(
    r"(?:(?<=[\w)\]}])\s++(?:and|or|iff|implies|not)|(?<=[)\]}])\s++[A-Z][a-z]{1,4})\Z"
)
_FINAL = re.compile(r"\b(?:final|answer)\b", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r"\b(?:answer|formal\w*|translat\w*|symboli\w*|formula|therefore|thus|hence|so|final\w*|"
    r"result\w*|becomes?|combin\w*|together|express\w*|represent\w*|written|logic\w*|get|gives?|"
    r"obtain|conclu\w*|sentence|have|yields?)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"\b(?:answer|formula|translation|symboli[sz]ation|formali[sz]ation)\b[^.:=]{0,80}+[:=]\s*+\Z"
    r"|\b(?:answer|formula|translation|symboli[sz]ation|formali[sz]ation) (?:is|as)\s++\Z",
    re.IGNORECASE,
)
_LEADS_TO_ATOM = re.compile(
    r"(?:\A|[:=.!?]|\b(?:is|as|use|write|get|gives?|have|becomes|but|answer|formula|so|hence|thus|"
    r"therefore))\s*+\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s*+(?:[.,;:!(—–]|\Z|(?:is|was|because|since|where|which|with|instead|rather|for|as|if)\b)"
)
_JOINS = re.compile(rf"(?:{_OPERATOR}|[(\[{{∀∃])\s*+\Z")
_CONTINUES = re.compile(rf"\s*+(?:{_ARROW}|[∧∨&|)\]}}])")
_BRACKETS = str.maketrans("", "", " \t()[]{}")
_CONNECTED = re.compile(_CONNECTIVE_WORD)
_BULLETS = " -*+•>–—.)#(∴⊢0123456789"
_LETTER = re.compile("[A-Za-z]")
_LETTERS = frozenset(string.ascii_letters)
_VARIABLES = frozenset("stuvwxyz")
_MAX_LINE = 5000
_REACH = 120


@dataclass(frozen=True)
class _Candidate:
    text: str
    is_final: bool
    """Whether it is announced as the answer."""
    is_stated: bool
    """Whether it stands alone, rather than in a sentence that goes on."""
    is_alone: bool = False
    """Whether it is a line of its own, neither an item of a list or table nor labelled."""
    is_restated: bool = False
    """Whether it is another way of saying something, or an alternative."""


def extract_formula(text: str, symbols: Collection[str] = _LETTERS) -> str | None:
    r"""Return the formula that a completion states, or ``None`` when there is none.

    Looked for in this order, outside think blocks: in ``<answer>`` tags, in ``\boxed{}``, where
    an answer is announced, on a line of its own or at the end of an announcing line, within
    prose. In each place the last counts, except one that is rejected ("not ...", "... is wrong"),
    restated ("equivalently ...") or a part of the one before it and no line of its own (which
    explains that). What follows "wait, that is wrong" replaces what precedes it.

    Markup and LaTeX are taken off; nothing else is repaired, so that what is no formula is found
    as it stands, and hides the one before it.

    Args:
        text: The completion.
        symbols: Predicates and constants of the task. ``No`` is an atomic formula only if ``N``
            and ``o`` are among them; larger formulas are told by their connectives.

    >>> extract_formula("The translation is $\\forall x (Ox \\to Jx)$.")
    '∀ x (Ox → Jx)'
    >>> extract_formula("∀x(Ox→Jx)\n\nHere Ox means that x is a monkey.")
    '∀x(Ox→Jx)'
    """
    letters = _VARIABLES.union(symbols)
    return next((found for part in readings(text) if (found := _stated(part, letters))), None)


def _stated(text: str, letters: frozenset[str]) -> str | None:
    blocks = (*boxed_texts(text), *tagged_texts(text))
    marked = [block for block in blocks if block.strip()]
    for block in reversed(marked):
        found = _stated_in(block, letters)
        if found:
            return found
    leftover = next((_bare(plain_text(block)) for block in reversed(marked)), "")
    return _stated_in(text, letters) or leftover or None


def _stated_in(text: str, letters: frozenset[str]) -> str | None:
    """Return what the last round of answers states; what is taken back ends a round."""
    rounds: list[list[_Candidate]] = [[]]
    for found in _candidates(plain_text(unfold_fields(text[-MAX_TEXT:])), letters):
        if isinstance(found, _Candidate):
            rounds[-1].append(found)
            continue
        if found is Withdrawal.DENIED and rounds[-1]:
            denied = rounds[-1][-1].text
            rounds[-1] = [known for known in rounds[-1] if known.text != denied]
        if rounds[-1]:
            rounds.append([])
    candidates = [candidate for each in rounds for candidate in each]
    settled = next((each for each in reversed(rounds) if any(c.is_stated for c in each)), [])
    return _best(settled or candidates)


def _best(candidates: list[_Candidate]) -> str | None:
    own = [candidate for candidate in candidates if not candidate.is_restated]
    final = [candidate for candidate in own if candidate.is_final]
    stated = [candidate for candidate in own if candidate.is_stated]
    return _last(final or stated or own or candidates)


def _last(candidates: list[_Candidate]) -> str | None:
    """Return the last candidate that does not explain the one which it would replace."""
    chosen, content = None, ""
    for candidate in candidates:
        its_content = candidate.text.translate(_BRACKETS)
        is_part = len(its_content) < len(content) and its_content in content
        if candidate.is_alone or not is_part:
            chosen, content = candidate.text, its_content
    return chosen


def _candidates(text: str, letters: frozenset[str]) -> Iterator[_Candidate | Withdrawal]:
    """Yield formulas, and between them where a text takes back what it said before."""
    announced = ""
    for line in _joined(_cells(text)):
        line = _COURTESY.sub("", line[:_MAX_LINE])
        lead = _lead(line, letters)
        if _is_formula(line[lead:], letters):
            yield from _on_line(line, lead, announced)
        else:
            yield from _in_prose(line, letters)
        if line.strip():
            announced = line if line.rstrip().endswith(":") or line.startswith("#") else ""


def _on_line(line: str, lead: int, announced: str) -> Iterator[_Candidate | Withdrawal]:
    label = line[:lead] if line[:lead].strip(_BULLETS) else announced
    withdrawn = withdrawal(line[:lead])
    if withdrawn:
        yield withdrawn
    how = standing(label)
    if how is not Standing.REJECTED:
        yield _Candidate(
            _bare(line[lead:]),
            is_final=bool(_FINAL.search(label)),
            is_stated=True,
            is_alone=not line[:lead].strip() and (not label or bool(_ANNOUNCES.search(label))),
            is_restated=how is Standing.RESTATED,
        )


def _lead(line: str, letters: frozenset[str]) -> int:
    """Return where a line begins after its bullet and, unless it is a formula, its label."""
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    short = _SHORT_LABEL.match(line, start)
    if short and _is_formula(line[short.end() :], letters):
        return short.end()
    label = None if _is_formula(line[start:], letters) else _LABEL.match(line, start)
    return label.end() if label else start


def _in_prose(line: str, letters: frozenset[str]) -> Iterator[_Candidate | Withdrawal]:
    """Yield the formulas in a line of prose; one that ends an announcing line is as stated."""
    position = 0
    for span in _SPAN.finditer(line):
        candidate = _in_sentence(line, span, letters)
        if candidate is None:
            continue
        withdrawn = withdrawal(line[position : span.start()])
        if withdrawn:
            yield withdrawn
        position = span.end()
        yield candidate
    withdrawn = withdrawal(line[position:])
    if withdrawn:
        yield withdrawn


def _in_sentence(line: str, span: re.Match[str], letters: frozenset[str]) -> _Candidate | None:
    opens_remark = line[span.end() : span.end() + 1].isalpha()
    found = span[0].rstrip(" \t([{" if opens_remark else " \t")
    label, after = line[: span.start()], line[span.start() + len(found) :]
    text = _bare(found.removeprefix("! ") if label[-1:].isalpha() else found)
    ends = not after.strip(" .;,") and bool(_ANNOUNCES.search(label))
    announced = ends or bool(_LEADS.search(label[-_REACH:]) and _GOES_ON.match(after))
    if not _is_mentioned(text, letters, announced or _is_named(label, text, after)):
        return None
    how = standing(label)
    if how is Standing.REJECTED or is_rejected_by(after):
        return None
    is_final = announced and bool(_FINAL.search(label))
    return _Candidate(text, is_final, announced, is_restated=how is Standing.RESTATED)


def _is_mentioned(text: str, letters: frozenset[str], is_named: bool) -> bool:
    if _HAS_OPERATOR.search(text):
        return bool(_LETTER.search(text))
    return is_named and _is_atom(text, letters)


def _is_named(label: str, text: str, after: str) -> bool:
    """Return whether an atomic formula is spoken of, rather than a word such as ``It``."""
    is_closed = _VARIABLES.isdisjoint(text)
    is_placed = _LEADS_TO_ATOM.search(label[-_REACH:]) and _GOES_ON.match(after)
    return is_closed and bool(is_placed)


def _cells(text: str) -> Iterator[str]:
    """Yield lines; those of a table cell by cell, as items of a list."""
    for line in text.splitlines():
        stripped = line.strip()
        if len(stripped) > 1 and stripped[0] == stripped[-1] == "|":
            yield from (f"- {cell}" for cell in stripped.strip("|").split("|"))
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


def _is_formula(line: str, letters: frozenset[str]) -> bool:
    """Return whether a line holds operators and letters but no words."""
    bare = _bare(line)
    is_worded = _CONNECTED.search(bare) and letters.issuperset(
        _LETTER.findall(_CONNECTED.sub("", bare))
    )
    if is_worded or _HAS_OPERATOR.search(bare):
        return all(_FORMULA_WORD.fullmatch(word[0]) for word in _WORD.finditer(bare))
    return _is_atom(bare, letters)


def _is_atom(text: str, letters: frozenset[str]) -> bool:
    inner = text[1:-1] if text[:1] in ("(", "[") else text
    return bool(_ATOM_ALONE.match(inner)) and letters.issuperset(_LETTER.findall(inner))


def _bare(text: str) -> str:
    """Return a formula without punctuation and stray words around it."""
    contrast = _CONTRAST.search(text)
    bare = (text[: contrast.start()] if contrast else text).strip(" \t\r\n.;,:\"'✅✓✔☑")
    stray = _STRAY_WORD.match(bare)
    if stray:
        bare = bare[stray.end() :]
    return _TRAILING_WORD.sub("", bare)
