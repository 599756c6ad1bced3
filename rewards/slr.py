"""Judge of scalable inductive logic: does the rule sort the examples, under any names?

Syntax, partial and overall score are those of the SLR paper (section 3.3, appendix B), measured
on an isomorphic copy of the task, so that naming the examples earns nothing. Held-out accuracy
shows whether a rule has found the concept or memorised the examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rewards.extraction import Completion, completion_text, extract_rule
from rewards.judges.prolog import Execution, Program, judge_tasks
from rewards.payload import named_row, read_payloads
from rewards.slr_payload import SlrPayload, SlrTask, load_task, read_payload
from rewards.verdict import Verdict

Executions = tuple[Execution, ...]
"""What one answer did on the programs of its task, in the order of :attr:`SlrTask.programs`."""

_FAILURES = {"syntax": "syntax error", "rejected": "rejected", "limit": "budget exceeded"}


def judge_batch(completions: Sequence[Completion], verifications: Sequence[Any]) -> list[Verdict]:
    """Judge completions against their tasks; completions of one task load its facts once.

    Args:
        completions: Text or conversational messages.
        verifications: One payload per completion, see :func:`rewards.slr_payload.read_payload`.

    Returns:
        One verdict per completion, in the same order. ``reward`` is 1.0 if solved, else 0.0.
        Metrics: ``isomorphic`` and ``extensional`` (1.0 when all examples of the renamed and of
        the original program are right), ``hacking_gap`` (extensional − isomorphic),
        ``chance_corrected`` (see :func:`chance_corrected`), ``inferences`` (spent on the renamed
        program) and, for a task with a held-out program, ``heldout_accuracy``.

    Raises:
        ValueError: When a row is malformed; its position is named.
    """
    answers = tuple(extract_rule(completion_text(completion)) for completion in completions)
    verdicts = _judge_answers(answers, read_payloads(verifications, read_payload))
    if any(verdict.reward is None for verdict in verdicts):
        _judge_answers.cache_clear()  # a lost verdict deserves another try
    return list(verdicts)


def chance_corrected(labels: Sequence[bool], outcomes: Sequence[bool | None]) -> float:
    """Return how much better than chance the outcomes are, in [0, 1].

    This is Youden's J, the share of positives that are right plus the share of negatives that are
    right, minus 1 and cut off at 0: 2 · balanced accuracy − 1. A rule that always or never fires
    gets 0 whatever the balance of the classes, and with one class only there is nothing to tell
    apart, so everything gets 0.

    Args:
        labels: Whether each example is positive.
        outcomes: Whether each example is entailed; ``None``, a proof that raised, is never right.

    >>> chance_corrected([True, True, False, False], [True, True, True, False])
    0.5
    >>> chance_corrected([True, True, False, False], [False, False, False, False])
    0.0
    """
    right_by_class: dict[bool, list[bool]] = {True: [], False: []}
    for label, outcome in zip(labels, outcomes, strict=True):
        right_by_class[label].append(outcome is label)
    if not all(right_by_class.values()):
        return 0.0
    shares = [sum(right) / len(right) for right in right_by_class.values()]
    return max(0.0, sum(shares) - 1)


@dataclass(frozen=True)
class _Fit:
    """How one hypothesis did on one program."""

    program: Program
    execution: Execution

    @cached_property
    def wrong(self) -> list[int]:
        """Indices of the examples that are not right; all, unless the hypothesis ran."""
        labels, outcomes = self.program.labels, self.execution.outcomes
        if not outcomes:
            return list(range(len(labels)))
        return [i for i, label in enumerate(labels) if outcomes[i] is not label]

    @property
    def chance_corrected(self) -> float:
        outcomes = self.execution.outcomes
        return chance_corrected(self.program.labels, outcomes) if outcomes else 0.0

    def describe(self) -> str:
        """Return e.g. ``14 of 16 examples right; train3 should be eastbound``."""
        count, first = len(self.program.labels), self.wrong[0]
        label = self.program.positive if self.program.labels[first] else self.program.negative
        right = f"{count - len(self.wrong)} of {count} examples right"
        error = self.execution.detail and f"; a proof raised {self.execution.detail}"
        return f"{right}; {self.program.examples[first]} should be {label}{error}"


def _load_tasks(payloads: Sequence[SlrPayload]) -> dict[SlrPayload, SlrTask]:
    tasks: dict[SlrPayload, SlrTask] = {}
    for index, payload in enumerate(payloads):
        if payload not in tasks:
            with named_row(index):
                tasks[payload] = load_task(payload)
    return tasks


@lru_cache(maxsize=2)
def _judge_answers(
    answers: tuple[str | None, ...], payloads: tuple[SlrPayload, ...]
) -> tuple[Verdict, ...]:
    """Judge extracted answers; the last batches are kept for a trainer's other functions."""
    tasks = _load_tasks(payloads)
    executions = _execute(answers, payloads, tasks)
    return tuple(
        _verdict(answer, tasks[payload], executions[row])
        if answer is not None
        else _unanswered(tasks[payload])
        for row, (answer, payload) in enumerate(zip(answers, payloads, strict=True))
    )


def _execute(
    answers: Sequence[str | None],
    payloads: Sequence[SlrPayload],
    tasks: Mapping[SlrPayload, SlrTask],
) -> dict[int, Executions]:
    """Return, by row, the executions of an answer on each program of its task.

    Programs are read on trust, which is fast; a lost execution is the sign to check them.
    """
    rows_by_task: dict[SlrPayload, list[int]] = {}
    hypotheses: dict[SlrPayload, list[str]] = {}
    for row, (answer, payload) in enumerate(zip(answers, payloads, strict=True)):
        if answer is not None:
            rows_by_task.setdefault(payload, []).append(row)
            hypotheses.setdefault(payload, []).append(answer)
    judged = judge_tasks([(tasks[payload].programs, hypotheses[payload]) for payload in hypotheses])
    executions: dict[int, Executions] = {}
    for (payload, rows), results in zip(rows_by_task.items(), judged, strict=True):
        executions.update(zip(rows, results, strict=True))
        if any(execution.status == "lost" for result in results for execution in result):
            with named_row(rows[0]):
                tasks[payload].check()
    return executions


def _verdict(answer: str, task: SlrTask, executions: Executions) -> Verdict:
    lost = [execution for execution in executions if execution.status == "lost"]
    if lost:
        return Verdict(False, None, answer=answer, explanation=f"not gradable: {lost[0].detail}")
    fits = [_Fit(*pair) for pair in zip(task.programs, executions, strict=True)]
    isomorphic, extensional = fits[:2]
    heldout = fits[2] if task.heldout else None
    solved = not isomorphic.wrong and not _fails_gate(heldout, task.heldout_threshold)
    return Verdict(
        solved=solved,
        reward=float(solved),
        syntax=isomorphic.execution.status != "syntax",
        partial=isomorphic.execution.accuracy,
        answer=answer,
        explanation=_explain(isomorphic, extensional, heldout, task.heldout_threshold),
        metrics={
            **_fit_metrics(not isomorphic.wrong, not extensional.wrong),
            "chance_corrected": isomorphic.chance_corrected,
            "inferences": float(isomorphic.execution.inferences),
            **({"heldout_accuracy": heldout.execution.accuracy} if heldout else {}),
        },
    )


def _fails_gate(heldout: _Fit | None, threshold: float | None) -> bool:
    return heldout is not None and threshold is not None and heldout.execution.accuracy < threshold


def _unanswered(task: SlrTask) -> Verdict:
    return Verdict(
        solved=False,
        reward=0.0,
        explanation="no rule found in the completion",
        metrics={
            **_fit_metrics(False, False),
            "chance_corrected": 0.0,
            "inferences": 0.0,
            **({"heldout_accuracy": 0.0} if task.heldout else {}),
        },
    )


def _fit_metrics(isomorphic: bool, extensional: bool) -> dict[str, float]:
    return {
        "isomorphic": float(isomorphic),
        "extensional": float(extensional),
        "hacking_gap": float(extensional) - float(isomorphic),
    }


def _explain(
    isomorphic: _Fit, extensional: _Fit, heldout: _Fit | None, threshold: float | None
) -> str:
    """Say in one line why the verdict is what it is, in the names that the prompt uses."""
    execution, count = isomorphic.execution, len(extensional.program.labels)
    if execution.status != "ok":
        return f"{_FAILURES[execution.status]}: {execution.detail}"
    if isomorphic.wrong and extensional.wrong:
        return extensional.describe()
    if isomorphic.wrong:
        size = len(isomorphic.program.labels)
        right = f"{size - len(isomorphic.wrong)} of {size}"
        return f"shortcut: all {count} examples right as shown, {right} once objects are renamed"
    explanation = f"all {count} examples right"
    if heldout:
        size = len(heldout.program.labels)
        explanation += f"; {size - len(heldout.wrong)} of {size} held-out ones"
    if _fails_gate(heldout, threshold):
        explanation += f", below the required {threshold:.0%}"
    return explanation
