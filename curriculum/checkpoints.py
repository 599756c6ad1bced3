"""The checkpoint that a run goes on from: the newest one that is whole."""

import json
import logging
import re
import shutil
import zipfile
from pathlib import Path

from accelerate import PartialState
from safetensors import SafetensorError, safe_open
from transformers.trainer import TRAINER_STATE_NAME

logger = logging.getLogger(__name__)


def newest_checkpoint(folder: Path) -> str | None:
    """Return the newest checkpoint that is whole, or None; to be called by all processes.

    One that a kill or a full disk cut short is renamed to ``damaged-checkpoint-STEP``, which no
    trainer looks for.
    """
    with PartialState().main_process_first():
        found = [
            (int(name[1]), path)
            for path in folder.glob("checkpoint-*")
            if (name := re.fullmatch(r"checkpoint-(\d+)", path.name)) and path.is_dir()
        ]
        for step, path in sorted(found, reverse=True):
            problem = damage(path, step)
            if problem is None:
                return str(path)
            aside = path.with_name(f"damaged-{path.name}")
            logger.warning(f"{path} is not whole ({problem}): it becomes {aside.name}.")
            shutil.rmtree(aside, ignore_errors=True)
            path.rename(aside)
    return None


def damage(checkpoint: Path, step: int) -> str | None:
    """Return why a checkpoint is damaged, or None.

    The main process writes the trainer's state last, and does not wait for the random states of
    the others. Of more than two processes, the loss of the last one's is not noticed.
    """
    state = checkpoint / TRAINER_STATE_NAME
    try:
        if json.loads(state.read_text(encoding="utf-8"))["global_step"] != step:
            return f"{state.name} is of another step"
    except FileNotFoundError:
        return f"it has no {state.name}"
    except (ValueError, KeyError, TypeError):
        return f"{state.name} is cut short"
    ranks = sorted(path.name for path in checkpoint.glob("rng_state_*.pth"))
    if ranks and ranks != sorted(f"rng_state_{rank}.pth" for rank in range(max(len(ranks), 2))):
        return "it lacks the random state of a process"
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
