"""Enumeration of rules and of examples.

At every level, the shortest conjunctions that fit a task's examples are found. Where examples have
one part and few attributes (20 trains at levels 1 to 3), all possible examples are enumerated, and
what every rule says of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain, combinations, islice, product
from operator import and_

from logic_curriculum.generators.slr.examples import (
    LabelledExample,
    content_hash,
    is_test_rule,
    label_classes,
    split_of,
    split_of_enumerated,
)
from logic_curriculum.generators.slr.language import Example, Grammar, Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import (
    Literals,
    canonical_rule,
    is_meaningful,
    write_rule,
)
from logic_curriculum.generators.task import Split
from logic_curriculum.rewards.engines.rules import Constant
from logic_curriculum.rewards.slr.judge import LEAST_SHARE

LARGEST_SPACE = 256  # possible examples of a level up to which they are enumerated
QUESTIONS_TRIED = 2_000  # questions of a rule among which there must be one that is sound
ENDLESS = 20_000  # a level with more tasks than this over all splits counts as endless

Group = tuple[tuple[int, Constant], ...]
"""Values that one part has: places in the vocabulary with the value there, in ascending order."""
Conjunction = tuple[Group, ...]
"""Groups, each of which some part of the example has; these parts may coincide."""


def holds(conjunction: Conjunction, example: Example) -> bool:
    """Return whether an example has every group of a conjunction."""
    return all(
        any(all(part[at] == value for at, value in group) for part in example)
        for group in conjunction
    )


def shortest_conjunctions(
    positives: Sequence[Example], negatives: Sequence[Example]
) -> list[Conjunction]:
    """Return the conjunctions of one value that fit or, if there are none, those of two."""

    def common(groups: Iterable[Group]) -> list[Group]:
        different = dict.fromkeys(groups)
        return [group for group in different if all(holds((group,), item) for item in positives)]

    def fitting(conjunctions: Iterable[Conjunction]) -> list[Conjunction]:
        return [it for it in conjunctions if not any(holds(it, item) for item in negatives)]

    values = common((value,) for part in positives[0] for value in enumerate(part))
    pairs = (
        pair
        for part in positives[0]
        for pair in combinations([v for v in enumerate(part) if (v,) in values], 2)
    )
    one = fitting((value,) for value in values)
    return one or fitting([*((pair,) for pair in common(pairs)), *combinations(values, 2)])


@dataclass(frozen=True)
class SmallRule:
    """A positive conjunction about one part, as uniform rules of such levels are."""

    literals: Literals  # the values that the part has
    canonical: str  # the rule's text as the splits compare it
    members: int  # the possible examples that it accepts


@dataclass(frozen=True, eq=False)
class ExampleSpace:
    """All possible examples of a level with one part; the bits of a number are a set of them."""

    level: Level
    grammar: Grammar
    examples: tuple[Example, ...]  # each once, in the order of the vocabulary's values
    places: Mapping[Example, int]  # of the examples

    @property
    def everything(self) -> int:
        """The set of all possible examples."""
        return (1 << len(self.examples)) - 1

    def where(self, literals: Literals) -> int:
        """Return the examples whose part has all these values."""
        values = literals.items()
        return self.set_of(e for e in self.examples if all(e[0][at] == v for at, v in values))

    def set_of(self, examples: Iterable[Example]) -> int:
        """Return examples as a number."""
        return sum(1 << self.places[example] for example in examples)

    def labelled(self, examples: Iterable[LabelledExample], positive: bool) -> int:
        """Return the examples of one class among labelled ones."""
        return self.set_of(item.parts for item in examples if item.positive is positive)

    def fits_test_rule(self, examples: Sequence[LabelledExample]) -> bool:
        """Return whether a test rule of one or two values explains the labels.

        Or whether one explains the labels exchanged: if only one of the two labellings could be
        asked in training, the examples alone would tell the labels.
        """
        yes, no = self.labelled(examples, True), self.labelled(examples, False)
        return any(_fits(rule, yes, no) or _fits(rule, no, yes) for rule in _test_rules(self))

    def accepted(self, examples: Sequence[LabelledExample], truth: int) -> frozenset[int]:
        """Return the accepted outcomes on all possible examples.

        They are those of conjunctions that fit the examples shown and are right on
        :data:`LEAST_SHARE` of each class of the ``truth``. A conjunction has at most as many
        conditions as the level's rules; a condition is a value of an attribute, or not that value.
        """
        yes, no = self.labelled(examples, True), self.labelled(examples, False)
        return frozenset(
            members
            for members in outcomes_of(self)
            if _fits(members, yes, no)
            and _share(members, truth) >= LEAST_SHARE
            and _share(self.everything ^ members, self.everything ^ truth) >= LEAST_SHARE
        )

    def is_sound(self, examples: Sequence[LabelledExample], truth: int) -> bool:
        """Return whether a question pays for rules, and not for memorising its examples.

        Every shortest conjunction that fits is accepted; neither the positives shown, taken for all
        there are, nor everything but the negatives shown is.
        """
        yes, no = self.labelled(examples, True), self.labelled(examples, False)
        accepted = self.accepted(examples, truth)
        if yes in accepted or self.everything ^ no in accepted:
            return False
        first, *others = [item.parts[0] for item in examples if item.positive]
        common = [
            self.where({at: value})
            for at, value in enumerate(first)
            if all(part[at] == value for part in others)
        ]
        for length in range(1, self.level.rule_length[1] + 1):
            rules = (reduce(and_, chosen) for chosen in combinations(common, length))
            if shortest := [rule for rule in rules if not rule & no]:
                return accepted.issuperset(shortest)
        return True


def _share(members: int, of_class: int) -> float:
    return (members & of_class).bit_count() / of_class.bit_count()


def _fits(members: int, positives: int, negatives: int) -> bool:
    return members & positives == positives and not members & negatives


@lru_cache(maxsize=64)
def space_of(language: Language, level: Level) -> ExampleSpace | None:
    """Return all possible examples of a level; None if they are too many to enumerate."""
    grammar = grammar_of(language, level.predicates)
    if level.parts != (1, 1) or grammar.part_count > LARGEST_SPACE:
        return None
    domains = [item.values or (1,) for item in grammar.attributes]
    parts = (part for part in product(*domains) if grammar.is_consistent(dict(enumerate(part))))
    examples: tuple[Example, ...] = tuple((part,) for part in parts)
    places = {example: at for at, example in enumerate(examples)}
    return ExampleSpace(level, grammar, examples, places)


def split_of_question(
    language: Language, level: Level, examples: Sequence[LabelledExample]
) -> Split:
    """Return the one split that asks a question, whatever the specification it was drawn by."""
    grammar = grammar_of(language, level.predicates)
    if all(len(item.parts) == 1 for item in examples):
        space = space_of(language, replace(level, parts=(1, 1)))
        if space is not None:
            return split_of_enumerated(grammar, examples, space.fits_test_rule(examples))
    return split_of(content_hash(grammar, examples))


@lru_cache(maxsize=64)
def small_rules(space: ExampleSpace) -> tuple[SmallRule, ...]:
    """Return every uniform rule that the level draws."""
    level = space.level
    grammar = grammar_of(space.grammar.language, level.predicates, level.weights)
    least, most = level.rule_length
    found = []
    usable = [at for at, item in enumerate(grammar.attributes) if item.values]
    for chosen in chain.from_iterable(combinations(usable, n) for n in range(least, most + 1)):
        for values in product(*(grammar.attributes[at].values for at in chosen)):
            literals = dict(zip(chosen, values, strict=True))
            if is_meaningful(grammar, [literals], 1):
                canonical = canonical_rule(write_rule(grammar, [literals]))
                found.append(SmallRule(literals, canonical, space.where(literals)))
    return tuple(found)


def questions(space: ExampleSpace, rule: SmallRule) -> Iterator[tuple[LabelledExample, ...]]:
    """Yield the examples that tasks with a rule may show, as the level's background draws them."""
    level = space.level
    drawn = grammar_of(space.grammar.language, level.predicates, level.weights)
    able = [item for item in space.examples if drawn.is_consistent(dict(enumerate(item[0])))]
    yes = [item for item in able if rule.members >> space.places[item] & 1]
    no = [item for item in able if not rule.members >> space.places[item] & 1]
    is_mirror, count = level.background == "mirror", level.negatives
    fixed = [at for at in range(len(drawn.attributes)) if is_mirror and at not in rule.literals]
    images = {
        item: [other for other in no if all(item[0][at] == other[0][at] for at in fixed)]
        for item in yes
    }
    for positives in combinations(yes, level.positives):
        its = [images[item] for item in positives]
        if is_mirror and level.positives == count:
            chosen: Iterable[tuple[Example, ...]] = product(*its)  # one copy of each
        else:
            chosen = combinations(dict.fromkeys(chain(*its)), count)
        found: dict[frozenset[Example], None] = {}
        for negatives in map(frozenset, chosen):
            if len(negatives) == count and negatives not in found:
                found[negatives] = None
                yield tuple(label_classes(positives, negatives))


@lru_cache(maxsize=1024)
def has_sound_questions(space: ExampleSpace, canonical: str) -> bool:
    """Return whether one of the first questions about a rule is sound."""
    rule = next((rule for rule in small_rules(space) if rule.canonical == canonical), None)
    if rule is None:
        return True  # it is no conjunction; the draws will tell
    tried = islice(questions(space, rule), QUESTIONS_TRIED)
    return any(space.is_sound(question, rule.members) for question in tried)


@lru_cache(maxsize=64)
def _test_rules(space: ExampleSpace) -> tuple[int, ...]:
    """Return the examples that each test rule accepts: of the same ones for all specifications."""
    level = replace(space.level, rule_length=(1, 2), background="uniform")
    usual = space_of(space.grammar.language, level)
    rules = () if usual is None else small_rules(usual)
    return tuple(dict.fromkeys(rule.members for rule in rules if is_test_rule(rule.canonical)))


@lru_cache(maxsize=64)
def outcomes_of(space: ExampleSpace) -> tuple[int, ...]:
    """Return the examples that each rule of the level accepts, with negated conditions, too."""
    attributes = enumerate(space.grammar.attributes)
    having = [space.where({at: value}) for at, item in attributes for value in item.values]
    conditions = [*having, *(space.everything ^ members for members in having)]
    found = {space.everything: None}
    for _ in range(space.level.rule_length[1]):
        found |= dict.fromkeys(known & one for known in found for one in conditions)
    return tuple(found)


@lru_cache(maxsize=64)
def count_tasks(language: Language, level: Level) -> Mapping[str, int] | None:
    """Count the tasks of a level by split, names and order aside; None if practically endless."""
    space = space_of(language, level)
    if space is None or level.guided_share:
        return None
    pairs = ((rule, question) for rule in small_rules(space) for question in questions(space, rule))
    enumerated = list(islice(pairs, ENDLESS + 1))
    if len(enumerated) > ENDLESS:
        return None
    counts: Counter[str] = Counter()
    for rule, question in enumerated:
        if space.is_sound(question, rule.members):
            split = split_of_question(language, level, question)
            if (split == "test") == is_test_rule(rule.canonical):
                counts[split] += 1
    return counts
