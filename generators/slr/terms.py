"""Prolog terms of rules: read them, take them apart, rename their variables.

Only the fragment that rules need is read: clauses of atoms, integers, variables, lists and the
usual operators. It is used for writing rules and for comparing them; the judge has its own reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
NEGATION_PRIORITY = 900
ARGUMENT_PRIORITY = 999
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
                f"Cannot read {stripped[position : position + 20]!r} in the rule {text!r}; "
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
                f"Expected {token!r} but found {self.peek()!r} in the rule {self.text!r}; "
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
            return Compound(NEGATION, (self.term(NEGATION_PRIORITY),)), NEGATION_PRIORITY
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
        found = [self.term(ARGUMENT_PRIORITY)]
        while self.peek() == ",":
            self.take()
            found.append(self.term(ARGUMENT_PRIORITY))
        self.expect(")")
        return tuple(found)

    def list_tail(self) -> Term:
        if self.peek() == "]":
            self.take()
            return NIL
        items = [self.term(ARGUMENT_PRIORITY)]
        while self.peek() == ",":
            self.take()
            items.append(self.term(ARGUMENT_PRIORITY))
        rest: Term = NIL
        if self.peek() == "|":
            self.take()
            rest = self.term(ARGUMENT_PRIORITY)
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
            f"The rule {text!r} holds no clause; write one such as 'head(X) :- body(X).'"
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
