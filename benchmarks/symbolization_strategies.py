"""Ways to answer a symbolization task without understanding its sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

from validity_strategies import LOGIC, Text

from logic_curriculum.generators import Task

Answer = Callable[[Task], str]


def sentence_of(task: Task) -> str:
    """Return the sentence that a prompt asks for, the last one in it."""
    return task.prompt.rpartition("Sentence: ")[2].partition("\n")[0]


def empty(_: Task) -> str:
    return ""


def echo_prompt(task: Task) -> str:
    return task.prompt


def tautology(task: Task) -> str:
    atom = _some_atom(task)
    return f"({atom}∨¬{atom})"


def contradiction(task: Task) -> str:
    atom = _some_atom(task)
    return f"({atom}∧¬{atom})"


def every_first_is_last(task: Task) -> str:
    """Relate the first two predicates of the key as "every … is …" does."""
    key = task.verification["abbreviations"]
    heads = [symbol for symbol in key if symbol.isupper()] or ["F"]
    first, last = (_applied(symbol, task, "x") for symbol in (heads[0], heads[-1]))
    return f"∀x({first}→{last})"


def atoms_joined(task: Task) -> str:
    """Say every predicate of every name, joined by "and"."""
    key = task.verification["abbreviations"]
    names = [symbol for symbol in key if symbol.islower()]
    said = [_applied(symbol, task, name) for symbol in key if symbol.isupper() for name in names]
    return " ∧ ".join(said)


def _some_atom(task: Task) -> str:
    key = task.verification["abbreviations"]
    head = next(symbol for symbol in key if symbol.isupper())
    names = [symbol for symbol in key if symbol.islower()]
    return _applied(head, task, names[0]) if names else f"∀x{_applied(head, task, 'x')}"


def _applied(symbol: str, task: Task, term: str) -> str:
    binary = "[2]" in task.verification["abbreviations"][symbol]
    return symbol + term * (1 + binary)


UNTRAINED: dict[str, Answer] = {
    "empty answer": empty,
    "echo of the sentence": sentence_of,
    "echo of the prompt": echo_prompt,
    "tautology": tautology,
    "contradiction": contradiction,
    "every first predicate is the last": every_first_is_last,
    "all predicates of all names": atoms_joined,
}


class Neighbours:
    """What training tasks look like a given one."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.texts = [Text(sentence_of(task)) for task in tasks]

    @cached_property
    def by_key(self) -> dict[tuple[str, ...], list[int]]:
        """Symbols → the training tasks with these."""
        found: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, task in enumerate(self.tasks):
            found[_symbols(task)].append(number)
        return found

    @cached_property
    def by_form(self) -> dict[str, list[int]]:
        """Words of logic, with dashes for the others → the training tasks with these."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            found[text.form].append(number)
        return found

    def same_symbols(self, task: Task) -> str:
        """Answer as the likest training task with the same symbols asks, if there is one."""
        found = self._likest(task, self.by_key.get(_symbols(task), []))
        return "" if found is None else str(self.tasks[found].verification["formula"])

    def translated(self, task: Task) -> str:
        """Answer as for a training sentence of the same form, with this one's symbols."""
        found = self.by_form.get(Text(sentence_of(task)).form, [])
        return self._renamed(found[0], task) if found else ""

    def _likest(self, task: Task, numbers: Sequence[int]) -> int | None:
        words = set(Text(sentence_of(task)).words)
        return max(
            numbers,
            key=lambda n: (
                len(words & set(self.texts[n].words)) / len(words | {*self.texts[n].words})
            ),
            default=None,
        )

    def _renamed(self, number: int, task: Task) -> str:
        mine, theirs = _in_order(task), _in_order(self.tasks[number])
        table = dict(zip(theirs, mine, strict=False))
        formula = self.tasks[number].verification["formula"]
        return "".join(table.get(char, char) for char in formula)


def _symbols(task: Task) -> tuple[str, ...]:
    return tuple(sorted(task.verification["abbreviations"]))


def _in_order(task: Task) -> list[str]:
    """Return the symbols in the order in which the sentence first has their words."""
    words = Text(sentence_of(task)).words
    key = task.verification["abbreviations"]

    def place(symbol: str) -> int:
        stems = [
            word.lower()[:4] for word in Text(key[symbol]).words if word not in {*LOGIC, "1", "2"}
        ]
        return next((i for i, word in enumerate(words) if word[:4] in stems), len(words))

    return sorted(key, key=place)
