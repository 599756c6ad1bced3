"""The texts of countermodel tasks, with the content of the paper's prompt (App. F, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence

STYLES = ("full", "compact")

_FULL = """\
The argument below is not valid. Show it by a countermodel: a structure in which every premise is \
true and the conclusion is false.

The domain is {domain}, no more and no fewer objects. Say what each symbol of the argument means:
- for a constant, which object it names
- for a monadic predicate (one argument, as in Sx), the objects of which it is true
- for a binary predicate (two arguments, as in Txy), the pairs of objects of which it is true; the \
order within a pair counts

Layout of the answer, here for symbols that do not occur in the argument:
Domain: {domain}
Constants: "d": 1
Monadic predicates: "S": [0, 1]
Binary predicates: "T": [[0, 1], [1, 1]]

List all symbols of a sort on its line, and leave out a line for which the argument has no symbol. \
An empty predicate is [].

Argument
{premises}
Conclusion: {conclusion}"""


def write_prompt(
    premises: Sequence[str], conclusion: str, domain: Sequence[int], style: str
) -> str:
    """Return the prompt of a task in one of :data:`STYLES`.

    ``compact`` has no instructions, for small models that are trained on it; it ends in a line
    break. The domain stands in front: ``[0, 1] Fa |= Fb``.
    """
    objects = list(domain)
    if style == "compact":
        return f"{objects} {', '.join(premises)} |= {conclusion}\n"
    lines = "\n".join(f"Premise {n}: {premise}" for n, premise in enumerate(premises, start=1))
    return _FULL.format(domain=objects, premises=lines, conclusion=conclusion)
