"""What cheap strategies earn on SLR tasks: a Markdown table.

    python benchmarks/shortcuts/slr.py [--levels 1 4 8 13 20] [--tasks 100] [--train 150]

Each strategy sees what a model sees, the prompt and the examples in it, and writes a Prolog text.
In brackets is the share that is paid for a rule whose true balanced accuracy is below .75, measured
over 2,000 fresh trains (at levels 1 to 3 over all 20), labelled by the ground truth. *Without
labels*, trains are read and their labels are not; *inducing* strategies do a part of the work.
Learners choose among conjunctions of at most two literals.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from common import SUPERFICIAL, Answer, Option, Shortcuts, main
from common import Example as TaskExample
from sklearn.linear_model import Perceptron

from logic_curriculum.generators import Task
from logic_curriculum.generators.slr.enumeration import shortest_conjunctions, space_of
from logic_curriculum.generators.slr.examples import LabelledExample, labelled_program
from logic_curriculum.generators.slr.language import Example, Grammar, Language, Part, grammar_of
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import Level, level_of
from logic_curriculum.rewards.engines.prolog_old import Cases, Program, judge_groups, own_facts
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Truth = npt.NDArray[np.bool_]

GENERALISES = 0.75  # balanced accuracy from which on a rule counts as one that generalises
FRESH = 2_000  # trains that are drawn where there are too many to enumerate
CELLS = 960  # cells of memory that a clause of data may take
LONGEST_LIST = 40  # conditions of a decision list at most
CHOICES = 60  # conjunctions that learners choose among

# -- What a prompt shows, and short rules about it -------------------------------------------------


class Literal(NamedTuple):
    """A part has the value of the attribute at a place of the vocabulary, or has it not."""

    at: int
    value: int | str
    holds: bool = True


Group = tuple[Literal, ...]  # literals of one part


class Condition(NamedTuple):
    """Some part has all of the literals, or no part has."""

    literals: Group
    some: bool = True


Conjunction = tuple[Condition, ...]  # conditions on one example, all to be met


@dataclass(frozen=True)
class Writer:
    """The vocabulary of a level, and rules in it as Prolog."""

    level: Level
    language: Language
    grammar: Grammar
    head: str  # the predicate that rules define
    has: str  # the predicate from a train to its cars
    names: tuple[str, ...]  # predicates of the attributes
    position: int  # place of the attribute that tells the place of a part

    @cached_property
    def literals(self) -> Group:
        """All positive literals, attribute after attribute."""
        return tuple(
            Literal(at, value)
            for at, attribute in enumerate(self.grammar.attributes)
            for value in attribute.values_up_to(self.level.parts[1])
        )

    def literal(self, literal: Literal) -> str:
        """Write a literal on the car C."""
        text = f"{self.names[literal.at]}(C, {literal.value})"
        return text if literal.holds else f"\\+ {text}"

    def condition(self, condition: Condition) -> str:
        """Write a condition on the train T, so that it binds no variable."""
        goals = ", ".join([f"{self.has}(T, C)", *map(self.literal, condition.literals)])
        return f"\\+ \\+ ({goals})" if condition.some else f"\\+ ({goals})"

    def rule(self, conjunction: Conjunction) -> str:
        """Write the rule that the conditions are met."""
        return f"{self.head}(T) :- {', '.join(map(self.condition, conjunction))}."

    def never(self) -> str:
        """Write a rule that no train meets."""
        return f"{self.head}(T) :- {self.has}(T, C), {self.has}(C, T)."


@lru_cache(maxsize=32)
def writer_of(number: int) -> Writer:
    level, language = level_of(number), load_language("trains")
    grammar = grammar_of(language, level.predicates)
    assert grammar.position is not None
    names = tuple(attribute.predicate for attribute in grammar.attributes)
    head, has, position = language.positive, language.membership, grammar.position
    return Writer(level, language, grammar, head, has, names, position)


@dataclass(frozen=True)
class Shown:
    """A task as a model sees it, with the names of the examples."""

    task: Task
    writer: Writer
    names: tuple[str, ...]
    examples: tuple[Example, ...]
    labels: tuple[bool, ...]

    def of_class(self, positive: bool) -> list[Example]:
        """Return the examples of a class."""
        return [e for e, label in zip(self.examples, self.labels, strict=True) if label is positive]

    def rng(self) -> random.Random:
        """Return a random stream that depends on the examples alone."""
        return random.Random(repr(self.examples))


def read_examples(task: Task, column: str = "validation_program") -> Shown:
    """Read the examples of a task from one of its programs."""
    payload = task.verification
    program = Program.parse(payload[column], payload["positive"], payload["negative"])
    parts: dict[str, list[str]] = {name: [] for name in program.examples}
    values: dict[str, list[int | str]] = {}
    for _, (subject, value) in program.facts:
        if subject in parts:
            parts[subject].append(value)
        else:
            values.setdefault(subject, []).append(int(value) if value.isdecimal() else value)
    examples = tuple(tuple(tuple(values[part]) for part in row) for row in parts.values())
    return Shown(task, writer_of(task.level), program.examples, examples, program.labels)


class ShortRules:
    """All conjunctions of at most two literals, negation included, over some examples.

    First each condition that some part has a group of literals, then each that none has, then pairs
    of conditions on one literal. ``truth`` has the shape [examples, rules], ``lengths`` are numbers
    of literals. Groups that say no more than one of their literals are left out.
    """

    def __init__(self, writer: Writer, examples: Sequence[Example]) -> None:
        negated = [literal._replace(holds=False) for literal in writer.literals]
        literals = [*writer.literals, *negated]
        pairs = [
            (i, j)
            for i, j in combinations(range(len(literals)), 2)
            if literals[i].at != literals[j].at or not (literals[i].holds or literals[j].holds)
        ]
        self.groups: list[Group] = [(literal,) for literal in literals]
        self.groups += [(literals[i], literals[j]) for i, j in pairs]
        table = np.zeros((len(examples), max(map(len, examples)), len(literals)), dtype=np.float32)
        for row, example in enumerate(examples):
            for column, part in enumerate(example):
                table[row, column] = [(part[at] == value) == holds for at, value, holds in literals]
        left, right = np.array(pairs).T
        together = np.matmul(table.transpose(0, 2, 1), table) > 0
        self.some: Truth = np.hstack([table.any(axis=1), together[:, left, right]])
        truth = np.hstack([self.some, ~self.some])
        sizes = np.array([len(group) for group in self.groups] * 2)
        single = np.flatnonzero(sizes == 1)
        rows, columns = self.pairs = tuple(single[at] for at in np.triu_indices(len(single), 1))
        self.truth: Truth = np.hstack([truth, truth[:, rows] & truth[:, columns]])
        self.lengths = np.concatenate([sizes, np.full(len(rows), 2)])

    def conjunction(self, index: int) -> Conjunction:
        """Return a rule by its place."""
        count = len(self.groups)
        pair = index - 2 * count
        conditions = [index] if pair < 0 else [int(side[pair]) for side in self.pairs]
        return tuple(Condition(self.groups[c % count], c < count) for c in conditions)

    def errors(self, shown: Shown) -> npt.NDArray[np.intp]:
        """Count for each rule the examples shown, which are the first, that it gets wrong."""
        truth, labels = self.truth[: len(shown.labels)], np.array(shown.labels)
        return np.asarray((truth != labels[:, None]).sum(axis=0))

    def pick(self, shown: Shown, usable: Truth) -> int:
        """Pick one of the shortest usable rules at random; the first rule where none is usable."""
        if not usable.any():
            return 0
        lengths = np.where(usable, self.lengths, 3)
        return int(shown.rng().choice(np.flatnonzero(lengths == lengths.min()).tolist()))


# -- How right a rule really is --------------------------------------------------------------------


@lru_cache(maxsize=1)
def _fresh_cases(level: int) -> Cases:
    """Return all possible trains, or many random ones, with labels that mean nothing."""
    writer, rng = writer_of(level), random.Random(f"fresh trains of level {level}")
    space, (low, high) = space_of(writer.language, writer.level), writer.level.parts
    draw = writer.grammar.draw_example
    trains = space.examples if space else [draw(rng, rng.randint(low, high)) for _ in range(FRESH)]
    labelled = [LabelledExample(train, True) for train in trains]
    program = labelled_program(writer.language, writer.grammar, labelled)
    return own_facts(program, writer.head, writer.language.negative)


def worthless(example: TaskExample, rules: Sequence[str]) -> list[bool]:
    """Return which rules are right on less than three quarters of fresh trains, by class."""
    cases, truth = _fresh_cases(example.task.level), example.task.metadata["rule"]
    ((known, *executions),) = judge_groups([(cases, [truth, *rules])])
    assert known.status == "ok"
    labels = np.array([outcome is True for outcome in known.outcomes])
    found = []
    for execution in executions:
        outcomes = np.array([2 if bit is None else int(bit) for bit in execution.outcomes])
        is_run = execution.status == "ok"
        found.append(not is_run or sum(class_shares(outcomes, labels)) / 2 < GENERALISES)
    return found


def class_shares(outcomes: npt.NDArray[Any], labels: Truth) -> list[float]:
    """Return the share of the positives and of the negatives that outcomes get right."""
    return [float(np.equal(outcomes[labels == of], of).mean()) for of in (True, False)]


# -- One text for all tasks, and memories ----------------------------------------------------------


HANDWRITTEN: dict[str, Answer] = {
    "always true": lambda shown: f"{shown.writer.head}(T).",
    "never true": lambda shown: shown.writer.never(),
    "examples enumerated": lambda shown: " ".join(
        f"{shown.writer.head}({name})."
        for name, label in zip(shown.names, shown.labels, strict=True)
        if label
    ),
}


def _placeless(writer: Writer, part: Part) -> Part:
    return tuple(value for at, value in enumerate(part) if at != writer.position)


def _described(writer: Writer, ordered: bool) -> str:
    """Define ``part(T, V1, V2, ...)``: the train has a part with these values."""
    used = [at for at in range(len(writer.names)) if ordered or at != writer.position]
    values = ", ".join(f"V{at}" for at in used)
    goals = ", ".join(f"{writer.names[at]}(C, V{at})" for at in used)
    return f"part(T, {values}) :- {writer.has}(T, C), {goals}."


def _clauses(writer: Writer, examples: Iterable[Example], head: str, ordered: bool) -> list[str]:
    """Write a clause for each example: it has parts with these values."""
    clauses = []
    for parts in examples:
        rows = parts if ordered else [_placeless(writer, part) for part in parts]
        goals = dict.fromkeys(f"part(T, {', '.join(map(str, values))})" for values in rows)
        clauses.append(f"{head}(T) :- {', '.join(goals)}.")
    return list(dict.fromkeys(clauses))


def _memorise(shown: Shown, positive: bool, ordered: bool) -> str:
    """Accept the positives shown, or all but the negatives."""
    writer = shown.writer
    clauses = _clauses(
        writer, shown.of_class(positive), writer.head if positive else "known", ordered
    )
    rule = [] if positive else [f"{writer.head}(T) :- \\+ known(T)."]
    return "\n".join([*rule, *clauses, _described(writer, ordered)])


def _own_parts(shown: Shown) -> str:
    """Accept by the first part of each positive that no negative has, wherever it stands."""
    writer = shown.writer
    known = {_placeless(writer, part) for parts in shown.of_class(False) for part in parts}
    chosen = []
    for parts in shown.of_class(True):
        own = [part for part in parts if _placeless(writer, part) not in known]
        chosen.append(tuple(own or parts)[:1])
    return "\n".join([*_clauses(writer, chosen, writer.head, False), _described(writer, False)])


MEMORISERS: dict[str, Answer] = {
    "each positive, its cars as a set": partial(_memorise, positive=True, ordered=False),
    "each positive, its cars by position": partial(_memorise, positive=True, ordered=True),
    "each positive, a car that no negative has": _own_parts,
    "not a negative, by its cars": partial(_memorise, positive=False, ordered=False),
}

# -- Learning from the examples shown --------------------------------------------------------------


def nearest(shown: Shown) -> str:
    """Decide as the nearest example does: the fewest values that only one of both has."""
    writer = shown.writer
    codes = {item: at for at, item in enumerate(writer.literals) if item.at != writer.position}
    values = [f"value(C, {code}) :- {writer.literal(item)}." for item, code in codes.items()]
    known = []
    for example, label in zip(shown.examples, shown.labels, strict=True):
        items = {Literal(*pair) for part in example for pair in enumerate(part)}
        keys = sorted(codes[item] for item in items & codes.keys())
        known.append(f"k({int(label)}, {len(keys)}, {keys})")
    per_clause = CELLS // (3 * max(text.count(",") + 8 for text in known))
    chunks = (known[at : at + per_clause] for at in range(0, len(known), per_clause))
    rule = (
        f"{writer.head}(T) :- findall(V, ({writer.has}(T, C), value(C, V)), Vs), sort(Vs, Own), "
        "findall(D-L, distance(Own, D, L), Ds), msort(Ds, [_-1|_]).\n"
        "distance(Own, D, L) :- known(k(L, N, Its)), ord_subtract(Own, Its, New), "
        "length(New, M), D is N + 2 * M."
    )
    clauses = [f"known(K) :- member(K, [{', '.join(chunk)}])." for chunk in chunks]
    return "\n".join([rule, *values, *clauses])


def perceptron(shown: Shown) -> str:
    """Weigh the values of all parts until their sums tell the examples apart."""
    writer, rows = shown.writer, []
    for parts in shown.examples:
        counts = Counter(item for part in parts for item in enumerate(part))
        rows.append([counts[item.at, item.value] for item in writer.literals])
    model = Perceptron(max_iter=500, tol=None, shuffle=False).fit(rows, shown.labels)
    pairs = zip(map(writer.literal, writer.literals), model.coef_[0], strict=True)
    clauses = [f"weight(C, {int(weight)}) :- {literal}." for literal, weight in pairs if weight]
    head = f"{writer.head}(T) :- findall(W, ({writer.has}(T, C), weight(C, W)), Ws)"
    return "\n".join([f"{head}, sum_list(Ws, S), S > {-int(model.intercept_[0])}.", *clauses])


def decision_list(shown: Shown) -> str:
    """Write a clause for each condition; the first that is met decides.

    Each is the one that holds for the most of the rest, all of one class.
    """
    writer, labels = shown.writer, np.array(shown.labels)
    rules = ShortRules(writer, shown.examples)
    truth = np.hstack([rules.some, ~rules.some])
    rest = np.ones(len(labels), dtype=bool)
    clauses: list[str] = []
    while (rest & labels).any() and len(clauses) < LONGEST_LIST:
        hits, misses = truth[rest & labels].sum(axis=0), truth[rest & ~labels].sum(axis=0)
        coverage = np.where(misses == 0, hits, np.where(hits == 0, misses, 0))
        best = int(np.argmax(coverage))
        if not coverage[best]:
            break
        ((condition),) = rules.conjunction(best)
        end = "!" if hits[best] else "!, fail"
        clauses.append(f"{writer.head}(T) :- {writer.condition(condition)}, {end}.")
        rest &= ~truth[:, best]
    return "\n".join([*clauses, writer.never()])


def nearly_right(shown: Shown) -> str:
    """Take the short conjunction that is right most often, and remember the exceptions."""
    writer, rules = shown.writer, ShortRules(shown.writer, shown.examples)
    errors = rules.errors(shown)
    picked = rules.pick(shown, errors == errors.min())
    cases = list(zip(shown.examples, shown.labels, rules.truth[:, picked], strict=True))
    clauses = []
    for head, of_class in (("missed", True), ("taken", False)):
        wrong = [parts for parts, label, said in cases if label is of_class and label != said]
        clauses += _clauses(writer, wrong, head, ordered=True) or [f"{head}(_) :- fail."]
    guess = ", ".join(map(writer.condition, rules.conjunction(picked)))
    texts = [f"{writer.head}(T) :- missed(T).", f"{writer.head}(T) :- {guess}, \\+ taken(T)."]
    return "\n".join([*texts, *clauses, _described(writer, ordered=True)])


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


def half_of_the_trains(shown: Shown) -> str:
    """Pick a short condition that half of the trains shown meet, without looking at labels."""
    rules = ShortRules(shown.writer, shown.examples)
    picked = rules.pick(shown, rules.truth.sum(axis=0) * 2 == len(shown.examples))
    return shown.writer.rule(rules.conjunction(picked))


INDUCTION = r"""
common(P) :- once(seen(yes, Parts)), in(Part, Parts), blanked(Part, P),
    \+ (seen(yes, Others), \+ in(P, Others)).
law(All, [P]) :- in(P, All), fits([P]).
law(All, [P, Q]) :- pair(All, P, Q), fits([P, Q]).
fits(Law) :- \+ (seen(no, Parts), holds(Law, Parts)), \+ (seen(yes, Parts), \+ holds(Law, Parts)).
pair([P|All], P, Q) :- in(Q, [P|All]).
pair([_|All], P, Q) :- pair(All, P, Q).
blanked([V|Vs], [V|Ws]) :- blank(Vs, Ws).
blanked([_|Vs], [_|Ws]) :- blanked(Vs, Ws).
blank([], []).
blank([_|Vs], [_|Ws]) :- blank(Vs, Ws).
holds([], _).
holds([P|Law], Parts) :- \+ \+ in(P, Parts), holds(Law, Parts).
in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
"""


def induction(shown: Shown) -> str:
    """Copy the examples behind a program that looks for one value or two that fit them."""
    writer = shown.writer
    values = ", ".join(f"V{at}" for at in range(len(writer.names)))
    goals = ", ".join(f"{name}(C, V{at})" for at, name in enumerate(writer.names))
    rule = (
        f"{writer.head}(T) :- findall([{values}], ({writer.has}(T, C), {goals}), Own), "
        "findall(P, common(P), All), once(law(All, Law)), holds(Law, Own)."
    )
    facts = []
    for example, label in zip(shown.examples, shown.labels, strict=True):
        parts = ", ".join(f"[{', '.join(map(str, values))}]" for values in example)
        facts.append(f"seen({'yes' if label else 'no'}, [{parts}]).")
    return "\n".join([rule, INDUCTION.strip(), *facts])


def conjunctions(by_labels: bool, example: TaskExample) -> list[Option]:
    """Describe the short conjunctions that err least on the examples shown, or any.

    Right are those that are accepted and, of these, right on most fresh examples.
    """
    shown = example.view
    fresh = read_examples(shown.task, "heldout_program")
    rules = ShortRules(shown.writer, [*shown.examples, *fresh.examples])
    rng, errors, count = shown.rng(), rules.errors(shown), len(shown.examples)
    chosen = rng.sample(range(len(errors)), CHOICES)
    if by_labels:
        chosen = sorted(range(len(errors)), key=lambda i: (errors[i], rng.random()))[:CHOICES]
    rivals = min(int(np.sum(errors == errors.min())), 8)
    outcomes, labels = rules.truth[count:], np.array(fresh.labels)
    worth = [min(class_shares(outcomes[:, i], labels)) * (errors[i] == 0) for i in chosen]
    accepted = shown.task.verification.get("accepted")
    if accepted is not None:
        told = ("".join("01"[int(bit)] for bit in outcomes[:, i]) for i in chosen)
        worth = [value * (text in accepted) for value, text in zip(worth, told, strict=True)]
    found = []
    for index, value in zip(chosen, worth, strict=True):
        seen, shape = _looks(shown, rules.conjunction(index))
        share = round(8 * int(rules.truth[:count, index].sum()) / count)
        wrong = errors[index]
        by_label = [f"wrong {wrong}", f"wrong {wrong} {shape}", f"rivals {rivals} {shape}"]
        seen += by_label if by_labels else [f"share {share} {shape}"]
        right = value >= LEAST_SHARE and value == max(worth)
        rule = shown.writer.rule(rules.conjunction(index))
        found.append(Option(rule, dict.fromkeys(seen, 1.0), right))
    return found


def _looks(shown: Shown, rule: Conjunction) -> tuple[list[str], str]:
    """Name what is seen of a rule by itself, and its shape."""
    names = shown.writer.names
    signs = ("".join("+-"[not literal.holds] for literal in item.literals) for item in rule)
    shape = "&".join(f"{'some' if c.some else 'none'}{s}" for c, s in zip(rule, signs, strict=True))
    literals = [literal for condition in rule for literal in condition.literals]
    words = "&".join(sorted(names[literal.at] for literal in literals))
    found = [f"shape {shape}", f"names {words}"]
    return [*found, *(f"{names[item.at]} {item.value} {item.holds}" for item in literals)], shape


STRATEGIES: dict[str, dict[str, Answer]] = {
    SUPERFICIAL: {**HANDWRITTEN, **MEMORISERS},
    "without labels": {"a condition that half of the trains meet": half_of_the_trains},
    "inducing": {
        "nearest example": nearest,
        "votes weighed until they fit": perceptron,
        "greedy decision list with negation": decision_list,
        "the short conjunction that errs least, its errors remembered": nearly_right,
        "a shortest conjunction of at most two values": shortest,
        "a program that learns while it is judged": induction,
        "ground truth": lambda shown: str(shown.task.metadata["rule"]),
    },
}
LEARNT: dict[str, dict[str, Callable[[TaskExample], list[Option]]]] = {
    "without labels": {"any conjunctions": partial(conjunctions, False)},
    "inducing": {"conjunctions that err least": partial(conjunctions, True)},
}
KINDS = {
    "slr": Shortcuts(
        "slr", "slr_reward", read_examples, STRATEGIES, LEARNT, by_level=True, worthless=worthless
    )
}

if __name__ == "__main__":
    main(KINDS)
