"""Ways to answer countermodel and symbolization tasks without understanding what they say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from validity_strategies import LOGIC, Text

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed

Answer = Callable[[Task], str]


def always(text: str) -> Answer:
    """Return the strategy that answers the same to every task."""
    return lambda task: text


def prompt_of(task: Task) -> str:
    return task.prompt


# -- countermodels ---------------------------------------------------------------------------------

Interpretation = Callable[[str, int, Sequence[int]], str]
"""Interprets a symbol, given its number of arguments (0 for a name) and the domain."""
KINDS = "MNO"


def interpreted(interpret: Interpretation) -> Answer:
    """Return the strategy that interprets each symbol of an argument in some way."""

    def answer(task: Task) -> str:
        text = " ".join([*task.verification["premises"], task.verification["conclusion"]])
        arities = dict.fromkeys(re.findall(r"[a-r]", text), 0)
        arities |= {head: len(terms) for head, terms in re.findall(r"([A-Z])([a-z]+)", text)}
        domain = task.verification["domain"]
        return " ".join(
            f"{name}={interpret(name, arity, domain)}" for name, arity in sorted(arities.items())
        )

    return answer


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


def layout_example(task: Task) -> str:
    """Answer with the example of the layout in the prompt, if there is one."""
    lines = task.prompt.split("\n")
    return "\n".join(line for line in lines if re.search(r"[\[{]\s*\d|:\s*\d|=\s*\d", line))


COUNTERMODEL: Mapping[str, Answer] = {
    "empty answer": always(""),
    "echo of the prompt": prompt_of,
    "the prompt's own example": layout_example,
    "all predicates empty": interpreted(partial(uniform, False)),
    "all predicates full": interpreted(partial(uniform, True)),
    "one of each kind, the rest empty": interpreted(partial(by_kind, False, False)),
    "one of each kind, the rest full": interpreted(partial(by_kind, True, False)),
    "one of each kind, names apart, the rest empty": interpreted(partial(by_kind, False, True)),
    "one of each kind, names apart, the rest full": interpreted(partial(by_kind, True, True)),
    "a drawn structure for each task": lambda task: interpreted(
        partial(drawn, f"task {task.prompt}")
    )(task),
}


def drawn_constants(count: int) -> dict[str, Answer]:
    """Return strategies of which each answers one drawn structure to all tasks."""
    return {f"{n}": interpreted(partial(drawn, f"constant {n}")) for n in range(count)}


# -- symbolization ---------------------------------------------------------------------------------


def sentence_of(task: Task) -> str:
    """Return the sentence that a prompt asks for, the last one in it."""
    return task.prompt.rpartition("Sentence: ")[2].partition("\n")[0]


def _key(task: Task) -> dict[str, str]:
    """Map the task's symbols to what they abbreviate."""
    return task.verification["abbreviations"]


def _applied(symbol: str, task: Task, term: str) -> str:
    return symbol + term * (1 + ("[2]" in _key(task)[symbol]))


def _some_atom(task: Task) -> str:
    head = next(symbol for symbol in _key(task) if symbol.isupper())
    names = [symbol for symbol in _key(task) if symbol.islower()]
    return _applied(head, task, names[0]) if names else f"∀x{_applied(head, task, 'x')}"


def every_first_is_last(task: Task) -> str:
    """Relate the first and last predicate of the key as "every … is …" does."""
    heads = [symbol for symbol in _key(task) if symbol.isupper()]
    return f"∀x({_applied(heads[0], task, 'x')}→{_applied(heads[-1], task, 'x')})"


def atoms_joined(task: Task) -> str:
    """Say every predicate of every name, joined by "and"."""
    names = [symbol for symbol in _key(task) if symbol.islower()]
    heads = [symbol for symbol in _key(task) if symbol.isupper()]
    return " ∧ ".join(_applied(head, task, name) for head in heads for name in names)


SYMBOLIZATION: Mapping[str, Answer] = {
    "empty answer": always(""),
    "echo of the sentence": sentence_of,
    "echo of the prompt": prompt_of,
    "tautology": lambda task: f"({_some_atom(task)}∨¬{_some_atom(task)})",
    "contradiction": lambda task: f"({_some_atom(task)}∧¬{_some_atom(task)})",
    "every first predicate is the last": every_first_is_last,
    "all predicates of all names": atoms_joined,
}


class Neighbours:
    """The training tasks that look like a given one."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.by_symbols: dict[tuple[str, ...], list[Task]] = defaultdict(list)
        self.by_form: dict[str, list[Task]] = defaultdict(list)
        for task in tasks:
            self.by_symbols[tuple(sorted(_key(task)))].append(task)
            self.by_form[Text(sentence_of(task)).form].append(task)

    def same_symbols(self, task: Task) -> str:
        """Answer as the likest training task with the same symbols asks, if there is one."""
        mine = set(Text(sentence_of(task)).words)

        def likeness(other: Task) -> float:
            words = set(Text(sentence_of(other)).words)
            return len(mine & words) / len(mine | words)

        likest = max(self.by_symbols[tuple(sorted(_key(task)))], key=likeness, default=None)
        return "" if likest is None else str(likest.verification["formula"])

    def translated(self, task: Task) -> str:
        """Answer as for a training sentence of the same form, with this one's symbols."""
        known = self.by_form.get(Text(sentence_of(task)).form)
        if not known:
            return ""
        place = dict(zip(_in_order(known[0]), _in_order(task), strict=False))
        formula = str(known[0].verification["formula"])
        return "".join(place.get(char, char) for char in formula)


def _in_order(task: Task) -> list[str]:
    """Return the symbols in the order in which the sentence first has their words."""
    words = Text(sentence_of(task)).words
    key = _key(task)

    def place(symbol: str) -> int:
        stems = [
            word.lower()[:4] for word in Text(key[symbol]).words if word not in {*LOGIC, "1", "2"}
        ]
        return next((i for i, word in enumerate(words) if word[:4] in stems), len(words))

    return sorted(key, key=place)
