"""Judge of joint logical and numerical reasoning: the answer, and each step that leads to it.

Answer and process accuracy are those of LogiNumSynth (section 3.3, appendix F.2).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from logic_curriculum.rewards.engines.numeric.engine import ConflictError
from logic_curriculum.rewards.engines.numeric.syntax import TooLargeError
from logic_curriculum.rewards.judge import ExtractionForm, Judge, malformed, required
from logic_curriculum.rewards.loginum.answer import read_value
from logic_curriculum.rewards.loginum.process import ERRORS, WRONG, Process, World
from logic_curriculum.rewards.loginum.steps import read_steps
from logic_curriculum.rewards.verdict import Verdict

LONGEST_FAULT = 300  # characters of a wrong conclusion that a verdict quotes


class GoldStep(NamedTuple):
    """A rule application of the gold process. Facts, rules and steps count from 1."""

    rule: int
    facts: tuple[int, ...]  # the facts that it uses
    steps: tuple[int, ...]  # the earlier steps whose conclusions it uses
    conclusion: str


@dataclass(frozen=True)
class LoginumPayload:
    """A world, what is asked about it and how it is answered; facts and rules are texts."""

    facts: tuple[str, ...]
    rules: tuple[str, ...]
    query: str
    answer: int
    steps: tuple[GoldStep, ...]  # the gold process; the judge reads the conclusions alone

    def to_dict(self) -> dict[str, Any]:
        """Return the content of ``Task.verification``."""
        content = {"facts": list(self.facts), "rules": list(self.rules), "query": self.query}
        steps = [
            {**step._asdict(), "facts": list(step.facts), "steps": list(step.steps)}
            for step in self.steps
        ]
        return {**content, "answer": self.answer, "steps": steps}

    @cached_property
    def world(self) -> World:
        """The world, parsed."""
        conclusions = [step.conclusion for step in self.steps]
        return World(self.facts, self.rules, self.query, self.answer, conclusions)


def _name_hints(payload: Mapping[str, Any]) -> str:
    """List the names of a world's attributes and relations, for an extractor."""
    world = " ".join([*payload["facts"], *payload["rules"]])
    attributes = sorted(set(re.findall(r"\bis\([^,()]+, ([\w-]+),", world)))
    relations = sorted(set(re.findall(r"\b(?!is\()([\w-]+)\([^,()]+, [^,()]+\)", world)))
    return f"Attributes: {', '.join(attributes)}\nRelations: {', '.join(relations)}\n"


class LoginumJudge(Judge[LoginumPayload]):
    """Judges loginum.

    ``reward`` is 1.0 for the right answer, else 0.0; ``partial`` is the process accuracy.
    Metrics: ``process_accuracy``, ``steps``, ``verified_steps``, ``gold_steps_found``,
    ``verified`` (1.0 for the right answer from a chain of verified steps) and :data:`ERRORS`.
    ``reward`` is ``None`` where a step is too laborious to verify, which takes a rule with many
    conditions that share no variable, or uses two values of one attribute, which no consistent
    world has.
    """

    family = "loginum"
    task_version = 2
    reward_version = 4
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
        facts, rules = _texts(payload, "facts"), _texts(payload, "rules")
        query = required(payload, "query", str, "text")
        answer = required(payload, "answer", int, "a whole number")
        read = LoginumPayload(facts, rules, query, answer, _gold_steps(payload))
        _ = read.world  # parsed here, so that an error names the row
        return read

    def judge_text(self, text: str, payload: LoginumPayload) -> Verdict:
        """Return the verdict on a completion."""
        reading = read_value(text, payload.world.query)
        written = None if reading.answer is None else str(reading.answer)
        solved = reading.answer == payload.answer
        try:
            process = payload.world.score(read_steps(text), solved)
        except (ConflictError, TooLargeError) as failure:
            return Verdict(False, None, answer=written, explanation=f"not gradable: {failure}")
        wrong = reading.explanation or f"the answer is {payload.answer}"
        return Verdict(
            solved=solved,
            reward=float(solved),
            syntax=reading.answer is not None,
            partial=process.score,
            answer=written,
            explanation=_explanation("right answer" if solved else wrong, process),
            metrics={
                **reading.metrics,
                "process_accuracy": process.score,
                "verified": float(process.complete and process.score == 1.0),
                "steps": float(len(process.findings)),
                "verified_steps": float(process.verified),
                "gold_steps_found": float(process.gold_found),
                **self.error_metrics(process.error),
            },
            faults={
                found.step.claim[:LONGEST_FAULT]: str(found.error).replace("_", " ")
                for found in process.findings
                if found.error in WRONG and found.step.claim
            },
        )


def _texts(payload: Mapping[str, Any], key: str) -> tuple[str, ...]:
    texts: list[str] = required(payload, key, list, "a list of texts")
    if not all(isinstance(text, str) for text in texts):
        raise malformed(key, texts, "a list of texts")
    return tuple(texts)


def _gold_steps(payload: Mapping[str, Any]) -> tuple[GoldStep, ...]:
    steps = required(payload, "steps", list, "a list of steps")
    stated = [step.get("conclusion") for step in steps if isinstance(step, Mapping)]
    texts = [text for text in stated if isinstance(text, str)]
    if not steps or len(texts) < len(steps):
        needed = "a list of steps, one or more, each with its conclusion"
        remedy = 'Give e.g. [{"conclusion": "is(Hetty, legal, -3)"}].'
        raise malformed("steps", steps, needed, remedy)
    return tuple([GoldStep(0, (), (), text) for text in texts])


def _explanation(answer: str, process: Process) -> str:
    text = f"{answer}; {process.verified} of {len(process.findings)} steps verified"
    if fault := process.fault:
        text += f"; int_{fault.step.number}: {str(fault.error).replace('_', ' ')}"
    return text
