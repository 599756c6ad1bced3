"""The prompts of LogicSkills, word for word: style ``paper`` of its three families.

These texts are not ours. They are the wording of Brian Rabern, Philipp Mondorf and Barbara Plank,
*LogicSkills: A Structured Benchmark for Formal Reasoning in Large Language Models*
(arXiv:2602.06533), App. F, as the published items have it (https://github.com/brianrabern/LogicSkills,
``Assessors``; ``NOTICE`` beside this file has the licence). What is filled in, sentences and
formulas, is of our making.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_SYMBOLIZATION = """\
Your task is to translate the provided sentence into formal predicate logic, using the \
abbreviations provided.

# Instructions
- Use only the abbreviations given.
- Return a single well-formed formula in standard predicate logic syntax.
- Use standard logical symbols:
  - Quantifiers: ∀, ∃
  - Connectives: ¬, ∧, ∨, →, ↔
- Do **not** include any explanation or extra text—just the formula.

# Example
Sentence: Every linguist admires Charlie.

Abbreviations:
- L: "[1] is a linguist"
- R: "[1] admires [2]"
- c: "Charlie"

Formalization:
∀x(Lx→Rxc)

Sentence:

{sentence}

Abbreviations:

{key}"""

_COUNTERMODEL = """\
# Task
Show that the provided argument is invalid by giving a countermodel -- one where all premises are \
true and the conclusion is false.

# Instructions
1. You must provide assignments for all constants and predicates used in the argument.
2. Pay attention to the arity of each predicate:
   - Monadic predicates take one argument (e.g., Mx)
   - Binary predicates take two arguments (e.g., Pxy)
3. Use the fixed domain {domain}

# Required Format
- Domain: {domain}
- Constants: e.g., "a": 0
- Monadic predicates: e.g., "F": {monadic}
- Binary predicates: e.g., "R": {binary}

Argument:

{premises} |= {conclusion}"""

_VALUES = {
    2: ("[0, 1]", "[[0, 1], [1, 0]]"),
    5: ("[0, 2, 3]", "[[0, 1], [2, 3]]"),
}
"""Size of the domain → what the format's predicates are; 5 has it in their preliminary items."""
_PUBLISHED_VALUES = ("[0, 2]", "[[0, 1], [2, 0]]")
"""All published items have three objects; two are too few for these, so there they are ours."""

_VALIDITY = """\
Your task is to solve a logical reasoning problem.
Use any approach you find effective, but clearly and explicitly state your final answer.

Consider the following situation:

{situation}

Which, if any, of the following statements must be true in this situation?

{options}
"""


def symbolization(sentence: str, key: Mapping[str, str]) -> str:
    """Return the prompt of Figure 4."""
    lines = "\n".join(f"{symbol}: {text}" for symbol, text in key.items())
    return _SYMBOLIZATION.format(sentence=sentence, key=lines)


def countermodel(premises: Sequence[str], conclusion: str, domain: Sequence[int]) -> str:
    """Return the prompt of Figure 5, the domain axiom among the premises."""
    monadic, binary = _VALUES.get(len(domain), _PUBLISHED_VALUES)
    return _COUNTERMODEL.format(
        domain=list(domain),
        monadic=monadic,
        binary=binary,
        premises=", ".join(premises),
        conclusion=conclusion,
    )


def validity(situation: Sequence[str], options: Sequence[str]) -> str:
    """Return the prompt of Figure 3, the domain axiom first in the situation."""
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    return _VALIDITY.format(situation=" ".join(situation), options=numbered)
