"""Judge of countermodels: are all premises true in the structure, and the conclusion false?

Any structure on the task's domain that interprets every symbol of the argument and does so is
right (LogicSkills, appendix C), however it is spelled.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, StrictInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import ANSWERED
from logic_curriculum.rewards.countermodel.answer import Stated, Value, read_structure
from logic_curriculum.rewards.engines.fol.models import Structure, check_size, holds
from logic_curriculum.rewards.engines.fol.syntax import Signature, parse_sentence, signature
from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, Verification

MOST = 0.51
"""Share of the symbols that lines without a tag interpret, to be an incomplete structure."""


_DISTINCT = AfterValidator(lambda domain: tuple(dict.fromkeys(domain)))


@dataclass(frozen=True)
class CountermodelPayload(Verification):
    """An invalid argument and the domain on which to show that it is."""

    premises: tuple[str, ...]
    conclusion: str
    domain: Annotated[tuple[StrictInt, ...], Field(min_length=1), _DISTINCT]

    @cached_property
    def symbols(self) -> Signature:
        """What a structure must interpret.

        Of formulas that are no sentences, clash in a predicate's arity, or have too many variables
        for the domain, a ValueError is raised.
        """
        sentences = [parse_sentence(text) for text in (*self.premises, self.conclusion)]
        for sentence in sentences:
            check_size(sentence, len(self.domain))
        return signature(*sentences)


class CountermodelJudge(Judge[CountermodelPayload]):
    """Judges countermodel.

    ``reward`` is 1.0 if solved, else 0.0; ``partial`` is the share of premises that are true
    and the conclusion if it is false, of them all, and 0 for what is no structure. Of the errors at
    most one is raised, and for what is no countermodel ``premise_false`` or ``conclusion_true`` or
    both beside it. Lines without a tag that leave some symbols out are no answer; that is
    ``missing_interpretation`` beside ``unreadable`` (LogicSkills, appendix D).

    A payload: ``{"premises": [str], "conclusion": str, "domain": [0, 1, 2]}`` or its JSON
    text. A row of the published data set, where ``domain`` is an axiom and ``required_domain``
    the domain, is read as well.
    """

    family = "countermodel"
    task_version = 4
    reward_version = 12
    rewards: ClassVar[Mapping[str, str]] = {"countermodel_partial_reward": "partial"}
    errors = (
        *("wrong_domain", "missing_interpretation", "malformed", "arity", "out_of_domain"),
        *("not_countermodel", "premise_false", "conclusion_true"),
    )
    extraction = ExtractionForm(
        "These lines, as far as the text says something for them:\n"
        "Domain: [0, 1]\n"
        'Constants: "d": 1\n'
        'Monadic predicates: "S": [0, 1]\n'
        'Binary predicates: "T": [[0, 1], [1, 1]]\n'
        "with a list for each predicate that the text interprets, [] for an empty one, and nothing "
        "for symbols that it does not mention.",
        re.compile(r"[A-Za-z](?=\")|[0-9]+"),
    )

    def read_payload(self, payload: Mapping[str, Any]) -> CountermodelPayload:
        """Return the argument and the domain."""
        if payload.get("required_domain") is not None:  # of the published data set
            premises = [payload["domain"], *payload["premises"]]
            payload = {**payload, "premises": premises, "domain": payload["required_domain"]}
        read = CountermodelPayload(**payload)
        _ = read.symbols  # raises for malformed formulas
        return read

    def judge_text(self, text: str, payload: CountermodelPayload) -> Verdict:
        """Return the verdict on a completion."""
        arities = payload.symbols.arities
        binary = [name for name, arity in arities.items() if arity == 2]
        symbols = ([*payload.symbols.constants, *arities], binary)
        reading = read_structure(text, *symbols)
        if reading.answer is None:
            found = reading.status == "unreadable" and read_structure(text, *symbols, MOST).answer
            return self.unanswered(reading, "missing_interpretation" if found else None)
        answer = json.dumps(reading.answer, separators=(",", ":"))
        try:
            structure = _structure(reading.answer, payload)
        except _BadStructureError as bad:
            error, why = bad.args
            metrics = {**ANSWERED, **self.error_metrics(error)}
            return Verdict(False, 0.0, answer=answer, explanation=why, metrics=metrics)
        return self._evaluate(answer, structure, payload)

    def _evaluate(self, answer: str, structure: Structure, payload: CountermodelPayload) -> Verdict:
        premises = [parse_sentence(text) for text in payload.premises]
        conclusion = parse_sentence(payload.conclusion)
        false = [premise for premise in premises if not holds(premise, structure)]
        faults = {}
        if false:
            faults["premise_false"] = f"premise {str(false[0])[:100]} is false"
        if holds(conclusion, structure):
            faults["conclusion_true"] = f"conclusion {str(conclusion)[:100]} is true"
        true = len(premises) - len(false)
        partial = (true + ("conclusion_true" not in faults)) / (len(premises) + 1)
        why = "all premises true, conclusion false"
        if faults:
            why = f"{true} of {len(premises)} premises true; {'; '.join(faults.values())}"
        errors = ("not_countermodel", *faults) if faults else ()
        metrics = {**ANSWERED, **self.error_metrics(*errors)}
        return Verdict(not faults, float(not faults), True, partial, answer, why, metrics)


class _BadStructureError(ValueError):
    """What is wrong with a structure: one of the judge's errors, and why."""


def _structure(stated: Stated, payload: CountermodelPayload) -> Structure:
    """Return the structure that a completion states, else raise a _BadStructureError."""
    domain = stated.get("domain")
    if domain is not None and _members("domain", domain, 1) != set(payload.domain):
        why = f"the domain is {json.dumps(domain)}, not the task's {list(payload.domain)}"
        raise _BadStructureError("wrong_domain", why)
    constants, arities = sorted(payload.symbols.constants), payload.symbols.arities
    missing = [symbol for symbol in (*constants, *sorted(arities)) if symbol not in stated]
    if missing:
        raise _BadStructureError("missing_interpretation", f"no interpretation of {missing[0]}")
    elements = {name: _element(name, stated[name]) for name in constants}
    extensions = {name: _members(name, stated[name], arity) for name, arity in arities.items()}
    monadic, binary = (
        {name: items for name, items in extensions.items() if arities[name] == arity}
        for arity in (1, 2)
    )
    mentioned: list[tuple[str, Iterable[int]]] = [(name, [elements[name]]) for name in constants]
    mentioned += [(name, sorted(monadic[name])) for name in sorted(monadic)]
    mentioned += [(name, chain(*sorted(binary[name]))) for name in sorted(binary)]
    for name, values in mentioned:
        outside = next((value for value in values if value not in payload.domain), None)
        if outside is not None:
            why = f"{name} speaks of {outside}, which is not in the domain {list(payload.domain)}"
            raise _BadStructureError("out_of_domain", why)
    return Structure(payload.domain, elements, monadic, binary)


def _element(name: str, value: Value) -> int:
    if isinstance(value, int):
        return value
    why = f"constant {name} is {json.dumps(value)}, not one element"
    raise _BadStructureError("malformed", why)


def _members(name: str, value: Value, arity: int) -> frozenset[Any]:
    """Return the elements, or pairs of them, that an extension or the domain lists."""
    if not isinstance(value, tuple):
        raise _BadStructureError("malformed", f"predicate {name} is {value}, not a list")
    if arity == 1:
        if not all(isinstance(item, int) for item in value):
            why = f"{name} is {json.dumps(value)}, not a list of elements"
            raise _BadStructureError("wrong_domain" if name == "domain" else "arity", why)
    elif not all(isinstance(item, tuple) and [*map(type, item)] == [int, int] for item in value):
        why = f"predicate {name} is {json.dumps(value)}, not a list of pairs of elements"
        raise _BadStructureError("arity", why)
    return frozenset(value)
