"""Reads facts, rules and queries of LogiNumSynth from English, and finds every way to read them.

The templates' file is the only thing shared with the program that writes: what it lists as data is
made a grammar here, in which attributes may be any words and names anything with a capital. A
sentence with two readings has two elements in the result. Readings are those of
``loginum_reference``, with variables called ``?1``, ``?2``, … as the sentence numbers them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from loginum_morphology import lemmas_of_participle, lemmas_of_present

TEMPLATES = Path(__file__).parents[2] / "generators" / "loginum" / "templates"
Reading = tuple[Any, ...]
Readings = frozenset[Reading]

_WORDS: Mapping[str, str] = {
    "attribute": r"[^\W\d_][\w'’-]*",
    "relation": r"[^\W\d_][\w'’-]*",
    "presents": r"[^\W\d_][\w'’-]*",
    "participle": r"[^\W\d_][\w'’-]*",
    "name": r"[A-Z][\w’-]*(?:'[A-Z][\w’-]*)?",
    "variable": r"entity_\d+",
    "number": r"-?\d+",
    "natural": r"\d+",
}
"""Kind of slot that holds one word → what it may look like."""
_LONG = frozenset(
    [
        "conditions",
        "premises",
        "conclusion",
        "patterns",
        "value",
        "lookup",
        "left",
        "right",
        "base",
        "expression",
    ]
)
"""Slots that may hold more than one word."""


@dataclass(frozen=True)
class Template:
    """A wording: literal texts and, between them, slots."""

    literals: tuple[str, ...]
    slots: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Template:
        parts = re.split(r"\{(\w+)\}", text)
        return cls(tuple(parts[::2]), tuple(parts[1::2]))

    @cached_property
    def longest(self) -> str:
        return max(self.literals, key=len)

    def splits(self, text: str) -> Iterator[dict[str, str]]:
        """Yield all ways to divide a text into what fills the slots."""
        if self.longest in text and all(literal in text for literal in self.literals):
            for found in self._splits(text, 0):
                yield dict(zip(self.slots, found, strict=True))

    def _splits(self, text: str, place: int) -> Iterator[tuple[str, ...]]:
        literal = self.literals[place]
        if not text.startswith(literal):
            return
        rest = text[len(literal) :]
        if place == len(self.slots):
            if not rest:
                yield ()
            return
        following = self.literals[place + 1]
        room = rest if self.slots[place] in _LONG else rest[: _first_word(rest, following)]
        for end in _ends(room, following, place + 1 == len(self.slots)):
            for more in self._splits(rest[end:], place + 1):
                yield (rest[:end], *more)


def _first_word(text: str, following: str) -> int:
    """Return where a text has to end that has one word and then a literal."""
    end = text.find(" ")
    return len(text) if end < 0 else end + len(following)


def _ends(text: str, following: str, last: bool) -> Iterator[int]:
    """Yield where a slot may end: before each occurrence of the literal that follows."""
    if last:
        end = len(text) - len(following)
        if end > 0 and text.endswith(following):
            yield end
        return
    end = text.find(following, 1)
    while end > 0:
        yield end
        end = text.find(following, end + 1)


def _expanded(entries: Sequence[Any]) -> tuple[Template, ...]:
    """Write out the choices of words that entries list."""
    found = []
    for entry in entries:
        if isinstance(entry, str):
            found.append(Template.of(entry))
            continue
        choices = {slot: words for slot, words in entry.items() if slot != "text"}
        for words in product(*choices.values()):
            text = entry["text"]
            for slot, word in zip(choices, words, strict=True):
                text = text.replace(f"{{{slot}}}", str(word))
            found.append(Template.of(text))
    return tuple(found)


class Reader:
    """Reads sentences in the wordings of one file."""

    def __init__(self, language: str = "english") -> None:
        source = yaml.safe_load((TEMPLATES / f"{language}.yaml").read_text(encoding="utf-8"))
        self.conjunctions: Mapping[str, str] = {
            "conditions": source["conjunction"],
            "premises": source["premise_conjunction"],
        }
        self.operand = Template.of(source["operand"])
        self.banks: dict[str, tuple[Template, ...]] = {}
        for kind, entries in source.items():
            if isinstance(entries, list):
                self.banks[kind] = _expanded(entries)
            elif isinstance(entries, dict):
                for part, listed in entries.items():
                    self.banks[f"{kind} {part}"] = _expanded(listed)

    # Sentences

    def fact(self, sentence: str) -> Readings:
        return self._sentence(sentence, ".", lambda text: self.clause(text, "name"))

    def rule(self, sentence: str) -> Readings:
        return self._sentence(sentence, ".", self.implication)

    def query(self, sentence: str) -> Readings:
        found = {
            (entity, attribute)
            for template in self.banks["queries"]
            for slots in template.splits(sentence)
            for _, entity, attribute in self.retrieval(slots["lookup"], "name")
        }
        return frozenset(found)

    def _sentence(self, sentence: str, stop: str, read: Callable[[str], Readings]) -> Readings:
        """Read a clause that begins with a capital, which may or may not be its own."""
        if not sentence.endswith(stop) or (not sentence[:1].isupper() and sentence[:1].isalpha()):
            return frozenset()
        clause = sentence.removesuffix(stop)
        return read(clause) | read(clause[:1].lower() + clause[1:])

    # Clauses

    @lru_cache(maxsize=4096)  # noqa: B019 - one reader lives as long as the tests
    def implication(self, text: str) -> Readings:
        found = set()
        for template in self.banks["implications"]:
            for slots in template.splits(text):
                conclusions = self.clause(slots.pop("conclusion"), "variable")
                ((kind, listed),) = slots.items()
                if conclusions:
                    found |= set(product(self.conditions(listed, kind), conclusions))
        return frozenset(found)

    @lru_cache(maxsize=4096)  # noqa: B019 - one reader lives as long as the tests
    def conditions(self, text: str, kind: str) -> Readings:
        """Read conditions with what joins those of a kind of slot between them."""
        found = {(one,) for one in self.condition(text)}
        for left, right in _halves(text, self.conjunctions[kind]):
            firsts = self.condition(left)
            if firsts:
                found |= {(one, *more) for one in firsts for more in self.conditions(right, kind)}
        return frozenset(found)

    def condition(self, text: str) -> Readings:
        return frozenset((one,) for one in self._plain(text))

    def _plain(self, text: str) -> Readings:
        """Read a clause whose value, if it has one, is a number."""
        return frozenset(
            (*clause[:3], clause[3][1]) if clause[0] == "is" else clause
            for clause in self.clause(text, "variable")
            if clause[0] == "rel" or clause[3][0] == "number"
        )

    @lru_cache(maxsize=16384)  # noqa: B019 - one reader lives as long as the tests
    def clause(self, text: str, who: str) -> Readings:
        """Read that an attribute has a value or that a relation holds.

        Args:
            text: The clause, beginning with a small letter unless with a name.
            who: ``"name"`` or ``"variable"``, what entities are; names have numbers only.
        """
        found: set[Reading] = set()
        for bank in ("attribute_facts", "assignments"):
            for template in self.banks[bank]:
                for slots in template.splits(text):
                    if not _is(slots["entity"], who) or not _is(slots["attribute"], "attribute"):
                        continue
                    for value in self.expression(slots["value"], who):
                        if (value[0] == "value") == (bank == "assignments"):
                            found.add(("is", _entity(slots["entity"]), slots["attribute"], value))
        if who == "name":
            found = {(*clause[:3], clause[3][1]) for clause in found if clause[3][0] == "number"}
        return frozenset(found | self._relations(text, who))

    def _relations(self, text: str, who: str) -> set[Reading]:
        found: set[Reading] = set()
        for template in self.banks["relation_facts"]:
            for slots in template.splits(text):
                first, second = slots.pop("first"), slots.pop("second")
                if _is(first, who) and _is(second, who):
                    for relation in _relation(slots):
                        found.add(("rel", relation, _entity(first), _entity(second)))
        return found

    # Expressions

    @lru_cache(maxsize=16384)  # noqa: B019 - one reader lives as long as the tests
    def expression(self, text: str, who: str) -> Readings:
        if _is(text, "number"):
            return frozenset({("number", int(text))})
        if who == "name":
            return frozenset()
        found = set(self.retrieval(text, who))
        for kind, sign in (("addition", 1), ("subtraction", -1), ("increase", 1), ("decrease", -1)):
            found |= self._linear(f"calculations {kind}", text, sign)
        found |= self._linear("calculations product", text, 0)
        for operator in ("max", "min", "addition", "subtraction"):
            for template in self.banks[f"aggregations {operator}"]:
                for slots in template.splits(text):
                    pairs = product(self._operand(slots["left"]), self._operand(slots["right"]))
                    found |= {(operator, *pair) for pair in pairs}
        return frozenset(found)

    def _linear(self, bank: str, text: str, sign: int) -> set[Reading]:
        found: set[Reading] = set()
        for template in self.banks[bank]:
            for slots in template.splits(text):
                factor, amount = slots.get("factor", "1"), slots.get("amount", "0")
                if _is(factor, "number") and _is(amount, "natural"):
                    for _, entity, attribute in self.retrieval(slots["lookup"], "variable"):
                        summand = sign * int(amount)
                        found.add(("linear", int(factor), entity, attribute, summand))
        return found

    def _operand(self, text: str) -> Readings:
        found = set(self.retrieval(text, "variable"))
        if _is(text, "number"):
            found.add(("number", int(text)))
        for slots in self.operand.splits(text):
            found |= self.expression(slots["expression"], "variable")
        return frozenset(found)

    @lru_cache(maxsize=16384)  # noqa: B019 - one reader lives as long as the tests
    def retrieval(self, text: str, who: str) -> Readings:
        return frozenset(
            ("value", _entity(slots["entity"]), slots["attribute"])
            for template in self.banks["retrievals"]
            for slots in template.splits(text)
            if _is(slots["entity"], who) and _is(slots["attribute"], "attribute")
        )


def _halves(text: str, joiner: str) -> Iterator[tuple[str, str]]:
    place = text.find(joiner)
    while place >= 0:
        yield text[:place], text[place + len(joiner) :]
        place = text.find(joiner, place + 1)


def _is(text: str, kind: str) -> bool:
    return re.fullmatch(_WORDS[kind], text) is not None


def _entity(text: str) -> str:
    return text.replace("entity_", "?") if _is(text, "variable") else text


def _relation(slots: Mapping[str, str]) -> Sequence[str]:
    """Return what the relation may be called whose forms fill some slots."""
    (kind, word), *others = slots.items()
    assert not others, "a template shows a relation in two forms"
    if not _is(word, kind):
        return ()
    if kind == "relation":
        return (word,)
    return lemmas_of_present(word) if kind == "presents" else lemmas_of_participle(word)
