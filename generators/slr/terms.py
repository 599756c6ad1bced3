"""Prolog terms of rules, and the texts of a rule.

Only the fragment that rules need is read: clauses of atoms, integers, variables, lists and the
usual operators. Rules are written and compared with it; the judge has its own reader. Splits are
made on a rule's canonical text, so that no test rule is trained on in another spelling.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase


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

_OPERATORS = [  # priority, highest priorities of the left and right arguments, and the names
    (1200, 1199, 1199, ":-"),
    (1100, 1099, 1100, ";"),
    (1050, 1049, 1050, "->"),
    (1000, 999, 1000, ","),
    (700, 699, 699, r"= \= == \== is =:= =\= < > =< >= @< @> @=< @>="),
    (500, 500, 499, "+ -"),
    (400, 400, 399, "* / // mod"),
]
_INFIX = {name: priorities for *priorities, names in _OPERATORS for name in names.split()}
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

_UNORDERED = (",", ";")
_SYMMETRIC = ("=", "\\=", "==", "\\==", "=:=", "=\\=", "+", "*")
_MIRRORED = {">": "<", ">=": "=<"}


def read_clauses(text: str) -> tuple[Term, ...]:
    """Read a rule of one or more clauses; a ``ValueError`` quotes what is not in the fragment."""
    clauses = tuple(_Reader(text).clauses())
    if not clauses:
        remedy = "write one such as 'head(X) :- body(X).'"
        raise ValueError(f"The rule {text!r} holds no clause; {remedy}")
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
        term, priority = self.primary()
        while (name := self.peek()) in _INFIX:
            operator, left, right = _INFIX[name]
            if operator > limit or priority > left:
                break
            self.take()
            term, priority = Compound(name, (term, self.term(right))), operator
        return term

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
            if not self.found("("):
                return Compound(token)
            arguments = self.arguments()
            self.expect(")")
            return Compound(token, tuple(arguments))
        raise ValueError(
            f"{token!r} stands where a term should begin in the rule {self.text!r}; "
            "check its commas and brackets"
        )

    def arguments(self) -> list[Term]:
        terms = [self.term(_ARGUMENT_PRIORITY)]
        while self.found(","):
            terms.append(self.term(_ARGUMENT_PRIORITY))
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
            place = f"{stripped[position : position + 20]!r} in the rule {text!r}"
            raise ValueError(f"Cannot read {place}; write plain Prolog clauses")
        yield match["token"]
        position = match.end()
    yield _END


def write_term(term: Term, limit: int = _CLAUSE_PRIORITY) -> str:
    """Write a term with fixed spacing, in brackets if its priority exceeds ``limit``."""
    if isinstance(term, Variable):
        return "_" if term.name.startswith("_") else term.name
    if isinstance(term, int):
        return str(term)
    name, arguments = term.name, term.arguments
    if name == "[|]":
        items, rest = list_elements(term)
        tail = "" if rest == NIL else f"|{write_term(rest, _ARGUMENT_PRIORITY)}"
        return f"[{_write_arguments(items)}{tail}]"
    if name == _NEGATION:
        priority = _NEGATION_PRIORITY
        text = f"{_NEGATION} {write_term(arguments[0], _NEGATION_PRIORITY - 1)}"
    elif name in _INFIX and len(arguments) == 2:
        priority, left, right = _INFIX[name]
        space = "" if name == "," else " "
        text = f"{write_term(arguments[0], left)}{space}{name} {write_term(arguments[1], right)}"
    else:
        return f"{name}({_write_arguments(arguments)})" if arguments else name
    return f"({text})" if limit < priority else text


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
    """Return the names of the term's variables, first appearance first."""
    return list(dict.fromkeys(v.name for v in subterms(term) if isinstance(v, Variable)))


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


def head(clause: Term) -> Term:
    """Return the head of a rule; a fact is all head."""
    return clause.arguments[0] if isinstance(clause, Compound) and clause.name == ":-" else clause


def _predicate(clause: Term) -> str:
    found = head(clause)
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
