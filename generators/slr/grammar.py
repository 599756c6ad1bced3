"""The grammar-filtered Herbrand base of one level: which parts exist, and draws from it.

Attributes that constraints tie together form a block; blocks are independent of each other. A block
keeps its allowed value tuples, so that draws never reject and questions about rules are exact.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, product

from logic_curriculum.generators.slr.language import Attribute, Constant, Constraint, Language

Part = tuple[Constant, ...]
"""Values of a part, in the order of the level's attributes."""
Example = tuple[Part, ...]
"""The parts of an example, in their order."""

LARGEST_BLOCK = 100_000
"""Value combinations that one block may have; beyond, a language is refused."""


@dataclass(frozen=True)
class Block:
    """Attributes that belong together, with the value tuples that the constraints allow."""

    indices: tuple[int, ...]
    """Places of the attributes in the level's vocabulary."""
    tuples: tuple[Part, ...]
    """Allowed values, aligned with ``indices``."""
    cumulative: tuple[float, ...]
    """Running sum of the tuples' probabilities."""

    def draw(self, rng: random.Random) -> Part:
        """Draw one allowed tuple."""
        if len(self.indices) == 1:
            return self.tuples[int(rng.random() * len(self.tuples))]
        place = bisect(self.cumulative, rng.random() * self.cumulative[-1])
        return self.tuples[min(place, len(self.tuples) - 1)]

    def matching(self, values: Mapping[int, Constant]) -> list[Part]:
        """Return the allowed tuples that have these values at these vocabulary places."""
        wanted = [(at, values[index]) for at, index in enumerate(self.indices) if index in values]
        return [item for item in self.tuples if all(item[at] == value for at, value in wanted)]


@dataclass(frozen=True)
class Grammar:
    """All parts that a level's vocabulary and constraints allow."""

    attributes: tuple[Attribute, ...]
    """The level's attributes, in vocabulary order."""
    blocks: tuple[Block, ...]
    """The attributes other than the position, grouped by the constraints between them."""

    @property
    def position(self) -> int | None:
        """Return the place of the position attribute in the vocabulary, if there is one."""
        return next((at for at, item in enumerate(self.attributes) if item.is_position), None)

    @property
    def part_count(self) -> int:
        """Return the number of different parts, their position aside."""
        return math.prod(len(block.tuples) for block in self.blocks)

    def draw_example(self, rng: random.Random, size: int) -> Example:
        """Draw an example of ``size`` parts with all values that are left open drawn at random."""
        return tuple(self.draw_part(rng, place) for place in range(1, size + 1))

    def draw_part(self, rng: random.Random, place: int) -> Part:
        """Draw the part at a place, counted from 1."""
        values: list[Constant] = [place] * len(self.attributes)
        for block in self.blocks:
            for index, value in zip(block.indices, block.draw(rng), strict=True):
                values[index] = value
        return tuple(values)

    def redraw(self, rng: random.Random, part: Part, relevant: Sequence[int]) -> Part:
        """Draw the values of the relevant attributes anew; all others, and the place, stay."""
        values = list(part)
        for block in self.blocks:
            kept = {index: part[index] for index in block.indices if index not in relevant}
            if len(kept) == len(block.indices):
                continue
            choices = block.matching(kept)
            for index, value in zip(block.indices, rng.choice(choices), strict=True):
                values[index] = value
        return tuple(values)

    def is_consistent(self, literals: Mapping[int, Constant]) -> bool:
        """Return whether some allowed part has all these values."""
        return all(block.matching(literals) for block in self.blocks)

    def is_redundant(self, literals: Mapping[int, Constant], index: int) -> bool:
        """Return whether the other literals already imply the one at ``index``."""
        others = {at: value for at, value in literals.items() if at != index}
        block = next((item for item in self.blocks if index in item.indices), None)
        if block is None:
            return False
        place = block.indices.index(index)
        return all(item[place] == literals[index] for item in block.matching(others))


@lru_cache(maxsize=128)
def grammar_of(language: Language, predicates: int) -> Grammar:
    """Return the grammar of a level whose vocabulary has this many predicates.

    Raises:
        ValueError: The language has fewer predicates.
    """
    return build_grammar(language.vocabulary(predicates), language.constraints)


def check_satisfiable(
    attributes: tuple[Attribute, ...], constraints: tuple[Constraint, ...]
) -> str | None:
    """Return what is wrong with constraints as a clause of a sentence; None if nothing is."""
    for indices in _components(attributes, constraints):
        tied = [attributes[index] for index in indices]
        size = math.prod(len(item.values) for item in tied)
        if size > LARGEST_BLOCK:
            return f"{size} value combinations are tied together, more than {LARGEST_BLOCK}"
        allowed = _allowed_tuples(attributes, indices, constraints)
        for at, item in enumerate(tied):
            possible = {values[at] for values in allowed}
            excluded = [str(value) for value in item.values if value not in possible]
            if excluded:
                return f"{item.predicate!r} can never have the value {excluded[0]}"
    return None


def build_grammar(
    attributes: tuple[Attribute, ...], constraints: tuple[Constraint, ...]
) -> Grammar:
    """Build the grammar of a vocabulary; constraints on predicates beyond it are left out."""
    known = {item.predicate for item in attributes}
    active = [item for item in constraints if known.issuperset(item.predicates)]
    blocks = tuple(
        _build_block(attributes, indices, active) for indices in _components(attributes, active)
    )
    return Grammar(attributes, blocks)


def _components(
    attributes: tuple[Attribute, ...], constraints: Sequence[Constraint]
) -> list[tuple[int, ...]]:
    """Group the places of the attributes that constraints connect, directly or not."""
    group = {item.predicate: at for at, item in enumerate(attributes) if not item.is_position}
    for constraint in constraints:
        merged = sorted(group[name] for name in constraint.predicates)
        for name, label in group.items():
            if label in merged:
                group[name] = merged[0]
    members: dict[int, list[int]] = {}
    for at, item in enumerate(attributes):
        if not item.is_position:
            members.setdefault(group[item.predicate], []).append(at)
    return [tuple(indices) for indices in members.values()]


def _build_block(
    attributes: tuple[Attribute, ...], indices: tuple[int, ...], constraints: Sequence[Constraint]
) -> Block:
    tuples = _allowed_tuples(attributes, indices, constraints)
    weights = _sequential_weights(tuples) if len(indices) > 1 else (1.0,) * len(tuples)
    return Block(indices, tuples, tuple(accumulate(weights)))


def _allowed_tuples(
    attributes: tuple[Attribute, ...], indices: tuple[int, ...], constraints: Sequence[Constraint]
) -> tuple[Part, ...]:
    names = [attributes[index].predicate for index in indices]
    inside = [item for item in constraints if item.predicates[0] in names]
    domains = [attributes[index].values for index in indices]
    return tuple(
        item
        for item in product(*domains)
        if all(rule.allows(dict(zip(names, item, strict=True))) for rule in inside)
    )


def _sequential_weights(tuples: tuple[Part, ...]) -> tuple[float, ...]:
    """Return each tuple's probability if attributes are drawn one by one, in random order.

    Each attribute's value is uniform among those that the values drawn before still allow. A draw
    uniform over whole tuples would favour attribute values that leave the others the most freedom.
    """
    width = len(tuples[0])

    @cache
    def choices(known: tuple[Constant | None, ...], index: int) -> int:
        fitting = (
            item
            for item in tuples
            if all(value in (None, item[at]) for at, value in enumerate(known))
        )
        return len({item[index] for item in fitting})

    @cache
    def probability(item: Part, drawn: tuple[int, ...]) -> float:
        if not drawn:
            return 1.0
        total = 0.0
        for last in drawn:
            before = tuple(index for index in drawn if index != last)
            known = tuple(item[index] if index in before else None for index in range(width))
            total += probability(item, before) / choices(known, last)
        return total / (width - len(drawn) + 1)

    return tuple(probability(item, tuple(range(width))) for item in tuples)
