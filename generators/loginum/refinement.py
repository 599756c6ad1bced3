"""Lets a language model reword the sentences of a task, and keeps what still says the same.

Source: the second step of LogiNumSynth's generator (§2.2, App. E.2); the prompt and the check are
our own. A sentence is used if it is read, without a model, as saying what the template's says:
names, attributes, relations with their direction, numbers, and which statements are conditions.
Only words of closed lists (``words/refinement.yaml``) are read; of expressions, the words that
compute have to be the same, in the same order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import resources
from typing import Any, NamedTuple

import yaml

from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.generators.loginum.language import Texts
from logic_curriculum.generators.loginum.synthesis import Sample
from logic_curriculum.generators.loginum.vocabulary import Words, verb_forms

Reading = tuple[Any, ...]
AT_A_TIME = 12  # sentences of one question to the model
LONGEST = 1_000  # characters of a sentence that is read at all

_LINE = re.compile(r"[ \t*`-]*((?:fact|rule)_[0-9]+|query)`?\**:\**[ \t]*(.*\S)")


class UnreadableError(ValueError):
    """A sentence can't be read; the text is the reason that it is counted under."""


class _Item(NamedTuple):
    label: str
    formal: str
    text: str
    read: Callable[[str], Reading]


def refine(
    model: LanguageModel, sample: Sample, texts: Texts, words: Words
) -> tuple[Texts, dict[str, Any]]:
    """Ask for another wording of each sentence of the templates; take those that say the same.

    Returns the texts, and counts: ``reworded`` sentences, and those ``kept`` by reason. The model
    is asked once about each sentence, and an ``LLMError`` is raised where it does not answer.
    """
    items = _items(sample, texts, SentenceReader(words))
    parts = [items[start : start + AT_A_TIME] for start in range(0, len(items), AT_A_TIME)]
    answers = model.ask_all([Question.of(_prompt(part)) for part in parts])
    kept: Counter[str] = Counter()
    found: list[str] = []
    for part, answer in zip(parts, answers, strict=True):
        proposals = _proposals(answer.text)
        for item in part:
            try:
                found.append(_checked(item, proposals.get(item.label, ())))
            except UnreadableError as reason:
                kept[str(reason)] += 1
                found.append(item.text)
    facts = len(texts.facts)
    refined = Texts(found[:facts], found[facts:-1], found[-1])
    return refined, {"reworded": len(items) - kept.total(), "kept": dict(sorted(kept.items()))}


def _items(sample: Sample, texts: Texts, reader: SentenceReader) -> list[_Item]:
    facts = enumerate(zip(sample.facts, texts.facts, strict=True), 1)
    rules = enumerate(zip(sample.rules, texts.rules, strict=True), 1)
    return [
        *[_Item(f"fact_{n}", str(fact), text, reader.fact) for n, (fact, text) in facts],
        *[_Item(f"rule_{n}", str(rule), text, reader.rule) for n, (rule, text) in rules],
        _Item("query", str(sample.query), texts.query, reader.query),
    ]


def _proposals(answer: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in answer.splitlines():
        if match := _LINE.fullmatch(line.rstrip()):
            found.setdefault(match[1], []).append(match[2])
    return found


def _checked(item: _Item, proposals: Sequence[str]) -> str:
    """Return the one proposal for a sentence if it says the same; raise the reason if not."""
    if len(proposals) != 1:
        raise UnreadableError("answered twice" if proposals else "not answered")
    text = " ".join(proposals[0].split())
    if text == item.text:
        raise UnreadableError("left as it was")
    try:
        said = item.read(item.text)
    except UnreadableError:
        raise UnreadableError("a template that the check can't read") from None
    if item.read(text) != said:
        raise UnreadableError("something else said")
    if text[0] != text[0].upper() and not text.startswith("entity_"):
        raise UnreadableError("no sentence")
    return text


def _prompt(items: Sequence[_Item]) -> str:
    listed = "\n".join(f"{item.label}: {item.text}   [{item.formal}]" for item in items)
    return f"""\
The sentences below were put together from templates. Write each of them anew as a fluent person \
would say it, in one sentence, with exactly the same meaning. Behind each sentence, in square \
brackets, stands what it says as a formula; there ?a, ?b, ... are entity_1, entity_2, ... of the \
sentence, in some order.

- Keep all names, all names of attributes and relations, and entity_1, entity_2, ... as they are. \
Keep numbers as digits, with their signs.
- Repeat a name where you need it again: write no pronoun for it, and leave nothing out.
- A relation has a direction. Who does it to whom must stay clear, and who has which value.
- In rules, say plainly what the conditions are and what follows, with words such as "if", \
"whenever" and "provided that". Keep the wording of calculations, brackets included, and reword \
what is around them.
- Add nothing: no doubt, no emphasis, no explanation, no commas within a statement.
- Vary the wording from sentence to sentence.

{listed}

Answer with one line for each sentence: its label, a colon and the new sentence, without the \
formula.
"""


# How a sentence is read

_FILE = resources.files("logic_curriculum.generators.loginum") / "words" / "refinement.yaml"
_WORDS: dict[str, frozenset[str]] = {
    place: frozenset(words.split())
    for place, words in yaml.safe_load(_FILE.read_text(encoding="utf-8")).items()
}
"""Place in a sentence → the words that are allowed there."""
_WORDS["relation"] |= {"E", "R"}  # names, and the relation itself
_SAME_WORDS = {
    **dict.fromkeys(("greater", "higher", "maximum"), "larger"),
    **dict.fromkeys(("lesser", "lower", "minimum"), "smaller"),
    "total": "sum",
}
"""Words of expressions that may stand for each other."""

# What stands before conditions:
_PREMISE = r"(?:premise|fact)"
_IF = (
    r"(?:if|when|whenever|once|as long as|in case|(?:every|each) time(?: that)?"
    r"|in (?:every|each|any) case (?:in which|where)|in all cases (?:in which|where)"
    r"|(?:provided|given|assuming|supposing|suppose|considering)(?: that)?"
    rf"|(?:from )?the {_PREMISE} that|it is (?:enough|sufficient) that"
    rf"|(?:can be (?:deduced|inferred|concluded)|follows) from the {_PREMISE} that"
    rf"|is a consequence of the {_PREMISE} that)"
)
# What may stand behind a conclusion that begins with "that", and before conditions, behind "it":
_HOLDS = r"(?:is true|is the case|holds)"
# What stands before a conclusion, "then" aside:
_THEN = (
    r"(?:it (?:then |therefore |also )?(?:follows|holds|is true|is the case|is also true"
    r"|is also the case|can be (?:inferred|deduced|concluded)) that"
    r"|(?:one|we) (?:can|may) (?:conclude|infer|deduce) that|(?:this )?(?:implies|means) that"
    r"|for it to follow that)"
)
# What stands between an attribute and the expression for its value:
_IS = (
    r"(?:is equal to|equals|amounts to|comes to|stands at|is assigned the value(?: of)?"
    r"|is (?:given|recorded|listed|noted|logged|registered) as|is set to|is assigned|is)"
)

_TOKEN = re.compile(r"[Ee]ntity_[0-9]+(?:['’]s)?|[−-]?[0-9]+|[^\W\d_]+(?:[-'’][^\W\d_]+)*+|\S")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_POSSESSIVE = re.compile(r"(?<=.)['’]s?$")
_JOINER = re.compile(r" (?:, and|, while|,|and|while) (?:that )?")
_OPENING = re.compile(rf"{_IF} ")
_MIDDLE = re.compile(rf" (?:[,;] )?(?:then )?(?:{_THEN} )?")
_TURN = re.compile(rf"(?: (?:{_HOLDS}|follows))? (?:, )?{_IF} (?:it {_HOLDS} that )?")
_CLOSING_INTRODUCTION = re.compile(rf"(?:{_THEN}|that) ")
_RECORDED = r"(?:recorded|listed|logged|noted|registered|stored|given)"
_ATTRIBUTE = r"(?:the |its )?A\d+(?: \w+)?"
_CONCLUSIONS = (
    re.compile(rf"(?P<value>.+) is {_RECORDED} for (?P<goal>E\d+ under (?:the )?A\d+(?: \w+)?)"),
    re.compile(rf"(?P<value>.+) is (?:assigned|given) to (?P<goal>E\d+ as {_ATTRIBUTE})"),
    re.compile(rf"(?P<goal>E\d+) has (?P<value>.+) as (?P<rest>{_ATTRIBUTE})"),
)
_IS_CONCLUSION = re.compile(rf"(?P<goal>.+?) {_IS} (?!{_RECORDED}|assigned)(?P<value>.+)")


class _Token(NamedTuple):
    kind: str
    """``E`` for a name or variable, ``A`` for an attribute, ``N`` for a number, ``R`` for a
    relation, empty for any other word or mark."""
    word: str  # the number, the name, the attribute, the relation, or the word in lower case
    forms: str = ""  # of a relation, what forms the word can be: b base, s present, p participle


class SentenceReader:
    """Reads sentences of one task; an UnreadableError says that one can't be read in one way."""

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
        if [token.kind or token.word for token in tokens[:3]] == ["for", "E", ","]:
            del tokens[2]
        return _clause(tokens)

    def rule(self, sentence: str) -> Reading:
        """Return a rule's conditions, sorted, and its conclusion."""
        tokens = self._tokens(sentence, ".")
        words = [f"{kind}{at}" if kind else word for at, (kind, word, _) in enumerate(tokens)]
        found = set()
        for conditions, conclusion in _partitions(" ".join(words)):
            with suppress(UnreadableError):
                read = [_clause(_tokens_at(part, tokens)) for part in _JOINER.split(conditions)]
                found.add((tuple(sorted(read)), _conclusion(conclusion, tokens)))
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
        if name := next((name for name in (text, bare) if name in self._names), None):
            return _Token("E", name)
        if bare.casefold() in self._attributes:
            return _Token("A", bare.casefold())
        word = text.casefold()
        found = self._relations.get(word, ())
        if not found:
            return _Token("", word)
        if len({relation for relation, _ in found}) > 1:
            raise UnreadableError("a word that is the form of two relations")
        return _Token("R", found[0][0], "".join([form for _, form in found]))


def _partitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield every way to tell the conditions from the conclusion."""
    if opening := _OPENING.match(text):
        for middle in _MIDDLE.finditer(text, opening.end()):
            if middle[0] != " ":
                yield text[opening.end() : middle.start()], text[middle.end() :]
        return
    introduction = _CLOSING_INTRODUCTION.match(text)
    start = introduction.end() if introduction else 0
    for turn in _TURN.finditer(text, start):
        yield text[turn.end() :], text[start : turn.start()]


def _tokens_at(text: str, tokens: Sequence[_Token]) -> list[_Token]:
    """Return the tokens of a part of a sentence that is written with their places."""
    return [
        tokens[int(word[1:])] if word[0] in "EANR" else _Token("", word) for word in text.split()
    ]


def _conclusion(text: str, tokens: Sequence[_Token]) -> Reading:
    parts = _tokens_at(text, tokens)
    if sorted(token.kind for token in parts if token.kind) == ["A", "E", "N"]:
        kind, entity, attribute, value = _clause(parts)
        return (kind, entity, attribute, (("N", str(value)),))
    found = next(filter(None, (pattern.fullmatch(text) for pattern in _CONCLUSIONS)), None)
    if found is None:
        if any(token.kind == "R" for token in parts):
            return _clause(parts)
        if (found := _IS_CONCLUSION.fullmatch(text)) is None:
            raise UnreadableError("a conclusion without a verb")
    goal = f"{found['goal']} {found.groupdict().get('rest', '')}"
    pair = _pair(_tokens_at(goal, tokens), "value")
    return ("is", *pair, _expression(_tokens_at(found["value"], tokens)))


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
    return None if {"from", "to", "whom"} & {*others} else " E " not in f"{before} "


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
