"""What cheap strategies earn on the LogicSkills families: a Markdown table for each.

    python benchmarks/shortcuts/logicskills.py [--kinds validity] [--tasks 100] [--train 400]

Each strategy sees what a model sees and answers without reasoning. On validity, learners choose by
*looks* (scores of the options alone), *overlap* (with the premises as well) and *words* (each of an
option beside those of logic in the premises, and those beside an option's clauses there).
*Structural* strategies do part of the work: they know the form of each sentence.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

from common import LEARNERS, Answer, Example, Examples, Option, Shortcuts, main

from logic_curriculum.generators import Task
from logic_curriculum.generators.logicskills.polarity import Signs, occurrences
from logic_curriculum.generators.logicskills.tells import clauses, normal
from logic_curriculum.rewards.engines.fol import parse
from logic_curriculum.rewards.engines.fol.syntax import Formula

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
BESIDE = 3  # words before and behind a clause that learners look at
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


@lru_cache(maxsize=100_000)
def text_of(text: str) -> Text:
    words = tuple(word.lower() for word in _WORD.findall(text))
    form = " ".join(word if word in LOGIC else "–" for word in words)
    clauses = frozenset(map(str.strip, CONNECTIVES.split(text.rstrip(".").lower()))) - {""}
    return Text(text, words, frozenset(words) - LOGIC, form, clauses)


def likeness(one: Text, other: Text) -> float:
    words, others = set(one.words), set(other.words)
    return len(words & others) / len(words | others)


# -- Validity --------------------------------------------------------------------------------------


class View(NamedTuple):
    """A validity task as its prompt shows it."""

    prompt: str
    premises: tuple[Text, ...]  # what is supposed to be true, the domain axiom first
    options: tuple[Text, ...]
    words: Counter[str]  # how often each occurs in the premises
    premise_forms: tuple[Formula, ...]  # without the domain axiom
    option_forms: tuple[Formula, ...]


def view_of(task: Task) -> View:
    options = _OPTION.findall(task.prompt)
    first = task.prompt.index(f"{options[0][0]}. {options[0][1]}")
    lines = task.prompt[:first].split("\n")
    situation = next(line for line in lines if task.metadata["premise_sentences"][0] in line)
    premises = tuple(map(text_of, _SENTENCE.findall(situation)))
    words = Counter(word for premise in premises for word in premise.words)
    shown = tuple(text_of(text) for _, text in options)
    about = task.metadata
    parsed = (tuple(map(parse, about[name])) for name in ("premises", "options"))
    return View(task.prompt, premises, shown, words, *parsed)


def _found(option: Text, premises: Iterable[Text]) -> int:
    """Count the clauses of an option that some premise has."""
    return sum(any(clause in premise.clauses for premise in premises) for clause in option.clauses)


Score = Callable[[View, Text], float]
LOOKS: Mapping[str, Score] = {
    "length": lambda _, option: len(option.text),
    "negations": lambda _, option: sum(word in NEGATIONS for word in option.words),
    "universal": lambda _, option: option.words[0] in ("every", "no", "only"),
    "existential": lambda _, option: option.words[0] in ("a", "an", "not", "there"),
    "clauses": lambda _, option: len(option.clauses),
    "overlap with the other options": lambda seen, option: sum(
        likeness(option, other) for other in seen.options
    ),
    "others of its form": lambda seen, option: sum(o.form == option.form for o in seen.options),
    "alphabetical place": lambda seen, option: sum(o.text < option.text for o in seen.options),
}
OVERLAPS: Mapping[str, Score] = {
    "how often its words are in the premises": lambda seen, option: (
        sum(seen.words[word] for word in option.words) / len(option.words)
    ),
    "how often its names and verbs are in the premises": lambda seen, option: (
        sum(seen.words[w] for w in option.content) / max(1, len(option.content))
    ),
    "clauses in the premises": lambda seen, option: _found(option, seen.premises),
    "clauses that begin a premise": lambda seen, option: sum(
        premise.text.lower().startswith(clause)
        for premise in seen.premises
        for clause in option.clauses
    ),
    "overlap with the most similar premise": lambda seen, option: max(
        likeness(option, premise) for premise in seen.premises
    ),
    "overlap with the first premise": lambda seen, option: likeness(option, seen.premises[1]),
    "overlap with the last premise": lambda seen, option: likeness(option, seen.premises[-1]),
}


Describe = Callable[[View, Text], Iterator[tuple[str, float]]]


def scored(scores: Mapping[str, Score], seen: View, option: Text) -> Iterator[tuple[str, float]]:
    """Describe an option by scores between the lowest and the highest of all, and by ranks."""
    for name, score in scores.items():
        own, values = float(score(seen, option)), [float(score(seen, o)) for o in seen.options]
        yield f"{name} by", (own - min(values)) / (max(values) - min(values) or 1.0)
        yield f"{name} rank {sum(value < own for value in values)}", 1.0


def looks(seen: View, option: Text) -> Iterator[tuple[str, float]]:
    """Describe an option without looking at the premises."""
    yield from scored(LOOKS, seen, option)
    named = [f"place {seen.options.index(option)}", f"form {option.form}", f"text {option.text}"]
    named += [f"form {option.form} beside {other.form}" for other in seen.options]
    yield from ((name, 1.0) for name in (*named, *option.words))


def overlap(seen: View, option: Text) -> Iterator[tuple[str, float]]:
    """Describe an option, and how much it shares with the premises."""
    yield from looks(seen, option)
    yield from scored(OVERLAPS, seen, option)
    for word in option.words:
        yield f"{word if word in LOGIC else '–'} occurs {seen.words[word]}", 1.0


def words(seen: View, option: Text) -> Iterator[tuple[str, float]]:
    """Describe the words of an option beside those of logic, and what stands at its clauses."""
    there = [word for word in seen.words if word in LOGIC]
    yield from ((f"{one}|{other}", 1.0) for one, other in product(option.words, there))
    yield from ((f"{option.form}|{word} {seen.words[word]}", 1.0) for word in there)
    for premise, clause in product(seen.premises, sorted(option.clauses)):
        before, found, behind = premise.text.lower().rstrip(".").partition(clause)
        if found:
            left = ["^", *_WORD.findall(before)][-BESIDE:]
            right = [*_WORD.findall(behind), "$"][:BESIDE]
            sides = [
                " ".join(w if w in (*LOGIC, "^", "$") else "–" for w in s) for s in (left, right)
            ]
            yield from ((f"{place} {side}", 1.0) for place, side in zip("<>", sides, strict=True))
            yield " … ".join(sides), 1.0
            yield f"{left[-1]} …", 1.0


def forms(seen: View, option: Text) -> Iterator[tuple[str, float]]:
    """Describe where premises have an option's clauses, and the normal form of each premise."""
    form = seen.option_forms[seen.options.index(option)]
    asked = dict(clauses(form))
    names = {clause: (name, False) for clause, name in zip(asked, "XY", strict=False)}
    found: Counter[str] = Counter()
    for premise in seen.premise_forms:
        pairs = [f"{at}|{asked[one]}" for one, at in clauses(premise) if one in asked]
        found.update([*pairs, f"together {sorted(pairs)}"])
        found[f"{normal(form, names)}|{normal(premise, names)}"] += 1
    yield from found.items()


def options_of(describe: Describe, example: Example) -> list[Option]:
    """Describe the options of a validity task."""
    right = example.task.verification["correct"]
    return [
        Option(str(number), dict(describe(example.view, option)), number in right)
        for number, option in enumerate(example.view.options, start=1)
    ]


# -- Countermodels ---------------------------------------------------------------------------------

Cell = tuple[str, tuple[int, ...]]  # a predicate at an object or a pair
_ATOM = re.compile("([A-Z])([a-z]+)")


class Argument(NamedTuple):
    """A countermodel task as its prompt shows it."""

    task: Task
    sentences: tuple[str, ...]  # the premises, and the conclusion denied
    names: Mapping[str, int]  # different objects, as far as there are any
    said: Mapping[str, int]  # atoms that are a sentence → 1, or -1 where it is denied
    cells: Mapping[Cell, Mapping[str, float]]  # what learners see of each


def argument_of(task: Task) -> Argument:
    about, domain = task.metadata, task.verification["domain"]
    names = {name: domain[place % len(domain)] for place, name in enumerate(about["constants"])}
    sentences = (*about["premises"], f"¬{about['conclusion']}")
    signs = Signs.of(list(map(parse, about["premises"])), parse(about["conclusion"]))
    said = {str(atom): sign for atom, sign in signs.said.items()}
    seen = Argument(task, sentences, names, said, {})
    heads = [*product(about["monadic"], [1]), *product(about["binary"], [2])]
    cells = [(head, at) for head, arity in heads for at in product(domain, repeat=arity)]
    return seen._replace(cells={cell: places(seen, *cell) for cell in cells})


def places(seen: Argument, head: str, objects: tuple[int, ...]) -> Counter[str]:
    """Describe a predicate at an object by where it occurs: signs, and sentences around it."""

    def mark(atom: re.Match[str]) -> str:
        if atom[1] != head:  # T or F as said, or –
            return "–TF"[seen.said.get(atom[0], 0)]
        at = [seen.names.get(term) for term in atom[2]]
        pairs = zip(at, objects, strict=True)
        return "".join("x*/"[(name is not None) + (name not in (None, i))] for name, i in pairs)

    found = Counter([f"at {objects}", f"at {objects} {head in 'MNO'}"])
    for number, sentence in enumerate(seen.sentences, start=1):
        last = number == len(seen.sentences)
        if head in sentence:
            found[f"{_ATOM.sub(mark, sentence)} {last}"] += 1
        for atom, sign, iff in occurrences(parse(sentence)):
            if atom.predicate == head:
                fits = _ATOM.sub(mark, str(atom))
                found.update([f"{fits} {sign}", f"{fits} {sign} {iff} {last}"])
    return found


def structure(seen: Argument, leans: dict[Cell, float]) -> str:
    """Write a structure in which predicates are true where they lean above 0.

    Under the domain axiom, kinds divide the objects as they lean most.
    """
    domain = seen.task.verification["domain"]
    if seen.task.metadata["domain"]:
        ways = [way for way in product("MNO", repeat=len(domain)) if len({*way}) == 3]
        kinds = [list(zip(way, zip(domain, strict=True), strict=True)) for way in ways]
        best = max(kinds, key=lambda way: sum(leans[cell] for cell in way))
        leans |= {cell: 2 * (cell in best) - 1 for cell in leans if cell[0] in "MNO"}
    found: dict[str, Any] = {**seen.names}
    for (head, objects), value in leans.items():
        own = found.setdefault(head, [])
        own += [objects[0] if len(objects) == 1 else objects] * bool(value > 0)
    return json.dumps(found)


def by_places(learner: str, train: Examples) -> Answer:
    """Learn from the solutions of a level where predicates are true."""

    @cache
    def model(level: int) -> Any:
        known = [example.view for example in train if example.task.level == level]
        true = [
            (at[0] if len(at) == 1 else [*at]) in seen.task.metadata["example_countermodel"][head]
            for seen in known
            for head, at in seen.cells
        ]
        return LEARNERS[learner]().fit([c for seen in known for c in seen.cells.values()], true)

    def answer(seen: Argument) -> str:
        rates = model(seen.task.level).predict_proba([*seen.cells.values()])[:, 1]
        return structure(seen, dict(zip(seen.cells, rates - 0.5, strict=True)))

    return answer


# -- Symbolization ---------------------------------------------------------------------------------


def _key(task: Task) -> dict[str, str]:
    return task.verification["abbreviations"]


def _applied(symbol: str, task: Task, term: str) -> str:
    return symbol + term * (1 + ("[2]" in _key(task)[symbol]))


def every_atom(task: Task) -> str:
    """Apply all predicates to all names."""
    heads, names = filter(str.isupper, _key(task)), filter(str.islower, _key(task))
    return " ∧ ".join(_applied(head, task, name) for head, name in product(heads, names))


def translation(train: Examples) -> Answer:
    """Answer as for a training sentence of the same form, with the symbols of this one."""
    by_form: dict[str, Task] = {}
    for example in train:
        by_form.setdefault(text_of(example.task.metadata["sentence"]).form, example.task)

    def answer(task: Task) -> str:
        known = by_form.get(text_of(task.metadata["sentence"]).form)
        if not known:
            return ""
        place = dict(zip(_in_order(known), _in_order(task), strict=False))
        return "".join(place.get(char, char) for char in known.verification["formula"])

    return answer


def _in_order(task: Task) -> list[str]:
    """Return the symbols in the order in which the sentence first has their words."""
    spoken = text_of(task.metadata["sentence"]).words
    key = _key(task)

    def place(symbol: str) -> int:
        stems = [word[:4] for word in text_of(key[symbol]).words if word not in {*LOGIC, "1", "2"}]
        return next((i for i, word in enumerate(spoken) if word[:4] in stems), len(spoken))

    return sorted(key, key=place)


KINDS = {
    "validity": Shortcuts(
        "validity",
        "validity_reward",
        view_of,
        options={
            "looks of the options": partial(options_of, looks),
            "looks and overlap with the premises": partial(options_of, overlap),
            "words of options and premises": partial(options_of, words),
            "form of each sentence (structural)": partial(options_of, forms),
        },
        chance=1 / 6,
    ),
    "countermodel": Shortcuts(
        "countermodel",
        "countermodel_reward",
        argument_of,
        trained={
            f"{learner}: where predicates occur": partial(by_places, learner)
            for learner in LEARNERS
        },
        by_level=True,
    ),
    "symbolization": Shortcuts(
        "symbolization",
        "symbolization_reward",
        lambda task: task,
        {"all predicates of all names": every_atom},
        trained={"training sentence of the same form, symbols replaced (structural)": translation},
        by_level=True,
    ),
}

if __name__ == "__main__":
    main(KINDS)
