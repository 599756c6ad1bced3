"""The judge of scalable inductive logic: is the rule right on the examples shown and on fresh ones?

An answer is a rule of a stated language (``engines/rules``), decided here in plain Python. It sees
the facts about one example at a time and no names, so that it can look neither at labels nor at
other examples, and it may mention few values, so that it can't hold the examples and learn from
them. :func:`acceptance` is the whole of what is paid.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar

from logic_curriculum.rewards.answers import ANSWERED, Reading
from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Execution, Program, isomorphic_copy
from logic_curriculum.rewards.engines.rules import (
    LabelledExamples,
    OtherShapeError,
    RefusedError,
    UnreadableError,
    Vocabulary,
    compile_rule,
)
from logic_curriculum.rewards.judge import Verdict, as_mapping, named_row
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.slr.payload import (
    SlrPayload,
    SlrRows,
    other_shape,
    vocabulary_of_facts,
)

LEAST_SHARE = 0.75
"""Share of the fresh examples of either class that an accepted rule gets right: 24 of 32."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SlrTask:
    """The examples of one task."""

    payload: SlrPayload
    shown: LabelledExamples  # the examples in the prompt

    @cached_property
    def fresh(self) -> LabelledExamples | None:
        """Fresh examples, if the task has any; read when a rule first fits those shown."""
        fresh = self.payload.fresh()
        for pattern in self.payload.accepted or ():
            if fresh and len(pattern) != fresh.examples.count:
                raise ValueError(
                    f"accepted lists outcomes of {len(pattern)} examples, but heldout_program has "
                    f"{fresh.examples.count}. Give one character for each of them."
                )
        return fresh

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What a rule may name."""
        if self.payload.vocabulary is not None:
            return self.payload.vocabulary
        programs = [self.shown, *([self.fresh] if self.fresh else [])]
        try:
            return vocabulary_of_facts(self.payload.positive, *programs)
        except OtherShapeError as error:
            raise other_shape(error) from error


@lru_cache(maxsize=32)
def load_task(payload: SlrPayload) -> SlrTask:
    """Read a payload's examples; the latest ones are kept, since a group shares its task.

    A ``ValueError`` says where facts are not about examples, their parts and the parts' attributes,
    or that ``accepted`` does not fit the fresh examples.
    """
    task = SlrTask(payload, payload.shown())
    if payload.vocabulary is None or payload.accepted:
        _ = task.vocabulary, task.fresh
    return task


def acceptance(task: SlrTask, shown: int, fresh: int | None) -> tuple[bool, str]:
    """Decide whether a rule is accepted, and say why, e.g. ``all 6 examples right``.

    It must be right on every example shown. Beyond that,

    - where a task lists the outcomes that are accepted over all possible examples (levels 1 to 3),
      the rule must have one of these. Some rule of the level's grammar, negation included, has it,
      and is right on every example shown and on at least 3 of 4 possible ones of either class;
    - else it must be right on at least 3 of 4 fresh examples of **either** class;
    - a task without fresh examples, such as a published row, asks no more.

    ``shown`` and ``fresh`` are the masks of the examples shown and, if it is right on all of those,
    of the fresh ones that the rule calls positive.
    """
    count = task.shown.examples.count
    if wrong := shown ^ task.shown.labels:
        first = (wrong & -wrong).bit_length() - 1
        should_be = _label(task, first)
        right = f"{count - wrong.bit_count()} of {count} examples right"
        return False, f"{right}; {task.shown.names[first]} should be {should_be}"
    fits = f"all {count} examples right"
    if fresh is None or task.fresh is None:
        return True, fits
    size, labels = task.fresh.examples.count, task.fresh.labels
    if task.payload.accepted is not None:
        accepted = f"{fresh:0{size}b}"[::-1] in task.payload.accepted
        which = "a" if accepted else "no"
        like = f"over all {size} possible ones like {which} simple rule that is accepted"
        return accepted, f"{fits}; {like}"
    counts, accepted = [], True
    everything = task.fresh.examples.everything
    for name, of_class, called in (
        (task.payload.positive, labels, fresh),
        (task.payload.negative, everything ^ labels, everything ^ fresh),
    ):
        hits, total = (of_class & called).bit_count(), of_class.bit_count()
        accepted = accepted and hits >= LEAST_SHARE * total
        counts.append(f"{hits} of {total} {name}")
    return accepted, f"{fits}; of fresh ones {', '.join(counts)}"


def _label(task: SlrTask, place: int) -> str:
    return task.payload.positive if task.shown.labels >> place & 1 else task.payload.negative


def chance_corrected(program: LabelledExamples, outcomes: int) -> float:
    """Return how much better than chance outcomes are, in [0, 1].

    This is Youden's J, 2 · balanced accuracy − 1, cut off at 0. A rule that always or never fires
    gets 0 whatever the balance of the classes, and with one class only everything gets 0.
    ``outcomes`` is the mask of the examples that are called positive.
    """
    positives = program.labels.bit_count()
    negatives = program.examples.count - positives
    if not positives or not negatives:
        return 0.0
    hits = (outcomes & program.labels).bit_count()
    alarms = outcomes.bit_count() - hits
    return max(0.0, hits / positives - alarms / negatives)


class SlrPaperJudge(SlrRows):
    """Scores answers as the paper does (section 3.3, appendix B); only the examples shown count.

    All examples run as one program, as the prompt shows it, so a rule can earn these scores by
    naming examples or by looking at other ones. How much of that there is shows on an isomorphic
    copy, whose objects have other names in another order.

    ``syntax``, ``partial`` and, as ``solved`` and ``reward``, the overall score. Syntax is that of
    the answer before any repair. Metrics: ``extensional`` (the overall score), ``isomorphic`` (the
    same on the renamed copy) and ``hacking_gap`` (their difference).
    """

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch: a task's answers run together, equal ones once."""
        readings = [
            read_rule(text, payload.positive, payload.negative)
            for text, payload in zip(texts, payloads, strict=True)
        ]
        programs: list[tuple[Program, Program]] = []
        asked: dict[SlrPayload, dict[str, None]] = {}
        for index, (reading, payload) in enumerate(zip(readings, payloads, strict=True)):
            if payload not in asked:
                with named_row(index):
                    programs.append(_program_and_copy(payload))
                asked[payload] = {}
            if reading.answer is not None:
                asked[payload][reading.answer] = None
        groups = zip(programs, map(list, asked.values()), strict=True)
        runs = prolog.judge_programs([(one, answers) for both, answers in groups for one in both])
        ran = {
            (payload, answer): (shown, renamed)
            for at, (payload, answers) in enumerate(asked.items())
            for answer, shown, renamed in zip(answers, runs[2 * at], runs[2 * at + 1], strict=True)
        }
        return [
            _paper_verdict(reading, ran.get((payload, reading.answer or "")))
            for reading, payload in zip(readings, payloads, strict=True)
        ]


@lru_cache(maxsize=32)
def _program_and_copy(payload: SlrPayload) -> tuple[Program, Program]:
    program = Program.parse(payload.validation_program, payload.positive, payload.negative)
    return program, isomorphic_copy(program)


def _paper_verdict(reading: Reading[str], runs: tuple[Execution, Execution] | None) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_paper_metrics(0.0, 0.0), explanation="no rule found")
    shown, renamed = runs
    for run in runs:
        if run.status == "lost":
            told = f"not gradable: {run.detail}"
            return Verdict(False, None, answer=reading.answer, explanation=told)
    right = f"{len(shown.labels) - len(shown.wrong)} of {len(shown.labels)} examples right"
    raised = f"; a proof raised {shown.detail}" if shown.detail else ""
    return Verdict(
        solved=shown.solved,
        reward=float(shown.solved),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=reading.answer,
        explanation=right + raised if shown.status == "ok" else f"{shown.status}: {shown.detail}",
        metrics=_paper_metrics(float(shown.solved), float(renamed.solved)),
    )


def _paper_metrics(extensional: float, isomorphic: float) -> dict[str, float]:
    gap = extensional - isomorphic
    return {"extensional": extensional, "isomorphic": isomorphic, "hacking_gap": gap}


class SlrJudge(SlrRows):
    """Judges rules.

    ``reward`` is 1.0 if solved, else 0.0, ``partial`` the share of the examples shown that are
    right. Metrics: ``fits`` (1.0 when all shown are right), ``chance_corrected`` (see
    :func:`chance_corrected`), ``outside`` (1.0 for what is outside the rule language or above its
    caps), ``steps`` (taken on the examples shown), and for an answer that fits and a task with
    fresh examples ``heldout_accuracy``.
    """

    rewards: ClassVar[Mapping[str, str]] = {
        "slr_partial_reward": "partial", "slr_chance_corrected_reward": "chance_corrected",
    }  # fmt: skip
    paper = SlrPaperJudge()

    def judge_text(self, text: str, payload: SlrPayload) -> Verdict:
        """Return the verdict on a completion."""
        task = load_task(payload)
        reading = read_rule(text, payload.positive, payload.negative)
        if reading.answer is None:
            metrics = {**_NOTHING, **reading.metrics}
            return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)
        try:
            return _verdict(task, reading.answer)
        except UnreadableError as error:
            explanation, metrics = f"syntax error: {error}", {**_NOTHING, **ANSWERED}
            return Verdict(False, 0.0, answer=reading.answer, explanation=explanation,
                           metrics=metrics)  # fmt: skip
        except RefusedError as error:
            return Verdict(
                False, 0.0, syntax=True, answer=reading.answer,
                explanation=f"outside the rule language: {error}",
                metrics={**_NOTHING, "outside": 1.0, **ANSWERED},
            )  # fmt: skip

    def categories(self, verdict: Verdict) -> tuple[str, ...]:
        """Return one word for what is wrong with a rule that was found.

        ``syntax_error``, ``outside_language``, ``not_general`` (right on all examples shown, and
        not accepted), ``shortcut`` (right on them only where it sees names or other examples) or
        ``examples_wrong``.
        """
        metrics = verdict.metrics
        if verdict.solved or not metrics.get("answered"):
            return super().categories(verdict)
        if not verdict.syntax:
            return ("syntax_error",)
        for name, category in (("fits", "not_general"), ("extensional", "shortcut")):
            if metrics.get(name):
                return (category,)
        return ("outside_language",) if metrics.get("outside") else ("examples_wrong",)

    def warn_of_training(self, verifications: Sequence[Any]) -> None:
        """Warn once if the first row has no fresh examples: training then pays for memorising."""
        if verifications and not as_mapping(verifications[0]).get("heldout_program"):
            _warn_of_memorising()


_NOTHING = {"fits": 0.0, "chance_corrected": 0.0, "outside": 0.0, "steps": 0.0}


def _verdict(task: SlrTask, answer: str) -> Verdict:
    rule = compile_rule(answer, task.vocabulary, task.payload.caps)
    shown, steps = rule.entailed(task.shown.examples)
    wrong = shown ^ task.shown.labels
    fresh = None
    metrics = {
        "fits": float(not wrong),
        "chance_corrected": chance_corrected(task.shown, shown),
        "outside": 0.0,
        "steps": float(steps),
        **ANSWERED,
    }
    if not wrong and task.fresh is not None:
        fresh, _ = rule.entailed(task.fresh.examples)
        missed = (fresh ^ task.fresh.labels).bit_count()
        metrics["heldout_accuracy"] = 1 - missed / task.fresh.examples.count
    accepted, why = acceptance(task, shown, fresh)
    return Verdict(
        solved=accepted,
        reward=float(accepted),
        syntax=True,
        partial=1 - wrong.bit_count() / task.shown.examples.count,
        answer=answer,
        explanation=why,
        metrics=metrics,
        faults={
            name: f"should be {_label(task, at)}"
            for at, name in enumerate(task.shown.names)
            if wrong >> at & 1
        },
    )


@cache
def _warn_of_memorising() -> None:
    _log.warning(
        "Rows of slr without a 'heldout_program', such as the published ones, pay any rule that "
        "fits the examples shown: a clause for each of them will do, and training on them teaches "
        "to memorise. Train on generated tasks, which have fresh examples."
    )
