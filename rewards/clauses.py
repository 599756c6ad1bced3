"""Prolog clauses in text that a model wrote: where they stand, and which belong together.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_END = r"(?<![-+*/\\^<>=~:.?@#&$])\.(?=[\s%`*\"']|\Z)"
_CLAUSE_START = re.compile(
    r"(?<!\w)(?P<head>[a-z]\w*+)"
    rf"(?:(?:\([^()]*+\))?\s*+(?P<neck>:-)|\([^()]*+\)\s*+{_END})"
)
_BODY_TOKEN = re.compile(
    r"'(?:[^'\\\n]|\\.|'')*+'?"  # a quoted atom; a stray quote ends with its line
    r'|"(?:[^"\\\n]|\\.|"")*+"?'
    r"|%[^\n]*+"
    r"|/\*.*?(?:\*/|\Z)"
    rf"|(?P<end>{_END})"
    r"|(?P<cut>`|\n[ \t\r]*+\n)",
    re.DOTALL,
)
_COMMENT_LINE = re.compile(r"^[ \t]*+%.*$", re.MULTILINE)
_GAP = re.compile(r"(?:[\s`]++|%[^\n]*+|/\*.*?(?:\*/|\Z))*+", re.DOTALL)
_CALLED = re.compile(r"(?<!\w)[a-z]\w*+(?=\()")
_ATTEMPT = re.compile(r":-|\w\(")
_NECK_OF_A_HEAD = re.compile(r"[\w)]\s*+:-")
_VARIABLE = re.compile(r"[(,\[|]\s*+[A-Z_]")


@dataclass(frozen=True)
class Clauses:
    """Consecutive clauses, without the prose around them."""

    text: str
    heads: tuple[str, ...]
    """Name of the predicate that each clause defines, in order."""
    has_rule: bool
    """Whether one of the clauses has a neck (``:-``)."""


def without_comment_lines(text: str) -> str:
    """Return the text without lines that are Prolog comments."""
    return _COMMENT_LINE.sub("", text)


def find_clauses(text: str) -> Iterator[Clauses]:
    """Yield each run of consecutive clauses in prose.

    Prose ends a clause that lacks its full stop: at a blank line, at a backtick, or at the end.
    """
    clause = _CLAUSE_START.search(text)
    while clause is not None:
        clauses, heads, has_rule, position = [], [], False, clause.start()
        while clause is not None:
            end, position = _clause_end(text, clause)
            clauses.append(text[clause.start() : end].strip())
            heads.append(clause["head"])
            has_rule = has_rule or clause["neck"] is not None
            gap = _GAP.match(text, position)
            position = gap.end() if gap else position
            clause = _CLAUSE_START.match(text, position)
        yield Clauses("\n".join(clauses), tuple(heads), has_rule)
        clause = _CLAUSE_START.search(text, position)


def _clause_end(text: str, clause: re.Match[str]) -> tuple[int, int]:
    """Return where the clause ends and where to read on."""
    if clause["neck"] is None:
        return clause.end(), clause.end()
    for token in _BODY_TOKEN.finditer(text, clause.end()):
        if token["end"] is not None:
            return token.end(), token.end()
        if token["cut"] is not None:
            return token.start(), token.end()
    return len(text), len(text)


def as_program(block: str) -> Clauses:
    """Return a block as it stands, with the predicates that it defines."""
    parts = list(find_clauses(without_comment_lines(block)))
    heads = tuple(head for part in parts for head in part.heads)
    return Clauses(block, heads, any(part.has_rule for part in parts))


def is_attempt(block: str) -> bool:
    """Whether a block tries to state a clause, well-formed or not: it has a neck or a term.

    >>> is_attempt("eastbound(T) <- red(T)"), is_attempt("and")
    (True, False)
    """
    return _ATTEMPT.search(block) is not None


def is_hypothesis(block: str) -> bool:
    """Whether a block of code says something general: a rule, or a fact with a variable.

    Ground facts (examples), queries and directives don't.

    >>> is_hypothesis("eastbound(T)."), is_hypothesis("eastbound(train0).")
    (True, False)
    """
    code = without_comment_lines(block)
    if _NECK_OF_A_HEAD.search(code):
        return True
    return "?-" not in code and any(_VARIABLE.search(part.text) for part in find_clauses(code))


def join_last(programs: Sequence[Clauses]) -> str | None:
    """Return the last program together with those that it belongs to, in their order.

    A later program replaces an earlier one that defines a predicate of the same name. Of the
    rest, two belong together when one calls a predicate that the other defines.

    >>> rule, helper = as_program("p(X) :- odd(X)."), as_program("odd(X) :- 1 is X mod 2.")
    >>> print(join_last([as_program("p(X) :- r(X)."), rule, helper]))
    p(X) :- odd(X).
    odd(X) :- 1 is X mod 2.
    """
    if len(programs) < 2:
        return programs[0].text if programs else None
    kept: list[Clauses] = []
    definers: dict[str, int] = {}
    for program in reversed(programs):
        if not any(head in definers for head in program.heads):
            definers.update(dict.fromkeys(program.heads, len(kept)))
            kept.append(program)
    members = _reachable_from_first(_neighbours(kept, definers))
    return "\n".join(kept[index].text for index in sorted(members, reverse=True))


def _neighbours(programs: Sequence[Clauses], definers: dict[str, int]) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in programs]
    for caller, program in enumerate(programs):
        for name in _CALLED.findall(program.text):
            definer = definers.get(name, caller)
            if definer != caller:
                neighbours[caller].append(definer)
                neighbours[definer].append(caller)
    return neighbours


def _reachable_from_first(neighbours: Sequence[Sequence[int]]) -> list[int]:
    reached, seen = [0], [True] + [False] * (len(neighbours) - 1)
    for node in reached:  # grows while it is read
        for neighbour in neighbours[node]:
            if not seen[neighbour]:
                seen[neighbour] = True
                reached.append(neighbour)
    return reached
