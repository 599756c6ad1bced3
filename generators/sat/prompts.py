"""The texts of a task: the prompt, and the answer as it is to be written.

The prompt of style ``paper`` is not ours: it is the one that the authors of LTGen asked models with
(App. A.3, ``EXPERIMENTAL_EVALUATION_PROMPT``). The statements that are filled in are of our making.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from logic_curriculum.common.files import template

STYLES = ("full", "compact", "certificate", "certificate_compact", "paper")
LANGUAGES = ("english", "symbolic")

_FOLDER = Path(__file__).parent
_BLOCK = "<result>...</result>"
_CERTIFICATE_BLOCK = f"{_BLOCK}<certificate>...</certificate>"


def wants_certificate(style: str) -> bool:
    """Tell whether an answer in a style needs an assignment or a core beside the verdict."""
    return style.startswith("certificate")


def write_prompt(
    statements: Sequence[str],
    atoms: Mapping[str, str],
    variables: Sequence[str],
    language: str,
    style: str,
) -> str:
    """Return the prompt; ``atoms`` is empty where variables stand for themselves.

    The compact styles, for small models that are trained on them, have no instructions but a line
    that shows the answer's form.
    """
    is_proved, is_compact = wants_certificate(style), style.endswith("compact")
    if is_proved:
        labels = [f"{name}: {text}" for name, text in atoms.items()]
        numbered = [f"{n}. {text}" for n, text in enumerate(statements, start=1)]
        if labels and not is_compact:
            labels = ["Atomic statements, each true or false:", *labels, "", "Statements:"]
        question = "\n".join([*labels, *numbered])
    else:
        question = (" " if language == "english" else "\n").join(statements)
    if style == "paper":
        return template(_FOLDER, "paper").format(text=question)
    if is_compact:
        return f"{question}\n{_CERTIFICATE_BLOCK if is_proved else _BLOCK}\n"
    answer = template(_FOLDER, "answer")
    if is_proved:
        noun = "statement" if language == "english" else "formula"
        every = f"{variables[0]} to {variables[-1]}"
        answer = template(_FOLDER, "certificate").format(labels=every, noun=noun)
    task = template(_FOLDER, language).format(count=len(statements))
    return f"{task}\n\n{answer}\n\n{question}"


def write_solution(
    consistent: bool, assignment: Mapping[str, bool] | None, core: Sequence[int] | None
) -> str:
    """Return the answer; ``assignment`` is a model that proves it, ``core`` a minimal core."""
    result = f"<result>{'consistent' if consistent else 'inconsistent'}</result>"
    proof: Sequence[object] | None = core
    if assignment is not None:
        proof = [f"{name}={str(value).lower()}" for name, value in assignment.items()]
    if proof is None:
        return result
    return f"{result}\n<certificate>{', '.join(map(str, proof))}</certificate>"
