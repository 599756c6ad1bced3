"""Turns a clause set into a Task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from logic_curriculum.generators.sat.draws import ClauseSet
from logic_curriculum.generators.sat.prompts import (
    Texts,
    wants_certificate,
    write_prompt,
    write_solution,
)
from logic_curriculum.generators.sat.publishing import digest
from logic_curriculum.generators.sat.stitching import sentence
from logic_curriculum.generators.sat.structures import clause_formula, depth
from logic_curriculum.generators.sat.themes import Atom, sentence_case
from logic_curriculum.generators.task import Task
from logic_curriculum.rewards.engines.propositional.cores import minimal_core
from logic_curriculum.rewards.engines.propositional.truth_table import TruthTables


@dataclass(frozen=True)
class Request:
    """What a task was asked for."""

    level: int
    seed: int
    style: str
    language: str
    about: Mapping[str, Any]
    """What metadata says of it beside."""


def write_task(clauses: ClauseSet, shape: str, atoms: Mapping[str, Atom], request: Request) -> Task:
    """Write the prompt, the solution, the judge's payload and the description of a task.

    Args:
        clauses: The clause set.
        shape: What it shares with its match, see :attr:`generators.sat.pairs.Pair.shape`.
        atoms: Variable → the sentence that stands for it; empty where it stands for itself.
        request: Level, seed, style and so on.
    """
    formulas = [clause_formula(c.structure, c.signs, c.variables) for c in clauses.clauses]
    count = len({variable for clause in clauses.clauses for variable in clause.variables})
    tables = TruthTables([f"v{number + 1}" for number in range(count)])
    models = tables.full
    for table in clauses.tables:
        models &= table
    written = [sentence(f, atoms) if atoms else str(f) for f in formulas]
    affirmed = {name: f"{sentence_case(atom.text)}." for name, atom in atoms.items()}
    return Task(
        family="sat",
        level=request.level,
        seed=request.seed,
        prompt=write_prompt(
            Texts(written, affirmed, tables.names, request.language), request.style
        ),
        solution=_solution(clauses, tables, models, request),
        verification={
            "formulas": [str(formula) for formula in formulas],
            "satisfiable": models != 0,
            "atoms": affirmed,
            "certificate": wants_certificate(request.style),
        },
        metadata={
            **request.about,
            "language": request.language,
            "style": request.style,
            "variables": count,
            "clauses": len(formulas),
            "depth": max(depth(clause.structure) for clause in clauses.clauses),
            "models": models.bit_count(),
            "shape_key": digest(shape),
            "statements": written,
        },
    )


def _solution(clauses: ClauseSet, tables: TruthTables, models: int, request: Request) -> str:
    """Return the answer; as its proof, the first model or the core of the latest statements."""
    if not wants_certificate(request.style):
        return write_solution(models != 0, None, None)
    if models:
        first = (models & -models).bit_length() - 1
        return write_solution(True, tables.assignment(first), None)
    core = minimal_core(clauses.tables, tables.full)
    return write_solution(False, None, [place + 1 for place in core])
