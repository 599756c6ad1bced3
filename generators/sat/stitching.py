"""Sentences out of formulas, by rules, so that each can be read back in one way only (App. A.2).

Every compound begins with words of its own, which say what separates its parts and which of the
separators is the last one:

    A and B          both A, and B
    A and B and C    each of these is true: A, B, and C
    A or B           either A, or B
    A or B or C      at least one of these is true: A, B, or C
    if A then B      if A, then B
    not A            it is not the case that A

A reader that goes from left to right thus always knows where a part ends, however deep it is
nested: an atom runs to the next comma, and a compound to the end of its last part. Atoms contain
neither commas nor words that connect (:mod:`generators.sat.theme_file`).
"""

from __future__ import annotations

from collections.abc import Mapping

from generators.sat.themes import Atom, sentence_case
from rewards.judges.sat.syntax import And, Formula, Implies, Not, Or, Variable


def say(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return the words of a formula, as in the middle of a sentence.

    Args:
        formula: What is said.
        atoms: Variable → the sentence that stands for it.

    >>> from rewards.judges.sat.parser import parse
    >>> atoms = {"v1": Atom("it rains", "it does not rain"), "v2": Atom("Al sings", "Al is silent")}
    >>> say(parse("(v1→¬(¬v1∨v2))"), atoms)
    'if it rains, then it is not the case that either it does not rain, or Al sings'
    """
    match formula:
        case Variable(name):
            return atoms[name].text
        case Not(Variable(name)):
            return atoms[name].negation
        case Not(part):
            return f"it is not the case that {say(part, atoms)}"
        case Implies(condition, conclusion):
            return f"if {say(condition, atoms)}, then {say(conclusion, atoms)}"
        case And(parts):
            opening = "both" if len(parts) == 2 else "each of these is true:"
            return _list(opening, "and", [say(part, atoms) for part in parts])
        case Or(parts):
            opening = "either" if len(parts) == 2 else "at least one of these is true:"
            return _list(opening, "or", [say(part, atoms) for part in parts])


def _list(opening: str, connective: str, texts: list[str]) -> str:
    return f"{opening} {', '.join(texts[:-1])}, {connective} {texts[-1]}"


def sentence(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return a formula as a sentence, with a capital and a full stop."""
    return f"{sentence_case(say(formula, atoms))}."
