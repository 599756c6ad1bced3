"""Terms and clauses of the reference interpreter, read from Prolog text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

TOKEN = re.compile(r"\s*(:-|\\\+|=:=|=\\=|\\=|=<|>=|[-=<>,;|()\[\]+*.]|\w+)")
COMPARISONS = ("=:=", "=\\=", "\\=", "=<", ">=", "=", "<", ">", "is")


class Var:
    """A variable; `value` is None until it is bound."""

    def __init__(self) -> None:
        self.value: object = None


@dataclass(frozen=True)
class Struct:
    """A functor with arguments; an atom has none, a list is ("[]") or (".", head, tail)."""

    name: str
    args: tuple = ()


EMPTY = Struct("[]")


class Parser:
    """Recursive descent over one clause after the other."""

    def __init__(self, text: str) -> None:
        self.tokens = [match[1] for match in TOKEN.finditer(text)]
        assert "".join(self.tokens) == re.sub(r"\s", "", text), f"unread text in {text!r}"
        self.at = 0
        self.scope: dict[str, Var] = {}

    def peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def want(self, token: str) -> None:
        found = self.next()
        assert found == token, f"expected {token}, found {found}"

    def clauses(self) -> Iterator[tuple[Struct, Struct]]:
        while self.peek():
            self.scope = {}
            head = self.primary()
            body = Struct("true")
            if self.peek() == ":-":
                self.next()
                body = self.disjunction()
            self.want(".")
            yield head, body

    def disjunction(self) -> object:
        return self.chain((";",), self.conjunction)

    def conjunction(self) -> object:
        return self.chain((",",), self.goal)

    def goal(self) -> object:
        if self.peek() == "\\+":
            self.next()
            return Struct("\\+", (self.goal(),))
        left = self.sum()
        if self.peek() in COMPARISONS:
            return Struct(self.next(), (left, self.sum()))
        return left

    def sum(self) -> object:
        return self.chain(("+", "-"), self.product)

    def product(self) -> object:
        return self.chain(("*",), self.primary)

    def chain(self, names: tuple[str, ...], operand: Callable[[], object]) -> object:
        left = operand()
        while self.peek() in names:
            left = Struct(self.next(), (left, operand()))
        return left

    def primary(self) -> object:
        token = self.next()
        if token == "(":
            inner = self.disjunction()
            self.want(")")
            return inner
        if token == "[":
            return self.list()
        if token.isdigit():
            return int(token)
        if token == "_":
            return Var()
        if token[0].isupper() or token[0] == "_":
            return self.scope.setdefault(token, Var())
        assert re.fullmatch(r"\w+", token), f"no term begins with {token}"
        return Struct(token, self.arguments())

    def arguments(self) -> tuple:
        if self.peek() != "(":
            return ()
        self.next()
        found = [self.goal()]
        while self.peek() == ",":
            self.next()
            found.append(self.goal())
        self.want(")")
        return tuple(found)

    def list(self) -> object:
        items: list[object] = []
        while self.peek() not in ("]", "|"):
            items.append(self.goal())
            if self.peek() == ",":
                self.next()
        tail: object = EMPTY
        if self.next() == "|":
            tail = self.goal()
            self.want("]")
        return make_list(items, tail)


def make_list(items: list, tail: object = EMPTY) -> object:
    for item in reversed(items):
        tail = Struct(".", (item, tail))
    return tail
