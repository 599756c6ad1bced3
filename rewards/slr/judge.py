"""The judge of scalable inductive logic: is the rule right on the examples shown and on fresh ones?

An answer is a rule of a stated language (``engines/rules``), decided here in plain Python. It sees
the facts about one example at a time and no names, so that it can look neither at labels nor at
other examples, and it may mention few values, so that it can't hold the examples and learn from
them. :func:`acceptance` is the whole of what is paid.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field, StrictInt, TypeAdapter
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import ANSWERED, Reading
from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Execution, Program, isomorphic_copy
from logic_curriculum.rewards.engines.rules import (
    Caps,
    LabelledExamples,
    OtherShapeError,
    RefusedError,
    UnreadableError,
    Vocabulary,
    compile_rule,
)
from logic_curriculum.rewards.judge import Judge, Verdict, as_mapping, malformed, named_row
from logic_curriculum.rewards.slr.answer import read_rule

LEAST_SHARE = 0.75
"""Share of the fresh examples of either class that an accepted rule gets right: 24 of 32."""
LOOSEST = Caps()
Predicate = Annotated[str, Field(pattern=r"^[a-z][A-Za-z0-9_]*$")]

# -- what a row holds ------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlrPayload:
    """The programs of one task as texts of ground facts, labels included.

    What is read from them raises an OtherShapeError where facts are not about examples, their parts
    and the parts' attributes.
    """

    validation_program: str  # the examples as the prompt shows them
    positive: Predicate = "eastbound"
    """Predicate that labels positive examples and that a hypothesis defines."""
    negative: Predicate = "westbound"  # predicate that labels negative examples
    heldout_program: str | None = None
    """Fresh examples labelled by the ground-truth rule; with ``accepted``, all possible ones."""
    accepted: tuple[Annotated[str, Field(pattern="^[01]+$")], ...] | None = None
    """Outcomes over ``heldout_program`` that are accepted: texts of 0 and 1, one for an example."""
    vocabulary: Vocabulary | None = None
    """What a rule may name; without it, what the facts name."""
    validation_cases: str | None = None
    """The validation program as :meth:`.LabelledExamples.packed` writes it, read in its place."""
    heldout_cases: str | None = None  # the same for the held-out program
    caps: Caps = LOOSEST
    """How much a rule may hold; without it, what the highest level allows."""

    @cached_property
    def shown(self) -> LabelledExamples:
        """The examples of the validation program."""
        return self._read(self.validation_program, self.validation_cases)

    @cached_property
    def fresh(self) -> LabelledExamples | None:
        """The examples of the held-out program, if there is one.

        A ``ValueError`` says that ``accepted`` does not fit them.
        """
        text = self.heldout_program
        fresh = None if text is None else self._read(text, self.heldout_cases)
        count = fresh.examples.count if fresh else 0
        for pattern in self.accepted or ():
            if len(pattern) != count:
                raise ValueError(
                    f"accepted lists outcomes of {len(pattern)} examples, but heldout_program has "
                    f"{count}. Give one character for each of them."
                )
        return fresh

    def _read(self, text: str, packed: str | None) -> LabelledExamples:
        known = packed and LabelledExamples.unpacked(packed, text)
        return known or LabelledExamples.read(text, self.positive, self.negative)

    @cached_property
    def words(self) -> Vocabulary:
        """What a rule may name; OtherShapeError if facts mix names and numbers in an attribute."""
        if self.vocabulary is not None:
            return self.vocabulary
        programs = [self.shown, *([self.fresh] if self.fresh else [])]
        values: defaultdict[str, set[str | int]] = defaultdict(set)
        for program in programs:
            for name, column in program.examples.columns.items():
                values[name].update(*column)
        for name, its in values.items():
            if len({type(value) for value in its}) > 1:
                raise OtherShapeError(f"{name} has names and numbers as values")
        membership = next((p.membership for p in programs if p.membership), "")
        pairs = tuple((name, tuple(sorted(its))) for name, its in values.items())
        most = max(len(program.examples.exists) for program in programs)
        return _vocabulary(self.positive, membership, pairs, most)

    @cached_property
    def programs(self) -> tuple[Program, Program]:
        """The examples shown as one program, and its isomorphic copy."""
        program = Program.parse(self.validation_program, self.positive, self.negative)
        return program, isomorphic_copy(program)

    def to_dict(self) -> dict[str, Any]:
        """Return the payload as a row's verification."""
        adapter = TypeAdapter(SlrPayload)
        content: dict[str, Any] = adapter.dump_python(self, mode="json", exclude_none=True)
        if words := content.get("vocabulary"):
            del words["target"]
            words["attributes"] = dict(words["attributes"])
        return content


def _read_caps(given: Any) -> Caps:
    caps, names = as_mapping(given), {item.name for item in fields(Caps)}
    if set(caps) - names or not all(isinstance(n, int) and n >= 0 for n in caps.values()):
        raise malformed("caps", given, f"give whole numbers for {', '.join(sorted(names))}")
    return Caps(**caps)


class _Words(BaseModel):
    """A vocabulary as a row has it."""

    membership: str
    parts: StrictInt
    attributes: Mapping[
        str, Annotated[tuple[str, ...] | tuple[StrictInt, ...], Field(min_length=1)] | None
    ]  # null for those of other rows, by which Arrow fills up


@lru_cache(maxsize=256)
def _vocabulary(*content: Any) -> Vocabulary:
    return Vocabulary(*content)  # one object, so that what it works out is worked out once


class _SlrRows(Judge[SlrPayload]):
    """What both judges read from a row."""

    family = "slr"
    task_version = 7
    reward_version = 17

    def read_payload(self, payload: Mapping[str, Any]) -> SlrPayload:
        """Read a verification payload or a row of the published data set.

        Its keys are the fields of :class:`SlrPayload`, also spelled with spaces as in the columns
        of the published SLR-Bench; others are ignored. What is null or empty counts as absent.
        """
        given = {
            str(key).replace(" ", "_"): value
            for key, value in payload.items()
            if value not in (None, "", [])
        }
        old = given.keys() & {"isomorphic_program", "heldout_threshold"}
        if old and "task_version" not in given:
            raise ValueError(
                f"The row has {min(old)!r} and no task_version, so it has task_version 1 of slr, "
                f"and this library {self.task_version}: make the rows again."
            )
        if "caps" in given:
            given["caps"] = _read_caps(given["caps"])
        if "vocabulary" in given:
            words = _Words(**as_mapping(given["vocabulary"]))
            attributes = tuple((n, its) for n, its in words.attributes.items() if its is not None)
            target = given.get("positive", "eastbound")
            given["vocabulary"] = _vocabulary(target, words.membership, attributes, words.parts)
        return SlrPayload(**given)


# -- the paper's score -----------------------------------------------------------------------------


class SlrPaperJudge(_SlrRows):
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
            read_rule(text, payload.positive, payload.negative, strict=False)
            for text, payload in zip(texts, payloads, strict=True)
        ]
        asked: defaultdict[SlrPayload, dict[str, None]] = defaultdict(dict)
        for index, (reading, payload) in enumerate(zip(readings, payloads, strict=True)):
            with named_row(index):
                _ = payload.programs  # parsed, so that an error names the row
            if reading.answer is not None:
                asked[payload][reading.answer] = None
        groups = [(each, [*said]) for payload, said in asked.items() for each in payload.programs]
        runs = prolog.judge_programs(groups)
        ran = {
            (payload, answer): (shown, renamed)
            for at, (payload, answers) in enumerate(asked.items())
            for answer, shown, renamed in zip(answers, runs[2 * at], runs[2 * at + 1], strict=True)
        }
        return [
            _paper_verdict(reading, ran.get((payload, reading.answer or "")))
            for reading, payload in zip(readings, payloads, strict=True)
        ]


def _paper_verdict(reading: Reading[str], runs: tuple[Execution, Execution] | None) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_paper_metrics(0.0, 0.0), explanation="no rule found")
    shown, renamed = runs
    if lost := [run.detail for run in runs if run.status == "lost"]:
        told = f"not gradable: {lost[0]}"
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


# -- what is paid ----------------------------------------------------------------------------------


def acceptance(task: SlrPayload, shown: int, fresh: int | None) -> tuple[bool, str]:
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
        should_be = task.positive if task.shown.labels >> first & 1 else task.negative
        right = f"{count - wrong.bit_count()} of {count} examples right"
        return False, f"{right}; {task.shown.names[first]} should be {should_be}"
    fits = f"all {count} examples right"
    if fresh is None or task.fresh is None:
        return True, fits
    size, labels = task.fresh.examples.count, task.fresh.labels
    if task.accepted is not None:
        accepted = f"{fresh:0{size}b}"[::-1] in task.accepted
        which = "a" if accepted else "no"
        like = f"over all {size} possible ones like {which} simple rule that is accepted"
        return accepted, f"{fits}; {like}"
    missed = fresh ^ labels
    classes = (task.positive, labels), (task.negative, task.fresh.examples.everything ^ labels)
    hits = [(name, (its & ~missed).bit_count(), its.bit_count()) for name, its in classes]
    counts = ", ".join(f"{right} of {total} {name}" for name, right, total in hits)
    accepted = all(right >= LEAST_SHARE * total for _, right, total in hits)
    return accepted, f"{fits}; of fresh ones {counts}"


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


class SlrJudge(_SlrRows):
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
        try:
            _ = payload.shown, payload.words, payload.accepted and payload.fresh
        except OtherShapeError as error:
            raise ValueError(
                "The program has another shape than examples, their parts and the parts' "
                f"attributes: {error}. Programs of any shape are judged by slr_paper_reward."
            ) from error
        reading = read_rule(text, payload.positive, payload.negative)
        if reading.answer is None:
            metrics = {**_NOTHING, **reading.metrics}
            return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)
        try:
            return _verdict(payload, reading.answer)
        except (UnreadableError, RefusedError) as error:
            is_read = isinstance(error, RefusedError)
            why = f"{'outside the rule language' if is_read else 'syntax error'}: {error}"
            metrics = {**_NOTHING, "outside": float(is_read), **ANSWERED}
            return Verdict(False, 0.0, is_read, 0.0, reading.answer, why, metrics)

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
        row = as_mapping(verifications[0]) if verifications else {}
        if verifications and not as_mapping(row.get("verification", row)).get("heldout_program"):
            warnings.warn(
                "Rows of slr without a 'heldout_program', such as the published ones, pay any rule "
                "that fits the examples shown: a clause for each of them will do, and training on "
                "them teaches to memorise. Train on generated tasks, which have fresh examples.",
                stacklevel=1,
            )


_NOTHING = {"fits": 0.0, "chance_corrected": 0.0, "outside": 0.0, "steps": 0.0}


def _verdict(task: SlrPayload, answer: str) -> Verdict:
    rule = compile_rule(answer, task.words, task.caps)
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
    )
