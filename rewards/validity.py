"""Validity: the statements that follow. How an answer names them, and the judge.

The answer is a set of numbers (LogicSkills, appendices C and D); "none" is the empty one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar

from pydantic import Field, StrictInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import (
    DENIAL,
    NEUTRAL_WORDS,
    AmbiguousError,
    Reading,
    read,
    without_markup,
)
from logic_curriculum.rewards.blocks import Unit, paragraphs
from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, Verification, malformed

# -- the form of an answer: numbers or words -------------------------------------------------------

KEYS = ("answers", "label", "labels", "statement", "statements", "option", "options")

_AROUND = "all just alone both and to also valid entailed hold holds guaranteed ones"
_WORDS = NEUTRAL_WORDS | frozenset(_AROUND.split())  # what may be around the statements
_NONE = re.compile(r"none|(?:no|neither) (?:statement|option)s?|\[ *\]|\{ *\}|∅|(?:the )?empty set")
_OF_NONE = frozenset(("of", "them", "above", "provided", "given", "listed"))
_NUMBERING = re.compile(r"^[ •-]*\d{1,2}[.)] (?=statement|option)|\bno\. ?(?=\d)", re.MULTILINE)
_UNDENIED = rf"(?![^()\n\"]*(?:\b(?:or|except|maybe|perhaps|possibly|also)\b|{DENIAL}))"
_REMARK = re.compile(rf"\({_UNDENIED}[^()\n0-9⟦]*+\)|\"{_UNDENIED}[^\"\n0-9⟦]*+\"")
_FAILS = (
    r"(?i:\b(?:untrue|invalid|impossible|contradict(?!ions\b)\w*|fails?|rejected|refuted|excluded?"
    r"|ruled? out)\b)"
)
_DENIED = re.compile(rf"{DENIAL}|{_FAILS}|(?i:\bif i\b)")
_DENIES = re.compile(
    r"(?i)[\W_]*+(?:(?:no|not|never|neither|false|wrong)\b|(?:that|(?:[^.!?\n]{0,60}?\b)?(?:this|it|which"
    r"|the (?:above|statement|option|answer)))\b(?! other| is not the case)[^.!?\n,;:]{0,60}?"
    rf"(?:{DENIAL}|{_FAILS}))"
)
_OF_ALL = re.compile(r"\bof (?:the|these|those) \d{1,2} (?=statement|option)")
_COUNT = re.compile(  # how many they are, before any number and statement
    r"\A((?:(?!statement|option|\d)(?s:.))*+)"
    r"\b(?:1|\d{1,2}(?= [a-z ]*s\b)) (?:of (?:the|these) )?(?:statement|option)s?\b(?! \d)"
    r"|\bnumber of (?:[a-z]+ ){0,3}statements(?: [a-z]+){0,6}:? \d+"
)
_NAMED = re.compile("statement|option")
_HEADING = re.compile(
    r"^[ \t]*+(?:[-*•][ ])?[*_(>]*+(?:(?:statement|option)[ \t]++)?(?P<number>\d{1,2})[.)*_ \t]*+$"
    r"(?=\n\s*+[^\w\n]{0,9}[a-z] ?[a-z])",
    re.IGNORECASE | re.MULTILINE,
)
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
    headings = _headings(text)
    for unit in paragraphs(text, start, end):
        is_prose = unit.text.rstrip(" \n*").endswith(":") or unit.start in headings
        is_denied = _DENIES.match(text, unit.end, unit.end + 200) is not None
        before = text[max(0, unit.start - 200) : unit.start].rstrip(" \n*`").rpartition("\n")[2]
        if before.endswith(":"):
            is_denied = is_denied or _DENIED.search(before) is not None
        elif texts and not _END.match(text, unit.end):
            rest, count = _any_statement(texts).subn("", _normal(unit.text))
            is_prose = is_prose or (count > 0 and not re.search("[a-z]", _NAMED.sub("", rest)))
        yield unit._replace(kind="denied" if is_denied else "prose" if is_prose else unit.kind)


@lru_cache(maxsize=2)
def _headings(text: str) -> frozenset[int]:
    """Return where lines begin that name different statements, each with other text below."""
    lines = {found.start(): found["number"] for found in _HEADING.finditer(text)}
    return frozenset(lines) if len({*lines.values()}) > 1 else frozenset()


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
    said = _COUNT.sub(r"\1statement", _OF_ALL.sub("", _REMARK.sub(" ", said)))
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


# -- the judge -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ValidityPayload(Verification):
    """The options of a task and which of them follow."""

    correct: frozenset[StrictInt]  # numbers of the options that follow, from 1
    options: Annotated[StrictInt, Field(gt=0)]  # how many there are
    texts: tuple[str, ...] = ()  # the options as the prompt words them, if the row has them

    def __post_init__(self) -> None:
        """Refuse numbers and texts of other options."""
        if not all(1 <= number <= self.options for number in self.correct):
            raise malformed("correct", [*self.correct], f"give numbers from 1 to {self.options}")
        if len(self.texts) not in (0, self.options):
            raise malformed("texts", self.texts, f"give all {self.options}, or drop them")


class ValidityJudge(Judge[ValidityPayload]):
    """Judges validity.

    ``reward`` is 1.0 if the answer is the set of correct options, else 0.0; ``partial`` is the
    F1 score of the two sets. At most one error is raised: ``superset`` names all that is correct
    and more, ``subset`` something that is correct but not all, and nothing else.

    A payload: ``{"correct": [3], "options": 6}`` or its JSON text. An optional ``texts``, the
    wording of each option, lets an answer quote an option instead of naming its number. In the
    published data set the keys are ``label``, ``options`` (a list) and ``option_sentences``.
    """

    family = "validity"
    task_version = 6
    reward_version = 12
    rewards: ClassVar[Mapping[str, str]] = {"validity_f1_reward": "partial"}
    errors = ("superset", "subset", "incorrect")
    extraction = ExtractionForm(
        'One line "Answer: " with the numbers of all statements that the text finally settles on '
        'as following, such as "Answer: 2, 5", or "Answer: none" if it says that none follows.',
        re.compile(r"[0-9]+"),
        spelled_numbers=True,
    )

    def read_payload(self, payload: Mapping[str, Any]) -> ValidityPayload:
        """Return the options and which of them follow."""
        options = payload.get("options")
        label = payload.get("label")
        correct = [int(label)] if isinstance(label, str) and label.strip().isdecimal() else label
        names = {
            "options": len(options) if isinstance(options, list | tuple) else options,
            "correct": payload.get("correct", correct),
            "texts": payload.get("texts") or payload.get("option_sentences") or (),
        }
        return ValidityPayload(**names)

    def judge_text(self, text: str, payload: ValidityPayload) -> Verdict:
        """Return the verdict on a completion."""
        reading = read_labels(text, payload.texts)
        answer = reading.answer
        if answer is None:
            return self.unanswered(reading)
        solved = answer == payload.correct
        error = None if solved else _error(answer, payload.correct)
        correct = _listed(payload.correct)
        why = f"correct: {correct}" if solved else f"{error}: correct is {correct}"
        metrics = {**reading.metrics, **self.error_metrics(error)}
        sizes = len(answer) + len(payload.correct)
        f1 = 2 * len(answer & payload.correct) / sizes if sizes else 1.0  # two empty sets agree
        return Verdict(solved, float(solved), True, f1, _listed(answer), why, metrics)


def _listed(labels: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(labels))) or "none"


def _error(answer: frozenset[int], correct: frozenset[int]) -> str:
    if correct and answer > correct:
        return "superset"
    return "subset" if answer and answer < correct else "incorrect"
