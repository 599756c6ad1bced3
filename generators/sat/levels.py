"""The levels, and the datasets of the paper by name (§4, App. B.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb, floor, inf
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, PositiveInt
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.engines.propositional import MAX_VARIABLES

OPERATORS = "¬∧∨→"
MAX_LEAVES = 8  # most leaves of a clause's structure


Share = Annotated[float, Field(ge=0, lt=1)]


@dataclass(frozen=True)
class Config:
    """Size and form of clause sets (App. A.1), of which there mostly have to be matched pairs."""

    variables: Annotated[int, Field(ge=2, le=MAX_VARIABLES)]
    """n_V; every one occurs."""
    clauses: tuple[PositiveInt, PositiveInt]  # n_C, fewest and most, drawn with equal chance
    mode: Literal["uniform", "3sat"] = "uniform"
    """``uniform``: structures of operators; ``3sat``: disjunctions of three literals."""
    operators: Annotated[str, Field(pattern=f"^[{OPERATORS}]*[∧∨→][{OPERATORS}]*$")] = OPERATORS
    """Operators of the uniform mode; ``¬`` and at least one more."""
    max_depth: PositiveInt = 2  # deepest nesting in the uniform mode; ¬ does not count
    min_share: Annotated[float, Field(ge=0, le=0.7)] = 0.0
    """Least share of assignments under which a clause of the uniform mode is true. From 0.5 on few
    are conjunctions, above it none is a single literal; to contradict then takes more clauses."""
    nested: Share = 0.5
    """How often an operand is an operator in the uniform mode, as long as the depth allows it."""
    negated: Share = 0.15  # how often an operator of the uniform mode is negated as a whole
    matched: bool = True  # whether a set has a match of the other status; else it is drawn alone

    def __post_init__(self) -> None:
        fewest, most = self._limits()
        low, high = self.clauses
        size = f"with {self.variables} variables in mode {self.mode}"
        if low * min(self.variables, 3 if self.mode == "3sat" else MAX_LEAVES) < self.variables:
            raise ValueError(f"clauses={low} {size}: no place for every variable. Ask for more.")
        if low < fewest:
            raise ValueError(
                f"clauses={low} {size}: a set with a match of the other status has more. Ask for "
                f"{fewest} or more, or for sets without a match (matched=False)."
            )
        if high > most:
            raise ValueError(f"clauses={high} {size}: always inconsistent. Ask for at most {most}.")

    def _limits(self) -> tuple[int, float]:
        """Return the fewest and the most clauses of which there are sets, or matched pairs."""
        if self.mode == "uniform":
            if "¬" not in self.operators:
                raise ValueError(
                    f"operators={self.operators!r}: without ¬ every set is consistent, since all "
                    "clauses are true where all variables are. Add ¬."
                )
            return (3 if self.matched else 1), inf
        if self.variables < 3:
            raise ValueError(
                f"variables={self.variables} in mode 3sat: a clause has three different variables. "
                "Ask for 3 or more."
            )
        # An assignment satisfies seven of the eight clauses over any three variables; where there
        # are but three, clauses of two literals occur as well, of which it satisfies nine.
        most = 7 + 9 if self.variables == 3 else 7 * comb(self.variables, 3)
        return ((5 if self.variables == 3 else 9) if self.matched else 1), most


LEVELS = (
    Config(2, (3, 4), max_depth=1),
    Config(3, (4, 5), max_depth=1),
    Config(4, (5, 7), max_depth=2),
    Config(5, (6, 8), max_depth=2),
    Config(6, (11, 13), max_depth=2, min_share=0.5),
    Config(7, (13, 16), max_depth=2, min_share=0.5),
    Config(8, (16, 19), max_depth=2, min_share=0.5),
    Config(10, (20, 23), max_depth=2, min_share=0.5),
    Config(12, (30, 35), max_depth=3, min_share=0.6),
    Config(14, (37, 43), max_depth=3, min_share=0.6),
)
"""Level → configuration, from level 1."""
TIERS = ("basic",) * 2 + ("easy",) * 2 + ("medium",) * 3 + ("hard",) * 3  # tier of each level

RATIO = 4.26  # clauses per variable at which 3-SAT is hardest (Mitchell et al. 1992)
_VARIABLES = range(3, 20)


Sizes = Mapping[bool, Sequence[int]]
"""Whether sets are consistent → the number of clauses of each such set."""


@dataclass(frozen=True)
class Preset:
    """A dataset of the paper; its levels are the numbers of variables."""

    configs: Mapping[int, Config]  # number of variables → configuration
    sets: Mapping[int, Sizes]
    """Number of variables → the sizes of the paper's own sets. Matched pairs have their number
    alone, as in Table 3."""
    themes: tuple[str, ...] | None = None  # what the sentences are about; by default, any theme
    language: str = "english"  # the language in which it was published

    def sizes(self, level: int) -> dict[str, int]:
        """Return the number of tasks of a level by split."""
        return {"test": sum(map(len, self.sets[level].values()))}


_PAPER = yaml.safe_load(Path(__file__).with_name("paper_sets.yaml").read_text(encoding="utf-8"))


def _presets(name: str, paired: Mapping[int, Config], **more: Any) -> dict[str, Preset]:
    """Return a dataset in matched pairs, and without matches in the composition of the paper."""
    sets, alone = {}, {}
    for n, config in paired.items():
        consistent, inconsistent = (_PAPER[name][s][n] for s in ("consistent", "inconsistent"))
        sets[n] = {True: consistent, False: inconsistent}
        every = [*consistent, *inconsistent]
        alone[n] = replace(config, clauses=(min(every), max(every)), matched=False)
    return {name: Preset(paired, sets, **more), f"{name}-paper": Preset(alone, sets, **more)}


PRESETS: dict[str, Preset] = {
    **_presets(
        "hard3sat",
        {n: Config(n, (floor(RATIO * n),) * 2, mode="3sat") for n in _VARIABLES},
        themes=("banking",),
    ),
    **_presets("uniform", {n: Config(n, (n, 5 * n), max_depth=3) for n in _VARIABLES}),
    **_presets(
        "symbolic",
        {n: Config(n, (5 if n == 3 else max(n, 9), 5 * n), mode="3sat") for n in _VARIABLES},
        language="symbolic",
    ),
}
"""Name → dataset. Matched pairs lack some cells of the paper: ``symbolic`` has at least 9 clauses
(5 with three variables), see :class:`Config`. In the paper's composition, whose sizes are not
printed but follow from its tables, the size tells the status: docs/tasks-sat.md.
"""
