"""Judge of validity: are exactly the statements named that follow from the premises?

The answer is a set of numbers (LogicSkills, appendices C and D); "none" is the empty one.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field, StrictInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.judge import ExtractionForm, Judge, Verdict, Verification, malformed
from logic_curriculum.rewards.validity.answer import read_labels


@dataclass(frozen=True)
class ValidityPayload(Verification):
    """The options of a task and which of them follow."""

    correct: frozenset[StrictInt]  # numbers of the options that follow, from 1
    options: Annotated[StrictInt, Field(gt=0)]  # how many there are
    texts: tuple[str, ...] = ()  # the options as the prompt words them, if the row has them

    def __post_init__(self) -> None:
        """Refuse numbers and texts of other options."""
        if not all(1 <= number <= self.options for number in self.correct):
            raise malformed("correct", [*self.correct], f"give numbers from 1 to {self.options}")
        if len(self.texts) not in (0, self.options):
            raise malformed("texts", self.texts, f"give all {self.options}, or drop them")


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
        label = payload.get("label")
        correct = [int(label)] if isinstance(label, str) and label.strip().isdecimal() else label
        names = {
            "options": len(options) if isinstance(options, list | tuple) else options,
            "correct": payload.get("correct", correct),
            "texts": payload.get("texts") or payload.get("option_sentences") or (),
        }
        return ValidityPayload(**names)

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
