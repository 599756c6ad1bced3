"""The texts of a rule: one spelling to print, and one text for all rules that differ in spelling.

Splits are made on the second, so that no test rule hides in the training set under another
spelling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase

from logic_curriculum.generators.slr.terms import (
    NIL,
    Compound,
    Term,
    Variable,
    flatten,
    list_elements,
    read_clauses,
    rename,
    variables,
    write_term,
)

_UNORDERED = (",", ";")
_SYMMETRIC = ("=", "\\=", "==", "\\==", "=:=", "=\\=", "+", "*")
_MIRRORED = {">": "<", ">=": "=<"}


def standard_rule(text: str, first: str, second: str) -> str:
    """Write a rule in its one spelling: fixed spaces, one clause a line, variables by appearance.

    Args:
        text: One or more clauses.
        first: The capital letter of the first variable of the first clause's predicate, e.g. ``T``.
        second: The capital letter of the next one; the others follow the alphabet. Clauses of
            helper predicates begin with this letter.
    """
    clauses = read_clauses(text)
    target = _head(clauses[0])
    start = ascii_uppercase.index(second)
    alphabet = ascii_uppercase[start:] + ascii_uppercase[:start]
    letters = [letter for letter in alphabet if letter != first]
    letters += [f"{letter}{number}" for number in range(1, 10) for letter in alphabet]
    return "\n".join(
        _standard_clause(clause, [first, *letters] if _head(clause) == target else letters)
        for clause in clauses
    )


def _head(clause: Term) -> str:
    """Return the name of a clause's predicate."""
    head = clause.arguments[0] if isinstance(clause, Compound) and clause.name == ":-" else clause
    return head.name if isinstance(head, Compound) else ""


def _standard_clause(clause: Term, fresh: Sequence[str]) -> str:
    named = [name for name in variables(clause) if not name.startswith("_")]
    return write_term(rename(clause, dict(zip(named, fresh, strict=False)))) + "."


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
    clauses = read_clauses(rule)
    return "\n".join(sorted(_search(item, dict.fromkeys(variables(item), "")) for item in clauses))


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
    name = term.name
    if name in _UNORDERED and len(term.arguments) == 2:
        parts = sorted(_encode(item, colours) for item in flatten(term, name))
        return f"{name}({' '.join(parts)})"
    arguments = [_encode(item, colours) for item in term.arguments]
    if name == "member" and len(arguments) == 2:
        choices, rest = list_elements(term.arguments[1])
        if rest == NIL:
            arguments[1] = f"[{' '.join(sorted(_encode(item, colours) for item in choices))}]"
    if name in _MIRRORED:
        name, arguments = _MIRRORED[name], arguments[::-1]
    if name in _SYMMETRIC:
        arguments = sorted(arguments)
    return f"{name}({' '.join(arguments)})" if arguments else name
