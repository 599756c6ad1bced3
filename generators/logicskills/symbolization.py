"""The family symbolization: translate a sentence into first-order logic ("LogicSkills", §3.1).

Most levels have too many sentences to list. They are counted, and any sentence is made from its
number. A seed is a number, shuffled: neighbouring seeds give different sentences.
"""

import json
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import Any, ClassVar

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, prompts, sentences, split_of
from logic_curriculum.generators.logicskills.constructions import SHAPES, Shape, types_of
from logic_curriculum.generators.logicskills.models import is_contingent
from logic_curriculum.generators.logicskills.sentences import Sentence, load_lexicon, realize
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import SPLITS, Task, digest
from logic_curriculum.rewards.engines.fol.syntax import parse, to_ast
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.symbolization import SymbolizationPayload

_SMALL = 20_000  # a set of at most so many sentences is divided into splits by looking at each
_BLOCK = {"train": 12, "validation": 128, "test": 64}
"""Sentences of a larger set that are a seed's own; one of them almost surely is in the split."""


@dataclass(frozen=True, eq=False)
class SentenceSet:
    """All sentences of one shape, in a fixed order; no two of a sentence's clauses are equal."""

    shape: Shape
    pools: tuple[tuple[Sentence, ...], ...]
    """For each clause, what it is drawn from; two pools are the same or share nothing."""
    weight: int = 1  # how often it is drawn, relative to the other sets of its level

    @cached_property
    def size(self) -> int:
        """Number of sentences."""
        return math.prod(self._radices)

    @cached_property
    def _radices(self) -> tuple[int, ...]:
        """The number of choices for each clause, given those before it."""
        return tuple(
            len(pool) - sum(other is pool for other in self.pools[:number])
            for number, pool in enumerate(self.pools)
        )

    def sentence(self, index: int) -> Sentence:
        """Return a sentence by its number, from 0: the number's digits choose the clauses."""
        chosen: list[tuple[int, int]] = []
        for pool, radix in zip(self.pools, self._radices, strict=True):
            index, place = divmod(index, radix)
            # `place` counts the members that no earlier clause took.
            for taken in sorted(taken for owner, taken in chosen if owner == id(pool)):
                place += taken <= place
            chosen.append((id(pool), place))
        clauses = [pool[place] for pool, (_, place) in zip(self.pools, chosen, strict=True)]
        return sentences.compound(self.shape, clauses)


@dataclass(frozen=True, eq=False)
class Level:
    """One level; no two of its sets share a sentence, nor do two levels."""

    number: int  # 1 to 10
    content: str  # what it holds, in words
    make_sets: Sequence[Callable[[], Sequence[SentenceSet]]]  # called when first used

    @cached_property
    def sets(self) -> tuple[SentenceSet, ...]:
        """The sets of sentences that take turns."""
        return tuple(group for make in self.make_sets for group in make())

    @cached_property
    def size(self) -> int:
        """Number of distinct sentences."""
        return sum(group.size for group in self.sets)

    @cached_property
    def turns(self) -> list[tuple[int, int]]:
        """A round of turns: the number of the set, and how many turns it had in the round."""
        return [(n, turn) for n, group in enumerate(self.sets) for turn in range(group.weight)]

    def sentence(self, seed: int, split: str) -> Sentence:
        """Return the sentence that a seed stands for in a split."""
        rounds, slot = divmod(seed, len(self.turns))
        number, turn = self.turns[slot]
        group, key = self.sets[number], derive_seed("shuffle", self.number, number)
        turn += rounds * group.weight
        if group.size > _SMALL:
            return _walk(group, turn, split, key)
        members = _members(group)[split]
        return group.sentence(members[shuffled(turn % len(members), len(members), key)])


@lru_cache(maxsize=64)
def _members(group: SentenceSet) -> Mapping[str, Sequence[int]]:
    """Return the numbers of the sentences of a small set by the split that they belong to."""
    members = {split: array("L") for split in SPLITS}
    for number in range(group.size):
        sentence = group.sentence(number)
        if is_contingent(sentence):
            members[split_of(str(sentence.formula))].append(number)
    return members


def _walk(group: SentenceSet, turn: int, split: str, key: int) -> Sentence:
    """Return the first sentence of a turn's block that belongs to a split.

    If there is none, it is one from half of the set further on: the next block is another turn's.
    """
    block = _BLOCK[split]
    start = turn % (group.size // block) * block
    far = start + group.size // 2
    for place in chain(range(start, start + block), range(far, far + group.size)):
        sentence = group.sentence(shuffled(place % group.size, group.size, key))
        if split_of(str(sentence.formula)) == split and is_contingent(sentence):
            return sentence
    raise RuntimeError(f"none of {group.size} sentences belongs to the split {split!r}")


def shuffled(index: int, size: int, key: int) -> int:
    """Return where a shuffle sends a number below ``size``, each number to a place of its own.

    It needs no memory: a Feistel network over the next power of four, walked until the result is in
    range (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002). ``size`` is at most
    2**126. Each key from 0 to 2**63 - 1 gives another shuffle.
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(4):
            left, right = right, left ^ (_mix(right + turn * 0x9E3779B97F4A7C15 + key) & mask)
        index = left << half | right
        if index < size:
            return index


def _mix(number: int) -> int:
    """Scatter the bits of a number over 64 bits, as SplitMix64 does."""
    mask = 2**64 - 1
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & mask
    number = (number ^ number >> 27) * 0x94D049BB133111EB & mask
    return number ^ number >> 31


def _sets(clauses: int, *pools: str, weight: int = 1, two_verbs: bool = False) -> list[SentenceSet]:
    """Return the sets with so many clauses, which come from the pools in turn.

    A pool is given by its groups of sentence types (:func:`types_of`). Each shape occurs once for
    each pool that the first clause may come from.
    """
    listed = [
        sentences.simple_sentences(types_of(*pool.split()), two_verbs=two_verbs) for pool in pools
    ]
    turns = [
        tuple(listed[(first + n) % len(listed)] for n in range(clauses))
        for first in range(len(listed))
    ]
    return [SentenceSet(shape, turn, weight) for shape in SHAPES[clauses] for turn in turns]


def _half_nested() -> list[SentenceSet]:
    """Give the paper's only nested shape the share that it has in the published data."""
    nested, *triples = _sets(3, _UP_TO_ONE)
    return [replace(nested, weight=len(triples)), *triples]


_UP_TO_ONE, _MANY = "literal one", "two three"  # numbers of quantifiers

# fmt: off
LEVELS = (
    Level(1, "atomic sentences and their negations", [partial(_sets, 1, "literal")]),
    Level(2, "one quantifier; verb phrase ellipsis", [partial(_sets, 1, "one ellipsis")]),
    Level(3, "two clauses without quantifiers", [partial(_sets, 2, "literal")]),
    Level(4, "two or three quantifiers",
          [partial(_sets, 1, "two reversed back three", two_verbs=True)]),
    Level(5, "two clauses, one or both with a quantifier",  # one as often as both
          [partial(_sets, 2, "one", weight=2), partial(_sets, 2, "literal", "one")]),
    Level(6, "three clauses, each with at most one quantifier; half are the paper's nested "
          "conditional", [_half_nested]),
    Level(7, "two clauses, one with two or three quantifiers",
          [partial(_sets, 2, _UP_TO_ONE, _MANY)]),
    Level(8, "three clauses, some with two or three quantifiers",
          [partial(_sets, 3, _UP_TO_ONE, _MANY, two_verbs=True)]),
    Level(9, "four such clauses; or two, one with a relative clause on its subject",
          [partial(_sets, 4, _UP_TO_ONE, _MANY, two_verbs=True),
           partial(_sets, 2, "relative", _UP_TO_ONE)]),
    Level(10, "six clauses, nested three deep or more, with relative clauses on the subject",
          [partial(_sets, 6, _UP_TO_ONE, _MANY, "relative", two_verbs=True)]),
)
# fmt: on


_SIZES = {
    "train": (60, 340, 8_900, 700, *(15_000,) * 6),
    "validation": (10, 40, *(50,) * 8),
    "test": (20, 60, *(65,) * 8),
}


@dataclass(frozen=True)
class SymbolizationOptions(Options):
    """Options of the family's tasks. No formula occurs in two splits."""

    language: str = option("english", "words of the sentences", sentences.LANGUAGES)
    style: str = option("full", "style of the prompt", prompts.STYLES)


class SymbolizationFamily(Family):
    """Translate a sentence into first-order logic.

    In the split ``train``, the seeds from 0 give different sentences until the level has no more or
    80,000 were given. The style of the prompt does not change the sentence.
    """

    name = "symbolization"
    judge = JUDGES["symbolization"]
    tiers = TIERS
    options = SymbolizationOptions
    leak_unit = "formula"
    columns: ClassVar[Mapping[str, str]] = {
        "id": "identifier of the task",
        "language": "lexicon of the sentences; `formal` where there are formulas only",
        "sentence": "the sentence to translate",
        "key": "symbol → what it abbreviates, as JSON",
        "formula": "the sentence's formula",
        "ast": "the formula as a tree, as JSON",
        "type": "type of the sentence",
        "subtype": "the type's variant",
        "label": "the right answer",
        "counterpart_id": "`id` of the same sentence in the other lexicon",
        "counterpart_sentence": "the same sentence in the other lexicon",
    }

    def make(self, level: int, seed: int, options: SymbolizationOptions) -> Task:
        """Make a task; see :class:`Family`."""
        lexicon = sentences.task_lexicon(options.language, level, seed, options.split)
        counterpart = load_lexicon("carroll" if lexicon.name == "english" else "english")
        sentence = LEVELS[level - 1].sentence(seed, options.split)
        formula, text = str(sentence.formula), realize(sentence, lexicon)
        key = lexicon.key(sentence.formula)
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.symbolization_prompt(text, key, options.style),
            solution=prompts.symbolization_solution(formula, options.style),
            verification=SymbolizationPayload(formula, dict(key)).to_dict(),
            metadata={
                "sentence": text,
                "formula": formula,
                "type": sentence.type,
                "language": lexicon.name,
                "counterpart": realize(sentence, counterpart),
                "counterpart_language": counterpart.name,
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that is equal for tasks with the same sentence in the same language."""
        return _identifier(task.metadata["language"], task.metadata["sentence"])

    def leak_key(self, task: Task) -> str:
        """Return the formula: no two splits may share one."""
        return str(task.verification["formula"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data; trees are JSON texts."""
        about = task.metadata
        kind, _, subtype = about["type"].partition("_")
        formula = task.verification["formula"]
        return {
            "id": self.fingerprint(task),
            **{name: about[name] for name in ("language", "sentence")},
            "key": json.dumps(task.verification["abbreviations"], ensure_ascii=False),
            "formula": formula,
            "ast": json.dumps(to_ast(parse(formula))),
            "type": kind,
            "subtype": subtype,
            "label": formula,
            "counterpart_id": _identifier(about["counterpart_language"], about["counterpart"]),
            "counterpart_sentence": about["counterpart"],
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return a level's number of tasks by split; in all, the paper's 100,000 and 600."""
        return {split: sizes[level - 1] for split, sizes in _SIZES.items()}

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return a formula that is always true, two at once, and the sentence itself."""
        right = task.verification["formula"]
        answers = {
            "a formula that is always true": f"({right}∨¬{right})",
            "the formula or its denial": f"{right} or ¬{right}",
            "the sentence itself": task.metadata["sentence"],
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return what a level holds, and of how many sentences."""
        row = LEVELS[level - 1]
        size = f"{row.size:,}" if row.size < 10**9 else f"{row.size:.1e}"
        return {"sentences": size, "content": row.content}


def _identifier(language: str, sentence: str) -> str:
    return digest(f"{language}: {sentence}")
