"""Judge of symbolization: is the formula equivalent to the sentence's, in both directions?

Any formula with the truth conditions of the key's formula in all structures is right
(LogicSkills, appendix C). It may use the abbreviations only, with their numbers of arguments.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from logic_curriculum.rewards.answers import ANSWERED
from logic_curriculum.rewards.engines.fol import syntax
from logic_curriculum.rewards.engines.fol.entailment import equivalent
from logic_curriculum.rewards.engines.fol.syntax import ArgumentsError, FormulaError, parse_sentence
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant
from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, malformed, required
from logic_curriculum.rewards.symbolization.answer import read_formula

MAX_BICONDITIONALS = 10
"""How many biconditionals more than the key an answer may have; nested ones double the solver's
work each."""
_SLOT = re.compile(r"\[(\d)\]")


@dataclass(frozen=True)
class SymbolizationPayload:
    """A sentence's formula, and the symbols that an answer may use."""

    formula: str
    abbreviations: tuple[tuple[str, str], ...] = ()
    """Symbol and what it abbreviates: ``("P", "[1] saw [2]")``, ``("c", "Hazel")``."""

    def to_dict(self) -> dict[str, Any]:
        """Return the ``verification`` of a task."""
        return {"formula": self.formula, "abbreviations": dict(self.abbreviations)}

    @cached_property
    def symbols(self) -> syntax.Signature:
        """What an answer may use; the formula's own symbols need not be abbreviations.

        Of a formula that is no sentence of the strict grammar, a ValueError is raised.
        """
        used = syntax.signature(parse_sentence(self.formula))
        stated = {
            symbol: max(map(int, _SLOT.findall(template)), default=1)
            for symbol, template in self.abbreviations
            if symbol.isupper()
        }
        names = {symbol for symbol, _ in self.abbreviations if symbol.islower()}
        return syntax.Signature(stated | dict(used.arities), used.constants | names)


class SymbolizationJudge(Judge[SymbolizationPayload]):
    """Judges symbolization.

    ``reward`` and ``partial`` are 1.0 if solved, else 0.0, also for a formula on which the solver's
    budget did not suffice (``undecided``). Of the errors at most one is raised, and ``stronger`` or
    ``weaker`` beside it for an answer that implies or is implied by the key's formula.

    A payload: ``{"formula": str, "abbreviations": {"P": "[1] saw [2]", "c": "Hazel"}}`` or its
    JSON text. In the published data set the second is called ``key``; without either, the
    formula's own symbols may be used.
    """

    family = "symbolization"
    task_version = 3
    reward_version = 6
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
        formula = required(payload, "formula", str, "text")
        key = payload.get("abbreviations", payload.get("key")) or {}
        if not isinstance(key, Mapping):
            remedy = 'Give e.g. {"P": "[1] saw [2]", "c": "Hazel"}.'
            raise malformed("abbreviations", key, "a mapping of symbols to texts", remedy)
        pairs = [(str(symbol), text) for symbol, text in key.items() if text is not None]
        for symbol, text in pairs:
            if not isinstance(text, str):
                raise malformed(f"What {symbol[:60]!r} abbreviates", text, "text")
        read = SymbolizationPayload(formula, tuple(pairs))
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
