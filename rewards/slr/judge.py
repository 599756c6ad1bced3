"""The judge of scalable inductive logic: is the rule right on the examples shown and on fresh ones?

:class:`SlrJudge` is what to train with. Every example is judged alone, from its own facts and under
neutral names, so that a rule can look neither at labels nor at other examples. :func:`acceptance`
is the whole of what is paid.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, TypeVar

from logic_curriculum.rewards.answers import ANSWERED, Reading
from logic_curriculum.rewards.engines import prolog_old as prolog
from logic_curriculum.rewards.engines.prolog_old import Cases, Execution, Executions, own_facts
from logic_curriculum.rewards.judge import Verdict, as_mapping, named_row
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.slr.paper import SlrPaperJudge
from logic_curriculum.rewards.slr.payload import SlrPayload, SlrRows

LEAST_SHARE = 0.75
"""Share of the fresh examples of either class that an accepted rule gets right: 24 of 32."""

Loaded = TypeVar("Loaded")  # what a judge makes of a payload
Runs = TypeVar("Runs")  # what an answer did
_FAILURES = {"syntax": "syntax error", "rejected": "rejected", "limit": "budget exceeded"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SlrTask:
    """The examples of one task, each with its own facts."""

    shown: Cases  # the examples in the prompt
    fresh: Cases | None  # fresh examples, if the task has any
    accepted: frozenset[str] | None  # outcomes over these that are accepted, if the task lists them

    @property
    def metrics(self) -> Mapping[str, float]:
        """What is worth knowing of the task whatever the answer."""
        sharing = self.shown.sharing + (self.fresh.sharing if self.fresh else 0)
        return {"sharing": float(sharing)} if sharing else {}


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's programs; the latest ones are kept, since a group shares its task.

    Raises a ValueError as :func:`own_facts` does, and when ``accepted`` does not fit the fresh
    examples.
    """
    names = payload.positive, payload.negative
    cases = own_facts(payload.validation_program, *names, payload.validation_cases)
    fresh = None
    if payload.heldout_program:
        fresh = own_facts(payload.heldout_program, *names, payload.heldout_cases)
    accepted = None if payload.accepted is None else frozenset(payload.accepted)
    for pattern in payload.accepted or ():
        if fresh and len(pattern) != len(fresh.examples):
            raise ValueError(
                f"accepted lists outcomes of {len(pattern)} examples, but heldout_program has "
                f"{len(fresh.examples)}. Give one character for each of them."
            )
    return SlrTask(cases, fresh, accepted)


def acceptance(task: SlrTask, shown: Execution, fresh: Execution | None) -> tuple[bool, str]:
    """Decide whether a rule is accepted, and say why, e.g. ``all 6 examples right``.

    It must be right on every example shown. Beyond that,

    - where a task lists the outcomes that are accepted over all possible examples (levels 1 to 3),
      the rule must have one of these. Some rule of the level's grammar, negation included, has it,
      and is right on every example shown and on at least 3 of 4 possible ones of either class;
    - else it must be right on at least 3 of 4 fresh examples of **either** class;
    - a task without fresh examples, such as a published row, asks no more.

    ``shown`` and ``fresh`` are what it did on the examples shown and, if it is right on all of
    them, on the fresh ones.
    """
    classes = {True: task.shown.positive, False: task.shown.negative}
    if shown.status != "ok":
        return False, f"{_FAILURES[shown.status]}: {shown.detail}"
    if wrong := shown.wrong:
        example, label = task.shown.examples[wrong[0]], classes[shown.labels[wrong[0]]]
        right = f"{len(shown.labels) - len(wrong)} of {len(shown.labels)} examples right"
        error = f"; a proof raised {shown.detail}" if shown.detail else ""
        return False, f"{right}; {example} should be {label}{error}"
    fits = f"all {len(shown.labels)} examples right"
    if fresh is None:
        return True, fits
    if fresh.status != "ok":
        return False, f"{fits}; {_FAILURES[fresh.status]} on fresh ones: {fresh.detail}"
    if task.accepted is not None:
        pattern = "".join("1" if outcome else "0" for outcome in fresh.outcomes)
        accepted = pattern in task.accepted and None not in fresh.outcomes
        which = "a" if accepted else "no"
        like = f"over all {len(pattern)} possible ones like {which} simple rule that is accepted"
        return accepted, f"{fits}; {like}"
    counts, accepted = [], True
    for of_class, name in classes.items():
        outcomes = [fresh.outcomes[i] for i, its in enumerate(fresh.labels) if its is of_class]
        hits = sum(outcome is of_class for outcome in outcomes)
        accepted = accepted and hits >= LEAST_SHARE * len(outcomes)
        counts.append(f"{hits} of {len(outcomes)} {name}")
    return accepted, f"{fits}; of fresh ones {', '.join(counts)}"


def chance_corrected(labels: Sequence[bool], outcomes: Sequence[bool | None]) -> float:
    """Return how much better than chance the outcomes are, in [0, 1].

    This is Youden's J, 2 · balanced accuracy − 1, cut off at 0. A rule that always or never fires
    gets 0 whatever the balance of the classes, and with one class only everything gets 0.

    ``labels`` say whether each example is positive, ``outcomes`` whether it is entailed; ``None``,
    a proof that raised, is never right.

    >>> chance_corrected([True, True, False, False], [True, True, True, False])
    0.5
    >>> chance_corrected([True, True, False, False], [False, False, False, False])
    0.0
    """
    positives = sum(labels)
    negatives = len(labels) - positives
    if not positives or not negatives:
        return 0.0
    right = [label for label, outcome in zip(labels, outcomes, strict=True) if outcome is label]
    hits = sum(right)
    return max(0.0, hits / positives + (len(right) - hits) / negatives - 1)


def _judge(
    texts: Sequence[str],
    payloads: Sequence[SlrPayload],
    load: Callable[[SlrPayload], Loaded],
    run: Callable[[Sequence[tuple[Loaded, list[str]]]], Sequence[Sequence[Runs]]],
    verdict: Callable[[Reading[str], Loaded, Runs | None], Verdict],
) -> list[Verdict]:
    """Return the verdicts on a batch: a task's answers run together, equal ones once."""
    readings = [
        read_rule(text, payload.positive, payload.negative)
        for text, payload in zip(texts, payloads, strict=True)
    ]
    numbers: dict[SlrPayload, int] = {}
    tasks: list[Loaded] = []
    answers: list[dict[str, Reading[str]]] = []
    of_rows = [numbers.setdefault(payload, len(numbers)) for payload in payloads]
    for index, (reading, number) in enumerate(zip(readings, of_rows, strict=True)):
        if number == len(tasks):
            with named_row(index):
                tasks.append(load(payloads[index]))
            answers.append({})
        if reading.answer is not None:
            answers[number].setdefault(reading.answer, reading)
    ran = run([(task, list(given)) for task, given in zip(tasks, answers, strict=True)])
    verdicts = [
        {
            reading.answer: verdict(reading, task, runs)
            for reading, runs in zip(given.values(), group, strict=True)
        }
        for task, given, group in zip(tasks, answers, ran, strict=True)
    ]
    return [
        verdicts[number].get(reading.answer) or verdict(reading, tasks[number], None)
        for reading, number in zip(readings, of_rows, strict=True)
    ]


def _not_gradable(reading: Reading[str], run: Execution) -> Verdict:
    explanation = f"not gradable: {run.detail}"
    return Verdict(False, None, answer=reading.answer, explanation=explanation)


class SlrJudge(SlrRows):
    """Judges rules; completions of one task load its facts once.

    ``reward`` is 1.0 if solved, else 0.0, ``partial`` the share of the examples shown that are
    right. Metrics: ``fits`` (1.0 when all shown are right), ``chance_corrected`` (see
    :func:`chance_corrected`), ``inferences`` (spent on the examples shown), for an answer that fits
    and a task with fresh examples ``heldout_accuracy``, and ``sharing`` for a task some of whose
    examples share objects.
    """

    rewards: ClassVar[Mapping[str, str]] = {
        "slr_partial_reward": "partial", "slr_chance_corrected_reward": "chance_corrected",
    }  # fmt: skip
    paper = SlrPaperJudge()

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch."""
        return _judge(texts, payloads, load_task, _run, _verdict)

    def categories(self, verdict: Verdict) -> tuple[str, ...]:
        """Return one word for what is wrong with a rule that was found.

        ``syntax_error``, ``not_run`` (forbidden or not defined), ``not_general`` (right on all
        examples shown, and not accepted), ``shortcut`` (right on them only where it sees names or
        other examples) or ``examples_wrong``, as it is beyond its budget, too.
        """
        metrics = verdict.metrics
        if verdict.solved or not metrics.get("answered"):
            return super().categories(verdict)
        if not verdict.syntax:
            return ("syntax_error",)
        for name, category in (("fits", "not_general"), ("extensional", "shortcut")):
            if metrics.get(name):
                return (category,)
        return ("examples_wrong",) if metrics.get("inferences") else ("not_run",)

    def warn_of_training(self, verifications: Sequence[Any]) -> None:
        """Warn once if the first row has no fresh examples: training then pays for memorising."""
        if verifications and not as_mapping(verifications[0]).get("heldout_program"):
            _warn_of_memorising()


def _run(groups: Sequence[tuple[SlrTask, list[str]]]) -> list[list[Executions]]:
    return prolog.judge_further([(task.shown, task.fresh, answers) for task, answers in groups])


def _verdict(reading: Reading[str], task: SlrTask, runs: Executions | None) -> Verdict:
    if runs is None:
        nothing = {"fits": 0.0, "chance_corrected": 0.0, "inferences": 0.0}
        metrics = {**nothing, **task.metrics, **reading.metrics}
        return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)
    shown, fresh = runs
    if shown.status == "lost":
        return _not_gradable(reading, shown)
    accepted, why = acceptance(task, shown, fresh)
    corrected = chance_corrected(shown.labels, shown.outcomes) if shown.outcomes else 0.0
    return Verdict(
        solved=accepted,
        reward=float(accepted),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=reading.answer,
        explanation=why,
        metrics={
            "fits": float(shown.solved),
            "chance_corrected": corrected,
            "inferences": float(shown.inferences),
            **({"heldout_accuracy": fresh.accuracy} if fresh else {}),
            **task.metrics,
            **ANSWERED,
        },
        faults=_wrong_examples(task, shown),
    )


def _wrong_examples(task: SlrTask, shown: Execution) -> dict[str, str]:
    """Return the examples shown that a rule gets wrong, and what each should be."""
    classes = {True: task.shown.positive, False: task.shown.negative}
    return {task.shown.examples[i]: f"should be {classes[shown.labels[i]]}" for i in shown.wrong}


@cache
def _warn_of_memorising() -> None:
    _log.warning(
        "Rows of slr without a 'heldout_program', such as the published ones, pay any rule that "
        "fits the examples shown: a clause for each of them will do, and training on them teaches "
        "to memorise. Train on generated tasks, which have fresh examples."
    )
