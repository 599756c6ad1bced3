"""Ways to pick an option without reasoning: by number, looks, overlap, memory, or probability.

The last section looks at what the options' formulas mean, in random models of the domain axiom.
Those are no shortcuts that a reader of the prompt could take by looking; they show whether the
options give the answer away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators import Task
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol import Models, Signature, evaluate, parse, random_models

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


@dataclass(frozen=True)
class Text:
    """A sentence as a bag of words and clauses."""

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words in small letters."""
        return tuple(word.lower() for word in _WORD.findall(self.text))

    @cached_property
    def content(self) -> frozenset[str]:
        """Words that name something."""
        return frozenset(self.words) - LOGIC

    @cached_property
    def form(self) -> str:
        """The words of logic, with a dash for each other word."""
        return " ".join(word if word in LOGIC else "–" for word in self.words)

    @cached_property
    def clauses(self) -> frozenset[str]:
        """What stands between connectives, in small letters."""
        parts = CONNECTIVES.split(self.text.rstrip(".").lower())
        return frozenset(part.strip() for part in parts) - {""}

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Words in a row."""
        return frozenset(pairwise(self.words))


@dataclass(frozen=True)
class View:
    """A task as its prompt shows it."""

    prompt: str
    premises: tuple[Text, ...]
    """What is supposed to be true, the domain axiom first."""
    options: tuple[Text, ...]

    @cached_property
    def premise_words(self) -> Counter[str]:
        """How often each word occurs in the premises."""
        return Counter(word for premise in self.premises for word in premise.words)

    @cached_property
    def premise_clauses(self) -> frozenset[str]:
        """All clauses of the premises."""
        return frozenset().union(*(premise.clauses for premise in self.premises))

    @cached_property
    def premise_pairs(self) -> frozenset[tuple[str, str]]:
        """All words in a row in the premises."""
        return frozenset().union(*(premise.pairs for premise in self.premises))


def view(task: Task) -> View:
    """Read a task's prompt."""
    options = _OPTION.findall(task.prompt)
    first = task.prompt.index(f"{options[0][0]}. {options[0][1]}")
    lines = task.prompt[:first].split("\n")
    situation = next(line for line in lines if task.metadata["premise_sentences"][0] in line)
    premises = tuple(map(Text, _SENTENCE.findall(situation)))
    return View(task.prompt, premises, tuple(Text(text) for _, text in options))


Score = Callable[[View, Text], float]
Pick = Callable[[View], str]
"""What is answered to a task."""


def _share(part: Iterable[object], whole: Iterable[object]) -> float:
    """Return which share of some items occurs among others; 0 for no items."""
    items, others = set(part), set(whole)
    return float(Fraction(len(items & others), len(items))) if items else 0.0


def _likeness(one: Text, other: Text) -> float:
    words, others = set(one.words), set(other.words)
    return len(words & others) / len(words | others)


def _to_others(seen: View, option: Text) -> float:
    return sum(_likeness(option, other) for other in seen.options)


def _to_premises(seen: View, option: Text) -> float:
    return max(_likeness(option, premise) for premise in seen.premises)


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
    "overlap with the likest premise": _to_premises,
    "overlap with the first premise": lambda seen, option: _likeness(option, seen.premises[1]),
    "overlap with the last premise": lambda seen, option: _likeness(option, seen.premises[-1]),
    "overlap with the other options": _to_others,
    "others of its form": lambda seen, option: sum(o.form == option.form for o in seen.options),
    "others with its first word": lambda seen, option: sum(
        o.words[0] == option.words[0] for o in seen.options
    ),
    "alphabetical place": lambda seen, option: sorted(o.text for o in seen.options).index(
        option.text
    ),
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
    values = [
        (score(seen, option), derive_seed("tie", seen.prompt, option.text))
        for option in seen.options
    ]
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    return str(order[place] + 1)


def constant(answer: str, _: View) -> str:
    """Answer the same to every task."""
    return answer


def random_option(seen: View) -> str:
    """Answer one of the options, drawn by the prompt."""
    return str(derive_seed("guess", seen.prompt) % len(seen.options) + 1)


def untrained() -> dict[str, Pick]:
    """Return the strategies that need no training, by name."""
    fixed = {f"always {n}": partial(constant, str(n)) for n in range(1, 7)}
    others: dict[str, Pick] = {
        "every option": partial(constant, "1, 2, 3, 4, 5, 6"),
        "none of them": partial(constant, "none"),
        "empty answer": partial(constant, ""),
        "echo of the prompt": lambda seen: seen.prompt,
        "an option at random": random_option,
    }
    ranked = {
        f"{word} {name}": partial(extreme, score, sign)
        for name, score in SCORES.items()
        for word, sign in (("most:", 1), ("least:", -1))
    }
    middle = {
        f"{word} most: {LIKENESS}": partial(ranked_at, SCORES[LIKENESS], place)
        for place, word in enumerate(("second", "third", "fourth", "fifth"), start=1)
    }
    return {**fixed, **others, **ranked, **middle}


def memorised(views: Sequence[View], answers: Sequence[int]) -> dict[str, Pick]:
    """Return the strategies that count how often an option of some kind was right in training.

    Args:
        views: The training tasks.
        answers: Place of the right option of each.
    """
    kinds: dict[str, Callable[[Text], str]] = {
        "form most often right": lambda option: option.form,
        "sentence most often right": lambda option: option.text,
        "first word most often right": lambda option: option.words[0],
    }
    return {name: _count(kind, views, answers) for name, kind in kinds.items()}


def _count(kind: Callable[[Text], str], views: Sequence[View], answers: Sequence[int]) -> Pick:
    right: Counter[str] = Counter()
    offered: Counter[str] = Counter()
    for seen, answer in zip(views, answers, strict=True):
        right[kind(seen.options[answer])] += 1
        offered.update(kind(option) for option in seen.options)

    def rate(_: View, option: Text) -> float:
        key = kind(option)
        return (right[key] + 1) / (offered[key] + 6)

    return partial(extreme, rate, 1)


# -- meaning ---------------------------------------------------------------------------------------

SIZE = 4
MODELS = 512
KINDS = "MNO"

Bools = npt.NDArray[np.bool_]


@lru_cache(maxsize=1)
def models() -> Models:
    """Return random models of the domain axiom with all symbols of the paper's lexicons."""
    arities = dict.fromkeys("FGHIJKL" + KINDS, 1) | dict.fromkeys("PQR", 2)
    found = random_models(Signature(arities, frozenset("abc")), SIZE, MODELS, "shortcuts")
    last = np.array([derive_seed("kind", model) % len(KINDS) for model in range(MODELS)])
    kinds = np.stack([*(np.full(MODELS, kind) for kind in range(len(KINDS))), last], axis=1)
    monadic = {kind: kinds == place for place, kind in enumerate(KINDS)}
    return Models(SIZE, MODELS, found.constants, {**found.monadic, **monadic}, found.binary)


@lru_cache(maxsize=100_000)
def truth(formula: str) -> Bools:
    """Return in which of the models a formula is true."""
    return evaluate(parse(formula), models())


def _given(option: Bools, premise: Bools) -> float:
    """Return how probable an option is among the models of a premise."""
    return float((option & premise).sum() + 1) / float(premise.sum() + 2)


def _probability(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return float(option.mean())


def _others_below(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(not (other & ~option).any() for other in options)


def _others_above(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(not (option & ~other).any() for other in options)


def _agreement(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(float((option == other).mean()) for other in options)


def _supported(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    return sum(float(np.log(_given(option, premise))) for premise in premises)


def _raised(option: Bools, options: Sequence[Bools], premises: Sequence[Bools]) -> float:
    base = _given(option, np.ones_like(option))
    return sum(float(np.log(_given(option, premise) / base)) for premise in premises)


Estimate = Callable[[Bools, Sequence[Bools], Sequence[Bools]], float]
"""Scores an option by its truth in each model, beside the other options' and the premises'."""
SEMANTIC: Mapping[str, tuple[Estimate, int]] = {
    "the most probable option": (_probability, 1),
    "the least probable option": (_probability, -1),
    "the option that most others entail": (_others_below, 1),
    "the option that entails most others": (_others_above, 1),
    "the option most like the others in truth": (_agreement, 1),
    "the option least like the others in truth": (_agreement, -1),
    "the most probable given single premises": (_supported, 1),
    "the most raised by single premises": (_raised, 1),
}
"""What options are compared by, and whether the highest or the lowest is taken."""


def semantic_answers(tasks: Sequence[Task]) -> dict[str, list[str]]:
    """Return the answers of the semantic strategies by name."""
    return {
        name: [_pick(score, sign, task) for task in tasks]
        for name, (score, sign) in SEMANTIC.items()
    }


def _pick(score: Estimate, sign: int, task: Task) -> str:
    options = [truth(text) for text in task.metadata["options"]]
    premises = [truth(text) for text in task.metadata["premises"]]
    return highest([sign * score(option, options, premises) for option in options], task.prompt)
