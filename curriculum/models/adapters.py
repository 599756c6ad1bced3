"""LoRA adapters, or whole models, trained by SFT one after the other, each in its own folder."""

import hashlib
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from accelerate import PartialState
from datasets import Dataset
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.integrations.deepspeed import unset_hf_deepspeed_config
from transformers.utils import ADAPTER_CONFIG_NAME
from trl import ModelConfig, SFTConfig, get_peft_config, get_quantization_config

from logic_curriculum.common.files import write_text
from logic_curriculum.curriculum.callback import print_lines
from logic_curriculum.curriculum.checkpoints import Preemption, newest_checkpoint
from logic_curriculum.curriculum.trainers import ExactSFTTrainer
from logic_curriculum.curriculum.training_run import loading_options, training

RECORD = "training.json"  # written last, so that a folder with it holds a finished adapter


def train_adapter(
    folder: Path,
    name: str,
    dataset: Dataset,
    args: SFTConfig,
    model_args: ModelConfig,
    optimizer: tuple[type, dict[str, Any]] | None = None,
) -> None:
    """Train an adapter, or without ``use_peft`` the whole model, unless the folder holds it.

    An interrupted training continues from its latest checkpoint. An adapter in the folder that was
    trained on other examples is a SystemExit.

    Args:
        folder: Where the adapter, its checkpoints and its record are kept.
        name: What progress lines call it.
        dataset: Columns ``prompt`` and ``completion``, equal in all processes.
        args: Options of every adapter of the run; the output folder is replaced.
        model_args: The base model and the adapter's shape.
        optimizer: Class and options of an optimizer in place of the one that ``args`` names.
    """
    model = model_args.model_name_or_path
    asked = {"model": model, "examples": len(dataset), "fingerprint": fingerprint(dataset)}
    if (folder / RECORD).is_file():
        record = json.loads((folder / RECORD).read_text())
        for key, value in asked.items():
            if record[key] != value:
                raise SystemExit(
                    f"{folder} holds an adapter whose {key} is {record[key]!r}, but {value!r} was "
                    "asked for: choose another --output_dir, or delete the folder to train it "
                    "again."
                )
        return
    checkpoint = newest_checkpoint(folder)
    # A separate config: transformers resets accelerate's state when one is made, and without
    # that DeepSpeed refuses a second trainer in the same process.
    loading = loading_options(model_args, args.model_init_kwargs)
    trainer = ExactSFTTrainer(
        model=model,
        args=replace(args, output_dir=str(folder), model_init_kwargs=loading),
        train_dataset=dataset,
        quantization_config=get_quantization_config(model_args),
        peft_config=get_peft_config(model_args),
        optimizer_cls_and_kwargs=optimizer,
    )
    print_lines(trainer, {f"{name}: loss": "loss", "token accuracy": "mean_token_accuracy"})
    trainer.add_callback(Preemption())
    start = time.monotonic()
    with training():
        trainer.train(resume_from_checkpoint=checkpoint)
    trainer.save_model(str(folder))
    if trainer.is_world_process_zero():
        seconds = round(time.monotonic() - start, 1)
        trained = {"steps": trainer.state.global_step, "seconds": seconds}
        record = {**asked, **trained, "log": trainer.state.log_history}
        write_text(folder / RECORD, json.dumps(record, indent=2) + "\n")
    trainer.accelerator.free_memory()  # the next adapter needs the room
    PartialState().wait_for_everyone()  # the others read what the main process writes


def fingerprint(dataset: Dataset) -> str:
    """Return a digest of a dataset's content, equal in every process."""
    rows = json.dumps(dataset.to_list(), sort_keys=True)
    return hashlib.sha256(rows.encode()).hexdigest()[:16]


def load_model(model_args: ModelConfig, trained: Path | None = None) -> tuple[Any, Any]:
    """Return a whole model on this process's device, and its tokenizer.

    It is the base model, or what :func:`train_adapter` saved in the folder ``trained``: an adapter
    is put on top of its base, and merged in unless the base is quantized.
    """
    adapter = trained if trained and (trained / ADAPTER_CONFIG_NAME).is_file() else None
    if trained and not adapter:
        model_args = replace(model_args, model_name_or_path=str(trained), model_revision="main")
    unset_hf_deepspeed_config()  # or ZeRO-3 would give each process a part of the model only
    quantization = get_quantization_config(model_args)
    model = AutoModelForCausalLM.from_pretrained(
        model_args.model_name_or_path,
        **loading_options(model_args),
        quantization_config=quantization,
        device_map={"": PartialState().device},
    )
    if adapter is not None:
        model = PeftModel.from_pretrained(model, str(adapter))
        if quantization is None:
            model = model.merge_and_unload()
    return model, load_tokenizer(model_args)


def load_tokenizer(model_args: ModelConfig) -> Any:
    """Return the model's tokenizer, which pads prompts on the left for generation."""
    tokenizer = AutoTokenizer.from_pretrained(
        model_args.model_name_or_path, revision=model_args.model_revision, padding_side="left"
    )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer
