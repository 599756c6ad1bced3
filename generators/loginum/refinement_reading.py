"""Reads what a sentence of a task says, whether a template or a language model worded it.

The reading is formal: names, attributes, relations with their direction, numbers, and which
statements are conditions. It takes many wordings that the templates don't have, but only of closed
lists of words (``words/refinement.yaml``) and in forms of which it is sure.
Expressions are the exception: of these, the words that compute are taken as they stand, in their
order, so that two of them are equal only where both use the same ones.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import resources
from typing import Any, NamedTuple

import yaml

from logic_curriculum.generators.loginum.vocabulary import Words, verb_forms

Reading = tuple[Any, ...]
LONGEST = 1_000  # characters of a sentence that is read at all

_FILE = resources.files("logic_curriculum.generators.loginum") / "words" / "refinement.yaml"
_WORDS: dict[str, frozenset[str]] = {
    place: frozenset(words.split())
    for place, words in yaml.safe_load(_FILE.read_text(encoding="utf-8")).items()
}
"""Place → the words that are allowed there."""
_WORDS["relation"] |= {"E", "R"}  # names, and the relation itself
_SAME_WORDS = {
    **dict.fromkeys(("larger", "greater", "higher", "maximum"), "larger"),
    **dict.fromkeys(("smaller", "lesser", "lower", "minimum"), "smaller"),
    "total": "sum",
}
"""Words of expressions that may stand for each other."""

_PREMISE = r"(?:premise|fact)"
_IF = (
    r"(?:if|when|whenever|once|as long as|in case|(?:every|each) time(?: that)?"
    r"|in (?:every|each|any) case (?:in which|where)|in all cases (?:in which|where)"
    r"|(?:provided|given|assuming|supposing|suppose|considering)(?: that)?"
    rf"|(?:from )?the {_PREMISE} that|it is (?:enough|sufficient) that"
    rf"|(?:can be (?:deduced|inferred|concluded)|follows) from the {_PREMISE} that"
    rf"|is a consequence of the {_PREMISE} that)"
)
"""What stands before conditions."""
_HOLDS = r"(?:is true|is the case|holds)"
"""What may stand behind a conclusion that begins with "that", and in "it holds that" before
conditions."""
_THEN = (
    r"(?:it (?:then |therefore |also )?(?:follows|holds|is true|is the case|is also true"
    r"|is also the case|can be (?:inferred|deduced|concluded)) that"
    r"|(?:one|we) (?:can|may) (?:conclude|infer|deduce) that|(?:this )?(?:implies|means) that"
    r"|for it to follow that)"
)
"""What stands before a conclusion, "then" aside."""
_IS = (
    r"(?:is equal to|equals|amounts to|comes to|stands at|is assigned the value(?: of)?"
    r"|is (?:given|recorded|listed|noted|logged|registered) as|is set to|is assigned|is)"
)
"""Between an attribute and the expression for its value."""

_TOKEN = re.compile(r"[Ee]ntity_[0-9]+(?:['’]s)?|[−-]?[0-9]+|[^\W\d_]+(?:[-'’][^\W\d_]+)*+|\S")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_POSSESSIVE = re.compile(r"(?<=.)['’]s?$")
_FRONTED = ["for", "E", ","]
_JOINER = re.compile(r" (?:, and|, while|,|and|while) (?:that )?")
_OPENING = re.compile(rf"{_IF} ")
_MIDDLE = re.compile(rf" (?:[,;] )?(?:then )?(?:{_THEN} )?")
_TURN = re.compile(rf"(?: (?:{_HOLDS}|follows))? (?:, )?{_IF} (?:it {_HOLDS} that )?")
_CLOSING_INTRODUCTION = re.compile(rf"(?:{_THEN}|that) ")
_RECORDED = r"(?:recorded|listed|logged|noted|registered|stored|given)"
_CONCLUSIONS = (
    re.compile(rf"(?P<value>.+) is {_RECORDED} for (?P<goal>E\d+ under (?:the )?A\d+(?: \w+)?)"),
    re.compile(
        r"(?P<value>.+) is (?:assigned|given) to (?P<goal>E\d+ as (?:the |its )?A\d+(?: \w+)?)"
    ),
    re.compile(r"(?P<goal>E\d+) has (?P<value>.+) as (?P<rest>(?:the |its )?A\d+(?: \w+)?)"),
)
_PLAIN_CONCLUSION = re.compile(rf"(?P<goal>.+?) {_IS} (?!{_RECORDED}|assigned)(?P<value>.+)")


class UnreadableError(ValueError):
    """A sentence can't be read; the text is the reason that it is counted under."""


class _Token(NamedTuple):
    """A word of a sentence."""

    kind: str
    """``E`` for a name or variable, ``A`` for an attribute, ``N`` for a number, ``R`` for a
    relation, empty for any other word or mark."""
    word: str  # the number, the name, the attribute, the relation, or the word in lower case
    forms: str = ""  # of a relation, what forms the word can be: b base, s present, p participle


class SentenceReader:
    """Reads sentences about the things of one task.

    Each method raises UnreadableError where a sentence can't be read, or in more than one way.
    """

    def __init__(self, words: Words) -> None:
        self._names = frozenset(words.entities)
        self._attributes = frozenset(words.attributes)
        self._relations: dict[str, list[tuple[str, str]]] = {}
        for relation in words.relations:
            for form, letter in zip(verb_forms(relation), "bsp", strict=True):
                self._relations.setdefault(form, []).append((relation, letter))

    def fact(self, sentence: str) -> Reading:
        """Return what a fact says: ``("is", "Ed", "low", 5)`` or ``("hamper", "Ed", "Ann")``."""
        tokens = self._tokens(sentence, ".")
        if [token.word if not token.kind else token.kind for token in tokens[:3]] == _FRONTED:
            del tokens[2]
        return _clause(tokens)

    def rule(self, sentence: str) -> Reading:
        """Return a rule's conditions, sorted, and its conclusion."""
        tokens = self._tokens(sentence, ".")
        words = [f"{kind}{at}" if kind else word for at, (kind, word, _) in enumerate(tokens)]
        found = set()
        for conditions, conclusion in _parted(" ".join(words)):
            with suppress(UnreadableError):
                found.add((_conditions(conditions, tokens), _conclusion(conclusion, tokens)))
        if len(found) != 1:
            raise UnreadableError("rules whose conditions and conclusion aren't clear")
        return found.pop()

    def query(self, sentence: str) -> Reading:
        """Return the name and the attribute that a query is about."""
        return _pair(self._tokens(sentence, ".?"), "query")

    def _tokens(self, sentence: str, ends: str) -> list[_Token]:
        if len(sentence) > LONGEST or sentence[-1:] not in ends or not sentence:
            raise UnreadableError("no sentence")
        return [self._token(text) for text in _TOKEN.findall(sentence[:-1])]

    def _token(self, text: str) -> _Token:
        bare = _POSSESSIVE.sub("", text)
        if bare[-1].isdigit():
            number = bare.replace("−", "-")
            if number[:7].casefold() == "entity_":
                return _Token("E", number.casefold())
            if not _NUMBER.fullmatch(number):
                raise UnreadableError("a number in another spelling")
            return _Token("N", number)
        for name in (text, bare):
            if name in self._names:
                return _Token("E", name)
        if bare.casefold() in self._attributes:
            return _Token("A", bare.casefold())
        word = text.casefold()
        found = self._relations.get(word, ())
        if len({relation for relation, _ in found}) > 1:
            raise UnreadableError("a word that is the form of two relations")
        if not found:
            return _Token("", word)
        return _Token("R", found[0][0], "".join([form for _, form in found]))


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """Yield every way to tell the conditions from the conclusion."""
    opening = _OPENING.match(text)
    if opening:
        for middle in _MIDDLE.finditer(text, opening.end()):
            if middle[0] != " ":
                yield text[opening.end() : middle.start()], text[middle.end() :]
        return
    introduction = _CLOSING_INTRODUCTION.match(text)
    start = introduction.end() if introduction else 0
    for turn in _TURN.finditer(text, start):
        yield text[turn.end() :], text[start : turn.start()]


def _conditions(text: str, tokens: Sequence[_Token]) -> Reading:
    return tuple(sorted(_clause(_under(part, tokens)) for part in _JOINER.split(text)))


def _under(text: str, tokens: Sequence[_Token]) -> list[_Token]:
    """Return the tokens of a part of a sentence that is written with their places."""
    return [
        tokens[int(word[1:])] if word[0] in "EANR" else _Token("", word) for word in text.split()
    ]


def _conclusion(text: str, tokens: Sequence[_Token]) -> Reading:
    parts = _under(text, tokens)
    if sorted(token.kind for token in parts if token.kind) == ["A", "E", "N"]:
        kind, entity, attribute, value = _clause(parts)
        return (kind, entity, attribute, (("N", str(value)),))
    for pattern in _CONCLUSIONS:
        found = pattern.fullmatch(text)
        if found:
            break
    else:
        if any(token.kind == "R" for token in parts):
            return _clause(parts)
        found = _PLAIN_CONCLUSION.fullmatch(text)
        if not found:
            raise UnreadableError("a conclusion without a verb")
    goal = f"{found['goal']} {found.groupdict().get('rest', '')}"
    pair = _pair(_under(goal, tokens), "value")
    return ("is", *pair, _expression(_under(found["value"], tokens)))


def _expression(tokens: Sequence[_Token]) -> Reading:
    """Return an expression's numbers, attributes and computing words, in their order."""
    marks: list[tuple[str, ...]] = []
    open_kind = ""
    for kind, word, _ in tokens:
        if kind in ("E", "A"):
            if open_kind and open_kind != kind:
                other = marks[-1][1]
                marks[-1] = ("L", other, word) if kind == "A" else ("L", word, other)
                open_kind = ""
                continue
            open_kind = kind
        elif word in _WORDS["silent"] or (open_kind and word in _WORDS["between"]):
            continue
        elif open_kind:
            raise UnreadableError("an attribute without a name")
        marks.append((kind, _SAME_WORDS.get(word, word)))
    if open_kind or not marks:
        raise UnreadableError("an attribute without a name")
    return tuple(marks)


def _clause(tokens: Sequence[_Token]) -> Reading:
    """Read that an attribute has a given value or that a relation exists."""
    if any(token.kind == "R" for token in tokens):
        return _relation(tokens)
    numbers = [place for place, token in enumerate(tokens) if token.kind == "N"]
    if len(numbers) != 1:
        raise UnreadableError("a statement without one number")
    place = numbers[0]
    if place and tokens[place - 1].word not in _WORDS["before_number"]:
        raise UnreadableError("a word before a number that may change it")
    others = [*tokens[:place], *tokens[place + 1 :]]
    return ("is", *_pair(others, "value"), int(tokens[place].word))


def _pair(tokens: Sequence[_Token], place: str) -> tuple[str, str]:
    """Return the one name and the one attribute among words that are allowed in a place."""
    _check_words([token.word for token in tokens if not token.kind], place)
    anchors = sorted((token.kind, token.word) for token in tokens if token.kind)
    if [kind for kind, _ in anchors] != ["A", "E"]:
        raise UnreadableError("names, attributes or numbers that are missing or added")
    return anchors[1][1], anchors[0][1]


def _check_words(words: Sequence[str], place: str) -> None:
    if not _WORDS[place].issuperset(words):
        raise UnreadableError("a word that may change the meaning")


def _relation(tokens: Sequence[_Token]) -> Reading:
    if sorted(token.kind for token in tokens if token.kind) != ["E", "E", "R"]:
        raise UnreadableError("names, relations or numbers that are missing or added")
    relation = next(token for token in tokens if token.kind == "R")
    first, second = (token.word for token in tokens if token.kind == "E")
    words = [token.kind or token.word for token in tokens]
    for form, directed in (("p", _passive), ("s", _active), ("b", _noun)):
        forward = directed(words) if form in relation.forms else None
        if forward is not None:
            return (relation.word, first, second) if forward else (relation.word, second, first)
    raise UnreadableError("a relation without a clear direction")


# Each of these gets the words, with E for names and R for the relation, and returns whether the
# relation goes from the first name to the second, or None where it can't tell.


def _passive(words: list[str]) -> bool | None:
    """Read ``Ann is hampered by Ed``."""
    text = f" {' '.join(words)} "
    before, found, after = text.partition(" R by E ")
    if not found:
        return None
    others = [*before.split(), *after.split()]
    _check_words(others, "relation")
    if {"from", "to", "whom"} & {*others}:
        return None
    return " E " not in f"{before} "


def _active(words: list[str]) -> bool | None:
    """Read ``Ed hampers Ann``, ``it is Ed who hampers Ann`` and ``someone whom Ed hampers``."""
    _check_words(words, "relation")
    if "from" in words or "to" in words:
        return None
    place = words.index("R")
    before = words[place - 1] if place else ""
    if "whom" in words:
        return False if before == "E" and words[:place].count("E") == 2 else None
    is_clear = before in ("E", "who", "also") and words[place + 1 :][:1] == ["E"]
    return True if is_clear and words[:place].count("E") == 1 else None


def _noun(words: list[str]) -> bool | None:
    """Read ``the relation hamper holds from Ed to Ann`` and ``Ed has the relation hamper to``."""
    _check_words(words, "relation")
    if "who" in words or "whom" in words:
        return None
    names = [place for place, word in enumerate(words) if word == "E"]
    starts = [place for place in names if place and words[place - 1] == "from"]
    ends = [place for place in names if place and words[place - 1] == "to"]
    if "from" not in words:
        starts = names[:1]
    is_clear = len(starts) == len(ends) == 1 and sorted(starts + ends) == names
    return starts < ends if is_clear else None
