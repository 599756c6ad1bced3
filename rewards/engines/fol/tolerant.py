"""Parser of formulas as models and people write them.

It reads what has one meaning to a logician and refuses the rest: brackets that don't pair, say,
could be mended in more ways than one, and to mend them would be to answer in the model's stead.

- Connectives, quantifiers and brackets in any usual spelling (``tokens.py``).
- Atoms: ``Rxy``, ``R x y``, ``R(x,y)``, ``Rx,y``, ``R_{xy}``.
- Quantifiers: ``∀x``, ``(∀x)``, ``∀(x)``, ``∀x,y``, ``∀xy``, ``∄x``, ``(x)`` for ``∀x``; a dot,
  colon or comma may follow.
- Precedence: ¬ and quantifiers, ∧, ∨, →, ↔. Chains group to the left; one of → is refused, since
  ``A→B→C`` is read in two ways.
- A quantifier's scope is the least that follows, so that ``∀xFx→Gx`` is ``(∀xFx→Gx)`` and leaves
  the last ``x`` free. After a dot, colon or comma it reaches to the end of the brackets that it
  stands in (``∀x.Fx→Gx``), unless a bracket follows, which then shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

from logic_curriculum.rewards.engines.fol.parser import (
    MAX_ARITY,
    MAX_DEPTH,
    MAX_LENGTH,
    ArgumentsError,
    FormulaError,
)
from logic_curriculum.rewards.engines.fol.syntax import (
    CONSTANTS,
    VARIABLES,
    Atom,
    Binary,
    Connective,
    Formula,
    Not,
    Quantified,
    Quantifier,
)
from logic_curriculum.rewards.engines.fol.tokens import Token, tokenize

_MATES = {"(": ")", "[": "]", "{": "}"}
_SEPARATORS = ("dot", "middot", "comma")
_TERMS = CONSTANTS | VARIABLES
_QUANTIFIERS = ("forall", "exists", "nexists")
Taken = TypeVar("Taken")


STRENGTHS: tuple[Connective, ...] = ("and", "or", "imp", "iff")
"""Connectives, the one that binds most strongly first."""


class ChainError(ValueError):
    """Conditionals follow one another without brackets: ``A→B→C`` can be grouped in two ways."""


class Prefix(NamedTuple):
    """A negation or a quantifier before a formula."""

    kind: Literal["not", "forall", "exists"]
    variable: str = ""
    reaches: bool = False
    """A dot follows, and the scope with it is all that stands in these brackets."""


class Operand(NamedTuple):
    """What stands between two connectives: negations and quantifiers, then what they apply to."""

    prefixes: tuple[Prefix, ...]
    core: Atom | Group


class Group(NamedTuple):
    """What stands in brackets, before it is known how far its quantifiers reach."""

    operands: tuple[Operand, ...]
    connectives: tuple[str, ...]
    """One fewer than the operands."""


def parse_tolerant(text: str, arities: Mapping[str, int] | None = None) -> Formula:
    """Parse a formula in any usual notation.

    Args:
        text: The formula alone; prose around it is an error.
        arities: Predicate → number of arguments, where known. Only what could be read in two ways
            depends on it: whether ``Fx v Gx`` in the scope of ``∀v`` has ``v`` as an argument. A
            predicate may still have another number of arguments.

    Raises:
        ArgumentsError: When a predicate has no argument or more than two.
        FormulaError: When the text is no formula for another reason; the message says where, why.

    >>> str(parse_tolerant(r"$\\forall x\\,(F(x) \\land \\neg G(x) \\to \\exists y\\, R(x,y))$."))
    '∀x((Fx∧¬Gx)→∃yRxy)'
    >>> str(parse_tolerant("(x)(Fx -> Gx) & Ha"))
    '(∀x(Fx→Gx)∧Ha)'
    """
    if len(text) > MAX_LENGTH:
        problem = f"{len(text)} characters are too many for a formula, {MAX_LENGTH} the most"
        raise FormulaError(problem, text, MAX_LENGTH)
    group = _Parser(text, arities or {}).parse()
    try:
        formula = formula_of(group)
    except ChainError:
        raise FormulaError("a chain of → needs brackets", text, 0) from None
    if depth_of(formula) > MAX_DEPTH:
        raise FormulaError(f"nested more than {MAX_DEPTH} deep", text, 0)
    return formula


class _Parser:
    """Recursive descent into brackets; everything between them is a loop."""

    def __init__(self, text: str, arities: Mapping[str, int]) -> None:
        self.text = text
        self.arities = arities
        self.tokens = tokenize(text)
        self.next = 0
        self.depth = 0

    def parse(self) -> Group:
        group = self._group()
        if self._kind() != "end":
            raise self._unexpected("the end or a connective")
        return group

    def _group(self) -> Group:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH} deep")
        operands, connectives = [self._operand()], []
        while connective := self._connective():
            connectives.append(connective)
            operands.append(self._operand())
        self.depth -= 1
        return Group(tuple(operands), tuple(connectives))

    def _connective(self) -> str:
        """Take a connective, if one is next; nothing but ``or`` is a letter V or v here."""
        token = self.tokens[self.next]
        letter = token.text in ("v", "V") and token.kind in ("term", "predicate")
        kind = "or" if letter else "and" if token.kind == "middot" else token.kind
        if kind not in STRENGTHS:
            return ""
        self.next += 1
        return kind

    def _operand(self) -> Operand:
        prefixes: list[Prefix] = []
        while taken := self._prefix():
            prefixes += taken
        if self._kind() == "open":
            core: Atom | Group = self._bracketed()
        elif self._kind() == "predicate":
            core = self._atom()
        else:
            raise self._unexpected("a formula")
        return Operand(tuple(prefixes), core)

    def _bracketed(self) -> Group:
        mate = _MATES[self._take().text]
        group = self._group()
        if self.tokens[self.next].text != mate:
            raise self._unexpected(f"a connective or {mate!r}")
        self.next += 1
        return group

    # -- negations and quantifiers ---------------------------------------------------------------

    def _prefix(self) -> list[Prefix]:
        """Take one negation or quantification, or all those within a pair of brackets."""
        if self._kind() == "not":
            self.next += 1
            return [Prefix("not")]
        if self._kind() in _QUANTIFIERS:
            taken = self._quantification()
            if not taken:
                raise self._unexpected("a variable (s to z)")
            return taken
        return self._dotted(self._enclosed(self._bracketed_prefixes))

    def _bracketed_prefixes(self) -> list[Prefix]:
        """Take the ``∀x¬∃y`` of ``(∀x¬∃y)``, or the ``x`` of ``(x)``, an old form of ``∀x``."""
        taken = [Prefix("forall", variable) for variable in self._variables()]
        if taken:
            return taken
        while self._kind() in ("not", *_QUANTIFIERS):
            more = self._prefix() if self._kind() == "not" else self._quantification()
            if not more:
                return []
            taken += more
        return taken if taken and taken[-1].variable else []

    def _quantification(self) -> list[Prefix]:
        """Take a quantifier and its variables; without these it is none."""
        kind = self._take().kind
        variables = self._enclosed(self._variables) or self._variables()
        quantifier: Quantifier = "forall" if kind == "forall" else "exists"
        taken = [Prefix(quantifier, variable) for variable in variables]
        return self._dotted([Prefix("not"), *taken] if taken and kind == "nexists" else taken)

    def _enclosed(self, take: Callable[[], list[Taken]]) -> list[Taken]:
        """Take what fills a pair of brackets, or nothing."""
        start = self.next
        if self._kind() == "open":
            mate = _MATES[self._take().text]
            taken = take()
            if taken and self.tokens[self.next].text == mate:
                self.next += 1
                return taken
        self.next = start
        return []

    def _variables(self) -> list[str]:
        return self._terms(among=VARIABLES)

    def _dotted(self, taken: list[Prefix]) -> list[Prefix]:
        """Take what separates quantifiers from their scope; without a bracket that is wide."""
        if not taken or self._kind() not in _SEPARATORS:
            return taken
        while self._kind() in _SEPARATORS:
            self.next += 1
        return [*taken[:-1], taken[-1]._replace(reaches=self._kind() != "open")]

    # -- atoms -----------------------------------------------------------------------------------

    def _atom(self) -> Atom:
        predicate = self._take()
        terms = self._enclosed_terms() or self._terms(self.arities.get(predicate.text))
        if not 1 <= len(terms) <= MAX_ARITY:
            raise ArgumentsError(
                f"predicate {predicate.text} has {len(terms)} arguments, 1 or 2 expected",
                self.text,
                predicate.position,
            )
        return Atom(predicate.text, tuple(terms))

    def _enclosed_terms(self) -> list[str]:
        if self._kind() != "open":
            return []
        mate = _MATES[self._take().text]
        terms = self._terms()
        if self.tokens[self.next].text != mate:
            raise self._unexpected(f"a term or {mate!r}")
        self.next += 1
        return terms

    def _terms(self, arity: int | None = None, among: frozenset[str] = _TERMS) -> list[str]:
        """Take terms, perhaps with commas between them."""
        terms: list[str] = []
        while True:
            if terms and self._kind() == "comma" and self.tokens[self.next + 1].text in among:
                self.next += 1
            text = self.tokens[self.next].text
            if text not in among or (len(terms) == arity and text == "v"):
                return terms
            terms.append(self._take().text)

    # -- tokens ----------------------------------------------------------------------------------

    def _kind(self) -> str:
        return self.tokens[self.next].kind

    def _take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def _unexpected(self, expected: str) -> FormulaError:
        token = self.tokens[self.next]
        found = "the end" if token.kind == "end" else repr(token.text)
        return self._error(f"expected {expected}, found {found}")

    def _error(self, problem: str) -> FormulaError:
        return FormulaError(problem, self.text, self.tokens[self.next].position)


# -- scopes ----------------------------------------------------------------------------------------


def formula_of(group: Group) -> Formula:
    """Read a group."""
    pending: list[tuple[list[Formula], list[str], tuple[Prefix, ...]]] = []
    formulas: list[Formula] = []
    connectives: list[str] = []
    for index, operand in enumerate(group.operands):
        connectives += group.connectives[index - 1 : index] if index else ()
        reach = _reach(operand.prefixes)
        if reach:
            pending.append((formulas, connectives, operand.prefixes[:reach]))
            formulas, connectives = [], []
        core = operand.core
        body = core if isinstance(core, Atom) else formula_of(core)
        formulas.append(_under(operand.prefixes[reach:], body))
    formula = _joined(formulas, connectives)
    for before, connectives, around in reversed(pending):
        formula = _joined([*before, _under(around, formula)], connectives)
    return formula


def _reach(prefixes: tuple[Prefix, ...]) -> int:
    """Count the prefixes whose scope goes beyond their operand: all up to the last that must."""
    return max((index for index, prefix in enumerate(prefixes, 1) if prefix.reaches), default=0)


def _under(prefixes: tuple[Prefix, ...], formula: Formula) -> Formula:
    for prefix in reversed(prefixes):
        if prefix.kind == "not":
            formula = Not(formula)
        else:
            formula = Quantified(prefix.kind, prefix.variable, formula)
    return formula


def _joined(formulas: list[Formula], connectives: list[str]) -> Formula:
    """Join formulas by the connectives between them, the strongest first, from the left.

    Raises:
        ChainError: When conditionals follow one another, ``A→B→C``.
    """
    for level in STRENGTHS:
        if level == "imp" and ("imp", "imp") in pairwise(connectives):
            raise ChainError
        joined, left = [formulas[0]], []
        for connective, formula in zip(connectives, formulas[1:], strict=True):
            if connective != level:
                joined.append(formula)
                left.append(connective)
            else:
                joined[-1] = Binary(level, joined[-1], formula)
        formulas, connectives = joined, left
    return formulas[0]


def depth_of(formula: Formula) -> int:
    """Count the levels of a formula, however many they are."""
    depth, layer = 0, [formula]
    while layer:
        depth += 1
        below: list[Formula] = []
        for part in layer:
            match part:
                case Not(body) | Quantified(body=body):
                    below.append(body)
                case Binary(_, left, right):
                    below += [left, right]
        layer = below
    return depth
