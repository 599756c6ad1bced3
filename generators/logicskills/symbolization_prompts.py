"""The texts of symbolization tasks, with the content of the paper's prompt (App. F, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping

STYLES = ("full", "compact")

_FULL = """\
Translate the sentence below into one formula of first-order logic.

Notation
- ¬A (not), (A∧B) (and), (A∨B) (or), (A→B) (if … then), (A↔B) (if and only if)
- ∀xA (for every x), ∃xA (for some x); the variables are s to z
- A predicate stands before its arguments: Sx, Txi. In the abbreviations, [1] and [2] mark its \
first and second argument.
- Use every symbol as abbreviated, and no others.

Quantifiers take scope in the order in which the sentence has them. "Or" and "unless" are \
inclusive, "if" is the material conditional, and "just in case" means if and only if.

Answer with the formula alone, without explanation.

Example
Sentence: No sailor trusts Ingrid.
Abbreviations:
- S: [1] is a sailor
- T: [1] trusts [2]
- i: Ingrid
Formula: ¬∃x(Sx∧Txi)

Sentence: {sentence}
Abbreviations:
{key}
Formula:"""


def write_prompt(sentence: str, key: Mapping[str, str], style: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in a line
    break.
    """
    if style == "compact":
        return f"{sentence}\n{', '.join(f'{symbol} {text}' for symbol, text in key.items())}\n"
    lines = "\n".join(f"- {symbol}: {text}" for symbol, text in key.items())
    return _FULL.format(sentence=sentence, key=lines)
