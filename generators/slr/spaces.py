"""Levels whose possible examples can be listed: what is possible, and what every rule says of it.

Where examples have one part and few attributes (20 trains at levels 1 to 3), a set of examples is a
number: bit ``i`` stands for possible example ``i``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product

from logic_curriculum.generators.slr.canonical import canonical_rule
from logic_curriculum.generators.slr.conjunctions import holds, shortest_conjunctions
from logic_curriculum.generators.slr.grammar import Example, Grammar, grammar_of
from logic_curriculum.generators.slr.language import Language
from logic_curriculum.generators.slr.levels import LEVELS, Level
from logic_curriculum.generators.slr.programs import LabelledExample
from logic_curriculum.generators.slr.rules import Literals, is_meaningful, write_rule
from logic_curriculum.generators.slr.splits import is_test_rule
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

LARGEST_SPACE = 256
"""Possible examples of a level up to which they are listed."""
QUESTIONS_TRIED = 2_000
"""Questions of a rule among which there must be one that is sound."""


@dataclass(frozen=True)
class SmallRule:
    """A positive conjunction about one part, as uniform rules of such levels are."""

    literals: Literals
    """The values that the part has."""
    canonical: str
    """The rule's text as the splits compare it."""
    members: int
    """The possible examples that it accepts."""


@dataclass(frozen=True, eq=False)
class Space:
    """All possible examples of a level with one part per example."""

    language: Language
    """Vocabulary and grammar."""
    level: Level
    """A row of Table 2."""
    grammar: Grammar
    """The level's grammar."""
    examples: tuple[Example, ...]
    """Each example once, in the order of the vocabulary's values."""
    places: Mapping[Example, int]
    """The place of each example in ``examples``."""

    def where(self, literals: Literals) -> int:
        """Return the examples whose part has all these values."""
        return self.set_of(
            example
            for example in self.examples
            if all(example[0][at] == value for at, value in literals.items())
        )

    def set_of(self, examples: Iterable[Example]) -> int:
        """Return examples as a number."""
        return sum(1 << self.places[example] for example in examples)

    def positives(self, examples: Iterable[LabelledExample]) -> int:
        """Return the positive ones among examples."""
        return self.set_of(item.parts for item in examples if item.positive)

    def pattern(self, members: int) -> str:
        """Write a set of examples: a character for each possible one, 1 for members, else 0."""
        return "".join("1" if members >> at & 1 else "0" for at in range(len(self.examples)))

    def fits_test_rule(self, examples: Sequence[LabelledExample]) -> bool:
        """Return whether a test rule of any level with these examples explains the labels.

        Or whether one explains the labels exchanged: if only one of the two labellings could be
        asked in training, the examples alone would tell the labels.
        """
        yes, no = self._labelled(examples)
        return any(_fits(item, yes, no) or _fits(item, no, yes) for item in _tested(self))

    def accepted_patterns(self, examples: Sequence[LabelledExample], truth: int) -> tuple[str, ...]:
        """Return the outcomes on all possible examples that are accepted.

        They are those of a rule that fits the examples shown, and that is right on enough of either
        class. The rules are the conjunctions of up to as many conditions as the level's rules have,
        where a condition says that the part has a value of an attribute, or does not have it.

        Args:
            examples: The examples shown.
            truth: What the ground truth accepts.

        Returns:
            Each outcome once, as :meth:`pattern` writes it, in ascending order.
        """
        return tuple(sorted(map(self.pattern, self._accepted(*self._labelled(examples), truth))))

    def is_sound(self, examples: Sequence[LabelledExample], truth: int) -> bool:
        """Return whether a question pays for rules, and not for memorising its examples.

        Every shortest conjunction that fits is accepted; neither the positives shown, taken for all
        there are, nor everything but the negatives shown is.
        """
        yes, no = self._labelled(examples)
        accepted = self._accepted(yes, no, truth)
        everything = (1 << len(self.examples)) - 1
        if yes in accepted or everything ^ no in accepted:
            return False
        shortest = shortest_conjunctions(
            [item.parts for item in examples if item.positive],
            [item.parts for item in examples if not item.positive],
            self.level.rule_length[1],
        )
        return all(
            self.set_of(item for item in self.examples if holds(rule, item)) in accepted
            for rule in shortest
        )

    def _accepted(self, yes: int, no: int, truth: int) -> frozenset[int]:
        everything = (1 << len(self.examples)) - 1
        return frozenset(
            members
            for members in _outcomes(self)
            if _fits(members, yes, no)
            and _share(members, truth) >= LEAST_SHARE
            and _share(everything ^ members, everything ^ truth) >= LEAST_SHARE
        )

    def _labelled(self, examples: Sequence[LabelledExample]) -> tuple[int, int]:
        no = self.set_of(item.parts for item in examples if not item.positive)
        return self.positives(examples), no


def _share(members: int, of_class: int) -> float:
    """Return the share of a class that is among the members."""
    return (members & of_class).bit_count() / of_class.bit_count()


def _fits(members: int, positives: int, negatives: int) -> bool:
    return members & positives == positives and not members & negatives


@lru_cache(maxsize=64)
def space_of(language: Language, level: Level) -> Space | None:
    """Return all possible examples of a level; None if they are too many to list.

    Raises:
        ValueError: The language has fewer predicates than the level.
    """
    grammar = grammar_of(language, level.predicates)
    if level.parts != (1, 1) or grammar.part_count > LARGEST_SPACE:
        return None
    domains = [item.values or (1,) for item in grammar.attributes]
    parts = (part for part in product(*domains) if grammar.is_consistent(dict(enumerate(part))))
    examples: tuple[Example, ...] = tuple((part,) for part in parts)
    places = {example: at for at, example in enumerate(examples)}
    return Space(language, level, grammar, examples, places)


@lru_cache(maxsize=64)
def small_rules(space: Space) -> tuple[SmallRule, ...]:
    """Return every rule that the level draws."""
    least, most = space.level.rule_length
    return tuple(
        SmallRule(literals, _canonical(space, literals), space.where(literals))
        for length in range(least, most + 1)
        for literals in _conjunctions(space.grammar, length)
    )


def questions(space: Space, rule: SmallRule) -> Iterator[tuple[LabelledExample, ...]]:
    """Yield the examples that tasks with a rule may show: positives and their mirror images."""
    yes = [item for at, item in enumerate(space.examples) if rule.members >> at & 1]
    no = [item for at, item in enumerate(space.examples) if not rule.members >> at & 1]
    fixed = [at for at in range(len(space.grammar.attributes)) if at not in rule.literals]
    images = {
        item: [other for other in no if all(item[0][at] == other[0][at] for at in fixed)]
        for item in yes
    }
    half = space.level.kappa // 2
    for positives in combinations(yes, half):
        chosen = map(frozenset, product(*(images[item] for item in positives)))
        for negatives in dict.fromkeys(found for found in chosen if len(found) == half):
            yield (
                *(LabelledExample(parts, True) for parts in positives),
                *(LabelledExample(parts, False) for parts in negatives),
            )


@lru_cache(maxsize=1024)
def has_sound_questions(space: Space, canonical: str) -> bool:
    """Return whether a rule can be asked about, going by the first of its questions.

    A rule whose positives are so few that all of them are shown can't.
    """
    rule = next((rule for rule in small_rules(space) if rule.canonical == canonical), None)
    if rule is None:
        return True  # it is no conjunction; the draws will tell
    tried = islice(questions(space, rule), QUESTIONS_TRIED)
    return any(space.is_sound(question, rule.members) for question in tried)


def _canonical(space: Space, literals: Literals) -> str:
    return canonical_rule(write_rule(space.language, space.grammar, [literals]))


def _conjunctions(grammar: Grammar, length: int) -> Iterator[Literals]:
    usable = [at for at, item in enumerate(grammar.attributes) if item.values]
    for chosen in combinations(usable, length):
        for values in product(*(grammar.attributes[at].values for at in chosen)):
            literals = dict(zip(chosen, values, strict=True))
            if is_meaningful(grammar, [literals], 1):
                yield literals


@lru_cache(maxsize=64)
def _tested(space: Space) -> tuple[int, ...]:
    """Return what each test rule accepts, over all levels with the same possible examples."""
    shape = space.level.parts, space.level.predicates
    alike = [level for level in LEVELS if (level.parts, level.predicates) == shape]
    spaces = [other for level in alike if (other := space_of(space.language, level))]
    rules = [rule for other in spaces for rule in small_rules(other)]
    return tuple(dict.fromkeys(rule.members for rule in rules if is_test_rule(rule.canonical)))


@lru_cache(maxsize=64)
def _outcomes(space: Space) -> tuple[int, ...]:
    """Return what each rule of the level's grammar accepts, negated conditions included."""
    attributes = enumerate(space.grammar.attributes)
    having = [space.where({at: value}) for at, item in attributes for value in item.values]
    everything = (1 << len(space.examples)) - 1
    conditions = [*having, *(everything ^ members for members in having)]
    found = {everything: None}
    for _ in range(space.level.rule_length[1]):
        found |= dict.fromkeys(known & one for known in found for one in conditions)
    return tuple(found)
