"""Judge of validity: are exactly the statements named that follow from the premises?

The answer is a set of numbers (LogicSkills, appendices C and D); "none" is the empty one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeGuard

from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, malformed
from logic_curriculum.rewards.validity.answer import read_labels


@dataclass(frozen=True)
class ValidityPayload:
    """The options of a task and which of them follow."""

    correct: frozenset[int]  # numbers of the options that follow, from 1
    options: int  # how many there are
    texts: tuple[str, ...] = ()  # the options as the prompt words them, if the row has them

    def to_dict(self) -> dict[str, Any]:
        """Return the ``verification`` of a task."""
        texts = {"texts": list(self.texts)} if self.texts else {}
        return {"correct": sorted(self.correct), "options": self.options, **texts}


class ValidityJudge(Judge[ValidityPayload]):
    """Judges validity.

    ``reward`` is 1.0 if the answer is the set of correct options, else 0.0; ``partial`` is the
    F1 score of the two sets. At most one error is raised: ``superset`` names all that is correct
    and more, ``subset`` something that is correct but not all, and nothing else.

    A payload: ``{"correct": [3], "options": 6}`` or its JSON text. An optional ``texts``, the
    wording of each option, lets an answer quote an option instead of naming its number. In the
    published data set the keys are ``label``, ``options`` (a list) and ``option_sentences``.
    """

    family = "validity"
    task_version = 2
    reward_version = 5
    rewards: ClassVar[Mapping[str, str]] = {"validity_f1_reward": "partial"}
    errors = ("superset", "subset", "incorrect")
    extraction = ExtractionForm(
        'One line "Answer: " with the numbers of all statements that the text finally settles on '
        'as following, such as "Answer: 2, 5", or "Answer: none" if it says that none follows.',
        re.compile(r"[0-9]+"),
        spelled_numbers=True,
    )

    def read_payload(self, payload: Mapping[str, Any]) -> ValidityPayload:
        """Return the options and which of them follow."""
        options = payload.get("options")
        count = len(options) if _is_list(options) else options
        if type(count) is not int or count < 1:
            needed, remedy = "the number of options or their list", "Give a whole number above 0."
            raise malformed("options", options, needed, remedy, payload)
        return ValidityPayload(_read_correct(payload, count), count, _read_texts(payload, count))

    def judge_text(self, text: str, payload: ValidityPayload) -> Verdict:
        """Return the verdict on a completion."""
        reading = read_labels(text, payload.texts)
        answer = reading.answer
        if answer is None:
            return self.unanswered(reading)
        solved = answer == payload.correct
        error = None if solved else _error(answer, payload.correct)
        correct = _listed(payload.correct)
        why = f"correct: {correct}" if solved else f"{error}: correct is {correct}"
        metrics = {**reading.metrics, **self.error_metrics(error)}
        f1 = answer_f1(answer, payload.correct)
        faults = {
            text: "follows, but is left out" if number in payload.correct else "does not follow"
            for number, text in enumerate(payload.texts, 1)
            if number in answer ^ payload.correct
        }
        return Verdict(solved, float(solved), True, f1, _listed(answer), why, metrics, faults)


def answer_f1(answer: frozenset[int], correct: frozenset[int]) -> float:
    """Return the F1 score of a set of labels, in [0, 1]; two empty sets agree.

    >>> answer_f1(frozenset({2, 3}), frozenset({3}))  # precision 1/2, recall 1
    0.6666666666666666
    """
    if not answer and not correct:
        return 1.0
    return 2 * len(answer & correct) / (len(answer) + len(correct))


def _listed(labels: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(labels))) or "none"


def _error(answer: frozenset[int], correct: frozenset[int]) -> str:
    if correct and answer > correct:
        return "superset"
    return "subset" if answer and answer < correct else "incorrect"


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _read_correct(payload: Mapping[str, Any], count: int) -> frozenset[int]:
    correct = payload.get("correct", payload.get("label"))
    if isinstance(correct, str) and correct.strip().isdecimal():
        correct = [int(correct)]
    if not _is_list(correct) or not all(type(n) is int and 1 <= n <= count for n in correct):
        needed = f"a list of numbers from 1 to {count}"
        remedy = "Give the numbers of the options that follow."
        raise malformed("correct", correct, needed, remedy, payload)
    return frozenset(correct)


def _read_texts(payload: Mapping[str, Any], count: int) -> tuple[str, ...]:
    name = "texts" if payload.get("texts") is not None else "option_sentences"
    texts = payload.get(name)
    if texts is None:
        return ()
    is_texts = _is_list(texts) and all(isinstance(text, str) for text in texts)
    if not is_texts or len(texts) not in (0, count):
        needed = f"a list of {count} texts, the wording of each option"
        raise malformed(name, texts, needed, "Give them all, or drop it.")
    return tuple(texts)
