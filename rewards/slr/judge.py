"""Judges of scalable inductive logic: is the rule right on the examples shown and on fresh ones?

:class:`SlrJudge` is what to train with. Every example is judged alone, from its own facts and under
neutral names, so that a rule can look neither at labels nor at other examples. :func:`acceptance`
is the whole of what is paid.

:class:`SlrPaperJudge` has the scores of the SLR paper (section 3.3, appendix B), for reproducing it
and for measuring. All examples run as one program, as the prompt shows it, so a rule can earn them
by naming examples or by looking at other ones. How much of that there is shows on an isomorphic
copy, whose objects have other names in another order.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines.prolog import (
    Cases,
    Execution,
    Program,
    isomorphic_copy,
    judge_further,
    judge_groups,
    whole_program,
)
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import as_mapping, named_row
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.slr.payload import (
    REWARD_VERSION,
    TASK_VERSION,
    SlrPayload,
    SlrTask,
    load_task,
    read_payload,
)
from logic_curriculum.rewards.verdict import Verdict

LEAST_SHARE = 0.75
"""Share of the fresh examples of either class that an accepted rule gets right: 24 of 32."""

_FAILURES = {"syntax": "syntax error", "rejected": "rejected", "limit": "budget exceeded"}
_log = logging.getLogger(__name__)


class Acceptance(NamedTuple):
    """Whether a rule is accepted, and why."""

    accepted: bool
    why: str
    """E.g. ``all 6 examples right; of fresh ones 30 of 32 eastbound, 17 of 32 westbound``."""


def acceptance(task: SlrTask, shown: Execution, fresh: Execution | None) -> Acceptance:
    """Decide whether a rule is accepted.

    It must be right on every example shown. Beyond that,

    - where a task lists the outcomes that are accepted over all possible examples (levels 1 to 3),
      the rule must have one of these: that of some rule of the level's grammar, negation included,
      which is right on every example shown and on at least 3 of 4 possible ones of either class;
    - else it must be right on at least 3 of 4 fresh examples of **either** class;
    - a task without fresh examples, such as a published row, asks no more.

    Args:
        task: What the rule is judged by.
        shown: What it did on the examples shown.
        fresh: What it did on the fresh ones; needed only if it is right on all shown.
    """
    classes = {True: task.shown.positive, False: task.shown.negative}
    if shown.status != "ok":
        return Acceptance(False, f"{_FAILURES[shown.status]}: {shown.detail}")
    wrong = [i for i, label in enumerate(shown.labels) if shown.outcomes[i] is not label]
    if wrong:
        example, label = task.shown.examples[wrong[0]], classes[shown.labels[wrong[0]]]
        right = f"{len(shown.labels) - len(wrong)} of {len(shown.labels)} examples right"
        error = f"; a proof raised {shown.detail}" if shown.detail else ""
        return Acceptance(False, f"{right}; {example} should be {label}{error}")
    fits = f"all {len(shown.labels)} examples right"
    if fresh is None:
        return Acceptance(True, fits)
    if fresh.status != "ok":
        return Acceptance(False, f"{fits}; {_FAILURES[fresh.status]} on fresh ones: {fresh.detail}")
    if task.accepted is not None:
        pattern = "".join("1" if outcome else "0" for outcome in fresh.outcomes)
        accepted = pattern in task.accepted and None not in fresh.outcomes
        which = "a" if accepted else "no"
        like = f"over all {len(pattern)} possible ones like {which} simple rule that is accepted"
        return Acceptance(accepted, f"{fits}; {like}")
    counts, accepted = [], True
    for of_class, name in classes.items():
        outcomes = [fresh.outcomes[i] for i, its in enumerate(fresh.labels) if its is of_class]
        hits = sum(outcome is of_class for outcome in outcomes)
        accepted = accepted and hits >= LEAST_SHARE * len(outcomes)
        counts.append(f"{hits} of {len(outcomes)} {name}")
    return Acceptance(accepted, f"{fits}; of fresh ones {', '.join(counts)}")


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
    pairs = list(zip(labels, outcomes, strict=True))
    positives = sum(labels)
    negatives = len(pairs) - positives
    if not positives or not negatives:
        return 0.0
    return max(
        0.0, pairs.count((True, True)) / positives + pairs.count((False, False)) / negatives - 1
    )


class _SlrRows(Judge[SlrPayload]):
    """What both judges read from a row."""

    family = "slr"
    task_version = TASK_VERSION
    reward_version = REWARD_VERSION

    def read_payload(self, payload: Mapping[str, Any]) -> SlrPayload:
        """Return the programs; see :func:`logic_curriculum.rewards.slr.payload.read_payload`."""
        return read_payload(payload)


class SlrPaperJudge(_SlrRows):
    """Scores answers as the paper does; only the examples shown count.

    ``syntax``, ``partial`` and, as ``solved`` and ``reward``, the overall score. Syntax is that of
    the answer before any repair. Metrics: ``extensional`` (the overall score), ``isomorphic`` (the
    same on the renamed copy) and ``hacking_gap`` (their difference).
    """

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch; answers of one task run in one worker."""
        answers = [
            read_rule(text, payload.positive, payload.negative).answer
            for text, payload in zip(texts, payloads, strict=True)
        ]
        rows: dict[SlrPayload, list[int]] = {}
        for row, payload in enumerate(payloads):
            rows.setdefault(payload, []).append(row)
        groups: list[tuple[Cases, list[str]]] = []
        for payload, of_task in rows.items():
            with named_row(of_task[0]):
                given = [answer for row in of_task if (answer := answers[row]) is not None]
                groups += [(cases, given) for cases in _whole_programs(payload)]
        judged = judge_groups(groups)
        verdicts: dict[int, Verdict] = {}
        for index, of_task in enumerate(rows.values()):
            answered = [row for row in of_task if answers[row] is not None]
            runs = zip(judged[2 * index], judged[2 * index + 1], strict=True)
            found = dict(zip(answered, runs, strict=True))
            verdicts |= {row: _paper_verdict(answers[row], found.get(row)) for row in of_task}
        return [verdicts[row] for row in range(len(answers))]


@lru_cache(maxsize=32)
def _whole_programs(payload: SlrPayload) -> tuple[Cases, Cases]:
    """Return the program as shown, and its copy."""
    program = Program.parse(payload.validation_program, payload.positive, payload.negative)
    return whole_program(program), whole_program(isomorphic_copy(program))


def _paper_verdict(answer: str | None, runs: tuple[Execution, Execution] | None) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_paper_metrics(0.0, 0.0), explanation="no rule found")
    shown, renamed = runs
    lost = next((run for run in runs if run.status == "lost"), None)
    if lost:
        return Verdict(False, None, answer=answer, explanation=f"not gradable: {lost.detail}")
    right = f"{round(shown.accuracy * len(shown.labels))} of {len(shown.labels)} examples right"
    return Verdict(
        solved=shown.solved,
        reward=float(shown.solved),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=answer,
        explanation=right if shown.status == "ok" else f"{shown.status}: {shown.detail}",
        metrics=_paper_metrics(float(shown.solved), float(renamed.solved)),
    )


def _paper_metrics(extensional: float, isomorphic: float) -> dict[str, float]:
    return {
        "extensional": extensional,
        "isomorphic": isomorphic,
        "hacking_gap": extensional - isomorphic,
    }


class SlrJudge(_SlrRows):
    """Judges rules; completions of one task load its facts once.

    ``reward`` is 1.0 if solved, else 0.0, ``partial`` the share of the examples shown that are
    right. Metrics: ``fits`` (1.0 when all shown are right), ``chance_corrected`` (see
    :func:`chance_corrected`), ``inferences`` (spent on the examples shown), for an answer that fits
    and a task with fresh examples ``heldout_accuracy``, and ``sharing`` for a task some of whose
    examples share objects.
    """

    rewards: ClassVar[Mapping[str, str]] = {
        "slr_partial_reward": "partial",
        "slr_chance_corrected_reward": "chance_corrected",
    }
    paper = SlrPaperJudge()

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch; answers of one task run in one worker."""
        readings = [
            read_rule(text, payload.positive, payload.negative)
            for text, payload in zip(texts, payloads, strict=True)
        ]
        tasks: dict[SlrPayload, SlrTask] = {}
        answers: dict[SlrPayload, dict[str, None]] = {}
        for index, (reading, payload) in enumerate(zip(readings, payloads, strict=True)):
            if payload not in tasks:
                with named_row(index):
                    tasks[payload] = load_task(payload)
                answers[payload] = {}
            if reading.answer is not None:
                answers[payload][reading.answer] = None  # equal answers run once
        groups = [(task.shown, task.fresh, list(answers[key])) for key, task in tasks.items()]
        verdicts: dict[tuple[SlrPayload, str], Verdict] = {}
        for (payload, task), executions in zip(tasks.items(), judge_further(groups), strict=True):
            for answer, (shown, fresh) in zip(answers[payload], executions, strict=True):
                verdicts[payload, answer] = _verdict(answer, task, shown, fresh)
        return [
            _unanswered(reading, tasks[payload])
            if reading.answer is None
            else verdicts[payload, reading.answer]
            for reading, payload in zip(readings, payloads, strict=True)
        ]

    def warn_of_training(self, verifications: Sequence[Any]) -> None:
        """Warn once if the first row has no fresh examples: training then pays for memorising."""
        for verification in verifications[:1]:
            if not as_mapping(verification).get("heldout_program"):
                _warn_of_memorising()


def _verdict(answer: str, task: SlrTask, shown: Execution, fresh: Execution | None) -> Verdict:
    if shown.status == "lost":
        return Verdict(False, None, answer=answer, explanation=f"not gradable: {shown.detail}")
    accepted, why = acceptance(task, shown, fresh)
    corrected = chance_corrected(shown.labels, shown.outcomes) if shown.outcomes else 0.0
    return Verdict(
        solved=accepted,
        reward=float(accepted),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=answer,
        explanation=why,
        metrics={
            "fits": float(shown.solved),
            "chance_corrected": corrected,
            "inferences": float(shown.inferences),
            **({"heldout_accuracy": fresh.accuracy} if fresh else {}),
            **task.metrics,
            **Reading("answered").metrics,
        },
    )


def _unanswered(reading: Reading[str], task: SlrTask) -> Verdict:
    nothing = {"fits": 0.0, "chance_corrected": 0.0, "inferences": 0.0}
    return Verdict(
        solved=False,
        reward=0.0,
        explanation=reading.explanation,
        metrics={**nothing, **task.metrics, **reading.metrics},
    )


@cache
def _warn_of_memorising() -> None:
    _log.warning(
        "Rows of slr without a 'heldout_program', such as the published ones, pay any rule that "
        "fits the examples shown: a clause for each of them will do, and training on them teaches "
        "to memorise. Train on generated tasks, which have fresh examples."
    )
