"""What cheap strategies earn on consistency tasks: a Markdown table.

    python benchmarks/shortcuts/sat.py [--levels 1 5] [--presets hard3sat] [--train 2000]

*Verdict*: learners say whether texts are consistent, by what can be counted: statements,
characters, words, commas, literals, operators, repetitions, and of each variable how often it
occurs, how often negated and how evenly. *Proof*: the answer is paid
with an assignment or a core only.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
from common import Answer, Example, Option, Shortcuts, main

from logic_curriculum.generators import Task
from logic_curriculum.generators.sat.levels import OPERATORS
from logic_curriculum.generators.sat.prompts import write_solution
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.propositional import Formula, Variable, parse


def literals(formula: Formula) -> list[tuple[str, bool]]:
    """Return the variable and the sign of each leaf, from left to right."""
    if isinstance(formula, Variable):
        return [(formula.name, True)]
    first = formula.parts[0]
    if formula.operator == "¬" and isinstance(first, Variable):
        return [(first.name, False)]
    return [leaf for part in formula.parts for leaf in literals(part)]


def leaves_of(task: Task) -> list[list[tuple[str, bool]]]:
    return [literals(parse(formula)) for formula in task.verification["formulas"]]


def counts(task: Task) -> list[float]:
    """Return counts of each statement and each variable: sums, extremes, spread, by position."""
    statements = []
    texts = zip(task.verification["formulas"], task.metadata["statements"], strict=True)
    for found, (formula, text) in zip(leaves_of(task), texts, strict=True):
        repeated = len(found) - len({name for name, _ in found})
        sizes = [len(found) == size for size in range(1, 5)]
        operators = [formula.count(operator) for operator in OPERATORS]
        words = [1, len(text), len(text.split()), text.count(",")]
        statements.append([*words, len(found), repeated, *sizes, *operators])
    signs = Counter(leaf for leaves in leaves_of(task) for leaf in leaves)
    variables = []
    for name in sorted({name for name, _ in signs}):
        affirmed, negated = signs[name, True], signs[name, False]
        balance, is_pure = abs(affirmed - negated), not affirmed or not negated
        variables.append([1, affirmed, negated, affirmed + negated, balance, is_pure])
    by_place = np.array(statements, dtype=float)
    tables = [by_place, np.array(variables, dtype=float)]
    spread = [values for t in tables for values in (t.sum(0), t.min(0), t.max(0), t.std(0))]
    return [*np.concatenate([*spread, by_place[0], by_place[-1]])]


def verdicts(example: Example) -> list[Option]:
    """Return both verdicts, each with the features of the task under names of its own."""
    values = counts(example.task)
    return [
        Option(
            write_solution(consistent, None, None),
            {f"{consistent} {place}": value for place, value in enumerate(values)},
            consistent == example.task.verification["satisfiable"],
        )
        for consistent in (True, False)
    ]


def _assigned(task: Task, value: Callable[[str], bool]) -> str:
    names = [f"v{number}" for number in range(1, task.metadata["variables"] + 1)]
    return write_solution(True, {name: value(name) for name in names}, None)


def majority(task: Task) -> str:
    """Give each variable its more frequent sign."""
    signs = Counter(leaf for leaves in leaves_of(task) for leaf in leaves)
    return _assigned(task, lambda name: signs[name, True] > signs[name, False])


def demanded(task: Task) -> str:
    """Give each variable the value that most of its occurrences demand, short statements first.

    Under "not", and in front of "then", an occurrence demands the opposite of its sign.
    """
    votes: Counter[str] = Counter()
    for text in task.verification["formulas"]:
        found = _demands(parse(text), True)
        for name, value in found:
            votes[name] += (1 if value else -1) / 2 ** len(found)
    return _assigned(task, lambda name: votes[name] > 0)


def _demands(formula: Formula, value: bool) -> list[tuple[str, bool]]:
    if isinstance(formula, Variable):
        return [(formula.name, value)]
    first, *others = formula.parts
    return _demands(first, value != (formula.operator in "¬→")) + [
        demand for part in others for demand in _demands(part, value)
    ]


def _random_assignment(task: Task) -> str:
    rng = stream("shortcuts sat", task.seed)
    return _assigned(task, lambda name: rng.random() < 0.5)


def _shortest(task: Task, count: int) -> str:
    texts = task.verification["formulas"]
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    return write_solution(False, None, [place + 1 for place in sorted(order[:count])])


PROOFS: dict[str, Answer] = {
    "all true": lambda task: _assigned(task, lambda name: True),
    "all false": lambda task: _assigned(task, lambda name: False),
    "a random assignment": _random_assignment,
    "each variable by its more frequent sign": majority,
    "each variable as most statements demand, short ones first": demanded,
    "all statements": lambda task: _shortest(task, task.metadata["clauses"]),
    "the first two statements": lambda task: write_solution(False, None, [1, 2]),
    "the two shortest statements": lambda task: _shortest(task, 2),
    "the three shortest statements": lambda task: _shortest(task, 3),
}
PAID = partial(Shortcuts, "sat", "sat_reward", lambda task: task, by_level=True)
KINDS = {
    "verdict": PAID(options={"counts": verdicts}, chance=0.5, task_options={"style": "full"}),
    "proof": PAID(PROOFS, task_options={"style": "certificate"}),
}

if __name__ == "__main__":
    main(KINDS)
