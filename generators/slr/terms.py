"""The texts of a rule: its standard spelling, and a canonical text to compare rules by.

Splits are made on a rule's canonical text, so that no test rule is trained on in another spelling.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from string import ascii_uppercase

from logic_curriculum.rewards.engines.rules.terms import (
    NIL,
    Compound,
    Term,
    Variable,
    flatten,
    head_and_body,
    list_elements,
    read_clauses,
    variables,
    write_term,
)

_UNORDERED = (",", ";")
_SYMMETRIC = ("=", "\\=", "==", "\\==", "=:=", "=\\=", "+", "*")
_MIRRORED = {">": "<", ">=": "=<"}


def rename(term: Term, names: Mapping[str, str]) -> Term:
    """Return the term with its variables renamed; names that are not mapped stay."""
    if isinstance(term, Variable):
        return Variable(names.get(term.name, term.name))
    if isinstance(term, Compound):
        return Compound(term.name, tuple(rename(item, names) for item in term.arguments))
    return term


def standard_rule(text: str, first: str, second: str) -> str:
    """Write a rule in its one spelling: fixed spaces, one clause a line, variables by appearance.

    The first variable of the first clause's predicate is the capital letter ``first``, e.g. ``T``,
    the next one ``second``, and the others follow the alphabet. Clauses of helper predicates begin
    with ``second``.
    """
    clauses = read_clauses(text)
    start = ascii_uppercase.index(second)
    alphabet = ascii_uppercase[start:] + ascii_uppercase[:start]
    letters = [letter for letter in alphabet if letter != first]
    letters += [f"{letter}{number}" for number in range(1, 10) for letter in alphabet]
    lines = []
    for clause in clauses:
        fresh = [first, *letters] if _predicate(clause) == _predicate(clauses[0]) else letters
        named = [name for name in variables(clause) if not name.startswith("_")]
        lines.append(write_term(rename(clause, dict(zip(named, fresh, strict=False)))) + ".")
    return "\n".join(lines)


def _predicate(clause: Term) -> str:
    found, _ = head_and_body(clause)
    return found.name if isinstance(found, Compound) else ""


@lru_cache(maxsize=65536)
def canonical_rule(rule: str) -> str:
    """Return the canonical text of a rule of one or more clauses.

    Two rules get the same text exactly if they differ only in the names of variables, the order of
    clauses, of the operands of conjunctions and disjunctions (at any depth), of the two sides of
    symmetric operators, of the choices of ``member/2``, and in the direction of comparisons.
    Rules that mean the same for deeper reasons stay apart.
    """
    clauses = read_clauses(rule)
    return "\n".join(sorted(_search(item, dict.fromkeys(variables(item), "")) for item in clauses))


def _search(clause: Term, colours: dict[str, str]) -> str:
    """Refine the colours of variables; single out each of those that stay equal; take the least."""
    colours = _refine(clause, colours)
    classes: dict[str, list[str]] = {}
    for name in colours:
        classes.setdefault(colours[name], []).append(name)
    tied = next((classes[colour] for colour in sorted(classes) if len(classes[colour]) > 1), None)
    if tied:
        return min(_search(clause, {**colours, name: colours[name] + "!"}) for name in tied)
    order = sorted(colours, key=colours.__getitem__)
    return _encode(clause, {name: f"V{index}" for index, name in enumerate(order)})


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
