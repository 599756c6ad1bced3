"""Judge of countermodels: are all premises true in the structure, and the conclusion false?

Any structure on the task's domain that interprets every symbol of the argument and does so is
right (LogicSkills, appendix C), however it is spelled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeGuard

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.countermodel.answer import Structure as Stated
from logic_curriculum.rewards.countermodel.answer import Value, read_structure
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.structure import Structure, holds
from logic_curriculum.rewards.engines.fol.syntax import (
    Formula,
    Signature,
    free_variables,
    signature,
)
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import required, shown
from logic_curriculum.rewards.verdict import Verdict

ERRORS = (
    "wrong_domain",
    "missing_interpretation",
    "malformed",
    "arity",
    "out_of_domain",
    "not_countermodel",
)
"""What can be wrong with an answer; at most one of these metrics is 1.0."""
_DETAILS = ("premise_false", "conclusion_true")


@dataclass(frozen=True)
class CountermodelTask:
    """An invalid argument and the domain on which to show that it is."""

    premises: tuple[Formula, ...]
    conclusion: Formula
    domain: tuple[int, ...]

    @cached_property
    def symbols(self) -> Signature:
        """What a structure must interpret."""
        return signature(*self.premises, self.conclusion)


class _BadStructureError(ValueError):
    """An answer is no structure for the argument's symbols on its domain."""

    def __init__(self, error: str, why: str) -> None:
        super().__init__(why)
        self.error = error


class CountermodelJudge(Judge[CountermodelTask]):
    """Judges countermodel.

    ``reward`` is 1.0 if solved, else 0.0; ``partial`` is the share of premises that are true
    and the conclusion if it is false, of them all, and 0 for what is no structure. Metrics: one
    of :data:`ERRORS`, and for what is no countermodel ``premise_false`` or ``conclusion_true``
    or both.

    A payload: ``{"premises": [str], "conclusion": str, "domain": [0, 1, 2]}`` or its JSON
    text. A row of the published data set, where ``domain`` is an axiom and ``required_domain``
    the domain, is read as well.
    """

    family = "countermodel"
    task_version = 2
    reward_version = 2
    rewards: ClassVar[Mapping[str, str]] = {"countermodel_partial_reward": "partial"}

    def read_payload(self, payload: Mapping[str, Any]) -> CountermodelTask:
        """Return the argument and the domain."""
        return _read_task(payload)

    def judge_text(self, text: str, payload: CountermodelTask) -> Verdict:
        """Return the verdict on a completion."""
        return _judge_text(text, payload)


def _read_task(payload: Mapping[str, Any]) -> CountermodelTask:
    premises = required(payload, "premises", Sequence, "a list of formulas")
    conclusion = required(payload, "conclusion", str, "text")
    domain = payload.get("domain")
    if isinstance(premises, str) or not all(isinstance(premise, str) for premise in premises):
        raise ValueError(
            f"premises is {shown(premises)}, but the judge reads a list of formulas. Give each as "
            "text."
        )
    if isinstance(domain, str) and "required_domain" in payload:
        premises, domain = [domain, *premises], payload["required_domain"]
    if not _is_domain(domain):
        raise ValueError(
            f"domain is {shown(domain)} among {sorted(map(str, payload))}, but the judge reads a "
            "list of whole numbers. Give e.g. [0, 1, 2]."
        )
    return _read_argument(tuple(premises), conclusion, tuple(dict.fromkeys(domain)))


def _is_domain(value: Any) -> TypeGuard[Sequence[int]]:
    is_list = isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
    return is_list and all(type(element) is int for element in value)


@lru_cache(maxsize=256)
def _read_argument(
    premises: tuple[str, ...], conclusion: str, domain: tuple[int, ...]
) -> CountermodelTask:
    formulas = [parse(text) for text in (*premises, conclusion)]
    for formula in formulas:
        unbound = free_variables(formula)
        if unbound:
            raise ValueError(
                f"The formula {str(formula)[:80]!r} leaves {', '.join(sorted(unbound))} free, but "
                "premises and conclusions bind all their variables. Correct the row's formula."
            )
    signature(*formulas)
    return CountermodelTask(tuple(formulas[:-1]), formulas[-1], domain)


def _judge_text(text: str, task: CountermodelTask) -> Verdict:
    arities = task.symbols.arities
    monadic = [name for name, arity in arities.items() if arity == 1]
    binary = [name for name, arity in arities.items() if arity == 2]
    reading = read_structure(text, task.symbols.constants, monadic, binary)
    if reading.answer is None:
        metrics = {**_metrics(), **reading.metrics}
        return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)
    answer = _spelled(reading.answer)
    try:
        structure = _structure(reading.answer, task)
    except _BadStructureError as error:
        metrics = _metrics(error.error)
        return Verdict(False, 0.0, answer=answer, explanation=str(error), metrics=metrics)
    return _evaluate(answer, structure, task)


def _spelled(stated: Stated) -> str:
    return json.dumps(stated, separators=(",", ":"))


def _evaluate(answer: str, structure: Structure, task: CountermodelTask) -> Verdict:
    false = [premise for premise in task.premises if not holds(premise, structure)]
    conclusion_true = holds(task.conclusion, structure)
    reached = len(task.premises) - len(false) + (not conclusion_true)
    partial = reached / (len(task.premises) + 1)
    if reached == len(task.premises) + 1:
        why = "all premises true, conclusion false"
        return Verdict(True, 1.0, True, 1.0, answer, why, _metrics())
    faults = [f"premise {str(false[0])[:100]} is false"] if false else []
    faults += [f"conclusion {str(task.conclusion)[:100]} is true"] if conclusion_true else []
    raised = ["premise_false"] * bool(false) + ["conclusion_true"] * conclusion_true
    why = f"{len(task.premises) - len(false)} of {len(task.premises)} premises true; " + "; ".join(
        faults
    )
    metrics = _metrics("not_countermodel", *raised)
    return Verdict(False, 0.0, True, partial, answer, why, metrics)


def _structure(stated: Stated, task: CountermodelTask) -> Structure:
    """Return the structure that a completion states.

    Raises:
        _BadStructureError: When it is none for this task; the message says why.
    """
    domain = stated.get("domain")
    if domain is not None and (domain == () or _members("domain", domain) != set(task.domain)):
        why = f"the domain is {json.dumps(domain)}, not the task's {list(task.domain)}"
        raise _BadStructureError("wrong_domain", why)
    symbols = sorted(task.symbols.constants) + sorted(task.symbols.arities)
    missing = [symbol for symbol in symbols if symbol not in stated]
    if missing:
        raise _BadStructureError("missing_interpretation", f"no interpretation of {missing[0]}")
    constants = {name: _element(name, stated[name]) for name in task.symbols.constants}
    monadic, binary = {}, {}
    for name, arity in task.symbols.arities.items():
        if arity == 1:
            monadic[name] = _members(name, stated[name])
        else:
            binary[name] = _pairs(name, stated[name])
    _check_elements(constants, monadic, binary, task.domain)
    return Structure(task.domain, constants, monadic, binary)


def _element(name: str, value: Value) -> int:
    if isinstance(value, int):
        return value
    why = f"constant {name} is {json.dumps(value)}, not one element"
    raise _BadStructureError("malformed", why)


def _items(name: str, value: Value) -> tuple[Value, ...]:
    if isinstance(value, tuple):
        return value
    raise _BadStructureError("malformed", f"predicate {name} is {value}, not a list")


def _members(name: str, value: Value) -> frozenset[int]:
    members = [item for item in _items(name, value) if isinstance(item, int)]
    if len(members) < len(_items(name, value)):
        why = f"{name} is {json.dumps(value)}, not a list of elements"
        raise _BadStructureError("wrong_domain" if name == "domain" else "arity", why)
    return frozenset(members)


def _pairs(name: str, value: Value) -> frozenset[tuple[int, int]]:
    pairs = []
    for item in _items(name, value):
        match item:
            case (int(first), int(second)):
                pairs.append((first, second))
            case _:
                why = f"predicate {name} is {json.dumps(value)}, not a list of pairs of elements"
                raise _BadStructureError("arity", why)
    return frozenset(pairs)


def _check_elements(
    constants: Mapping[str, int],
    monadic: Mapping[str, frozenset[int]],
    binary: Mapping[str, frozenset[tuple[int, int]]],
    domain: tuple[int, ...],
) -> None:
    mentioned = [(name, value) for name, value in sorted(constants.items())]
    mentioned += [(name, value) for name in sorted(monadic) for value in sorted(monadic[name])]
    mentioned += [
        (name, v) for name in sorted(binary) for pair in sorted(binary[name]) for v in pair
    ]
    for name, value in mentioned:
        if value not in domain:
            why = f"{name} speaks of {value}, which is not in the domain {list(domain)}"
            raise _BadStructureError("out_of_domain", why)


def _metrics(*raised: str) -> dict[str, float]:
    return {
        **Reading("answered").metrics,
        **{name: float(name in raised) for name in (*ERRORS, *_DETAILS)},
    }
