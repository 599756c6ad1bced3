"""Strategies that search for rules: greedy lists, short conjunctions, a trained choice."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from option_learner import Features, Vector, choose, encode, train
from slr_conditions import (
    Short,
    count_bits,
    groups_of,
    label_mask,
    presence,
    short_conjunctions,
    signed,
    truth_of,
)
from slr_memory import with_exceptions
from slr_shown import Condition, Conjunction, Shown, Writer, read_examples

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Strategy = Callable[[Shown], str]

LONGEST_LIST = 40
"""Conditions of a decision list at most."""
OPTIONS = 60
"""Conjunctions that the trained choice looks at for each task."""


def never(writer: Writer) -> str:
    return f"{writer.head}(T) :- {writer.has}(T, C), {writer.has}(C, T)."


# ------------------------------------------------------------------------- greedy lists


def greedy_cover(shown: Shown) -> str:
    """Cover the positives by conjunctions of up to three values that no negative has."""
    writer = shown.writer
    steps = _greedy(shown, negated=False, both_classes=False)
    clauses = [writer.rule((condition,)) for condition, _ in steps]
    return "\n".join(clauses) or never(writer)


def decision_list(shown: Shown) -> str:
    return _write_list(shown.writer, _greedy(shown, negated=False, both_classes=True))


def negated_list(shown: Shown) -> str:
    return _write_list(shown.writer, _greedy(shown, negated=True, both_classes=True))


def _write_list(writer: Writer, steps: Sequence[tuple[Condition, bool]]) -> str:
    """Write a clause for each condition; the first that is met decides."""
    clauses = []
    for condition, positive in steps:
        end = "!" if positive else "!, fail"
        clauses.append(f"{writer.head}(T) :- {writer.condition(condition)}, {end}.")
    return "\n".join([*clauses, never(writer)])


def _greedy(shown: Shown, negated: bool, both_classes: bool) -> list[tuple[Condition, bool]]:
    """Take the condition that holds for the most of the rest, all of one class, time and again."""
    literals = shown.writer.literals
    groups = groups_of(
        shown.examples, signed(literals) if negated else literals, longest=2 if negated else 3
    )
    count = len(groups.places)
    everything = np.uint64((1 << len(shown.examples)) - 1)
    masks = np.concatenate([groups.masks] + [everything ^ groups.masks] * negated)
    positives = label_mask(shown.labels)
    rest = everything
    steps: list[tuple[Condition, bool]] = []
    while int(rest & positives) and len(steps) < LONGEST_LIST:
        met = masks & rest
        pure = (met & positives) == 0 if both_classes else np.zeros(len(met), dtype=bool)
        pure |= (met & ~positives) == 0
        coverage = np.where(pure, count_bits(met & (everything if both_classes else positives)), 0)
        best = int(np.argmax(coverage))
        if not coverage[best]:
            break
        positive = bool(met[best] & positives)
        steps.append((groups.condition(best % count, best < count), positive))
        rest &= ~masks[best] if both_classes else ~(masks[best] & positives)
    return steps


# ------------------------------------------------------------------- short conjunctions


def shortest(shown: Shown) -> str:
    """Pick one of the shortest conjunctions of at most two values that fit, at random."""
    found = shortest_conjunctions(shown.positives, shown.negatives, 2)
    if not found:
        return never(shown.writer)
    chosen = random.Random(repr(shown.examples)).choice(found)
    writer = shown.writer
    goals = []
    for number, group in enumerate(chosen):
        part = f"C{number}"
        goals.append(f"{writer.has}(T, {part})")
        goals += [f"{writer.names[at]}({part}, {value})" for at, value in group]
    return f"{writer.head}(T) :- {', '.join(goals)}."


def shortest_signed(shown: Shown) -> str:
    """Pick one of the shortest conjunctions, negation included."""
    short = short_conjunctions(shown)
    fitting = np.flatnonzero(short.masks == label_mask(shown.labels))
    if not len(fitting):
        return never(shown.writer)
    lengths = short.lengths[fitting]
    choices = fitting[lengths == lengths.min()]
    chosen = random.Random(repr(shown.examples)).choice(choices.tolist())
    return shown.writer.rule(short.conjunction(chosen))


def half_of_the_trains(shown: Shown) -> str:
    """Pick a short condition that half of the trains shown meet, without looking at labels."""
    short = short_conjunctions(shown)
    half = count_bits(short.masks) * 2 == len(shown.examples)
    lengths = np.where(half, short.lengths, 3)
    choices = np.flatnonzero(lengths == lengths.min())
    chosen = random.Random(repr(shown.examples)).choice(choices.tolist())
    return shown.writer.rule(short.conjunction(chosen))


def nearly_right(shown: Shown) -> str:
    """Take the short conjunction that is right most often, and remember the exceptions."""
    short = short_conjunctions(shown)
    wrong = short.masks ^ label_mask(shown.labels)
    errors = count_bits(wrong)
    choices = np.flatnonzero(errors == errors.min())
    lengths = short.lengths[choices]
    chosen = random.Random(repr(shown.examples)).choice(choices[lengths == lengths.min()].tolist())
    right = [not int(wrong[chosen]) >> at & 1 for at in range(len(shown.examples))]
    guess = ", ".join(map(shown.writer.condition, short.conjunction(chosen)))
    return with_exceptions(shown, guess, right)


def fits_some(shown: Shown) -> bool:
    """Tell whether some conjunction of at most two values fits."""
    return bool(shortest_conjunctions(shown.positives, shown.negatives, 2))


# ----------------------------------------------------------------------- trained choice


@dataclass(frozen=True, eq=False)
class Choice:
    """Conjunctions for one task, with what is seen of each."""

    writer: Writer
    rules: tuple[Conjunction, ...]
    features: tuple[Features, ...]


@dataclass(frozen=True)
class Trained:
    """A learner that picks one of several conjunctions."""

    weights: Vector
    by_labels: bool
    """Whether it looks at the labels; else at the prompt without them."""

    def answers(self, tasks: Sequence[Shown]) -> list[str]:
        """Return an answer to each task."""
        choices = [options(shown, self.by_labels) for shown in tasks]
        picked = choose(encode(choice.features for choice in choices), self.weights)
        return [
            choice.writer.rule(choice.rules[at]) for choice, at in zip(choices, picked, strict=True)
        ]


def options(shown: Shown, by_labels: bool) -> Choice:
    """Return the best conjunctions by the labels, or any, with their features."""
    short = short_conjunctions(shown)
    rng = random.Random(repr(shown.examples))
    positives = label_mask(shown.labels)
    if by_labels:
        errors = count_bits(short.masks ^ positives)
        order = sorted(range(len(errors)), key=lambda i: (errors[i], rng.random()))
        chosen = order[:OPTIONS]
        rivals = int(np.sum(errors == errors[chosen[0]]))
    else:
        chosen, rivals = rng.sample(range(len(short.rules)), OPTIONS), 0
    features = tuple(_features(shown, short, index, by_labels, rivals) for index in chosen)
    return Choice(shown.writer, tuple(map(short.conjunction, chosen)), features)


def _features(shown: Shown, short: Short, index: int, by_labels: bool, rivals: int) -> Features:
    rule, count = short.conjunction(index), len(shown.examples)
    level = shown.writer.level.number
    shape = "&".join(
        ("some" if item.some else "none") + "".join("+-"[not of.holds] for of in item.literals)
        for item in rule
    )
    literals = [literal for condition in rule for literal in condition.literals]
    names = "&".join(sorted(shown.writer.names[literal.at] for literal in literals))
    found = [f"shape {shape}", f"at {level} {shape}", f"names {names}"]
    found += [f"{shown.writer.names[item.at]} {item.value} {item.holds}" for item in literals]
    mask = short.masks[index]
    if by_labels:
        wrong = int(count_bits(mask ^ label_mask(shown.labels)))
        found += [f"wrong {wrong}", f"wrong {wrong} {shape}", f"rivals {min(rivals, 8)} {shape}"]
    else:
        found.append(f"share {round(8 * int(count_bits(mask)) / count)} {shape}")
    return [(name, 1.0) for name in found]


def training_row(level: int, seed: int) -> tuple[tuple[tuple[Features, ...], int | None], ...]:
    """Make a training task; return the options of both learners and the place of the best one.

    The best is accepted and right on the most fresh examples; None if none is accepted.
    """
    task = generate("slr", level=level, seed=seed, split="train")
    shown, fresh = read_examples(task), read_examples(task, "heldout_program")
    rows = []
    for by_labels in (True, False):
        choice = options(shown, by_labels)
        right = _qualities(choice.rules, shown, fresh)
        best = int(np.argmax(right))
        rows.append((choice.features, best if right[best] >= 0 else None))
    return tuple(rows)


def _qualities(rules: Sequence[Conjunction], shown: Shown, fresh: Shown) -> list[float]:
    """Return the lesser share of a class that each rule gets right; -1 if it is not accepted."""
    literals = signed(shown.writer.literals)
    tables = [presence(shown.examples, literals), presence(fresh.examples, literals)]
    places = {literal: at for at, literal in enumerate(literals)}
    labels = np.array(fresh.labels)
    accepted = shown.task.verification.get("accepted")
    found = []
    for rule in rules:
        on_shown, on_fresh = (truth_of(rule, table, places) for table in tables)
        if accepted is not None:
            good = "".join("01"[int(bit)] for bit in on_fresh) in accepted
            worst = 1.0 if good else -1.0
        else:
            worst = min(float(np.mean(on_fresh[labels == of] == of)) for of in (True, False))
        fits = np.array_equal(on_shown, shown.labels) and worst >= LEAST_SHARE
        found.append(worst if fits else -1.0)
    return found


def train_choices(
    rows: Sequence[tuple[tuple[tuple[Features, ...], int | None], ...]],
) -> list[Trained]:
    """Train the learner that sees labels and the one that does not."""
    learners = []
    for at, by_labels in enumerate((True, False)):
        usable = [row[at] for row in rows if row[at][1] is not None]
        answers = [best for _, best in usable if best is not None]
        weights = train(encode(features for features, _ in usable), answers)
        learners.append(Trained(weights, by_labels))
    return learners


LISTS: dict[str, Strategy] = {
    "greedy cover of the positives": greedy_cover,
    "greedy decision list": decision_list,
    "greedy decision list with negation": negated_list,
    "the short conjunction that errs least, its errors remembered": nearly_right,
}
