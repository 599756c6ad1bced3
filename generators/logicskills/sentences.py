"""Sentences: a formula together with what a lexicon needs to say it, and their renamings.

Every simple sentence is listed once, and compounds are made of listed ones after a shape, so that
sentences can be counted and are distinct by construction.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    CANONICAL,
    CONNECTIVES,
    LITERALS,
    NAME_SLOTS,
    ONE_QUANTIFIER,
    OPPOSITES,
    PHRASES,
    PUBLISHED_TYPES,
    RELATIVES,
    SENTENCE_TYPES,
    SHAPES,
    SIMPLE_TYPES,
    Shape,
    Vocabulary,
    depth,
    leaves,
    shape_type,
    sort_of,
)
from logic_curriculum.generators.logicskills.lexicon import MAIN, Lexicon, Words
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified


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
    return lexicon.finish(_clause(sentence, lexicon, MAIN))


def _clause(sentence: Sentence, lexicon: Lexicon, form: str) -> str:
    if not sentence.parts:
        return lexicon.clause(sentence.pattern, sentence.words, form)
    parts = dict(zip("AB", sentence.parts, strict=False))
    return "".join(
        piece if isinstance(piece, str) else _clause(parts[piece[0]], lexicon, piece[1])
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
    kind = SIMPLE_TYPES[name]
    choices = {"phrase": kind.phrases, "relative": RELATIVES}
    for values in itertools.product(
        *(
            _phrases(choices[slot], vocabulary) if slot in choices else _symbols(slot, vocabulary)
            for slot in kind.slots
        )
    ):
        words = dict(zip(kind.slots, values, strict=True))
        if "other" in words and words["name"] == words["other"]:
            continue
        if "S" in words and words["S"] != words["R"] and not two_verbs:
            continue
        formula = parse(_formula_text(kind.formula, words))
        yield Sentence(name, formula, name, tuple(words.items()))


def _symbols(slot: str, vocabulary: Vocabulary) -> str:
    return str(getattr(vocabulary, sort_of(slot)))


def _phrases(names: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    phrases = []
    for name in names:
        if name == "monadic":
            phrases += [f"monadic:{symbol}" for symbol in vocabulary.monadic]
        else:
            fillers = [_symbols(slot, vocabulary) for slot in PHRASES[name].slots]
            phrases += [f"{name}:{''.join(symbols)}" for symbols in itertools.product(*fillers)]
    return phrases


def _formula_text(template: str, words: Mapping[str, str]) -> str:
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


def draw(
    rng: random.Random,
    types: Sequence[str] = PUBLISHED_TYPES,
    vocabulary: Vocabulary = ALL_SYMBOLS,
    max_depth: int = 2,
) -> Sentence:
    """Return a random sentence; clauses of compounds have at most one quantifier.

    Args:
        types: Types of sentences, each equally often.
        vocabulary: The symbols it may use.
        max_depth: How deep connectives are nested at most.

    Raises:
        ValueError: The type that is drawn doesn't exist, or not with this depth, or there are too
            few symbols for its clauses.
    """
    name = rng.choice(types)
    if name in SIMPLE_TYPES:
        return rng.choice(simple_sentences((name,), vocabulary))
    shapes = [item for item in SHAPES if shape_type(item) == name and depth(item) <= max_depth]
    if not shapes:
        raise ValueError(
            f"There is no sentence of type {name!r} with connectives nested at most {max_depth} "
            f"deep: choose among {', '.join(SENTENCE_TYPES)}"
        )
    shape = rng.choice(shapes)
    clauses = simple_sentences(LITERALS + ONE_QUANTIFIER, vocabulary)
    return compound(shape, rng.sample(clauses, leaves(shape)))


Renaming = Mapping[str, str]
"""Symbol → symbol, one-to-one."""


def draw_renaming(rng: random.Random, *, kinds_apart: bool = True) -> Renaming:
    """Draw new symbols for the canonical ones.

    Args:
        kinds_apart: Whether kinds stay kinds, as the domain axiom needs it; if not, they may become
            any monadic predicate.
    """
    monadic = rng.sample(ALL_SYMBOLS.monadic, len(CANONICAL.monadic))
    kinds = rng.sample(ALL_SYMBOLS.kinds, len(CANONICAL.kinds))
    if not kinds_apart:
        both = ALL_SYMBOLS.monadic + ALL_SYMBOLS.kinds
        drawn = rng.sample(both, len(monadic) + len(kinds))
        monadic, kinds = drawn[: len(monadic)], drawn[len(monadic) :]
    names, binary = rng.sample(ALL_SYMBOLS.names, 3), rng.sample(ALL_SYMBOLS.binary, 2)
    return dict(zip("".join(CANONICAL), [*names, *kinds, *monadic, *binary], strict=True))


def rename_sentence(sentence: Sentence, renaming: Renaming) -> Sentence:
    """Return the sentence with other symbols, in its formula as well as in its words."""
    words = rename_words(sentence.words, renaming)
    parts = tuple(rename_sentence(part, renaming) for part in sentence.parts)
    formula = rename_formula(sentence.formula, renaming)
    return Sentence(sentence.type, formula, sentence.pattern, words, parts)


def rename_words(words: Words, renaming: Renaming) -> Words:
    """Return what fills the slots of a simple sentence, with other symbols."""
    renamed = []
    for slot, filler in words:
        head, colon, symbols = filler.rpartition(":")
        renamed.append((slot, head + colon + rename_text(symbols, renaming)))
    return tuple(renamed)


def rename_text(text: str, renaming: Renaming) -> str:
    """Return a text of symbols with other symbols."""
    return "".join(renaming.get(char, char) for char in text)


def rename_formula(formula: Formula, renaming: Renaming) -> Formula:
    """Return the formula with other predicates and constants."""
    match formula:
        case Atom(predicate, terms):
            return Atom(renaming[predicate], tuple(renaming.get(term, term) for term in terms))
        case Not(body):
            return Not(rename_formula(body, renaming))
        case Binary(connective, left, right):
            renamed = (rename_formula(left, renaming), rename_formula(right, renaming))
            return Binary(connective, *renamed)
        case Quantified(quantifier, variable, body):
            return Quantified(quantifier, variable, rename_formula(body, renaming))


_SORTS = {
    symbol: sort for sort, symbols in zip("nkmb", ALL_SYMBOLS, strict=True) for symbol in symbols
}
_KINDS_AS_MONADIC = {**_SORTS, **dict.fromkeys(ALL_SYMBOLS.kinds, "m")}


def sorts_of(text: str) -> str:
    """Return a text with each symbol replaced by its sort: n(ame), k(ind), m(onadic), b(inary).

    >>> sorts_of("MPb")
    'kbn'
    """
    return rename_text(text, _SORTS)


def canonical_text(
    premises: Sequence[str], rest: Sequence[str] = (), *, kinds_apart: bool = True
) -> str:
    """Return a text that is equal for arguments that differ in symbols and order of premises only.

    Args:
        premises: Formulas whose order does not matter.
        rest: Formulas whose order does, such as the conclusion.
        kinds_apart: Whether kinds may only be renamed to kinds.

    >>> canonical_text(["Fb", "∀x(Fx→Gx)"], ["Gb"]) == canonical_text(["∀x(Lx→Hx)", "La"], ["Ha"])
    True
    """
    sorts = _SORTS if kinds_apart else _KINDS_AS_MONADIC
    table = str.maketrans(sorts)
    groups: dict[str, list[str]] = {}  # only premises that are alike but for symbols change places
    for premise in sorted(premises, key=lambda text: text.translate(table)):
        groups.setdefault(premise.translate(table), []).append(premise)
    orders = itertools.product(*(itertools.permutations(group) for group in groups.values()))
    return min(_number_symbols([*itertools.chain(*order), *rest], sorts) for order in orders)


def _number_symbols(formulas: Sequence[str], sorts: Mapping[str, str]) -> str:
    """Replace each symbol by its sort and its turn among the symbols of this sort."""
    names: dict[str, str | int | None] = {}
    counts = dict.fromkeys("nkmb", 0)
    text = ", ".join(formulas)
    for char in text:
        if char in sorts and char not in names:
            names[char] = f"{sorts[char]}{counts[sorts[char]]}"
            counts[sorts[char]] += 1
    return text.translate(str.maketrans(names))
