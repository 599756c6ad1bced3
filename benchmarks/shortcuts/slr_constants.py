"""One text for all tasks, by hand or the best of a language of rules, and plain memories."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations

import numpy as np
import slr_rules
from slr_rules import Condition, ShortRules, Shown, Strategy, Truth, Writer, class_shares, presence

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.language import Example
from logic_curriculum.rewards import judge_batch
from logic_curriculum.rewards.engines.prolog import judge_groups
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

BATCH = 100  # texts that are judged together
KNOWN_RULES = 150  # rules of training tasks among the texts of the wider language


def _positive_names(shown: Shown) -> list[str]:
    return [name for name, label in zip(shown.names, shown.labels, strict=True) if label]


def name_order(shown: Shown) -> str:
    """Cut the alphabet of names where it separates the classes best."""
    positives = _positive_names(shown)
    best = max(shown.names, key=lambda cut: sum((n < cut) == (n in positives) for n in shown.names))
    return f"{shown.writer.head}(T) :- T @< {best}."


def name_parity(shown: Shown) -> str:
    names, head = _positive_names(shown), shown.writer.head
    parity = int(2 * sum(int(name[-1]) % 2 for name in names) > len(names))
    return f"{head}(T) :- sub_atom(T, _, 1, 0, D), atom_number(D, N), {parity} is N mod 2."


HANDWRITTEN: dict[str, Strategy] = {
    "empty answer": lambda shown: "",
    "echo of the prompt": lambda shown: shown.task.prompt,
    "always true": lambda shown: f"{shown.writer.head}(T).",
    "never true": lambda shown: shown.writer.never(),
    "examples enumerated": lambda shown: " ".join(
        f"{shown.writer.head}({name})." for name in _positive_names(shown)
    ),
    "parts named": lambda shown: " ".join(
        f"{shown.writer.head}(T) :- {shown.writer.has}(T, {row[0]})."
        for row, label in zip(shown.part_names, shown.labels, strict=True)
        if label
    ),
    "not the other label": lambda shown: (
        f"{shown.writer.head}(T) :- \\+ {shown.writer.language.negative}(T)."
    ),
    "its own label": lambda shown: f"{shown.writer.head}(T) :- {shown.writer.head}(T).",
    "order of names": name_order,
    "parity of names": name_parity,
}


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
        rows = parts if ordered else [writer.without_place(part) for part in parts]
        goals = dict.fromkeys(f"part(T, {', '.join(map(str, values))})" for values in rows)
        clauses.append(f"{head}(T) :- {', '.join(goals)}.")
    return list(dict.fromkeys(clauses))


def _memorise(positive: bool, shown: Shown, ordered: bool, first: bool = False) -> str:
    """Accept the positives shown, or all but the negatives, by all parts or the first."""
    writer = shown.writer
    examples = [parts[:1] if first else parts for parts in shown.of_class(positive)]
    clauses = _clauses(writer, examples, writer.head if positive else "known", ordered)
    rule = [] if positive else [f"{writer.head}(T) :- \\+ known(T)."]
    return "\n".join([*rule, *clauses, _described(writer, ordered)])


def _own_parts(shown: Shown) -> str:
    """Accept by the first part of each positive that no negative has, wherever it stands."""
    writer = shown.writer
    known = {writer.without_place(part) for parts in shown.of_class(False) for part in parts}
    chosen = []
    for parts in shown.of_class(True):
        own = [part for part in parts if writer.without_place(part) not in known]
        chosen.append(tuple(own or parts)[:1])
    return "\n".join([*_clauses(writer, chosen, writer.head, False), _described(writer, False)])


def with_exceptions(shown: Shown, guess: str, right: Sequence[bool]) -> str:
    """Guess by a condition on T, and remember the examples shown of which it is not right."""
    writer, clauses = shown.writer, []
    rows = list(zip(shown.examples, shown.labels, right, strict=True))
    for head, of_class in (("missed", True), ("taken", False)):
        wrong = [example for example, label, good in rows if label is of_class and not good]
        clauses += _clauses(writer, wrong, head, ordered=True) or [f"{head}(_) :- fail."]
    rules = [f"{writer.head}(T) :- missed(T).", f"{writer.head}(T) :- {guess}, \\+ taken(T)."]
    return "\n".join([*rules, *clauses, _described(writer, ordered=True)])


MEMORISERS: dict[str, Strategy] = {
    "each positive, its cars as a set": partial(_memorise, True, ordered=False),
    "each positive, its cars by position": partial(_memorise, True, ordered=True),
    "each positive, its first car": partial(_memorise, True, ordered=True, first=True),
    "each positive, a car that no negative has": _own_parts,
    "not a negative, by its cars": partial(_memorise, False, ordered=False),
    "not a negative, by its first car": partial(_memorise, False, ordered=True, first=True),
}


def look_around(writer: Writer) -> list[str]:
    """Write rules that would tell something of the labels if other trains were visible."""
    head, has = writer.head, writer.has
    sort = f"findall(X, {has}(X, _), L0), sort(L0, L), length(L, N)"
    first = f"findall(X, {has}(X, _), L0), list_to_set(L0, L)"
    bodies = [
        f"{sort}, nth1(I, L, T), I =< N // 2",
        f"{sort}, nth1(I, L, T), 2 * I =< N + 1",
        f"{sort}, nth1(I, L, T), 2 * I > N + 1",
        *(f"{order}, nth0(I, L, T), {odd} =:= I mod 2" for order in (sort, first) for odd in "01"),
        f"findall(X, {has}(X, _), L0), length(L0, N), 0 =:= N mod 2",
        *(f"\\+ ({has}(X, _), X {order} T)" for order in ("@<", "@>")),
        f"{has}(X, _), X @< T",
        f"findall(K-X, (setof(D, {has}(X, D), Ds), length(Ds, K)), L0), msort(L0, [_-T|_])",
    ]
    groups = [
        [_held_by(writer, name, test) for name in writer.names]
        for test in ("N =:= 2 * K", "N > 2 * K", "N < 2 * K", "K =:= 1", "K =:= N")
    ]
    groups += [[_frequent(writer, name, last) for name in writer.names] for last in (True, False)]
    for group in groups:
        bodies += [*group, " ; ".join(f"({body})" for body in group)]
    return [f"{head}(T) :- {body}." for body in bodies]


def _held_by(writer: Writer, name: str, test: str) -> str:
    """Write that some value of T is held by so many of all trains."""
    has = writer.has
    return (
        f"findall(X, {has}(X, _), L0), sort(L0, L), length(L, N), {has}(T, C), {name}(C, V), "
        f"findall(X, ({has}(X, D), {name}(D, V)), M0), sort(M0, M), length(M, K), {test}"
    )


def _frequent(writer: Writer, name: str, last: bool) -> str:
    has = writer.has
    pick = "last(Q, _-V)" if last else "Q = [_-V|_]"
    return (
        f"findall(V, ({has}(_, D), {name}(D, V)), A), sort(A, B), findall(K-V, (member(V, B), "
        f"findall(E, ({has}(_, E), {name}(E, V)), Es), length(Es, K)), P), msort(P, Q), {pick}, "
        f"{has}(T, C), {name}(C, V)"
    )


def best_short_rules(tasks: Sequence[Shown]) -> tuple[int, int, int]:
    """Return for how many tasks the best single text among short rules is paid, in hindsight.

    First for a condition on one value, then for a conjunction of at most two literals, then for a
    disjunction of two conditions on one literal, negation included.
    """
    writer = tasks[0].writer
    rules = ShortRules(writer, [example for shown in tasks for example in shown.examples])
    fits, (left, right) = fitting(tasks, rules.truth), rules.pairs
    single = np.arange(len(writer.literals))  # the first groups are the positive literals

    def conjunction(i: int) -> str:
        return writer.rule(rules.conjunction(i))

    def disjunction(i: int) -> str:
        sides = [rules.conjunction(int(side[i]))[0] for side in (left, right)]
        return f"{writer.head}(T) :- ({' ; '.join(map(writer.condition, sides))})."

    one = best_of(tasks, conjunction, fits[:, single])
    best = best_of(tasks, conjunction, fits, least=one)
    either = fitting(tasks, rules.truth[:, left] | rules.truth[:, right])
    return one, best, best_of(tasks, disjunction, either)


def wider_rules(writer: Writer) -> list[str]:
    """Write rules on counts, places, order, repetition, numbers, and those of training tasks."""
    cars, (low, high) = f"findall(C, {writer.has}(T, C), L), length(L, N)", writer.level.parts
    sizes = [f"{cars}, N =:= {size}" for size in range(low, high + 1)]
    sizes += [f"{cars}, {odd} =:= N mod 2" for odd in (0, 1)]
    bodies = [*_counts(writer), *_columns(writer), *sizes]
    level = writer.level.number
    tasks = [generate("slr", level=level, seed=seed, split="train") for seed in range(KNOWN_RULES)]
    rules = [f"{writer.head}(T) :- {body}." for body in bodies]
    return list(dict.fromkeys([*rules, *(task.metadata["rule"] for task in tasks)]))


def _counts(writer: Writer) -> Iterator[str]:
    for literal in writer.literals:
        found = f"findall(C, ({writer.has}(T, C), {writer.literal(literal)}), L), length(L, N)"
        tests = ("N =:= 1", "N =:= 2", "N >= 2", "1 =:= N mod 2")
        yield from (f"{found}, {test}" for test in tests)
        place = writer.names[writer.position]
        last = f"findall(P, ({writer.has}(T, D), {place}(D, P)), Ps), max_list(Ps, M)"
        yield f"{last}, {writer.has}(T, C), {place}(C, M), {writer.literal(literal)}"
    for one, other in permutations(writer.literals, 2):
        if one.at == other.at != writer.position:
            parts = [f"{writer.has}(T, C), {writer.literal(item)}" for item in (one, other)]
            yield (
                f"findall(C, ({parts[0]}), L), findall(C, ({parts[1]}), K), "
                "length(L, N), length(K, M), N > M"
            )


def _columns(writer: Writer) -> Iterator[str]:
    has, place = writer.has, writer.names[writer.position]
    for at, name in enumerate(writer.names):
        values = f"findall(V, ({has}(T, C), {name}(C, V)), Vs)"
        repeated = ("length(Vs, N), length(Us, N)", "length(Vs, N), length(Us, M), M < N")
        sizes = (f"length(Us, {k})" for k in (1, 2, 3))
        yield from (f"{values}, sort(Vs, Us), {test}" for test in (*repeated, *sizes))
        ordered = f"findall(P-V, ({has}(T, C), {place}(C, P), {name}(C, V)), Ps), msort(Ps, Qs)"
        following = ("nextto(_-V, _-V, Qs)", "\\+ nextto(_-V, _-V, Qs)")
        ends = ("Qs = [_-V|_], last(Qs, _-V)", "Qs = [_-V, _-V|_]")
        yield from (f"{ordered}, {test}" for test in (*ends, *following))
        numbers = [value for value in writer.grammar.attributes[at].values if value in range(100)]
        if numbers:
            most = int(max(numbers)) * writer.level.parts[1]
            sums = sorted({most * step // 8 for step in range(1, 8)})
            yield from (f"{values}, sum_list(Vs, S), S > {bound}" for bound in sums)
            for extreme in ("max_list", "min_list"):
                yield from (f"{values}, {extreme}(Vs, S), S > {bound}" for bound in numbers)


def best_guess(tasks: Sequence[Shown]) -> list[str]:
    """Take the condition on one value that is right most often on fresh examples of all tasks.

    In hindsight, one for all tasks; each answer remembers the examples shown of which it is wrong.
    """
    literals = tasks[0].writer.literals
    paid = np.zeros((2, len(literals)))
    for shown in tasks:
        fresh = slr_rules.read_examples(shown.task, "heldout_program")
        some = np.asarray(presence(fresh.examples, literals).any(axis=1))
        for row, outcomes in enumerate((some, ~some)):
            shares = class_shares(outcomes, np.array(fresh.labels))
            paid[row] += np.minimum(*shares) >= LEAST_SHARE
    row, column = divmod(int(np.argmax(paid)), len(literals))
    condition = Condition((literals[column],), row == 0)
    answers = []
    for shown in tasks:
        met = presence(shown.examples, condition.literals).any(axis=(1, 2))
        right = (met == condition.some) == np.array(shown.labels)
        answers.append(with_exceptions(shown, shown.writer.condition(condition), right.tolist()))
    return answers


def fitting(tasks: Sequence[Shown], outcomes: Truth) -> Truth:
    """Tell which rules, in columns, fit which tasks, from their outcomes on all examples shown."""
    labels = np.array([label for shown in tasks for label in shown.labels])
    starts = np.cumsum([0, *(len(shown.labels) for shown in tasks)])[:-1]
    return np.asarray(np.logical_and.reduceat(outcomes == labels[:, None], starts, axis=0))


def best_by_engine(tasks: Sequence[Shown], texts: Sequence[str], least: int = 0) -> int:
    """Return what the best text earns; the engine says which texts fit which tasks."""
    labels = [label for shown in tasks for label in shown.labels]
    cases = tasks[0].writer.cases([item for shown in tasks for item in shown.examples], labels)
    chunks = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
    runs = [run for runs in judge_groups([(cases, chunk) for chunk in chunks]) for run in runs]
    outcomes = np.tile(~np.array(labels)[:, None], len(texts))
    for column, run in enumerate(runs):
        if run.status == "ok":  # a proof that raised is wrong
            pairs = zip(run.outcomes, labels, strict=True)
            outcomes[:, column] = [not label if bit is None else bit for bit, label in pairs]
    return best_of(tasks, texts.__getitem__, fitting(tasks, outcomes), least)


def best_of(
    tasks: Sequence[Shown], write: Callable[[int], str], fits: Truth, least: int = 0
) -> int:
    """Return for how many tasks the best text is paid; the reward judges those that may be best.

    ``write`` returns the text of a column of ``fits``, and no text is paid where it does not fit.
    Texts that can't earn more than ``least``, which some other text earns, are left out.
    """
    counts = fits.sum(axis=0)
    order, best = np.argsort(-counts, kind="stable"), least
    for start in range(0, len(order), BATCH):
        batch = [int(i) for i in order[start : start + BATCH] if counts[i] > best]
        if not batch:
            break
        asked = [(i, task) for i in batch for task in map(int, np.flatnonzero(fits[:, i]))]
        payloads = [tasks[t].task.verification for _, t in asked]
        verdicts = judge_batch("slr", [write(i) for i, _ in asked], payloads)
        paid = Counter(i for (i, _), verdict in zip(asked, verdicts, strict=True) if verdict.solved)
        best = max([best, *paid.values()])
    return best
