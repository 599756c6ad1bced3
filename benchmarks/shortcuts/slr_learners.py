"""Strategies that learn from the examples shown: neighbours, votes, lists, a trained choice.

Each returns a Prolog text that is written for the judge's limits: 64 clauses, 20,000 characters.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import slr_rules
from common import choose, fit_choice
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.pipeline import make_pipeline
from slr_constants import with_exceptions
from slr_rules import Condition, Literal, ShortRules, Shown, Strategy, Truth, class_shares

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Numbers = npt.NDArray[np.int64]

PLACES = 100  # codes of values for each place of a part
CELLS = 960  # cells of memory that a clause of data may take
LONGEST_LIST = 40  # conditions of a decision list at most
OPTIONS = 60  # conjunctions that the trained choice looks at for each task


def nearest(shown: Shown, count: int, ordered: bool = False) -> str:
    """Decide as the nearest examples do: the fewest values that only one of both has."""
    writer, count = shown.writer, count if len(shown.examples) > count else 1
    codes = {literal: number for number, literal in enumerate(writer.literals)}
    place = writer.position
    usual = [(literal, number) for literal, number in codes.items() if literal.at != place]
    values = [f"value(C, {number}) :- {writer.literal(literal)}." for literal, number in usual]
    known = []
    for example, label in zip(shown.examples, shown.labels, strict=True):
        keys = {
            PLACES * int(part[place]) * ordered + codes[Literal(at, value)]
            for part in example
            for at, value in enumerate(part)
            if at != place
        }
        known.append(f"k({int(label)}, {len(keys)}, {sorted(keys)})")
    per_clause = CELLS // (3 * max(text.count(",") + 8 for text in known))
    chunks = (known[at : at + per_clause] for at in range(0, len(known), per_clause))
    clauses = [f"known(K) :- member(K, [{', '.join(chunk)}])." for chunk in chunks]
    labels = [f"L{number}" for number in range(count)]
    code = f"{writer.names[place]}(C, P), K is {PLACES} * P + V" if ordered else "K = V"
    rule = (
        f"{writer.head}(T) :- findall(K, ({writer.has}(T, C), value(C, V), {code}), Ks), "
        "sort(Ks, Own), findall(D-L, distance(Own, D, L), Ds), "
        f"msort(Ds, [{', '.join(f'_-{label}' for label in labels)}|_]), "
        f"{' + '.join(labels)} > {count // 2}.\n"
        "distance(Own, D, L) :- known(k(L, N, Its)), ord_subtract(Own, Its, New), "
        "length(New, M), D is N + 2 * M."
    )
    return "\n".join([rule, *values, *clauses])


def counts_of(shown: Shown) -> Numbers:
    """Count for each example the parts that have each literal."""
    literals = shown.writer.literals
    rows = [Counter(item for part in parts for item in enumerate(part)) for parts in shown.examples]
    return np.array([[row[item.at, item.value] for item in literals] for row in rows])


def _weighted(shown: Shown, weights: Numbers, test: str) -> str:
    """Sum a weight for each value of each part, and test the sum S."""
    writer = shown.writer
    pairs = zip(map(writer.literal, writer.literals), weights, strict=True)
    clauses = [f"weight(C, {int(weight)}) :- {literal}." for literal, weight in pairs if weight]
    head = f"{writer.head}(T) :- findall(W, ({writer.has}(T, C), weight(C, W)), Ws), "
    return "\n".join([f"{head}sum_list(Ws, S), {test}.", *(clauses or ["weight(_, 0)."])])


def votes(shown: Shown) -> str:
    """Let each value vote by its counts in the classes; the threshold fits the examples best."""
    counts = counts_of(shown)
    weights = np.where(shown.labels, 1, -1) @ counts
    sums = counts @ weights
    cuts = [int(value) for value in sorted({*sums, min(sums) - 1})]
    right = [int(np.sum((sums > cut) == np.array(shown.labels))) for cut in cuts]
    return _weighted(shown, weights, f"S > {cuts[int(np.argmax(right))]}")


def perceptron(shown: Shown) -> str:
    """Weigh the values until the examples are told apart."""
    model = Perceptron(max_iter=500, tol=None, shuffle=False).fit(counts_of(shown), shown.labels)
    return _weighted(shown, model.coef_[0], f"S > {-int(model.intercept_[0])}")


def parity(shown: Shown) -> str:
    """Solve for a set of values whose count is odd for one class and even for the other.

    By elimination over the field of two elements; the last column is the right side.
    """
    counts = counts_of(shown)
    rows = np.column_stack([np.ones(len(counts), dtype=np.int64), counts % 2, shown.labels])
    solution = np.zeros(rows.shape[1] - 1, dtype=np.int64)
    pivots: list[int] = []
    for column in range(len(solution)):
        below = np.flatnonzero(rows[len(pivots) :, column])
        if below.size:
            top, other = len(pivots), len(pivots) + below[0]
            rows[[top, other]] = rows[[other, top]]
            others = rows[:, column] == 1
            others[top] = False
            rows[others] ^= rows[top]
            pivots.append(column)
    solution[pivots] = rows[: len(pivots), -1]
    return _weighted(shown, solution[1:], f"{1 - int(solution[0])} =:= S mod 2")


def fitted_hash(shown: Shown) -> str:
    """Try sums of weighted value numbers, modulo 2 to 7, until one tells the examples apart."""
    rng = shown.rng()
    counts, labels = counts_of(shown), np.array(shown.labels)
    most, text = -1, ""
    for _ in range(4_000):
        modulus = rng.randint(2, 7)
        weights = np.array([rng.randrange(modulus) for _ in shown.writer.literals])
        sums = counts @ weights % modulus
        balance = np.bincount(sums, labels * 2 - 1, minlength=modulus)
        residues = [int(r) for r in np.flatnonzero(balance > 0)]
        right = int(np.sum(np.isin(sums, residues) == labels))
        if right > most:
            test = f"R is S mod {modulus}, memberchk(R, {residues})"
            most, text = right, _weighted(shown, weights, test)
        if right == len(labels):
            break
    return text


NEIGHBOURS: dict[str, Strategy] = {
    "nearest example": partial(nearest, count=1),
    "nearest example, place by place": partial(nearest, count=1, ordered=True),
    "three nearest examples": partial(nearest, count=3),
    "votes of attribute values": votes,
    "votes weighed until they fit": perceptron,
    "parity of attribute values that fits": parity,
    "hash of attribute values that fits": fitted_hash,
}


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
    groups, truth = slr_rules.groups_of(shown.examples, literals, longest=2 if negated else 3)
    occurring = np.flatnonzero(truth.any(axis=0))
    truth = truth[:, occurring]
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
        group = groups[occurring[best % len(occurring)]]
        steps.append((Condition(group, best < len(occurring)), bool(hits[best])))
        rest &= ~truth[:, best] if both_classes else ~(truth[:, best] & labels)
    return steps


def shortest(shown: Shown) -> str:
    """Pick one of the shortest conjunctions of at most two values that fit, at random."""
    writer, goals = shown.writer, []
    found = shortest_conjunctions(shown.of_class(True), shown.of_class(False), 2)
    if not found:
        return writer.never()
    for number, group in enumerate(shown.rng().choice(found)):
        goals.append(f"{writer.has}(T, C{number})")
        goals += [f"{writer.names[at]}(C{number}, {value})" for at, value in group]
    return f"{writer.head}(T) :- {', '.join(goals)}."


def _pick(shown: Shown, rules: ShortRules, usable: Truth) -> int:
    """Pick one of the shortest usable rules at random; the first rule where none is usable."""
    if not usable.any():
        return 0
    lengths = np.where(usable, rules.lengths, 3)
    return int(shown.rng().choice(np.flatnonzero(lengths == lengths.min()).tolist()))


def shortest_signed(shown: Shown) -> str:
    """Pick one of the shortest conjunctions that fit, negation included."""
    rules = ShortRules(shown.writer, shown.examples)
    return shown.writer.rule(rules.conjunction(_pick(shown, rules, _errors(shown, rules) == 0)))


def half_of_the_trains(shown: Shown) -> str:
    """Pick a short condition that half of the trains shown meet, without looking at labels."""
    rules = ShortRules(shown.writer, shown.examples)
    picked = _pick(shown, rules, rules.truth.sum(axis=0) * 2 == len(shown.examples))
    return shown.writer.rule(rules.conjunction(picked))


def nearly_right(shown: Shown) -> str:
    """Take the short conjunction that is right most often, and remember the exceptions."""
    rules = ShortRules(shown.writer, shown.examples)
    errors = _errors(shown, rules)
    picked = _pick(shown, rules, errors == errors.min())
    guess = ", ".join(map(shown.writer.condition, rules.conjunction(picked)))
    return with_exceptions(shown, guess, (rules.truth[:, picked] == shown.labels).tolist())


def _errors(shown: Shown, rules: ShortRules) -> npt.NDArray[np.intp]:
    """Count for each rule the examples shown that it gets wrong."""
    count = len(shown.examples)
    return np.asarray((rules.truth[:count] != np.array(shown.labels)[:, None]).sum(axis=0))


LISTS: dict[str, Strategy] = {
    "greedy cover of the positives": greedy_cover,
    "greedy decision list": partial(decision_list, negated=False),
    "greedy decision list with negation": partial(decision_list, negated=True),
    "the short conjunction that errs least, its errors remembered": nearly_right,
}


Features = dict[str, float]
TrainingRow = list[tuple[list[Features], int | None]]
"""For both learners what is seen of a task's options, and the place of the best one."""


def _answer(model: Any, by_labels: bool, shown: Shown) -> str:
    """Write the rule that is most probably right."""
    rules = ShortRules(shown.writer, shown.examples)
    places, features = options(shown, rules, by_labels)
    return shown.writer.rule(rules.conjunction(places[choose(model, features)]))


def options(shown: Shown, rules: ShortRules, by_labels: bool) -> tuple[list[int], list[Features]]:
    """Return the best conjunctions by the labels, or any, with what is seen of each."""
    rng, errors, count = shown.rng(), _errors(shown, rules), len(shown.examples)
    if by_labels:
        chosen = sorted(range(len(errors)), key=lambda i: (errors[i], rng.random()))[:OPTIONS]
    else:
        chosen = rng.sample(range(len(errors)), OPTIONS)
    rivals = min(int(np.sum(errors == errors[chosen[0]])), 8)
    features = []
    for index in chosen:
        found, shape = _looks(shown, rules, index)
        share, wrong = round(8 * int(rules.truth[:count, index].sum()) / count), errors[index]
        by_label = [f"wrong {wrong}", f"wrong {wrong} {shape}", f"rivals {rivals} {shape}"]
        seen = by_label if by_labels else [f"share {share} {shape}"]
        features.append(dict.fromkeys([*found, *seen], 1.0))
    return chosen, features


def _looks(shown: Shown, rules: ShortRules, index: int) -> tuple[list[str], str]:
    """Name what is seen of a rule by itself, and its shape."""
    rule, names = rules.conjunction(index), shown.writer.names
    signs = ("".join("+-"[not literal.holds] for literal in item.literals) for item in rule)
    shape = "&".join(f"{'some' if c.some else 'none'}{s}" for c, s in zip(rule, signs, strict=True))
    literals = [literal for condition in rule for literal in condition.literals]
    words = "&".join(sorted(names[literal.at] for literal in literals))
    found = [f"shape {shape}", f"at {shown.writer.level.number} {shape}", f"names {words}"]
    return [*found, *(f"{names[item.at]} {item.value} {item.holds}" for item in literals)], shape


def training_row(level: int, seed: int) -> TrainingRow:
    """Make a training task; the best option is accepted and right on the most fresh examples."""
    task = generate("slr", level=level, seed=seed, split="train")
    shown, fresh = slr_rules.read_examples(task), slr_rules.read_examples(task, "heldout_program")
    rules = ShortRules(shown.writer, [*shown.examples, *fresh.examples])
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
        worst = float(np.min(class_shares(outcomes, labels)))
        if accepted is not None:
            worst = float("".join("01"[int(bit)] for bit in outcomes) in accepted)
        found.append(worst if errors[place] == 0 and worst >= LEAST_SHARE else -1.0)
    return found


def train_choices(rows: Sequence[TrainingRow]) -> list[Strategy]:
    """Train to choose among several conjunctions, with a look at the labels and without."""
    learners: list[Strategy] = []
    for at, by_labels in enumerate((True, False)):
        regression = LogisticRegression(class_weight="balanced", max_iter=1_000)
        model = fit_choice(make_pipeline(DictVectorizer(), regression), [row[at] for row in rows])
        learners.append(partial(_answer, model, by_labels))
    return learners
