"""Sentences: a formula with what is needed to say it, the lexicons that say it, and renamings.

Every simple sentence is listed once, and compounds are made of listed ones after a shape, so that
sentences can be counted and are distinct by construction. A lexicon has the words of one of the
paper's two languages; both share their patterns.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from random import Random

import yaml

from logic_curriculum.generators.logicskills import constructions
from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    CANONICAL,
    PHRASES,
    SORT_OF,
    Shape,
)
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol.syntax import Formula, parse

# Lexicons

DOMAIN_AXIOM: Formula = parse(
    "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"
)
"""Everything is of exactly one of the three kinds, and none of them is empty (App. F)."""

MIXED = "mixed"
LANGUAGES = ("english", "carroll", MIXED)
"""The lexicons; in the language ``mixed``, one of the two is drawn for each task."""

Words = tuple[tuple[str, str], ...]
"""Slots of a clause and what fills them, e.g. ``(("name", "a"), ("phrase", "to_name:Rb"))``.

A name, kind or relation is filled by its symbol; a phrase or relative clause by what the lexicon
calls it, a colon and the symbols in it.
"""
Forms = Mapping[str, Mapping[str, str]]  # symbol or phrase → form → words
_SLOT = re.compile(r"\{(\w+)\.(\w+)\}")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a language; ``lexicons/english.yaml`` explains the sections."""

    name: str
    names: Forms
    kinds: Forms
    monadic: Forms
    binary: Forms
    phrases: Forms  # what is said of a subject
    relatives: Forms
    clauses: Mapping[str, str]  # type of simple sentence → pattern
    connectives: Mapping[str, str]  # patterns with the slots A and B
    domain: str  # the clause that says DOMAIN_AXIOM

    def key(self, *formulas: Formula) -> dict[str, str]:
        """Return the text that each symbol of formulas abbreviates, in alphabetic order."""
        used = set("".join(map(str, formulas)))
        return {symbol: text for symbol, text in self.key_entries.items() if symbol in used}

    @cached_property
    def key_entries(self) -> dict[str, str]:
        """What every symbol abbreviates, in alphabetic order."""
        entries = {symbol: forms["name"] for symbol, forms in self.names.items()}
        for symbol, forms in self.kinds.items():
            entries[symbol] = f"[1] is {forms['indefinite']}"
        for symbol, forms in self.monadic.items():
            entries[symbol] = f"[1] {forms['affirmative']}"
        for symbol, forms in self.binary.items():
            entries[symbol] = f"[1] {forms['affirmative']} [2]"
        return dict(sorted(entries.items()))

    @cached_property
    def domain_axiom(self) -> str:
        """The sentence that says :data:`DOMAIN_AXIOM`."""
        return finish(self.fill(self.domain, {"K": "M", "J": "N", "L": "O"}))

    def fill(self, pattern: str, words: Mapping[str, str]) -> str:
        """Return a pattern with words in its slots."""
        return _SLOT.sub(lambda slot: self._word(slot[1], slot[2], words[slot[1]]), pattern)

    def _word(self, slot: str, form: str, filler: str) -> str:
        if slot in SORT_OF:
            section: Forms = getattr(self, SORT_OF[slot])
            return section[filler][form]
        name, _, symbols = filler.partition(":")
        if name == "monadic":
            return self.monadic[symbols][form]
        pattern = (self.phrases if slot == "phrase" else self.relatives)[name][form]
        return self.fill(pattern, dict(zip(PHRASES[name].slots, symbols, strict=True)))


def finish(clause: str) -> str:
    """Return a clause as a sentence, with a capital letter and a full stop."""
    return f"{clause[:1].upper()}{clause[1:]}."


@lru_cache(maxsize=2**16)
def simple_clause(lexicon: Lexicon, pattern: str, words: Words) -> str:
    """Return a simple clause: a type of sentence with its slots filled."""
    return lexicon.fill(lexicon.clauses[pattern], dict(words))


@cache
def load_lexicon(name: str) -> Lexicon:
    """Return one of the two lexicons; the patterns of both are those of ``english.yaml``."""
    folder = Path(__file__).with_name("lexicons")
    texts = [(folder / f"{file}.yaml").read_text(encoding="utf-8") for file in ("english", name)]
    patterns, words = map(yaml.safe_load, texts)
    return Lexicon(**{**patterns, **words})


def task_lexicon(language: str, level: int, seed: int, split: str) -> Lexicon:
    """Return the lexicon of a task: the one asked for or, if mixed, one of the paper's two."""
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    return load_lexicon(language)


# Sentences

Renaming = Mapping[str, str]  # symbol → symbol, one-to-one


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in no language yet."""

    type: str  # type and subtype of the published data, e.g. `quantified_all_some`
    formula: Formula
    pattern: str  # the lexicon's clause or connective that says it
    words: Words = ()  # what fills the slots of a simple sentence
    parts: tuple[Sentence, ...] = ()  # the clauses of a compound one


def realize(sentence: Sentence, lexicon: Lexicon) -> str:
    """Return the sentence in a lexicon's words, with a capital letter and a full stop."""
    return finish(_clause(sentence, lexicon))


def _clause(sentence: Sentence, lexicon: Lexicon) -> str:
    if not sentence.parts:
        return simple_clause(lexicon, sentence.pattern, sentence.words)
    clauses = [_clause(part, lexicon) for part in sentence.parts]
    return lexicon.connectives[sentence.pattern].format(**dict(zip("AB", clauses, strict=False)))


@lru_cache(maxsize=256)
def simple_sentences(
    types: tuple[str, ...],
    vocabulary: constructions.Vocabulary = ALL_SYMBOLS,
    *,
    two_verbs: bool = False,
) -> tuple[Sentence, ...]:
    """Return all simple sentences of some types, each once, in a fixed order.

    With ``two_verbs``, a sentence's relative clause may have another verb than the main clause; in
    the published sentences it has the same.
    """
    found = (_sentences_of(name, vocabulary, two_verbs) for name in types)
    return tuple(itertools.chain.from_iterable(found))


def _sentences_of(
    name: str, vocabulary: constructions.Vocabulary, two_verbs: bool
) -> Iterator[Sentence]:
    kind, symbols = constructions.SIMPLE_TYPES[name], vocabulary._asdict()

    def fillers(slot: str) -> Sequence[str]:
        if slot in SORT_OF:
            return str(symbols[SORT_OF[slot]])
        return [
            f"{phrase}:{''.join(chosen)}"
            for phrase in (kind.phrases if slot == "phrase" else constructions.RELATIVES)
            for chosen in itertools.product(*map(fillers, PHRASES[phrase].slots))
        ]

    for values in itertools.product(*map(fillers, kind.slots)):
        words = dict(zip(kind.slots, values, strict=True))
        if "other" in words and words["name"] == words["other"]:
            continue
        if "S" in words and words["S"] != words["R"] and not two_verbs:
            continue
        yield Sentence(name, parse(_formula_text(kind.formula, words)), name, tuple(words.items()))


def _formula_text(template: str, words: Mapping[str, str]) -> str:
    text = _fill_slots(template, {slot: item for slot, item in words.items() if ":" not in item})
    for mark, slot in (("@", "phrase"), ("%", "relative")):
        while mark in text:
            subject = text[text.index(mark) + 1]
            name, _, symbols = words[slot].partition(":")
            slots, formula = PHRASES[name]
            phrase = _fill_slots(formula, dict(zip(slots, symbols, strict=True), x=subject))
            text = text.replace(mark + subject, phrase)
    return text


def _fill_slots(formula: str, symbols: Mapping[str, str]) -> str:
    letters = {constructions.NAME_SLOTS.get(slot, slot): item for slot, item in symbols.items()}
    return rename_text(formula, letters)


def compound(shape: Shape, clauses: Sequence[Sentence]) -> Sentence:
    """Return the compound of a shape and as many simple clauses as it takes."""
    return _build(shape, iter(clauses))


def _build(shape: Shape, clauses: Iterator[Sentence]) -> Sentence:
    if isinstance(shape, str):
        return next(clauses)
    name = str(shape[0])
    parts = tuple(_build(part, clauses) for part in shape[1:])
    formula = constructions.CONNECTIVES[name].formula(*(part.formula for part in parts))
    return Sentence(constructions.shape_type(shape), formula, name, (), parts)


def contradicts_itself(sentence: Sentence) -> bool:
    """Return whether one clause denies another, as in "Hazel drank unless Hazel didn't drink"."""
    found, clauses = set(), [sentence]
    while clauses:
        clause = clauses.pop()
        clauses += clause.parts
        found.add((clause.type, clause.words))
    return any((constructions.OPPOSITES.get(name), words) in found for name, words in found)


def draw_renaming(rng: Random, *, kinds_apart: bool = True) -> Renaming:
    """Draw new symbols; unless ``kinds_apart``, kinds may become any monadic predicate."""
    monadic = rng.sample(ALL_SYMBOLS.monadic, len(CANONICAL.monadic))
    kinds = rng.sample(ALL_SYMBOLS.kinds, len(CANONICAL.kinds))
    if not kinds_apart:
        drawn = rng.sample(ALL_SYMBOLS.monadic + ALL_SYMBOLS.kinds, len(monadic) + len(kinds))
        monadic, kinds = drawn[: len(monadic)], drawn[len(monadic) :]
    names, binary = rng.sample(ALL_SYMBOLS.names, 3), rng.sample(ALL_SYMBOLS.binary, 2)
    return dict(zip("".join(CANONICAL), [*names, *kinds, *monadic, *binary], strict=True))


def rename_sentence(sentence: Sentence, renaming: Renaming) -> Sentence:
    """Return the sentence with other symbols."""
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
    return parse(rename_text(str(formula), renaming))


_SORTS = {symbol: "nkmb"[place] for place, sort in enumerate(ALL_SYMBOLS) for symbol in sort}
_KINDS_AS_MONADIC = {**_SORTS, **dict.fromkeys(ALL_SYMBOLS.kinds, "m")}


def sorts_of(text: str) -> str:
    """Return a text with the sort of each symbol: n(ame), k(ind), m(onadic), b(inary)."""
    return rename_text(text, _SORTS)


def canonical_text(
    premises: Sequence[str], rest: Sequence[str] = (), *, kinds_apart: bool = True
) -> str:
    """Return a text that is equal for arguments that differ in symbols and order of premises only.

    The order of ``rest`` matters. If ``kinds_apart``, kinds may only be renamed to kinds.

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
