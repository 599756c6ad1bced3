"""The three skills of LogicSkills: in what settings each is asked, and tasks to learn it from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accelerate import PartialState
from datasets import Dataset, load_dataset

from logic_curriculum.generators import build_dataset

SKILLS = ("symbolization", "countermodel", "validity")


def task_options(family: str, language: str, style: str) -> dict[str, Any]:
    """Return the options of ``generate``; a countermodel task has no language."""
    options = {"style": style}
    return options if family == "countermodel" else {"language": language, **options}


def training_set(
    folder: Path,
    family: str,
    levels: Sequence[int],
    examples: int,
    seed: int,
    conversational: bool,
    **options: Any,
) -> Dataset:
    """Return distinct training tasks with their solutions, levels alike.

    The main process builds them on all cores; what is in the folder already is read.

    Args:
        folder: Where they are kept, as ``logic_curriculum.generators.build_dataset`` writes them.
        family: The family.
        levels: Levels; each gives an equal share.
        examples: Tasks over all levels.
        seed: Seed of the tasks.
        conversational: Whether prompts and solutions become chat messages.
        options: Options of ``logic_curriculum.generators.generate``.

    Returns:
        Columns ``prompt`` and ``completion``.
    """
    share = -(-examples // len(levels))  # rounded up
    with PartialState().main_process_first():
        built = build_dataset(
            family, levels, out=folder, sizes={"train": share}, seed=seed, **options
        )
    files = sorted(str(path) for path in (built / "data" / "train").glob("*.parquet"))
    rows = load_dataset("parquet", data_files=files, columns=["prompt", "completion"])["train"]
    rows = rows.shuffle(seed=seed).select(range(examples))
    return rows.map(as_messages) if conversational else rows


def as_messages(row: dict[str, str]) -> dict[str, list[dict[str, str]]]:
    """Return prompt and completion as chat messages."""
    return {
        "prompt": [{"role": "user", "content": row["prompt"]}],
        "completion": [{"role": "assistant", "content": row["completion"]}],
    }
