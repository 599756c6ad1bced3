"""Parser of formulas as models and people write them.

It reads what has one meaning to a logician and refuses the rest: brackets that don't pair, say,
could be mended in more ways than one, and to mend them would be to answer in the model's stead.

- Connectives, quantifiers and brackets in any usual spelling (:mod:`rewards.engines.fol.tokens`).
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

from collections.abc import Mapping
from dataclasses import dataclass, field

from logic_curriculum.rewards.engines.fol.parser import (
    MAX_DEPTH,
    MAX_LENGTH,
    ArgumentsError,
    FormulaError,
)
from logic_curriculum.rewards.engines.fol.scopes import (
    STRENGTHS,
    ChainError,
    Group,
    Operand,
    Prefix,
    depth_of,
    formula_of,
)
from logic_curriculum.rewards.engines.fol.syntax import (
    CONSTANTS,
    VARIABLES,
    Atom,
    Formula,
    Quantifier,
)
from logic_curriculum.rewards.engines.fol.tokens import Token, tokenize

_MATES = {"(": ")", "[": "]", "{": "}"}
_SEPARATORS = ("dot", "middot", "comma")
_MAX_ARITY = 2
_TERMS = CONSTANTS | VARIABLES


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
    parser = _Parser(text, arities or {})
    group = parser.formula()
    try:
        formula = formula_of(group)
    except ChainError:
        raise FormulaError("a chain of → needs brackets", text, 0) from None
    if depth_of(formula) > MAX_DEPTH:
        raise FormulaError(f"nested more than {MAX_DEPTH} deep", text, 0)
    return formula


@dataclass
class _Parser:
    """Recursive descent into brackets; everything between them is a loop."""

    text: str
    arities: Mapping[str, int]
    next: int = 0
    depth: int = 0
    tokens: list[Token] = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = tokenize(self.text)

    def formula(self) -> Group:
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
        kind = self._kind()
        if kind == "not":
            self.next += 1
            return [Prefix("not")]
        if kind in ("forall", "exists", "nexists"):
            return self._quantification()
        if kind != "open":
            return []
        start = self.next
        mate = _MATES[self._take().text]
        taken = self._universal() or self._prefixes()
        if taken and self.tokens[self.next].text == mate:
            self.next += 1
            return self._dotted(taken)
        self.next = start
        return []

    def _universal(self) -> list[Prefix]:
        """Take the variables of ``(x)``, which is an old way to write ``∀x``."""
        return [Prefix("forall", variable) for variable in self._variables()]

    def _prefixes(self) -> list[Prefix]:
        """Take the ``∀x¬∃y`` of ``(∀x¬∃y)``."""
        taken: list[Prefix] = []
        while self._kind() in ("not", "forall", "exists", "nexists"):
            if self._kind() == "not":
                taken += self._prefix()
                continue
            self.next += 1
            if not self._quantified_variables_follow():
                return []
            self.next -= 1
            taken += self._quantification()
        return taken if taken and taken[-1].variable else []

    def _quantification(self) -> list[Prefix]:
        kind = self._take().kind
        variables = self._enclosed_variables() or self._variables()
        if not variables:
            raise self._unexpected("a variable (s to z)")
        quantifier: Quantifier = "forall" if kind == "forall" else "exists"
        taken = [Prefix(quantifier, variable) for variable in variables]
        return self._dotted(taken if kind != "nexists" else [Prefix("not"), *taken])

    def _quantified_variables_follow(self) -> bool:
        start = self.next
        found = self._enclosed_variables() or self._variables()
        self.next = start
        return bool(found)

    def _enclosed_variables(self) -> list[str]:
        start = self.next
        if self._kind() != "open":
            return []
        mate = _MATES[self._take().text]
        variables = self._variables()
        if variables and self.tokens[self.next].text == mate:
            self.next += 1
            return variables
        self.next = start
        return []

    def _variables(self) -> list[str]:
        return self._terms(among=VARIABLES)

    def _dotted(self, taken: list[Prefix]) -> list[Prefix]:
        """Take what separates quantifiers from their scope; without a bracket that is wide."""
        if self._kind() not in _SEPARATORS:
            return taken
        while self._kind() in _SEPARATORS:
            self.next += 1
        last = taken[-1]
        return [*taken[:-1], Prefix(last.kind, last.variable, reaches=self._kind() != "open")]

    # -- atoms -----------------------------------------------------------------------------------

    def _atom(self) -> Atom:
        predicate = self._take()
        terms = self._enclosed_terms() or self._terms(self.arities.get(predicate.text))
        if not 1 <= len(terms) <= _MAX_ARITY:
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
