"""What a set of clauses is drawn from, and which cells cannot be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from logic_curriculum.generators.sat.structures import MAX_LEAVES, OPERATORS, StructureSampler
from logic_curriculum.rewards.engines.propositional.truth_table import MAX_VARIABLES

Mode = Literal["uniform", "3sat"]


class UnreachableCellError(ValueError):
    """There is no consistent and no inconsistent set of the size asked for."""


@dataclass(frozen=True)
class Config:
    """Size and form of clause sets (App. A.1).

    Raises:
        UnreachableCellError: There is no matched pair of a consistent and an inconsistent set.
        ValueError: A value is out of range.
    """

    variables: int
    """n_V, from 2 to :data:`MAX_VARIABLES`; every one occurs."""
    clauses: tuple[int, int]
    """Fewest and most clauses, n_C; each number in between is equally probable."""
    mode: Mode = "uniform"
    """``uniform``: structures of operators; ``3sat``: disjunctions of three literals."""
    operators: str = OPERATORS
    """Operators of the uniform mode; ``¬`` and at least one more."""
    max_depth: int = 2
    """Deepest nesting in the uniform mode, from 1; ¬ does not count."""

    min_share: float = 0.0
    """Least share of assignments under which a clause of the uniform mode is true, 0 to 0.7. With
    0.5, no clause is a conjunction, with more, none is a single literal; contradictions then take
    more clauses."""

    def __post_init__(self) -> None:
        """Check the ranges, and that pairs exist."""
        low, high = self.clauses
        if not 2 <= self.variables <= MAX_VARIABLES:
            raise ValueError(
                f"variables={self.variables}: labels come from truth tables, for 2 to "
                f"{MAX_VARIABLES} variables. Choose a number in between."
            )
        if not 1 <= low <= high:
            raise ValueError(f"clauses={self.clauses}: give the fewest and the most, from 1")
        if self.mode == "3sat":
            self._check_3sat()
        else:
            self._check_uniform()

    def _check_uniform(self) -> None:
        if self.mode != "uniform":
            raise ValueError(f"mode={self.mode!r} does not exist: choose uniform or 3sat")
        if not set(self.operators) <= set(OPERATORS) or not set(self.operators) & set("∧∨→"):
            raise ValueError(
                f"operators={self.operators!r}: choose among {OPERATORS}, and ∧, ∨ or → at least"
            )
        if "¬" not in self.operators:
            raise UnreachableCellError(
                f"operators={self.operators!r}: without ¬ every set is consistent, since all "
                "clauses are true where all variables are. Add ¬."
            )
        if self.max_depth < 1:
            raise ValueError(f"max_depth={self.max_depth}: a clause has a depth of 1 at least")
        if not 0 <= self.min_share <= 0.7:
            raise ValueError(f"min_share={self.min_share}: give a share from 0 to 0.7")
        if self.clauses[0] < 3:
            raise UnreachableCellError(
                f"clauses={self.clauses}: an inconsistent set has a clause that its contradiction "
                "does not need, so it has three clauses at least. Ask for 3 or more."
            )

    def _check_3sat(self) -> None:
        if self.variables < 3:
            raise UnreachableCellError(
                f"variables={self.variables} in mode 3sat: a clause has three different variables. "
                "Ask for 3 or more."
            )
        fewest = 5 if self.variables == 3 else 9
        if self.clauses[0] < fewest:
            raise UnreachableCellError(
                f"clauses={self.clauses} with {self.variables} variables in mode 3sat: fewer than "
                f"{fewest - 1} such clauses are always consistent, and one more keeps the "
                f"contradiction from being the whole set. Ask for {fewest} or more."
            )
        most = self.most_3sat_clauses
        if self.clauses[1] > most:
            raise UnreachableCellError(
                f"clauses={self.clauses} with {self.variables} variables in mode 3sat: more than "
                f"{most} different clauses are always inconsistent. Ask for at most {most}."
            )

    @property
    def most_3sat_clauses(self) -> int:
        """Most different clauses of 3-SAT that can be true together: those of one assignment."""
        if self.variables == 3:
            return 20 - 4
        triples = self.variables * (self.variables - 1) * (self.variables - 2) // 6
        return 7 * triples

    @property
    def sampler(self) -> StructureSampler:
        """What draws structures in the uniform mode."""
        return StructureSampler(
            self.operators, self.max_depth, min(self.variables, MAX_LEAVES), self.min_share
        )
