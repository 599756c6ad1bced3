r"""What a completion says: the value that is asked for, its steps, and what a step concludes.

Read are the phrasings of the prompts (``generators/loginum/templates``), the forms that they ask
for, and formal ones. A line is read against the query or the fact that it might state, so no
vocabulary is needed; each further word has to be one that such sentences are made of.

A step is what it rests on, an arrow, its number and what it concludes, or the other way round::

    rule_5 & fact_4 & int_1 =>> int_2: Hetty's willing is -3197
    int_2: Hetty's willing is -3197 <<= rule_5 & fact_4 & int_1

Models vary arrows, bullets and references (``**Rule 5**``, ``fact_i2``, ``\text{rule}_{5}``).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from logic_curriculum.rewards.answers import AmbiguousError, Reading, one_of, read, without_markup
from logic_curriculum.rewards.blocks import plain_text, spoken_text
from logic_curriculum.rewards.engines.numeric.syntax import AGGREGATORS, Fact, Query, RelationFact

KEYS = ("value", "result")  # keys under which a mapping gives the value
MAX_DIGITS = 400  # longest number that is read, in digits

_NUMBER = re.compile(
    r"(?:(?<!\w)(?P<sign>[-+])\s?)?(?<![\w.])"
    r"(?P<digits>\d{1,3}(?P<mark>[,_'\u2009\u202f])\d{3}(?:(?P=mark)\d{3}){0,140}+(?!\d)|\d++)"
    r"(?:\.(?P<decimals>\d++))?+(?:e\+?(?P<power>\d{1,3}))?+(?:\s?/\s?(?P<divisor>\d++))?+(?![\w^%/])"
)
_EQUATED = re.compile(rf"(?:[^:]*+:)*+[^\w+*/×·-]*+{_NUMBER.pattern}\s*")
_MINUS = re.compile(
    r"(?<![\w)])–(?=\d)|(?:(?<=\bis\s)|(?<=\bequals\s)|(?<=\bto\s)|(?<![\w)]\s)(?<![\w)]))minus\s+(?=\d)"
)
_TIMES_TEN = re.compile(
    r"(?<=\d)\s?(?:[×x*·]|\\times|\\cdot)\s?10\s?(?:\^|\*\*)\s?[{(]?\+?(\d{1,3})[)}]?(?!\d|\.\d|\^)"
)
_MORE_THAN = re.compile(r"(?<=[>\]{:*$])([ \t]*)>(?=[ $*]*[-+−]?\d)|(?<=\bis )>")  # no quote's
_ITEM = re.compile(r"^[ \t]*(?:•|-(?!\s*[\d\\])) ", re.MULTILINE)
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
_AROUND = ("answer", "final", "so", "therefore", "thus", "hence", "is", "the", "value", "result")
_UNITS = (["unit"], ["units"], ["point"], ["points"])


def read_value(text: str, query: Query) -> Reading[Fraction]:
    r"""Return the number that a completion answers with.

    >>> read_value("**Answer:** Hetty's willing is 290", Query("Hetty", "willing")).answer
    Fraction(290, 1)
    """
    text = _MORE_THAN.sub(r"\1≥", plain_text(text))
    return read(text, lambda block: _read_block(block, query), keys=KEYS)


def _read_block(block: str, query: Query) -> Fraction | None:
    said = without_markup(_TIMES_TEN.sub(r"e\1", _ITEM.sub("", block)))
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
    text = _TIMES_TEN.sub(r"e\1", text)
    return _read_line(_NOTE.sub("", _COMMENT.sub("", without_markup(text).rstrip(" .,"))))


def _read_line(text: str) -> Claim | None:
    """Read a line without comments; ``None`` for what is more than words and numbers."""
    text = _MINUS.sub("-", text.casefold())
    if _OTHER_SIGNS.search(text):
        return None
    head, equals, tail = text.rpartition("=")
    numbers = list(_NUMBER.finditer(tail))
    if not _LAYOUT.fullmatch(_WORD.sub("", _NUMBER.sub("", tail))):
        return None
    named, _, between = head.partition("=")
    equated = [found for part in head.split("=") if (found := _EQUATED.fullmatch(part))]
    if equated and {*map(_value, equated)} != {*map(_value, numbers)}:
        return None  # as in 33 = 26
    gaps = [tail[first.end() : second.start()] for first, second in pairwise(numbers)]
    is_sum = not all(re.search(r"[^\s+-]", gap) for gap in gaps)  # as in 5 + 5
    if is_sum or not _is_computation(between):
        return None
    verb = re.search(r"\b(?:is|equals|are)\b", named)
    if verb and equals:
        if not _is_computation(named[verb.end() :]):
            return None
        named = named[: verb.start()]
    words = [word.rstrip("'-") for word in _WORD.findall(_NUMBER.sub(" ", f"{named} {tail}"))]
    values = dict.fromkeys(map(_value, numbers))
    if None in values:
        return None
    return Claim(tuple(words), tuple(value for value in values if value is not None))


def _is_computation(text: str) -> bool:
    """Return whether a text is numbers and operators, as in ``equal to max(3 * 7, 2)``."""
    text = _NUMBER.sub("0", text)
    words_fit = _IN_COMPUTATIONS.issuperset(_WORD.findall(text))
    return words_fit and _ARITHMETIC.fullmatch(_WORD.sub("", text)) is not None


def _value(number: re.Match[str]) -> Fraction | None:
    digits, divisor = number["digits"], number["divisor"] or "1"
    longest = max(map(len, (digits, divisor, number["decimals"] or "")))
    if longest > MAX_DIGITS or not int(divisor):
        return None
    whole = digits.replace(number["mark"], "") if number["mark"] else digits
    value = Fraction(f"{whole}.{number['decimals'] or 0}e{number['power'] or 0}") / int(divisor)
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


# -- steps -----------------------------------------------------------------------------------------

MAX_STEPS = 100  # how many steps of a summary are read; what follows them is not
MAX_LINE = 4000  # how much of a line is read, in characters, with the lines that continue it
MAX_ARROWS = 8  # at how many arrows of a line a step is looked for

_ARROW = re.compile(
    r"(?P<right>(?<![=–—<-])[=–—-]++>++|[→⇒⟹⟶➔➜⇛↦∴⊢]"
    r"|\\(?:(?:[Ll]ong)?[rR]ightarrow|Rrightarrow|implies|to|mapsto)(?![A-Za-z]))"
    r"|<{1,2}[=–—-]++(?!>)|[←⇐⟸⟵]|\\(?:(?:[Ll]ong)?[lL]eftarrow|impliedby)(?![A-Za-z])"
)
_MAY_HAVE_ARROW = re.compile(r"[<>→⇒⟹⟶➔➜⇛↦∴⊢←⇐⟸⟵]|\\[A-Za-z]")
_GLUE = r"[\s_\\{}#*`.-]*+"
_REFERENCE = re.compile(
    r"(?<![^\W_])(?:(?P<kind>rule|fact|int(?:ermediate)?+(?:[ _](?:fact|conclusion|result))?+"
    rf"|conclusion|step)s?+{_GLUE}|(?P<letter>[rfi])_?+(?=\d))"
    rf"(?:(?P<derived>i(?:nt(?:ermediate)?+)?+){_GLUE})?+[(\[]?+(?P<number>\d{{1,4}})(?![^\W_])"
    r"(?P<further>(?:[)\]}\s]*+(?:[,&]|and\b)\s*+\d{1,4}(?![^\W_]))*+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:[\s&,;:+*`$\\{}()\[\]\"'|∧·^~_>•-]|\d{1,2}[.)]|(?:and|with|plus|from|using|via|on|to|by"
    r"|applied|then|text[a-z]*+|math[a-z]*+|land|wedge|quad|amp|therefore|so)(?![^\W_]))*+",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\((?![^()]*(?:rule|fact|int)s?[\s_\\{}]*i?\d)(?:[^()]++|\([^()]*+\))*+\)", re.I
)
_LABEL = re.compile(
    r"(?:[-•\s*`$\\{}\"'()|>]|\d{1,2}[.)](?=[\s*`]))*+(?:(?:text|math)[a-z]*+[\s{]*+)?+"
)
_NUMBERING = re.compile(r"\A[\s|>]*+(?:\(?\d{1,2}[.)]\s++|[-*•]\s++(?=[^\W\d_]))?+")
_AFTER_LABEL = re.compile(r"[\s*`$\\{}\"'()]*+[:.=–—-]*+")
_HEADING = re.compile(
    r"[\s>]*+(?!.*\bstep\b)"
    r"(?:#{1,6}[ \t].*|(?:[^\W\d_]++[ \t]*+){1,7}+:.*|(?:the |final )*+answer\b.*)",
    re.IGNORECASE,
)


class Step(NamedTuple):
    """A step as stated."""

    number: int  # by which others refer to it: the one that it states, else its place, from 1
    rules: frozenset[int]
    facts: frozenset[int]
    steps: frozenset[int]  # numbers of the steps that it rests on
    claim: str  # what it concludes, as written


_Basis = tuple[frozenset[int], frozenset[int], frozenset[int]]  # of rules, facts and steps
_Stated = tuple[int | None, _Basis, str]  # number if there is one, what it rests on, conclusion


def read_steps(completion: str) -> tuple[Step, ...]:
    """Return the steps of the last summary outside of thoughts, in the order of the text.

    A heading begins a new summary (``Reasoning:``, ``## Final summary``; not ``Step 2:``). Of steps
    with the same number the last counts.

    >>> read_steps("- **Rule 5** & fact_4 → int1: Hetty’s legal = 3")[0].claim
    "Hetty's legal = 3"
    """
    text = spoken_text(completion)[0].replace("**", "").replace("’", "'")
    summary: list[_Stated] = []
    is_new = False
    for line in _lines(text):
        stated = _read_step(line) if _MAY_HAVE_ARROW.search(line) else None
        if stated is None:
            may_be_heading = ":" in line or "nswer" in line or "#" in line
            is_new = is_new or (may_be_heading and _HEADING.fullmatch(line) is not None)
            continue
        if is_new:
            summary, is_new = [], False
        if len(summary) < MAX_STEPS:
            summary.append(stated)
    return _numbered(summary)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines, joined where one ends with ``&`` or the next begins with an arrow."""
    pending = ""
    for line in text.split("\n"):
        bare = line.strip()
        first = _ARROW.match(bare) if bare[:1] in "=-–—→⇒⟹<&\\" else None
        if pending and (pending.endswith(("&", ",")) or (first and first["right"])):
            pending = f"{pending} {bare}"[:MAX_LINE]
        else:
            if pending:
                yield pending
            pending = bare[:MAX_LINE]
    if pending:
        yield pending


def _read_step(line: str) -> _Stated | None:
    for arrow in islice(_ARROW.finditer(line), MAX_ARROWS):
        before, after = line[: arrow.start()], line[arrow.end() :]
        number = None
        if arrow["right"]:
            label = _reference_at(before)
            if label and label[0] == "i" and ":" in before[label[2] : label[2] + 4]:
                number, before = label[1], before[label[2] :]
        basis = _basis(before if arrow["right"] else after)
        if basis is None:
            continue
        claim = after if arrow["right"] else before
        label = _reference_at(claim)
        if label and label[0] != "r":
            rest = _AFTER_LABEL.match(claim, label[2])
            claim = claim[rest.end() if rest else label[2] :]
            number = label[1] if label[0] == "i" else number
        if not arrow["right"]:
            claim = _NUMBERING.sub("", claim, count=1)
        return number, basis, claim.strip().strip(" .|")
    return None


def _basis(text: str) -> _Basis | None:
    """Return the references of a text, ``None`` if it holds anything else."""
    text = _ASIDE.sub(" ", text) if "(" in text else text
    cited: dict[str, set[int]] = {"r": set(), "f": set(), "i": set()}
    position = 0
    for match in _REFERENCE.finditer(text):
        if not _BETWEEN.fullmatch(text, position, match.start()):
            return None
        numbers = (match["number"], *re.findall(r"\d+", match["further"]))
        cited[_kind(match)].update(map(int, numbers))
        position = match.end()
    if not position or not _BETWEEN.fullmatch(text, position):
        return None
    return frozenset(cited["r"]), frozenset(cited["f"]), frozenset(cited["i"])


def _reference_at(text: str) -> tuple[str, int, int] | None:
    """Return the kind, the number and the end of the reference that a text begins with."""
    marks = _LABEL.match(text)
    match = _REFERENCE.match(text, marks.end() if marks else 0)
    return (_kind(match), int(match["number"]), match.end("number")) if match else None


def _kind(match: re.Match[str]) -> str:
    kind = (match["kind"] or match["letter"]).lower()
    return "i" if match["derived"] or kind[0] in "ics" else kind[0]


def _numbered(stated: Sequence[_Stated]) -> tuple[Step, ...]:
    """Give steps without a number that of their place, and drop those that a later one replaces."""
    taken = {number for number, *_ in stated}
    steps: dict[int, Step] = {}
    for place, (number, basis, claim) in enumerate(stated, 1):
        if number is None:
            number = -place if place in taken else place
        steps.pop(number, None)
        steps[number] = Step(number, *basis, claim)
    return tuple(steps.values())
