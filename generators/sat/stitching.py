"""Sentences out of formulas, by rules, so that each can be read back in one way only (App. A.2).

Every compound has words of its own, and within another, a list or a condition is in brackets:

    A and B          both A, and B
    A and B and C    each of these is true: A, B, and C
    A or B           either A, or B
    A or B or C      at least one of these is true: A, B, or C
    if A then B      if A, then B
    not A            it is not the case that A

One thus sees where a part ends, however deep it is nested. Atoms contain no comma, no bracket and
no word that connects (:mod:`logic_curriculum.generators.sat.theme_file`).
"""

from __future__ import annotations

from collections.abc import Mapping

from logic_curriculum.generators.sat.themes import Atom, sentence_case
from logic_curriculum.rewards.engines.propositional.syntax import (
    And,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
)


def say(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return the words of a formula, as in the middle of a sentence.

    Args:
        formula: What is said.
        atoms: Variable → the sentence that stands for it.

    >>> from logic_curriculum.rewards.engines.propositional.parser import parse
    >>> atoms = {"v1": Atom("it rains", "it does not rain"), "v2": Atom("Al sings", "Al is silent")}
    >>> say(parse("(v1→¬(¬v1∨v2))"), atoms)
    'if it rains, then it is not the case that (either it does not rain, or Al sings)'
    """
    match formula:
        case Variable(name):
            return atoms[name].text
        case Not(Variable(name)):
            return atoms[name].negation
        case Not(part):
            return f"it is not the case that {_part(part, atoms)}"
        case Implies(condition, conclusion):
            return f"if {_part(condition, atoms)}, then {_part(conclusion, atoms)}"
        case And(parts):
            opening = "both" if len(parts) == 2 else "each of these is true:"
            return _list(opening, "and", [_part(part, atoms) for part in parts])
        case Or(parts):
            opening = "either" if len(parts) == 2 else "at least one of these is true:"
            return _list(opening, "or", [_part(part, atoms) for part in parts])


def _part(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return the words of a part of another: in brackets, if it is a list or a condition."""
    text = say(formula, atoms)
    return text if isinstance(formula, Variable | Not) else f"({text})"


def _list(opening: str, connective: str, texts: list[str]) -> str:
    return f"{opening} {', '.join(texts[:-1])}, {connective} {texts[-1]}"


def sentence(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return a formula as a sentence, with a capital and a full stop."""
    return f"{sentence_case(say(formula, atoms))}."
