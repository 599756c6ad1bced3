"""What cheap strategies earn on LogiNumSynth tasks, as Markdown tables.

    python benchmarks/shortcuts_loginum.py [--tasks 200] [--train 400] [--presets EL-EN HL-HN]

Each strategy sees what a prompt shows and names a number, or writes steps, without deducing
anything; the completions go through the real reward functions. What a guess can earn is the
share of the commonest answer in training. A figure in bold type lies above it by more than noise,
given how many figures there are. What is marked as structural looks at the rules about the query's
attribute: a glance that is part of the work.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import loginum_features
from loginum_data import LADDER, PRESETS, Data, make, shuffled
from loginum_last_rule import Chosen, choose_last_rules, learn_last_rules, measure_last_rules
from loginum_steps import INVENTED, REASONED
from loginum_strategies import STRUCTURAL, SUPERFICIAL, View, answer, from_conditions
from loginum_tables import Row, Table
from option_learner import choose, encode, train

from logic_curriculum.rewards import REWARDS
from logic_curriculum.rewards.engines.numeric.syntax import Rule


def pay(reward: str, answers: Sequence[str], data: Data) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [example.task.verification for example in data.test]
    paid = REWARDS[reward](completions=list(answers), verification=payloads)
    return [value or 0.0 for value in paid]


def measure_answers(data: Data, chosen: Chosen) -> list[Row]:
    """Return what numbers earn that are named without deduction.

    Args:
        data: The tasks.
        chosen: Rules that were chosen as those that give the answer.
    """
    constants = [data.common[example.kind][0] for example in data.test]
    named: dict[tuple[str, str], Sequence[int | None]] = {
        ("the commonest answer in training", "superficial"): constants
    }
    for group, picks in (("superficial", SUPERFICIAL), ("structural", STRUCTURAL)):
        for name, pick in picks.items():
            named[name, group] = [pick(example.view) for example in data.test]
    named["learner: numbers of the text", "structural"] = learnt_numbers(data)
    for name, places in chosen.items():
        named[f"the rule of {name}, with values from conditions", "structural"] = [
            from_conditions(partial(_rule_at, place), example.view)
            for place, example in zip(places, data.test, strict=True)
        ]
    return [
        Row(name, pay("loginum_reward", [answer(n) for n in numbers], data), group)
        for (name, group), numbers in named.items()
    ]


def _rule_at(place: int, task: View) -> Rule:
    return task.about[place]


def learnt_numbers(data: Data) -> list[int]:
    """Return the number of each test task that a learner finds likeliest to be the answer."""
    chosen = [0] * len(data.test)
    for column, numbers in data.columns.items():
        known = [
            example
            for example in shuffled(data.train)
            if example.column == column
            and example.answer in loginum_features.candidates(example.view)
        ]
        right = [loginum_features.candidates(e.view).index(e.answer) for e in known]
        weights = train(encode(loginum_features.numbers(e.view) for e in known), right)
        tested = [data.test[number].view for number in numbers]
        places = choose(encode(map(loginum_features.numbers, tested)), weights)
        for number, seen, place in zip(numbers, tested, places, strict=True):
            chosen[number] = loginum_features.candidates(seen)[place]
    return chosen


def measure_steps(data: Data, reward: str) -> list[Row]:
    """Return what written steps earn."""
    rows = [
        Row(name, pay(reward, [write(example.view) for example in data.test], data), group)
        for group, writers in (("superficial", INVENTED), ("reasoning", REASONED))
        for name, write in writers.items()
    ]
    return [*rows, Row("a training task's solution", pay(reward, copied(data), data))]


def copied(data: Data) -> list[str]:
    """Return for each test task the solution of a training task of its kind."""
    solutions = {example.kind: example.task.solution for example in data.train}
    return [solutions[example.kind] for example in data.test]


TABLES = ("answers", "steps", "rules")


def report(data: Data, wanted: Sequence[str]) -> str:
    """Return some of :data:`TABLES`."""
    learnt = learn_last_rules(data) if {"answers", "rules"} & set(wanted) else {}
    makers: dict[str, Callable[[], Table]] = {
        "answers": lambda: Table(
            data, measure_answers(data, learnt), "commonest answer", data.chances()
        ),
        "steps": lambda: Table(
            data,
            measure_steps(data, "loginum_process_reward"),
            "nothing",
            [0.0] * len(data.test),
        ),
        "rules": lambda: Table(
            data,
            measure_last_rules(data, choose_last_rules(data) | learnt),
            "one at random",
            [1 / len(example.view.about) for example in data.test],
        ),
    }
    parts = []
    for name in wanted:
        found = makers[name]()
        parts += [f"### {name}", found.text(), f"Superficial, above chance: {found.verdict()}."]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogiNumSynth tasks.")
    parser.add_argument("--presets", nargs="*", default=PRESETS)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--no-ladder", action="store_true", help="only presets")
    parser.add_argument("--tasks", type=int, default=200, help="test tasks per level or depth")
    parser.add_argument("--train", type=int, default=400, help="training tasks per level or depth")
    arguments = parser.parse_args()
    sizes = {"train": arguments.train, "test": arguments.tasks}
    for title, columns in (
        ("Ladder", [] if arguments.no_ladder else [LADDER]),
        ("Presets", arguments.presets),
    ):
        if columns:
            made = {
                split: tuple(example for c in columns for example in make(c, count, split))
                for split, count in sizes.items()
            }
            print(f"## {title}\n\n{report(Data(**made), arguments.tables)}\n", flush=True)


if __name__ == "__main__":
    main()
