"""Learners that pick one of six options by its looks, its overlap with the premises, or contexts.

The learner is a logistic regression on hashed features of single options; it answers the option
that is most probably right. Its regularization is chosen by cross-validation on training tasks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product

import numpy as np
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from validity_strategies import LOGIC, SCORES, Text, View

BUCKETS = 1 << 17
"""Weights that features are hashed to."""
REGULARIZATIONS = (0.01, 0.1, 1.0, 10.0)
"""Inverse strengths that compete."""
FOLDS = 3

Features = list[tuple[str, float]]
"""Names and values of what is seen of one option."""
Describe = Callable[[View], list[Features]]
"""Returns the features of each option of a task."""


def learned_answers(
    describe: Describe, seen: Sequence[View], right: Sequence[int], tested: Sequence[View]
) -> list[str]:
    """Return the answers to some tasks of a learner that was trained on others.

    Args:
        describe: Returns what is seen of the options.
        seen: The training tasks.
        right: Place of the right option of each.
        tested: The tasks to answer.
    """
    model = make_pipeline(
        FeatureHasher(BUCKETS, input_type="pair"),
        Normalizer(),
        LogisticRegression(solver="liblinear"),
    )
    search = GridSearchCV(
        model,
        {"logisticregression__C": REGULARIZATIONS},
        scoring="neg_log_loss",
        cv=GroupKFold(FOLDS),
    )
    rows, labels, groups = [], [], []
    for number, (view, answer) in enumerate(zip(seen, right, strict=True)):
        options = describe(view)
        rows += options
        labels += [place == answer for place in range(len(options))]
        groups += [number] * len(options)
    search.fit(rows, labels, groups=groups)
    return [str(np.argmax(search.decision_function(describe(view))) + 1) for view in tested]


ALONE = (
    *("length", "words", "negations", "universal", "existential", "quantifiers", "clauses"),
    *("overlap with the other options", "others of its form", "others with its first word"),
    "alphabetical place",
)
"""Scores that don't look at the premises."""


def _scored(view: View, names: Iterable[str]) -> list[Features]:
    """Return scores, relative to the other options', and ranks."""
    rows: list[Features] = [[] for _ in view.options]
    for name in names:
        values = [float(SCORES[name](view, option)) for option in view.options]
        mean = sum(values) / len(values)
        spread = max(values) - min(values) or 1.0
        for row, value in zip(rows, values, strict=True):
            rank = sum(other < value for other in values)
            row += [(f"{name} by", (value - mean) / spread), (f"{name} rank {rank}", 1.0)]
    return rows


def scores(view: View) -> list[Features]:
    """Describe the options by all scores, and nothing else."""
    return [
        [(name, value) for name, value in row if name.endswith(" by")]
        for row in _scored(view, SCORES)
    ]


def looks(view: View) -> list[Features]:
    """Describe the options without looking at the premises."""
    rows = _scored(view, ALONE)
    forms = sorted({option.form for option in view.options})
    for number, (row, option) in enumerate(zip(rows, view.options, strict=True)):
        names = [f"place {number}", f"form {option.form}", f"text {option.text}"]
        names += [f"form {option.form} beside {form}" for form in forms]
        names += [f"word {word}" for word in sorted(set(option.words))]
        row += [(name, 1.0) for name in names]
    return rows


def overlaps(view: View) -> list[Features]:
    """Describe how much the options share with the premises."""
    rows = _scored(view, (name for name in SCORES if name not in ALONE))
    for row, option in zip(rows, view.options, strict=True):
        for word in sorted(set(option.words)):
            kind = word if word in LOGIC else "–"
            row.append((f"{kind} occurs {view.premise_words[word]}", 1.0))
        for clause in sorted(option.clauses):
            row.append((f"clause found {clause in view.premise_clauses}", 1.0))
    return rows


def words(view: View) -> list[Features]:
    """Describe every word and pair of an option beside every word of logic in the premises."""
    there = sorted({word for word in view.premise_words if word in LOGIC})
    rows: list[Features] = []
    for option in view.options:
        mine = [*sorted(set(option.words)), *map(" ".join, sorted(option.pairs)), option.form]
        crossed = [f"{one}|{other}" for one, other in product(mine, there)]
        amounts = [f"{option.form}|{word} {view.premise_words[word]}" for word in there]
        rows.append([(name, 1.0) for name in (*mine, *crossed, *amounts)])
    return rows


def contexts(view: View) -> list[Features]:
    """Describe in what words of logic the premises embed what the option speaks of.

    Each word that names something becomes its place in the option, or a dash where the option
    doesn't have it. The learner sees runs of up to four such words, with the option's form.
    """
    rows: list[Features] = []
    for option in view.options:
        named = [word for word in dict.fromkeys(option.words) if word not in LOGIC]
        places = {word: f"#{number}" for number, word in enumerate(named)}
        runs = Counter(chain(*(_runs(premise, places) for premise in view.premises)))
        rows.append(
            [
                (name, float(count))
                for run, count in sorted(runs.items())
                for name in (run, f"{option.form}|{run}")
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
    def describe(view: View) -> list[Features]:
        rows = [part(view) for part in parts]
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
