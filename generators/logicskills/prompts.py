"""The prompts of the three families, in four styles, and the solutions that they ask for.

The styles are ``full``; ``compact``, which has no instructions, for small models that are trained
on it, and ends in ``Answer:`` and a line break; ``spaced``, which is compact with a space before
each sign of a formula, so that a tokenizer of subwords has one token for a letter wherever it
stands; and ``paper``. The texts are in ``templates/``.

The texts of style ``paper`` are not ours. They are the wording of
Brian Rabern, Philipp Mondorf and Barbara Plank, *LogicSkills: A Structured Benchmark for Formal
Reasoning in Large Language Models* (arXiv:2602.06533), App. F, as the published items have it
(https://github.com/brianrabern/LogicSkills, ``Assessors``; ``NOTICE`` beside this file has the
licence). What is filled in, sentences and formulas, is of our making.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import template
from logic_curriculum.generators.logicskills.models import structure_json
from logic_curriculum.rewards.engines.fol.models import Structure

STYLES = ("full", "compact", "spaced", "paper")

_EXAMPLES = {  # size of the domain → the predicates that the paper's format shows
    2: ("[0, 1]", "[[0, 1], [1, 0]]"),  # ours: two objects are too few for the published ones
    3: ("[0, 2]", "[[0, 1], [2, 0]]"),  # of all published items
    5: ("[0, 2, 3]", "[[0, 1], [2, 3]]"),  # of their preliminary ones
}


def _fill(name: str, **values: Any) -> str:
    """Fill a template; ``conventions`` say how the sentences in the shipped lexicons are meant."""
    folder = Path(__file__).parent
    return template(folder, name).format(conventions=template(folder, "conventions"), **values)


def _numbered(lines: Iterable[str], mark: str) -> str:
    return "\n".join(mark.format(number) + line for number, line in enumerate(lines, start=1))


def symbolization_prompt(sentence: str, key: Mapping[str, str], style: str) -> str:
    """Return the prompt of a symbolization task (App. F, Figure 4)."""
    if style in ("compact", "spaced"):
        entries = ", ".join(f"{symbol} {text}" for symbol, text in key.items())
        return f"{sentence}\n{' ' * (style == 'spaced')}{entries}\nAnswer:\n"
    mark = "- " if style == "full" else ""
    lines = "\n".join(f"{mark}{symbol}: {text}" for symbol, text in key.items())
    return _fill(f"symbolization.{style}", sentence=sentence, key=lines)


def symbolization_solution(formula: str, style: str) -> str:
    """Return the formula, between the tags in style ``full``."""
    if style == "spaced":
        return _spaced(formula)
    return f"<answer>{formula}</answer>" if style == "full" else formula


def _spaced(formula: str) -> str:
    """Return a formula with a space before each of its signs.

    >>> _spaced("∃xRxa")
    ' ∃ x R x a'
    """
    return "".join(f" {sign}" for sign in formula if sign != " ")


def countermodel_prompt(
    premises: Sequence[str], conclusion: str, domain: Sequence[int], style: str
) -> str:
    """Return the prompt of a countermodel task (App. F, Figure 5); compact: ``[0, 1] Fa |= Fb``."""
    if style == "spaced":
        listed = ",".join(map(_spaced, premises))
        return f"{list(domain)}{listed} |={_spaced(conclusion)}\nAnswer:\n"
    objects, listed = list(domain), ", ".join(premises)
    if style == "compact":
        return f"{objects} {listed} |= {conclusion}\nAnswer:\n"
    monadic, binary = _EXAMPLES.get(len(domain), _EXAMPLES[3])
    shown = _numbered(premises, "Premise {}: ") if style == "full" else listed
    values = {"premises": shown, "conclusion": conclusion, "monadic": monadic, "binary": binary}
    return _fill(f"countermodel.{style}", domain=objects, **values)


def countermodel_solution(structure: Structure, style: str) -> str:
    """Return the structure in the layout that the prompt shows; compact: ``a=1 F={} P={(0,1)}``."""
    values = structure_json(structure)
    domain = values.pop("Domain")
    if style == "spaced":
        return f" {countermodel_solution(structure, 'compact')}"
    if style == "compact":
        table = str.maketrans({" ": None, "[": "(", "]": ")"})
        return " ".join(
            f"{name}={value if name.islower() else f'{{{str(value)[1:-1].translate(table)}}}'}"
            for name, value in values.items()
        )
    lines = [f"Domain: {domain}"]
    titles = ("Constants", "Monadic predicates", "Binary predicates")
    sections = (structure.constants, structure.monadic, structure.binary)
    for title, symbols in zip(titles, sections, strict=True):
        if symbols:
            entries = ", ".join(f'"{name}": {values[name]}' for name in sorted(symbols))
            lines.append(f"{title}: {entries}")
    layout = "\n".join(lines)
    return f"<answer>\n{layout}\n</answer>" if style == "full" else layout


def validity_prompt(situation: Sequence[str], options: Sequence[str], style: str) -> str:
    """Return the prompt of a validity task (App. F, Figure 3); the axiom comes first."""
    text, numbered = " ".join(situation), _numbered(options, "{}. ")
    if style in ("compact", "spaced"):
        return f"{text}\n{numbered}\nAnswer:\n"
    return _fill(f"validity.{style}", situation=text, options=numbered)


def validity_solution(number: int, style: str) -> str:
    """Return the number of the one statement that must be true."""
    forms = {"full": "<answer>{}</answer>", "paper": "Answer: {}"}
    return forms.get(style, "{}").format(number)
