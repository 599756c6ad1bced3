"""What cheap strategies earn on the LogicSkills families, as a Markdown table.

    python benchmarks/shortcuts/logicskills.py [--families validity] [--tasks 100] [--train 200]

Each strategy sees what a model sees and answers without reasoning; the answers go through the real
reward functions. On validity (``validity.py``), learners are trained on superficial features of
training tasks and tested on test tasks. Chance there is one in six, and the table says which
figures lie above it by more than noise, given how many were computed. What is marked as structural
or semantic is no shortcut but shows how far a look at structure or at truth in random models goes.
"""

import argparse
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from statistics import fmean

import numpy as np
import numpy.typing as npt
import validity
from common import Answers, Columns, Example, Row, columns_of, learn, pay, report, rows_of
from validity import LOGIC, always, text_of

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol import Models, Signature, evaluate, parse, random_models

CANDIDATES = 100  # constant answers of which the best on training tasks is taken
SAMPLE = 100  # training tasks of a level on which they compete
CHUNK = 50  # tasks that a worker makes at a time

Answer = Callable[[Task], str]


Interpretation = Callable[[str, int, Sequence[int]], str]
"""Interprets a symbol, given its number of arguments (0 for a name) and the domain."""
KINDS = "MNO"


def interpreted(interpret: Interpretation) -> Answer:
    """Return the strategy that interprets each symbol of an argument in some way."""

    def answer(task: Task) -> str:
        text = " ".join([*task.verification["premises"], task.verification["conclusion"]])
        arities = dict.fromkeys(re.findall(r"[a-r]", text), 0)
        arities |= {head: len(terms) for head, terms in re.findall(r"([A-Z])([a-z]+)", text)}
        domain, symbols = task.verification["domain"], sorted(arities.items())
        return " ".join(f"{name}={interpret(name, arity, domain)}" for name, arity in symbols)

    return answer


def _tuples(arity: int, domain: Sequence[int]) -> list[str]:
    return list(map(str, domain)) if arity == 1 else [f"({x},{y})" for x in domain for y in domain]


def _braced(items: Iterable[object]) -> str:
    return "{" + ",".join(map(str, items)) + "}"


def fixed(
    full: bool, kinds: bool, spread: bool, symbol: str, arity: int, domain: Sequence[int]
) -> str:
    """Interpret predicates by nothing or everything, and names by one or different elements.

    With ``kinds``, each kind has one element, and the last kind the rest.
    """
    if kinds and symbol in KINDS:
        place = KINDS.index(symbol)
        return _braced(domain[place:] if symbol == KINDS[-1] else domain[place : place + 1])
    if not arity:
        return str(domain["abc".find(symbol) % len(domain) if spread else 0])
    return _braced(_tuples(arity, domain) if full else [])


def drawn(seed: str, symbol: str, arity: int, domain: Sequence[int]) -> str:
    """Draw an interpretation; kinds sort the domain, each with at least one element."""
    size = len(domain)
    if symbol in KINDS:
        kinds = [*range(3), *(derive_seed(seed, "kind", x) % 3 for x in range(3, size))]
        turned = [kinds[(x + derive_seed(seed, "turn") % size) % size] for x in range(size)]
        return _braced(x for x in domain if turned[x] == KINDS.index(symbol))
    if not arity:
        return str(domain[derive_seed(seed, symbol) % size])
    share = 1 + derive_seed(seed, symbol, "share") % 7
    items = _tuples(arity, domain)
    return _braced(item for item in items if derive_seed(seed, symbol, item) % 8 < share)


def layout_example(task: Task) -> str:
    """Answer with the example of the layout in the prompt, if there is one."""
    lines = task.prompt.split("\n")
    return "\n".join(line for line in lines if re.search(r"[\[{]\s*\d|:\s*\d|=\s*\d", line))


def copied(task: Task) -> str:
    """Interpret names by different elements, and predicates by the premises that are atoms."""
    premises, domain = task.verification["premises"], task.verification["domain"]
    text = " ".join([*premises, task.verification["conclusion"]])
    elements = itertools.cycle(domain)
    places = {name: next(elements) for name in dict.fromkeys(re.findall(r"[a-r]", text))}
    extensions: dict[str, list[str]] = {head: [] for head in re.findall("[A-Z]", text)}
    for premise in premises:
        if atom := re.fullmatch(r"([A-Z])([a-r]+)", premise):
            terms = ",".join(str(places[name]) for name in atom[2])
            extensions[atom[1]].append(terms if len(atom[2]) == 1 else f"({terms})")
    said = {**places, **{name: _braced(items) for name, items in extensions.items()}}
    return " ".join(f"{name}={value}" for name, value in said.items())


COUNTERMODEL: Mapping[str, Answer] = {
    "empty answer": always(""),
    "echo of the prompt": lambda task: task.prompt,
    "the prompt's own example": layout_example,
    "all predicates empty": interpreted(partial(fixed, False, False, False)),
    "all predicates full": interpreted(partial(fixed, True, False, False)),
    "one of each kind, the rest empty": interpreted(partial(fixed, False, True, False)),
    "one of each kind, the rest full": interpreted(partial(fixed, True, True, False)),
    "one of each kind, names apart, the rest empty": interpreted(partial(fixed, False, True, True)),
    "one of each kind, names apart, the rest full": interpreted(partial(fixed, True, True, True)),
    "the premises that are atoms, the rest empty": copied,
    "a drawn structure for each task": lambda task: interpreted(
        partial(drawn, f"task {task.prompt}")
    )(task),
}


def sentence_of(task: Task) -> str:
    """Return the sentence that a prompt asks for, the last one in it."""
    return task.prompt.rpartition("Sentence: ")[2].partition("\n")[0]


def _key(task: Task) -> dict[str, str]:
    return task.verification["abbreviations"]


def _applied(symbol: str, task: Task, term: str) -> str:
    return symbol + term * (1 + ("[2]" in _key(task)[symbol]))


def _symbols(task: Task) -> tuple[list[str], list[str]]:
    """Return the predicates and the names of the key."""
    return list(filter(str.isupper, _key(task))), list(filter(str.islower, _key(task)))


def _some_atom(task: Task) -> str:
    (head, *_), names = _symbols(task)
    return _applied(head, task, names[0]) if names else f"∀x{_applied(head, task, 'x')}"


def every_first_is_last(task: Task) -> str:
    """Relate the first and last predicate of the key as "every … is …" does."""
    heads, _ = _symbols(task)
    return f"∀x({_applied(heads[0], task, 'x')}→{_applied(heads[-1], task, 'x')})"


SYMBOLIZATION: Mapping[str, Answer] = {
    "empty answer": always(""),
    "echo of the sentence": sentence_of,
    "echo of the prompt": lambda task: task.prompt,
    "tautology": lambda task: f"({_some_atom(task)}∨¬{_some_atom(task)})",
    "contradiction": lambda task: f"({_some_atom(task)}∧¬{_some_atom(task)})",
    "every first predicate is the last": every_first_is_last,
    "all predicates of all names": lambda task: " ∧ ".join(
        _applied(head, task, name) for head, name in product(*_symbols(task))
    ),
}


class Neighbours:
    """The training tasks that look like a given one."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.by_symbols: dict[tuple[str, ...], list[Task]] = defaultdict(list)
        self.by_form: dict[str, list[Task]] = defaultdict(list)
        for task in tasks:
            self.by_symbols[tuple(sorted(_key(task)))].append(task)
            self.by_form[text_of(sentence_of(task)).form].append(task)

    def same_symbols(self, task: Task) -> str:
        """Answer as the likest training task with the same symbols asks, if there is one."""
        mine, known = text_of(sentence_of(task)), self.by_symbols[tuple(sorted(_key(task)))]

        def likeness(other: Task) -> float:
            return validity.likeness(mine, text_of(sentence_of(other)))

        return str(max(known, key=likeness).verification["formula"]) if known else ""

    def translated(self, task: Task) -> str:
        """Answer as for a training sentence of the same form, with this one's symbols."""
        known = self.by_form.get(text_of(sentence_of(task)).form)
        if not known:
            return ""
        place = dict(zip(_in_order(known[0]), _in_order(task), strict=False))
        formula = str(known[0].verification["formula"])
        return "".join(place.get(char, char) for char in formula)


def _in_order(task: Task) -> list[str]:
    """Return the symbols in the order in which the sentence first has their words."""
    words = text_of(sentence_of(task)).words
    key = _key(task)

    def place(symbol: str) -> int:
        stems = [word[:4] for word in text_of(key[symbol]).words if word not in {*LOGIC, "1", "2"}]
        return next((i for i, word in enumerate(words) if word[:4] in stems), len(words))

    return sorted(key, key=place)


# -- validity, by meaning --------------------------------------------------------------------------
# In random models of the domain axiom: no shortcut that a reader could take by looking, but it
# shows whether the options give the answer away.

Bools = npt.NDArray[np.bool_]


@lru_cache(maxsize=1)
def models() -> Models:
    """Return random models of the domain axiom with all symbols of the paper's lexicons."""
    arities = dict.fromkeys("FGHIJKL" + KINDS, 1) | dict.fromkeys("PQR", 2)
    found = random_models(Signature(arities, frozenset("abc")), 4, 512, "shortcuts")
    kinds = np.array([[0, 1, 2, derive_seed("kind", model) % 3] for model in range(512)])
    monadic = {kind: kinds == place for place, kind in enumerate(KINDS)}
    return replace(found, monadic={**found.monadic, **monadic})


@lru_cache(maxsize=100_000)
def truth(formula: str) -> Bools:
    return evaluate(parse(formula), models())


def _given(option: Bools, premise: Bools) -> float:
    return float((option & premise).sum() + 1) / float(premise.sum() + 2)


def _support(option: Bools, premises: Sequence[Bools], base: float) -> float:
    """Return how much more probable single premises make an option than a base, as a logarithm."""
    return sum(float(np.log(_given(option, premise) / base)) for premise in premises)


def _agreement(option: Bools, options: Sequence[Bools], _: Sequence[Bools]) -> float:
    return sum(float((option == other).mean()) for other in options)


Estimate = Callable[[Bools, Sequence[Bools], Sequence[Bools]], float]
"""Scores an option by its truth in each model, beside the other options' and the premises'."""
SEMANTIC: Mapping[str, tuple[Estimate, int]] = {
    "the most probable option": (lambda option, *_: float(option.mean()), 1),
    "the least probable option": (lambda option, *_: float(option.mean()), -1),
    "the option that most others entail": (
        lambda option, options, _: sum(not (other & ~option).any() for other in options),
        1,
    ),
    "the option that entails most others": (
        lambda option, options, _: sum(not (option & ~other).any() for other in options),
        1,
    ),
    "the option most like the others in truth": (_agreement, 1),
    "the option least like the others in truth": (_agreement, -1),
    "the most probable given single premises": (lambda o, _, known: _support(o, known, 1.0), 1),
    "the most raised by single premises": (
        lambda o, _, known: _support(o, known, _given(o, np.ones_like(o))),
        1,
    ),
}
"""What options are compared by, and whether the highest or the lowest is taken."""


def semantic_answer(score: Estimate, sign: int, task: Task) -> str:
    options, premises = (list(map(truth, task.metadata[key])) for key in ("options", "premises"))
    scores = [sign * score(option, options, premises) for option in options]
    return validity.highest(scores, task.prompt)


Examples = Sequence[Example]


def make(name: str, split: str, count: int) -> Examples:
    """Make tasks of all levels, on all cores; with equal contents only the first is kept."""
    levels, seeds = zip(*product(family(name).levels(), range(count)), strict=True)
    with ProcessPoolExecutor() as pool:
        one = partial(generate, name, split=split)
        tasks = list(pool.map(one, levels, seeds, chunksize=CHUNK))
    distinct = {family(name).fingerprint(task): task for task in reversed(tasks)}
    view = validity.view if name == "validity" else lambda task: None
    tiers = family(name).tiers
    return [Example(t, view(t), tiers[t.level - 1]) for t in reversed(distinct.values())]


def answer_validity(train: Examples, test: Examples) -> Iterator[Answers]:
    memories = {n: validity.most_often_right(k, train) for n, k in validity.MEMORISED.items()}
    for name, pick in (validity.UNTRAINED | memories).items():
        yield name, [pick(example.view) for example in test], "superficial"

    def learnt(see: validity.Describe, by_tier: bool) -> list[int]:
        def describe(view: validity.View) -> Iterable[tuple[int, validity.Features]]:
            return enumerate(see(view))

        right = validity.correct_place
        return learn(validity.new_learner, describe, right, train, test, by_tier)

    for group, learners in validity.LEARNERS.items():
        for name, see in learners.items():
            for note, by_tier in (("", False), (", one for each tier", True)):
                numbers = [str(place + 1) for place in learnt(see, by_tier)]
                yield f"learner: {name}{note}", numbers, group
    for name, (score, sign) in SEMANTIC.items():
        yield name, [semantic_answer(score, sign, e.task) for e in test], "semantic"


def answer_countermodel(train: Examples, test: Examples) -> Iterator[Answers]:
    yield from _answers(COUNTERMODEL, test)
    candidates = [interpreted(partial(drawn, f"constant {n}")) for n in range(CANDIDATES)]
    yield _best_constant("countermodel_reward", [*candidates, *COUNTERMODEL.values()], train, test)


def answer_symbolization(train: Examples, test: Examples) -> Iterator[Answers]:
    yield from _answers(SYMBOLIZATION, test)
    common = Counter(e.task.verification["formula"] for e in train).most_common(CANDIDATES)
    yield _best_constant("symbolization_reward", [always(t) for t, _ in common], train, test)
    neighbours = Neighbours([example.task for example in train])
    structural = {
        "likest training sentence with the same symbols": neighbours.same_symbols,
        "training sentence of the same form, symbols replaced": neighbours.translated,
    }
    yield from _answers(structural, test, "structural")


def _answers(
    strategies: Mapping[str, Answer], test: Examples, group: str = "superficial"
) -> Iterator[Answers]:
    for name, answer in strategies.items():
        yield name, [answer(example.task) for example in test], group


def _best_constant(
    reward: str, candidates: Sequence[Answer], train: Examples, test: Examples
) -> Answers:
    """Take for each level the constant answer that earns most on training tasks."""
    best: dict[int, Answer] = {}
    for level in {example.task.level for example in test}:
        known = [example.task for example in train if example.task.level == level][:SAMPLE]
        best[level] = max(candidates, key=lambda a: fmean(pay(reward, map(a, known), known)))
    texts = [best[example.task.level](example.task) for example in test]
    return "best constant answer of each level, chosen in training", texts, "superficial"


ANSWERS = {
    "validity": answer_validity,
    "countermodel": answer_countermodel,
    "symbolization": answer_symbolization,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge cheap strategies on LogicSkills tasks.")
    parser.add_argument("--families", nargs="+", choices=ANSWERS, default=list(ANSWERS))
    parser.add_argument("--tasks", type=int, default=100, help="test tasks per level")
    parser.add_argument("--train", type=int, default=200, help="training tasks per level")
    arguments = parser.parse_args()
    for name in arguments.families:
        train = make(name, "train", arguments.train)
        test = make(name, "test", arguments.tasks)
        columns: Columns = {"all": range(len(test)), **columns_of(test)}
        chance = Row("one of six", [1 / 6] * len(test)) if name == "validity" else None
        rows = rows_of(f"{name}_reward", test, ANSWERS[name](train, test))
        print(f"## {name}\n\n{len(train)} training tasks\n")
        print(f"{report(columns, rows, chance, exact=False)}\n", flush=True)


if __name__ == "__main__":
    main()
