"""A second judge: a small interpreter for the fragment of Prolog that generated rules use.

It shares no code with the engine or with the generator. Fragment: conjunction, disjunction,
negation as failure, forall/2, findall/3, unification, arithmetic and its comparisons, a few list
predicates, and helper clauses. Anything else raises.
"""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable, Iterator

from prolog_reading import EMPTY, Parser, Struct, Var, make_list

sys.setrecursionlimit(20_000)

FACT = re.compile(r"(\w+)\((\w+), (\w+)\)\.")
LABEL = re.compile(r"(\w+)\((\w+)\)\.")


def constant(text: str) -> object:
    return int(text) if text.isdigit() else Struct(text)


def walk(term: object) -> object:
    while isinstance(term, Var) and term.value is not None:
        term = term.value
    return term


def resolve(term: object, fresh: dict | None = None) -> object:
    """Copy a term with its bindings; with `fresh`, unbound variables get new ones."""
    term = walk(term)
    if isinstance(term, Var):
        return term if fresh is None else fresh.setdefault(term, Var())
    if isinstance(term, Struct) and term.args:
        return Struct(term.name, tuple(resolve(item, fresh) for item in term.args))
    return term


def read_list(term: object) -> list:
    items = []
    term = walk(term)
    while isinstance(term, Struct) and term.name == ".":
        items.append(resolve(term.args[0]))
        term = walk(term.args[1])
    assert term == EMPTY, "not a proper list"
    return items


def order(term: object) -> tuple:
    """Sort key of ground terms: integers, then atoms, then compounds by name and arguments."""
    if isinstance(term, int):
        return (0, term)
    assert isinstance(term, Struct), "only ground terms are sorted here"
    if not term.args:
        return (1, term.name)
    return (2, len(term.args), term.name, *map(order, term.args))


def evaluate(term: object) -> int:
    term = walk(term)
    if isinstance(term, int):
        return term
    assert isinstance(term, Struct), f"not arithmetic: {term}"
    left, right = map(evaluate, term.args)
    return {"+": operator.add, "-": operator.sub, "*": operator.mul}[term.name](left, right)


ARITHMETIC: dict[str, Callable[[int, int], bool]] = {
    "=:=": operator.eq,
    "=\\=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=<": operator.le,
    ">=": operator.ge,
}

LIST_FUNCTIONS: dict[str, Callable[[list], object]] = {
    "length": len,
    "msort": lambda items: make_list(sorted(items, key=order)),
    "sort": lambda items: make_list(sorted(dict.fromkeys(items), key=order)),
    "sum_list": sum,
}


class Machine:
    """Depth-first, left to right, like Prolog."""

    def __init__(self, facts: str, rule: str) -> None:
        self.facts: dict[str, dict[object, list[Struct]]] = {}
        self.clauses: dict[tuple[str, int], list] = {}
        self.trail: list[Var] = []
        for line in facts.split("\n"):
            self.add_fact(line)
        for head, body in Parser(rule).clauses():
            self.clauses.setdefault((head.name, len(head.args)), []).append((head, body))

    def add_fact(self, line: str) -> None:
        """Keep a background fact under its predicate and its first argument."""
        match = FACT.fullmatch(line)
        assert match, f"not a fact of two constants: {line!r}"
        first, second = constant(match[2]), constant(match[3])
        fact = Struct(match[1], (first, second))
        self.facts.setdefault(match[1], {}).setdefault(first, []).append(fact)

    def succeeds(self, goal: object) -> bool:
        mark = len(self.trail)
        found = any(True for _ in self.solve(goal))
        self.undo(mark)
        return found

    def undo(self, mark: int) -> None:
        while len(self.trail) > mark:
            self.trail.pop().value = None

    def unify(self, left: object, right: object) -> bool:
        left, right = walk(left), walk(right)
        if left is right:
            return True
        if isinstance(left, Var):
            left.value = right
            self.trail.append(left)
            return True
        if isinstance(right, Var):
            return self.unify(right, left)
        if isinstance(left, int) or isinstance(right, int):
            return left == right
        if left.name != right.name or len(left.args) != len(right.args):
            return False
        return all(self.unify(a, b) for a, b in zip(left.args, right.args, strict=True))

    def matches(self, left: object, right: object) -> Iterator[None]:
        mark = len(self.trail)
        if self.unify(left, right):
            yield
        self.undo(mark)

    def solve(self, goal: object) -> Iterator[None]:
        goal = walk(goal)
        assert isinstance(goal, Struct), f"not a goal: {goal}"
        if goal.name == "," and len(goal.args) == 2:
            for _ in self.solve(goal.args[0]):
                yield from self.solve(goal.args[1])
        elif goal.name == ";":
            yield from self.solve(goal.args[0])
            yield from self.solve(goal.args[1])
        elif (goal.name, len(goal.args)) in self.clauses:
            yield from self.call(goal)
        elif goal.name in self.facts:
            yield from self.look_up(goal)
        else:
            yield from self.builtin(goal)

    def call(self, goal: Struct) -> Iterator[None]:
        for head, body in self.clauses[goal.name, len(goal.args)]:
            fresh: dict = {}
            new_head = resolve(head, fresh)
            for _ in self.matches(goal, new_head):
                yield from self.solve(resolve(body, fresh))

    def look_up(self, goal: Struct) -> Iterator[None]:
        first = walk(goal.args[0])
        assert not isinstance(first, Var), "rules go from the whole to its parts"
        for fact in self.facts[goal.name].get(first, []):
            yield from self.matches(goal, fact)

    def builtin(self, goal: Struct) -> Iterator[None]:
        name, args = goal.name, goal.args
        if name == "true":
            yield
        elif name in ARITHMETIC:
            if ARITHMETIC[name](evaluate(args[0]), evaluate(args[1])):
                yield
        elif name in ("=", "is"):
            right = evaluate(args[1]) if name == "is" else args[1]
            yield from self.matches(args[0], right)
        elif name in ("\\=", "\\+", "forall"):
            if self.test(name, args):
                yield
        else:
            yield from self.list_builtin(name, args)

    def test(self, name: str, args: tuple) -> bool:
        if name == "\\=":
            return not self.succeeds(Struct("=", args))
        if name == "\\+":
            return not self.succeeds(args[0])
        return not self.succeeds(Struct(",", (args[0], Struct("\\+", (args[1],)))))

    def list_builtin(self, name: str, args: tuple) -> Iterator[None]:
        if name == "findall":
            found = [resolve(args[0], {}) for _ in self.solve(args[1])]
            yield from self.matches(args[2], make_list(found))
        elif name == "member":
            for item in read_list(args[1]):
                yield from self.matches(args[0], item)
        elif name in ("max_list", "min_list"):
            items = read_list(args[0])
            if items:
                best = max(items) if name == "max_list" else min(items)
                yield from self.matches(args[1], best)
        elif name in LIST_FUNCTIONS:
            yield from self.matches(args[1], LIST_FUNCTIONS[name](read_list(args[0])))
        else:
            raise AssertionError(f"{name}/{len(args)} is not in the fragment")


def labels(rule: str, program: str, positive: str, negative: str) -> list[tuple[bool, bool]]:
    """Return for each labelled example of a program its label and what the rule says."""
    lines = [line for line in program.strip().split("\n") if not line.startswith("%")]
    known = [(line, LABEL.fullmatch(line)) for line in lines]
    machine = Machine("\n".join(line for line, label in known if label is None), rule)
    examples = [label for _, label in known if label]
    assert {label[1] for label in examples} == {positive, negative}
    return [
        (label[1] == positive, machine.succeeds(Struct(positive, (Struct(label[2]),))))
        for label in examples
    ]
