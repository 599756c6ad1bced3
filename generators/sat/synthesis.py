"""Matched pairs: a consistent and an inconsistent set of clauses with all they show in common.

The two sets have the same clauses but for which variable stands where, and each variable stands
affirmed, and negated, equally often in both. So neither the number of clauses, literals, negations
or operators, nor the length of the text, nor any count of a variable tells them apart.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2

from logic_curriculum.generators.sat import clauses as forms
from logic_curriculum.generators.sat.clauses import BINARY, TERNARY, Clause, Structure, Tables
from logic_curriculum.generators.sat.levels import MAX_LEAVES, Config
from logic_curriculum.rewards.engines.propositional import (
    full_table,
    tables_are_minimal,
    variable_tables,
)

_TRIES, _CONSISTENT_TRIES, _CLAUSE_TRIES = 3000, 60, 150
_MAX_FAILED_DRAWS = 3
_EXCHANGES_PER_LOOK = 2
_LOOKS_PER_LEAF = 4
_BUILT_BELOW = 4  # clauses of 3-SAT per variable below which inconsistent sets are built, not found
_MAX_CORE = 16  # most clauses of a refutation that an inconsistent set is built around
_SIGNS = [list(itertools.product((False, True), repeat=count)) for count in range(MAX_LEAVES + 1)]


class DrawError(RuntimeError):
    """No set of clauses was found within the limits."""


@dataclass(slots=True)
class ClauseSet:
    """Clauses, no two of which are equivalent, and their truth tables."""

    clauses: list[Clause]
    tables: list[int]


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
    tables = Tables(config.variables)
    for _ in range(_TRIES):
        try:
            first = _first(config, rng, prefer_consistent=config.matched or consistent)
        except DrawError:
            continue
        shape = shape_of(first.clauses)
        is_wanted = (tables.all_of(first.tables) != 0) is consistent
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
    shapes = sorted(forms.clause_shape(clause.structure, clause.signs) for clause in clauses)
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
        structures = [forms.draw_structure(config, rng) for _ in range(count)]
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
    table = forms.evaluate(structure, iter(variable_tables(count)), full_table(count))
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
    tables = Tables(config.variables)
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
        if rng.random() * tables.all_of(found.tables).bit_count() < 1:
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
    tables = Tables(config.variables)
    is_consistent = tables.all_of(first.tables) != 0
    if not is_consistent and tables_are_minimal(first.tables, tables.full):
        return None
    walk = _Walk(first, tables, rng)
    for _ in range(_LOOKS_PER_LEAF * walk.leaves):
        walk.exchange(_EXCHANGES_PER_LOOK)
        is_match = (tables.all_of(walk.tables) != 0) != is_consistent
        if is_match and not (is_consistent and tables_are_minimal(walk.tables, tables.full)):
            return ClauseSet(walk.clauses, walk.tables)
    return None


class _Walk:
    """Exchanges variables between places of equal sign; clauses stay different."""

    def __init__(self, start: ClauseSet, tables: Tables, rng: random.Random) -> None:
        self.clauses = [Clause(c.structure, c.signs, list(c.variables)) for c in start.clauses]
        self.tables, self._known = list(start.tables), set(start.tables)
        self._all, self._random = tables, rng.random
        by_sign: tuple[list[tuple[int, int]], ...] = ([], [])
        for number, clause in enumerate(self.clauses):
            for leaf, sign in enumerate(clause.signs):
                by_sign[sign].append((number, leaf))
        self._rows = [(place, places) for places in by_sign for place in places]
        self.leaves = len(self._rows)

    def exchange(self, times: int) -> None:
        """Exchange the variables of two random leaves of one sign, if clauses stay different."""
        for _ in range(times):
            (first, leaf), alike = self._rows[int(self._random() * self.leaves)]
            second, other_leaf = alike[int(self._random() * len(alike))]
            ours, theirs = self.clauses[first].variables, self.clauses[second].variables
            mine, yours = ours[leaf], theirs[other_leaf]
            if mine == yours or (first != second and (yours in ours or mine in theirs)):
                continue
            ours[leaf], theirs[other_leaf] = yours, mine
            if not self._update(first, second):
                ours[leaf], theirs[other_leaf] = mine, yours

    def _update(self, first: int, second: int) -> bool:
        """Renew the tables of two clauses, unless they are then equivalent to others."""
        tables, known = self.tables, self._known
        old, old_other = tables[first], tables[second]
        new = new_other = self._all.of(self.clauses[first])
        if first != second:
            new_other = self._all.of(self.clauses[second])
        known.discard(old)
        known.discard(old_other)
        if new in known or new_other in known or (new == new_other and first != second):
            known.update((old, old_other))
            return False
        known.update((new, new_other))
        tables[first], tables[second] = new, new_other
        return True
