"""Other symbols for the same argument, and the one text that all its renamings share."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from logic_curriculum.generators.logicskills.constructions import ALL_SYMBOLS, Vocabulary
from logic_curriculum.generators.logicskills.lexicon import Words
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.logicskills.worlds import CANONICAL
from logic_curriculum.rewards.engines.fol.models import Structure
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

Renaming = Mapping[str, str]
"""Symbol → symbol, one-to-one."""


def draw_renaming(rng: random.Random, *, kinds_apart: bool = True) -> Renaming:
    """Draw names for the symbols of stored models.

    Args:
        rng: What decides.
        kinds_apart: Whether kinds stay kinds, as the domain axiom has it; if not, they may become
            any monadic predicate.
    """
    monadic = rng.sample(ALL_SYMBOLS.monadic, len(CANONICAL.monadic))
    kinds = rng.sample(ALL_SYMBOLS.kinds, len(CANONICAL.kinds))
    if not kinds_apart:
        both = ALL_SYMBOLS.monadic + ALL_SYMBOLS.kinds
        drawn = rng.sample(both, len(monadic) + len(kinds))
        monadic, kinds = drawn[: len(monadic)], drawn[len(monadic) :]
    return {
        **dict(zip(CANONICAL.names, rng.sample(ALL_SYMBOLS.names, 3), strict=True)),
        **dict(zip(CANONICAL.kinds, kinds, strict=True)),
        **dict(zip(CANONICAL.monadic, monadic, strict=True)),
        **dict(zip(CANONICAL.binary, rng.sample(ALL_SYMBOLS.binary, 2), strict=True)),
    }


def rename_sentence(sentence: Sentence, renaming: Renaming) -> Sentence:
    """Return the sentence with other symbols, in its formula as well as in its words."""
    words = rename_words(sentence.words, renaming)
    parts = tuple(rename_sentence(part, renaming) for part in sentence.parts)
    formula = rename_formula(sentence.formula, renaming)
    return Sentence(sentence.type, formula, sentence.pattern, words, parts)


def rename_words(words: Words, renaming: Renaming) -> Words:
    """Return what fills the slots of a simple sentence, with other symbols."""
    return tuple((slot, _rename_filler(filler, renaming)) for slot, filler in words)


def _rename_filler(filler: str, renaming: Renaming) -> str:
    head, colon, symbols = filler.rpartition(":")
    return head + colon + "".join(renaming[symbol] for symbol in symbols)


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


def rename_structure(
    structure: Structure, renaming: Renaming, symbols: Iterable[str], places: Sequence[int]
) -> Structure:
    """Return the same structure for other symbols, its objects numbered anew.

    Args:
        structure: Interprets the old symbols.
        renaming: Old symbol → new symbol.
        symbols: The new symbols that are to be kept.
        places: Old object → new object.
    """
    kept = frozenset(symbols)
    old = [symbol for symbol, new in renaming.items() if new in kept]
    return Structure(
        domain=tuple(sorted(places)),
        constants={
            renaming[name]: places[structure.constants[name]]
            for name in old
            if name in structure.constants
        },
        monadic={
            renaming[name]: frozenset(places[item] for item in structure.monadic[name])
            for name in old
            if name in structure.monadic
        },
        binary={
            renaming[name]: frozenset((places[i], places[j]) for i, j in structure.binary[name])
            for name in old
            if name in structure.binary
        },
    )


_SORTS: Mapping[str, str] = {
    **dict.fromkeys(ALL_SYMBOLS.names, "n"),
    **dict.fromkeys(ALL_SYMBOLS.kinds, "k"),
    **dict.fromkeys(ALL_SYMBOLS.monadic, "m"),
    **dict.fromkeys(ALL_SYMBOLS.binary, "b"),
}
_ONE_SORT = {**_SORTS, **dict.fromkeys(ALL_SYMBOLS.kinds, "m")}


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
    sorts = _SORTS if kinds_apart else _ONE_SORT
    return min(_numbered([*order, *rest], sorts) for order in _orders(premises, sorts))


def _orders(premises: Sequence[str], sorts: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the premises in each order that sorts their texts without symbols."""
    table = str.maketrans(dict(sorts))
    groups: dict[str, list[str]] = {}
    for premise in sorted(premises, key=lambda text: text.translate(table)):
        groups.setdefault(premise.translate(table), []).append(premise)
    for orders in itertools.product(*(itertools.permutations(group) for group in groups.values())):
        yield [premise for order in orders for premise in order]


def _numbered(formulas: Sequence[str], sorts: Mapping[str, str]) -> str:
    """Replace each symbol by its sort and its turn among the symbols of this sort."""
    names: dict[str, str | int | None] = {}
    counts = dict.fromkeys("nkmb", 0)
    text = ", ".join(formulas)
    for char in text:
        if char in sorts and char not in names:
            sort = sorts[char]
            names[char] = f"{sort}{counts[sort]}"
            counts[sort] += 1
    return text.translate(str.maketrans(names))


def symbols_of(formulas: Iterable[Formula], vocabulary: Vocabulary = ALL_SYMBOLS) -> Vocabulary:
    """Return the symbols that occur in formulas, each sort in alphabetic order."""
    used = set("".join(map(str, formulas)))
    return Vocabulary(
        *(
            "".join(symbol for symbol in symbols if symbol in used)
            for symbols in (
                vocabulary.names,
                vocabulary.kinds,
                vocabulary.monadic,
                vocabulary.binary,
            )
        )
    )
