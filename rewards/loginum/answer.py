"""What a line of an answer says: the value that is asked for, or a fact that a step concludes.

Read are the phrasings of the prompts (``generators/loginum/templates``), the forms that they ask
for, and formal ones. A line is read against the query or the fact that it might state, so no
vocabulary is needed; each further word has to be one that such sentences are made of.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from logic_curriculum.rewards.answer_values import one_of, read_field, without_markup
from logic_curriculum.rewards.answers import AmbiguousError, Reading, read
from logic_curriculum.rewards.engines.numeric.syntax import (
    AGGREGATORS,
    Fact,
    Query,
    RelationFact,
)

KEYS = ("value", "result")  # keys under which a mapping gives the value
MAX_DIGITS = 400  # longest number that is read, in digits

_PROMPTED_CLAIM = re.compile(
    rf"([A-Za-z]+'s) ([A-Za-z]+) is (-?[0-9]{{1,{MAX_DIGITS}}}+)"
    r"|([A-Za-z]+) exists between ([A-Za-z]+) and ([A-Za-z]+)"
)
_NUMBER = re.compile(
    r"(?:(?<!\w)(?P<sign>[-+])\s?)?(?<![\w.])"
    r"(?P<digits>\d{1,3}(?P<mark>[,_'\u2009\u202f])\d{3}(?:(?P=mark)\d{3}){0,140}+(?!\d)|\d++)"
    r"(?:\.(?P<decimals>\d++))?+(?:\s?/\s?(?P<divisor>\d++))?+(?![\w^%/])"
)
_ITEM = re.compile(r"^[ \t]*[-•] ", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_][\w'-]*+")
_ARITHMETIC = re.compile(r"[-+*/×·()\s0-9.,=]*+")
_LAYOUT = re.compile(r"[\s.,:;'\"()\[\]{}|&→]*+")
_OTHER_SIGNS = re.compile(r"[!<>≠≤≥≈≅≃∼~¬√\\^%⁰¹²³⁴⁵⁶⁷⁸⁹]|-\s*+[(\[]")
_COMMENT = re.compile(
    r"(?<=[\w.)])\s*+[;#].*|\s(?:since|because|via|using|due|per|//|<-|←)\s.*|[.]\s.*", re.DOTALL
)
_NOTE = re.compile(r"(?<=\s)(?:\([^()]*+\)|\[[^\[\]]*+\])\Z")
_ATTRIBUTE_WORDS = """
a an amount amounts are as assigned associated at attribute be becomes characteristic equal equals
feature field for found given has have in is its level now number of property quality quantity
recorded s score set stands that the to trait under value was with
"""
_RELATION_WORDS = """
a an and are arrow bears between called connection does exist exists existed from goes has have hold
holds holding in is labelled leads link now of points relation relationship runs s someone stands
that the there to who with
"""
_IN_ATTRIBUTES = frozenset(_ATTRIBUTE_WORDS.split())
_IN_COMPUTATIONS = _IN_ATTRIBUTES | AGGREGATORS.keys()
_IN_RELATIONS = frozenset(_RELATION_WORDS.split())
_NUMBER_ALONE = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}")
_AROUND = ("answer", "final", "so", "therefore", "thus", "hence", "is", "the", "value", "result")
_UNITS = (["unit"], ["units"], ["point"], ["points"])


def read_value(text: str, query: Query) -> Reading[Fraction]:
    r"""Return the number that a completion answers with.

    >>> read_value("**Answer:** Hetty's willing is 290", Query("Hetty", "willing")).answer
    Fraction(290, 1)
    """
    return read(text, lambda block: _read_block(block, query))


def _read_block(block: str, query: Query) -> Fraction | None:
    if _NUMBER_ALONE.fullmatch(block):
        return Fraction(int(block))
    found = read_field(block, KEYS, lambda text: _read_block(text, query))
    if found is not None:
        return found
    said = without_markup(_ITEM.sub("", block))
    lines = re.split(r"\n|[,;]\s+(?=[^,;()\n]*=)", said)
    return one_of([_line_value(line, query) for line in lines if line.strip()])


def _line_value(line: str, query: Query) -> Fraction | None:
    claim = _read_line(line.strip(" .,;"))
    if claim is None or not claim.numbers:
        return None
    entity, attribute = (name.casefold() for name in query)
    is_choice = len(claim.numbers) > 1
    around = {*_AROUND, "or"} if is_choice else {*_AROUND}
    words = [word for word in claim.words if word == attribute or word not in around]
    is_bare = not words or words in _UNITS or (len(words) == 1 and len(words[0]) == 1)  # x = 290
    if not (is_bare or _says_value(words, entity, attribute)):
        return None
    if is_choice:
        raise AmbiguousError("different numbers")
    return claim.numbers[0] if claim.numbers[0].denominator == 1 else None


class Claim(NamedTuple):
    """A conclusion as stated, without a computation (``42 * -29 + 86 =``) or a comment in it."""

    words: tuple[str, ...]  # in lower case
    numbers: tuple[Fraction, ...] = ()  # the different numbers that it gives, behind its last =


def conclusion_text(fact: Fact) -> str:
    """Return a conclusion as the prompts ask for it."""
    if isinstance(fact, RelationFact):
        return f"{fact.relation} exists between {fact.first} and {fact.second}"
    return f"{fact.entity}'s {fact.attribute} is {fact.value}"


def read_claim(text: str) -> Claim | None:
    """Read what a step concludes; ``None`` if a sign changes what it says (``≠``, ``~``, ``-(``).

    >>> read_claim("**Hetty’s** legal = 42 * -29 + 86 = −1,132 (by rule_5)")
    Claim(words=("hetty's", 'legal'), numbers=(Fraction(-1132, 1),))
    """
    exact = _PROMPTED_CLAIM.fullmatch(text)
    if exact:
        entity, attribute, value, *words = exact.groups()
        if value:
            return Claim((entity.lower(), attribute.lower()), (Fraction(value),))
        return Claim(tuple(map(str.lower, words)))
    return _read_line(_NOTE.sub("", _COMMENT.sub("", without_markup(text).rstrip(" .,"))))


def _read_line(text: str) -> Claim | None:
    """Read a line without comments; ``None`` for what is more than words and numbers."""
    text = text.casefold()
    if _OTHER_SIGNS.search(text):
        return None
    head, equals, tail = text.rpartition("=")
    numbers = list(_NUMBER.finditer(tail))
    if not _LAYOUT.fullmatch(_WORD.sub("", _NUMBER.sub("", tail))):
        return None
    named, _, between = head.partition("=")
    gaps = [tail[first.end() : second.start()] for first, second in pairwise(numbers)]
    is_sum = not all(re.search(r"[^\s+-]", gap) for gap in gaps)  # as in 5 + 5
    if is_sum or not _is_computation(between):
        return None
    verb = re.search(r"\b(?:is|equals|are)\b", named)
    if verb and equals:
        if not _is_computation(named[verb.end() :]):
            return None
        named = named[: verb.start()]
    words = [word.rstrip("'-") for part in (named, tail) for word in _WORD.findall(part)]
    values = dict.fromkeys(map(_value, numbers))
    if None in values:
        return None
    return Claim(tuple(words), tuple(value for value in values if value is not None))


def _is_computation(text: str) -> bool:
    """Return whether a text is numbers and operators, as in ``equal to max(3 * 7, 2)``."""
    words_fit = _IN_COMPUTATIONS.issuperset(_WORD.findall(text))
    return words_fit and _ARITHMETIC.fullmatch(_WORD.sub("", text)) is not None


def _value(number: re.Match[str]) -> Fraction | None:
    digits, divisor = number["digits"], number["divisor"] or "1"
    longest = max(map(len, (digits, divisor, number["decimals"] or "")))
    if longest > MAX_DIGITS or not int(divisor):
        return None
    whole = digits.replace(number["mark"], "") if number["mark"] else digits
    value = Fraction(f"{whole}.{number['decimals'] or 0}") / int(divisor)
    return -value if number["sign"] == "-" else value


def is_about(claim: Claim | None, fact: Fact, names: Collection[str]) -> bool:
    """Return whether a claim states a fact, whatever its number.

    The ``names`` of all entities, in lower case, show whether ``Jos legal`` is about Jos or Jo.
    """
    if claim is None:
        return False
    if isinstance(fact, RelationFact):
        return not claim.numbers and _is_relation(claim.words, fact)
    entity, attribute = fact.entity.casefold(), fact.attribute.casefold()
    is_named = any(_names_entity(word, entity, names) for word in claim.words)
    return bool(claim.numbers) and is_named and _says_value(claim.words, entity, attribute, names)


def _says_value(
    words: Iterable[str], entity: str, attribute: str, names: Collection[str] = ()
) -> bool:
    """Return whether words give an attribute a value; they may leave out the entity."""
    left = [entity, attribute]
    for word in words:
        if entity in left and _names_entity(word, entity, names):
            left.remove(entity)
        elif attribute in left and word == attribute:
            left.remove(attribute)
        elif word not in _IN_ATTRIBUTES:
            return False
    return attribute not in left


def _names_entity(word: str, entity: str, names: Collection[str]) -> bool:
    """Return whether a word is the entity's name, or its possessive in any of its spellings."""
    if word in (entity, f"{entity}'s"):
        return True
    return word in (f"{entity}s", f"{entity}s's") and f"{entity}s" not in names


def _is_relation(words: Sequence[str], fact: RelationFact) -> bool:
    first, second, relation = (word.casefold() for word in (fact.first, fact.second, fact.relation))
    said: list[str] = []
    for word in words:
        if word in (first, second) or word in ("by", "whom"):
            said.append(word)
        elif "R" not in said and (word == relation or word in _forms(relation)):
            said.append("R")
        elif word not in _IN_RELATIONS:
            return False
    is_passive = said in ([second, "R", "by", first], [second, "whom", first, "R"])
    said = [word for word in said if word != "R"] if "R" in said else []
    return is_passive or said == [first, second]


@lru_cache(maxsize=4096)
def _forms(relation: str) -> frozenset[str]:
    """Return the inflected forms of a relation's name, as a verb or as a noun."""
    import lemminflect  # slow to import, and rarely needed

    inflections = lemminflect.getAllInflections(relation, upos="VERB")
    inflections |= lemminflect.getAllInflections(relation, upos="NOUN")
    regular = lemminflect.getAllInflectionsOOV(relation, "VERB")
    forms = [*inflections.values(), *regular.values()]
    return frozenset(form.casefold() for some in forms for form in some)
