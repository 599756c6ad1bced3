"""Runs a script with FSDP 2 on CPU processes, where accelerate by itself would not shard.

torch shards on CPUs as it does on GPUs, over gloo, but accelerate turns to FSDP only where
processes have accelerators of their own. So it is told that they have.

    accelerate launch --config_file accelerate_configs/fsdp2.yaml fsdp_on_cpu.py SCRIPT OPTIONS
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import DistributedType
from torch.distributed.fsdp import FSDPModule
from transformers import Trainer

save = Trainer.save_model


def save_what_is_sharded(self: Trainer, *args: Any, **options: Any) -> None:
    assert isinstance(self.model_wrapped, FSDPModule), type(self.model_wrapped)
    save(self, *args, **options)


if __name__ == "__main__":
    torch.distributed.init_process_group("gloo")
    os.environ["ACCELERATE_TORCH_DEVICE"] = "cpu"
    PartialState._prepare_backend = lambda *_: ("gloo", DistributedType.MULTI_GPU)
    Trainer.save_model = save_what_is_sharded
    del sys.argv[0]
    sys.path.insert(0, str(Path(sys.argv[0]).parent))
    runpy.run_path(sys.argv[0], run_name="__main__")
