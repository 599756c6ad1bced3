"""What the shortcuts of all families share: constants, learners, what is paid, and the table.

A family's file says what a strategy sees of a task, what it answers, and by which features learners
tell a task's options apart. :func:`main` makes the tasks, judges all answers by the real reward
function, and prints a table. A figure in bold type is a shortcut's: it lies above chance by more
than noise, given how many figures there are.
"""

import argparse
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.stats import binom
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, Normalizer

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards import REWARDS

FIRST_TEST_SEED = 5_000_000  # no other program of the repository starts there
SAMPLE = 50  # constant answers of a level that compete, and training tasks on which they do
LEAST_TRAIN = 10  # training tasks of a level
DENSE = 300  # features that gradient boosting looks at, those that tell most by themselves
ERROR_RATE = 0.01  # probability that any figure of a table is called above chance although none is
LEAST_CHANCE = 0.01  # even where no constant is ever right


@dataclass(frozen=True)
class Example:
    """A task, what a strategy sees of it, and the column of the table that it belongs to."""

    task: Task
    view: Any
    column: str


class Option(NamedTuple):
    """An answer that a learner may choose."""

    answer: str
    features: Mapping[str, float]  # what is seen of it; none is negative
    right: bool


Examples = Sequence[Example]
Answer = Callable[[Any], str]  # of a view
Options = Callable[[Example], Sequence[Option]]


@dataclass(frozen=True)
class Shortcuts:
    """The strategies for a kind of task, by name.

    A name that ends in brackets, such as "(structural)", is of one that does a part of the work;
    all others are shortcuts.
    """

    family: str
    reward: str
    view: Callable[[Task], Any]
    strategies: Mapping[str, Answer] = field(default_factory=dict)
    options: Mapping[str, Options] = field(default_factory=dict)
    """What learners see: the options of a task."""
    trained: Mapping[str, Callable[[Examples], Answer]] = field(default_factory=dict)
    """Strategies that are made of training tasks."""
    chance: float | None = None  # None: what the best constant of the level earns in training
    by_level: bool = False  # whether each level has a column, or each tier
    task_options: Mapping[str, Any] = field(default_factory=dict)


LEARNERS: Mapping[str, Callable[[], Any]] = {
    "nearest neighbours": lambda: make_pipeline(
        DictVectorizer(), MaxAbsScaler(), Normalizer(), KNeighborsClassifier(15)
    ),
    "naive Bayes": lambda: make_pipeline(DictVectorizer(), MaxAbsScaler(), MultinomialNB()),
    "logistic regression": lambda: make_pipeline(
        DictVectorizer(), MaxAbsScaler(), LogisticRegression(C=0.3, max_iter=2000)
    ),
    "gradient boosting": lambda: make_pipeline(
        DictVectorizer(),
        SelectKBest(k=DENSE),
        FunctionTransformer(csr_matrix.toarray, accept_sparse=True),
        HistGradientBoostingClassifier(max_iter=60, random_state=0),
    ),
}
"""Name → a new classifier of features."""


def choose(
    learner: str, known: Iterable[Sequence[Option]], asked: Sequence[Sequence[Option]]
) -> list[str]:
    """Return the option of each task that a learner finds most probably right."""
    flat = [option for options in known for option in options]
    model = LEARNERS[learner]().fit([o.features for o in flat], [o.right for o in flat])
    rates = model.predict_proba([o.features for options in asked for o in options])[:, 1]
    parts = np.split(rates, np.cumsum([len(options) for options in asked])[:-1])
    return [
        options[int(np.argmax(part))].answer for options, part in zip(asked, parts, strict=True)
    ]


def by_column(train: Examples, test: Examples) -> Iterator[tuple[list[Example], list[int]]]:
    """Yield the training tasks of each column, with the places of its test tasks."""
    for column in dict.fromkeys(example.column for example in test):
        places = [place for place, example in enumerate(test) if example.column == column]
        yield [example for example in train if example.column == column], places


def learnt(options: Options, train: Examples, test: Examples) -> dict[str, list[str]]:
    """Return each learner's answers to the test tasks, trained on the tasks of their column."""
    answers = {learner: [""] * len(test) for learner in LEARNERS}
    for own, places in by_column(train, test):
        known, asked = list(map(options, own)), [options(test[place]) for place in places]
        for learner, texts in answers.items():
            for place, text in zip(places, choose(learner, known, asked), strict=True):
                texts[place] = text
    return answers


def most_similar(train: Examples, test: Examples) -> list[Example]:
    """Return for each test task the training task whose prompt has most words in common."""
    found = list(test)
    for own, places in by_column(train, test):
        counter = CountVectorizer(token_pattern=r"\S+")
        known = counter.fit_transform([example.task.prompt for example in own])
        asked = counter.transform([test[place].task.prompt for place in places])
        index = NearestNeighbors(n_neighbors=1, metric="cosine").fit(known)
        nearest = index.kneighbors(asked, return_distance=False)[:, 0]
        for place, other in zip(places, nearest, strict=True):
            found[place] = own[int(other)]
    return found


def pay(reward: str, answers: Iterable[str], examples: Examples) -> list[float]:
    """Return what a reward function pays; 0 for what it can't grade."""
    payloads = [example.task.verification for example in examples]
    return [paid or 0.0 for paid in REWARDS[reward](list(answers), verification=payloads)]


def best_constant(
    reward: str, train: Examples, test: Examples, options: Mapping[str, Any]
) -> tuple[list[str], list[float]]:
    """Return the answer that earns most on training tasks of each level, and what it earns."""
    best: dict[tuple[str, int], tuple[float, str]] = {}
    for key in dict.fromkeys((example.column, example.task.level) for example in test):
        own = [e for e in train if (e.column, e.task.level) == key][:SAMPLE]
        texts = family(own[0].task.family).constant_answers(key[1], options)[:SAMPLE]
        best[key] = max((fmean(pay(reward, [text] * len(own), own)), text) for text in texts)
    found = [best[example.column, example.task.level] for example in test]
    return [text for _, text in found], [rate for rate, _ in found]


def answers_of(
    shortcuts: Shortcuts, train: Examples, test: Examples
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name and the answers of each strategy but for the best constant."""
    yield "empty answer", [""] * len(test)
    yield "echo of the prompt", [example.task.prompt for example in test]
    solutions = [example.task.solution for example in most_similar(train, test)]
    yield "solution of the most similar training task", solutions
    for name, strategy in shortcuts.strategies.items():
        yield name, [strategy(example.view) for example in test]
    for name, strategy_of in shortcuts.trained.items():
        strategy = strategy_of(train)
        yield name, [strategy(example.view) for example in test]
    for name, options in shortcuts.options.items():
        for learner, texts in learnt(options, train, test).items():
            yield f"{learner}: {name}", texts


def make(
    shortcuts: Shortcuts,
    split: str,
    first: int,
    count: int,
    levels: Sequence[int],
    options: Mapping[str, Any],
) -> list[Example]:
    """Make tasks of all levels, on all cores; with equal contents only the first is kept."""
    known = family(shortcuts.family)
    preset = options.get("preset")
    pairs = product(levels or known.levels(preset), range(first, first + count))
    one = partial(generate, shortcuts.family, split=split, **options)
    with ProcessPoolExecutor() as pool:
        tasks = list(pool.map(one, *zip(*pairs, strict=True), chunksize=20))
    distinct = {known.fingerprint(task): task for task in reversed(tasks)}
    examples = []
    for task in reversed(distinct.values()):
        column = f"level {task.level}" if shortcuts.by_level else preset or known.tier(task.level)
        examples.append(Example(task, shortcuts.view(task), str(column)))
    return examples


def table(shortcuts: Shortcuts, train: Examples, test: Examples, options: Mapping[str, Any]) -> str:
    """Return what all strategies earn by column, as a Markdown table."""
    texts, rates = best_constant(shortcuts.reward, train, test, options)
    chances = rates if shortcuts.chance is None else [shortcuts.chance] * len(test)
    columns = {test[places[0]].column: places for _, places in by_column(train, test)}
    if len(columns) > 1:
        columns = {"all": list(range(len(test))), **columns}
    best = ("best constant answer of a level in training", texts)
    given = [best, *answers_of(shortcuts, train, test)]
    chance = [fmean(chances[place] for place in places) for places in columns.values()]
    lines = [["*chance*", *(f"{rate:.3f}" for rate in chance)]]
    for name, answers in given:
        paid, cells = pay(shortcuts.reward, answers, test), []
        for places, rate in zip(columns.values(), chance, strict=True):
            error = ERROR_RATE / len(given) / len(columns)
            bound = binom.isf(error, len(places), max(rate, LEAST_CHANCE)) / len(places)
            mean = fmean(paid[place] for place in places)
            is_shortcut = mean > bound and not name.endswith(")")
            cells.append(f"**{mean:.3f}**" if is_shortcut else f"{mean:.3f}")
        lines.append([name, *cells])
    header = ["strategy", *(f"{name} ({len(places)})" for name, places in columns.items())]
    return markdown_table(header, lines)


def main(kinds: Mapping[str, Shortcuts]) -> None:
    """Run the strategies for kinds of tasks on fresh ones, and print a table for each kind."""
    warnings.filterwarnings("ignore", module="sklearn")  # features that are constant or few
    parser = argparse.ArgumentParser(description="Judge cheap strategies on fresh tasks.")
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=list(kinds))
    parser.add_argument("--levels", nargs="+", type=int, default=[], help="all by default")
    parser.add_argument("--presets", nargs="+", default=[""], help="in place of the ladder")
    parser.add_argument("--tasks", type=int, default=100, help="test tasks of each level")
    parser.add_argument("--train", type=int, default=400, help="training tasks of each level")
    given = parser.parse_args()
    if given.train < LEAST_TRAIN:
        parser.error(f"--train {given.train}: learners take {LEAST_TRAIN} tasks of a level or more")
    for kind, preset in product(given.kinds, given.presets):
        shortcuts = kinds[kind]
        options = {**shortcuts.task_options, **({"preset": preset} if preset else {})}
        try:
            train = make(shortcuts, "train", 0, given.train, given.levels, options)
        except ValueError as error:  # a level or a preset that the family lacks
            parser.error(str(error))
        test = make(shortcuts, "test", FIRST_TEST_SEED, given.tasks, given.levels, options)
        print(f"## {kind}{preset and f', {preset}'}\n\n{len(train):,} training tasks\n")
        print(f"{table(shortcuts, train, test, options)}\n", flush=True)
