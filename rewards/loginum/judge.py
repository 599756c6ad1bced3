"""Judge of joint logical and numerical reasoning: the answer, and each step that leads to it.

Answer and process accuracy are those of LogiNumSynth (section 3.3, appendix F.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import Field, StrictInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import ConflictError, Matcher
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, TooLargeError
from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, Verification
from logic_curriculum.rewards.loginum.answer import (
    Step,
    conclusion_text,
    is_about,
    read_claim,
    read_steps,
    read_value,
)

ERRORS = (
    "no_steps", "unknown_reference", "misapplied_rule", "wrong_number", "wrong_conclusion",
    "incomplete",
)  # fmt: skip
"""What is wrong with a process, by its first faulty step; at most one of these metrics is 1.0."""
WRONG = frozenset((*ERRORS, "unsupported"))
"""What makes a step wrong, in itself or by what it rests on."""
_MOST_KEPT = 300  # entries of each cache of a world


class Finding(NamedTuple):
    """What became of a step."""

    step: Step
    error: str | None = None
    """``None`` for a verified step; else one of :data:`ERRORS`, ``unsupported`` if a step that it
    rests on isn't verified, ``rivalled`` if it is right but stands beside a wrong rival,
    ``restated`` if it only says again what it rests on, which is neither right nor wrong."""
    fact: Fact | None = None  # what it concludes, if that is verified
    basis: tuple[int, frozenset[Fact]] | None = None  # its rule, if any, and facts it rests on


class World:
    """Facts, rules and a query, and how the query is answered; facts and rules count from 1.

    Completions of a group share what they find out. A text that is malformed raises a ValueError.
    """

    def __init__(self, payload: LoginumPayload) -> None:
        self.facts: dict[int, Fact] = dict(enumerate(map(syntax.parse_fact, payload.facts), 1))
        self.rules: dict[int, str] = dict(enumerate(payload.rules, 1))
        self._matchers = [Matcher(syntax.parse_rule(rule)) for rule in payload.rules]
        self.query = syntax.parse_query(payload.query)
        self.goal = AttributeFact(*self.query, payload.answer)
        self.gold = frozenset(syntax.parse_fact(step.conclusion) for step in payload.steps)
        keep = lru_cache(maxsize=_MOST_KEPT)
        self._kept_conclusions = keep(lambda rule, uses: self._matchers[rule - 1].conclusions(uses))
        self._kept_finding = keep(self._verify_step)
        self._claim = keep(read_claim)

    @cached_property
    def _entities(self) -> frozenset[str]:  # in lower case
        return frozenset(
            name.casefold()
            for fact in self.facts.values()
            for name in (fact[:1] if isinstance(fact, AttributeFact) else fact[1:])
        )

    def score(self, steps: Sequence[Step], solved: bool) -> tuple[dict[str, float], Finding | None]:
        """Verify the steps of a summary; return a verdict's metrics and the first faulty step.

        The process accuracy is 1 if the answer is right and a verified step concludes it, else the
        share of the gold process's conclusions, the last one included, that verified steps
        conclude. Of wrong steps there may be one more than the gold process has steps; more of
        them, ``n``, multiply it by ``(gold steps + 1) / n``. Without this and without rivals it is
        the paper's (appendix F.2).
        """
        found = self._verify(steps)
        paper_score = self._share(found.values(), solved)[0]
        self._drop_rivalled(found)
        findings = tuple([found[step.number] for step in steps])
        score, gold_found, complete = self._share(findings, solved)
        errors = [finding.error for finding in findings]
        wrong, allowed = sum(error in WRONG for error in errors), len(self.gold) + 1
        if wrong > allowed:
            score *= allowed / wrong
        fault = next((finding for finding in findings if finding.error in ERRORS), None)
        error = None if score == 1.0 else "incomplete"
        if fault or not findings:
            error = fault.error if fault else "no_steps"
        metrics = {
            "process_accuracy": score,
            "paper_process_accuracy": paper_score,
            "verified": float(complete and score == 1.0),
            "steps": float(len(findings)),
            "verified_steps": float(errors.count(None)),
            "gold_steps_found": float(gold_found),
        }
        return metrics | {name: float(name == error) for name in ERRORS}, fault

    def _share(self, findings: Iterable[Finding], solved: bool) -> tuple[float, int, bool]:
        """Return the process accuracy of some findings, and what it is made of."""
        known = {finding.fact for finding in findings if finding.error is None}
        gold_found, complete = len(known & self.gold), solved and self.goal in known
        return 1.0 if complete else gold_found / len(self.gold), gold_found, complete

    def _verify(self, steps: Sequence[Step]) -> dict[int, Finding]:
        """Return the finding on each step, by its number; steps come after those they rest on."""
        found: dict[int, Finding] = {}
        waiting = steps
        while waiting:
            left = []
            for step in waiting:
                if step.steps <= found.keys():
                    rests_on = tuple([found[number].fact for number in step.steps])
                    found[step.number] = self._kept_finding(step, rests_on)
                else:
                    left.append(step)
            if len(left) == len(waiting):
                break
            waiting = left
        return found | {step.number: Finding(step, "unknown_reference") for step in waiting}

    def _verify_step(self, step: Step, rests_on: Sequence[Fact | None]) -> Finding:
        if not (step.facts <= self.facts.keys() and step.rules <= self.rules.keys()):
            return Finding(step, "unknown_reference")
        uses = [self.facts[number] for number in step.facts]
        for fact in rests_on:
            if fact is None:
                return Finding(step, "unsupported")
            uses.append(fact)
        if len(step.rules) == 1:
            (rule,) = step.rules
            error, stated = self._compare(step.claim, self._conclusions(rule, uses))
            return Finding(step, error, stated, (rule, frozenset(uses)))
        error, stated = self._compare(step.claim, uses)
        if step.rules or len(set(uses)) > 1 or error:
            return Finding(step, "misapplied_rule")
        return Finding(step, "restated", stated)

    def _conclusions(self, rule: int, uses: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return the conclusions of a rule from exactly these facts.

        A rule whose text lacks a fact's relation or attribute can't use it. What takes too long to
        verify (many conditions that share no variable), or rests on two values of one attribute,
        which no consistent world has, is not verified.
        """
        names = [fact[1] if isinstance(fact, AttributeFact) else fact[0] for fact in uses]
        if any(name not in self.rules[rule] for name in names):
            return ()
        try:
            return self._kept_conclusions(rule, tuple(uses))
        except (ConflictError, TooLargeError):
            return ()

    def _compare(self, text: str, facts: Sequence[Fact]) -> tuple[str | None, Fact | None]:
        """Return which of some facts a text states; else what is wrong with it."""
        for fact in facts:
            if text == conclusion_text(fact):  # most are, which spares them the reading
                return None, fact
        if not facts:
            return "misapplied_rule", None
        error = "wrong_conclusion"
        claim = self._claim(text)
        for fact in facts:
            if claim and is_about(claim, fact, self._entities):
                if not isinstance(fact, AttributeFact) or claim.numbers == (fact.value,):
                    return None, fact
                error = "wrong_number"
        return error, None

    def _drop_rivalled(self, found: dict[int, Finding]) -> None:
        """Take the credit from right steps beside wrong rivals, and from what rests on them.

        Rivals conclude about the same attribute of the same entity, or the same relation, or apply
        the same rule to the same facts: stating several is guessing.
        """
        wrong = [finding for finding in found.values() if finding.error in WRONG]
        if not wrong or len(wrong) == len(found):
            return
        claims = [self._claim(finding.step.claim) for finding in wrong]
        bases = {finding.basis for finding in wrong}
        dropped: set[int] = set()
        for number, finding in found.items():
            if finding.fact is not None and (
                finding.basis in bases
                or not dropped.isdisjoint(finding.step.steps)
                or any(is_about(claim, finding.fact, self._entities) for claim in claims)
            ):
                dropped.add(number)
                found[number] = Finding(finding.step, "rivalled")


@dataclass(frozen=True)
class GoldStep:
    """A rule application of the gold process. Facts, rules and steps count from 1."""

    conclusion: str  # the judge reads this alone
    rule: StrictInt = 0
    facts: tuple[StrictInt, ...] = ()  # the facts that it uses
    steps: tuple[StrictInt, ...] = ()  # the earlier steps whose conclusions it uses


@dataclass(frozen=True)
class LoginumPayload(Verification):
    """A world, what is asked about it and how it is answered; facts and rules are texts."""

    facts: tuple[str, ...]
    rules: tuple[str, ...]
    query: str
    answer: StrictInt
    steps: Annotated[tuple[GoldStep, ...], Field(min_length=1)]  # the gold process

    @cached_property
    def world(self) -> World:
        """The world, parsed."""
        return World(self)


def _name_hints(payload: Mapping[str, Any]) -> str:
    """List the names of a world's attributes and relations, for an extractor."""
    world = " ".join([*payload["facts"], *payload["rules"]])
    attributes = sorted(set(re.findall(r"\bis\([^,()]+, ([\w-]+),", world)))
    relations = sorted(set(re.findall(r"\b(?!is\()([\w-]+)\([^,()]+, [^,()]+\)", world)))
    return f"Attributes: {', '.join(attributes)}\nRelations: {', '.join(relations)}\n"


class LoginumJudge(Judge[LoginumPayload]):
    """Judges loginum.

    ``reward`` is 1.0 for the right answer, else 0.0; ``partial`` is the process accuracy.
    Metrics: ``process_accuracy``, ``paper_process_accuracy`` (as the paper defines it, which lets
    wrong rivals pay), ``steps``, ``verified_steps``, ``gold_steps_found``, ``verified`` (1.0 for
    the right answer from a chain of verified steps) and :data:`ERRORS`.
    """

    family = "loginum"
    task_version = 4
    reward_version = 12
    rewards: ClassVar[Mapping[str, str]] = {
        "loginum_process_reward": "partial", "loginum_verified_reward": "verified",
    }  # fmt: skip
    partial_name = "Proc"
    errors = ERRORS
    extraction = ExtractionForm(
        "The steps that the text goes through, one line for each application of a rule, and the "
        "value that it arrives at:\n"
        "Reasoning:\n"
        "rule_4 & fact_12 & fact_2 =>> int_1: applaud exists between Imke and Rolf\n"
        "rule_9 & fact_7 & int_1 =>> int_2: Rolf's brittle is 22\n"
        "Answer: \\boxed{22}\n"
        "In front of =>> stand the rule and the facts and earlier steps that the text names for a "
        "step, behind int_ and its number what the text concludes. Leave out what it does not say.",
        re.compile(r"(?<!int_)(?<![0-9])[0-9]+"),
        hints=_name_hints,
        in_block=False,
    )

    def read_payload(self, payload: Mapping[str, Any]) -> LoginumPayload:
        """Return the world, the query and the gold process."""
        read = LoginumPayload(**payload)
        _ = read.world  # parsed here, so that an error names the row
        return read

    def judge_text(self, text: str, payload: LoginumPayload) -> Verdict:
        """Return the verdict on a completion."""
        reading = read_value(text, payload.world.query)
        written = None if reading.answer is None else str(reading.answer)
        solved = reading.answer == payload.answer
        metrics, fault = payload.world.score(read_steps(text), solved)
        why = "right answer" if solved else reading.explanation or f"the answer is {payload.answer}"
        why += f"; {metrics['verified_steps']:.0f} of {metrics['steps']:.0f} steps verified"
        if fault:
            why += f"; int_{fault.step.number}: {str(fault.error).replace('_', ' ')}"
        return Verdict(
            solved=solved,
            reward=float(solved),
            syntax=reading.answer is not None,
            partial=metrics["process_accuracy"],
            answer=written,
            explanation=why,
            metrics={**reading.metrics, **metrics},
        )
