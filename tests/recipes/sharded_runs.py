"""Runs ``recipes/sft_slr.py`` and then ``recipes/grpo_slr.py``, both small, in one launch.

Each process leaves ``done.RANK`` in the folder that ``OUT`` names. After ``LIMIT`` seconds it
leaves the stacks of its threads in ``stacks.RANK`` and ends.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "recipes"))

OUT, RANK = Path(os.environ["OUT"]), os.environ.get("RANK", "0")

SMALL = {
    "model_name_or_path": os.environ["BASE"],
    "learning_rate": "1e-3",
    "logging_steps": "1",
    "lr_scheduler_type": "constant",
}
RUNS = {
    "sft_slr": {
        "last_level": "2",
        "train_sizes": ["8", "8"],
        "num_train_epochs": "1",
        "per_device_train_batch_size": str(4 // int(os.environ.get("WORLD_SIZE", "1"))),
        "judge_steps": "2",
        "judge_levels": "2",
        "judge_tasks": "5",  # level 1 has so few tasks that some of them come twice
        "judge_splits": "validation",
        "max_new_tokens": "6",
        "per_device_eval_batch_size": "3",
    },
    "grpo_slr": {
        "max_steps": "2",
        "per_device_train_batch_size": str(12 // int(os.environ.get("WORLD_SIZE", "1"))),
        "num_generations": "4",
        "max_completion_length": "6",
        "last_level": "2",
        "eval_levels": "2",
        "eval_tasks": "5",
        "per_device_eval_batch_size": "3",
        "eval_strategy": "steps",
        "eval_steps": "1",
    },
}


def main() -> None:
    faulthandler.dump_traceback_later(
        float(os.environ["LIMIT"]), exit=True, file=(OUT / f"stacks.{RANK}").open("w")
    )
    import grpo_slr
    import sft_slr
    from transformers import Trainer

    Trainer.end = lambda self: None  # the second recipe goes on with the processes of the first
    for recipe, script in (("sft_slr", sft_slr), ("grpo_slr", grpo_slr)):
        options = {**SMALL, **RUNS[recipe], "output_dir": str(OUT / recipe)}
        given = [("--" + name, *([v] if isinstance(v, str) else v)) for name, v in options.items()]
        config = f"recipes/configs/{recipe}/demo.yaml"
        sys.argv = [f"recipes/{recipe}.py", "--config", config, *chain(*given)]
        script.main()
    (OUT / f"done.{RANK}").touch()
    os._exit(0)  # CPU processes may abort while the interpreter shuts down


if __name__ == "__main__":
    main()
