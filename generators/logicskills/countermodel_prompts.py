"""The texts of countermodel tasks, in our words but for the style ``paper``."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.generators.logicskills import paper_prompts
from logic_curriculum.generators.logicskills.structure_text import in_brief, in_full
from logic_curriculum.rewards.engines.fol.models import Structure

STYLES = ("full", "compact", "paper")

_FULL = """\
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


def write_prompt(
    premises: Sequence[str], conclusion: str, domain: Sequence[int], style: str
) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in
    ``Answer:`` and a line break. The domain stands in front: ``[0, 1] Fa |= Fb``. ``paper`` is the
    wording of LogicSkills' authors (App. F, Figure 5).
    """
    if style == "paper":
        return paper_prompts.countermodel(premises, conclusion, domain)
    objects = list(domain)
    if style == "compact":
        return f"{objects} {', '.join(premises)} |= {conclusion}\nAnswer:\n"
    lines = "\n".join(f"Premise {n}: {premise}" for n, premise in enumerate(premises, start=1))
    return _FULL.format(domain=objects, premises=lines, conclusion=conclusion)


def write_solution(structure: Structure, style: str) -> str:
    """Return what a perfect model answers: the layout that the prompt shows, or one line."""
    if style == "compact":
        return in_brief(structure)
    layout = in_full(structure)
    return f"<answer>\n{layout}\n</answer>" if style == "full" else layout
