"""Symbolization: a sentence's formula. How an answer states it, and the judge.

A formula is right if it is proved equivalent to the key's (LogicSkills, appendix C). It may use the
abbreviations only, with their numbers of arguments, and few biconditionals more than the key's.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import (
    ANSWERED,
    AmbiguousError,
    Reading,
    one_of,
    read,
    read_field,
    without_label,
)
from logic_curriculum.rewards.engines.fol import syntax
from logic_curriculum.rewards.engines.fol.entailment import equivalent
from logic_curriculum.rewards.engines.fol.syntax import ArgumentsError, FormulaError, parse_sentence
from logic_curriculum.rewards.engines.fol.tolerant import (
    FONT,
    SPACE,
    WORDS,
    parse_tolerant,
    tokenize,
)
from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, Verification

# -- the form of an answer: one formula ------------------------------------------------------------

KEYS = ("formula", "formalization", "symbolization", "translation")
_WORD = re.compile(r"\\?[A-Za-z]{2,}+|&[A-Za-z]+;")
_PHRASE = re.compile(
    r"\b(?:for (?:all|every|each|some)|there (?:exists|is)(?: an?(?= [s-z]\b))?|such that"
    r"|(?:all|every|some)(?= [s-z]\b))",
    re.IGNORECASE,
)
_OF_FORMULAS = re.compile(
    rf"\\[A-Za-z]+|&[A-Za-z]+;|(?i:{'|'.join(WORDS)})"
    r"|(?i:forall|exists)[s-z]{0,3}|[a-z]{0,3}(?:[A-Z][a-z]{0,3})+|[s-z]{2,3}"
)
_ARGUED = re.compile(rf"\\(?:{SPACE})")
_SUBSCRIPT = re.compile(r"(?<=[A-Z])_\{?[a-z, ]{1,5}\}?")
_V = re.compile(r"(?<!\w)[Vv](?!\w)")
_OR = re.compile(r"(?P<opens>(?<!\\)[(\[{])|(?P<closes>(?<!\\)[)\]}])|(?<![\\\w&])or(?!\w)")
_SIGN = re.compile(r"[¬∧∨→↔∀∃~&|>]|\\(?:land|lor|to|wedge|vee|[a-z]*arrow|neg|lnot)")
_CONNECTED = frozenset(("and", "or", "imp", "iff", "not", "forall", "exists", "nexists", "middot"))


def read_formula(text: str, symbols: Collection[str]) -> Reading[str]:
    """Return the formula that a completion answers with, as written.

    A formula without connective or quantifier has to use the task's predicates and constants
    alone, the ``symbols``: ``No`` is none, unless ``N`` and ``o`` are among them.

    >>> read_formula("**Answer:** ∀x (Ox → Jx)", "OJ").answer
    '∀x (Ox → Jx)'
    """
    return read(text, lambda block: formula(block, symbols))


def formula(block: str, symbols: Collection[str]) -> str | None:
    """Return the formula that a block is, well-formed or not, or ``None`` when it is none.

    An :class:`AmbiguousError` says that its lines are different formulas, or that "or" is
    between formulas that are written in signs.
    """
    found = read_field(block, KEYS, lambda text: _strict(formula(text, symbols)))
    if found is not None or without_label(block) or not _looks_like_one(block, symbols):
        return found
    if _SIGN.search(block) and _has_outer_or(block):
        raise AmbiguousError("formulas in signs with the word 'or' between them")
    lines = [line for line in re.split(r"\n|;", block) if line.strip()]
    if len(lines) > 1 and all(_looks_like_one(line, symbols) for line in lines):
        try:
            one_of([parse_tolerant(line) for line in lines])
        except FormulaError:
            return block
        return lines[0].strip()
    return block


def _has_outer_or(block: str) -> bool:
    """Return whether the word "or" is outside of all brackets."""
    depth = 0
    for found in _OR.finditer(block):
        if found["opens"]:
            depth += 1
        elif found["closes"]:
            depth -= 1
        elif not depth:
            return True
    return False


def _strict(text: str | None) -> str | None:
    """Return a formula in strict notation, so that two spellings of it are equal."""
    try:
        return None if text is None else str(parse_tolerant(text))
    except FormulaError:
        return text


def _looks_like_one(text: str, symbols: Collection[str]) -> bool:
    plain = re.sub(FONT, r"\1", _ARGUED.sub(" ", text))
    words = _WORD.findall(_SUBSCRIPT.sub("", _PHRASE.sub(" ", plain)))
    if not all(map(_OF_FORMULAS.fullmatch, words)):
        return False
    try:
        tokens = tokenize(text)
    except FormulaError:
        return False
    kinds = {token.kind for token in tokens}
    if "predicate" not in kinds or "term" not in kinds:
        return False
    letters = [token.text for token in tokens if token.kind in ("predicate", "term")]
    if kinds & _CONNECTED or _V.search(text):
        return True
    return all(letter in symbols for letter in letters)


# -- the judge -------------------------------------------------------------------------------------

MAX_BICONDITIONALS = 10
"""How many biconditionals more than the key an answer may have; nested ones double the solver's
work each."""
_SLOT = re.compile(r"\[(\d)\]")


@dataclass(frozen=True)
class SymbolizationPayload(Verification):
    """A sentence's formula, and the symbols that an answer may use."""

    formula: str
    abbreviations: dict[str, str | None] = field(default_factory=dict, hash=False)
    """Symbol → what it abbreviates: ``{"P": "[1] saw [2]", "c": "Hazel"}``."""

    @cached_property
    def symbols(self) -> syntax.Signature:
        """What an answer may use; the formula's own symbols need not be abbreviations.

        Of a formula that is no sentence of the strict grammar, a ValueError is raised.
        """
        used = syntax.signature(parse_sentence(self.formula))
        known = {symbol: text for symbol, text in self.abbreviations.items() if text is not None}
        stated = {
            symbol: max(map(int, _SLOT.findall(template)), default=1)
            for symbol, template in known.items()
            if symbol.isupper()
        }
        names = {symbol for symbol in known if symbol.islower()}
        return syntax.Signature(stated | dict(used.arities), used.constants | names)


class SymbolizationJudge(Judge[SymbolizationPayload]):
    """Judges symbolization.

    ``reward`` and ``partial`` are 1.0 if solved, else 0.0, also for a formula on which the solver's
    budget did not suffice (``undecided``). At most one error is 1.0, and ``stronger`` or
    ``weaker`` beside it for an answer that implies or is implied by the key's formula.

    A payload: ``{"formula": str, "abbreviations": {"P": "[1] saw [2]", "c": "Hazel"}}`` or its
    JSON text. In the published data set the second is called ``key``; without either, the
    formula's own symbols may be used.
    """

    family = "symbolization"
    task_version = 4
    reward_version = 14
    errors = (
        *("unparseable", "unknown_symbol", "arity", "free_variables", "not_equivalent"),
        *("stronger", "weaker", "undecided"),
    )
    extraction = ExtractionForm(
        "One formula of first-order logic on a line of its own, in the symbols ¬ ∧ ∨ → ↔ ∀ ∃ and "
        "brackets, predicates in front of their arguments, as in ¬∃x(Sx∧Txi). Rewrite other "
        "notations, such as ~, &, ⊃ or T(x,i). Leave letters as they are, and mend nothing else.",
        re.compile(r"[A-Z]"),
        hints=lambda payload: (
            f"Symbols that may occur: {', '.join(payload['abbreviations'])}\n"
            if payload.get("abbreviations")
            else ""
        ),
    )

    def read_payload(self, payload: Mapping[str, Any]) -> SymbolizationPayload:
        """Return the sentence's formula and the symbols that an answer may use."""
        key = payload.get("abbreviations", payload.get("key")) or {}
        read = SymbolizationPayload(**{**payload, "abbreviations": key})
        _ = read.symbols  # raises for a malformed formula
        return read

    def judge_text(self, text: str, payload: SymbolizationPayload) -> Verdict:
        """Return the verdict on a completion."""
        symbols = payload.symbols
        reading = read_formula(text, {*symbols.arities, *symbols.constants})
        answer = reading.answer
        if answer is None:
            return self.unanswered(reading)
        why, errors, reward, is_formula = _judge_formula(answer, payload)
        metrics = {**ANSWERED, **self.error_metrics(*errors)}
        solved = reward == 1.0
        return Verdict(solved, reward, is_formula, float(solved), answer, why, metrics)


class _Finding(NamedTuple):
    why: str
    errors: tuple[str, ...] = ()
    reward: float = 0.0
    is_formula: bool = True


@lru_cache(maxsize=4096)
def _judge_formula(answer: str, payload: SymbolizationPayload) -> _Finding:
    """Judge one answer; groups repeat theirs, so many are kept."""
    try:
        formula = parse_tolerant(answer, payload.symbols.arities)
    except ArgumentsError as error:
        return _Finding(str(error), ("arity",), is_formula=False)
    except FormulaError as error:
        return _Finding(f"no formula: {error}", ("unparseable",), is_formula=False)
    gold = parse_sentence(payload.formula)
    return _misuse(formula, gold, payload.symbols) or _compare(formula, gold)


def _misuse(
    formula: syntax.Formula, gold: syntax.Formula, known: syntax.Signature
) -> _Finding | None:
    """Return the fault of a formula's symbols and variables, or None."""
    try:
        used = syntax.signature(formula)
    except syntax.ArityClashError as error:
        return _Finding(str(error), ("arity",))
    strange = sorted({*used.arities} - {*known.arities}) + sorted(used.constants - known.constants)
    if strange:
        return _Finding(f"{', '.join(strange)} not among the abbreviations", ("unknown_symbol",))
    for predicate, arity in used.arities.items():
        if arity != known.arities[predicate]:
            why = f"{predicate} takes {known.arities[predicate]} arguments, not {arity}"
            return _Finding(why, ("arity",))
    if _biconditionals(formula) > _biconditionals(gold) + MAX_BICONDITIONALS:
        why = f"more than {MAX_BICONDITIONALS} biconditionals beyond the key's"
        return _Finding(why, ("not_equivalent",))
    if unbound := sorted(syntax.free_variables(formula)):
        return _Finding(f"no quantifier binds {', '.join(unbound)}", ("free_variables",))
    return None


def _biconditionals(formula: syntax.Formula) -> int:
    parts = syntax.subformulas(formula)
    return sum(isinstance(part, syntax.Binary) and part.connective == "iff" for part in parts)


def _compare(formula: syntax.Formula, gold: syntax.Formula) -> _Finding:
    result = equivalent(formula, gold)
    if result.verdict is None:
        return _Finding("not shown to be equivalent within the solver's budget", ("undecided",))
    if result.verdict:
        return _Finding("equivalent to the key", reward=1.0)
    if result.relation in ("stronger", "weaker"):
        return _Finding(f"{result.relation} than the key", ("not_equivalent", result.relation))
    return _Finding("not equivalent", ("not_equivalent",))
