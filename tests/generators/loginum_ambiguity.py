"""Reads sentences of LogiNumSynth with a grammar that takes whatever English allows.

It knows no template. Operations have no precedence, conditions may belong to the statement before
them or to a number in it, an "and" may join conditions, operands or whole statements, and phrases
with "of" or "for" may belong to any noun before them. So a sentence that a careful reader could
take in two ways has two meanings here. Meanings are compared, not trees (``loginum_meanings``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import loginum_meanings as mean
from loginum_meanings import Meaning, Several
from loginum_morphology import lemmas_of_participle, lemmas_of_present

Meanings = frozenset[Meaning]

_IF = (
    "if|when|whenever|every_time|in_every_case_in_which|in_all_cases_where|provided_that|given_that"
    "|assuming_that"
)
_THAT = (
    "it_follows_that|it_holds_that|it_is_true_that|it_is_the_case_that|it_is_also_the_case_that"
    "|it_can_be_inferred_that|it_can_be_deduced_that|it_can_be_concluded_that"
    "|one_can_conclude_that|one_may_infer_that"
)
_NOUN = "value|number|attribute|property|characteristic|trait|quality|feature|field"
_EQUALS = "is|equals|is_equal_to"
_IS = f"{_EQUALS}|amounts_to|stands_at|is_given_as|is_recorded_as|is_set_to"
_TO = "subtracting|deducting"

GRAMMAR: Mapping[str, Mapping[str, Callable[..., Meaning]]] = {
    "question": {
        "what|which_number|what_number is {value}": mean.same,
        "what does {value} equal": mean.same,
        "find|determine {value}": mean.same,
    },
    "statement": {
        "{clause}": mean.same,
        f"{_THAT} {{statement}}": mean.same,
        "that {statement} is_true|is_the_case|holds|follows": mean.same,
        "{statement} ,? and {statement}": mean.every,
        "{statement} ,? or {statement}": mean.one_statement,
        f"{{statement}} ,? {_IF} {{conditions}}": mean.rule,
        "that {statement} can_be_deduced_from_the_premise_that {conditions}": mean.rule,
        "that {statement} is_a_consequence_of_the_premise_that {conditions}": mean.rule,
        "for_it_to_follow_that {statement} , it_is_enough_that {conditions}": mean.rule,
        f"{_IF} {{conditions}} , then? {{statement}}": mean.rule_of,
        "from_the_premise_that {conditions} , {statement}": mean.rule_of,
        "the_premise_that {conditions} implies_that {statement}": mean.rule_of,
        "suppose_that {conditions} ; then {statement}": mean.rule_of,
        "suppose_that {conditions} and {statement} ; then {statement}": mean.rule_and,
    },
    "conditions": {
        "{clause}": mean.needed,
        f"{_THAT} {{conditions}}": mean.same,
        "{conditions} ,? and that? {conditions}": mean.every,
        "{conditions} ,? or that? {conditions}": mean.either,
    },
    "clause": {
        f"{{noun}} {_IS} {{value}}": mean.assigned,
        f"{{noun}} {_EQUALS} {{noun}}": mean.equal,
        f"for {{entity}} {{noun}} {_IS} {{value}}": mean.for_entity,
        f"{{value}} is_recorded|is_given for {{entity}} under the {{attribute}} {_NOUN}": (
            mean.recorded
        ),
        f"{{value}} is_assigned|is_given to {{entity}} as the {{attribute}} {_NOUN}": mean.recorded,
        f"{{entity}} has {{value}} as the {{attribute}} {_NOUN}": mean.had,
        "{entities} {present} {entities}": mean.active,
        "{entities} is_someone_who {present} {entities}": mean.active,
        "{entities} has|bears|stands_in {link} to {entities}": mean.active,
        "{entities} is|are {participle} by {entities}": mean.passive,
        "{entities} is_someone_who_is {participle} by {entities}": mean.passive,
        "{entities} is_someone_who|is_someone_whom {entities} {present}": mean.whom,
        "{link} holds|goes|runs|leads|points from {entities} to {entities}": mean.related,
        "from {entities} to {entities} there is|runs {link}": mean.fronted,
        "there is {link} between {entity} and {entity}": mean.between,
        "{link} holds|exists between {entity} and {entity}": mean.between,
    },
    "entities": {
        "{entity}": lambda entity: (entity,),
        "{entities} and {entities}": lambda some, more: (*some, *more),
    },
    "link": {
        "the relation|relationship {relation}": mean.same,
        "the {relation} relation|relationship|connection|link": mean.same,
        "a relation|connection|link called {relation}": mean.same,
        "an arrow labelled {relation}": mean.same,
    },
    "noun": {
        f"{{entity}} 's {{attribute}} {_NOUN}": mean.pair,
        f"{{entity}} 's {_NOUN} {{attribute}}": mean.pair,
        f"{{entity}} 's {_NOUN}": mean.of_entity,
        f"the {{attribute}} {_NOUN}": mean.of_attribute,
        f"the {_NOUN} {{attribute}}": mean.of_attribute,
        f"the {_NOUN}": mean.nothing,
        "{noun} recorded|found|given|stored": mean.same,
        "{noun} of|for {noun}": mean.merged,
        "{noun} of|for {entity}": mean.with_entity,
        "{noun} that {entity} has": mean.with_entity,
        "{noun} of|for|under|associated_with {attribute}": mean.with_attribute,
        f"{{noun}} in|under the {{attribute}} {_NOUN}": mean.with_attribute,
    },
    "value": {
        "{number}": mean.same,
        "{noun}": mean.value_of,
        "( {value} )": mean.same,
        "the value|number of {value}": mean.same,
        f"{{value}} ,? {_IF} {{conditions}}": mean.number_if,
        "{value} times {value}": mean.times,
        "{value} plus|more_than|added_to {value}": mean.plus,
        "{value} minus {value}": mean.minus,
        "{value} less_than|subtracted_from {value}": mean.taken_from,
        "{changed}": mean.same,
        "the result|outcome of {doing}": mean.same,
        "the number|sum|difference|product obtained_by {doing}": mean.same,
        "the number|sum|difference|product that {doing} gives": mean.same,
        "the number|sum that {values} add_up_to": mean.total,
        "the sum|total|combined_total of {values}": mean.total,
        "the product of {values}": mean.product_of,
        "the greater|higher|maximum number|value? of|out_of {values}": mean.greatest,
        "the lesser|lower|minimum number|value? of|out_of {values}": mean.least,
        "the larger number|value? of|out_of {values}": mean.largest,
        "the smaller number|value? of|out_of {values}": mean.smallest,
        "the difference that results|remains when {value} is_taken_away_from {value}": (
            mean.taken_from
        ),
        "the difference between {value} and {value}": mean.distance,
        "the amount by_which {value} exceeds {value}": mean.excess,
    },
    "values": {"{value} and {value}": mean.pair, "{value} ,|and {values}": mean.longer},
    "changed": {
        "{value} multiplied_by|scaled_by|scaled_by_a_factor_of {value}": mean.times,
        "{value} increased_by {value}": mean.increased,
        "{value} decreased_by|lowered_by|reduced_by {value}": mean.decreased,
        "{changed} and then? multiplied_by|scaled_by|scaled_by_a_factor_of {value}": mean.times,
        "{changed} and then? increased_by {value}": mean.increased,
        "{changed} and then? decreased_by|lowered_by|reduced_by {value}": mean.decreased,
    },
    "doing": {
        "multiplying {value} by {value}": mean.times,
        "scaling {value} by|by_a_factor_of {value}": mean.times,
        "adding {value} to {value}": mean.plus,
        "adding_up {values}": mean.total,
        f"{_TO} {{value}} from {{value}}": mean.taken_from,
        "taking {value} away_from {value}": mean.taken_from,
        "increasing {value} by {value}": mean.increased,
        "decreasing|lowering|reducing {value} by {value}": mean.decreased,
        "{doing} and then? multiplying_by {value}": mean.times,
        "{doing} and then? adding {value}": mean.plus,
        f"{{doing}} and then? {_TO} {{value}}": mean.minus,
    },
}
"""Kind of phrase → its forms, and what they mean, given the meanings of the phrases in braces.

``a|b`` is a choice of words, ``?`` marks a word that may be missing, ``_`` stands for a space.
"""

Choice = frozenset[tuple[str, ...]]
Parts = tuple[Choice | str, ...]
"""Words to choose from, and kinds of phrases or of words, which are texts."""


def _parts(words: Sequence[str]) -> Iterator[Parts]:
    if not words:
        yield ()
        return
    word, *others = words
    part: Choice | str = word[1:-1]
    if word[0] != "{":
        part = frozenset(tuple(one.split("_")) for one in word.rstrip("?").split("|"))
    for rest in _parts(others):
        yield (part, *rest)
        if word.endswith("?"):
            yield rest


_FORMS = {
    kind: [(parts, means) for form, means in forms.items() for parts in _parts(form.split())]
    for kind, forms in GRAMMAR.items()
}
_TOKEN = re.compile(r"[Ee]ntity_\d+|'s|-?\d+|[^\W\d_]+(?:-[^\W\d_]+)*|[(),;]")
_ENTITY = re.compile(r"[A-Z][^\W\d_]*|entity_\d+")
_NUMBER = re.compile(r"-?\d+")
_NAME = re.compile(r"[a-z]+")


@cache
def _word(kind: str, text: str) -> Meanings:
    """Return what a single word means as a kind of word; attributes and relations are any."""
    if kind == "present":
        return frozenset(lemmas_of_present(text))
    if kind == "participle":
        return frozenset(lemmas_of_participle(text))
    if kind == "number":
        return frozenset([mean.constant(int(text))] if _NUMBER.fullmatch(text) else ())
    return frozenset([text] if (_ENTITY if kind == "entity" else _NAME).fullmatch(text) else ())


class _Reading:
    """Finds all meanings of parts of one sentence."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self.starts: dict[str, list[int]] = {}
        for place, token in enumerate(tokens):
            self.starts.setdefault(token, []).append(place)
        self.known: dict[tuple[str, int, int], Meanings] = {}
        self.found: dict[Choice, dict[int, list[int]]] = {}
        """Words to choose from → place where some of them begin → where they end."""
        self.forms = {
            kind: [form for form in forms if all(map(self._occurs, form[0]))]
            for kind, forms in _FORMS.items()
        }

    def _occurs(self, part: Choice | str) -> bool:
        return isinstance(part, str) or bool(self._places(part))

    def _places(self, choice: Choice) -> dict[int, list[int]]:
        if choice not in self.found:
            found: dict[int, list[int]] = {}
            for words in choice:
                for start in self.starts.get(words[0], ()):
                    if self.tokens[start : start + len(words)] == words:
                        found.setdefault(start, []).append(start + len(words))
            self.found[choice] = found
        return self.found[choice]

    def meanings(self, kind: str, start: int, end: int) -> Meanings:
        """Return what the tokens between two places mean as a kind of phrase or of word."""
        if kind not in self.forms:
            return _word(kind, self.tokens[start]) if end == start + 1 else frozenset()
        key = (kind, start, end)
        if key not in self.known:
            found: list[Meaning] = []
            for parts, means in self.forms[kind]:
                for filled in self._fillings(parts, start, end):
                    meaning = means(*filled)
                    found += meaning if isinstance(meaning, Several) else [meaning]
            self.known[key] = frozenset(meaning for meaning in found if meaning is not None)
        return self.known[key]

    def _fillings(self, parts: Parts, start: int, end: int) -> Iterator[tuple[Meaning, ...]]:
        """Yield the meanings of the phrases, for each way to divide the tokens among the parts."""
        if not parts:
            if start == end:
                yield ()
            return
        part, rest = parts[0], parts[1:]
        if not isinstance(part, str):
            for place in self._places(part).get(start, ()):
                yield from self._fillings(rest, place, end)
            return
        for place in self._ends(part, rest, start, end):
            found = self.meanings(part, start, place)
            if found:
                for more in self._fillings(rest, place, end):
                    yield from ((meaning, *more) for meaning in found)

    def _ends(self, kind: str, rest: Parts, start: int, end: int) -> Iterable[int]:
        """Return where a phrase may end that begins at a place."""
        if start >= end:
            return ()
        if kind not in self.forms:
            return (start + 1,)
        if not rest:
            return (end,)
        if isinstance(rest[0], str):
            return range(start + 1, end)
        return [place for place in self._places(rest[0]) if start < place < end]


def readings(sentence: str) -> Meanings:
    """Return all meanings of a sentence: of a fact, a rule or a question.

    The capital that it begins with may or may not be its first word's own.
    """
    clause, end = sentence[:-1], sentence[-1]
    assert end in ".?", sentence
    found: set[Meaning] = set()
    for text in (clause, clause[:1].lower() + clause[1:]):
        tokens = _TOKEN.findall(text)
        assert "".join(tokens) == text.replace(" ", ""), sentence
        reading = _Reading(tokens)
        for kind in ("question", "statement") if end == "." else ("question",):
            found |= reading.meanings(kind, 0, len(tokens))
    return frozenset(found)
