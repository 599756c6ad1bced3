"""The form of an answer on validity: a set of statements, by their numbers or their words."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from logic_curriculum.rewards.answers import (
    DENIAL,
    NEUTRAL_WORDS,
    AmbiguousError,
    Reading,
    read,
    without_markup,
)
from logic_curriculum.rewards.blocks import Unit, paragraphs

KEYS = ("answers", "label", "labels", "statement", "statements", "option", "options")

_AROUND = "both and to also valid entailed hold holds guaranteed ones"
_WORDS = NEUTRAL_WORDS | frozenset(_AROUND.split())  # what may be around the statements
_NONE = re.compile(r"none|(?:no|neither) (?:statement|option)s?|\[ *\]|\{ *\}|∅|(?:the )?empty set")
_OF_NONE = frozenset(("of", "them", "above", "provided", "given", "listed"))
_NUMBERING = re.compile(r"^[ •-]*\d{1,2}[.)] (?=statement|option)|\bno\. ?(?=\d)", re.MULTILINE)
_UNDENIED = rf"(?![^()\n\"]*(?:\b(?:or|except)\b|{DENIAL}))"
_REMARK = re.compile(rf"\({_UNDENIED}[^()\n0-9⟦]*+\)|\"{_UNDENIED}[^\"\n0-9⟦]*+\"")
_DENIED = re.compile(rf"{DENIAL}|(?i:\bif i\b)")
_DENIES = re.compile(
    r"(?i)[\W_]*+(?:(?:no|not|never|neither|false|wrong)\b|(?:that|(?:[^.!?\n]{0,60}?\b)?(?:this|it|which"
    r"|the (?:above|statement|option|answer)))\b(?! other| is not the case)[^.!?\n,;:]{0,60}?"
    rf"(?:{DENIAL}|\b(?:untrue|invalid|impossible|contradict\w*|fails?|rejected|refuted)\b))"
)
_NAMED = re.compile("statement|option")
_END = re.compile(r"[\s*_`]*+\Z")
_TOKEN = re.compile(
    r"⟦(?P<worded>[0-9]+)⟧|(?<![\w.–—-])(?P<number>[0-9]{1,9})(?![\w%]|[.–—-][0-9])|(?P<word>[^\W\d_]+)"
    r"|(?P<joint>[\n,;])|(?P<mark>[][\s.:!(){}\"'&#>*•✓✔✅→⇒–—-])"
)


def read_labels(text: str, texts: Sequence[str] = ()) -> Reading[frozenset[int]]:
    """Return the set of statements that a completion answers with.

    ``texts`` are the statements, whose words may be behind a number or replace it.

    >>> sorted(read_labels("**Answer:** Statements 2 and 5 must be true.").answer)
    [2, 5]
    """
    parts = partial(_parts, texts=tuple(texts))
    return read(text, lambda block: labels(block, tuple(texts)), parts=parts, keys=KEYS)


def _parts(text: str, start: int, end: int, texts: tuple[str, ...]) -> Iterator[Unit]:
    """Yield paragraphs. What is denied is prose.

    So is a statement between other text, unless a colon announces it.
    """
    for unit in paragraphs(text, start, end):
        is_prose = unit.text.rstrip(" \n*").endswith(":")
        is_prose = is_prose or _DENIES.match(text, unit.end, unit.end + 200) is not None
        before = text[max(0, unit.start - 200) : unit.start].rstrip(" \n*").rpartition("\n")[2]
        if before.endswith(":"):
            is_prose = is_prose or _DENIED.search(before) is not None
        elif texts and not _END.match(text, unit.end):
            rest, count = _any_statement(texts).subn("", _normal(unit.text))
            is_prose = is_prose or (count > 0 and not re.search("[a-z]", _NAMED.sub("", rest)))
        yield unit._replace(kind="prose") if is_prose else unit


def labels(block: str, texts: tuple[str, ...] = ()) -> frozenset[int] | None:
    """Return the set of statements that a block names, or ``None`` when it says something else.

    An :class:`AmbiguousError` says that it names statements and none, joins them with "or", or
    puts a number before the words of another statement.

    >>> labels("none of them")
    frozenset()
    """
    if "⟦" in block or (block.startswith("{") and '"' in block):
        return None
    said = re.sub(r"[ \t_]+", " ", without_markup(block).lower()).strip()
    said = _NUMBERING.sub("", said)
    if texts:
        said = _any_statement(texts).sub(lambda m: f"⟦{_place(m[0], texts)}⟧", said)
    said = _REMARK.sub(" ", said)
    said, nones = _NONE.subn(" ", said)
    return _labels(said, nones > 0)


def _labels(said: str, is_none: bool) -> frozenset[int] | None:
    words = _WORDS | _OF_NONE if is_none else _WORDS
    found: set[int] = set()
    before: int | None = None  # the number in front
    is_choice = False
    position = 0
    for token in _TOKEN.finditer(said):
        if token.start() != position or token["word"] not in (None, "or", *words):
            return None
        position = token.end()
        is_choice = is_choice or token["word"] == "or"
        if token["joint"]:
            before = None
        elif token["number"]:
            before = int(token["number"])
            found.add(before)
        elif token["worded"]:
            if before not in (None, int(token["worded"])):
                raise AmbiguousError("a number before another statement's words")
            found.add(int(token["worded"]))
    if position != len(said) or not (found or is_none):
        return None
    if found and (is_none or is_choice):
        raise AmbiguousError("several answers")
    return frozenset(found)


@lru_cache(maxsize=256)
def _any_statement(texts: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for any statement's words, the longest first, without its full stop."""
    longest_first = sorted(map(_normal, texts), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in longest_first))


@lru_cache(maxsize=4096)
def _place(statement: str, texts: tuple[str, ...]) -> int:
    return [_normal(text) for text in texts].index(statement) + 1


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", without_markup(text).lower()).strip(" .")
