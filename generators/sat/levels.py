"""The ladder of levels, and the datasets of the paper by name (section 4, App. B.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from types import MappingProxyType
from typing import Literal

from logic_curriculum.rewards.engines.propositional.satisfiability import MAX_VARIABLES

OPERATORS = "¬∧∨→"
MAX_LEAVES = 8
"""Most leaves of a clause's structure."""


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
    mode: Literal["uniform", "3sat"] = "uniform"
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
        where = f"clauses={self.clauses} with {self.variables} variables in mode 3sat"
        # An assignment satisfies seven of the eight clauses over any three variables; with three
        # variables, also nine clauses of two literals.
        most = 7 * comb(self.variables, 3) if self.variables > 3 else 7 + 9
        fewest = 9 if self.variables > 3 else 5
        if self.clauses[0] < fewest:
            raise UnreachableCellError(
                f"{where}: fewer than {fewest - 1} such clauses are always consistent, and one "
                "more keeps the contradiction from being the whole set. Ask for "
                f"{fewest} or more."
            )
        if self.clauses[1] > most:
            raise UnreachableCellError(
                f"{where}: more than {most} different clauses are always inconsistent. Ask for at "
                f"most {most}."
            )


LADDER: tuple[Config, ...] = (
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
TIERS = (*["basic"] * 2, *["easy"] * 2, *["medium"] * 3, *["hard"] * 3)
"""Level → tier, from level 1."""

RATIO = 4.26
"""Clauses per variable at which 3-SAT is hardest (Mitchell et al. 1992)."""
_VARIABLES = range(3, 20)


@dataclass(frozen=True)
class Preset:
    """A dataset of the paper; its levels are the numbers of variables."""

    configs: Mapping[int, Config]
    """Number of variables → configuration."""
    counts: Mapping[int, tuple[int, int]]
    """Number of variables → consistent and inconsistent sets in Table 3."""
    themes: tuple[str, ...] | None
    """What the sentences are about; any theme where it is None."""
    language: str
    """The language in which it was published."""

    def config(self, level: int) -> Config:
        """Return the configuration of a level.

        Raises:
            ValueError: The dataset has no such number of variables.
        """
        if level not in self.configs:
            raise ValueError(
                f"level={level} with a preset: a level is a number of variables, "
                f"{min(self.configs)} to {max(self.configs)}. Choose one of them, or leave the "
                "preset out."
            )
        return self.configs[level]


def _counts(*consistent: int, inconsistent: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    return {
        variables: (count, inconsistent.get(variables, 5))
        for variables, count in zip(_VARIABLES, consistent, strict=True)
    }


def _fewest(variables: int) -> int:
    return 5 if variables == 3 else max(variables, 9)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "hard3sat": Preset(
            {n: Config(n, (round(RATIO * n), round(RATIO * n)), mode="3sat") for n in _VARIABLES},
            _counts(5, 4, 5, 3, 3, 4, 3, 0, 2, 1, 2, 2, 3, 3, 1, 2, 0, inconsistent={}),
            ("banking",),
            "english",
        ),
        "uniform": Preset(
            {n: Config(n, (n, 5 * n), max_depth=3) for n in _VARIABLES},
            _counts(
                *(5, 5, 5, 5, 5, 5, 5, 5, 4, 5, 3, 4, 5, 4, 4, 3, 4),
                inconsistent={9: 4, 13: 4, 18: 4},
            ),
            None,
            "english",
        ),
        "symbolic": Preset(
            {n: Config(n, (_fewest(n), 5 * n), mode="3sat") for n in _VARIABLES},
            dict.fromkeys(_VARIABLES, (5, 5)),
            None,
            "symbolic",
        ),
    }
)
"""Name → dataset. Clause sets come as matched pairs, so some cells of the paper do not exist here:
``symbolic`` has at least 9 clauses (5 with three variables), see :class:`Config`."""


def find_preset(name: str) -> Preset:
    """Return a preset by its name.

    Raises:
        ValueError: There is no such preset.
    """
    if name not in PRESETS:
        raise ValueError(f"preset={name!r} does not exist: choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


_HEADER = ("name", "level", "mode", "variables", "clauses", "operators", "depth", "SAT", "UNSAT")
_LEGEND = """\
clauses: each number in the range is equally probable. SAT, UNSAT: sets in Table 3, as a dataset of
the preset has them; elsewhere the status is a fair coin, unless `target` is given."""


def table_of_levels(preset: str | None) -> str:
    """Return the table of a preset, or of the ladder and all presets, as text."""
    rows: list[tuple[str, ...]] = [_HEADER]
    if preset is None:
        rows += [_row("ladder", n, config, ("", "")) for n, config in enumerate(LADDER, start=1)]
    for name in PRESETS if preset is None else [preset]:
        found = find_preset(name)
        for level, config in found.configs.items():
            rows.append(_row(name, level, config, tuple(map(str, found.counts[level]))))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", _LEGEND])


def _row(name: str, level: int, config: Config, counts: tuple[str, ...]) -> tuple[str, ...]:
    low, high = config.clauses
    form = ("∨¬", "1") if config.mode == "3sat" else (config.operators, str(config.max_depth))
    clauses = str(low) if low == high else f"{low}-{high}"
    return (name, str(level), config.mode, str(config.variables), clauses, *form, *counts)
