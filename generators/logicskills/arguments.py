"""Premises of arguments: clauses sorted by topic, ways to combine them, and what these entail.

Clauses that speak of the same things in the same order share a *topic*: "every human saw Lewis",
"no humans saw Lewis" and "not all humans saw Lewis" differ in the words of logic only. A *schema*
holds the topics of all premises in their places; its clauses on some topics may be fixed. What is
left open, the words of logic, decides what follows.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, reduce
from random import Random
from typing import NamedTuple

import numpy as np

from logic_curriculum.generators.logicskills import constructions, sentences, split_of
from logic_curriculum.generators.logicskills.constructions import CANONICAL, Shape
from logic_curriculum.generators.logicskills.models import Bits, Indices, ModelStore, any_bit
from logic_curriculum.generators.logicskills.sentences import Sentence
from logic_curriculum.generators.task import Split
from logic_curriculum.rewards.engines.fol.models import Bools
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not

ARGUMENT_COLUMNS = {
    "id": "identifier of the task",
    "language": "lexicon of the sentences; `formal` where there are formulas only",
    "domain": "what is assumed of the domain besides the premises, as a formula",
    "premises": "formulas of the premises",
}
"""Columns of both families of arguments in a published dataset."""


class SynthesisError(ValueError):
    """No argument was found within the limits; the message says for what, and what to do."""

    def __init__(self, level: int, split: str, attempts: int) -> None:
        super().__init__(
            f"No argument for level {level} and split {split!r} in {attempts} schemas of premises, "
            "where some hundreds at most are usual. Take another seed, and report this one."
        )


@dataclass(frozen=True, eq=False)
class Clause:
    """A simple sentence and where it is true."""

    sentence: Sentence
    bits: Bits


class Composition(NamedTuple):
    """A sentence that is yet to be put together from its clauses."""

    shape: Shape
    parts: tuple[Clause, ...]

    @property
    def sentence(self) -> Sentence:
        """The sentence, put together."""
        return sentences.compound(self.shape, [part.sentence for part in self.parts])

    @property
    def bits(self) -> Bits:
        """Where it is true."""
        return self.truth([part.bits for part in self.parts])

    def truth(self, clauses: Sequence[Bits]) -> Bits:
        """Return where it is true, from where its clauses are."""
        return _truth(scheme(self.shape), clauses)


@cache
def scheme(shape: Shape) -> Formula:
    """Return a shape's formula, with numbered letters for the clauses."""
    letters = [
        Sentence("", Atom(str(number), ()), "") for number in range(constructions.leaves(shape))
    ]
    return sentences.compound(shape, letters).formula


def _truth(form: Formula, clauses: Sequence[Bits]) -> Bits:
    match form:
        case Atom(number):
            return clauses[int(number)]
        case Not(body):
            return ~_truth(body, clauses)
        case Binary(connective, left, right):
            return _TRUTH_TABLES[connective](_truth(left, clauses), _truth(right, clauses))
    raise ValueError(f"{form} is no compound of clauses")


_TRUTH_TABLES: Mapping[str, Callable[[Bits, Bits], Bits]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "imp": lambda left, right: ~left | right,
    "iff": lambda left, right: ~(left ^ right),
}


@dataclass(frozen=True, eq=False)
class ClauseTable:
    """The simple sentences over the stored models' symbols, by topic."""

    by_topic: Mapping[str, tuple[Clause, ...]]  # those that may be clauses of compounds
    alone_by_topic: Mapping[str, tuple[Clause, ...]]  # those that only stand alone

    def on(self, topic: str, *, alone: bool) -> tuple[Clause, ...]:
        """Return the clauses on a topic; with ``alone``, also those that only stand alone."""
        clauses = self.by_topic.get(topic, ())
        return clauses + self.alone_by_topic.get(topic, ()) if alone else clauses


@cache
def clause_table(store: ModelStore) -> ClauseTable:
    """Return all simple sentences with their bits; this takes up to a second, once."""

    def by_topic(*groups: str) -> Mapping[str, tuple[Clause, ...]]:
        found: dict[str, list[Clause]] = {}
        for sentence in sentences.simple_sentences(constructions.types_of(*groups), CANONICAL):
            clause = Clause(sentence, store.bits(sentence.formula))
            found.setdefault(topic_of(sentence), []).append(clause)
        return {topic: tuple(clauses) for topic, clauses in found.items()}

    alone = by_topic("reversed", "back", "three", "ellipsis")
    return ClauseTable(by_topic("literal", "one", "two"), alone)


def topic_of(sentence: Sentence) -> str:
    """Return the symbols of a simple sentence in the order in which they are said, e.g. "aPb"."""
    letters = [filler.rpartition(":")[2] for _, filler in sentence.words]
    group = constructions.SIMPLE_TYPES[sentence.type].group
    if group == "reversed":  # "there is K that every J R" is about J R K
        letters = [letters[1], letters[2], letters[0]]
    return "".join(letters)


@dataclass(frozen=True)
class PremiseSpec:
    """What the premises of a level are made of."""

    premises: int  # how many there are
    clauses: tuple[int, ...]  # how many clauses a premise has; each premise draws one of these
    links: tuple[str, ...]  # topics that may link premises, as sorts (`sorts_of`), e.g. "nbn"
    link_count: int = 2  # how many of these link the premises, beside the conclusion's topics
    names: str = "abc"
    monadic: str = "FG"
    binary: str = ""


@lru_cache(maxsize=256)
def link_topics(spec: PremiseSpec, table: ClauseTable) -> tuple[str, ...]:
    """Return the topics that may link the premises of a level, in a fixed order."""
    symbols = {*spec.names, *spec.monadic, *spec.binary, *CANONICAL.kinds}
    within = filter(symbols.issuperset, table.by_topic)
    return tuple(topic for topic in within if sentences.sorts_of(topic) in spec.links)


@dataclass(frozen=True)
class Schema:
    """What the premises of an argument speak of."""

    premises: tuple[tuple[str, ...], ...]  # the topics of each premise's clauses, in order
    fixed: frozenset[str]  # topics that have the same clause in a place in all combinations

    @property
    def topics(self) -> list[str]:
        """The topics of each premise as one text."""
        return [" ".join(found) for found in self.premises]

    def split(self, *, kinds_apart: bool = True) -> Split:
        """Return the split of all arguments with these topics, whatever their symbols."""
        return split_of(sentences.canonical_text(self.topics, kinds_apart=kinds_apart))


def draw_schema(
    spec: PremiseSpec, about: Sequence[str], fixed: Iterable[str], table: ClauseTable, rng: Random
) -> Schema:
    """Draw a schema, with the conclusion's topics, ``about``, among its own as far as they fit."""
    sizes = [rng.choice(spec.clauses) for _ in range(spec.premises)]
    premises: list[list[str]] = [[] for _ in sizes]
    links = link_topics(spec, table)
    near = [topic for topic in links if any(set(topic) & set(other) for other in about)]
    others = [topic for topic in near or links if topic not in about]
    pool = [*about, *rng.sample(others, min(spec.link_count, len(others)))]
    full = [min(size, len(pool)) for size in sizes]
    while list(map(len, premises)) != full:
        for topic in rng.sample(pool, len(pool)):
            _add_topic(topic, premises, sizes, rng)
    for found in premises:
        rng.shuffle(found)
    return Schema(tuple(map(tuple, premises)), frozenset(fixed))


def _add_topic(topic: str, premises: list[list[str]], sizes: Sequence[int], rng: Random) -> None:
    """Add a topic to one of the emptiest premises that lack it and have room, if there is one."""
    room = [i for i, found in enumerate(premises) if len(found) < sizes[i] and topic not in found]
    if room:
        fewest = min(len(premises[i]) for i in room)
        premises[rng.choice([i for i in room if len(premises[i]) == fewest])].append(topic)


@dataclass(frozen=True, eq=False)
class Combinations:
    """Premises that differ in the words of logic only, many at once."""

    variants: tuple[tuple[Composition, ...], ...]  # for each premise, what it may be
    chosen: Indices  # which of them it is, [premises, combinations]
    near: int  # number of words of bits that answer most questions

    @cached_property
    def variant_bits(self) -> tuple[Bits, ...]:
        """Where each premise's variants are true, ``[variants, near]``."""
        return tuple(np.stack([item.bits[: self.near] for item in each]) for each in self.variants)

    @cached_property
    def codes(self) -> Indices:
        """A number for each combination, the same for equal ones."""
        return np.ravel_multi_index(tuple(self.chosen), tuple(map(len, self.variants)))

    def compositions(self, combination: int) -> tuple[Composition, ...]:
        """Return the premises of a combination, yet to be put together."""
        rows = zip(self.variants, self.chosen[:, combination], strict=True)
        return tuple(variants[choice] for variants, choice in rows)

    def near_bits(self, rows: Indices, left_out: int | None = None) -> Bits:
        """Return where all premises but one are true, for some combinations, ``[rows, near]``."""
        pairs = enumerate(zip(self.variant_bits, self.chosen[:, rows], strict=True))
        masks = (bits[choice] for number, (bits, choice) in pairs if number != left_out)
        return reduce(np.bitwise_and, masks)

    def bits(self, combination: int) -> Bits:
        """Return where all premises of a combination are true, by all stored models."""
        return reduce(np.bitwise_and, (item.bits for item in self.compositions(combination)))


def combine(
    schema: Schema, table: ClauseTable, rng: Random, variants: int, count: int, near: int
) -> Combinations:
    """Draw ``count`` combinations, some of them equal, of at most ``variants`` per premise."""
    drawn = tuple(_variants(item, schema.fixed, table, rng, variants) for item in schema.premises)
    words = np.frombuffer(rng.randbytes(2 * count * len(drawn)), np.uint16)
    sizes = np.array([[len(found)] for found in drawn])
    chosen = words.reshape(len(drawn), count).astype(np.intp) * sizes >> 16
    return Combinations(drawn, chosen, near)


def _variants(
    topics: Sequence[str], fixed: frozenset[str], table: ClauseTable, rng: Random, count: int
) -> tuple[Composition, ...]:
    """Draw sentences on a premise's topics; the clauses on fixed topics are the same in all."""
    choices = []
    for topic in topics:
        found = table.on(topic, alone=len(topics) == 1)
        choices.append((rng.choice(found),) if topic in fixed else found)
    shapes = constructions.SHAPES[len(topics)]
    drawn = (Composition(rng.choice(shapes), tuple(map(rng.choice, choices))) for _ in range(count))
    return tuple(dict.fromkeys(drawn))


def entailed(premises: Bits, sentences: Bits) -> Bools:
    """Return which sentences are true in all models of some premises, ``[premises, sentences]``.

    Both are given by where they are true, ``[.., words]``.
    """
    denied = ~sentences
    found: Bools = premises[:, :1] & denied[:, 0] == 0  # the first word leaves few pairs
    rows, columns = np.nonzero(found)
    found[rows, columns] = ~any_bit(premises[rows] & denied[columns])
    return found


@dataclass(frozen=True, eq=False)
class Entailments:
    """Which combinations of premises entail which sentences, as far as the stored models know."""

    rows: Indices  # combinations that jointly entail something, of equal ones the first
    columns: Indices  # sentences that are jointly entailed by some combination
    follows: Bools  # which combinations entail which sentences, [columns, rows]
    joint: Bools  # which of these entailments are joint, see `find_entailments`


def find_entailments(
    combinations: Combinations, sentences: Sequence[Composition], minimal: bool
) -> Entailments:
    """Return which combinations entail which sentences, by the first stored models.

    An entailment is joint if some stored model makes all premises true and it needs them all or,
    unless ``minimal``, more than one.
    """
    variants = combinations.variant_bits
    asked = np.stack([sentence.bits[: combinations.near] for sentence in sentences])
    rows = np.sort(np.unique(combinations.codes, return_index=True)[1])
    together = combinations.near_bits(rows)
    consistent = any_bit(together)
    rows, together = rows[consistent], together[consistent]
    by_one = np.zeros((len(rows), len(asked)), np.bool_)
    for bits, choice in zip(variants, combinations.chosen[:, rows], strict=True):
        by_one |= entailed(bits, asked)[choice]
    joint = entailed(together, asked) & ~by_one
    follows = by_one | joint
    if minimal and len(variants) > 2:
        for left_out in range(len(variants)):
            left = np.flatnonzero(joint.any(axis=1))
            others = combinations.near_bits(rows[left], left_out)
            joint[left] &= ~entailed(others, asked)
    kept, columns = (np.flatnonzero(joint.any(axis=axis)) for axis in (1, 0))
    both = np.ix_(kept, columns)
    return Entailments(rows[kept], columns, follows[both].T, joint[both].T)
