"""Ways to pick one of a validity task's options without reasoning; see ``logicskills.py``.

By number, looks, overlap with the premises, memory, or a learner: a logistic regression on hashed
features of single options, whose regularization is chosen by cross-validation on training tasks.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise, product
from typing import Any, NamedTuple

from common import Example
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed

NEGATIONS = frozenset(("no", "not", "isn't", "won't", "didn't"))
_OTHER_LOGIC = """
    a an and are both but case either every if in is it itself just only or that the then there
    unless will all
"""
LOGIC = NEGATIONS.union(_OTHER_LOGIC.split())
"""Words that mean the same in every sentence; the others name things and what they do."""
CONNECTIVES = re.compile(
    r",? if and only if | just in case | only if | unless |,? then |,? and |,? but |,? or |^if |"
    r"^both |^either | it is not the case that |^it is not the case that "
)
_OPTION = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"[A-Z][^.]*\.")
_WORD = re.compile(r"[\w'-]+")


class Text(NamedTuple):
    """A sentence as a bag of words and clauses."""

    text: str
    words: tuple[str, ...]  # in small letters
    content: frozenset[str]  # words that name something
    form: str  # the words of logic, with a dash for each other word
    clauses: frozenset[str]  # what stands between connectives, in small letters
    pairs: frozenset[tuple[str, str]]  # words in a row


@lru_cache(maxsize=100_000)
def text_of(text: str) -> Text:
    words = tuple(word.lower() for word in _WORD.findall(text))
    form = " ".join(word if word in LOGIC else "–" for word in words)
    clauses = frozenset(map(str.strip, CONNECTIVES.split(text.rstrip(".").lower()))) - {""}
    return Text(text, words, frozenset(words) - LOGIC, form, clauses, frozenset(pairwise(words)))


class View(NamedTuple):
    """A task as its prompt shows it."""

    prompt: str
    premises: tuple[Text, ...]  # what is supposed to be true, the domain axiom first
    options: tuple[Text, ...]
    premise_words: Counter[str]  # how often each occurs in the premises
    premise_clauses: frozenset[str]
    premise_pairs: frozenset[tuple[str, str]]  # words in a row


def view(task: Task) -> View:
    options = _OPTION.findall(task.prompt)
    first = task.prompt.index(f"{options[0][0]}. {options[0][1]}")
    lines = task.prompt[:first].split("\n")
    situation = next(line for line in lines if task.metadata["premise_sentences"][0] in line)
    premises = tuple(map(text_of, _SENTENCE.findall(situation)))
    words = Counter(word for premise in premises for word in premise.words)
    clauses = frozenset(clause for premise in premises for clause in premise.clauses)
    pairs = frozenset(pair for premise in premises for pair in premise.pairs)
    choices = tuple(text_of(text) for _, text in options)
    return View(task.prompt, premises, choices, words, clauses, pairs)


Score = Callable[[View, Text], float]
Pick = Callable[[View], str]  # what is answered to a task


def _share(part: Iterable[object], whole: Iterable[object]) -> float:
    """Return which share of some items occurs among others; 0 for no items."""
    items = set(part)
    return len(items.intersection(whole)) / len(items) if items else 0.0


def likeness(one: Text, other: Text) -> float:
    words, others = set(one.words), set(other.words)
    return len(words & others) / len(words | others)


SCORES: Mapping[str, Score] = {
    "length": lambda _, option: len(option.text),
    "words": lambda _, option: len(option.words),
    "negations": lambda _, option: sum(word in NEGATIONS for word in option.words),
    "universal": lambda _, option: option.words[0] in ("every", "no", "only"),
    "existential": lambda _, option: option.words[0] in ("a", "an", "not", "there"),
    "quantifiers": lambda _, option: sum(w in ("every", "a", "no", "only") for w in option.words),
    "clauses": lambda _, option: len(option.clauses),
    "words in the premises": lambda seen, option: _share(option.words, seen.premise_words),
    "how often its words are in the premises": lambda seen, option: (
        sum(seen.premise_words[word] for word in option.words) / len(option.words)
    ),
    "how often its names and verbs are in the premises": lambda seen, option: (
        sum(seen.premise_words[w] for w in option.content) / max(1, len(option.content))
    ),
    "word pairs in the premises": lambda seen, option: _share(option.pairs, seen.premise_pairs),
    "clauses in the premises": lambda seen, option: _share(option.clauses, seen.premise_clauses),
    "overlap with the likest premise": lambda seen, option: max(
        likeness(option, premise) for premise in seen.premises
    ),
    "overlap with the first premise": lambda seen, option: likeness(option, seen.premises[1]),
    "overlap with the last premise": lambda seen, option: likeness(option, seen.premises[-1]),
    "overlap with the other options": lambda seen, option: sum(
        likeness(option, other) for other in seen.options
    ),
    "others of its form": lambda seen, option: sum(o.form == option.form for o in seen.options),
    "others with its first word": lambda seen, option: sum(
        o.words[0] == option.words[0] for o in seen.options
    ),
    "alphabetical place": lambda seen, option: sum(o.text < option.text for o in seen.options),
}
"""What options are compared by."""
LIKENESS = "overlap with the likest premise"
"""The score whose order the generator keeps apart from the answer, so all its ranks are tried."""


def highest(values: Sequence[float], prompt: str) -> str:
    """Return the number of the option with the highest value, one at random of several."""
    best = [i for i, value in enumerate(values) if value == max(values)]
    return str(best[derive_seed("tie", prompt) % len(best)] + 1)


def extreme(score: Score, sign: int, seen: View) -> str:
    """Return the number of the option with the highest score, or with sign -1 the lowest."""
    return highest([sign * score(seen, option) for option in seen.options], seen.prompt)


def ranked_at(score: Score, place: int, seen: View) -> str:
    """Return the number of the option at a place in the order of scores; 0 is the highest."""
    values = [(score(seen, o), derive_seed("tie", seen.prompt, o.text)) for o in seen.options]
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    return str(order[place] + 1)


def always(answer: str) -> Callable[[Any], str]:
    return lambda seen: answer


UNTRAINED: dict[str, Pick] = {
    **{f"always {n}": always(str(n)) for n in range(1, 7)},
    "every option": always("1, 2, 3, 4, 5, 6"),
    "none of them": always("none"),
    "empty answer": always(""),
    "echo of the prompt": lambda seen: seen.prompt,
    "an option at random": lambda seen: str(
        derive_seed("guess", seen.prompt) % len(seen.options) + 1
    ),
    **{
        f"{word} {name}": partial(extreme, score, sign)
        for name, score in SCORES.items()
        for word, sign in (("most:", 1), ("least:", -1))
    },
    **{
        f"{word} most: {LIKENESS}": partial(ranked_at, SCORES[LIKENESS], place)
        for place, word in enumerate(("second", "third", "fourth", "fifth"), start=1)
    },
}
MEMORISED: Mapping[str, Callable[[Text], str]] = {
    "form most often right": lambda option: option.form,
    "sentence most often right": lambda option: option.text,
    "first word most often right": lambda option: option.words[0],
}


def most_often_right(kind: Callable[[Text], str], train: Sequence[Example]) -> Pick:
    """Return the strategy that counts how often an option of some kind was right in training."""
    right = Counter(kind(example.view.options[correct_place(example)]) for example in train)
    offered = Counter(kind(option) for example in train for option in example.view.options)

    def rate(_: View, option: Text) -> float:
        key = kind(option)
        return (right[key] + 1) / (offered[key] + 6)

    return partial(extreme, rate, 1)


def correct_place(example: Example) -> int:
    """Return the place of the right option, from 0 on."""
    return int(example.task.verification["correct"][0]) - 1


Features = list[tuple[str, float]]  # names and values of what is seen of one option
Describe = Callable[[View], list[Features]]


def new_learner() -> Any:
    hasher = FeatureHasher(1 << 17, input_type="pair")
    model = make_pipeline(hasher, Normalizer(), LogisticRegression(solver="liblinear"))
    strengths = {"logisticregression__C": (0.01, 0.1, 1.0, 10.0)}
    return GridSearchCV(model, strengths, scoring="neg_log_loss", cv=GroupKFold(3))


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
    return [[item for item in row if item[0].endswith(" by")] for row in _scored(view, SCORES)]


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
        row += [(f"clause found {c in view.premise_clauses}", 1.0) for c in sorted(option.clauses)]
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
        names = [(n, run) for run in sorted(runs) for n in (run, f"{option.form}|{run}")]
        rows.append([(name, float(runs[run])) for name, run in names])
    return rows


def _runs(premise: Text, places: Mapping[str, str]) -> Iterator[str]:
    marked = ["^", *(w if w in LOGIC else places.get(w, "–") for w in premise.words), "$"]
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


LEARNERS: Mapping[str, Mapping[str, Describe]] = {
    "superficial": {
        "all scores above": scores,
        "looks of the options": looks,
        "looks and overlap with the premises": _joined(looks, overlaps),
        "words of options and premises": words,
        "all of these": _joined(looks, overlaps, words),
    },
    "structural": {"contexts in the premises": contexts},
}
"""What learners see; word order around what an option speaks of is no longer superficial."""
