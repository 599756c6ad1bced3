"""What cheap strategies earn: python benchmarks/shortcuts_slr.py [--levels 1 5 8] [--tasks 50].

Each strategy sees what a model sees, the prompt and the facts in it, and answers without learning
the concept. The answers go through the real judge. The last two strategies are no shortcuts but
search on the task's examples; they show what the reward can't tell from insight, and what the
held-out gate makes of it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from generators import Task, generate
from rewards import Verdict, judge_batch
from rewards.judges.prolog import Program

LEVELS = (1, 2, 3, 5, 8, 13, 20)
LONGEST_CONJUNCTION = 3
"""Literals on one car that the memorising strategy combines at most."""
MOST_LITERALS = 20
"""Literals of a disjunction at which the memorising strategy stops."""

Literal = tuple[str, str]
"""An attribute and its value, e.g. ``("car_color", "red")``."""
Part = frozenset[Literal]


@dataclass(frozen=True)
class View:
    """A task as its prompt shows it."""

    prompt: str
    program: Program
    membership: str
    """Predicate between an example and its parts, e.g. ``has_car``."""
    part_names: dict[str, tuple[str, ...]]
    """Names of each example's parts."""
    parts: dict[str, tuple[Part, ...]]
    """Attributes of each example's parts."""

    @property
    def positives(self) -> list[str]:
        """Names of the positive examples."""
        return self._labelled(True)

    @property
    def negatives(self) -> list[str]:
        """Names of the negative examples."""
        return self._labelled(False)

    def _labelled(self, label: bool) -> list[str]:
        pairs = zip(self.program.examples, self.program.labels, strict=True)
        return [example for example, positive in pairs if positive == label]

    def covers(self, conjunction: Sequence[Literal], example: str) -> bool:
        """Tell whether one part of the example has all these attributes."""
        return any(part.issuperset(conjunction) for part in self.parts[example])

    def some_part(self, conjunction: Sequence[Literal]) -> str:
        """Write the rule that some part has all these attributes."""
        literals = "".join(f", {name}(C, {value})" for name, value in conjunction)
        return f"{self.program.positive}(T) :- {self.membership}(T, C){literals}."


def view(task: Task) -> View:
    """Read a task's facts."""
    payload = task.verification
    program = Program.parse(payload["validation_program"], payload["positive"], payload["negative"])
    names: dict[str, list[str]] = {example: [] for example in program.examples}
    attributes: dict[str, list[Literal]] = {}
    membership = ""
    for predicate, arguments in program.facts:
        subject, value = arguments
        if subject in names:
            membership = predicate
            names[subject].append(value)
        else:
            attributes.setdefault(subject, []).append((predicate, value))
    return View(
        prompt=task.prompt,
        program=program,
        membership=membership,
        part_names={example: tuple(parts) for example, parts in names.items()},
        parts={
            example: tuple(frozenset(attributes[part]) for part in parts)
            for example, parts in names.items()
        },
    )


def empty(_: View) -> str:
    return ""


def echo(seen: View) -> str:
    return seen.prompt


def always(seen: View) -> str:
    return f"{seen.program.positive}(T)."


def never(seen: View) -> str:
    return f"{seen.program.positive}(T) :- {seen.membership}(T, C), {seen.membership}(C, T)."


def enumerate_examples(seen: View) -> str:
    return " ".join(f"{seen.program.positive}({example})." for example in seen.positives)


def enumerate_parts(seen: View) -> str:
    head = seen.program.positive
    return " ".join(
        f"{head}(T) :- {seen.membership}(T, {seen.part_names[example][0]})."
        for example in seen.positives
    )


def opposite_label(seen: View) -> str:
    return f"{seen.program.positive}(T) :- \\+ {seen.program.negative}(T)."


def own_label(seen: View) -> str:
    return f"{seen.program.positive}(T) :- {seen.program.positive}(T)."


def name_order(seen: View) -> str:
    """Cut the alphabet of names where it separates the classes best."""
    examples = seen.program.examples
    positives = seen.positives

    def right(cut: str) -> int:
        return sum((example < cut) == (example in positives) for example in examples)

    best = max(examples, key=right)
    return f"{seen.program.positive}(T) :- T @< {best}."


def name_parity(seen: View) -> str:
    odd = sum(int(example[-1]) % 2 for example in seen.positives)
    parity = int(2 * odd > len(seen.positives))
    head = seen.program.positive
    return f"{head}(T) :- sub_atom(T, _, 1, 0, D), atom_number(D, N), {parity} is N mod 2."


def position_parity(seen: View) -> str:
    head, has = seen.program.positive, seen.membership
    return (
        f"{head}(T) :- findall(X, {has}(X, _), Xs), list_to_set(Xs, S), nth0(I, S, T), "
        "0 is I mod 2."
    )


def first_half_by_name(seen: View) -> str:
    head, has = seen.program.positive, seen.membership
    return (
        f"{head}(T) :- findall(X, {has}(X, _), Xs), sort(Xs, S), nth1(I, S, T), "
        "length(S, N), I =< N // 2."
    )


def frequent_value(seen: View) -> str:
    """Name the attribute that most parts have, whatever the labels say."""
    counts = Counter(
        literal for parts in seen.parts.values() for part in parts for literal in sorted(part)
    )
    return seen.some_part([max(sorted(counts), key=counts.__getitem__)])


def single_attribute(seen: View) -> str:
    """Name the attribute that sorts this task's examples best."""
    return seen.some_part([max(_literals(seen), key=lambda literal: _right(seen, [literal]))])


def memorise(seen: View) -> str:
    """Cover the positives greedily by conjunctions that hold of no negative."""
    uncovered = seen.positives
    clauses: list[str] = []
    candidates = list(_pure_conjunctions(seen))
    while uncovered and candidates:
        best = max(candidates, key=lambda c: (sum(seen.covers(c, e) for e in uncovered), -len(c)))
        rest = [example for example in uncovered if not seen.covers(best, example)]
        if len(rest) == len(uncovered) or len(clauses) == MOST_LITERALS:
            break
        uncovered = rest
        clauses.append(seen.some_part(best))
    return " ".join(clauses) or never(seen)


def _literals(seen: View) -> list[Literal]:
    return sorted({literal for parts in seen.parts.values() for part in parts for literal in part})


def _right(seen: View, conjunction: Sequence[Literal]) -> int:
    covered = sum(seen.covers(conjunction, example) for example in seen.positives)
    return covered - sum(seen.covers(conjunction, example) for example in seen.negatives)


def _pure_conjunctions(seen: View) -> Iterator[tuple[Literal, ...]]:
    found: dict[tuple[Literal, ...], None] = {}
    for example in seen.positives:
        for part in seen.parts[example]:
            for length in range(1, LONGEST_CONJUNCTION + 1):
                found.update(dict.fromkeys(combinations(sorted(part), length)))
    negatives = seen.negatives
    return (c for c in found if not any(seen.covers(c, example) for example in negatives))


STRATEGIES: dict[str, Callable[[View], str]] = {
    "empty answer": empty,
    "echo of the prompt": echo,
    "always true": always,
    "never true": never,
    "examples enumerated": enumerate_examples,
    "parts named": enumerate_parts,
    "not the other label": opposite_label,
    "its own label": own_label,
    "order of names": name_order,
    "parity of names": name_parity,
    "parity of positions": position_parity,
    "first half by name": first_half_by_name,
    "most frequent value": frequent_value,
    "best attribute of the task": single_attribute,
    "greedy memorising": memorise,
}


def best_fixed_rule(views: Sequence[View]) -> str:
    """Return the one-attribute rule that fits the most of these tasks, chosen in hindsight."""

    def fits(literal: Literal) -> tuple[int, int]:
        scores = [_right(seen, [literal]) - len(seen.positives) for seen in views]
        return sum(score == 0 for score in scores), sum(scores)

    literals = sorted({literal for seen in views for literal in _literals(seen)})
    return views[0].some_part([max(literals, key=fits)])


def answers(views: Sequence[View]) -> dict[str, list[str]]:
    """Return the answers of every strategy to every task of a level."""
    fixed = {"best fixed rule": [best_fixed_rule(views)] * len(views)}
    return fixed | {name: [act(seen) for seen in views] for name, act in STRATEGIES.items()}


def measure(level: int, count: int) -> dict[str, list[Verdict]]:
    """Return each strategy's verdicts on ``count`` test tasks of a level."""
    tasks = [generate("slr", level=level, seed=seed, split="test") for seed in range(count)]
    by_strategy = answers([view(task) for task in tasks])
    completions = [column[row] for row in range(count) for column in by_strategy.values()]
    payloads = [task.verification for task in tasks for _ in by_strategy]
    verdicts = judge_batch("slr", completions, payloads)
    return {name: verdicts[i :: len(by_strategy)] for i, name in enumerate(by_strategy)}


def mean(values: Iterable[float]) -> str:
    return f"{fmean(values):.2f}"


def summary(results: dict[int, dict[str, list[Verdict]]]) -> str:
    """Return the table of solved rates, with the score on the program as shown in brackets."""
    levels = list(results)
    lines = [
        "| strategy | " + " | ".join(f"level {level}" for level in levels) + " |",
        "|:---|" + "---:|" * len(levels),
    ]
    for name in results[levels[0]]:
        cells = []
        for verdicts in (results[level][name] for level in levels):
            shown = mean(verdict.metrics["extensional"] for verdict in verdicts)
            cells.append(f"{mean(verdict.solved for verdict in verdicts)} ({shown})")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


HEADER = """\
| level | strategy | solved | overall | partial | syntax | chance-corrected | held-out | as shown |
|---:|:---|---:|---:|---:|---:|---:|---:|---:|"""


def details(results: dict[int, dict[str, list[Verdict]]]) -> str:
    """Return the table of all scores, means over the tasks of a level."""
    lines = [HEADER]
    for level, by_strategy in results.items():
        for name, verdicts in by_strategy.items():
            columns = [
                mean(verdict.solved for verdict in verdicts),
                mean(verdict.metrics["isomorphic"] for verdict in verdicts),
                mean(verdict.partial for verdict in verdicts),
                mean(verdict.syntax for verdict in verdicts),
                mean(verdict.metrics["chance_corrected"] for verdict in verdicts),
                mean(verdict.metrics["heldout_accuracy"] for verdict in verdicts),
                mean(verdict.metrics["extensional"] for verdict in verdicts),
            ]
            lines.append(f"| {level} | {name} | " + " | ".join(columns) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies.")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    parser.add_argument("--tasks", type=int, default=50, help="tasks per level")
    arguments = parser.parse_args()
    results = {level: measure(level, arguments.tasks) for level in arguments.levels}
    print(f"Solved, in brackets solved as shown; {arguments.tasks} test tasks per level\n")
    print(summary(results))
    print("\nAll scores\n")
    print(details(results))


if __name__ == "__main__":
    main()
