"""The texts of a task: what the model is told, and the answer as it is to be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STYLES = ("full", "compact", "certificate", "certificate_compact")
LANGUAGES = ("english", "symbolic")

_TASK = {
    "english": """\
Below are {count} statements about one situation. Can all of them be true at the same time?

- "either A, or B" and "at least one of these is true: A, B, or C" leave it open whether more than \
one is true.
- "if A, then B" is false only where A is true and B is false.
- "it is not the case that A" is true where A is false.
- Brackets show where a part that has parts of its own begins and ends.
- Apart from what the statements say, anything may be the case: take no fact for true or false, \
and none for a consequence of another, because of what you know of the world.
""",
    "symbolic": """\
Below are {count} formulas of propositional logic: ¬ is "not", ∧ is "and", ∨ is "or" (one of the \
parts at least), → is "if ... then" (false only where the left side is true and the right side is \
false). Can all of them be true at the same time?
""",
}
_ANSWER = """\
Think it through first. Then write "consistent" between the tags if all can be true together, \
"inconsistent" if not:

<result>...</result>
"""
_CERTIFICATE = """\
Think it through first. Then give your answer, and what proves it, between the tags:

<result>...</result>
<certificate>...</certificate>

If all can be true together, the result is "consistent", and the certificate says for every one of \
{labels} whether it is true or false, so that every {noun} is true, like v1=true, v2=false.

If they can't, the result is "inconsistent", and the certificate names by their numbers {noun}s \
that contradict one another, like 2, 5, 7, and no more than it takes: if any one of them were left \
out, the others could all be true together.
"""
_BLOCK = "<result>...</result>"
_CERTIFICATE_BLOCK = f"{_BLOCK}<certificate>...</certificate>"


@dataclass(frozen=True)
class Texts:
    """What a clause set says, in one of :data:`LANGUAGES`."""

    statements: Sequence[str]
    atoms: Mapping[str, str]
    """Variable → what it stands for, as a sentence; empty where it stands for itself."""
    variables: Sequence[str]
    language: str


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse an option's value that does not exist.

    Raises:
        ValueError: ``value`` is none of the choices; the message calls the option ``name``.
    """
    if value not in choices:
        raise ValueError(f"{name}={value!r} does not exist: choose one of {', '.join(choices)}")


def wants_certificate(style: str) -> bool:
    """Tell whether an answer in a style needs an assignment or a core beside the verdict."""
    return style.startswith("certificate")


def write_prompt(texts: Texts, style: str) -> str:
    """Return the prompt in one of :data:`STYLES`.

    A certificate needs labelled atoms and numbered statements. The compact styles, for small models
    that are trained on them, have no instructions but a line that shows the answer's form, and end
    in a line break.
    """
    question = _question(texts, style)
    if style.endswith("compact"):
        return f"{question}\n{_CERTIFICATE_BLOCK if wants_certificate(style) else _BLOCK}\n"
    task = _TASK[texts.language].format(count=len(texts.statements))
    if wants_certificate(style):
        noun = "statement" if texts.language == "english" else "formula"
        labels = f"{texts.variables[0]} to {texts.variables[-1]}"
        return f"{task}\n{_CERTIFICATE.format(labels=labels, noun=noun)}\n{question}"
    return f"{task}\n{_ANSWER}\n{question}"


def _question(texts: Texts, style: str) -> str:
    if not wants_certificate(style):
        separator = " " if texts.language == "english" else "\n"
        return separator.join(texts.statements)
    numbered = "\n".join([f"{n}. {text}" for n, text in enumerate(texts.statements, start=1)])
    if not texts.atoms or style.endswith("compact"):
        return "\n".join([*_labels(texts), numbered])
    noun = "Facts that may be true or false"
    return "\n".join([f"{noun}:", *_labels(texts), "", "Statements:", numbered])


def _labels(texts: Texts) -> list[str]:
    return [f"{name}: {text}" for name, text in texts.atoms.items()]


def write_solution(
    consistent: bool, assignment: Mapping[str, bool] | None, core: Sequence[int] | None
) -> str:
    """Return the answer as the prompt asks for it.

    Args:
        consistent: Whether all statements can be true together.
        assignment: Where a certificate is asked for and they can, one under which they are.
        core: Where one is asked for and they can't, the numbers of a minimal contradiction.
    """
    result = f"<result>{'consistent' if consistent else 'inconsistent'}</result>"
    if assignment is not None:
        values = [f"{name}={'true' if value else 'false'}" for name, value in assignment.items()]
        return f"{result}\n<certificate>{', '.join(values)}</certificate>"
    if core is not None:
        return f"{result}\n<certificate>{', '.join(map(str, core))}</certificate>"
    return result
