"""The prompts of the three families, in three styles, and the solutions that they ask for.

The styles are ``full``; ``compact``, which has no instructions, for small models that are trained
on it, and ends in ``Answer:`` and a line break; and ``paper``.

The texts of style ``paper`` are not ours. They are the wording of
Brian Rabern, Philipp Mondorf and Barbara Plank, *LogicSkills: A Structured Benchmark for Formal
Reasoning in Large Language Models* (arXiv:2602.06533), App. F, as the published items have it
(https://github.com/brianrabern/LogicSkills, ``Assessors``; ``NOTICE`` beside this file has the
licence). What is filled in, sentences and formulas, is of our making.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from logic_curriculum.generators.logicskills.models import structure_json
from logic_curriculum.rewards.engines.fol.structure import Structure

STYLES = ("full", "compact", "paper")

CONVENTIONS = """\
- "A sailor" means at least one, "no sailors" not even one, and "not all sailors" at least one \
that isn't or doesn't. "Only sailors sang" says that whatever sang is a sailor. "Every" and "only" \
promise nothing: perhaps there is no sailor, and perhaps nothing sang.
- "Every", "a", "no" and their like take scope in the order in which the sentence has them, and \
stay inside their own clause, also a relative one: if every sailor trusts a pilot, it may be \
another pilot for each. Two of them may be about the same thing: a sailor that trusts itself makes \
"a sailor trusts a sailor" true.
- A relative clause ("that …") belongs to the noun right before it. "It" and "itself" mean the \
subject of the sentence.
- "Or", "either … or" and "unless" are inclusive: "A unless B" says that A is true, or B, or both. \
"But" means "and". "It is not the case that" denies all that follows it.
- "If A, then B" is false only where A is true and B is false, and "A only if B" says the same. \
"Just in case" means "if and only if": both sides are true, or both are false.
- In "if …, then …", the condition reaches to the comma, and what follows "then" to the end of the \
sentence: "if A, then B only if C" says that if A, then (if B, then C).
- "Both … and" and "either … or" bracket what they join. A comma before "and", "or" or "if and \
only if" ends all that stands before it: "either A or B, and C" says that (A or B) and C."""
"""How the sentences are meant, in the words of the shipped lexicons."""

_SYMBOLIZATION = """\
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

_SYMBOLIZATION_OF_PAPER = """\
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


def symbolization_prompt(sentence: str, key: Mapping[str, str], style: str) -> str:
    """Return the prompt of a symbolization task (App. F, Figure 4)."""
    if style == "paper":
        lines = "\n".join(f"{symbol}: {text}" for symbol, text in key.items())
        return _SYMBOLIZATION_OF_PAPER.format(sentence=sentence, key=lines)
    if style == "compact":
        entries = ", ".join(f"{symbol} {text}" for symbol, text in key.items())
        return f"{sentence}\n{entries}\nAnswer:\n"
    lines = "\n".join(f"- {symbol}: {text}" for symbol, text in key.items())
    return _SYMBOLIZATION.format(conventions=CONVENTIONS, sentence=sentence, key=lines)


def symbolization_solution(formula: str, style: str) -> str:
    """Return the formula, between the tags in style ``full``."""
    return f"<answer>{formula}</answer>" if style == "full" else formula


_COUNTERMODEL = """\
The argument below is not valid. Show it by a countermodel: a structure in which every premise is \
true and the conclusion is false.

The domain is {domain}, no more and no fewer objects. Say what each symbol of the argument means:
- for a constant, which object it names; two constants may name the same one
- for a monadic predicate (one argument, as in Sx), the objects of which it is true
- for a binary predicate (two arguments, as in Txy), the pairs of objects of which it is true; the \
order within a pair counts

Think as long as you need, then give the structure between the tags, in this layout. It is shown \
for symbols that do not occur in the argument:
<answer>
Domain: {domain}
Constants: "d": 1
Monadic predicates: "S": [0, 1]
Binary predicates: "T": [[0, 1], [1, 1]]
</answer>

List all symbols of a sort on its line, and leave out a line for which the argument has no symbol. \
An empty predicate is [].

Argument
{premises}
Conclusion: {conclusion}"""

_COUNTERMODEL_OF_PAPER = """\
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

_EXAMPLES = {
    2: ("[0, 1]", "[[0, 1], [1, 0]]"),
    3: ("[0, 2]", "[[0, 1], [2, 0]]"),
    5: ("[0, 2, 3]", "[[0, 1], [2, 3]]"),
}
"""Size of the domain → the predicates that the paper's format shows. All published items have three
objects, their preliminary ones five. Two are too few for these, so there they are ours."""


def countermodel_prompt(
    premises: Sequence[str], conclusion: str, domain: Sequence[int], style: str
) -> str:
    """Return the prompt of a countermodel task (App. F, Figure 5).

    In style ``compact`` the domain stands in front: ``[0, 1] Fa |= Fb``.
    """
    objects, listed = list(domain), ", ".join(premises)
    if style == "paper":
        monadic, binary = _EXAMPLES.get(len(domain), _EXAMPLES[3])
        return _COUNTERMODEL_OF_PAPER.format(
            domain=objects, monadic=monadic, binary=binary, premises=listed, conclusion=conclusion
        )
    if style == "compact":
        return f"{objects} {listed} |= {conclusion}\nAnswer:\n"
    lines = "\n".join(f"Premise {n}: {premise}" for n, premise in enumerate(premises, start=1))
    return _COUNTERMODEL.format(domain=objects, premises=lines, conclusion=conclusion)


def countermodel_solution(structure: Structure, style: str) -> str:
    """Return the structure in the layout that the prompt shows, or in one line.

    >>> known = Structure((0, 1), {"a": 1}, {"F": frozenset()}, {"P": frozenset({(0, 1)})})
    >>> print(countermodel_solution(known, "paper"))
    Domain: [0, 1]
    Constants: "a": 1
    Monadic predicates: "F": []
    Binary predicates: "P": [[0, 1]]
    >>> print(countermodel_solution(known, "compact"))
    a=1 F={} P={(0,1)}
    """
    values = structure_json(structure)
    if style == "compact":  # as the example in §3.1 of the paper
        table = str.maketrans({" ": None, "[": "(", "]": ")"})
        parts = [f"{name}={value}" for name, value in values.items() if isinstance(value, int)]
        for name in [*sorted(structure.monadic), *sorted(structure.binary)]:
            parts.append(f"{name}={{{str(values[name])[1:-1].translate(table)}}}")
        return " ".join(parts)
    lines = [f"Domain: {values['Domain']}"]
    sections = {
        "Constants": structure.constants,
        "Monadic predicates": structure.monadic,
        "Binary predicates": structure.binary,
    }
    for title, symbols in sections.items():
        if symbols:
            entries = ", ".join(f'"{name}": {values[name]}' for name in sorted(symbols))
            lines.append(f"{title}: {entries}")
    layout = "\n".join(lines)
    return f"<answer>\n{layout}\n</answer>" if style == "full" else layout


_VALIDITY = """\
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

_VALIDITY_OF_PAPER = """\
Your task is to solve a logical reasoning problem.
Use any approach you find effective, but clearly and explicitly state your final answer.

Consider the following situation:

{situation}

Which, if any, of the following statements must be true in this situation?

{options}
"""


def validity_prompt(situation: Sequence[str], options: Sequence[str], style: str) -> str:
    """Return the prompt of a validity task (App. F, Figure 3).

    Args:
        situation: The sentences that are true, the domain axiom first.
        options: The statements among which to choose.
        style: One of :data:`STYLES`.
    """
    numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(options, start=1))
    text = " ".join(situation)
    if style == "paper":
        return _VALIDITY_OF_PAPER.format(situation=text, options=numbered)
    if style == "compact":
        return f"{text}\n{numbered}\nAnswer:\n"
    return _VALIDITY.format(conventions=CONVENTIONS, situation=text, options=numbered)


def validity_solution(number: int, style: str) -> str:
    """Return the number of the one statement that must be true."""
    forms = {"full": "<answer>{}</answer>", "compact": "{}", "paper": "Answer: {}"}
    return forms[style].format(number)
