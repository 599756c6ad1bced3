"""Cores: sets of formulas that cannot all be true, and whether none of them can be left out."""

from __future__ import annotations

from collections.abc import Sequence

from logic_curriculum.rewards.engines.propositional import solver
from logic_curriculum.rewards.engines.propositional.syntax import Formula, variables
from logic_curriculum.rewards.engines.propositional.truth_table import MAX_VARIABLES, TruthTables


def satisfiable(formulas: Sequence[Formula]) -> bool | None:
    """Say whether formulas can be true together: by truth table, or by Z3 for many variables.

    Returns:
        None when Z3's budget did not suffice.
    """
    names = variables(*formulas)
    if len(names) > MAX_VARIABLES:
        return solver.satisfiable(formulas)
    return TruthTables(names).all_of(formulas) != 0


def is_minimal(formulas: Sequence[Formula]) -> bool | None:
    """Say whether an unsatisfiable set becomes satisfiable whichever formula is left out.

    Returns:
        None when Z3's budget did not suffice.

    >>> from logic_curriculum.rewards.engines.propositional.parser import parse
    >>> is_minimal([parse("v1"), parse("¬v1")])
    True
    >>> is_minimal([parse("v1"), parse("¬v1"), parse("v2")])
    False
    """
    names = variables(*formulas)
    if len(names) > MAX_VARIABLES:
        return _is_minimal_by_solver(formulas)
    tables = TruthTables(names)
    return tables_are_minimal([tables.of(formula) for formula in formulas], tables.full)


def tables_are_minimal(tables: Sequence[int], full: int) -> bool:
    """Say the same of truth tables whose conjunction is 0; ``full`` is that of what is true."""
    after = [full]
    for table in reversed(tables):
        after.append(after[-1] & table)
    before = full
    for place, table in enumerate(tables):
        if before & after[len(tables) - 1 - place] == 0:
            return False
        before &= table
    return True


def _is_minimal_by_solver(formulas: Sequence[Formula]) -> bool | None:
    for place in range(len(formulas)):
        found = solver.satisfiable([*formulas[:place], *formulas[place + 1 :]])
        if not found:
            return found
    return True


def minimal_core(tables: Sequence[int], full: int) -> list[int]:
    """Return the places of a minimal set of truth tables whose conjunction is 0.

    Each is left out in turn, from the first, if the rest can do without it.

    Raises:
        ValueError: When their conjunction is not 0.

    >>> minimal_core([0b1010, 0b1100, 0b0101, 0b1111], 0b1111)
    [0, 2]
    """
    after = [full]
    for table in reversed(tables):
        after.append(after[-1] & table)
    if after[-1]:
        raise ValueError("The formulas can be true together, so they have no core")
    kept: list[int] = []
    before = full
    for place, table in enumerate(tables):
        if before & after[len(tables) - 1 - place]:
            kept.append(place)
            before &= table
    return kept


def smaller_core_size(formulas: Sequence[Formula]) -> int:
    """Return the size of a minimal contradiction among formulas that can't all be true.

    With more variables than a truth table holds, it is the number of all formulas.
    """
    names = variables(*formulas)
    if len(names) > MAX_VARIABLES:
        return len(formulas)
    tables = TruthTables(names)
    return len(minimal_core([tables.of(formula) for formula in formulas], tables.full))
