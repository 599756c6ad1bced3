"""Rules that are right on the examples of a task as the prompt shows them, and state no pattern."""

import re


def sly_rules(program: str, positive: str, negative: str) -> dict[str, str]:
    """Return rules by what they go by.

    The first two are paid by the paper's score, which runs all examples as one program; the last is
    right on all examples shown, whoever runs it.

    Args:
        program: The facts of the examples, each example's behind its label.
        positive: Predicate of the positive label, which the rules define.
        negative: Predicate of the negative label.
    """
    label = rf"^(?:{positive}|{negative})\((?=\w+\)\.$)"
    examples = [text.split("\n") for text in re.split(label, program, flags=re.MULTILINE)[1:]]
    labels = re.findall(label, program, re.MULTILINE)
    places = [n for n, found in enumerate(labels, 1) if found == f"{positive}("]
    names = [examples[n - 1][0].removesuffix(").") for n in places]
    membership = examples[0][1].partition("(")[0]
    by_place = (
        f"findall(X, {membership}(X, _), Xs), list_to_set(Xs, Set), nth1(N, Set, T), "
        f"member(N, {places})"
    )
    described = (_described(examples[n - 1], membership) for n in places)
    return {
        "the examples by name": f"{positive}(T) :- member(T, [{', '.join(names)}]).",
        "the examples by their place": f"{positive}(T) :- {by_place}.",
        "no label of the other class": f"{positive}(T) :- \\+ {negative}(T).",
        "each positive example in full": "\n".join(f"{positive}(T) :- {it}." for it in described),
    }


def _described(lines: list[str], membership: str) -> str:
    """Return the facts about an example as goals about T, each of its parts a variable."""
    parts = [part for line in lines for part in re.findall(rf"^{membership}\(\w+, (\w+)\)", line)]
    variables = {lines[0].removesuffix(")."): "T"} | {p: f"C{n}" for n, p in enumerate(parts, 1)}
    goals = ", ".join(line.removesuffix(".") for line in lines[1:] if line)
    return re.sub(r"\w+", lambda word: variables.get(word[0], word[0]), goals)
