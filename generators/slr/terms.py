"""Prolog terms of rules: read, write in one fixed spelling, rename variables.

Only the fragment that rules need is read: clauses of atoms, integers, variables, lists and the
usual operators. It is used for writing rules and for comparing them; the judge has its own reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import NamedTuple


@dataclass(frozen=True)
class Variable:
    """A logical variable. A name that starts with an underscore is anonymous."""

    name: str


@dataclass(frozen=True)
class Compound:
    """A compound term; an atom is one without arguments."""

    name: str
    arguments: tuple[Term, ...] = ()


Term = Variable | Compound | int


class Operator(NamedTuple):
    """Priority of an operator and the highest priorities of its two arguments."""

    priority: int
    left: int
    right: int


def _infix(priority: int, kind: str, *names: str) -> dict[str, Operator]:
    left = priority if kind == "yfx" else priority - 1
    right = priority if kind == "xfy" else priority - 1
    return {name: Operator(priority, left, right) for name in names}


INFIX = {
    **_infix(1200, "xfx", ":-"),
    **_infix(1100, "xfy", ";"),
    **_infix(1050, "xfy", "->"),
    **_infix(1000, "xfy", ","),
    **_infix(700, "xfx", "=", "\\=", "==", "\\==", "is", "=:=", "=\\=", "<", ">", "=<", ">="),
    **_infix(700, "xfx", "@<", "@>", "@=<", "@>="),
    **_infix(500, "yfx", "+", "-"),
    **_infix(400, "yfx", "*", "/", "//", "mod"),
}
NEGATION = "\\+"
_NEGATION_PRIORITY = 900
_ARGUMENT_PRIORITY = 999
NIL = Compound("[]")

_TOKEN = re.compile(
    r"""\s*(?:%[^\n]*\s*)*(?P<token>
        [A-Z_][A-Za-z0-9_]* | [a-z][A-Za-z0-9_]* | \d+ | '(?:[^'\\]|\\.)*'
      | [()\[\],|!] | ;
      | [-+*/\\^<>=~:.?@\#&$]+
    )""",
    re.VERBOSE,
)
_END = "end of text"


def _tokens(text: str) -> list[str]:
    found, position = [], 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise ValueError(
                f"cannot read {stripped[position : position + 20]!r} in the rule {text!r}; "
                "write plain Prolog clauses"
            )
        found.append(match["token"])
        position = match.end()
    return [*found, _END]


class _Reader:
    """Operator-precedence reader over a list of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.position = 0
        self.anonymous = 0

    def peek(self) -> str:
        return self.tokens[self.position]

    def take(self) -> str:
        token = self.tokens[self.position]
        self.position += 1
        return token

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise ValueError(
                f"expected {token!r} but found {self.peek()!r} in the rule {self.text!r}; "
                "each clause ends in a full stop and its brackets must match"
            )
        self.take()

    def clauses(self) -> Iterator[Term]:
        while self.peek() != _END:
            yield self.term(1200)
            self.expect(".")

    def term(self, limit: int) -> Term:
        left, left_priority = self.primary(limit)
        while True:
            operator = INFIX.get(self.peek())
            if operator is None or operator.priority > limit or left_priority > operator.left:
                return left
            name = self.take()
            left = Compound(name, (left, self.term(operator.right)))
            left_priority = operator.priority

    def primary(self, limit: int) -> tuple[Term, int]:
        token = self.take()
        if token == NEGATION:
            return Compound(NEGATION, (self.term(_NEGATION_PRIORITY),)), _NEGATION_PRIORITY
        if token == "(":
            inner = self.term(1200)
            self.expect(")")
            return inner, 0
        if token == "[":
            return self.list_tail(), 0
        return self.simple(token), 0

    def simple(self, token: str) -> Term:
        if token == "-" and self.peek().isdigit():
            return -int(self.take())
        if token.isdigit():
            return int(token)
        if token == "_":
            self.anonymous += 1
            return Variable(f"_{self.anonymous}")
        if token[0].isupper() or token[0] == "_":
            return Variable(token)
        if token[0].islower() or token[0] == "'" or token == "!":
            return Compound(token, self.arguments())
        self.position -= 1
        raise ValueError(
            f"{self.peek()!r} stands where a term should begin in the rule {self.text!r}; "
            "check its commas and brackets"
        )

    def arguments(self) -> tuple[Term, ...]:
        if self.peek() != "(":
            return ()
        self.take()
        found = [self.term(_ARGUMENT_PRIORITY)]
        while self.peek() == ",":
            self.take()
            found.append(self.term(_ARGUMENT_PRIORITY))
        self.expect(")")
        return tuple(found)

    def list_tail(self) -> Term:
        if self.peek() == "]":
            self.take()
            return NIL
        items = [self.term(_ARGUMENT_PRIORITY)]
        while self.peek() == ",":
            self.take()
            items.append(self.term(_ARGUMENT_PRIORITY))
        rest: Term = NIL
        if self.peek() == "|":
            self.take()
            rest = self.term(_ARGUMENT_PRIORITY)
        self.expect("]")
        for item in reversed(items):
            rest = Compound("[|]", (item, rest))
        return rest


def read_clauses(text: str) -> tuple[Term, ...]:
    """Read a rule of one or more clauses.

    Raises:
        ValueError: The text is not in the fragment; the message quotes the place.
    """
    clauses = tuple(_Reader(text).clauses())
    if not clauses:
        raise ValueError(
            f"the rule {text!r} holds no clause; write one such as 'head(X) :- body(X).'"
        )
    return clauses


def variables(term: Term) -> list[str]:
    """Return the names of the term's variables in the order of their first appearance."""
    found: dict[str, None] = {}
    _collect_variables(term, found)
    return list(found)


def _collect_variables(term: Term, found: dict[str, None]) -> None:
    if isinstance(term, Variable):
        found[term.name] = None
    elif isinstance(term, Compound):
        for argument in term.arguments:
            _collect_variables(argument, found)


def rename(term: Term, names: Mapping[str, str]) -> Term:
    """Return the term with its variables renamed; names that are not mapped stay."""
    if isinstance(term, Variable):
        return Variable(names.get(term.name, term.name))
    if isinstance(term, Compound):
        return Compound(term.name, tuple(rename(item, names) for item in term.arguments))
    return term


def flatten(term: Term, operator: str) -> list[Term]:
    """Return the operands of a chain such as ``a, b, c``; a single operand if there is no chain."""
    if isinstance(term, Compound) and term.name == operator and len(term.arguments) == 2:
        left, right = term.arguments
        return flatten(left, operator) + flatten(right, operator)
    return [term]


def predicates(term: Term) -> list[str]:
    """Return the names of all compound terms within the term, first appearance first."""
    found: dict[str, None] = {}
    pending: list[Term] = [term]
    while pending:
        item = pending.pop(0)
        if isinstance(item, Compound) and item.arguments:
            found[item.name] = None
            pending = [*item.arguments, *pending]
    return list(found)


def write_term(term: Term, limit: int = 1200) -> str:
    """Write a term with fixed spacing, in brackets if its priority exceeds ``limit``."""
    if isinstance(term, Variable):
        return "_" if term.name.startswith("_") else term.name
    if isinstance(term, int):
        return str(term)
    if term.name == "[|]":
        return _write_list(term)
    if term.name == NEGATION:
        return _in_brackets(f"{NEGATION} {write_term(term.arguments[0], 899)}", 900, limit)
    if term.name in INFIX and len(term.arguments) == 2:
        return _write_infix(term, limit)
    if not term.arguments:
        return term.name
    arguments = ", ".join(write_term(item, _ARGUMENT_PRIORITY) for item in term.arguments)
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
        items.append(write_term(term.arguments[0], _ARGUMENT_PRIORITY))
        term = term.arguments[1]
    tail = "" if term == NIL else "|" + write_term(term, _ARGUMENT_PRIORITY)
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
