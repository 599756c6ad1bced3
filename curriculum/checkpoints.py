"""The checkpoint that a run continues from: the newest one that is whole."""

import hashlib
import json
import logging
import re
import shutil
import sys
import zipfile
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from accelerate import PartialState
from accelerate.utils import gather_object
from safetensors import SafetensorError, safe_open
from transformers import TrainerCallback
from transformers.trainer import SCHEDULER_NAME, TRAINER_STATE_NAME

from logic_curriculum.common.files import atomic_write

logger = logging.getLogger(__name__)

MANIFEST = "manifest.json"  # in a checkpoint: size and SHA-256 of each of its files, by name
PARTS = {
    "weights": ["*model*.safetensors", "*model*.bin", "pytorch_model_fsdp_*", "global_step*"],
    "optimizer": ["optimizer.*", "optimizer_*", "global_step*"],
    "random state": ["rng_state*.pth"],
}
"""What a checkpoint consists of, by the names that transformers, FSDP and DeepSpeed give it."""


class CheckpointManifest(TrainerCallback):
    """Writes down the files of a checkpoint as soon as all processes have written theirs.

    :func:`newest_checkpoint` compares them. Files are read at once for that, each at about 1 GB/s.
    With ``save_on_each_node`` each node lists the files on its disk.
    """

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Write ``manifest.json`` into the checkpoint; called in all processes."""
        PartialState().wait_for_everyone()
        checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if args.should_save and checkpoint.is_dir():
            write_manifest(checkpoint)


def write_manifest(checkpoint: Path) -> None:
    """Write size and checksum of each file of a checkpoint into it."""
    files = [path for path in sorted(checkpoint.rglob("*")) if path.is_file()]
    names = [path.relative_to(checkpoint).as_posix() for path in files]
    found = _fingerprints(checkpoint, [name for name in names if not name.startswith(MANIFEST)])
    with atomic_write(checkpoint / MANIFEST) as partial:
        partial.write_text(json.dumps(found) + "\n", encoding="utf-8")


def _fingerprints(checkpoint: Path, names: Collection[str]) -> dict[str, list[Any] | None]:
    """Return size and SHA-256 of each file, None for a missing one."""

    def fingerprint(name: str) -> list[Any] | None:
        path = checkpoint / name
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return [path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()]

    with ThreadPoolExecutor() as pool:
        return dict(zip(names, pool.map(fingerprint, names), strict=True))


def newest_checkpoint(folder: Path, on_each_node: bool = False) -> str | None:
    """Return the newest checkpoint that is whole, or None; to be called by all processes.

    One whose files are not those of its manifest is renamed to ``damaged-checkpoint-STEP``, which
    no trainer looks for; so is one without a manifest that a kill or a full disk cut short. All
    processes get the same answer: the main one's, or with ``on_each_node`` (``save_on_each_node``)
    the newest one that is whole on all nodes. A folder that can't be read or written is a
    SystemExit in all of them.
    """
    state, limit = PartialState(), sys.maxsize
    judges = state.is_local_main_process if on_each_node else state.is_main_process
    while True:
        found = gather_object([_newest_whole(folder, limit)] if judges else [])
        if problem := next((problem for _, problem in found if problem), None):
            raise SystemExit(problem)
        limit = min(step for step, _ in found)
        if all(step == limit for step, _ in found):
            return None if limit < 0 else str(folder / f"checkpoint-{limit}")


def _newest_whole(folder: Path, limit: int) -> tuple[int, str]:
    """Return the newest step up to ``limit`` with a whole checkpoint, -1 if none; or a problem."""
    try:
        found = [
            (int(name[1]), path)
            for path in folder.glob("checkpoint-*")
            if (name := re.fullmatch(r"checkpoint-(\d+)", path.name)) and path.is_dir()
        ]
        found = sorted(each for each in found if each[0] <= limit)
        while found:
            step, path = found.pop()
            before = len(list(found[-1][1].glob("rng_state_*.pth"))) if found else 0
            problem = damage(path, step, min(before, PartialState().num_processes))
            if problem is None:
                return step, ""
            aside = path.with_name(f"damaged-{path.name}")
            logger.warning(f"{path} is not whole ({problem}): it becomes {aside.name}.")
            shutil.rmtree(aside, ignore_errors=True)
            path.rename(aside)
    except OSError as error:
        return -1, (
            f"The run in {folder} can't continue ({error}), since a resumed run reads, writes and "
            "renames what is there: fix that, or name a copy of the folder as --output_dir."
        )
    return -1, ""


def damage(checkpoint: Path, step: int, processes: int = 0) -> str | None:
    """Return why a checkpoint is damaged, or None.

    Without a manifest it was killed just before, or is of a trainer that writes none: then it has
    to have all parts, each with a beginning and an end, and random states of ``processes`` or more.
    """
    state = checkpoint / TRAINER_STATE_NAME
    try:
        if json.loads(state.read_text(encoding="utf-8"))["global_step"] != step:
            return f"{state.name} is of another step"
    except FileNotFoundError:
        return f"it has no {state.name}"
    except (ValueError, KeyError, TypeError):
        return f"{state.name} is cut short"
    try:
        listed = json.loads((checkpoint / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _missing(checkpoint, processes) or _cut_short(checkpoint)
    except ValueError:
        return f"{MANIFEST} is damaged"
    found = _fingerprints(checkpoint, listed)
    changed = (name for name in listed if found[name] != listed[name])
    return next((f"{name} is not what was saved" for name in changed), None)


def _missing(checkpoint: Path, processes: int) -> str | None:
    """Return which part is not there, as far as names show it; some trainers save weights alone."""
    there = {part for part, globs in PARTS.items() if any(any(checkpoint.glob(g)) for g in globs)}
    is_whole = there - {"weights"} or (checkpoint / SCHEDULER_NAME).exists()
    for part in PARTS if is_whole else ["weights"]:
        if part not in there:
            return f"it has no {part}"
    ranks = {path.name for path in checkpoint.glob("rng_state_*.pth")}
    all_ranks = range(max(len(ranks), processes, 2))
    if ranks and ranks != {f"rng_state_{rank}.pth" for rank in all_ranks}:
        return "it lacks the random state of a process"
    return None


def _cut_short(checkpoint: Path) -> str | None:
    """Return which file lacks its end, or None."""
    for path in sorted(checkpoint.rglob("*")):
        if path.suffix == ".safetensors":
            try:
                with safe_open(path, "pt"):
                    pass
            except SafetensorError:
                return f"{path.name} is cut short"
        elif path.suffix in (".pt", ".pth", ".bin") and not zipfile.is_zipfile(path):
            return f"{path.name} is cut short"  # torch.save writes a zip file, its index last
    return None
