"""Many tasks: made in parallel or by shard, resumable, without leaks, as Parquet and a card."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import atomic_write
from logic_curriculum.common.processes import cores
from logic_curriculum.generators.dataset.card import rebuild_command, render_card
from logic_curriculum.generators.dataset.merge import write_file
from logic_curriculum.generators.dataset.pieces import (
    FOLDER,
    Piece,
    check_pieces,
    make_pieces,
    pieces_of,
)
from logic_curriculum.generators.dataset.plan import Plan, claim_folder, make_plan, read_plan
from logic_curriculum.generators.dataset.verify import verify
from logic_curriculum.generators.family import ranges
from logic_curriculum.generators.shard import Shard

__all__ = ["Shard", "build_dataset", "merge_dataset", "verify"]


def build_dataset(
    family: str,
    levels: Iterable[int] | None = None,
    *,
    out: str | Path,
    splits: Sequence[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    seed: int = 0,
    num_proc: int | None = None,
    shard: Shard | None = None,
    at_most: bool = False,
    **options: Any,
) -> Path:
    """Build a dataset of tasks, or finish one that was interrupted.

    Afterwards the folder, which is returned, holds one Parquet file per split and level, a dataset
    card and a manifest; ``datasets.load_dataset(out)`` reads it. The files depend on the arguments
    only, not on ``num_proc``, on interruptions or on Python's hash seed. What is finished is not
    made again, so the same call continues a build that was killed.

    Args:
        family: Name of a family, see :func:`logic_curriculum.generators.families`.
        levels: Curriculum levels; all of the family's by default.
        out: Folder to write; new, empty, or holding a build with the same arguments.
        splits: Splits to build in their published sizes; by default all that have one.
        sizes: Instead of ``splits``, tasks per level for each split, e.g. ``{"train": 100}``.
        seed: Determines the tasks.
        num_proc: Number of worker processes; by default one per CPU that this process may use.
        shard: Make only this share of the candidates, for :func:`merge_dataset`.
        at_most: Whether a level that has fewer tasks than ``sizes`` gives all it has; else that is
            an error. The card says how many there are.
        options: Options of the family, e.g. ``style`` and ``language``.

    Raises:
        ValueError: An argument is out of range, a level is known to have fewer tasks, or ``out``
            holds something else.
        RuntimeError: A level has too few distinct tasks, or :func:`verify` fails.
    """
    folder, processes = Path(out), _processes(num_proc)
    plan = make_plan(
        family, levels, splits=splits, sizes=sizes, seed=seed, options=options, at_most=at_most
    )
    for file in plan.files()[: len(plan.levels)]:
        file.candidate(0)  # an option that no task can be made with leaves no folder behind
    claim_folder(folder, plan)
    share = shard or Shard(1, 1)
    made_for = {"plan": plan.manifest(), "shard": str(share)}
    text = f"{family} shard {shard}" if shard else family
    pieces = _pieces(plan)[share.number - 1 :: share.of]
    make_pieces(_of_missing_files(pieces, folder), folder, made_for, processes, text)
    return folder if shard else _finish(plan, folder, processes)


def merge_dataset(folder: str | Path, *, num_proc: int | None = None) -> Path:
    """Build a dataset's files from its shards, which are all there, and return the folder.

    The files are those that :func:`build_dataset` writes without ``shard``, byte for byte. Repeated
    candidates are left out, and more are made in their stead, by ``num_proc`` processes.

    Raises:
        ValueError: The folder holds no shards, or some of other arguments or versions.
        RuntimeError: A shard is missing; a level has too few distinct tasks; :func:`verify` fails.
    """
    folder = Path(folder)
    plan = read_plan(folder)
    found = check_pieces(_pieces(plan), folder, plan.manifest())
    _check_complete(plan, folder, found.of)
    return _finish(plan, folder, _processes(num_proc))


def _processes(num_proc: int | None) -> int:
    if num_proc is not None and num_proc < 1:
        raise ValueError(
            f"num_proc is {num_proc}: at least 1 process builds. Leave it out to use every CPU."
        )
    return num_proc or cores()


def _pieces(plan: Plan) -> list[Piece]:
    """Return as many candidates of each part as the part has tasks: those that shards make."""
    parts = [each for file in plan.files() for each in enumerate(file.parts)]
    return [piece for place, part in parts for piece in pieces_of(part, place, 0, part.count)]


def _of_missing_files(pieces: Sequence[Piece], folder: Path) -> list[Piece]:
    written = {path for path in {p.part.path for p in pieces} if (folder / path).exists()}
    return [piece for piece in pieces if piece.part.path not in written]


def _check_complete(plan: Plan, folder: Path, of: int) -> None:
    """Raise a ``RuntimeError`` that names the shards, of so many, that lack a piece."""
    pieces = _pieces(plan)
    shards = {piece.path: index % of + 1 for index, piece in enumerate(pieces)}
    needed = [piece.path for piece in _of_missing_files(pieces, folder)]
    if missing := sorted({shards[path] for path in needed if not (folder / path).exists()}):
        command = f"{rebuild_command(plan, str(folder))} --shard {missing[0]}/{of}"
        others = f"; likewise {ranges(missing[1:])}" if missing[1:] else ""
        raise RuntimeError(
            f"{folder} lacks all or some of shard {ranges(missing)} of {of}. Run {command}"
            f"{others}. Nothing that is there is made again."
        )


def _finish(plan: Plan, folder: Path, num_proc: int) -> Path:
    """Write files and card from the candidates, check them, and remove the candidates."""
    files = plan.files()
    for file in files:
        if not (folder / file.path).exists():
            write_file(file, folder, plan.manifest(), num_proc)
    verify(folder, files)
    with atomic_write(folder / "README.md") as partial:
        partial.write_text(render_card(plan, folder), encoding="utf-8")
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    return folder
