"""What cheap strategies earn on LogiNumSynth tasks, as Markdown tables.

    python benchmarks/shortcuts/loginum.py [--tasks 200] [--train 400] [--presets EL-EN HL-HN]

Each strategy sees what a prompt shows and names a number, or writes steps, without deducing
anything; the completions go through the real reward functions. What a guess can earn is the
share of the commonest answer in training. A figure in bold type lies above it by more than noise,
given how many figures there are. What is marked as structural looks at the rules about the query's
attribute: a glance that is part of the work. Learners are logistic regressions over all options of
a task, of which the likeliest is chosen.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import loginum_steps
import loginum_strategies
from common import Answers, Example, Row, columns_of, learn, report, rows_of
from loginum_strategies import View, answer, entities_of, name_of, numbers_in, shape, values_in
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards.engines.numeric.syntax import Assignment, RelationFact, Rule

LOGINUM = family("loginum")
Examples = Sequence[Example]
PRESETS = ("EL-EN", "EL-HN", "HL-EN", "HL-HN", "exHL-HN", "EL-Train", "EN-Train")


def make(preset: str | None, count: int, split: str) -> list[Example]:
    """Make tasks of each level of the ladder, or of each depth of a preset."""
    found = []
    for level, seed in product(LOGINUM.levels(preset), range(count)):
        task = generate("loginum", level, seed, split=split, preset=preset)
        view = loginum_strategies.view_of(task)
        found.append(Example(task, view, preset or LOGINUM.tiers[task.level - 1]))
    return found


def last_rule(example: Example) -> Rule:
    """Return the rule that gives the answer."""
    rule: Rule = example.view.rules[example.task.verification["steps"][-1]["rule"] - 1]
    return rule


def answer_of(example: Example) -> int:
    return int(example.task.verification["answer"])


def kind(example: Example) -> tuple[str, int]:
    """Return column and level; tasks of one kind have one best constant answer."""
    return example.column, example.task.level


Features = dict[str, int]  # name of what is seen of an option → how often


def sign_and_bits(number: int) -> str:
    return f"{'-' if number < 0 else '+'}{abs(number).bit_length()}"


def describe_numbers(task: View) -> dict[int, Features]:
    """Describe each number of the text by where it stands, how often and how large it is."""
    places: dict[int, list[str]] = {number: [] for number in task.numbers}
    for kind, patterns in (("fact", values_in(task.facts)), ("condition", task.required)):
        for entity, attribute, value in patterns:
            same = (attribute == task.query.attribute, entity == task.query.entity)
            places[value].append(f"{kind} of queried attribute, entity: {same}")
    for conclusion in (rule.conclusion for rule in task.rules):
        if isinstance(conclusion, Assignment):
            found, kind = numbers_in(conclusion.expression), type(conclusion.expression).__name__
            queried = conclusion.attribute == task.query.attribute
            for place, number in enumerate(found):
                places[number].append(f"{kind} {place} of {len(found)}, queried: {queried}")
    counts, order = Counter(task.numbers), sorted(places)
    for number, seen in places.items():
        rank = order.index(number)
        seen += [
            f"size {sign_and_bits(number)}",
            f"exactly {number}" if abs(number) <= 100 else "beyond 100",
            f"count {min(counts[number], 5)}",
            f"rank {10 * rank // len(order)}",
            "largest" * (rank == len(order) - 1) or "smallest" * (rank == 0) or "inner",
        ]
    return {number: Counter(seen) for number, seen in places.items()}


def looks(task: View, rule: Rule) -> list[str]:
    """Describe a rule by itself and by its place."""
    conditions, expression = rule.conditions, rule.conclusion[2]
    kinds = sorted("relation" if isinstance(p, RelationFact) else "value" for p in conditions)
    values = [pattern.value for pattern in values_in(conditions)]
    inner = [str(getattr(expression, side, "")).count("[") for side in ("left", "right")]
    return [
        f"conditions {' '.join(kinds)}",
        f"{len(kinds)} conditions",
        f"{len({name for p in conditions for name in entities_of(p)})} variables",
        f"{len(str(rule)) // 8} eights of signs",
        f"tenth {10 * task.rules.index(rule) // len(task.rules)}",
        f"{len(rule.lookups())} lookups",
        f"{type(expression).__name__} {getattr(expression, 'operator', '')} {inner}",
        *(f"condition size {sign_and_bits(value)}" for value in values),
        f"largest condition {max((abs(v).bit_length() for v in values), default=-1)}",
        *(f"conclusion size {sign_and_bits(number)}" for number in numbers_in(rule.conclusion)),
    ]


def looks_and_overlap(task: View, rule: Rule) -> list[str]:
    """Describe also how a rule's attributes, relations and numbers recur in facts and rules."""
    facts, others = {shape(f) for f in task.facts}, [r for r in task.rules if r is not rule]
    words = Counter(map(name_of, task.facts))
    concluded = Counter(name_of(other.conclusion) for other in others)
    required = Counter(shape(p) for other in others for p in other.conditions)
    own = [name_of(p) for p in rule.conditions]
    known = sum(shape(p) in facts for p in rule.conditions)
    found = [*looks(task, rule), f"{known} of {len(own)} conditions like facts"]
    for p in rule.conditions:
        name = name_of(p)
        found += [
            f"word in {min(words[name], 3)} facts",
            f"word concluded {min(concluded[name], 3)} times, like a fact: {shape(p) in facts}",
            f"same condition in {min(required[shape(p)], 3)} other rules",
        ]
    for _, attribute in rule.lookups():
        found += [
            f"lookup in {min(words[attribute], 3)} facts",
            f"lookup concluded {min(concluded[attribute], 3)} times",
            f"lookup in own conditions: {attribute in own}",
        ]
    mine = {shape(fact) for fact in task.facts if task.query.entity in entities_of(fact)}
    return [*found, f"{sum(shape(p) in mine for p in rule.conditions)} of query's entity"]


def new_learner() -> Any:
    return make_pipeline(DictVectorizer(), Normalizer(), LogisticRegression(C=10, max_iter=500))


def learnt_rules(
    see: Callable[[View, Rule], list[str]], train: Examples, test: Examples
) -> list[Rule]:
    """Return the rule of each test task that a learner chooses."""

    def describe(task: View) -> list[tuple[Rule, Features]]:
        return [(rule, Counter(see(task, rule))) for rule in task.candidates]

    return learn(new_learner, describe, last_rule, train, test)


def answer_table(train: Examples, test: Examples, learnt: Mapping[str, list[Rule]]) -> str:
    """Return a table of what numbers earn that no deduction has found."""
    answers: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for example in train:
        answers[kind(example)][answer_of(example)] += 1
    common = {key: found.most_common(1)[0] for key, found in answers.items()}
    constant = [common[kind(example)][0] for example in test]
    written: list[Answers] = [
        ("the commonest answer in training", map(answer, constant), "superficial")
    ]
    for group, picks in loginum_strategies.PICKS.items():
        for name, pick in picks.items():
            written.append((name, [answer(pick(example.view)) for example in test], group))
    likeliest = learn(new_learner, lambda t: describe_numbers(t).items(), answer_of, train, test)
    written.append(("learner: numbers of the text", map(answer, likeliest), "structural"))
    for name, rules in learnt.items():
        views = (example.view for example in test)
        texts = map(answer, map(loginum_strategies.compute, rules, views))
        written.append((f"the rule of {name}, with values from conditions", texts, "structural"))
    chances = [common[kind(e)][1] / answers[kind(e)].total() for e in test]
    rows = rows_of("loginum_reward", test, written)
    return report(columns_of(test), rows, Row("commonest answer", chances))


def step_table(train: Examples, test: Examples) -> str:
    """Return what written steps earn."""
    solutions = {kind(example): example.task.solution for example in train}
    written = [
        (name, [write(example.view) for example in test], group)
        for group, writers in loginum_steps.WRITERS.items()
        for name, write in writers.items()
    ]
    copied = [solutions[kind(example)] for example in test]
    written.append(("a training task's solution", copied, "superficial"))
    rows = rows_of("loginum_process_reward", test, written)
    return report(columns_of(test), rows, Row("nothing", [0.0] * len(test)))


def rule_table(test: Examples, learnt: Mapping[str, list[Rule]]) -> str:
    """Return a table of how often each strategy finds the rule that gives the answer."""
    rules = loginum_strategies.RULES
    chosen = {name: [pick(e.view) for e in test] for name, pick in rules.items()}
    rows = [
        Row(name, [float(r is last_rule(e)) for r, e in zip(rules, test, strict=True)])
        for name, rules in {**chosen, **learnt}.items()
    ]
    chances = [1 / len(example.view.candidates) for example in test]
    return report(columns_of(test), rows, Row("one at random", chances))


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogiNumSynth tasks.")
    parser.add_argument("--presets", nargs="*", default=PRESETS)
    parser.add_argument("--tasks", type=int, default=200, help="test tasks per level or depth")
    parser.add_argument("--train", type=int, default=400, help="training tasks per level or depth")
    arguments = parser.parse_args()
    for title, columns in (("Ladder", [None]), ("Presets", arguments.presets)):
        if columns:
            train = [e for column in columns for e in make(column, arguments.train, "train")]
            test = [e for column in columns for e in make(column, arguments.tasks, "test")]
            seen = {"looks": looks, "looks and overlap": looks_and_overlap}
            learnt = {f"learner: {n}": learnt_rules(see, train, test) for n, see in seen.items()}
            print(f"## {title}\n", flush=True)
            print(f"### answers\n\n{answer_table(train, test, learnt)}\n", flush=True)
            print(f"### steps\n\n{step_table(train, test)}\n", flush=True)
            print(f"### rules\n\n{rule_table(test, learnt)}\n", flush=True)


if __name__ == "__main__":
    main()
