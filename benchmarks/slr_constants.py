"""One text for all tasks: written by hand, looking around, and the best of a language of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np
from slr_conditions import Truth, pairs_present, presence, signed, some_part_has
from slr_memory import with_exceptions
from slr_shown import Condition, Conjunction, Shown, Writer, read_examples
from slr_truth import cases_of

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge_batch
from logic_curriculum.rewards.engines.prolog import judge_groups
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

Strategy = Callable[[Shown], str]
Fits = Truth
"""Which texts, in columns, fit which tasks, in rows."""

BATCH = 100
"""Texts that are judged together."""
KNOWN_RULES = 150
"""Rules of training tasks among the texts of the wider language."""


# ----------------------------------------------------------------------- written by hand


def empty(_: Shown) -> str:
    return ""


def echo(shown: Shown) -> str:
    return shown.task.prompt


def always(shown: Shown) -> str:
    return f"{shown.writer.head}(T)."


def never(shown: Shown) -> str:
    return f"{shown.writer.head}(T) :- {shown.writer.has}(T, C), {shown.writer.has}(C, T)."


def _positive_names(shown: Shown) -> list[str]:
    return [name for name, label in zip(shown.names, shown.labels, strict=True) if label]


def enumerate_examples(shown: Shown) -> str:
    return " ".join(f"{shown.writer.head}({name})." for name in _positive_names(shown))


def enumerate_parts(shown: Shown) -> str:
    parts = [row for row, label in zip(shown.part_names, shown.labels, strict=True) if label]
    return " ".join(f"{shown.writer.head}(T) :- {shown.writer.has}(T, {row[0]})." for row in parts)


def opposite_label(shown: Shown) -> str:
    return f"{shown.writer.head}(T) :- \\+ {shown.writer.language.negative}(T)."


def own_label(shown: Shown) -> str:
    return f"{shown.writer.head}(T) :- {shown.writer.head}(T)."


def name_order(shown: Shown) -> str:
    """Cut the alphabet of names where it separates the classes best."""
    positives = _positive_names(shown)
    best = max(shown.names, key=lambda cut: sum((n < cut) == (n in positives) for n in shown.names))
    return f"{shown.writer.head}(T) :- T @< {best}."


def name_parity(shown: Shown) -> str:
    odd = sum(int(name[-1]) % 2 for name in _positive_names(shown))
    parity = int(2 * odd > len(shown.positives))
    head = shown.writer.head
    return f"{head}(T) :- sub_atom(T, _, 1, 0, D), atom_number(D, N), {parity} is N mod 2."


HANDWRITTEN: dict[str, Strategy] = {
    "empty answer": empty,
    "echo of the prompt": echo,
    "always true": always,
    "never true": never,
    "examples enumerated": enumerate_examples,
    "parts named": enumerate_parts,
    "not the other label": opposite_label,
    "its own label": own_label,
    "order of names": name_order,
    "parity of names": name_parity,
}


# ----------------------------------------------------------------------- looking around


def look_around(writer: Writer) -> list[str]:
    """Write rules that would tell something of the labels if other trains were visible."""
    head, has = writer.head, writer.has
    trains = f"findall(X, {has}(X, _), L0), sort(L0, L), length(L, N)"
    bodies = [
        f"{trains}, nth1(I, L, T), I =< N // 2",
        f"{trains}, nth1(I, L, T), 2 * I =< N + 1",
        f"{trains}, nth1(I, L, T), 2 * I > N + 1",
        f"{trains}, nth0(I, L, T), 0 =:= I mod 2",
        f"{trains}, nth0(I, L, T), 1 =:= I mod 2",
        f"findall(X, {has}(X, _), L0), list_to_set(L0, L), nth0(I, L, T), 0 =:= I mod 2",
        f"findall(X, {has}(X, _), L0), list_to_set(L0, L), nth0(I, L, T), 1 =:= I mod 2",
        f"findall(X, {has}(X, _), L0), length(L0, N), 0 =:= N mod 2",
        f"\\+ ({has}(X, _), X @< T)",
        f"\\+ ({has}(X, _), X @> T)",
        f"{has}(X, _), X @< T",
        f"findall(K-X, (setof(D, {has}(X, D), Ds), length(Ds, K)), L0), msort(L0, [_-T|_])",
    ]
    groups = [
        [_half(writer, name, test) for name in writer.names]
        for test in ("N =:= 2 * K", "N > 2 * K", "N < 2 * K", "K =:= 1", "K =:= N")
    ]
    groups += [[_frequent(writer, name, last) for name in writer.names] for last in (True, False)]
    for group in groups:
        bodies += [*group, " ; ".join(f"({body})" for body in group)]
    return [f"{head}(T) :- {body}." for body in bodies]


def _half(writer: Writer, name: str, test: str) -> str:
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


# ------------------------------------------------------------------- languages of rules


def short_rules(tasks: Sequence[Shown]) -> tuple[list[Conjunction], Fits, list[str], Fits]:
    """Evaluate all conjunctions and disjunctions of at most two literals, negation included.

    Returns:
        The conjunctions, which tasks they fit, the disjunctions as texts, which tasks they fit.
    """
    writer = tasks[0].writer
    literals = signed(writer.literals)
    examples = [example for shown in tasks for example in shown.examples]
    labels = np.array([label for shown in tasks for label in shown.labels])
    starts = np.cumsum([0, *(len(shown.labels) for shown in tasks)])[:-1]

    def fits(outcomes: Truth) -> Fits:
        right = outcomes == labels[:, None]
        return np.asarray(np.logical_and.reduceat(right, starts, axis=0))

    table = presence(examples, literals)
    some = table.any(axis=1)
    single = np.column_stack([some, ~some])
    ones = [Condition((item,), which) for which in (True, False) for item in literals]
    rows, columns = np.triu_indices(len(literals), 1)
    pairs = pairs_present(table)[:, rows, columns]
    both = [(literals[i], literals[j]) for i, j in zip(rows, columns, strict=True)]
    left, right = np.triu_indices(len(ones), 1)
    conjunctions: list[Conjunction] = [(one,) for one in ones]
    conjunctions += [(Condition(two, which),) for which in (True, False) for two in both]
    conjunctions += [(ones[i], ones[j]) for i, j in zip(left, right, strict=True)]
    fitting = [single, pairs, ~pairs, single[:, left] & single[:, right]]
    disjunctions = [
        f"{writer.head}(T) :- ({writer.condition(ones[i])} ; {writer.condition(ones[j])})."
        for i, j in zip(left, right, strict=True)
    ]
    return (
        conjunctions,
        np.column_stack([fits(part) for part in fitting]),
        disjunctions,
        fits(single[:, left] | single[:, right]),
    )


def wider_rules(writer: Writer) -> list[str]:
    """Write rules on counts, places, order, repetition, numbers, and those of training tasks."""
    bodies = [*_counts(writer), *_columns(writer), *_sizes(writer)]
    level = writer.level.number
    tasks = [generate("slr", level=level, seed=seed, split="train") for seed in range(KNOWN_RULES)]
    written = [f"{writer.head}(T) :- {body}." for body in bodies]
    return list(dict.fromkeys([*written, *(task.metadata["rule"] for task in tasks)]))


def _counts(writer: Writer) -> Iterator[str]:
    for literal in writer.literals:
        found = f"findall(C, ({writer.has}(T, C), {writer.literal(literal)}), L), length(L, N)"
        yield from (
            f"{found}, {test}" for test in ("N =:= 1", "N =:= 2", "N >= 2", "1 =:= N mod 2")
        )
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
        yield f"{values}, sort(Vs, Us), length(Vs, N), length(Us, N)"
        yield f"{values}, sort(Vs, Us), length(Vs, N), length(Us, M), M < N"
        yield from (f"{values}, sort(Vs, Us), length(Us, {k})" for k in (1, 2, 3))
        ordered = f"findall(P-V, ({has}(T, C), {place}(C, P), {name}(C, V)), Ps), msort(Ps, Qs)"
        yield f"{ordered}, Qs = [_-V|_], last(Qs, _-V)"
        yield f"{ordered}, Qs = [_-V, _-V|_]"
        yield f"{ordered}, nextto(_-V, _-V, Qs)"
        yield f"{ordered}, \\+ nextto(_-V, _-V, Qs)"
        numbers = [value for value in writer.grammar.attributes[at].values if value in range(100)]
        if numbers:
            most = int(max(numbers)) * writer.level.parts[1]
            sums = sorted({most * step // 8 for step in range(1, 8)})
            yield from (f"{values}, sum_list(Vs, S), S > {bound}" for bound in sums)
            yield from (f"{values}, max_list(Vs, S), S > {bound}" for bound in numbers)
            yield from (f"{values}, min_list(Vs, S), S > {bound}" for bound in numbers)


def _sizes(writer: Writer) -> Iterator[str]:
    cars = f"findall(C, {writer.has}(T, C), L), length(L, N)"
    low, high = writer.level.parts
    yield from (f"{cars}, N =:= {size}" for size in range(low, high + 1))
    yield f"{cars}, 0 =:= N mod 2"
    yield f"{cars}, 1 =:= N mod 2"


def best_guess(tasks: Sequence[Shown]) -> list[str]:
    """Take the condition on one value that is right most often on fresh examples of all tasks.

    In hindsight, one for all tasks; each answer remembers the examples shown of which it is wrong.
    """
    literals = tasks[0].writer.literals
    paid = np.zeros((2, len(literals)))
    for shown in tasks:
        fresh = read_examples(shown.task, "heldout_program")
        some = np.asarray(presence(fresh.examples, literals).any(axis=1))
        labels = np.array(fresh.labels)
        for row, outcomes in enumerate((some, ~some)):
            shares = [(outcomes[labels == of] == of).mean(axis=0) for of in (True, False)]
            paid[row] += np.minimum(*shares) >= LEAST_SHARE
    row, column = divmod(int(np.argmax(paid)), len(literals))
    condition = Condition((literals[column],), row == 0)
    answers = []
    for shown in tasks:
        met = some_part_has(presence(shown.examples, condition.literals))
        right = (met == condition.some) == np.array(shown.labels)
        answers.append(with_exceptions(shown, shown.writer.condition(condition), right.tolist()))
    return answers


# -------------------------------------------------------------------------- best of many


def fits_by_engine(tasks: Sequence[Shown], texts: Sequence[str]) -> Fits:
    """Ask the engine which texts fit which tasks; each example is judged from its own facts."""
    examples = [example for shown in tasks for example in shown.examples]
    labels = [label for shown in tasks for label in shown.labels]
    cases = cases_of(tasks[0].writer.level.number, examples, labels)
    chunks = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
    executions = [
        run for runs in judge_groups([(cases, chunk) for chunk in chunks]) for run in runs
    ]
    starts = np.cumsum([0, *(len(shown.labels) for shown in tasks)])[:-1]
    right = np.zeros((len(labels), len(texts)), dtype=bool)
    for column, run in enumerate(executions):
        if run.status == "ok":
            pairs = zip(run.outcomes, labels, strict=True)
            right[:, column] = [outcome is label for outcome, label in pairs]
    return np.asarray(np.logical_and.reduceat(right, starts, axis=0))


def best_of(
    tasks: Sequence[Shown], write: Callable[[int], str], fits: Fits, least: int = 0
) -> tuple[int, str]:
    """Return what the best text earns, and the text; the reward judges those that may be best.

    Args:
        tasks: Tasks of a level.
        write: Returns the text of a column.
        fits: Which texts fit which tasks; no text is paid for more tasks.
        least: What some other text earns; texts that can't earn more are left out.
    """
    counts = fits.sum(axis=0)
    order = np.argsort(-counts, kind="stable")
    best, found = least, ""
    for start in range(0, len(order), BATCH):
        batch = [int(i) for i in order[start : start + BATCH] if counts[i] > best]
        if not batch:
            break
        asked = [(i, task) for i in batch for task in map(int, np.flatnonzero(fits[:, i]))]
        verdicts = judge_batch(
            "slr", [write(i) for i, _ in asked], [tasks[t].task.verification for _, t in asked]
        )
        paid = dict.fromkeys(batch, 0)
        for (i, _), verdict in zip(asked, verdicts, strict=True):
            paid[i] += verdict.solved
        top = max(paid, key=lambda i: paid[i])
        if paid[top] > best:
            best, found = paid[top], write(top)
    return best, found
