"""What the page offers and shows: prepared answers, and tasks and verdicts as HTML.

All that is text is shown as text.
"""

import html
from collections.abc import Iterator
from typing import NamedTuple

from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.rewards import Verdict, judge_batch

_NO_ANSWER = (
    "No answer. The last answer block alone is read; text before or after it counts for nothing. A "
    "block that is not closed, gives different answers or says more than an answer is none."
)
_TYPED_SHOWN = 40  # characters of a number that is none


def read_number(name: str, typed: str | int) -> int:
    """Return the level or seed that was typed; a ``ValueError`` if it is no whole number."""
    try:
        return int(typed)
    except ValueError:
        given = repr(str(typed)[:_TYPED_SHOWN])
        raise ValueError(
            f"The {name} is {given}, which is no whole number: type one such as 7."
        ) from None


def text_html(text: object, tag: str = "span", name: str = "") -> str:
    """Return an element that shows a text, whatever is in it."""
    shown = str(text).encode("utf-8", "replace").decode()  # without halves of surrogate pairs
    return f'<{tag} class="{name}">{html.escape(shown)}</{tag}>'


def error_html(message: object) -> str:
    """Return what the page says when something can't be done, in one line."""
    return text_html(" ".join(str(message).split()), "p", "problem")


def verdict_html(verdict: Verdict) -> str:
    """Return a verdict: what it is, why, what the judge read, and all its figures."""
    outcome = "solved" if verdict.solved else "not solved"
    if verdict.reward is None:
        outcome = "not graded"
    saw = text_html(verdict.answer, "pre", "answer")
    if verdict.answer is None:
        saw = text_html(_NO_ANSWER, "p", "no-answer")
    return "".join(
        [
            text_html(outcome, "strong", f"outcome {outcome.replace(' ', '-')}"),
            text_html(verdict.explanation, "p", "explanation"),
            text_html("What the judge saw", "h4"),
            saw,
            text_html("Figures", "h4"),
            f"<table>{''.join(_figures(verdict))}</table>",
        ]
    )


def _figures(verdict: Verdict) -> Iterator[str]:
    """Yield the rows of a verdict's fields and metrics; metrics that are 0 come last."""
    reward = "none" if verdict.reward is None else f"{verdict.reward:g}"
    yield _row("reward", reward)
    yield _row("syntax", "yes" if verdict.syntax else "no")
    yield _row("partial", f"{verdict.partial:.3g}")
    for name, value in sorted(verdict.metrics.items(), key=lambda item: not item[1]):
        yield _row(name, f"{value:.6g}")


def _row(name: str, value: str) -> str:
    return f"<tr>{text_html(name, 'th')}{text_html(value, 'td')}</tr>"


OTHERS = 30
"""Other tasks of a level that are tried for one whose solution is wrong here."""


class Prepared(NamedTuple):
    """An answer to a task, and what it is."""

    kind: str  # right, wrong or sly; the last two are not solved
    name: str  # what it says, in a few words
    completion: str


def prepared_answers(task: Task) -> list[Prepared]:
    """Return answers to a task, the right ones first. What the judge sees otherwise is left out.

    Sly ones mean to pass without solving the task: those of :meth:`.Family.sly_answers`, and two
    that have the right answer where it does not count.
    """
    offered = list(_offered(task))
    completions = [answer.completion for answer in offered]
    verdicts = judge_batch(task.family, completions, [task.verification] * len(offered))
    return [
        answer
        for answer, verdict in zip(offered, verdicts, strict=True)
        if verdict.reward is not None and verdict.solved is (answer.kind == "right")
    ]


def _offered(task: Task) -> Iterator[Prepared]:
    other = _wrong_solution(task)
    yield Prepared("right", "the task's solution", task.solution)
    if other is not None:
        thought = f"<think>\nPerhaps this?\n{other.solution}\nNo.\n</think>\n\n{task.solution}"
        yield Prepared("right", "a wrong one in a thought, then the solution", thought)
        name = f"the solution of another task, seed {other.seed}"
        yield Prepared("wrong", name, other.solution)
    yield Prepared("wrong", "nothing", "")
    yield Prepared("wrong", "the prompt again", task.prompt)
    for name, completion in registry.family(task.family).sly_answers(task).items():
        yield Prepared("sly", name, completion)
    if other is not None:
        both = f"{task.solution}\n\nOr else:\n\n{other.solution}"
        yield Prepared("sly", "the solution, then another answer", both)
    unfinished = f"<think>\nIt must be this:\n{task.solution}"
    yield Prepared("sly", "the solution in a thought that never ends", unfinished)


def _wrong_solution(task: Task) -> Task | None:
    """Return the first other task of the level whose solution is wrong here, if there is one."""
    for seed in range(task.seed + 1, task.seed + 1 + OTHERS):
        other = generate(task.family, task.level, seed)
        (verdict,) = judge_batch(task.family, [other.solution], [task.verification])
        if verdict.reward is not None and not verdict.solved:
            return other
    return None
