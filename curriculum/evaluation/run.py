"""The parts of an evaluation: its questions, its model, its judge, and what fixes its answers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from trl import ModelConfig

from logic_curriculum.curriculum.evaluation.answering import Judge, Model, Question
from logic_curriculum.curriculum.evaluation.arguments import EvaluationArguments
from logic_curriculum.curriculum.evaluation.few_shot import examples, in_context
from logic_curriculum.curriculum.evaluation.models import (
    EndpointModel,
    TransformersModel,
    VllmModel,
)
from logic_curriculum.curriculum.evaluation.prices import SHIPPED, PriceTable, load_prices
from logic_curriculum.curriculum.models.adapters import load_model
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    train_tiny_model,
    warm_up_tasks,
)
from logic_curriculum.curriculum.run_settings import (
    SETTINGS,
    begun,
    check_versions_of_run,
    read_settings,
    write_settings,
)
from logic_curriculum.generators import Task, registry
from logic_curriculum.generators.llm import LanguageModel, LLMConfig, load_config
from logic_curriculum.generators.sampling import distinct_tasks
from logic_curriculum.rewards import Verdict, measure_batch
from logic_curriculum.rewards.llm_extraction import judge_with_extractor
from logic_curriculum.rewards.versions import versions_of_all

ADAPTER = "adapter_config.json"
"""File that makes a folder one of an adapter."""
OPENAI = "https://api.openai.com/v1"
"""Where the openai package asks if it is told nothing else."""


def make_questions(script: EvaluationArguments) -> list[Question]:
    """Return everything that is asked: for each family and number of examples, levels in turn."""
    questions: list[Question] = []
    for family in script.families:
        options = dict(script.options.get(family, {}))
        levels = script.levels or list(registry.family(family).levels(options.get("preset")))
        count = script.tasks * len(levels)
        tasks = distinct_tasks(family, levels, count, script.seed, script.split, **options)
        for shots in script.shots:
            for index, task in enumerate(tasks):
                shown = examples(family, levels, shots, script.seed, index, script.split, **options)
                questions += _samples(task, shown, script.samples)
    return questions


def _samples(task: Task, shown: Sequence[Task], samples: int) -> list[Question]:
    return [in_context(task, shown, sample) for sample in range(samples)]


def model_name(script: EvaluationArguments, model_args: ModelConfig) -> str:
    """Return the model's own name."""
    if script.endpoint:
        return load_config(script.endpoint).model
    return str(model_args.model_name_or_path or "tiny model")


def prices_of(script: EvaluationArguments) -> PriceTable:
    """Return what tokens cost; the prices in an endpoint's YAML file come before the table's."""
    table = load_prices(Path(script.prices or SHIPPED))
    config = load_config(script.endpoint) if script.endpoint else None
    if config is None or config.prices is None:
        return table
    return table.with_model(script.priced_as or config.model, config.prices)


def opener(
    script: EvaluationArguments, model_args: ModelConfig, processes: int
) -> Callable[[], Model]:
    """Return what opens the model when there is something to ask.

    Args:
        script: The options.
        model_args: Which local model.
        processes: Processes of this run.
    """
    if script.endpoint:
        return lambda: EndpointModel(LanguageModel(load_config(script.endpoint)))
    if script.backend == "transformers":
        return partial(_open_local, script, model_args)
    if processes > 1:
        raise SystemExit(
            f"The run has {processes} processes, but vLLM spreads over GPUs by itself: launch one "
            "process, and give vllm_options tensor_parallel_size or data_parallel_size."
        )
    _check_vllm_loads(model_args)
    options = {
        "model": model_args.model_name_or_path,
        "revision": model_args.model_revision,
        "dtype": model_args.dtype or "auto",
        **script.engine_options,
    }
    return lambda: VllmModel(script.decoding, script.seed, **options)


def _check_vllm_loads(model_args: ModelConfig) -> None:
    """Raise where vLLM would answer by another model than the one asked for."""
    if model_args.load_in_4bit or model_args.load_in_8bit:
        raise SystemExit(
            "load_in_4bit and load_in_8bit are for transformers, and vLLM would load the model "
            "whole: leave them out, and give vllm_options its quantization."
        )
    folder = Path(str(model_args.model_name_or_path))
    if (folder / ADAPTER).is_file():
        raise SystemExit(
            f"{folder} holds an adapter, but vLLM is given whole models here: leave out --backend "
            "vllm, or merge the adapter as docs/sft-slr.md shows and name the merged model."
        )


def _open_local(script: EvaluationArguments, model_args: ModelConfig) -> Model:
    """Return a model by transformers; a folder with an adapter means its base with it on top."""
    folder = Path(str(model_args.model_name_or_path))
    adapter = folder / ADAPTER
    if adapter.is_file():
        base = json.loads(adapter.read_text())["base_model_name_or_path"]
        loaded = load_model(replace(model_args, model_name_or_path=base), folder)
    else:
        loaded = load_model(model_args)
    return TransformersModel(*loaded, script.decoding)


def make_tiny_model(script: EvaluationArguments) -> str:
    """Return the folder of a tiny model that has learnt the families asked, made if need be."""
    folder = Path(script.output_dir) / "tiny-model"
    if not (folder / "model.safetensors").is_file():
        options = {family: script.options.get(family, {}) for family in script.families}
        tasks = warm_up_tasks(script.warm_up_levels, script.seed, options, script.warm_up_tasks)
        config = TinyModelConfig(steps=script.warm_up_steps, batch_size=script.warm_up_batch_size)
        train_tiny_model(str(folder), script.seed, tasks, config)
    return str(folder)


def judge_of(script: EvaluationArguments) -> Judge:
    """Return the judge, with a language model to read what the parser can't, if one is named."""
    if script.extractor is None:
        return measure_batch
    ask = LanguageModel(load_config(script.extractor)).texts

    def judge(family: str, completions: Sequence[str], payloads: Sequence[Any]) -> list[Verdict]:
        if registry.family(family).judge.extraction is None:
            return measure_batch(family, completions, payloads)
        return judge_with_extractor(family, completions, payloads, ask)

    return judge


_FIXED = (
    *("families", "levels", "tasks", "split", "shots", "samples", "seed", "extractor"),
    *("backend", "conversational", "max_new_tokens", "temperature", "top_p", "top_k"),
    "batch_size",  # what a batch holds has a bearing on draws and on rounding
)


def settings_of(script: EvaluationArguments, model_args: ModelConfig) -> dict[str, Any]:
    """Return all that the answers depend on, as JSON-able data."""
    found: dict[str, Any] = {name: getattr(script, name) for name in _FIXED}
    found["task_options"] = script.options
    if script.extractor:
        found |= _asked("extractor", load_config(script.extractor))
    if script.endpoint:
        found |= _asked("endpoint", load_config(script.endpoint))
    else:
        found |= _loaded(script, model_args)
    packages = {"logic-curriculum": version("logic-curriculum")}
    found["versions"] = {
        family: {**packages, **registry.family(family).versions()} for family in script.families
    }
    found |= versions_of_all(script.families)
    as_read_back: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return as_read_back


def _asked(role: str, config: LLMConfig) -> dict[str, Any]:
    """Return what the answers of a model behind an endpoint depend on."""
    options = asked_for(config)
    return {role: config.model, f"{role}_url": address(config), f"{role}_options": options}


def asked_for(config: LLMConfig) -> dict[str, Any]:
    """Return the options of a completion without its headers, which could hold a key."""
    return {name: value for name, value in config.options.items() if name != "extra_headers"}


def address(config: LLMConfig) -> str:
    """Return the endpoint's URL without what could be secret: user, password and query."""
    url = config.client.get("base_url") or os.environ.get("OPENAI_BASE_URL") or OPENAI
    parts = urlsplit(str(url))
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def _loaded(script: EvaluationArguments, model_args: ModelConfig) -> dict[str, Any]:
    """Return what the answers of a local model depend on."""
    names = ("model_name_or_path", "model_revision", "dtype", "attn_implementation")
    quantization = ("load_in_4bit", "load_in_8bit", "bnb_4bit_quant_type", "use_bnb_nested_quant")
    found = {name: getattr(model_args, name) for name in (*names, *quantization)}
    found["engine"] = engine(script.backend)
    if script.backend == "vllm":
        found["vllm_options"] = dict(script.engine_options)
    if model_args.model_name_or_path is None:
        found |= {name: value for name, value in vars(script).items() if "warm_up" in name}
    return found


def engine(package: str) -> str:
    """Return the name and version of what runs a model."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package  # opening the model says how to install it


def claim(folder: Path, settings: Mapping[str, Any]) -> None:
    """Record the settings in a new run folder, or see that the run in it has the same.

    A folder with nothing but settings is a new one: that run ended before its first answer.

    Raises:
        SystemExit: If the folder holds another run, or something else, or is none.
    """
    if folder.exists() and not folder.is_dir():
        raise SystemExit(f"{folder} is a file, and a run needs a folder: choose another.")
    if not begun(folder):
        write_settings(folder, settings)
    elif (folder / SETTINGS).is_file():
        _check_same(folder, settings)
    else:
        raise SystemExit(
            f"{folder} is not empty and holds no evaluation: choose another --output_dir, so that "
            "nothing in it is overwritten."
        )


def _check_same(folder: Path, settings: Mapping[str, Any]) -> None:
    there = read_settings(folder)
    if there.get("families") == settings.get("families"):
        check_versions_of_run(folder, settings.get("families", ()))
    changed = [name for name in settings if there.get(name) != settings[name]]
    if changed:
        name = changed[0]
        raise SystemExit(
            f"{folder} holds a run whose {name} is {there.get(name)!r}, but {settings[name]!r} "
            "was asked for: choose another --output_dir, or continue that run with what it "
            "began with."
        )
