"""Rules that are right on the examples of a task as the prompt shows them, and state no pattern."""

import re
from collections.abc import Iterable
from functools import partial


def sly_rules(program: str, positive: str, negative: str) -> dict[str, str]:
    """Return rules by what they go by.

    The first two are paid by the paper's score, which runs all examples as one program; the last is
    right on all examples shown, whoever runs it. ``program`` holds their labels and facts, one a
    line; ``positive`` and ``negative`` are the predicates of the labels.
    """
    find = partial(_find, program)
    labels = find(rf"({positive}|{negative})\((\w+)\)")
    names = [name for label, name in labels if label == positive]
    places = [place for place, (label, _) in enumerate(labels, 1) if label == positive]
    membership, _, a_part = find(r"(\w+)\((\w+), (\w+)\)")[0]
    in_order = f"findall(X, {membership}(X, _), Xs), list_to_set(Xs, Set), nth1(N, Set, T)"
    facts = {
        name: [find(rf"\w+\({part}, (\w+)\)") for part in find(rf"{membership}\({name}, (\w+)\)")]
        for name in names
    }
    attributes = find(rf"(\w+)\({a_part}, \w+\)")
    goals = ", ".join(f"{attribute}(C, V{n})" for n, attribute in enumerate(attributes))
    in_full = [
        *(f"{positive}(T) :- {', '.join(map(_part, parts))}." for parts in facts.values()),
        f"{_part(f'V{n}' for n in range(len(attributes)))} :- {membership}(T, C), {goals}.",
    ]
    return {
        "the examples by name": f"{positive}(T) :- member(T, [{', '.join(names)}]).",
        "the examples by their place": f"{positive}(T) :- {in_order}, member(N, {places}).",
        "no label of the other class": f"{positive}(T) :- \\+ {negative}(T).",
        "each positive example in full": "\n".join(in_full),
    }


def _find(program: str, fact: str) -> list:
    """Return the groups that a pattern finds in each line that is such a fact."""
    return re.findall(rf"^{fact}\.$", program, re.MULTILINE)


def _part(values: Iterable[str]) -> str:
    return f"part(T, {', '.join(values)})"
