"""How clauses are put together so that the sentence has one reading only.

``both … and`` and ``either … or`` bracket what they join, ``if … , then`` brackets its condition,
and a comma ends the clause before it. Other connectives join simple clauses or come last.
"""

from __future__ import annotations

from functools import cache

from logic_curriculum.generators.logicskills.constructions import CONNECTIVES

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
    nested = depth(shape) > 1
    return f"{whole.partition('_')[0]}_nested" if nested else whole


PAIRS: tuple[Shape, ...] = tuple(
    (name, LEAF, LEAF)
    for name in (
        "and",
        "but",
        "but_not",
        "or",
        "or_not",
        "unless",
        "if_then",
        "only_if",
        "if_and_only_if",
        "just_in_case",
    )
)
"""Shapes of two clauses."""
_BOTH: Shape = ("both_and", LEAF, LEAF)
_EITHER: Shape = ("either_or", LEAF, LEAF)
_BRACKETED = (_BOTH, _EITHER)
PUBLISHED_NESTED: Shape = ("if_then", LEAF, ("only_if", LEAF, LEAF))
"""The one nested shape of the published data: "if A, then B only if C"."""
TRIPLES: tuple[Shape, ...] = (
    PUBLISHED_NESTED,
    ("if_then", LEAF, ("if_then", LEAF, LEAF)),
    ("if_then", LEAF, ("unless", LEAF, LEAF)),  # both readings are equivalent
    ("if_then", ("just_in_case", LEAF, LEAF), LEAF),
    ("and", LEAF, _EITHER),
    ("or", LEAF, _BOTH),
    ("comma_and", _EITHER, LEAF),
    ("comma_or", _BOTH, LEAF),
    *((name, LEAF, part) for name in ("if_then", "only_if", "unless") for part in _BRACKETED),
    *((name, LEAF, part) for name in ("if_and_only_if", "just_in_case") for part in _BRACKETED),
    *((name, LEAF, part) for name in ("but_not", "or_not") for part in _BRACKETED),
    *(("if_then", part, LEAF) for part in _BRACKETED),
    *(("if_then", LEAF, ("not", part)) for part in _BRACKETED),
)
"""Shapes of three clauses that have one reading only."""
QUADRUPLES: tuple[Shape, ...] = (
    ("if_then", LEAF, PUBLISHED_NESTED),
    ("comma_and", _EITHER, _EITHER),
    ("comma_or", _BOTH, _BOTH),
    *(("if_then", first, second) for first in _BRACKETED for second in _BRACKETED),
    *(("if_then", LEAF, (name, LEAF, p)) for name in ("only_if", "unless") for p in _BRACKETED),
    *(("if_then", part, ("only_if", LEAF, LEAF)) for part in _BRACKETED),
    *(("if_then", first, ("not", second)) for first in _BRACKETED for second in _BRACKETED),
    *(("comma_if_and_only_if", first, second) for first in _BRACKETED for second in _BRACKETED),
)
"""Shapes of four clauses that have one reading only."""
_AND_THEN_EITHER: Shape = ("both_and", LEAF, _EITHER)
_OR_ELSE_BOTH: Shape = ("either_or", LEAF, _BOTH)
SEXTUPLES: tuple[Shape, ...] = (
    ("if_then", _AND_THEN_EITHER, _OR_ELSE_BOTH),
    ("if_then", _OR_ELSE_BOTH, _AND_THEN_EITHER),
    ("if_then", _OR_ELSE_BOTH, ("only_if", LEAF, _EITHER)),
    ("if_then", _AND_THEN_EITHER, ("not", _OR_ELSE_BOTH)),
    ("if_then", ("either_or", _BOTH, _BOTH), _EITHER),
    ("if_then", LEAF, ("if_then", _BOTH, ("only_if", LEAF, _EITHER))),
    ("comma_and", _OR_ELSE_BOTH, _OR_ELSE_BOTH),
    ("comma_or", _AND_THEN_EITHER, _AND_THEN_EITHER),
    ("comma_if_and_only_if", _AND_THEN_EITHER, _OR_ELSE_BOTH),
)
"""Shapes of six clauses, nested three deep, that have one reading only."""
SHAPES: tuple[Shape, ...] = (*PAIRS, *TRIPLES, *QUADRUPLES, *SEXTUPLES)
"""All shapes that are listed here."""
