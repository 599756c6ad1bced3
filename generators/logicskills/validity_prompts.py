"""The texts of validity tasks, with the content of the paper's prompt (App. F, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence

STYLES = ("full", "compact")

_FULL = """\
Solve this problem of logic. Any way of getting there is fine, but end with a line that states the \
answer, in the form "Answer: number".

Suppose that all of the following is true.

{situation}

Which of these statements, if any, must then be true as well?

{options}"""


def write_prompt(situation: Sequence[str], options: Sequence[str], style: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in a line
    break.

    Args:
        situation: The sentences that are true, the domain axiom first.
        options: The statements among which to choose.
        style: One of :data:`STYLES`.
    """
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    if style == "compact":
        return f"{' '.join(situation)}\n{numbered}\n"
    return _FULL.format(situation=" ".join(situation), options=numbered)
