"""What a step concludes, as a model words it: does it state a given fact?

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rewards.judges.numeric.syntax import AttributeFact, Fact, Query, RelationFact
from rewards.loginum_numbers import MAX_DIGITS, NUMBER, numbers_in, plain_line, whole

_COMMENT = re.compile(
    r"(?<=[\w.)])\s*+[;#].*|\s(?:since|because|via|using|due|per|//|<-|←)\s.*|[.]\s.*", re.DOTALL
)
_SIMPLE = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}+")
_PLAIN_CLAIM = re.compile(
    rf"([A-Za-z]+'s) ([A-Za-z]+) is (-?[0-9]{{1,{MAX_DIGITS}}}+)"
    r"|([A-Za-z]+) exists between ([A-Za-z]+) and ([A-Za-z]+)"
)
_NUMBER_OR_WORD = re.compile(rf"{NUMBER.pattern}|[^\W\d_][\w'-]*+")
_LAYOUT = re.compile(r"[\s.,:;'\"()\[\]{}|&→]*+")
_OTHER_SIGNS = re.compile(r"[!<>≠≤≥≈≅≃∼~¬√]|-\s*+[(\[]")
_DIGIT = re.compile(r"\d")
_VERB = re.compile(r"=|(?<=\s)(?:is|equals|are)(?=\s)")
_WORD = re.compile(r"[^\W\d_][\w'-]*+")
_IN_ATTRIBUTES = re.compile(
    r"an?|are|at|attribute|be|becomes|equals?|field|for|ha[sd]|have|in|is|its|level|now|of|property"
    r"|quantity|s|score|that|the|to|value|was|with"
)
_IN_RELATIONS = re.compile(
    r"an?|and|are|between|does|exist(?:s|ed)?|from|has|have|holds?|holding|is|now|relation(?:ship)?"
    r"|s|that|the|there|to|with"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A conclusion as stated."""

    words: tuple[str, ...]
    """In lower case, without a computation (``42 * -29 + 86 = -1132``) and comments behind it."""
    has_number: bool
    number: int | None
    """The number that it gives; ``None`` when there is none, several, or a fraction."""


def states(text: str, fact: Fact) -> bool:
    """Return whether a conclusion is a fact, spelled as the prompts ask for it.

    Most are, so this spares most of them the reading.
    """
    if isinstance(fact, RelationFact):
        return text == f"{fact.relation} exists between {fact.first} and {fact.second}"
    return text == f"{fact.entity}'s {fact.attribute} is {fact.value}"


def read_claim(text: str) -> Claim:
    """Read a conclusion in any wording.

    >>> read_claim("**Hetty’s** legal = 42 * -29 + 86 = −1,132 (by rule_5)")
    Claim(words=("hetty's", 'legal'), has_number=True, number=-1132)
    """
    plain = _PLAIN_CLAIM.fullmatch(text)
    if plain:
        entity, attribute, value, *words = plain.groups()
        if value:
            return Claim((entity.lower(), attribute.lower()), True, int(value))
        return Claim(tuple(map(str.lower, words)), False, None)
    text = _without_note(_COMMENT.sub("", plain_line(text).casefold()))
    head, equals, tail = text.rpartition("=")
    verb = _VERB.search(text)
    if not equals or not verb:
        head, tail = "", text
    numbers = numbers_in(tail)
    words = _words(text[: verb.start()] if head and verb else "") + _words(tail)
    if _OTHER_SIGNS.search(text):
        return Claim((), bool(numbers), None)
    is_single = len(numbers) == 1 and _LAYOUT.fullmatch(_NUMBER_OR_WORD.sub("", tail))
    return Claim(tuple(words), bool(numbers), whole(numbers[0]) if is_single else None)


def read_answer(text: str, query: Query) -> int | None:
    r"""Return the number that an answer gives, or ``None`` if it says anything else or several.

    >>> read_answer(r"\text{Hetty's willing is } -3{,}197", Query("Hetty", "willing"))
    -3197
    >>> read_answer("5 or 6", Query("Hetty", "willing")) is None
    True
    """
    if _SIMPLE.fullmatch(text):
        return int(text)
    claim = read_claim(text)
    entity, attribute = query.entity.casefold(), query.attribute.casefold()
    strange = [
        word
        for word in claim.words
        if word not in (attribute, "answer", "boxed")
        and not _names(word, entity, ())
        and not _IN_ATTRIBUTES.fullmatch(word)
    ]
    return None if strange else claim.number


def _without_note(text: str) -> str:
    """Return a text without a remark in brackets at its end: ``is 7 (by rule_5)``."""
    text = text.rstrip(" .,*")
    if text[-1:] not in (")", "]"):
        return text
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] in ")]") - (text[place] in "([")
        if depth == 0:
            before, note = text[:place].rstrip(), text[place:]
            in_words = not _DIGIT.search(note) and len(_WORD.findall(note)) > 1
            is_note = before != text[:place] and (before[-1:].isdigit() or in_words)
            return before if is_note else text
    return text


def _words(text: str) -> list[str]:
    return [word.rstrip("'-") for word in _WORD.findall(text)]


def is_about(claim: Claim, fact: Fact, names: Collection[str]) -> bool:
    """Return whether a claim states a fact, whatever its number.

    Args:
        claim: The claim.
        fact: What should be stated.
        names: The entities of the task in lower case. They tell whether ``Jos legal`` is about
            Jos or, without its apostrophe, about Jo.
    """
    if isinstance(fact, RelationFact):
        return not claim.has_number and _is_relation(claim.words, fact)
    return claim.has_number and _is_attribute(claim.words, fact, names)


def _is_attribute(words: Sequence[str], fact: AttributeFact, names: Collection[str]) -> bool:
    entity, attribute = fact.entity.casefold(), fact.attribute.casefold()
    if attribute not in words:
        return False
    entity_named = attribute_named = False
    for word in words:
        if not entity_named and _names(word, entity, names):
            entity_named = True
        elif not attribute_named and word == attribute:
            attribute_named = True
        elif not _IN_ATTRIBUTES.fullmatch(word):
            return False
    return entity_named and attribute_named


def _names(word: str, entity: str, names: Collection[str]) -> bool:
    """Return whether a word is the entity's name, or its possessive in any of its spellings."""
    if word in (entity, f"{entity}'s"):
        return True
    return word in (f"{entity}s", f"{entity}s's") and f"{entity}s" not in names


def _is_relation(words: Sequence[str], fact: RelationFact) -> bool:
    ends = [fact.second.casefold(), fact.first.casefold()]
    if not (ends[0] in words and ends[1] in words):
        return False
    relation_named = False
    for word in words:
        if ends and word == ends[-1]:
            ends.pop()
        elif not relation_named and _is_form(word, fact.relation.casefold()):
            relation_named = True
        elif not _IN_RELATIONS.fullmatch(word):
            return False
    return relation_named and not ends


def _is_form(word: str, relation: str) -> bool:
    return word == relation or word in _forms(relation)


@lru_cache(maxsize=4096)
def _forms(relation: str) -> frozenset[str]:
    """Return the inflected forms of a relation's name, as a verb or as a noun."""
    import lemminflect  # slow to import, and rarely needed

    inflections = lemminflect.getAllInflections(relation, upos="VERB")
    inflections |= lemminflect.getAllInflections(relation, upos="NOUN")
    inflections = inflections or lemminflect.getAllInflectionsOOV(relation, "VERB")
    return frozenset(form.casefold() for forms in inflections.values() for form in forms)
