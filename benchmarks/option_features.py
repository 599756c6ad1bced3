"""What learners see of an option: its looks, its overlap with the premises, all words, contexts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from option_learner import Features
from validity_strategies import LOGIC, SCORES, Text, View

ALONE = (
    "length",
    "words",
    "negations",
    "universal",
    "existential",
    "quantifiers",
    "clauses",
    "overlap with the other options",
    "others of its form",
    "others with its first word",
    "alphabetical place",
)
"""Scores that don't look at the premises."""

Describe = Callable[[View], list[Features]]
"""Features of each option of a task."""


def _scored(seen: View, names: Sequence[str]) -> list[list[tuple[str, float]]]:
    """Return scores and ranks, each also for one form of options."""
    rows: list[list[tuple[str, float]]] = [[] for _ in seen.options]
    for name in names:
        values = [float(SCORES[name](seen, option)) for option in seen.options]
        mean = sum(values) / len(values)
        spread = max(values) - min(values) or 1.0
        for row, value in zip(rows, values, strict=True):
            rank = sum(other < value for other in values)
            row += [(f"{name} by", (value - mean) / spread), (f"{name} rank {rank}", 1.0)]
    return rows


def scores(seen: View) -> list[Features]:
    """Describe the options by all scores, and nothing else."""
    return [
        [(name, value) for name, value in row if name.endswith(" by")]
        for row in _scored(seen, tuple(SCORES))
    ]


def looks(seen: View) -> list[Features]:
    """Describe the options without looking at the premises."""
    rows = _scored(seen, ALONE)
    forms = Counter(option.form for option in seen.options)
    for number, (row, option) in enumerate(zip(rows, seen.options, strict=True)):
        row.append((f"place {number}", 1.0))
        row.append((f"form {option.form}", 1.0))
        row.append((f"text {option.text}", 1.0))
        row += [(f"form {option.form} beside {form}", 1.0) for form in sorted(forms)]
        row += [(f"word {word}", 1.0) for word in sorted(set(option.words))]
    return list(rows)


def overlaps(seen: View) -> list[Features]:
    """Describe how much the options share with the premises."""
    rows = _scored(seen, tuple(name for name in SCORES if name not in ALONE))
    for row, option in zip(rows, seen.options, strict=True):
        for word in sorted(set(option.words)):
            kind = word if word in LOGIC else "–"
            row.append((f"{kind} occurs {seen.premise_words[word]}", 1.0))
        for clause in sorted(option.clauses):
            row.append((f"clause found {clause in seen.premise_clauses}", 1.0))
    return list(rows)


def words(seen: View) -> list[Features]:
    """Describe every word and pair of an option beside every word of logic in the premises."""
    there = sorted({word for word in seen.premise_words if word in LOGIC})
    rows: list[Features] = []
    for option in seen.options:
        mine = [*sorted(set(option.words)), *map(" ".join, sorted(option.pairs)), option.form]
        counted = [(f"{w} {seen.premise_words[w]}", 1.0) for w in there]
        crossed = [(f"{one}|{other}", 1.0) for one, other in product(mine, there)]
        amounts = [(f"{option.form}|{name}", 1.0) for name, _ in counted]
        rows.append([(word, 1.0) for word in mine] + crossed + amounts)
    return rows


def contexts(seen: View) -> list[Features]:
    """Describe in what words of logic the premises embed what the option speaks of.

    Each word that names something becomes its place in the option, or a dash where the option
    doesn't have it. The learner sees runs of up to four such words, with the option's form.
    """
    rows: list[Features] = []
    for option in seen.options:
        named = [word for word in dict.fromkeys(option.words) if word not in LOGIC]
        places = {word: f"#{number}" for number, word in enumerate(named)}
        runs = Counter(run for premise in seen.premises for run in _runs(premise, places))
        rows.append(
            [
                feature
                for run, count in sorted(runs.items())
                for feature in ((run, float(count)), (f"{option.form}|{run}", float(count)))
            ]
        )
    return rows


def _runs(premise: Text, places: Mapping[str, str]) -> Iterator[str]:
    marked = [word if word in LOGIC else places.get(word, "–") for word in premise.words]
    marked = ["^", *marked, "$"]
    for length in range(1, 5):
        for start in range(len(marked) - length + 1):
            run = " ".join(marked[start : start + length])
            if "#" in run:
                yield run
    for one, other in pairwise(re.findall(r"#\d", " ".join(marked))):
        yield f"{one} before {other}"


def _joined(*parts: Describe) -> Describe:
    def describe(seen: View) -> list[Features]:
        rows = [part(seen) for part in parts]
        return [
            [(f"{number} {name}", value) for number, row in enumerate(same) for name, value in row]
            for same in zip(*rows, strict=True)
        ]

    return describe


SUPERFICIAL: Mapping[str, Describe] = {
    "all scores above": scores,
    "looks of the options": looks,
    "looks and overlap with the premises": _joined(looks, overlaps),
    "words of options and premises": words,
    "all of these": _joined(looks, overlaps, words),
}
"""What a learner may see without looking at how the premises are built."""
STRUCTURAL: Mapping[str, Describe] = {"contexts in the premises": contexts}
"""Word order around what an option speaks of: short of reasoning, but no longer superficial."""
