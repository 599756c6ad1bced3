"""The texts of validity tasks, in our words but for the style ``paper``."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.generators.logicskills import paper_prompts
from logic_curriculum.generators.logicskills.conventions import CONVENTIONS

STYLES = ("full", "compact", "paper")

_FULL = """\
Solve this problem of logic.

How the sentences are meant
{conventions}
- Nothing counts but what the sentences say: no knowledge of the world, and no order of time. \
"Everything" includes what the names stand for.

Suppose that all of the following is true.

{situation}

Which of these statements, if any, must then be true as well?

{options}

Think as long as you need, then give the numbers of all that must be true, separated by commas, or \
the word none, between the tags:
<answer>...</answer>"""


def write_prompt(situation: Sequence[str], options: Sequence[str], style: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in
    ``Answer:`` and a line break. ``paper`` is the wording of LogicSkills' authors (App. F,
    Figure 3).

    Args:
        situation: The sentences that are true, the domain axiom first.
        options: The statements among which to choose.
        style: One of :data:`STYLES`.
    """
    if style == "paper":
        return paper_prompts.validity(situation, options)
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    if style == "compact":
        return f"{' '.join(situation)}\n{numbered}\nAnswer:\n"
    return _FULL.format(conventions=CONVENTIONS, situation=" ".join(situation), options=numbered)


def write_solution(number: int, style: str) -> str:
    """Return what a perfect model answers: the number of the one statement that must be true."""
    forms = {"full": "<answer>{}</answer>", "compact": "{}", "paper": "Answer: {}"}
    return forms[style].format(number)
