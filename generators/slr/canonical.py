"""One text for all rules that differ only in variable names and in the order of literals.

Splits are made on this text, so that no test rule hides in the training set under another spelling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from logic_curriculum.generators.slr.terms import (
    NIL,
    Compound,
    Term,
    Variable,
    flatten,
    read_clauses,
    variables,
)

_UNORDERED = (",", ";")
_SYMMETRIC = ("=", "\\=", "==", "\\==", "=:=", "=\\=", "+", "*")
_MIRRORED = {">": "<", ">=": "=<"}


@lru_cache(maxsize=65536)
def canonical_rule(rule: str) -> str:
    """Return the canonical text of a rule of one or more clauses.

    Two rules get the same text exactly if they differ only in the names of variables, the order of
    clauses, of the operands of conjunctions and disjunctions (at any depth), of the two sides of
    symmetric operators, of the choices of ``member/2``, and in the direction of comparisons.
    Rules that mean the same for deeper reasons stay apart.

    Raises:
        ValueError: The rule can't be read.
    """
    return "\n".join(sorted(_canonical_clause(clause) for clause in read_clauses(rule)))


def _canonical_clause(clause: Term) -> str:
    return _search(clause, dict.fromkeys(variables(clause), ""))


def _search(clause: Term, colours: dict[str, str]) -> str:
    """Refine the colours of variables; single out each of those that stay equal; take the least."""
    colours = _refine(clause, colours)
    tied = _first_tie(colours)
    if not tied:
        order = sorted(colours, key=lambda name: colours[name])
        return _encode(clause, {name: f"V{index}" for index, name in enumerate(order)})
    return min(_search(clause, {**colours, name: colours[name] + "!"}) for name in tied)


def _refine(clause: Term, colours: dict[str, str]) -> dict[str, str]:
    """Colour each variable by the clause as seen from it, until no further colours appear."""
    classes = len(set(colours.values()))
    while True:
        seen = {name: _encode(clause, {**colours, name: f"@{colours[name]}"}) for name in colours}
        refined = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in seen.items()}
        found = len(set(refined.values()))
        if found <= classes:
            return refined
        colours, classes = refined, found


def _first_tie(colours: Mapping[str, str]) -> list[str]:
    members: dict[str, list[str]] = {}
    for name, colour in colours.items():
        members.setdefault(colour, []).append(name)
    return next((members[colour] for colour in sorted(members) if len(members[colour]) > 1), [])


def _encode(term: Term, colours: Mapping[str, str]) -> str:
    """Write a term with colours for variables and with unordered operands sorted."""
    if isinstance(term, Variable):
        return f"?{colours[term.name]}"
    if isinstance(term, int):
        return str(term)
    if term.name in _UNORDERED and len(term.arguments) == 2:
        parts = sorted(_encode(item, colours) for item in flatten(term, term.name))
        return f"{term.name}({' '.join(parts)})"
    return _encode_compound(term, colours)


def _encode_choices(choices: Term, colours: Mapping[str, str]) -> str:
    """Write the list of ``member/2`` with its elements sorted, if all of it is there."""
    items = []
    rest = choices
    while isinstance(rest, Compound) and rest.name == "[|]":
        items.append(_encode(rest.arguments[0], colours))
        rest = rest.arguments[1]
    return f"[{' '.join(sorted(items))}]" if rest == NIL else _encode(choices, colours)


def _encode_compound(term: Compound, colours: Mapping[str, str]) -> str:
    arguments = [_encode(item, colours) for item in term.arguments]
    if term.name == "member" and len(arguments) == 2:
        arguments[1] = _encode_choices(term.arguments[1], colours)
    name = term.name
    if name in _MIRRORED:
        name, arguments = _MIRRORED[name], arguments[::-1]
    if name in _SYMMETRIC:
        arguments = sorted(arguments)
    return f"{name}({' '.join(arguments)})" if arguments else name
