"""How the engines read texts: token by token, with an error that says where the reading stops."""

import re
from collections.abc import Callable, Collection
from typing import TypeVar

Item = TypeVar("Item")


class FormulaError(ValueError):
    """A text is no formula, fact or rule; the message says where and why."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        super().__init__(f"{problem}, at character {position + 1} of {text[:200]!r}")
        self.problem = problem


def check_length(text: str, most: int) -> None:
    """Raise a :class:`FormulaError` for a text of more than so many characters."""
    if len(text) > most:
        raise FormulaError(f"{len(text)} characters are too many, {most} the most", text, most)


class Reader:
    """A text as tokens, of which one is next; after the last one, tokens are empty."""

    def __init__(self, text: str, token: re.Pattern[str], most: int) -> None:
        """Split a text of at most ``most`` characters into matches of ``token``."""
        check_length(text, most)
        self.text = text
        self.tokens = [(found[0], found.start()) for found in token.finditer(text)]
        self.tokens += [("", len(text))] * 2
        self.next = 0

    @property
    def token(self) -> str:
        """The next token."""
        return self.tokens[self.next][0]

    def accept(self, sign: str) -> bool:
        """Take the next token if it is this one."""
        is_next = self.token == sign
        self.next += is_next
        return is_next

    def take(self, what: str, among: Collection[str]) -> str:
        """Take the next token, which has to be among some; ``what`` names them in an error."""
        token = self.token
        if token not in among:
            raise self.error(f"expected {what}, found {token or 'the end'!r}")
        self.next += 1
        return token

    def expect(self, sign: str) -> None:
        """Take the next token, which has to be this one."""
        self.take(repr(sign), (sign,))

    def whole(self, read: Callable[[], Item]) -> Item:
        """Return what a function reads, which has to be all of the text."""
        item = read()
        self.take("the end", ("",))
        return item

    def error(self, problem: str) -> FormulaError:
        """Return an error at the next token."""
        return FormulaError(problem, self.text, self.tokens[self.next][1])
