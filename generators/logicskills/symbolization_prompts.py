"""The texts of symbolization tasks, in our words but for the style ``paper``."""

from __future__ import annotations

from collections.abc import Mapping

from logic_curriculum.generators.logicskills import paper_prompts
from logic_curriculum.generators.logicskills.conventions import CONVENTIONS

STYLES = ("full", "compact", "paper")

_FULL = """\
Translate the sentence below into one formula of first-order logic.

Notation
- ¬A (not), (A∧B) (and), (A∨B) (or), (A→B) (if … then), (A↔B) (if and only if)
- ∀xA (for every x), ∃xA (for some x); the variables are s to z
- A predicate stands before its arguments: Sx, Txi. In the abbreviations, [1] and [2] mark its \
first and second argument.
- Use every symbol as abbreviated, and no others.

How the sentence is meant
{conventions}
- The formula says what the sentence says and nothing besides: sailors may be pilots, too.

Example
Sentence: No sailor trusts Ingrid.
Abbreviations:
- S: [1] is a sailor
- T: [1] trusts [2]
- i: Ingrid
<answer>¬∃x(Sx∧Txi)</answer>

Sentence: {sentence}
Abbreviations:
{key}

Think as long as you need, then give the formula between the tags, like this:
<answer>...</answer>"""


def write_prompt(sentence: str, key: Mapping[str, str], style: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in
    ``Answer:`` and a line break. ``paper`` is the wording of LogicSkills' authors (App. F,
    Figure 4).
    """
    if style == "paper":
        return paper_prompts.symbolization(sentence, key)
    if style == "compact":
        entries = ", ".join(f"{symbol} {text}" for symbol, text in key.items())
        return f"{sentence}\n{entries}\nAnswer:\n"
    lines = "\n".join(f"- {symbol}: {text}" for symbol, text in key.items())
    return _FULL.format(conventions=CONVENTIONS, sentence=sentence, key=lines)


def write_solution(formula: str, style: str) -> str:
    """Return what a perfect model answers: the formula, between the tags in style ``full``."""
    return f"<answer>{formula}</answer>" if style == "full" else formula
