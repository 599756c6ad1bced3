"""Judge of joint logical and numerical reasoning: the answer, and each step that leads to it.

Answer and process accuracy are those of LogiNumSynth (section 3.3, appendix F.2).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

from logic_curriculum.rewards.engines.numeric.engine import ConflictError, Matcher
from logic_curriculum.rewards.engines.numeric.parser import (
    check_rule,
    parse_fact,
    parse_query,
    parse_rule,
)
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Query,
    TooLargeError,
)
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.loginum.answer import read_value
from logic_curriculum.rewards.loginum.claims import Claim, is_about, read_claim, states
from logic_curriculum.rewards.loginum.steps import Step, read_steps
from logic_curriculum.rewards.payload import as_mapping, required, shown
from logic_curriculum.rewards.verdict import Verdict

ERRORS = (
    "no_steps",
    "unknown_reference",
    "misapplied_rule",
    "wrong_number",
    "wrong_conclusion",
    "incomplete",
)
"""What is wrong with a process, by its first faulty step; at most one of these metrics is 1.0."""
_WRONG = frozenset((*ERRORS, "unsupported"))
_NO_ERRORS = dict.fromkeys(ERRORS, 0.0)
_KEPT = 300
"""How many conclusions of rules are kept for a task, how many readings of claims and findings."""


@dataclass(eq=False)
class LoginumTask:
    """A world, what is asked about it and how it is answered."""

    facts: Mapping[int, Fact]
    """Number, from 1 → fact."""
    rules: Mapping[int, str]
    """Number, from 1 → text of a rule, which is parsed when a step first applies it."""
    query: Query
    answer: int
    gold: frozenset[Fact]
    """What the ground-truth process concludes, step by step."""

    def __post_init__(self) -> None:
        self.goal = AttributeFact(self.query.entity, self.query.attribute, self.answer)
        self._matchers: dict[int, Matcher] = {}
        self._conclusions: dict[tuple[int, frozenset[Fact]], tuple[Fact, ...]] = {}
        self._claims: dict[str, Claim | None] = {}
        self.findings: dict[tuple[Step, tuple[Fact | None, ...]], Finding] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The entities, in lower case."""
        names: set[str] = set()
        for fact in self.facts.values():
            names.update(fact[:1] if isinstance(fact, AttributeFact) else fact[1:])
        return frozenset(map(str.casefold, names))

    def claim(self, text: str) -> Claim | None:
        """Return what a conclusion says; a wrong one is asked for again for its rivals."""
        if text in self._claims:
            return self._claims[text]
        claim = read_claim(text)
        if len(self._claims) < _KEPT:
            self._claims[text] = claim
        return claim

    def conclusions(self, rule: int, uses: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return what a rule, numbered from 1, yields from exactly these facts.

        Completions of a group apply the same rules to the same facts, so results are kept. A rule
        whose text lacks a fact's relation or attribute can't use it, so it isn't parsed for that.
        """
        text = self.rules[rule]
        for fact in uses:
            name = fact.attribute if isinstance(fact, AttributeFact) else fact.relation
            if name not in text:
                return ()
        key = (rule, frozenset(uses))
        found = self._conclusions.get(key)
        if found is None:
            if rule not in self._matchers:
                self._matchers[rule] = Matcher(parse_rule(text))
            found = self._matchers[rule].conclusions(uses)
            if len(self._conclusions) < _KEPT:
                self._conclusions[key] = found
        return found


class Finding(NamedTuple):
    """What became of a step."""

    step: Step
    error: str | None = None
    """``None`` for a verified step; else one of :data:`ERRORS`, ``unsupported`` if a step that it
    rests on isn't verified, ``rivalled`` if it is right but stands beside a wrong rival,
    ``restated`` if it only says again what it rests on, which is neither right nor wrong."""
    fact: Fact | None = None
    """What it concludes, if that is verified."""
    basis: tuple[int, frozenset[Fact]] | None = None
    """Its rule and the facts it rests on, if that is a rule's application."""


class Process(NamedTuple):
    """What became of all steps of a summary."""

    findings: tuple[Finding, ...]
    """One per step, in the order of the text."""
    verified: int
    """How many of them are verified."""
    score: float
    """The process accuracy, in [0, 1]."""
    gold_found: int
    """How many of the ground truth's conclusions verified steps conclude."""
    complete: bool
    """Whether the answer is right and a verified step concludes it."""


class LoginumJudge(Judge[LoginumTask]):
    """Judges loginum.

    ``reward`` is 1.0 for the right answer, else 0.0; ``partial`` is the process accuracy.
    Metrics: ``process_accuracy``, ``steps``, ``verified_steps``, ``gold_steps_found``,
    ``verified`` (1.0 for the right answer from a chain of verified steps) and :data:`ERRORS`.
    ``reward`` is ``None`` where a step is too laborious to verify, which takes a rule with many
    conditions that share no variable, or uses two values of one attribute, which no consistent
    world has.

    A payload: ``facts``, ``rules`` and ``query`` as text, ``answer``, and ``steps``, each with its
    ``conclusion``.
    """

    family = "loginum"
    task_version = 2
    reward_version = 2
    rewards: ClassVar[Mapping[str, str]] = {
        "loginum_process_reward": "partial",
        "loginum_verified_reward": "verified",
    }
    partial_name = "process"

    def read_payload(self, payload: Mapping[str, Any]) -> LoginumTask:
        """Return the world, the query and the gold process."""
        return _read_task(_json_text(payload))

    def judge_text(self, text: str, payload: LoginumTask) -> Verdict:
        """Return the verdict on a completion."""
        return _judge_text(text, payload)


def _json_text(payload: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(payload))
    except TypeError as error:
        raise ValueError(
            f"The verification can't be written as JSON ({error}). Keep the generator's "
            "'verification' column as it is."
        ) from error


@lru_cache(maxsize=1024)
def _read_task(text: str) -> LoginumTask:
    """Read a payload; the last ones are kept, since a group of completions shares its task."""
    payload = as_mapping(text)
    return LoginumTask(
        facts=dict(enumerate(map(parse_fact, _texts(payload, "facts")), 1)),
        rules=dict(enumerate(map(check_rule, _texts(payload, "rules")), 1)),
        query=parse_query(required(payload, "query", str, "text")),
        answer=required(payload, "answer", int, "a whole number"),
        gold=frozenset(map(parse_fact, _gold_texts(payload))),
    )


def _texts(payload: Mapping[str, Any], key: str) -> list[str]:
    texts: list[str] = required(payload, key, list, "a list of texts")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(
            f"{key} is {shown(texts)}, but the judge reads a list of texts. Give each of them as "
            "the generator's 'verification' column does."
        )
    return texts


def _gold_texts(payload: Mapping[str, Any]) -> list[str]:
    steps = required(payload, "steps", list, "a list of steps")
    stated = [step.get("conclusion") for step in steps if isinstance(step, Mapping)]
    texts = [text for text in stated if isinstance(text, str)]
    if not steps or len(texts) < len(steps):
        raise ValueError(
            f"steps is {shown(steps)}, but the judge reads a list of steps, one or more, each with "
            'its conclusion. Give e.g. [{"conclusion": "is(Hetty, legal, -3)"}].'
        )
    return texts


def _judge_text(text: str, task: LoginumTask) -> Verdict:
    reading = read_value(text, task.query)
    written = None if reading.answer is None else str(reading.answer)
    solved = reading.answer == task.answer
    try:
        process = judge_process(read_steps(text), solved, task)
    except (ConflictError, TooLargeError) as failure:
        return Verdict(False, None, answer=written, explanation=f"not gradable: {failure}")
    faulty = _first_error(process.findings)
    error = faulty.error if faulty else _lack(process)
    wrong = reading.explanation or f"the answer is {task.answer}"
    return Verdict(
        solved=solved,
        reward=float(solved),
        syntax=reading.answer is not None,
        partial=process.score,
        answer=written,
        explanation=_explanation("right answer" if solved else wrong, process, faulty),
        metrics={
            **reading.metrics,
            "process_accuracy": process.score,
            "verified": float(process.complete and process.score == 1.0),
            "steps": float(len(process.findings)),
            "verified_steps": float(process.verified),
            "gold_steps_found": float(process.gold_found),
            **(_NO_ERRORS if error is None else {**_NO_ERRORS, error: 1.0}),
        },
    )


def _first_error(findings: Sequence[Finding]) -> Finding | None:
    """Return the first step that is faulty in itself."""
    for finding in findings:
        if finding.error in ERRORS:
            return finding
    return None


def _lack(process: Process) -> str | None:
    """Return what a process without faulty steps lacks."""
    if not process.findings:
        return "no_steps"
    return None if process.score == 1.0 else "incomplete"


def _explanation(answer: str, process: Process, faulty: Finding | None) -> str:
    steps = f"{process.verified} of {len(process.findings)} steps verified"
    if faulty is None:
        return f"{answer}; {steps}"
    return f"{answer}; {steps}; int_{faulty.step.number}: {str(faulty.error).replace('_', ' ')}"


def judge_process(steps: Sequence[Step], solved: bool, task: LoginumTask) -> Process:
    """Verify the steps of a summary and score them.

    The score is 1 if the answer is right and a verified step concludes it, else the share of the
    ground truth's conclusions, the last one included, that verified steps conclude. Of wrong steps
    there may be one more than the ground truth has steps; more of them, ``n``, multiply the score
    by ``(gold steps + 1) / n``.

    Raises:
        ConflictError: When a step uses two values of one attribute.
        TooLargeError: When a step is too laborious to verify.
    """
    found = _verify(steps, task)
    _drop_rivalled(found, task)
    findings = tuple([found[step.number] for step in steps])
    known = {finding.fact for finding in findings if finding.error is None}
    errors = [finding.error for finding in findings]
    wrong = sum(map(_WRONG.__contains__, errors))
    gold_found = len(known & task.gold)
    complete = solved and task.goal in known
    score = 1.0 if complete else gold_found / len(task.gold)
    allowed = len(task.gold) + 1
    if wrong > allowed:
        score *= allowed / wrong
    return Process(findings, errors.count(None), score, gold_found, complete)


def _verify(steps: Sequence[Step], task: LoginumTask) -> dict[int, Finding]:
    """Return what becomes of each step, by its number, those first that others rest on."""
    found: dict[int, Finding] = {}
    waiting = steps
    while waiting:
        left = []
        for step in waiting:
            if step.steps <= found.keys():
                found[step.number] = _verify_step(step, found, task)
            else:
                left.append(step)
        if len(left) == len(waiting):
            break
        waiting = left
    for step in waiting:
        found[step.number] = Finding(step, "unknown_reference")
    return found


def _verify_step(step: Step, found: Mapping[int, Finding], task: LoginumTask) -> Finding:
    """Verify a step that rests on steps already looked at.

    Completions of a group share most of their steps, so findings are kept.
    """
    rests_on = tuple([found[number].fact for number in step.steps])
    key = (step, rests_on)
    finding = task.findings.get(key)
    if finding is None:
        finding = _look_at(step, rests_on, task)
        if len(task.findings) < _KEPT:
            task.findings[key] = finding
    return finding


def _look_at(step: Step, rests_on: Sequence[Fact | None], task: LoginumTask) -> Finding:
    """Verify a step, given what the steps that it rests on conclude."""
    if not (step.facts <= task.facts.keys() and step.rules <= task.rules.keys()):
        return Finding(step, "unknown_reference")
    uses = [task.facts[number] for number in step.facts]
    for fact in rests_on:
        if fact is None:
            return Finding(step, "unsupported")
        uses.append(fact)
    if len(step.rules) == 1:
        (rule,) = step.rules
        error, stated = _compare(step.claim, task.conclusions(rule, uses), task)
        return Finding(step, error, stated, (rule, frozenset(uses)))
    error, stated = _compare(step.claim, uses, task)
    if step.rules or len(set(uses)) > 1 or error:
        return Finding(step, "misapplied_rule")
    return Finding(step, "restated", stated)


def _compare(text: str, facts: Sequence[Fact], task: LoginumTask) -> tuple[str | None, Fact | None]:
    """Return which of some facts a text states; else what is wrong with it."""
    for fact in facts:
        if states(text, fact):
            return None, fact
    if not facts:
        return "misapplied_rule", None
    error = "wrong_conclusion"
    claim = task.claim(text)
    for fact in facts:
        if is_about(claim, fact, task.names):
            if not isinstance(fact, AttributeFact) or (claim and claim.number == fact.value):
                return None, fact
            error = "wrong_number"
    return error, None


def _drop_rivalled(found: dict[int, Finding], task: LoginumTask) -> None:
    """Take the credit from right steps that stand beside wrong rivals, and from what rests on them.

    Rivals conclude about the same attribute of the same entity, or the same relation, or apply the
    same rule to the same facts: stating several is guessing.
    """
    wrong = [finding for finding in found.values() if finding.error in _WRONG]
    if not wrong or len(wrong) == len(found):
        return
    claims = [task.claim(finding.step.claim) for finding in wrong]
    bases = {finding.basis for finding in wrong}
    dropped: set[int] = set()
    for number, finding in found.items():
        if finding.fact is not None and (
            finding.basis in bases
            or not dropped.isdisjoint(finding.step.steps)
            or any(is_about(claim, finding.fact, task.names) for claim in claims)
        ):
            dropped.add(number)
            found[number] = Finding(finding.step, "rivalled")
