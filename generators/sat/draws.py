"""Sets of clauses: drawn freely, around a planted assignment, or around a refutation."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from logic_curriculum.generators.sat.configs import Config
from logic_curriculum.generators.sat.structures import (
    BINARY,
    MAX_LEAVES,
    TERNARY,
    Structure,
    evaluate,
)
from logic_curriculum.rewards.engines.propositional.truth_table import full_table, variable_tables

_TRIES = 150
_MAX_BAD_PLANTINGS = 3
_SIGNS = [list(itertools.product((False, True), repeat=count)) for count in range(MAX_LEAVES + 1)]
MAX_CORE = 16
"""Most clauses of a refutation that an inconsistent set is built around."""


class DrawError(RuntimeError):
    """No set was found within the limits."""


@dataclass(slots=True)
class Clause:
    """A structure with a sign and a variable for each leaf."""

    structure: Structure
    signs: tuple[bool, ...]
    variables: list[int]
    """Numbers from 0, all different."""


class Tables:
    """Truth tables of clauses over a fixed number of variables."""

    def __init__(self, variables: int) -> None:
        self.full = full_table(variables)
        positive = variable_tables(variables)
        self._literals = ([self.full ^ table for table in positive], positive)

    def of(self, clause: Clause) -> int:
        """Return the table of a clause."""
        literals = self._literals
        found = [literals[s][v] for s, v in zip(clause.signs, clause.variables, strict=True)]
        if clause.structure is TERNARY:
            return found[0] | found[1] | found[2]
        return evaluate(clause.structure, found, self.full)

    def all_of(self, tables: Sequence[int]) -> int:
        """Return the conjunction."""
        found = self.full
        for table in tables:
            found &= table
            if not found:
                break
        return found


@dataclass(slots=True)
class ClauseSet:
    """Clauses, no two of which are equivalent, and their truth tables."""

    clauses: list[Clause]
    tables: list[int]


def draw_structures(config: Config, count: int, rng: random.Random) -> list[Structure]:
    """Draw the structures of a set.

    With three variables, there are only eight clauses of 3-SAT, so that sets of them have no match.
    Clauses of two literals join them there, as if a literal stood twice: structures are drawn from
    those of the nine clauses of two literals and the seven of three that an assignment satisfies.
    """
    if config.mode == "uniform":
        sampler = config.sampler
        return [sampler.draw(rng) for _ in range(count)]
    if config.variables > 3:
        return [TERNARY] * count
    return rng.sample([BINARY] * 9 + [TERNARY] * 7, count)


def draw_set(
    config: Config,
    structures: Sequence[Structure],
    rng: random.Random,
    *,
    true_under: int | None = None,
    given: Sequence[Clause] = (),
) -> ClauseSet:
    """Draw signs and variables, clause by clause, each equally among those that are new.

    Args:
        config: Number of variables and mode.
        structures: One for each clause.
        rng: Source of randomness.
        true_under: The number of an assignment that every clause has to satisfy, if any.
        given: Clauses that the set begins with.

    Raises:
        DrawError: When a clause that is new was not found, or a variable does not occur.
    """
    tables = Tables(config.variables)
    clauses = list(given)
    found = [tables.of(clause) for clause in clauses]
    known = set(found)
    for structure in structures:
        for clause in _fillings(structure, config.variables, rng, true_under):
            table = tables.of(clause)
            if table not in known:
                break
        else:
            raise DrawError("too few different clauses")
        known.add(table)
        clauses.append(clause)
        found.append(table)
    if len({variable for clause in clauses for variable in clause.variables}) < config.variables:
        raise DrawError("a variable does not occur")
    return ClauseSet(clauses, found)


def _fillings(
    structure: Structure, variables: int, rng: random.Random, true_under: int | None
) -> Iterator[Clause]:
    """Yield random clauses; signs are even, given that the clause is true where it has to be."""
    count = structure.leaves
    signs_of = _SIGNS[count]
    if true_under is None:
        for _ in range(_TRIES):
            signs = signs_of[rng.getrandbits(count)]
            yield Clause(structure, signs, _different(variables, count, rng.random))
        return
    table = evaluate(structure, variable_tables(count), full_table(count))
    for _ in range(_TRIES):
        values = rng.getrandbits(count)  # of the literals; even, as signs are
        if table >> values & 1:
            chosen = _different(variables, count, rng.random)
            truths = [true_under >> variable & 1 for variable in chosen]
            signs = tuple([values >> place & 1 == each for place, each in enumerate(truths)])
            yield Clause(structure, signs, chosen)


def _different(limit: int, count: int, uniform: Callable[[], float]) -> list[int]:
    """Return different numbers below a limit; ``random.sample`` takes three times as long."""
    found: list[int] = []
    while len(found) < count:
        number = int(uniform() * limit)
        if number not in found:
            found.append(number)
    return found


def plant(
    config: Config, structures: Sequence[Structure], rng: random.Random, tries: int
) -> ClauseSet | None:
    """Draw a consistent set, exactly as if sets were drawn until one is consistent.

    A set drawn around a random assignment is found in proportion to the number of its models; so
    it is accepted with probability 1 / that number (each clause is equally often true under each
    assignment, since signs are drawn evenly).

    Returns:
        None when none of ``tries`` sets was accepted.
    """
    full = full_table(config.variables)
    failures = 0
    for _ in range(tries):
        assignment = rng.getrandbits(config.variables)
        try:
            found = draw_set(config, structures, rng, true_under=assignment)
        except DrawError:
            failures += 1
            if failures > _MAX_BAD_PLANTINGS:
                break
            continue
        models = full
        for table in found.tables:
            models &= table
        if rng.random() * models.bit_count() < 1:
            return found
    return None


def build_refuted(config: Config, count: int, rng: random.Random) -> ClauseSet:
    """Build an inconsistent set of 3-SAT around a refutation, for few clauses, where none is found.

    A decision tree asks for a random variable at each node, three deep (two deep with three
    variables); then random leaves are asked one more variable until the tree has a number of
    leaves drawn evenly from those that are possible, up to :data:`MAX_CORE`. Each leaf gives a
    clause that is false there: of its last variable and of random others on its way. The rest of
    the clauses are drawn freely, and all are shuffled.

    Raises:
        DrawError: When two leaves gave one clause, or a variable does not occur.
    """
    width = 2 if config.variables == 3 else 3
    ways: list[tuple[tuple[int, bool], ...]] = [()]
    while len(ways[0]) < width:
        ways = [longer for way in ways for longer in _asked(way, config.variables, rng)]
    size = rng.randint(len(ways), min(MAX_CORE, count - 1)) if width == 3 else len(ways)
    while len(ways) < size:
        deep = [place for place, way in enumerate(ways) if len(way) < config.variables]
        way = ways.pop(rng.choice(deep)) if deep else ()
        if not way:
            raise DrawError("the tree can't grow")
        ways += _asked(way, config.variables, rng)
    core = [_false_at(way, width, rng) for way in ways]
    if len({frozenset(zip(c.variables, c.signs, strict=True)) for c in core}) < len(core):
        raise DrawError("two leaves gave one clause")
    found = draw_set(config, _rest(config, count - len(core), rng), rng, given=core)
    order = list(range(count))
    rng.shuffle(order)
    return ClauseSet([found.clauses[i] for i in order], [found.tables[i] for i in order])


def _asked(
    way: tuple[tuple[int, bool], ...], variables: int, rng: random.Random
) -> list[tuple[tuple[int, bool], ...]]:
    asked = {variable for variable, _ in way}
    variable = rng.choice([number for number in range(variables) if number not in asked])
    return [(*way, (variable, value)) for value in (False, True)]


def _false_at(way: tuple[tuple[int, bool], ...], width: int, rng: random.Random) -> Clause:
    chosen = [*rng.sample(way[:-1], width - 1), way[-1]]
    rng.shuffle(chosen)
    return Clause(
        TERNARY if width == 3 else BINARY,
        tuple(not value for _, value in chosen),
        [variable for variable, _ in chosen],
    )


def _rest(config: Config, count: int, rng: random.Random) -> list[Structure]:
    if config.variables > 3:
        return [TERNARY] * count
    return rng.sample([BINARY] * 8 + [TERNARY] * 8, count)
