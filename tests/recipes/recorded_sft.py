"""Runs ``recipes/sft_slr.py``, and writes down in each process what every batch was made of.

The folder that ``SEEN`` names gets ``RANK.jsonl``: a line for each batch that a loss was taken of,
with the step it belongs to and its texts.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "recipes"))

import sft_slr
from accelerate import PartialState
from trl import SFTTrainer

SEEN = Path(os.environ["SEEN"])
learn = SFTTrainer.training_step


def learn_and_record(self: SFTTrainer, model: Any, inputs: dict[str, Any], *rest: Any) -> Any:
    texts = self.processing_class.batch_decode(inputs["input_ids"], skip_special_tokens=True)
    with (SEEN / f"{PartialState().process_index}.jsonl").open("a") as file:
        file.write(json.dumps({"step": self.state.global_step, "texts": texts}) + "\n")
    return learn(self, model, inputs, *rest)


if __name__ == "__main__":
    SFTTrainer.training_step = learn_and_record
    sft_slr.main()
