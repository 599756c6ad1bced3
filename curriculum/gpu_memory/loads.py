"""What a recipe's options ask of a GPU: the tasks that it trains on, and those that it answers."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from logic_curriculum.curriculum import CurriculumConfig, CurriculumScheduler
from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.evaluation.tables import MANY_SENTENCES, SKILLS
from logic_curriculum.curriculum.gpu_memory.arithmetic import Hardware, Training
from logic_curriculum.generators import registry


class Load(NamedTuple):
    """Tasks of a family that are handled alike."""

    trains: bool  # else they are answered by transformers
    family: str
    options: Mapping[str, Any]
    levels: Iterable[int]
    rows: int  # at a time, on a GPU
    completion: int | None = None  # tokens; None for the longest solution
    shots: int = 0  # worked examples in front of the prompt


def of_grpo(given: Mapping[str, Any]) -> Iterator[Load]:
    """Yield GRPO's; without vLLM a process generates all its rows of a step at once."""
    rules = {name: given[name] for name in CurriculumConfig.__dataclass_fields__}
    options = mapping_option("task_options", given["task_options"])
    rows, length = given["per_device_train_batch_size"], given["max_completion_length"]
    asked = range(1, 1 + given["eval_levels"] * bool(given["eval_tasks"]))
    for family in given["families"]:
        about = (family, options.get(family, {}))
        levels = CurriculumScheduler(CurriculumConfig(**rules)).strategy(family).levels
        yield Load(True, *about, sorted({*levels, *asked}), rows, length)
        if not given["use_vllm"]:
            many = max(rows * given["steps_per_generation"], given["per_device_eval_batch_size"])
            yield Load(False, *about, sorted({*levels, *asked}), many, length)


def of_sft_slr(given: Mapping[str, Any]) -> Iterator[Load]:
    """Yield those of SFT on SLR, and of its judge."""
    about = ("slr", {name: given[name] for name in ("language", "style")})
    last = given["last_level"] or max(registry.family("slr").levels())
    trained = range(given["first_level"], last + 1)
    yield Load(True, *about, trained, given["per_device_train_batch_size"])
    yield _answers(given, *about, range(1, given["judge_levels"] + 1))


def of_peft_transfer(given: Mapping[str, Any]) -> Iterator[Load]:
    """Yield those of adapters and of their evaluation, of all skills."""
    chosen = {"symbolization": MANY_SENTENCES, **mapping_option("levels", given["levels"])}
    for skill in SKILLS:
        language = {} if skill == "countermodel" else {"language": given["train_language"]}
        about = (skill, {"style": given["style"], **language})
        levels = chosen.get(skill, registry.family(skill).levels())
        yield Load(True, *about, levels, given["per_device_train_batch_size"])
        yield _answers(given, *about, levels)


def of_sft_loginum(given: Mapping[str, Any]) -> Iterator[Load]:
    """Yield those of SFT on LogiNumSynth, with the data of any benchmark, and of evaluations."""
    mixtures = [each["train_preset"] for each in given["benchmarks"].values()]
    presets = "+".join(mixtures or [given["train_preset"]]).split("+")
    for trains, names in ((True, presets), (False, given["eval_presets"])):
        for name in sorted(set(names)):
            preset = None if name == "ladder" else name
            options = {key: given[key] for key in ("style", "language", "vocabulary")}
            levels = given["train_levels" if trains else "eval_levels"]
            levels = levels or registry.family("loginum").levels(preset)
            about = ("loginum", {**options, "preset": preset}, levels)
            if trains:
                yield Load(True, *about, given["per_device_train_batch_size"])
            else:
                yield _answers(given, *about, max(given["shots"]))


def of_evaluate(given: Mapping[str, Any]) -> Iterator[Load]:
    """Yield those of an evaluation by transformers."""
    options = mapping_option("task_options", given["task_options"])
    for family in given["families"]:
        own = options.get(family, {})
        levels = given["levels"] or registry.family(family).levels(own.get("preset"))
        more = (given["batch_size"], given["max_new_tokens"], max(given["shots"]))
        yield Load(False, family, own, levels, *more)


def _answers(
    given: Mapping[str, Any],
    family: str,
    options: Mapping[str, Any],
    levels: Iterable[int],
    shots: int = 0,
) -> Load:
    rows, length = given["per_device_eval_batch_size"], given["max_new_tokens"]
    return Load(False, family, options, levels, rows, length, shots)


LOADS: dict[str, Callable[[Mapping[str, Any]], Iterator[Load]]] = {
    **{"grpo_slr": of_grpo, "sft_slr": of_sft_slr, "sft_loginum": of_sft_loginum},
    **{"peft_transfer": of_peft_transfer, "evaluate": of_evaluate},
}
"""Recipe -> what its options ask of a GPU."""


def training_of(given: Mapping[str, Any], on: Hardware) -> Training:
    """Return the options that decide memory; with DeepSpeed, weights have two bytes."""
    attention = given["attn_implementation"] or "sdpa"
    return Training(
        weight=4 if given["dtype"] == "float32" and not on.zero else 2,
        four_bit=given["load_in_4bit"],
        nested=given["use_bnb_nested_quant"],
        rank=given["lora_r"] if given["use_peft"] else 0,
        targets=given["lora_target_modules"],
        dropout=given["lora_dropout"],
        checkpoints=bool(given.get("activation_checkpointing", True)),
        attention="flash" if "flash" in attention else attention,
        state=2 if "8bit" in str(given.get("optim")) else 0,
    )


def hardware_of(file: Path, gib: float, gpus: int | None) -> Hardware:
    """Return the hardware that a file of accelerate_configs stands for."""
    said = yaml.safe_load(file.read_text(encoding="utf-8"))
    deepspeed = said.get("deepspeed_config", {})
    stage, place = deepspeed.get("zero_stage", 0), deepspeed.get("offload_param_device")
    if named := deepspeed.get("deepspeed_config_file"):
        zero = json.loads((file.parents[1] / named).read_text())["zero_optimization"]
        stage, place = zero["stage"], zero.get("offload_param", {}).get("device")
    stage = 3 if said["distributed_type"] == "FSDP" else stage
    return Hardware(gib, gpus or said["num_processes"], stage, place == "cpu")
