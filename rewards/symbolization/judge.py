"""Judge of symbolization: is the formula equivalent to the sentence's, in both directions?

Any formula with the truth conditions of the key's formula in all structures is right
(LogicSkills, appendix C). It may use the abbreviations only, with their numbers of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines.fol.equivalence import equivalent
from logic_curriculum.rewards.engines.fol.parser import ArgumentsError, FormulaError, parse
from logic_curriculum.rewards.engines.fol.syntax import (
    ArityClashError,
    Binary,
    Formula,
    Not,
    Quantified,
    free_variables,
    signature,
)
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import required, shown
from logic_curriculum.rewards.symbolization.answer import read_formula
from logic_curriculum.rewards.verdict import Verdict

ERRORS = (
    "unparseable",
    "unknown_symbol",
    "arity",
    "free_variables",
    "not_equivalent",
)
"""What can be wrong with an answer; at most one of these metrics is 1.0."""
_DETAILS = ("stronger", "weaker")
MAX_BICONDITIONALS = 10
"""How many biconditionals more than the key an answer may have."""
_SLOT = re.compile(r"\[(\d)\]")


@dataclass(frozen=True)
class SymbolizationTask:
    """A sentence's formula, and the symbols that an answer may use."""

    gold: Formula
    abbreviations: tuple[tuple[str, str], ...]
    """Symbol and what it abbreviates: ``("P", "[1] saw [2]")``, ``("c", "Hazel")``."""

    @cached_property
    def arities(self) -> Mapping[str, int]:
        """Predicate → number of arguments."""
        stated = {
            symbol: max(map(int, _SLOT.findall(template)), default=1)
            for symbol, template in self.abbreviations
            if symbol.isupper()
        }
        return stated | dict(signature(self.gold).arities)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The names that an answer may use."""
        stated = (symbol for symbol, _ in self.abbreviations if symbol.islower())
        return frozenset(stated) | signature(self.gold).constants


class SymbolizationJudge(Judge[SymbolizationTask]):
    """Judges symbolization.

    ``reward`` and ``partial`` are 1.0 if solved, else 0.0; ``reward`` is ``None`` where the
    solver ran out of resources. Metrics: one of :data:`ERRORS`, and ``stronger`` or ``weaker``
    for an answer that implies or is implied by the key's formula.

    A payload: ``{"formula": str, "abbreviations": {"P": "[1] saw [2]", "c": "Hazel"}}`` or its
    JSON text. In the published data set the second is called ``key``; without either, the
    formula's own symbols may be used.
    """

    family = "symbolization"
    task_version = 2
    reward_version = 2

    def read_payload(self, payload: Mapping[str, Any]) -> SymbolizationTask:
        """Return the sentence's formula and the symbols that an answer may use."""
        return _read_task(payload)

    def judge_text(self, text: str, payload: SymbolizationTask) -> Verdict:
        """Return the verdict on a completion."""
        return _judge_reading(read_formula(text, {*payload.arities, *payload.constants}), payload)


def _read_task(payload: Mapping[str, Any]) -> SymbolizationTask:
    formula = required(payload, "formula", str, "text")
    key = payload.get("abbreviations", payload.get("key")) or {}
    if not isinstance(key, Mapping):
        raise ValueError(
            f"abbreviations is {shown(key)}, but the judge reads a mapping of symbols to texts. "
            'Give e.g. {"P": "[1] saw [2]", "c": "Hazel"}.'
        )
    pairs = tuple((str(symbol), str(text)) for symbol, text in key.items() if text is not None)
    return SymbolizationTask(_read_formula(formula), pairs)


@lru_cache(maxsize=1024)
def _read_formula(text: str) -> Formula:
    formula = parse(text)
    unbound = free_variables(formula)
    if unbound:
        raise ValueError(
            f"The formula {text[:80]!r} leaves {', '.join(sorted(unbound))} free, but a sentence's "
            "formula binds all its variables. Correct the row's formula."
        )
    signature(formula)
    return formula


def _judge_reading(reading: Reading[str], task: SymbolizationTask) -> Verdict:
    if reading.answer is not None:
        return _judge_answer(reading.answer, task)
    metrics = {**_metrics(), **reading.metrics}
    return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)


@lru_cache(maxsize=4096)
def _judge_answer(answer: str, task: SymbolizationTask) -> Verdict:
    """Judge one answer; groups repeat theirs, so many are kept."""
    try:
        formula = parse_tolerant(answer, task.arities)
    except ArgumentsError as error:
        return _wrong(answer, "arity", str(error))
    except FormulaError as error:
        return _wrong(answer, "unparseable", f"no formula: {error}")
    return _misuse(answer, formula, task) or _compare(answer, formula, task)


def _biconditionals(formula: Formula) -> int:
    """Count a formula's biconditionals; nested ones double the solver's work each."""
    match formula:
        case Not(body) | Quantified(body=body):
            return _biconditionals(body)
        case Binary(connective, left, right):
            return (connective == "iff") + _biconditionals(left) + _biconditionals(right)
    return 0


def _misuse(answer: str, formula: Formula, task: SymbolizationTask) -> Verdict | None:
    """Return the verdict on a formula that the task's symbols can't be used for, if it is one."""
    try:
        used = signature(formula)
    except ArityClashError as error:
        return _wrong(answer, "arity", str(error), syntax=True)
    strange = sorted({*used.arities} - {*task.arities}) + sorted(used.constants - task.constants)
    if strange:
        why = f"{', '.join(strange)} not among the abbreviations"
        return _wrong(answer, "unknown_symbol", why, syntax=True)
    for predicate, arity in used.arities.items():
        if arity != task.arities[predicate]:
            why = f"{predicate} takes {task.arities[predicate]} arguments, not {arity}"
            return _wrong(answer, "arity", why, syntax=True)
    if _biconditionals(formula) > _biconditionals(task.gold) + MAX_BICONDITIONALS:
        why = f"more than {MAX_BICONDITIONALS} biconditionals beyond the key's"
        return _wrong(answer, "not_equivalent", why, syntax=True)
    unbound = sorted(free_variables(formula))
    if unbound:
        why = f"no quantifier binds {', '.join(unbound)}"
        return _wrong(answer, "free_variables", why, syntax=True)
    return None


def _compare(answer: str, formula: Formula, task: SymbolizationTask) -> Verdict:
    result = equivalent(formula, task.gold)
    if result.verdict is None:
        why = "not gradable: the solver ran out of resources"
        return Verdict(False, None, syntax=True, answer=answer, explanation=why, metrics=_metrics())
    if result.verdict:
        return Verdict(True, 1.0, True, 1.0, answer, "equivalent to the key", _metrics())
    why = f"{result.relation} than the key" if result.relation in _DETAILS else "not equivalent"
    return _wrong(answer, "not_equivalent", why, syntax=True, detail=result.relation)


def _wrong(
    answer: str, error: str, why: str, *, syntax: bool = False, detail: str | None = None
) -> Verdict:
    return Verdict(False, 0.0, syntax, 0.0, answer, why, _metrics(error, detail))


def _metrics(*raised: str | None) -> dict[str, float]:
    return {
        **Reading("answered").metrics,
        **{name: float(name in raised) for name in (*ERRORS, *_DETAILS)},
    }
