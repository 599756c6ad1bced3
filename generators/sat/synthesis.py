"""Sets of clauses (App. A.1): structures of operators, with a sign and a variable for each leaf.

Most sets are one of a matched pair: a consistent and an inconsistent set with all they show in
common. The two have the same clauses but for which variable stands where, and each variable stands
affirmed, and negated, equally often in both. So neither the number of clauses, literals, negations
or operators, nor the length of the text, nor any count of a variable tells them apart.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import log2
from operator import and_
from typing import NamedTuple

from logic_curriculum.generators.sat.levels import MAX_LEAVES, Config
from logic_curriculum.rewards.engines.propositional import (
    Compound,
    Formula,
    Variable,
    full_table,
    negation,
    tables_are_minimal,
    variable_tables,
)

_STRUCTURE_TRIES = 10_000
_UNIT_SHARE = 0.1  # how often a structure is a leaf alone
_TERNARY_SHARE = 0.25  # how often ∧ and ∨ have three operands; else they have two
_WEIGHTED = "∧∨∨→→"  # each operator as often as its weight
_TRIES, _CONSISTENT_TRIES, _CLAUSE_TRIES = 3000, 60, 150
_MAX_FAILED_DRAWS = 3
_EXCHANGES_PER_LOOK = 2
_LOOKS_PER_LEAF = 4
_BUILT_BELOW = 4  # clauses of 3-SAT per variable below which inconsistent sets are built, not found
_MAX_CORE = 16  # most clauses of a refutation that an inconsistent set is built around
_SIGNS = [list(itertools.product((False, True), repeat=count)) for count in range(MAX_LEAVES + 1)]


class DrawError(RuntimeError):
    """No set of clauses was found within the limits."""


# Clauses


class Structure(NamedTuple):
    """An operator and its operands, see :func:`join`; without operands it is a leaf."""

    operator: str  # `¬`, `∧`, `∨`, `→`, or empty for a leaf
    parts: tuple[Structure, ...]
    leaves: int  # number of leaves
    share: float  # share of assignments that make it true, its leaves being different variables


def join(operator: str, parts: tuple[Structure, ...]) -> Structure:
    """Return the structure of an operator with operands.

    >>> join("→", (LEAF, LEAF)).share
    0.75
    """
    leaves, share = 0, 1.0
    for part in parts:
        leaves += part.leaves
        share *= 1 - part.share if operator == "∨" else part.share
    if operator in "∨¬":
        share = 1 - share
    elif operator == "→":
        share = 1 - parts[0].share * (1 - parts[1].share)
    return Structure(operator, parts, leaves, share)


LEAF = Structure("", (), 1, 0.5)
TERNARY = join("∨", (LEAF, LEAF, LEAF))  # the structure of all clauses of 3-SAT
BINARY = join("∨", (LEAF, LEAF))


def draw_structure(config: Config, rng: random.Random) -> Structure:
    """Draw a structure of the uniform mode.

    There are 1.19 billion structures with ternary operators at depth 3, so they are drawn, not
    listed. One with more leaves than :data:`MAX_LEAVES` or than there are variables, or true too
    rarely, is drawn again; a ``RuntimeError`` says that none was found.
    """
    operators = "".join(operator for operator in _WEIGHTED if operator in config.operators)
    most = min(config.variables, MAX_LEAVES)
    for _ in range(_STRUCTURE_TRIES):
        is_leaf = rng.random() < _UNIT_SHARE
        structure = LEAF if is_leaf else _draw_operator(operators, rng, config)
        if structure.leaves <= most and structure.share >= config.min_share:
            return structure
    raise RuntimeError(
        f"No structure with at most {most} leaves that is true under a share of "
        f"{config.min_share} was found for the operators {config.operators} in {_STRUCTURE_TRIES} "
        "tries. Ask for more variables or a smaller share."
    )


def _draw_operator(operators: str, rng: random.Random, config: Config, above: int = 0) -> Structure:
    operator = operators[int(rng.random() * len(operators))]
    count = 3 if operator != "→" and rng.random() < _TERNARY_SHARE else 2
    parts = []
    for _ in range(count):
        is_nested = above + 1 < config.max_depth and rng.random() < config.nested
        parts.append(_draw_operator(operators, rng, config, above + 1) if is_nested else LEAF)
    structure = join(operator, tuple(parts))
    return join("¬", (structure,)) if rng.random() < config.negated else structure


def depth(structure: Structure) -> int:
    """Return the most operators, ¬ not counted, on a way from the root to a leaf."""
    if not structure.parts:
        return 0
    return (structure.operator != "¬") + max(map(depth, structure.parts))


def evaluate(structure: Structure, leaves: Iterator[int], full: int) -> int:
    """Return the truth table of a structure from those of its leaves; ``full`` is all ones."""
    operator, parts, _, _ = structure
    if not parts:
        return next(leaves)
    is_and, negates = operator == "∧", operator in "¬→"  # the first part, that is
    found = full if is_and else 0
    for part in parts:
        table = evaluate(part, leaves, full) if part.parts else next(leaves)
        found = found & table if is_and else found | (full ^ table if negates else table)
        negates = False
    return found


@dataclass(slots=True)
class Clause:
    """A structure with a sign and a variable for each leaf, from left to right."""

    structure: Structure
    signs: tuple[bool, ...]
    variables: list[int]  # numbers from 0, all different

    def formula(self) -> Formula:
        """Return the clause over ``v1``, ``v2``, …, which are variables 0, 1, …"""
        return _formula(self.structure, map(_literal, self.variables, self.signs))


@lru_cache(maxsize=1024)
def _literal(number: int, sign: bool) -> Formula:
    return Variable(f"v{number + 1}") if sign else negation(_literal(number, True))


def _formula(structure: Structure, literals: Iterator[Formula]) -> Formula:
    if not structure.parts:
        return next(literals)
    return Compound(structure.operator, tuple([_formula(p, literals) for p in structure.parts]))


@lru_cache(maxsize=1024)
def clause_shape(structure: Structure, signs: tuple[bool, ...]) -> str:
    """Return a structure with its signs, equal for any order of the parts of ∧ and ∨."""
    return _shape(structure, iter(signs))


def _shape(structure: Structure, signs: Iterator[bool]) -> str:
    if not structure.parts:
        return "+" if next(signs) else "-"
    shapes = [_shape(part, signs) for part in structure.parts]
    parts = shapes if structure.operator == "→" else sorted(shapes)
    return f"{structure.operator}({''.join(parts)})"


class Tables:
    """Truth tables of clauses over a fixed number of variables."""

    def __init__(self, variables: int) -> None:
        self.full = full_table(variables)
        positive = variable_tables(variables)
        self._literals = ([self.full ^ table for table in positive], positive)

    def of(self, clause: Clause) -> int:
        """Return the table of a clause."""
        signs, variables, literals = clause.signs, clause.variables, self._literals
        if clause.structure is TERNARY:  # most clauses by far, hence the short cut
            (a, b, c), (x, y, z) = signs, variables
            return literals[a][x] | literals[b][y] | literals[c][z]
        found = [literals[sign][each] for sign, each in zip(signs, variables, strict=True)]
        return evaluate(clause.structure, iter(found), self.full)


# Sets of clauses


@dataclass(slots=True)
class ClauseSet:
    """Clauses, no two of which are equivalent, and their truth tables."""

    clauses: list[Clause]
    tables: list[int]

    @property
    def models(self) -> int:
        """The truth table of all clauses together: the assignments that make them all true."""
        return reduce(and_, self.tables)


def draw(
    config: Config, consistent: bool, rng: random.Random, accepts: Callable[[str], bool]
) -> tuple[ClauseSet, str]:
    """Draw a set of a status whose shape ``accepts``, and return both (App. A.1, Algorithm 1).

    It is one of a matched pair: two sets in one order, where the clauses at one place have one
    structure and its signs, and the inconsistent one stays so without some of its clauses. The set
    whose status is rare is drawn first. Its variables are then exchanged between random places of
    equal sign, two by two, until the status changes. If all places were exchanged, the many
    variables that the clauses of a refutation share would tell the two sets apart.

    Where the configuration asks for no match, the size may tell the status. A :class:`DrawError`
    says that none was found.
    """
    for _ in range(_TRIES):
        try:
            first = _first(config, rng, prefer_consistent=config.matched or consistent)
        except DrawError:
            continue
        shape = shape_of(first.clauses)
        is_wanted = (first.models != 0) is consistent
        if (config.matched or is_wanted) and accepts(shape):
            found = _match(config, first, rng) if config.matched else first
            if found is not None:
                return (first if is_wanted else found), shape
    status = "consistent" if consistent else "inconsistent"
    raise DrawError(
        f"No {status} set{' with a match' * config.matched} was found for {config} in {_TRIES} "
        f"tries. Ask for {'fewer' if consistent else 'more'} clauses, or for other variables."
    )


def shape_of(clauses: list[Clause]) -> str:
    """Return the shape of a set: structures with signs, and each variable's counts, sorted."""
    shapes = sorted(clause_shape(clause.structure, clause.signs) for clause in clauses)
    counts: dict[int, list[int]] = {}
    for clause in clauses:
        for sign, variable in zip(clause.signs, clause.variables, strict=True):
            counts.setdefault(variable, [0, 0])[sign] += 1
    return f"{' '.join(shapes)} {sorted(map(tuple, counts.values()))}"


# The first set: drawn freely, around an assignment, or around a refutation


def _first(config: Config, rng: random.Random, *, prefer_consistent: bool) -> ClauseSet:
    """Draw a set of any status; if preferred, a consistent one where less than one is expected.

    In 3-SAT with few clauses, a set that is to have a match is built around a refutation.
    """
    count = rng.randint(*config.clauses)
    if config.mode == "3sat":
        if config.matched and count < _BUILT_BELOW * config.variables:
            return build_refuted(config, count, rng)
        structures = _disjunctions(config, count, rng)
    else:
        structures = [draw_structure(config, rng) for _ in range(count)]
    expected = config.variables + sum(log2(each.share) for each in structures)  # log2 of models
    if prefer_consistent and expected < 0:
        return draw_consistent(config, structures, rng)
    return draw_set(config, structures, rng)


def _disjunctions(
    config: Config, count: int, rng: random.Random, binary: int = 9
) -> list[Structure]:
    """Return structures of 3-SAT, in random order.

    With three variables, there are only eight clauses of 3-SAT, so that sets of them have no match.
    There, structures are drawn from those of the clauses that an assignment satisfies: nine of two
    literals and seven of three.
    """
    if config.variables > 3:
        return [TERNARY] * count
    return rng.sample([BINARY] * binary + [TERNARY] * (16 - binary), count)


def draw_set(
    config: Config,
    structures: Sequence[Structure],
    rng: random.Random,
    *,
    true_under: int | None = None,
    given: Sequence[Clause] = (),
) -> ClauseSet:
    """Draw signs and variables, clause by clause, each equally among those that are new.

    The set begins with the clauses ``given``. ``true_under`` is the number of an assignment under
    which all others are true. A :class:`DrawError` says that too few clauses were found, or that a
    variable does not occur.
    """
    tables = Tables(config.variables)
    clauses = list(given)
    found = [tables.of(clause) for clause in clauses]
    known = set(found)
    for structure in structures:
        for clause in _random_clauses(structure, config.variables, rng, true_under):
            if (table := tables.of(clause)) not in known:
                break
        else:
            raise DrawError("too few different clauses")
        known.add(table)
        clauses.append(clause)
        found.append(table)
    if len({variable for clause in clauses for variable in clause.variables}) < config.variables:
        raise DrawError("a variable does not occur")
    return ClauseSet(clauses, found)


def _random_clauses(
    structure: Structure, variables: int, rng: random.Random, true_under: int | None
) -> Iterator[Clause]:
    """Yield random clauses; signs are even, given that the clause is true where it has to be."""
    count = structure.leaves
    if true_under is None:
        for _ in range(_CLAUSE_TRIES):
            signs = _SIGNS[count][rng.getrandbits(count)]
            yield Clause(structure, signs, _sample(variables, count, rng.random))
        return
    table = evaluate(structure, iter(variable_tables(count)), full_table(count))
    for _ in range(_CLAUSE_TRIES):
        values = rng.getrandbits(count)  # of the literals; even, as signs are
        if table >> values & 1:
            chosen = _sample(variables, count, rng.random)
            truths = [true_under >> variable & 1 for variable in chosen]
            signs = tuple([values >> place & 1 == each for place, each in enumerate(truths)])
            yield Clause(structure, signs, chosen)


def _sample(limit: int, count: int, uniform: Callable[[], float]) -> list[int]:
    """Return different numbers below a limit; ``random.sample`` takes three times as long."""
    found: list[int] = []
    while len(found) < count:
        if (number := int(uniform() * limit)) not in found:
            found.append(number)
    return found


def draw_consistent(
    config: Config, structures: Sequence[Structure], rng: random.Random
) -> ClauseSet:
    """Draw a consistent set, as if sets were drawn until one is consistent.

    A set drawn around a random assignment is found in proportion to the number of its models; so
    it is accepted with probability 1 / that number (each clause is equally often true under each
    assignment, since signs are drawn evenly).
    """
    failures = 0
    for _ in range(_CONSISTENT_TRIES):
        assignment = rng.getrandbits(config.variables)
        try:
            found = draw_set(config, structures, rng, true_under=assignment)
        except DrawError:
            failures += 1
            if failures > _MAX_FAILED_DRAWS:
                break
            continue
        if rng.random() * found.models.bit_count() < 1:
            return found
    raise DrawError("no consistent set")


_Path = tuple[tuple[int, bool], ...]
"""Variables and their values, from the root of a decision tree to a node."""


def build_refuted(config: Config, count: int, rng: random.Random) -> ClauseSet:
    """Build an inconsistent set of 3-SAT around a refutation, for few clauses, where none is found.

    A decision tree asks for a random variable at each node, three deep (two deep with three
    variables); random leaves then become nodes until the tree has a random number of leaves, up to
    16. Each leaf gives a clause that is false there: of its last variable and of random others on
    its path. The rest of the clauses are drawn freely, and all are shuffled. A :class:`DrawError`
    says that two leaves gave one clause, or that a variable does not occur.
    """
    width = 2 if config.variables == 3 else 3
    paths: list[_Path] = [()]
    while len(paths[0]) < width:
        paths = [longer for path in paths for longer in _branches(path, config.variables, rng)]
    size = rng.randint(len(paths), min(_MAX_CORE, count - 1)) if width == 3 else len(paths)
    while len(paths) < size:
        open_places = [place for place, path in enumerate(paths) if len(path) < config.variables]
        if not open_places:
            raise DrawError("the tree can't grow")
        paths += _branches(paths.pop(rng.choice(open_places)), config.variables, rng)
    core = [_clause_false_at(path, width, rng) for path in paths]
    if len({frozenset(zip(c.variables, c.signs, strict=True)) for c in core}) < len(core):
        raise DrawError("two leaves gave one clause")
    others = _disjunctions(config, count - len(core), rng, binary=8)
    found = draw_set(config, others, rng, given=core)
    order = list(range(count))
    rng.shuffle(order)
    return ClauseSet([found.clauses[i] for i in order], [found.tables[i] for i in order])


def _branches(path: _Path, variables: int, rng: random.Random) -> list[_Path]:
    asked = {variable for variable, _ in path}
    variable = rng.choice([number for number in range(variables) if number not in asked])
    return [(*path, (variable, value)) for value in (False, True)]


def _clause_false_at(path: _Path, width: int, rng: random.Random) -> Clause:
    chosen = [*rng.sample(path[:-1], width - 1), path[-1]]
    rng.shuffle(chosen)
    structure = TERNARY if width == 3 else BINARY
    return Clause(structure, tuple(not value for _, value in chosen), [name for name, _ in chosen])


# The second set: the first one's variables, exchanged until the status is the other


def _match(config: Config, first: ClauseSet, rng: random.Random) -> ClauseSet | None:
    full, is_consistent = full_table(config.variables), first.models != 0
    if not is_consistent and tables_are_minimal(first.tables, full):
        return None
    walk = _Walk(first, Tables(config.variables), rng)
    for _ in range(_LOOKS_PER_LEAF * walk.leaves):
        walk.exchange(_EXCHANGES_PER_LOOK)
        is_match = (walk.set.models != 0) != is_consistent
        if is_match and not (is_consistent and tables_are_minimal(walk.set.tables, full)):
            return walk.set
    return None


class _Walk:
    """Exchanges variables between places of equal sign; clauses stay different."""

    def __init__(self, start: ClauseSet, tables: Tables, rng: random.Random) -> None:
        clauses = [Clause(c.structure, c.signs, list(c.variables)) for c in start.clauses]
        self.set, self._known = ClauseSet(clauses, list(start.tables)), set(start.tables)
        self._all, self._random = tables, rng.random
        by_sign: tuple[list[tuple[int, int]], ...] = ([], [])
        for number, clause in enumerate(clauses):
            for leaf, sign in enumerate(clause.signs):
                by_sign[sign].append((number, leaf))
        self._rows = [(place, places) for places in by_sign for place in places]
        self.leaves = len(self._rows)

    def exchange(self, times: int) -> None:
        """Exchange the variables of two random leaves of one sign, if clauses stay different."""
        for _ in range(times):
            (first, leaf), alike = self._rows[int(self._random() * self.leaves)]
            second, other_leaf = alike[int(self._random() * len(alike))]
            ours, theirs = self.set.clauses[first].variables, self.set.clauses[second].variables
            mine, yours = ours[leaf], theirs[other_leaf]
            if mine == yours or (first != second and (yours in ours or mine in theirs)):
                continue
            ours[leaf], theirs[other_leaf] = yours, mine
            if not self._update(first, second):
                ours[leaf], theirs[other_leaf] = mine, yours

    def _update(self, first: int, second: int) -> bool:
        """Renew the tables of two clauses, unless they are then equivalent to others."""
        clauses, tables, known = self.set.clauses, self.set.tables, self._known
        old, old_other = tables[first], tables[second]
        new = new_other = self._all.of(clauses[first])
        if first != second:
            new_other = self._all.of(clauses[second])
        known.discard(old)
        known.discard(old_other)
        if new in known or new_other in known or (new == new_other and first != second):
            known.update((old, old_other))
            return False
        known.update((new, new_other))
        tables[first], tables[second] = new, new_other
        return True
