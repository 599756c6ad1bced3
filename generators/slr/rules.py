"""Ground-truth rules: what a rule is, where rules come from, and the uniform source."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from logic_curriculum.generators.slr.canonical import canonical_rule
from logic_curriculum.generators.slr.grammar import Grammar, grammar_of
from logic_curriculum.generators.slr.language import Constant, Language
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.spelling import standard_rule
from logic_curriculum.generators.slr.terms import predicates, read_clauses

UNIFORM = "uniform"
DRAW_LIMIT = 2_000
"""Draws of one uniform rule before the level is given up."""

Literals = Mapping[int, Constant]
"""What a rule demands of one object variable: place in the vocabulary to value."""


class RuleUnavailableError(ValueError):
    """A source can't make a rule for this language and level; the message says what to change."""


@dataclass(frozen=True)
class Rule:
    """A rule for the positive class."""

    text: str
    """One or more Prolog clauses in the one spelling of :func:`standard_rule`."""
    sampling: str
    """``"uniform"``, or the name of the guided source."""
    style: str = UNIFORM
    """Style of App. E that the rule belongs to; ``"uniform"`` for uniform draws."""

    @cached_property
    def canonical(self) -> str:
        """Return the text that is equal for rules that differ in spelling only."""
        return canonical_rule(self.text)

    @cached_property
    def predicates(self) -> tuple[str, ...]:
        """Return the names of all predicates and functors of the rule."""
        found = [name for clause in read_clauses(self.text) for name in predicates(clause)]
        return tuple(dict.fromkeys(found))


class RuleSource(Protocol):
    """Where rules come from. A language model can stand behind it as well as a table."""

    def draw(self, language: Language, level: Level, rng: random.Random) -> Rule:
        """Return a rule; all its randomness comes from ``rng``.

        Raises:
            RuleUnavailableError: There is none for this language and level.
        """


@dataclass(frozen=True)
class UniformRules:
    """Uniform rule sampling: conjunctions of ``R_len`` attribute literals over object variables.

    Drawn uniformly, one after the other: the number of literals, the number of variables, the
    variable of each literal (none stays without), its attribute (one per variable and attribute),
    its value. Draws with contradictory or redundant literals are drawn again.
    """

    def draw(self, language: Language, level: Level, rng: random.Random) -> Rule:
        """Return a rule; see the class."""
        grammar = grammar_of(language, level.predicates)
        for _ in range(DRAW_LIMIT):
            groups = _draw_groups(grammar, level, rng)
            if groups is not None and is_meaningful(grammar, groups, level.parts[0]):
                return Rule(write_rule(language, grammar, groups), UNIFORM)
        raise RuleUnavailableError(
            f"No rule of {level.rule_length[0]} to {level.rule_length[1]} literals was found for "
            f"the language {language.name!r} at level {level.number} in {DRAW_LIMIT} draws; "
            "give the language more attributes or values, or choose another level"
        )


def _draw_groups(
    grammar: Grammar, level: Level, rng: random.Random
) -> list[dict[int, Constant]] | None:
    """Draw the literals of each variable; None if an attribute would occur twice at one."""
    most_parts = level.parts[1]
    usable = [at for at, item in enumerate(grammar.attributes) if item.values or most_parts > 1]
    length = rng.randint(*level.rule_length)
    count = rng.randint(1, min(length, most_parts))
    owners = [*range(count), *(rng.randrange(count) for _ in range(length - count))]
    groups: list[dict[int, Constant]] = [{} for _ in range(count)]
    for owner in owners:
        free = [at for at in usable if at not in groups[owner]]
        if not free:
            return None
        at = rng.choice(free)
        groups[owner][at] = rng.choice(grammar.attributes[at].values or range(1, most_parts + 1))
    return groups


def is_meaningful(grammar: Grammar, groups: Sequence[Literals], least_parts: int) -> bool:
    """Return whether the literals contradict neither each other nor the grammar, and none is idle.

    Distinct variables may stand for the same part, so a variable whose literals are among another's
    says nothing new; two variables at the same position are one part under two names; and that a
    part exists at a position is idle if every example has that many parts.

    Args:
        grammar: The level's grammar.
        groups: The literals of each variable.
        least_parts: The fewest parts that an example of the level has.
    """
    place = grammar.position
    for literals in groups:
        if not grammar.is_consistent(literals):
            return False
        if any(grammar.is_redundant(literals, index) for index in literals):
            return False
    if place is not None and not _positions_matter(groups, place, least_parts):
        return False
    pairs = ((a, b) for a in groups for b in groups if a is not b)
    return not any(a.items() <= b.items() for a, b in pairs)


def _positions_matter(groups: Sequence[Literals], place: int, least_parts: int) -> bool:
    positions = [int(literals[place]) for literals in groups if place in literals]
    alone = [int(literals[place]) for literals in groups if list(literals) == [place]]
    return len(set(positions)) == len(positions) and all(at > least_parts for at in alone)


def write_rule(language: Language, grammar: Grammar, groups: Sequence[Literals]) -> str:
    """Write a conjunctive rule: variables and literals in vocabulary order."""
    first, _ = language.variable_letters
    bodies = []
    for number, literals in enumerate(sorted(groups, key=lambda item: _order(grammar, item))):
        part = f"P{number}"
        bodies.append(f"{language.membership}({first}0, {part})")
        for at in sorted(literals):
            bodies.append(f"{grammar.attributes[at].predicate}({part}, {literals[at]})")
    clause = f"{language.positive}({first}0) :- {', '.join(bodies)}."
    return standard_rule(clause, *language.variable_letters)


def _order(grammar: Grammar, literals: Literals) -> list[tuple[int, int]]:
    """Sort key of a variable's literals: places of attribute and value in the vocabulary."""
    key = []
    for at in sorted(literals):
        values = grammar.attributes[at].values
        value = literals[at]
        key.append((at, values.index(value) if values else int(value)))
    return key
