"""What the real verl makes of our function and files; run by ``test_verl.py``.

    python verl_run.py FOLDER

FOLDER holds test.parquet. Prints what was found as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from byte_model import byte_tokenizer
from hydra import compose, initialize_config_module
from verl import DataProto
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.reward import load_reward_manager
from verl.trainer.ppo.utils import create_rl_dataset
from verl.utils.dataset.rl_dataset import collate_fn

INTEGRATIONS = "pkg://logic_curriculum.curriculum.integrations"
COLUMNS = ("data_source", "reward_model", "extra_info")
OPTIONS = [
    "reward.custom_reward_function.path=" + INTEGRATIONS + ".verl",
    "reward.custom_reward_function.name=compute_score",
    "+reward.custom_reward_function.reward_kwargs.ungraded=0.0",
]


def answered(rows: dict[str, Any], answers: list[str], tokenizer: Any) -> DataProto:
    """Return a batch as it comes from a rollout: rows of the data loader, and their completions."""
    ids = [tokenizer(answer)["input_ids"] for answer in answers]
    longest = max(map(len, ids))
    responses = torch.tensor([[*row, *[0] * (longest - len(row))] for row in ids])
    mask = torch.tensor([[1, *[1] * len(row), *[0] * (longest - len(row))] for row in ids])
    tensors = {"prompts": torch.ones(len(ids), 1), "responses": responses, "attention_mask": mask}
    return DataProto.from_dict(tensors, {name: rows[name] for name in COLUMNS})


def scored(manager: Any, batch: DataProto) -> DataProto:
    """Score a batch in threads and collect what came out, as verl's reward loop does."""

    async def run_all() -> list[Any]:
        return await asyncio.gather(
            *(manager.run_single(batch[i : i + 1]) for i in range(len(batch)))
        )

    outputs = manager.loop.run_until_complete(run_all())
    scores = [output["reward_score"] for output in outputs]
    batch.batch["token_level_scores"] = manager.assemble_rm_scores(batch, scores)
    infos = [output["reward_extra_info"] for output in outputs]
    for key in infos[0]:
        batch.non_tensor_batch[key] = np.array([info[key] for info in infos])
    return batch


def main(folder: str) -> None:
    tokenizer, found = byte_tokenizer(), {}
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose("ppo_trainer", OPTIONS)
    test = create_rl_dataset(f"{folder}/test.parquet", config.data, tokenizer, None)

    # The test file has one task of each family, and its solutions beside it.
    solutions = json.loads(Path(folder, "solutions.json").read_text())
    rows = collate_fn([test[i] for i in range(len(test))])
    found["prompts"] = [chat[0]["content"] for chat in rows["raw_prompt"]]
    for name in ("naive", "dapo"):
        config.reward.reward_manager.name = name
        manager = load_reward_manager(config, tokenizer)
        right = scored(manager, answered(rows, solutions, tokenizer))
        found[name] = right.batch["token_level_scores"].sum(-1).tolist()
        metrics = {key: right.non_tensor_batch[key].tolist() for key in ("score", "acc", "graded")}
        sources = rows["data_source"].tolist()
        found["metrics"] = process_validation_metrics(sources, solutions, metrics)
    wrong = scored(manager, answered(rows, ["?"] * len(test), tokenizer))
    found["wrong"] = wrong.batch["token_level_scores"].sum(-1).tolist()
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
