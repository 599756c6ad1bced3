"""What trying rules in turn earns, where a model may submit several answers to an SLR task.

    python benchmarks/shortcuts/slr_submissions.py --levels 1 4 8 13 20 --tasks 100

Each strategy plays the real environment: it submits a rule, reads what the tool says, and goes on
until the rule is right on all examples shown or no submission is left. None reads the labels in
the prompt. "By heart" submits the same rules in the same order to every task of a level, chosen on
these very tasks, each as the one that most of those left are paid for. "By halves" submits short
conditions that half of the trains shown meet, and heeds what the tool told about single trains.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from statistics import fmean

import numpy as np
from common import markdown
from slr import FIRST_SEED
from slr_constants import fitting
from slr_rules import ShortRules, Shown, Truth, draw_tasks

from logic_curriculum.curriculum.integrations.trl_environment import (
    SubmitEnvironment,
    submission_reward,
)
from logic_curriculum.rewards import judge_batch

SETTINGS = ((1, 0.0), (2, 0.0), (2, 0.25), (2, 0.5), (3, 0.0), (3, 0.25), (3, 0.4))
"""How many submissions, and what each after the first costs."""
CANDIDATES = 300  # rules among which those to be known by heart are chosen
_TOLD = re.compile(r"examples right; (\w+) should be (\w+)")


class Game:
    """A task in its environment."""

    def __init__(self, shown: Shown, bound: int, cost: float) -> None:
        self.shown = shown
        self.environment = SubmitEnvironment(bound, cost)
        self.environment.reset(**shown.task.to_row(conversational=True))
        self.told: dict[str, bool] = {}  # train → whether it is positive, as the tool said

    def submit(self, rule: str) -> bool:
        """Submit a rule, and tell whether it is right on all examples shown."""
        said = self.environment.submit(rule)
        if found := _TOLD.search(said):
            self.told[found[1]] = found[2] == self.shown.task.verification["positive"]
        return "right on all" in said


def by_heart(tasks: Sequence[Shown]) -> list[str]:
    """Return rules to submit to all tasks, each the one that is paid most often of those left."""
    texts, pays = _paid_rules(tasks)
    order = []
    for _ in range(max(bound for bound, _ in SETTINGS)):
        best = int(pays.sum(axis=0).argmax())
        order.append(texts[best])
        pays = pays[~pays[:, best]]
    return order


def _paid_rules(tasks: Sequence[Shown]) -> tuple[list[str], Truth]:
    """Return the short rules that fit most tasks, and which tasks pay them, in hindsight."""
    writer = tasks[0].writer
    rules = ShortRules(writer, [example for shown in tasks for example in shown.examples])
    fits = fitting(tasks, rules.truth)
    common = np.argsort(-fits.sum(axis=0), kind="stable")[:CANDIDATES]
    texts = [writer.rule(rules.conjunction(int(index))) for index in common]
    pays = fits[:, common]
    places = np.argwhere(pays)
    answers = [texts[rule] for _, rule in places]
    verdicts = judge_batch("slr", answers, [tasks[at].task.verification for at, _ in places])
    pays[tuple(places.T)] = [verdict.solved for verdict in verdicts]
    return texts, pays


def by_halves(game: Game) -> Iterator[str]:
    """Yield short conditions that half of the trains meet and that agree with what was told."""
    shown, rng = game.shown, game.shown.rng()
    rules = ShortRules(shown.writer, shown.examples)
    halves = rules.truth.sum(axis=0) * 2 == len(shown.examples)
    while True:
        for name, label in game.told.items():
            halves = halves & (rules.truth[shown.names.index(name)] == label)
        left = np.flatnonzero(halves)
        if not len(left):
            return
        shortest = left[rules.lengths[left] == rules.lengths[left].min()]
        picked = rng.choice(shortest.tolist())
        halves[picked] = False
        yield shown.writer.rule(rules.conjunction(picked))


def play(game: Game, rules: Iterable[str]) -> None:
    """Submit rules until one is right on all examples shown, or none is taken any more."""
    for rule in islice(rules, game.environment.max_submissions):
        if game.submit(rule):
            break


def rows(level: int, count: int) -> dict[tuple[str, ...], float]:
    """Return what each strategy earns at a level, by bound and cost, and if failing were free."""
    tasks = draw_tasks(level, count, FIRST_SEED)
    order = by_heart(tasks)
    earned: dict[tuple[str, ...], float] = {}
    for name in ("by heart", "by halves"):
        for bound, cost in SETTINGS:
            games = [Game(shown, bound, cost) for shown in tasks]
            for game in games:
                play(game, order if name == "by heart" else by_halves(game))
            environments = [game.environment for game in games]
            rewards = submission_reward([""] * count, environments=environments)
            paid = [reward for reward in rewards if reward is not None]
            assert len(paid) == count
            title = (name, str(bound), f"{cost:g}")
            earned[(*title, "charged")] = fmean(paid)
            earned[(*title, "free")] = fmean(max(0.0, reward) for reward in paid)
    return earned


def main() -> None:
    parser = argparse.ArgumentParser(description="Try rules in turn.")
    parser.add_argument("--levels", nargs="+", type=int, default=[1, 4, 8, 13, 20])
    parser.add_argument("--tasks", type=int, default=100, help="test tasks per level")
    arguments = parser.parse_args()
    table = {level: rows(level, arguments.tasks) for level in arguments.levels}
    lines = [
        [*title, *(f"{column[title]:.2f}" for column in table.values())]
        for title in table[arguments.levels[0]]
        if title[3] == "charged" or title[2] != "0"
    ]
    header = ["strategy", "submissions", "cost", "failing is", *map(str, table)]
    print(markdown(header, lines, left=(0, 3)))


if __name__ == "__main__":
    main()
