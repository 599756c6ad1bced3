"""Prolog terms of rules: read and write them, take them apart, rename their variables.

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


class _Operator(NamedTuple):
    """Priority of an operator and the highest priorities of its two arguments."""

    priority: int
    left: int
    right: int


def _infix(priority: int, kind: str, names: str) -> dict[str, _Operator]:
    left = priority if kind == "yfx" else priority - 1
    right = priority if kind == "xfy" else priority - 1
    return {name: _Operator(priority, left, right) for name in names.split()}


_INFIX = {
    **_infix(1200, "xfx", ":-"),
    **_infix(1100, "xfy", ";"),
    **_infix(1050, "xfy", "->"),
    **_infix(1000, "xfy", ","),
    **_infix(700, "xfx", r"= \= == \== is =:= =\= < > =< >= @< @> @=< @>="),
    **_infix(500, "yfx", "+ -"),
    **_infix(400, "yfx", "* / // mod"),
}
_NEGATION, _NEGATION_PRIORITY = "\\+", 900
_CLAUSE_PRIORITY, _ARGUMENT_PRIORITY = 1200, 999
NIL = Compound("[]")

_TOKEN = re.compile(
    r"""\s*(?:%[^\n]*\s*)*(?P<token>
        [A-Z_][A-Za-z0-9_]* | [a-z][A-Za-z0-9_]* | \d+ | '(?:[^'\\]|\\.)*'
      | [()\[\],|!] | ;
      | [-+*/\\^<>=~:.?@\#&$]+
    )""",
    re.VERBOSE,
)
_END = "<end of text>"


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


class _Reader:
    """Operator-precedence reader over a list of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.position = 0
        self.anonymous = 0

    def peek(self) -> str:
        return self.tokens[self.position]

    def take(self) -> str:
        self.position += 1
        return self.tokens[self.position - 1]

    def found(self, token: str) -> bool:
        """Take the next token if it is this one."""
        is_next = self.peek() == token
        self.position += is_next
        return is_next

    def expect(self, token: str) -> None:
        if not self.found(token):
            raise ValueError(
                f"Expected {token!r} but found {self.peek()!r} in the rule {self.text!r}; "
                "each clause ends in a full stop and its brackets must match"
            )

    def clauses(self) -> Iterator[Term]:
        while self.peek() != _END:
            yield self.term(_CLAUSE_PRIORITY)
            self.expect(".")

    def term(self, limit: int) -> Term:
        left, priority = self.primary()
        while True:
            operator = _INFIX.get(self.peek())
            if operator is None or operator.priority > limit or priority > operator.left:
                return left
            left = Compound(self.take(), (left, self.term(operator.right)))
            priority = operator.priority

    def primary(self) -> tuple[Term, int]:
        if self.found(_NEGATION):
            return Compound(_NEGATION, (self.term(_NEGATION_PRIORITY),)), _NEGATION_PRIORITY
        if self.found("("):
            inner = self.term(_CLAUSE_PRIORITY)
            self.expect(")")
            return inner, 0
        return (self.list_items() if self.found("[") else self.simple()), 0

    def simple(self) -> Term:
        token = self.take()
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
            return Compound(token, tuple(self.arguments(")")) if self.found("(") else ())
        raise ValueError(
            f"{token!r} stands where a term should begin in the rule {self.text!r}; "
            "check its commas and brackets"
        )

    def arguments(self, *closing: str) -> list[Term]:
        """Read terms between commas, and the bracket after them if there is one to expect."""
        terms = [self.term(_ARGUMENT_PRIORITY)]
        while self.found(","):
            terms.append(self.term(_ARGUMENT_PRIORITY))
        for bracket in closing:
            self.expect(bracket)
        return terms

    def list_items(self) -> Term:
        if self.found("]"):
            return NIL
        items = self.arguments()
        rest = self.term(_ARGUMENT_PRIORITY) if self.found("|") else NIL
        self.expect("]")
        for item in reversed(items):
            rest = Compound("[|]", (item, rest))
        return rest


def _tokens(text: str) -> Iterator[str]:
    stripped, position = text.rstrip(), 0
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise ValueError(
                f"Cannot read {stripped[position : position + 20]!r} in the rule {text!r}; "
                "write plain Prolog clauses"
            )
        yield match["token"]
        position = match.end()
    yield _END


def write_term(term: Term, limit: int = _CLAUSE_PRIORITY) -> str:
    """Write a term with fixed spacing, in brackets if its priority exceeds ``limit``."""
    if isinstance(term, Variable):
        return "_" if term.name.startswith("_") else term.name
    if isinstance(term, int):
        return str(term)
    if term.name == "[|]":
        items, rest = list_elements(term)
        tail = "" if rest == NIL else f"|{write_term(rest, _ARGUMENT_PRIORITY)}"
        return f"[{_write_arguments(items)}{tail}]"
    if term.name == _NEGATION:
        text = f"{_NEGATION} {write_term(term.arguments[0], _NEGATION_PRIORITY - 1)}"
        return f"({text})" if limit < _NEGATION_PRIORITY else text
    if term.name in _INFIX and len(term.arguments) == 2:
        operator = _INFIX[term.name]
        left = write_term(term.arguments[0], operator.left)
        right = write_term(term.arguments[1], operator.right)
        text = f"{left}{'' if term.name == ',' else ' '}{term.name} {right}"
        return f"({text})" if limit < operator.priority else text
    return f"{term.name}({_write_arguments(term.arguments)})" if term.arguments else term.name


def _write_arguments(terms: tuple[Term, ...]) -> str:
    return ", ".join(write_term(item, _ARGUMENT_PRIORITY) for item in terms)


def list_elements(term: Term) -> tuple[tuple[Term, ...], Term]:
    """Return the elements of a list, and what follows them: :data:`NIL` or another term."""
    items = []
    while isinstance(term, Compound) and term.name == "[|]":
        items.append(term.arguments[0])
        term = term.arguments[1]
    return tuple(items), term


def subterms(term: Term) -> Iterator[Term]:
    """Yield the term and all terms within it, from left to right."""
    yield term
    if isinstance(term, Compound):
        for argument in term.arguments:
            yield from subterms(argument)


def variables(term: Term) -> list[str]:
    """Return the names of the term's variables in the order of their first appearance."""
    return list(dict.fromkeys(v.name for v in subterms(term) if isinstance(v, Variable)))


def predicates(term: Term) -> list[str]:
    """Return the names of all compound terms within the term, first appearance first."""
    compounds = (item for item in subterms(term) if isinstance(item, Compound) and item.arguments)
    return list(dict.fromkeys(item.name for item in compounds))


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
