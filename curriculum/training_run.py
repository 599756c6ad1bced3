"""What a recipe that trains does first: claim its run folder, and say how a model is loaded."""

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast_object_list
from transformers import TrainingArguments
from trl import ModelConfig

from logic_curriculum.common.files import told
from logic_curriculum.curriculum import run_settings
from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.checkpoints import newest_checkpoint
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.curriculum.models.merging import whole_model

logger = logging.getLogger(__name__)


def begin_training(
    args: TrainingArguments,
    model_args: ModelConfig,
    families: Sequence[str],
    notice: str,
    **facts: Any,
) -> None:
    """Claim the run folder and print what to expect, on the main process.

    A new folder gets ``run.json``: the model, the families, their versions and the facts, all
    JSON-able. A run that is resumed has to have the same versions; it, another run in the folder or
    a folder that can't be written is a SystemExit, in all processes. To resume the latest
    checkpoint means the newest one that is whole, and the beginning if there is none. The folder of
    an adapter as the model means its base with the adapter merged in.
    """
    asked_for = args.bf16 or model_args.dtype == "bfloat16"
    if args.device.type == "cpu" and asked_for and not has_bfloat16():
        logger.warning(
            "bfloat16 was asked for, but this processor computes it in float32 piece by piece: "
            "--bf16 false and --dtype float32 are faster here."
        )
    problem = None
    if args.process_index == 0:
        try:
            _claim(args, model_args, families, facts)
            print(f"{notice}Processes: {args.world_size}", flush=True)
        except (SystemExit, OSError) as error:
            problem = told(error, args.output_dir)
    if problem := broadcast_object_list([problem])[0]:  # so that no process waits for the others
        raise SystemExit(problem)
    model_args.model_name_or_path = whole_model(model_args.model_name_or_path)
    if args.resume_from_checkpoint is True:
        args.resume_from_checkpoint = newest_checkpoint(Path(args.output_dir))
    if args.disable_tqdm:
        disable_progress_bars()


def _claim(
    args: TrainingArguments, model_args: ModelConfig, families: Sequence[str], facts: dict[str, Any]
) -> None:
    folder = Path(args.output_dir)
    if not run_settings.has_started(folder):
        model = model_args.model_name_or_path
        facts |= {"model": model, "weights": pretrained.weights_of(model)}
        run_settings.write_settings(folder, run_settings.run_facts(families, **facts))
    elif args.resume_from_checkpoint is None:
        raise SystemExit(
            f"{folder} is not empty, and a new run would overwrite what is there: choose "
            "another --output_dir, or continue it with --resume_from_checkpoint true."
        )
    else:
        run_settings.check_versions_of_run(folder, families)
        with tempfile.TemporaryFile(dir=folder):
            pass  # it can be written


def loading_options(model_args: ModelConfig, given: Any = None) -> dict[str, Any]:
    """Return ModelConfig's options of ``from_pretrained``; a trainer's ``given`` ones win."""
    return {
        "revision": model_args.model_revision,
        "attn_implementation": model_args.attn_implementation,
        "dtype": model_args.dtype,
        **(given or {}),
    }


def has_bfloat16() -> bool:
    """Return whether the processor computes with bfloat16; without it, float32 is faster."""
    features = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in features)
