"""Sentences: a formula together with what a lexicon needs to say it.

Every simple sentence is listed once, and compounds are made of listed ones after a shape, so that
sentences can be counted and are distinct by construction.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    CONNECTIVES,
    LITERALS,
    NAME_SLOTS,
    ONE_QUANTIFIER,
    OPPOSITES,
    PHRASES,
    PUBLISHED_TYPES,
    RELATIVES,
    SIMPLE_TYPES,
    Vocabulary,
    sort_of,
)
from logic_curriculum.generators.logicskills.lexicon import MAIN, Lexicon, Words
from logic_curriculum.generators.logicskills.shapes import SHAPES, Shape, depth, leaves, shape_type
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Formula


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in no language yet."""

    type: str
    """Type and subtype of the published data, e.g. ``quantified_all_some``."""
    formula: Formula
    pattern: str
    """The lexicon's clause or connective that says it."""
    words: Words = ()
    """What fills the slots of a simple sentence."""
    parts: tuple[Sentence, ...] = ()
    """The clauses of a compound one."""


def realize(sentence: Sentence, lexicon: Lexicon) -> str:
    """Return the sentence in a lexicon's words, with a capital letter and a full stop."""
    return lexicon.finish(clause(sentence, lexicon))


def clause(sentence: Sentence, lexicon: Lexicon, form: str = MAIN) -> str:
    """Return the sentence as a part of a longer one, in a form that the lexicon has."""
    if not sentence.parts:
        return lexicon.clause(sentence.pattern, sentence.words, form)
    parts = dict(zip("AB", sentence.parts, strict=False))
    return "".join(
        piece if isinstance(piece, str) else clause(parts[piece[0]], lexicon, piece[1])
        for piece in lexicon.connectives[sentence.pattern][form].pieces
    )


@lru_cache(maxsize=256)
def simple_sentences(
    types: tuple[str, ...], vocabulary: Vocabulary = ALL_SYMBOLS, *, two_verbs: bool = False
) -> tuple[Sentence, ...]:
    """Return all simple sentences of some types, each once, in a fixed order.

    Args:
        types: Keys of :data:`~logic_curriculum.generators.logicskills.constructions.SIMPLE_TYPES`.
        vocabulary: The symbols they may use.
        two_verbs: Whether the relative clause of a sentence may have another verb than the main
            clause; in the published sentences it has the same.

    Raises:
        ValueError: A type is not a simple one.
    """
    for name in types:
        if name not in SIMPLE_TYPES:
            raise ValueError(
                f"{name!r} is no simple type of sentence: choose among {', '.join(SIMPLE_TYPES)}"
            )
    return tuple(
        sentence for name in types for sentence in _sentences_of(name, vocabulary, two_verbs)
    )


def _sentences_of(name: str, vocabulary: Vocabulary, two_verbs: bool) -> Iterator[Sentence]:
    slots = SIMPLE_TYPES[name].slots
    for values in product(*(_fillers(name, slot, vocabulary) for slot in slots)):
        words = dict(zip(slots, values, strict=True))
        same_name = words.get("name") == words.get("other")
        if ("other" in words and same_name) or (
            "S" in words and words["S"] != words["R"] and not two_verbs
        ):
            continue
        formula = parse(_formula_text(SIMPLE_TYPES[name].formula, words))
        yield Sentence(name, formula, name, tuple(words.items()))


def _fillers(name: str, slot: str, vocabulary: Vocabulary) -> list[str]:
    """Return everything that may stand in a slot of a type of sentence."""
    if slot == "phrase":
        return _phrases(SIMPLE_TYPES[name].phrases, vocabulary)
    if slot == "relative":
        return _phrases(RELATIVES, vocabulary)
    return list(_symbols(slot, vocabulary))


def _symbols(slot: str, vocabulary: Vocabulary) -> str:
    return str(getattr(vocabulary, sort_of(slot)))


def _phrases(names: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    phrases = []
    for name in names:
        if name == "monadic":
            phrases += [f"monadic:{symbol}" for symbol in vocabulary.monadic]
        else:
            fillers = product(*(_symbols(slot, vocabulary) for slot in PHRASES[name].slots))
            phrases += [f"{name}:{''.join(symbols)}" for symbols in fillers]
    return phrases


def _formula_text(template: str, words: dict[str, str]) -> str:
    """Fill the formula of a type; see :mod:`generators.logicskills.constructions`."""
    letters = {NAME_SLOTS.get(slot, slot): symbol for slot, symbol in words.items()}
    table = str.maketrans({slot: symbol for slot, symbol in letters.items() if len(slot) == 1})
    text = template.translate(table)
    for mark, slot in (("@", "phrase"), ("%", "relative")):
        while mark in text:
            subject = text[text.index(mark) + 1]
            text = text.replace(mark + subject, _phrase_formula(words[slot], subject))
    return text


def _phrase_formula(phrase: str, subject: str) -> str:
    name, _, symbols = phrase.partition(":")
    slots, formula = PHRASES[name]
    letters = [NAME_SLOTS.get(slot, slot) for slot in slots or ("F",)]
    return formula.translate(str.maketrans(dict(zip(letters, symbols, strict=True), x=subject)))


def compound(shape: Shape, clauses: Sequence[Sentence]) -> Sentence:
    """Return the compound sentence of a shape, its simple clauses in their order.

    Raises:
        ValueError: When the shape takes another number of clauses.
    """
    if len(clauses) != leaves(shape):
        raise ValueError(f"{shape!r} takes {leaves(shape)} clauses, but {len(clauses)} were given")
    return _build(shape, iter(clauses))


def _build(shape: Shape, clauses: Iterator[Sentence]) -> Sentence:
    if isinstance(shape, str):
        return next(clauses)
    name = str(shape[0])
    parts = tuple(_build(part, clauses) for part in shape[1:])
    formula = CONNECTIVES[name].formula(*(part.formula for part in parts))
    return Sentence(shape_type(shape), formula, name, (), parts)


def simple_clauses(sentence: Sentence) -> Iterator[Sentence]:
    """Yield the simple clauses of a sentence in their order."""
    if not sentence.parts:
        yield sentence
    for part in sentence.parts:
        yield from simple_clauses(part)


def contradicts_itself(sentence: Sentence) -> bool:
    """Return whether one clause denies another, so that the whole may be true or false by logic.

    Example: "Hazel drank unless Hazel didn't drink."
    """
    said = {(clause.type, clause.words) for clause in simple_clauses(sentence)}
    return any((OPPOSITES.get(name), words) in said for name, words in said)


@dataclass(frozen=True)
class Profile:
    """What :func:`draw` draws from."""

    types: tuple[str, ...] = PUBLISHED_TYPES
    """Types of sentences, each equally often; see :func:`sentence_types`."""
    clauses: tuple[str, ...] = LITERALS + ONE_QUANTIFIER
    """Simple types of which compounds are made."""
    vocabulary: Vocabulary = ALL_SYMBOLS
    depth: int = 2
    """How deep connectives are nested at most."""
    two_verbs: bool = False
    """Whether a relative clause may have another verb than its main clause."""


def sentence_types() -> tuple[str, ...]:
    """Return the names of all types, the simple ones first."""
    return tuple(dict.fromkeys([*SIMPLE_TYPES, *map(shape_type, SHAPES)]))


def draw(rng: random.Random, profile: Profile) -> Sentence:
    """Return a random sentence: its type, its shape if it is a compound, and its clauses.

    Raises:
        ValueError: The profile has a type that doesn't exist, or none of its depth, or too few
            symbols for the clauses of a compound.
    """
    name = rng.choice(profile.types)
    if name in SIMPLE_TYPES:
        return rng.choice(_pool((name,), profile))
    shapes = _shapes(name, profile.depth)
    shape = rng.choice(shapes)
    pool = _pool(profile.clauses, profile)
    return compound(shape, rng.sample(pool, leaves(shape)))


def _pool(types: tuple[str, ...], profile: Profile) -> tuple[Sentence, ...]:
    return simple_sentences(types, profile.vocabulary, two_verbs=profile.two_verbs)


@lru_cache(maxsize=256)
def _shapes(name: str, most: int) -> tuple[Shape, ...]:
    found = tuple(item for item in SHAPES if shape_type(item) == name and depth(item) <= most)
    if not found:
        raise ValueError(
            f"There is no sentence of type {name!r} with connectives nested at most {most} deep: "
            f"choose among {', '.join(sentence_types())}"
        )
    return found
