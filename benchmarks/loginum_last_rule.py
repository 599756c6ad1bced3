"""Which of the rules about the query's attribute gives the answer: ways to choose one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import loginum_features
from loginum_data import Data, shuffled
from loginum_strategies import View, largest, most_known, numbers_in
from loginum_tables import Row
from option_learner import Features, choose, encode, train

from logic_curriculum.rewards.engines.numeric.syntax import Rule

Chosen = dict[str, list[int]]
"""Way to choose a rule about the query's attribute → its place among them, for each test task."""
Describe = Callable[[View, Sequence[Rule]], list[Features]]
Score = Callable[[Rule], float]
SCORES: dict[str, Score] = {
    "length": lambda rule: len(str(rule)),
    "conditions": lambda rule: len(rule.conditions),
    "number in the conditions": lambda rule: largest(numbers_in(*rule.conditions)),
    "number in the conclusion": lambda rule: largest(numbers_in(rule.conclusion)),
    "lookups": lambda rule: len(rule.lookups()),
}
"""By what the rule with most or least of it is chosen."""


def choose_last_rules(data: Data) -> Chosen:
    """Return for each way to choose the places of the chosen rules, among those that might."""
    ways: dict[str, Callable[[View], int]] = {
        "the first": lambda _: 0,
        "the last": lambda task: len(task.about) - 1,
        "most conditions like facts": lambda task: task.about.index(most_known(task)),
    }
    for name, score in SCORES.items():
        ways[f"most: {name}"] = partial(_extreme, score, max)
        ways[f"least: {name}"] = partial(_extreme, score, min)
    return {name: [way(example.view) for example in data.test] for name, way in ways.items()}


def learn_last_rules(data: Data) -> Chosen:
    """Return the same for learners."""
    return {
        "learner: looks": learnt_rules(data, loginum_features.by_looks),
        "learner: looks and overlap": learnt_rules(data, loginum_features.by_looks_and_overlap),
    }


def measure_last_rules(data: Data, chosen: Chosen) -> list[Row]:
    """Return how often the rule that gives the answer is found."""
    return [
        Row(name, [float(p == e.last_rule) for p, e in zip(places, data.test, strict=True)])
        for name, places in chosen.items()
    ]


def _extreme(score: Score, best: Callable[[Iterable[float]], float], task: View) -> int:
    """Return the place of the rule with the best score, any of several."""
    scores = [score(rule) for rule in task.about]
    winning = best(scores)
    return task.random.choice([place for place, found in enumerate(scores) if found == winning])


def learnt_rules(data: Data, describe: Describe) -> list[int]:
    """Let a learner of each column choose."""
    chosen = [0] * len(data.test)
    for column, numbers in data.columns.items():
        known = [example for example in shuffled(data.train) if example.column == column]
        weights = train(
            encode(describe(e.view, e.view.about) for e in known), [e.last_rule for e in known]
        )
        tested = [data.test[number].view for number in numbers]
        places = choose(encode(describe(task, task.about) for task in tested), weights)
        for number, place in zip(numbers, places, strict=True):
            chosen[number] = place
    return chosen
