"""Ways to answer a countermodel task without looking at what the argument says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed

Answer = Callable[[Task], str]
Extension = Callable[[str, int, Sequence[int]], str]
"""Interpretation of a symbol, given its number of arguments (0 for a name) and the domain."""

KINDS = "MNO"


def symbols(task: Task) -> dict[str, int]:
    """Map the argument's symbols to their numbers of arguments, in alphabetical order."""
    text = " ".join([*task.verification["premises"], task.verification["conclusion"]])
    found = dict.fromkeys(re.findall(r"[a-r]", text), 0)
    found.update({head: len(terms) for head, terms in re.findall(r"([A-Z])([a-z]+)", text)})
    return dict(sorted(found.items()))


def write(extension: Extension, task: Task) -> str:
    """Write the structure that interprets each symbol of a task in some way."""
    domain = task.verification["domain"]
    return " ".join(
        f"{symbol}={extension(symbol, arity, domain)}" for symbol, arity in symbols(task).items()
    )


def _tuples(arity: int, domain: Sequence[int]) -> list[str]:
    if arity == 1:
        return [str(x) for x in domain]
    return [f"({x},{y})" for x in domain for y in domain]


def _braced(items: Sequence[str]) -> str:
    return "{" + ",".join(items) + "}"


def uniform(full: bool, symbol: str, arity: int, domain: Sequence[int]) -> str:
    """Interpret names by the first element, and predicates by nothing or by everything."""
    if not arity:
        return str(domain[0])
    return _braced(_tuples(arity, domain) if full else [])


def by_kind(full: bool, spread: bool, symbol: str, arity: int, domain: Sequence[int]) -> str:
    """Give each kind one element and the last the rest, and names one or different elements."""
    if symbol in KINDS:
        place = KINDS.index(symbol)
        rest = domain[place:] if symbol == KINDS[-1] else domain[place : place + 1]
        return _braced([str(x) for x in rest])
    if not arity and spread:
        return str(domain["abc".find(symbol) % len(domain)])
    return uniform(full, symbol, arity, domain)


def drawn(seed: str, symbol: str, arity: int, domain: Sequence[int]) -> str:
    """Draw an interpretation; kinds sort the domain, each with at least one element."""
    size = len(domain)
    if symbol in KINDS:
        kinds = [*range(3), *(derive_seed(seed, "kind", x) % 3 for x in range(3, size))]
        turned = [kinds[(x + derive_seed(seed, "turn") % size) % size] for x in range(size)]
        return _braced([str(x) for x in domain if turned[x] == KINDS.index(symbol)])
    if not arity:
        return str(domain[derive_seed(seed, symbol) % size])
    share = 1 + derive_seed(seed, symbol, "share") % 7
    items = _tuples(arity, domain)
    return _braced([item for item in items if derive_seed(seed, symbol, item) % 8 < share])


def constant(number: int) -> Answer:
    """Return the strategy that answers one drawn structure to all tasks."""
    return partial(write, partial(drawn, f"constant {number}"))


def one_per_task(task: Task) -> str:
    """Answer a structure drawn for each task."""
    return write(partial(drawn, f"task {task.prompt}"), task)


def empty(_: Task) -> str:
    return ""


def echo(task: Task) -> str:
    return task.prompt


def layout_example(task: Task) -> str:
    """Answer with the example of the layout in the prompt, if there is one."""
    lines = [
        line for line in task.prompt.split("\n") if re.search(r"[\[{]\s*\d|:\s*\d|=\s*\d", line)
    ]
    return "\n".join(lines)


UNTRAINED: dict[str, Answer] = {
    "empty answer": empty,
    "echo of the prompt": echo,
    "the prompt's own example": layout_example,
    "all predicates empty": partial(write, partial(uniform, False)),
    "all predicates full": partial(write, partial(uniform, True)),
    "one of each kind, the rest empty": partial(write, partial(by_kind, False, False)),
    "one of each kind, the rest full": partial(write, partial(by_kind, True, False)),
    "one of each kind, names apart, the rest empty": partial(write, partial(by_kind, False, True)),
    "one of each kind, names apart, the rest full": partial(write, partial(by_kind, True, True)),
    "a drawn structure for each task": one_per_task,
}
