"""Judge of validity: are exactly the statements named that follow from the premises?

The answer is a set of numbers (LogicSkills, appendices C and D); "none" is the empty one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import shown
from logic_curriculum.rewards.validity.answer import read_labels
from logic_curriculum.rewards.verdict import Verdict

ERRORS = ("superset", "subset", "incorrect")
"""What can be wrong with an answer; at most one of these metrics is 1.0."""


@dataclass(frozen=True)
class ValidityTask:
    """The options of a task and which of them follow."""

    correct: frozenset[int]
    options: int
    texts: tuple[str, ...] = ()
    """The options as the prompt words them, if the row has them."""


class ValidityJudge(Judge[ValidityTask]):
    """Judges validity.

    ``reward`` is 1.0 if the answer is the set of correct options, else 0.0; ``partial`` is the
    F1 score of the two sets. Metrics: one of :data:`ERRORS`. ``superset`` names all that is
    correct and more, ``subset`` something that is correct but not all, and nothing else.

    A payload: ``{"correct": [3], "options": 6}`` or its JSON text. An optional ``texts``, the
    wording of each option, lets an answer quote an option instead of naming its number. In the
    published data set the keys are ``label``, ``options`` (a list) and ``option_sentences``.
    """

    family = "validity"
    task_version = 2
    reward_version = 2
    rewards: ClassVar[Mapping[str, str]] = {"validity_f1_reward": "partial"}

    def read_payload(self, payload: Mapping[str, Any]) -> ValidityTask:
        """Return the options and which of them follow."""
        return _read_task(payload)

    def judge_text(self, text: str, payload: ValidityTask) -> Verdict:
        """Return the verdict on a completion."""
        return _judge_text(text, payload)


def answer_f1(answer: frozenset[int], correct: frozenset[int]) -> float:
    """Return the F1 score of a set of labels, in [0, 1]; two empty sets agree.

    >>> answer_f1(frozenset({2, 3}), frozenset({3}))  # precision 1/2, recall 1
    0.6666666666666666
    """
    if not answer and not correct:
        return 1.0
    return 2 * len(answer & correct) / (len(answer) + len(correct))


def _read_task(payload: Mapping[str, Any]) -> ValidityTask:
    options = payload.get("options")
    if isinstance(options, Sequence) and not isinstance(options, str):
        count: Any = len(options)
    else:
        count = options
    if type(count) is not int or count < 1:
        raise ValueError(
            f"options is {shown(options)} among {sorted(map(str, payload))}, but the judge reads "
            "the number of options or their list. Give a whole number above 0."
        )
    return ValidityTask(_read_correct(payload, count), count, _read_texts(payload, count))


def _read_texts(payload: Mapping[str, Any], count: int) -> tuple[str, ...]:
    name = "texts" if payload.get("texts") is not None else "option_sentences"
    texts = payload.get(name)
    if texts is None:
        return ()
    is_list = isinstance(texts, Sequence) and not isinstance(texts, str)
    if not is_list or not all(isinstance(text, str) for text in texts):
        raise ValueError(
            f"{name} is {shown(texts)}, but the judge reads a list of texts. Give the wording of "
            "each option, or drop it."
        )
    if texts and len(texts) != count:
        raise ValueError(
            f"{name} is {shown(texts)}, but there are {count} options. Give the wording of each, "
            "or drop it."
        )
    return tuple(texts)


def _read_correct(payload: Mapping[str, Any], count: int) -> frozenset[int]:
    correct = payload.get("correct", payload.get("label"))
    if isinstance(correct, str) and correct.strip().isdecimal():
        correct = [int(correct)]
    is_list = isinstance(correct, Sequence) and not isinstance(correct, str)
    if not is_list or not all(type(n) is int and 1 <= n <= count for n in correct):
        raise ValueError(
            f"correct is {shown(correct)} among {sorted(map(str, payload))}, but the judge reads a "
            f"list of numbers from 1 to {count}. Give the numbers of the options that follow."
        )
    return frozenset(correct)


def _judge_text(text: str, task: ValidityTask) -> Verdict:
    reading = read_labels(text, task.texts)
    found = reading.answer
    if found is None:
        metrics = _metrics(reading)
        return Verdict(False, 0.0, explanation=reading.explanation, metrics=metrics)
    answer = ", ".join(map(str, sorted(found))) or "none"
    error = _error(found, task.correct)
    correct = ", ".join(map(str, sorted(task.correct))) or "none"
    return Verdict(
        solved=error is None,
        reward=float(error is None),
        syntax=True,
        partial=answer_f1(found, task.correct),
        answer=answer,
        explanation=f"correct: {correct}" if error is None else f"{error}: correct is {correct}",
        metrics=_metrics(reading, error),
    )


def _error(answer: frozenset[int], correct: frozenset[int]) -> str | None:
    if answer == correct:
        return None
    if correct and answer > correct:
        return "superset"
    return "subset" if answer and answer < correct else "incorrect"


def _metrics(reading: Reading[frozenset[int]], error: str | None = None) -> dict[str, float]:
    return {**reading.metrics, **{name: float(name == error) for name in ERRORS}}
