"""Prolog terms: read from the text of a rule, and written with fixed spacing; their types.

Only what rules need is read: clauses of atoms, integers, variables, lists and the usual operators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

MOST_TOKENS = 1_000  # of an answer; rules as they are written have some 300
MOST_DIGITS = 9  # of a number
DEEPEST = 60  # brackets and operators within each other


MOST_LEVELS = 150  # of a clause, chains of operators and cells of lists among them


class UnreadableError(ValueError):
    """A text is no Prolog that is read here; the message quotes the place."""


class RefusedError(ValueError):
    """An answer is no rule of the language, or exceeds a cap; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A logical variable. A name that starts with an underscore is anonymous."""

    name: str


@dataclass(frozen=True, slots=True)
class Compound:
    """A compound term; an atom is one without arguments."""

    name: str
    arguments: tuple[Term, ...] = ()

    @property
    def indicator(self) -> str:
        """Name and number of arguments, e.g. ``member/2``."""
        return f"{self.name}/{len(self.arguments)}"


Term = Variable | Compound | int

NIL = Compound("[]")
CONS = "[|]"  # the functor of a list's cell
_OPERATORS = [  # priority, highest priorities of the left and right arguments, and the names
    (1200, 1199, 1199, ":-"),
    (1100, 1099, 1100, "; |"),
    (1050, 1049, 1050, "-> *->"),
    (1000, 999, 1000, ","),
    (700, 699, 699, r"= \= == \== is =:= =\= < > =< >= @< @> @=< @>= =.."),
    (500, 500, 499, "+ -"),
    (400, 400, 399, "* / // mod rem div"),
    (200, 199, 200, "^"),
    (200, 199, 199, "**"),
]
_INFIX = {name: priorities for *priorities, names in _OPERATORS for name in names.split()}
_NEGATION, _NEGATION_PRIORITY = "\\+", 900
_MINUS_PRIORITY = 200
CLAUSE_PRIORITY, _ARGUMENT_PRIORITY = 1200, 999

_TOKEN = re.compile(
    r"""\s*(?:%[^\n]*\s*)*(?P<token>
        [A-Za-z_]\w*\(? | \d+ | \\\+\( | '(?:[^'\\\n]|''|\\.)*'\(?
      | [()\[\],|!;] | [-+*/\\^<>=~:.?@\#&$]+
    )""",
    re.VERBOSE | re.ASCII,
)
_PLAIN = re.compile(r"'[a-z]\w*'\(?", re.ASCII)
_END = ""


def read_clauses(text: str) -> tuple[Term, ...]:
    """Read a rule of one or more clauses.

    UnreadableError quotes what can't be read; RefusedError says that the rule is too large.
    """
    clauses = tuple(_Reader(text).clauses())
    if not clauses:
        raise UnreadableError("there is no clause; write one such as 'head(X) :- body(X).'")
    return clauses


def _check_depth(term: Term) -> None:
    """Raise a RefusedError for a term too deep for functions that call themselves."""
    level, depth = [term], 0
    while level:
        level = [part for each in level for part in getattr(each, "arguments", ())]
        depth += 1
    if depth > MOST_LEVELS:
        raise RefusedError(f"terms are nested more than {MOST_LEVELS} deep")


class _Reader:
    """Operator-precedence reader over a list of tokens."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.position = 0
        self.anonymous = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.position]

    def take(self) -> str:
        self.position += 1
        return self.tokens[self.position - 1]

    def found(self, token: str) -> bool:
        """Take the next token if it is this one."""
        is_next = self.tokens[self.position] == token
        self.position += is_next
        return is_next

    def expect(self, token: str) -> None:
        if not self.found(token):
            raise self.complaint(f"{token!r} expected")

    def complaint(self, problem: str) -> UnreadableError:
        near = " ".join(self.tokens[max(0, self.position - 4) : self.position + 3]).strip()
        return UnreadableError(f"{problem} near {near[:60]!r}")

    def clauses(self) -> Iterator[Term]:
        while self.peek() != _END:
            clause = self.term(CLAUSE_PRIORITY)
            _check_depth(clause)
            yield clause
            self.expect(".")

    def term(self, limit: int) -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise RefusedError(f"terms are nested more than {DEEPEST} deep")
        term, priority = self.primary()
        chain = 0
        while (name := self.peek().removesuffix("(")) in _INFIX:
            operator, left, right = _INFIX[name]
            if operator > limit or priority > left:
                break
            if self.take() != name:  # an operator right before a bracket, as in ``is(1 + 2)``
                self.position -= 1
                self.tokens[self.position] = "("
            term = Compound(";" if name == "|" else name, (term, self.term(right)))
            priority = operator
            chain += 1
            if chain > DEEPEST:
                raise RefusedError(f"a chain of more than {DEEPEST} operators")
        self.depth -= 1
        return term

    def primary(self) -> tuple[Term, int]:
        token = self.take()
        first = token[:1]
        if first.isalpha() or (first in "_'" and first) or token == f"{_NEGATION}(":
            return self.named(token), 0
        if first.isdigit():
            return _number(token), 0
        if token == "(":
            inner = self.term(CLAUSE_PRIORITY)
            self.expect(")")
            return inner, 0
        if token == "[":
            return self.list_items(), 0
        if token == "!":
            return Compound("!"), 0
        if token == _NEGATION:
            return Compound(_NEGATION, (self.term(_NEGATION_PRIORITY),)), _NEGATION_PRIORITY
        if token == "-" and self.peek().isdigit():
            return -_number(self.take()), 0
        if token == "-":
            return Compound("-", (self.term(_MINUS_PRIORITY),)), _MINUS_PRIORITY
        self.position -= 1
        raise self.complaint(f"{token!r} begins no term" if token else "the text ends too soon")

    def named(self, token: str) -> Term:
        name = token.removesuffix("(")
        if name[0] == "'":
            if not _PLAIN.fullmatch(token):
                raise self.complaint("a quoted name with other than letters, digits and _")
            name = name[1:-1]
        elif name[0].isupper() or name[0] == "_":
            if name != token:
                raise self.complaint("a variable where a predicate should stand")
            if name == "_":
                self.anonymous += 1
                name = f"_ {self.anonymous}"  # which no text can name
            return Variable(name)
        if not token.endswith("("):
            return Compound(name)
        arguments = self.arguments()
        self.expect(")")
        return Compound(name, tuple(arguments))

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
            rest = Compound(CONS, (item, rest))
        return rest


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise RefusedError(f"a number has more than {MOST_DIGITS} digits")
    return int(digits)


def _tokens(text: str) -> list[str]:
    stripped, position = text.rstrip(), 0
    tokens: list[str] = []
    while match := _TOKEN.match(stripped, position):
        token = match["token"]
        if token[-1] == "." and token[-2:-1] not in ("", "."):  # behind another sign, as in ``!.``
            tokens.append(token[:-1])
            token = "."
        tokens.append(token)
        position = match.end()
        if len(tokens) > MOST_TOKENS:
            raise RefusedError(f"it has more than {MOST_TOKENS} words and signs")
    if position < len(stripped):
        raise UnreadableError(f"no Prolog at {stripped[position : position + 30].strip()!r}")
    return [*tokens, _END]


def write_term(term: Term, limit: int = CLAUSE_PRIORITY) -> str:
    """Write a term with fixed spacing, in brackets if its priority exceeds ``limit``."""
    if isinstance(term, Variable):
        return "_" if term.name.startswith("_") else term.name
    if isinstance(term, int):
        return str(term)
    name, arguments = term.name, term.arguments
    if name == CONS:
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
    while isinstance(term, Compound) and term.name == CONS:
        items.append(term.arguments[0])
        term = term.arguments[1]
    return tuple(items), term


def subterms(term: Term) -> list[Term]:
    """Return the term and all terms within it, from left to right."""
    inner = term.arguments if isinstance(term, Compound) else ()
    return [term, *chain.from_iterable(map(subterms, inner))]


def variables(term: Term) -> list[str]:
    """Return the names of the term's variables, first appearance first."""
    if isinstance(term, Variable):
        return [term.name]
    inner = term.arguments if isinstance(term, Compound) else ()
    return list(dict.fromkeys(chain.from_iterable(map(variables, inner))))


def flatten(term: Term, operator: str) -> list[Term]:
    """Return the operands of a chain such as ``a, b, c``; a single operand if there is no chain."""
    if isinstance(term, Compound) and term.name == operator and len(term.arguments) == 2:
        left, right = term.arguments
        return flatten(left, operator) + flatten(right, operator)
    return [term]


def head_and_body(clause: Term) -> tuple[Term, list[Term]]:
    """Return a clause's head and the goals of its body; a fact has none."""
    if isinstance(clause, Compound) and clause.name == ":-" and len(clause.arguments) == 2:
        head, body = clause.arguments
        return head, flatten(body, ",")
    return clause, []


# Types: wholes, parts, numbers, values, lists and pairs of these


class ClashError(Exception):
    """Two types differ; the text says which."""


@dataclass(eq=False, slots=True)
class Type:
    """A type, or one that is not known yet and becomes another by :func:`unify`."""

    name: str | None = None
    inner: tuple[Type, ...] = ()
    link: Type | None = None

    def found(self) -> Type:
        """Return what the type has become."""
        return self if self.link is None else self.link.found()

    @property
    def kind(self) -> str | None:
        """Its name, None if it is not known."""
        return self.found().name

    def __str__(self) -> str:
        """Return words for a message."""
        return f"a {(self.kind or 'term').replace('_', ' ')}"

    def is_deeper(self, most: int, lists: int) -> bool:
        """Return whether more than ``most`` lists and pairs, or more lists, are within others."""
        its = self.found()
        left = most - 1, lists - (its.kind == "list")
        return most < 0 or lists < 0 or any(inner.is_deeper(*left) for inner in its.inner)

    def holds(self, other: Type) -> bool:
        """Return whether another type is within this one."""
        its = self.found()
        return its is other or any(inner.holds(other) for inner in its.inner)


WHOLE, PART, NUMBER, FRACTION = Type("whole"), Type("part"), Type("number"), Type("fraction")


def unify(one: Type, other: Type) -> None:
    """Make two types one; raise a ClashError if they differ."""
    one, other = one.found(), other.found()
    if one is other:
        return
    for free, its in ((one, other), (other, one)):
        if free.name is None:
            if its.holds(free):
                raise ClashError("a list or pair can't hold itself")
            free.link = its
            return
    if one.name != other.name:
        raise ClashError(f"{one} is compared with {other}")
    for mine, its in zip(one.inner, other.inner, strict=True):
        unify(mine, its)
