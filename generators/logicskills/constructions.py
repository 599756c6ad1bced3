"""What sentences there are: the types of Table 3 with their formulas, and the connectives.

Words and word order are no part of this; lexicons have them. A formula is written with the names
of the slots: ``name`` is n, ``other`` is o, kinds are K, J and L, relations R and S; ``@x`` is what
the phrase says of x, ``%x`` what the relative clause says of x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not


@dataclass(frozen=True)
class Vocabulary:
    """The symbols that sentences may use; every lexicon has words for the default ones."""

    names: str = "abc"
    kinds: str = "MNO"
    monadic: str = "FGHIJKL"
    binary: str = "PQR"


ALL_SYMBOLS = Vocabulary()
"""The symbols of the paper's lexicons (App. A)."""

NAME_SLOTS = MappingProxyType({"name": "n", "other": "o"})
KIND_SLOTS = ("K", "J", "L")


def sort_of(slot: str) -> str:
    """Return the section of a lexicon whose words fill a slot: names, kinds or binary."""
    if slot in NAME_SLOTS:
        return "names"
    return "kinds" if slot in KIND_SLOTS else "binary"


class Phrase(NamedTuple):
    """What may be said of a subject x."""

    slots: tuple[str, ...]
    formula: str


PHRASES: Mapping[str, Phrase] = MappingProxyType(
    {
        "monadic": Phrase((), "Fx"),
        "kind": Phrase(("K",), "Kx"),
        "to_name": Phrase(("R", "name"), "Rxn"),
        "to_every": Phrase(("R", "K"), "∀y(Ky→Rxy)"),
        "to_some": Phrase(("R", "K"), "∃y(Ky∧Rxy)"),
    }
)
"""Phrases by name; the monadic one is a word of its own."""
RELATIVES = ("to_name", "to_every", "to_some")
"""The phrases that may be relative clauses."""


@dataclass(frozen=True)
class SimpleType:
    """A type of sentence without sentential connectives."""

    formula: str
    """In the notation of this module."""
    slots: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    """Which of :data:`PHRASES` the slot ``phrase`` takes."""


def _simple(formula: str, slots: str, phrases: str = "") -> SimpleType:
    return SimpleType(formula, tuple(slots.split()), tuple(phrases.split()))


_SHORT = "monadic to_name"
_ANY = "monadic kind to_name"
_LONG = "monadic to_name to_every to_some"

SIMPLE_TYPES: Mapping[str, SimpleType] = MappingProxyType(
    {
        "atomic_monadic": _simple("@n", "name phrase", "monadic kind"),
        "atomic_dyadic": _simple("@n", "name phrase", "to_name"),
        "negation_monadic": _simple("¬@n", "name phrase", "monadic kind"),
        "negation_dyadic": _simple("¬@n", "name phrase", "to_name"),
        "quantified_universal_affirmative": _simple("∀x(Kx→@x)", "K phrase", _SHORT),
        "quantified_particular_affirmative": _simple("∃x(Kx∧@x)", "K phrase", _SHORT),
        "quantified_universal_negative": _simple("¬∃x(Kx∧@x)", "K phrase", _SHORT),
        "quantified_particular_negative": _simple("∃x(Kx∧¬@x)", "K phrase", _SHORT),
        "quantified_only_restrictor": _simple("∀x(@x→Kx)", "K phrase", _SHORT),
        "quantified_name_all": _simple("∀x(Kx→Rnx)", "name R K"),
        "quantified_name_some": _simple("∃x(Kx∧Rnx)", "name R K"),
        "quantified_all_all": _simple("∀x∀y((Kx∧Jy)→Rxy)", "K R J"),
        "quantified_all_all_all": _simple("∀x(Kx→∀y((Jy∧∀z(Lz→Syz))→Rxy))", "K R J S L"),
        "quantified_all_all_back": _simple("∀x(Kx→∀y((Jy∧Syx)→Rxy))", "K R J S"),
        "quantified_all_some": _simple("∀x(Kx→∃y(Jy∧Rxy))", "K R J"),
        "quantified_all_some_back": _simple("∀x(Kx→∃y(Jy∧(Rxy∧Syx)))", "K R J S"),
        "quantified_some_all": _simple("∃x(Kx∧∀y(Jy→Rxy))", "K R J"),
        "quantified_some_all_back": _simple("∃x(Kx∧∀y((Jy∧Syx)→Rxy))", "K R J S"),
        "quantified_some_some": _simple("∃x∃y((Kx∧Jy)∧Rxy)", "K R J"),
        "quantified_some_some_back": _simple("∃x∃y((Kx∧Jy)∧(Rxy∧Syx))", "K R J S"),
        "quantified_some_some_some": _simple("∃x∃y∃z(((Kx∧Jy)∧Lz)∧(Rxy∧Syz))", "K R J S L"),
        "quantified_no_all": _simple("¬∃x(Kx∧∀y(Jy→Rxy))", "K R J"),
        "quantified_no_some": _simple("¬∃x∃y((Kx∧Jy)∧Rxy)", "K R J"),
        "quantified_no_some_back": _simple("¬∃x∃y((Kx∧Jy)∧(Rxy∧Syx))", "K R J S"),
        "quantified_rev_some_all": _simple("∃x(Kx∧∀y(Jy→Ryx))", "K J R"),
        "quantified_rev_no_all": _simple("¬∃x(Kx∧∀y(Jy→Ryx))", "K J R"),
        "quantified_some_self": _simple("∃x(Kx∧Rxx)", "K R"),
        "quantified_relative_all": _simple("∀x((Kx∧%x)→@x)", "K relative phrase", _LONG),
        "quantified_relative_some": _simple("∃x((Kx∧%x)∧@x)", "K relative phrase", _LONG),
        "quantified_relative_no": _simple("¬∃x((Kx∧%x)∧@x)", "K relative phrase", _LONG),
        "quantified_relative_not_all": _simple("∃x((Kx∧%x)∧¬@x)", "K relative phrase", _LONG),
        "conjunction_vp_ellipsis": _simple("(@n∧@o)", "name other phrase", _ANY),
        "disjunction_vp_ellipsis": _simple("(@n∨@o)", "name other phrase", _ANY),
    }
)
"""Simple sentences; the ``quantified_relative`` types are not in the paper."""


LITERALS = ("atomic_monadic", "atomic_dyadic", "negation_monadic", "negation_dyadic")
"""Types without quantifiers."""
ONE_QUANTIFIER = (
    "quantified_universal_affirmative",
    "quantified_particular_affirmative",
    "quantified_universal_negative",
    "quantified_particular_negative",
    "quantified_only_restrictor",
    "quantified_name_all",
    "quantified_name_some",
    "quantified_some_self",
)
TWO_QUANTIFIERS = (
    "quantified_all_all",
    "quantified_all_some",
    "quantified_some_all",
    "quantified_some_some",
    "quantified_no_all",
    "quantified_no_some",
)
"""Types with two quantifiers that may be clauses of compounds."""
REVERSED = ("quantified_rev_some_all", "quantified_rev_no_all")
"""Two quantifiers; as a first clause, "that every monkey saw and Hazel ate" would be ambiguous."""
BACK = (
    "quantified_all_all_back",
    "quantified_all_some_back",
    "quantified_some_all_back",
    "quantified_some_some_back",
    "quantified_no_some_back",
)
"""Two quantifiers with "it", which in a compound might refer to something in another clause."""
THREE_QUANTIFIERS = ("quantified_all_all_all", "quantified_some_some_some")
RELATIVE = (
    "quantified_relative_all",
    "quantified_relative_some",
    "quantified_relative_no",
    "quantified_relative_not_all",
)
"""One to three quantifiers; not in the paper."""
ELLIPSES = ("conjunction_vp_ellipsis", "disjunction_vp_ellipsis")


_OPPOSITES = {
    "atomic_monadic": "negation_monadic",
    "atomic_dyadic": "negation_dyadic",
    "quantified_universal_affirmative": "quantified_particular_negative",
    "quantified_particular_affirmative": "quantified_universal_negative",
    "quantified_some_all": "quantified_no_all",
    "quantified_some_some": "quantified_no_some",
    "quantified_relative_all": "quantified_relative_not_all",
    "quantified_relative_some": "quantified_relative_no",
}
OPPOSITES: Mapping[str, str] = MappingProxyType(
    _OPPOSITES | {other: name for name, other in _OPPOSITES.items()}
)
"""Type → the type that denies it of the same words."""

PUBLISHED_TYPES = (
    *LITERALS,
    *(name for name in SIMPLE_TYPES if name not in LITERALS + RELATIVE),
    "conjunction_simple",
    "conjunction_contrastive",
    "disjunction_simple",
    "disjunction_negated_disjunct",
    "disjunction_unless",
    "conditional_if_then",
    "conditional_only_if",
    "conditional_nested",
    "biconditional_if_and_only_if",
    "biconditional_just_in_case",
)
"""The types of the published sentences (Table 3, and the surface variants of the data)."""


@dataclass(frozen=True)
class Connective:
    """A way to make a sentence out of others."""

    type: str
    """Type of the whole when the clauses are simple, as in the published data."""
    formula: Callable[..., Formula]
    """Of the clauses' formulas."""
    clauses: int = 2


def _and(a: Formula, b: Formula) -> Formula:
    return Binary("and", a, b)


def _or(a: Formula, b: Formula) -> Formula:
    return Binary("or", a, b)


def _if(a: Formula, b: Formula) -> Formula:
    return Binary("imp", a, b)


def _iff(a: Formula, b: Formula) -> Formula:
    return Binary("iff", a, b)


CONNECTIVES: Mapping[str, Connective] = MappingProxyType(
    {
        "and": Connective("conjunction_simple", _and),
        "but": Connective("conjunction_but", _and),
        "but_not": Connective("conjunction_contrastive", lambda a, b: _and(a, Not(b))),
        "or": Connective("disjunction_simple", _or),
        "or_not": Connective("disjunction_negated_disjunct", lambda a, b: _or(a, Not(b))),
        "unless": Connective("disjunction_unless", lambda a, b: _if(Not(b), a)),
        "if_then": Connective("conditional_if_then", _if),
        "only_if": Connective("conditional_only_if", _if),
        "if_and_only_if": Connective("biconditional_if_and_only_if", _iff),
        "just_in_case": Connective("biconditional_just_in_case", _iff),
        "not": Connective("negation_compound", Not, 1),
        "both_and": Connective("conjunction_simple", _and),
        "either_or": Connective("disjunction_simple", _or),
        "comma_and": Connective("conjunction_simple", _and),
        "comma_or": Connective("disjunction_simple", _or),
        "comma_if_and_only_if": Connective("biconditional_if_and_only_if", _iff),
    }
)
"""Connectives by the name that lexicons give a pattern to."""
