"""Strategies that search for rules: greedy lists, short conjunctions, a trained choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from slr_memory import with_exceptions
from slr_rules import Condition, ShortRules, Shown, Strategy, groups_of, read_examples

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

LONGEST_LIST = 40
"""Conditions of a decision list at most."""
OPTIONS = 60
"""Conjunctions that the trained choice looks at for each task."""

Features = dict[str, float]


# ------------------------------------------------------------------------- greedy lists


def greedy_cover(shown: Shown) -> str:
    """Cover the positives by conjunctions of up to three values that no negative has."""
    steps = _greedy(shown, negated=False, both_classes=False)
    clauses = [shown.writer.rule((condition,)) for condition, _ in steps]
    return "\n".join(clauses) or shown.writer.never()


def decision_list(shown: Shown, negated: bool) -> str:
    """Write a clause for each condition; the first that is met decides."""
    writer, clauses = shown.writer, []
    for condition, positive in _greedy(shown, negated, both_classes=True):
        end = "!" if positive else "!, fail"
        clauses.append(f"{writer.head}(T) :- {writer.condition(condition)}, {end}.")
    return "\n".join([*clauses, writer.never()])


def _greedy(shown: Shown, negated: bool, both_classes: bool) -> list[tuple[Condition, bool]]:
    """Take the condition that holds for the most of the rest, all of one class, time and again.

    Without ``both_classes``, only positives are looked for, among all negatives.
    """
    literals = shown.writer.signed_literals if negated else shown.writer.literals
    groups = groups_of(shown.examples, literals, longest=2 if negated else 3)
    occurring = np.flatnonzero(groups.truth.any(axis=0))
    truth = groups.truth[:, occurring]
    if negated:
        truth = np.hstack([truth, ~truth])
    labels = np.array(shown.labels)
    rest = np.ones(len(labels), dtype=bool)
    steps: list[tuple[Condition, bool]] = []
    while (rest & labels).any() and len(steps) < LONGEST_LIST:
        hits = truth[rest & labels].sum(axis=0)
        misses = truth[rest & ~labels].sum(axis=0)
        coverage = np.where(misses == 0, hits, 0)
        if both_classes:
            coverage = np.where(hits == 0, misses, coverage)
        best = int(np.argmax(coverage))
        if not coverage[best]:
            break
        group = groups.literals[occurring[best % len(occurring)]]
        steps.append((Condition(group, best < len(occurring)), bool(hits[best])))
        rest &= ~truth[:, best] if both_classes else ~(truth[:, best] & labels)
    return steps


# ------------------------------------------------------------------- short conjunctions


def fits_some(shown: Shown) -> bool:
    """Tell whether some conjunction of at most two values fits."""
    return bool(shortest_conjunctions(shown.of_class(True), shown.of_class(False), 2))


def shortest(shown: Shown) -> str:
    """Pick one of the shortest conjunctions of at most two values that fit, at random."""
    writer = shown.writer
    found = shortest_conjunctions(shown.of_class(True), shown.of_class(False), 2)
    if not found:
        return writer.never()
    goals = []
    for number, group in enumerate(shown.rng().choice(found)):
        part = f"C{number}"
        goals.append(f"{writer.has}(T, {part})")
        goals += [f"{writer.names[at]}({part}, {value})" for at, value in group]
    return f"{writer.head}(T) :- {', '.join(goals)}."


def _pick(shown: Shown, rules: ShortRules, usable: npt.NDArray[np.bool_]) -> int | None:
    """Pick one of the shortest usable rules at random."""
    if not usable.any():
        return None
    lengths = np.where(usable, rules.lengths, 3)
    return int(shown.rng().choice(np.flatnonzero(lengths == lengths.min()).tolist()))


def shortest_signed(shown: Shown) -> str:
    """Pick one of the shortest conjunctions, negation included."""
    rules = ShortRules.over(shown.writer, shown.examples)
    picked = _pick(shown, rules, _errors(shown, rules) == 0)
    return shown.writer.never() if picked is None else shown.writer.rule(rules.conjunction(picked))


def half_of_the_trains(shown: Shown) -> str:
    """Pick a short condition that half of the trains shown meet, without looking at labels."""
    rules = ShortRules.over(shown.writer, shown.examples)
    picked = _pick(shown, rules, rules.truth.sum(axis=0) * 2 == len(shown.examples))
    return shown.writer.rule(rules.conjunction(0 if picked is None else picked))


def nearly_right(shown: Shown) -> str:
    """Take the short conjunction that is right most often, and remember the exceptions."""
    rules = ShortRules.over(shown.writer, shown.examples)
    errors = _errors(shown, rules)
    picked = _pick(shown, rules, errors == errors.min())
    assert picked is not None
    guess = ", ".join(map(shown.writer.condition, rules.conjunction(picked)))
    return with_exceptions(shown, guess, (rules.truth[:, picked] == shown.labels).tolist())


def _errors(shown: Shown, rules: ShortRules) -> npt.NDArray[np.intp]:
    """Count for each rule the examples shown that it gets wrong."""
    count = len(shown.examples)
    return np.asarray((rules.truth[:count] != np.array(shown.labels)[:, None]).sum(axis=0))


# ----------------------------------------------------------------------- trained choice


@dataclass(frozen=True)
class Trained:
    """A learner that picks one of several conjunctions: logistic regression over the options."""

    model: Any
    by_labels: bool
    """Whether it looks at the labels; else at the prompt without them."""

    def answers(self, tasks: Sequence[Shown]) -> list[str]:
        """Return an answer to each task."""
        answers = []
        for shown in tasks:
            rules = ShortRules.over(shown.writer, shown.examples)
            places, features = options(shown, rules, self.by_labels)
            best = int(np.argmax(self.model.decision_function(features)))
            answers.append(shown.writer.rule(rules.conjunction(places[best])))
        return answers


def options(shown: Shown, rules: ShortRules, by_labels: bool) -> tuple[list[int], list[Features]]:
    """Return the best conjunctions by the labels, or any, with what is seen of each."""
    rng, rivals = shown.rng(), 0
    errors = _errors(shown, rules)
    if by_labels:
        chosen = sorted(range(len(errors)), key=lambda i: (errors[i], rng.random()))[:OPTIONS]
        rivals = int(np.sum(errors == errors[chosen[0]]))
    else:
        chosen = rng.sample(range(len(errors)), OPTIONS)
    count = len(shown.examples)
    features = []
    for index in chosen:
        share = round(8 * int(rules.truth[:count, index].sum()) / count)
        wrong = int(errors[index])
        seen = (wrong, rivals) if by_labels else (share,)
        features.append(_features(shown, rules, index, seen))
    return chosen, features


def _features(shown: Shown, rules: ShortRules, index: int, seen: tuple[int, ...]) -> Features:
    """Name what is seen of a rule: its shape, its words, and errors and rivals or a share."""
    rule, names = rules.conjunction(index), shown.writer.names
    shape = "&".join(
        ("some" if item.some else "none") + "".join("+-"[not of.holds] for of in item.literals)
        for item in rule
    )
    literals = [literal for condition in rule for literal in condition.literals]
    words = "&".join(sorted(names[literal.at] for literal in literals))
    found = [f"shape {shape}", f"at {shown.writer.level.number} {shape}", f"names {words}"]
    found += [f"{names[item.at]} {item.value} {item.holds}" for item in literals]
    if len(seen) == 2:
        wrong, rivals = seen
        found += [f"wrong {wrong}", f"wrong {wrong} {shape}", f"rivals {min(rivals, 8)} {shape}"]
    else:
        found.append(f"share {seen[0]} {shape}")
    return dict.fromkeys(found, 1.0)


TrainingRow = list[tuple[list[Features], int | None]]
"""For both learners what is seen of a task's options, and the place of the best one."""


def training_row(level: int, seed: int) -> TrainingRow:
    """Make a training task; the best option is accepted and right on the most fresh examples."""
    task = generate("slr", level=level, seed=seed, split="train")
    shown, fresh = read_examples(task), read_examples(task, "heldout_program")
    rules = ShortRules.over(shown.writer, [*shown.examples, *fresh.examples])
    row: TrainingRow = []
    for by_labels in (True, False):
        places, features = options(shown, rules, by_labels)
        right = _qualities(shown, fresh, rules, places)
        best = int(np.argmax(right))
        row.append((features, best if right[best] >= 0 else None))
    return row


def _qualities(shown: Shown, fresh: Shown, rules: ShortRules, places: Sequence[int]) -> list[float]:
    """Return the lesser share of a class that each rule gets right; -1 if it is not accepted."""
    labels, errors = np.array(fresh.labels), _errors(shown, rules)
    accepted = shown.task.verification.get("accepted")
    found = []
    for place in places:
        outcomes = rules.truth[len(shown.examples) :, place]
        if accepted is not None:
            worst = float("".join("01"[int(bit)] for bit in outcomes) in accepted)
        else:
            worst = min(float(np.mean(outcomes[labels == of] == of)) for of in (True, False))
        found.append(worst if errors[place] == 0 and worst >= LEAST_SHARE else -1.0)
    return found


def train_choices(rows: Sequence[TrainingRow]) -> list[Trained]:
    """Train the learner that sees labels and the one that does not."""
    learners = []
    for at, by_labels in enumerate((True, False)):
        usable = [row[at] for row in rows if row[at][1] is not None]
        features = [option for choices, _ in usable for option in choices]
        is_best = [place == best for choices, best in usable for place in range(len(choices))]
        model = make_pipeline(
            DictVectorizer(), LogisticRegression(class_weight="balanced", max_iter=1_000)
        )
        learners.append(Trained(model.fit(features, is_best), by_labels))
    return learners


LISTS: dict[str, Strategy] = {
    "greedy cover of the positives": greedy_cover,
    "greedy decision list": partial(decision_list, negated=False),
    "greedy decision list with negation": partial(decision_list, negated=True),
    "the short conjunction that errs least, its errors remembered": nearly_right,
}
