"""What sentences there are: the types of Table 3 with their formulas, connectives, and shapes.

Words and word order stand in lexicons. A formula is written with the names of the slots: ``name``
is n, ``other`` is o, kinds are K, J and L, relations R and S; ``@x`` is what the phrase says of x,
``%x`` what the relative clause says of x.

A shape says how clauses are put together, such that the sentence has one reading only: ``both …
and`` and ``either … or`` bracket what they join, ``if … , then`` brackets its condition, and a
comma ends the clause before it. Other connectives join simple clauses or come last.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not


class Vocabulary(NamedTuple):
    """The symbols that sentences may use; every lexicon has words for the default ones."""

    names: str = "abc"
    kinds: str = "MNO"
    monadic: str = "FGHIJKL"
    binary: str = "PQR"


ALL_SYMBOLS = Vocabulary()  # those of the paper's lexicons (App. A)
CANONICAL = Vocabulary(names="abc", kinds="MNO", monadic="FGH", binary="PQ")
"""The symbols of stored models. Arguments are found with these, and renamed afterwards."""

NAME_SLOTS = {"name": "n", "other": "o"}  # slot of a name → the letter in formulas
SORT_OF: Mapping[str, str] = {  # slot → the section of a lexicon whose words fill it
    **dict.fromkeys(NAME_SLOTS, "names"),
    **dict.fromkeys("KJL", "kinds"),
    **dict.fromkeys("RS", "binary"),
    "F": "monadic",
}


class Phrase(NamedTuple):
    """What may be said of a subject x."""

    slots: tuple[str, ...]
    formula: str


PHRASES: Mapping[str, Phrase] = {
    "monadic": Phrase(("F",), "Fx"),
    "kind": Phrase(("K",), "Kx"),
    "to_name": Phrase(("R", "name"), "Rxn"),
    "to_every": Phrase(("R", "K"), "∀y(Ky→Rxy)"),
    "to_some": Phrase(("R", "K"), "∃y(Ky∧Rxy)"),
}
"""Phrases by name; the monadic one is a word of its own."""
RELATIVES = ("to_name", "to_every", "to_some")  # the phrases that may be relative clauses


class SimpleType(NamedTuple):
    """A type of sentence without sentential connectives."""

    group: str  # see `types_of`
    formula: str  # in the notation of this module
    slots: tuple[str, ...]
    phrases: tuple[str, ...]  # which of PHRASES the slot `phrase` takes


def _type(group: str, formula: str, slots: str, phrases: str = "") -> SimpleType:
    return SimpleType(group, formula, tuple(slots.split()), tuple(phrases.split()))


_SHORT = "monadic to_name"
_ANY = "monadic kind to_name"
_LONG = "monadic to_name to_every to_some"

SIMPLE_TYPES: Mapping[str, SimpleType] = {
    "atomic_monadic": _type("literal", "@n", "name phrase", "monadic kind"),
    "atomic_dyadic": _type("literal", "@n", "name phrase", "to_name"),
    "negation_monadic": _type("literal", "¬@n", "name phrase", "monadic kind"),
    "negation_dyadic": _type("literal", "¬@n", "name phrase", "to_name"),
    "quantified_universal_affirmative": _type("one", "∀x(Kx→@x)", "K phrase", _SHORT),
    "quantified_particular_affirmative": _type("one", "∃x(Kx∧@x)", "K phrase", _SHORT),
    "quantified_universal_negative": _type("one", "¬∃x(Kx∧@x)", "K phrase", _SHORT),
    "quantified_particular_negative": _type("one", "∃x(Kx∧¬@x)", "K phrase", _SHORT),
    "quantified_only_restrictor": _type("one", "∀x(@x→Kx)", "K phrase", _SHORT),
    "quantified_name_all": _type("one", "∀x(Kx→Rnx)", "name R K"),
    "quantified_name_some": _type("one", "∃x(Kx∧Rnx)", "name R K"),
    "quantified_all_all": _type("two", "∀x∀y((Kx∧Jy)→Rxy)", "K R J"),
    "quantified_all_all_all": _type("three", "∀x(Kx→∀y((Jy∧∀z(Lz→Syz))→Rxy))", "K R J S L"),
    "quantified_all_all_back": _type("back", "∀x(Kx→∀y((Jy∧Syx)→Rxy))", "K R J S"),
    "quantified_all_some": _type("two", "∀x(Kx→∃y(Jy∧Rxy))", "K R J"),
    "quantified_all_some_back": _type("back", "∀x(Kx→∃y(Jy∧(Rxy∧Syx)))", "K R J S"),
    "quantified_some_all": _type("two", "∃x(Kx∧∀y(Jy→Rxy))", "K R J"),
    "quantified_some_all_back": _type("back", "∃x(Kx∧∀y((Jy∧Syx)→Rxy))", "K R J S"),
    "quantified_some_some": _type("two", "∃x∃y((Kx∧Jy)∧Rxy)", "K R J"),
    "quantified_some_some_back": _type("back", "∃x∃y((Kx∧Jy)∧(Rxy∧Syx))", "K R J S"),
    "quantified_some_some_some": _type("three", "∃x∃y∃z(((Kx∧Jy)∧Lz)∧(Rxy∧Syz))", "K R J S L"),
    "quantified_no_all": _type("two", "¬∃x(Kx∧∀y(Jy→Rxy))", "K R J"),
    "quantified_no_some": _type("two", "¬∃x∃y((Kx∧Jy)∧Rxy)", "K R J"),
    "quantified_no_some_back": _type("back", "¬∃x∃y((Kx∧Jy)∧(Rxy∧Syx))", "K R J S"),
    "quantified_rev_some_all": _type("reversed", "∃x(Kx∧∀y(Jy→Ryx))", "K J R"),
    "quantified_rev_no_all": _type("reversed", "¬∃x(Kx∧∀y(Jy→Ryx))", "K J R"),
    "quantified_some_self": _type("one", "∃x(Kx∧Rxx)", "K R"),
    "quantified_relative_all": _type("relative", "∀x((Kx∧%x)→@x)", "K relative phrase", _LONG),
    "quantified_relative_some": _type("relative", "∃x((Kx∧%x)∧@x)", "K relative phrase", _LONG),
    "quantified_relative_no": _type("relative", "¬∃x((Kx∧%x)∧@x)", "K relative phrase", _LONG),
    "quantified_relative_not_all": _type("relative", "∃x((Kx∧%x)∧¬@x)", "K relative phrase", _LONG),
    "conjunction_vp_ellipsis": _type("ellipsis", "(@n∧@o)", "name other phrase", _ANY),
    "disjunction_vp_ellipsis": _type("ellipsis", "(@n∨@o)", "name other phrase", _ANY),
}
"""Simple sentences; the ``quantified_relative`` types are not in the paper."""


def types_of(*groups: str) -> tuple[str, ...]:
    """Return the types of some groups, group by group.

    ``literal`` types have no quantifier, ``one``, ``two`` and ``three`` so many, ``relative`` one
    to three; ``ellipsis`` is that of a verb phrase. The others have two and are no clauses of
    compounds: in ``back``, "it" might refer to something in another clause; in ``reversed``, "that
    every monkey saw and Hazel ate" would be ambiguous.
    """
    return tuple(
        name for group in groups for name, kind in SIMPLE_TYPES.items() if kind.group == group
    )


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
OPPOSITES: Mapping[str, str] = _OPPOSITES | {other: name for name, other in _OPPOSITES.items()}
"""Type → the type that denies it of the same words."""


class Connective(NamedTuple):
    """A way to make a sentence out of others."""

    type: str  # of the whole when the clauses are simple, as in the published data
    formula: Callable[..., Formula]  # of the clauses' formulas
    clauses: int = 2


_AND, _OR, _IF, _IFF = (partial(Binary, name) for name in ("and", "or", "imp", "iff"))
CONNECTIVES: Mapping[str, Connective] = {
    "and": Connective("conjunction_simple", _AND),
    "but": Connective("conjunction_but", _AND),
    "but_not": Connective("conjunction_contrastive", lambda a, b: _AND(a, Not(b))),
    "or": Connective("disjunction_simple", _OR),
    "or_not": Connective("disjunction_negated_disjunct", lambda a, b: _OR(a, Not(b))),
    "unless": Connective("disjunction_unless", lambda a, b: _IF(Not(b), a)),
    "if_then": Connective("conditional_if_then", _IF),
    "only_if": Connective("conditional_only_if", _IF),
    "if_and_only_if": Connective("biconditional_if_and_only_if", _IFF),
    "just_in_case": Connective("biconditional_just_in_case", _IFF),
    "not": Connective("negation_compound", Not, 1),
    "both_and": Connective("conjunction_simple", _AND),
    "either_or": Connective("disjunction_simple", _OR),
    "comma_and": Connective("conjunction_simple", _AND),
    "comma_or": Connective("disjunction_simple", _OR),
    "comma_if_and_only_if": Connective("biconditional_if_and_only_if", _IFF),
}
"""Connectives by the name that lexicons give a pattern to."""

LEAF = "clause"
Shape = str | tuple["str | Shape", ...]
"""How clauses are put together: ``LEAF``, or a connective followed by the shapes of its clauses."""


def leaves(shape: Shape) -> int:
    """Return the number of simple clauses that a shape takes."""
    return 1 if isinstance(shape, str) else sum(leaves(part) for part in shape[1:])


def depth(shape: Shape) -> int:
    """Return how deep a shape nests connectives; a simple clause has depth 0."""
    return 0 if isinstance(shape, str) else 1 + max(depth(part) for part in shape[1:])


@cache
def shape_type(shape: Shape) -> str:
    """Return the type of the compound sentences of a shape."""
    whole = CONNECTIVES[str(shape[0])].type
    return f"{whole.partition('_')[0]}_nested" if depth(shape) > 1 else whole


_BOTH: Shape = ("both_and", LEAF, LEAF)
_EITHER: Shape = ("either_or", LEAF, LEAF)
_BRACKETED = (_BOTH, _EITHER)
_AND_THEN_EITHER: Shape = ("both_and", LEAF, _EITHER)
_OR_ELSE_BOTH: Shape = ("either_or", LEAF, _BOTH)
_JOINING = "and but but_not or or_not unless if_then only_if if_and_only_if just_in_case"
_INTRODUCING = "if_then only_if unless if_and_only_if just_in_case but_not or_not"
PUBLISHED_NESTED: Shape = ("if_then", LEAF, ("only_if", LEAF, LEAF))
"""The one nested shape of the published data: "if A, then B only if C"."""
SHAPES: Mapping[int, tuple[Shape, ...]] = {
    1: (LEAF,),
    2: tuple((name, LEAF, LEAF) for name in _JOINING.split()),
    3: (
        PUBLISHED_NESTED,
        ("if_then", LEAF, ("if_then", LEAF, LEAF)),
        ("if_then", LEAF, ("unless", LEAF, LEAF)),  # both readings are equivalent
        ("if_then", ("just_in_case", LEAF, LEAF), LEAF),
        ("and", LEAF, _EITHER),
        ("or", LEAF, _BOTH),
        ("comma_and", _EITHER, LEAF),
        ("comma_or", _BOTH, LEAF),
        *((name, LEAF, part) for name in _INTRODUCING.split() for part in _BRACKETED),
        *(("if_then", part, LEAF) for part in _BRACKETED),
        *(("if_then", LEAF, ("not", part)) for part in _BRACKETED),
    ),
    4: (
        ("if_then", LEAF, PUBLISHED_NESTED),
        ("comma_and", _EITHER, _EITHER),
        ("comma_or", _BOTH, _BOTH),
        *(("if_then", first, second) for first in _BRACKETED for second in _BRACKETED),
        *(("if_then", LEAF, (name, LEAF, p)) for name in ("only_if", "unless") for p in _BRACKETED),
        *(("if_then", part, ("only_if", LEAF, LEAF)) for part in _BRACKETED),
        *(("if_then", first, ("not", second)) for first in _BRACKETED for second in _BRACKETED),
        *(("comma_if_and_only_if", first, second) for first in _BRACKETED for second in _BRACKETED),
    ),
    6: (
        ("if_then", _AND_THEN_EITHER, _OR_ELSE_BOTH),
        ("if_then", _OR_ELSE_BOTH, _AND_THEN_EITHER),
        ("if_then", _OR_ELSE_BOTH, ("only_if", LEAF, _EITHER)),
        ("if_then", _AND_THEN_EITHER, ("not", _OR_ELSE_BOTH)),
        ("if_then", ("either_or", _BOTH, _BOTH), _EITHER),
        ("if_then", LEAF, ("if_then", _BOTH, ("only_if", LEAF, _EITHER))),
        ("comma_and", _OR_ELSE_BOTH, _OR_ELSE_BOTH),
        ("comma_or", _AND_THEN_EITHER, _AND_THEN_EITHER),
        ("comma_if_and_only_if", _AND_THEN_EITHER, _OR_ELSE_BOTH),
    ),
}
"""Number of clauses → the shapes that take so many and have one reading only."""
