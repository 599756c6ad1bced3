"""Rules as text in one fixed spelling: spaces, brackets, names of variables."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from logic_curriculum.generators.slr.terms import (
    ARGUMENT_PRIORITY,
    INFIX,
    NEGATION,
    NEGATION_PRIORITY,
    NIL,
    Compound,
    Term,
    Variable,
    read_clauses,
    rename,
    variables,
)


def write_term(term: Term, limit: int = 1200) -> str:
    """Write a term with fixed spacing, in brackets if its priority exceeds ``limit``."""
    if isinstance(term, Variable):
        return "_" if term.name.startswith("_") else term.name
    if isinstance(term, int):
        return str(term)
    if term.name == "[|]":
        return _write_list(term)
    if term.name == NEGATION:
        return _in_brackets(
            f"{NEGATION} {write_term(term.arguments[0], NEGATION_PRIORITY - 1)}",
            NEGATION_PRIORITY,
            limit,
        )
    if term.name in INFIX and len(term.arguments) == 2:
        return _write_infix(term, limit)
    if not term.arguments:
        return term.name
    arguments = ", ".join(write_term(item, ARGUMENT_PRIORITY) for item in term.arguments)
    return f"{term.name}({arguments})"


def _write_infix(term: Compound, limit: int) -> str:
    operator = INFIX[term.name]
    left = write_term(term.arguments[0], operator.left)
    right = write_term(term.arguments[1], operator.right)
    space = "" if term.name == "," else " "
    return _in_brackets(f"{left}{space}{term.name} {right}", operator.priority, limit)


def _in_brackets(text: str, priority: int, limit: int) -> str:
    return f"({text})" if priority > limit else text


def _write_list(term: Term) -> str:
    items = []
    while isinstance(term, Compound) and term.name == "[|]":
        items.append(write_term(term.arguments[0], ARGUMENT_PRIORITY))
        term = term.arguments[1]
    tail = "" if term == NIL else "|" + write_term(term, ARGUMENT_PRIORITY)
    return "[" + ", ".join(items) + tail + "]"


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
