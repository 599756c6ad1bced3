"""Benchmarks before and after training, through lm-evaluation-harness; none is run twice.

Each benchmark's results are a file in the folder of a model; ``benchmarks`` makes the table.
"""

import gc
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import lm_eval
import torch
from accelerate import PartialState
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import get_model
from lm_eval.tasks import TaskManager
from transformers.utils import ADAPTER_CONFIG_NAME
from trl import ModelConfig

from logic_curriculum.common.files import atomic_write
from logic_curriculum.curriculum.evaluation import harness, harness_general
from logic_curriculum.curriculum.evaluation.benchmarks import SCORES, DownstreamArguments
from logic_curriculum.curriculum.evaluation.records import dumps
from logic_curriculum.curriculum.evaluation.run import as_read_back, claim, engine
from logic_curriculum.curriculum.models.pretrained import base_of, weights_of

EXAMPLES = ("num_fewshot", "apply_chat_template", "fewshot_as_multiturn")  # Options of prompts
HARNESS = Path(lm_eval.__file__).parent


class EvaluatedModel(NamedTuple):
    """A model to run benchmarks on."""

    name: str  # What the table calls it
    adapter: Path | None  # Folder of a LoRA adapter, or None for a whole model

    @property
    def folder(self) -> str:
        """Name of the folder of its results."""
        return re.sub(r"[^\w.-]+", "-", self.name).strip("-.")


def evaluated_models(base: str, tuned: Sequence[str]) -> list[EvaluatedModel]:
    """Return the models, the base first; a SystemExit if two names make the same folder."""
    models = [EvaluatedModel(base, None)]
    for name in tuned:
        is_adapter = (Path(name) / ADAPTER_CONFIG_NAME).is_file()
        models.append(EvaluatedModel(name, Path(name) if is_adapter else None))
    folders = [model.folder for model in models]
    for model in models:
        if folders.count(model.folder) > 1:
            raise SystemExit(
                f"{model.name} stands twice among the models {', '.join(m.name for m in models)}, "
                "or is spelled too much like another: leave one out, or rename its folder."
            )
    return models


def task_manager(script: DownstreamArguments) -> TaskManager:
    """Return the harness's tasks, ours and those of ``include_path`` included."""
    with PartialState().main_process_first():
        paths = [harness.write_tasks()]
    if script.include_path:
        paths.append(Path(script.include_path))
    manager = TaskManager(include_path=paths, metadata=script.metadata)
    if unknown := [name for name in script.benchmarks if name not in manager.all_tasks]:
        raise SystemExit(
            f"The harness has no task {', '.join(unknown)}: `lm-eval ls tasks` lists what it has; "
            "--include_path names a folder of further ones."
        )
    return manager


def run_missing(
    folder: Path,
    model: EvaluatedModel,
    script: DownstreamArguments,
    model_args: ModelConfig,
    manager: TaskManager,
) -> None:
    """Run the benchmarks whose results are not in the model's folder yet; keep each as it ends.

    Data are fetched before the model is opened, so that a missing data set fails at once. Results
    of other settings in the folder, or of other tasks of a name, are a SystemExit.
    """
    state = PartialState()
    there = [name for name in script.benchmarks if (folder / f"{name}.json").is_file()]
    missing = [name for name in script.benchmarks if name not in there]
    if state.is_main_process:
        claim(folder, settings(script, model_args, model))
        for name in there:
            check_unchanged(folder / f"{name}.json", manager)
    state.wait_for_everyone()
    if not missing:
        return
    with state.main_process_first():
        for name in missing:
            if not name.startswith("logic"):
                manager.load([name])
    create: Callable[..., LM] = get_model(script.backend)
    lm = create(**harness_arguments(model, script, model_args))
    for number, name in enumerate(missing, 1):
        if state.is_main_process:
            print(f"{model.name}: {name} ({number} of {len(missing)})", flush=True)
        start = time.monotonic()
        found: dict[str, Any] | None = simple_evaluate(
            model=lm,
            tasks=[name],
            **{key: getattr(script, key) for key in (*EXAMPLES, "limit")},
            gen_kwargs=script.generation or None,
            task_manager=manager,
            fewshot_random_seed=script.seed,
        )
        if found is not None:  # only the main process gets results
            found["seconds"] = round(time.monotonic() - start, 1)
            found["asked"] = list(dict.fromkeys([name, *found["configs"]]))
            found["definitions"] = definitions(manager, found["asked"])
            write_results(folder, name, found, script.log_samples)
    del lm
    gc.collect()  # the next model needs the room
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def definitions(manager: TaskManager, names: Iterable[str]) -> dict[str, str]:
    """Return a digest of each task but the harness's own, which are fixed by its version.

    It covers the YAML, what that includes, and the Python files beside it, but not their folder.
    """
    entries = {name: manager.task_index.get(name) for name in names}
    return {
        name: _digest(entry.cfg, entry.yaml_path.parent)
        for name, entry in entries.items()
        if entry is not None and entry.yaml_path and HARNESS not in entry.yaml_path.parents
    }


def _digest(configuration: object, folder: Path) -> str:
    as_written = json.dumps(str(folder))[1:-1]
    text = json.dumps(configuration, sort_keys=True, default=str).replace(as_written, "")
    digest = hashlib.sha256(text.encode())
    is_ours = folder.parent.samefile(harness.CACHE)
    ours = [harness.__file__, harness_general.__file__] if is_ours else []
    for path in [*sorted(folder.glob("*.py")), *map(Path, ours)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def check_unchanged(path: Path, manager: TaskManager) -> None:
    """Raise SystemExit if a task of a file of results is not defined any more as it was."""
    found = json.loads(path.read_text(encoding="utf-8"))
    then, now = found.get("definitions", {}), definitions(manager, found["asked"])
    if changed := [name for name in found["asked"] if then.get(name) != now.get(name)]:
        raise SystemExit(
            f"{path} holds results of the task {changed[0]}, which is defined otherwise now, in "
            "--include_path or in this package: choose another --output_dir, give the folder of "
            "that run, or delete the file to run it again."
        )


def settings(
    script: DownstreamArguments, model_args: ModelConfig, model: EvaluatedModel
) -> dict[str, Any]:
    """Return the settings that decide a model's results, as JSON-able data."""
    names = (*EXAMPLES, "limit", "seed", "backend")
    found = {name: getattr(script, name) for name in names} | {
        "model": base_of(model.adapter) if model.adapter else model_args.model_name_or_path,
        "weights": weights_of(str(model.adapter or model.name)),
        "revision": model_args.model_revision,
        "dtype": model_args.dtype,
        "attn_implementation": model_args.attn_implementation,
        "engine": engine("transformers" if script.backend == "hf" else script.backend),
        "examined": model.name,
        "task_metadata": script.metadata,
        "harness_args": script.model_args,
        "gen_kwargs": script.generation,
        "lm-eval": version("lm-eval"),
    }
    return as_read_back(found)


def check_loading(model_args: ModelConfig) -> None:
    """Raise SystemExit if the model is to be quantized on loading, which the harness can't."""
    if model_args.load_in_4bit or model_args.load_in_8bit:
        raise SystemExit(
            "load_in_4bit and load_in_8bit have no way through the harness, so the model would be "
            "evaluated as it is: leave them out. Name a checkpoint that was saved quantized, or "
            'let vLLM do it: --backend vllm --harness_args \'{"quantization": "bitsandbytes"}\'.'
        )


def harness_arguments(
    model: EvaluatedModel, script: DownstreamArguments, model_args: ModelConfig
) -> dict[str, Any]:
    """Return the ``model_args`` of the harness's model.

    An adapter is put on the model that it was trained on, which need not be the base of the table:
    GRPO after SFT trains one for the model that SFT made.
    """
    base = model_args.model_name_or_path
    known = base_of(model.adapter) if model.adapter else model.name
    found = {
        "pretrained": known,
        "revision": model_args.model_revision if known == base else None,
        "dtype": model_args.dtype,
        "batch_size": script.batch_size,
    }
    if script.backend == "hf":
        found |= {
            "attn_implementation": model_args.attn_implementation,
            "device": "cpu" if PartialState().device.type == "cpu" else "cuda",
            "peft": str(model.adapter) if model.adapter else None,
        }
    elif model.adapter:
        rank = json.loads((model.adapter / ADAPTER_CONFIG_NAME).read_text())["r"]
        found |= {"lora_local_path": str(model.adapter), "max_lora_rank": max(16, rank)}
    return {**{name: v for name, v in found.items() if v is not None}, **script.model_args}


def write_results(folder: Path, benchmark: str, found: dict[str, Any], log_samples: bool) -> None:
    """Write what the harness returned, with the score of each question in place of its text.

    The scores are in the order of the questions; one that a question lacks is None. For puzzles,
    ``constants`` is what the best single answer scores.
    """
    samples: Mapping[str, list[dict[str, Any]]] = found.pop("samples")
    found["outcomes"], found["constants"] = {}, {}
    for task, items in samples.items():
        if task.startswith("gym_"):
            docs = [item["doc"] for item in items]
            found["constants"][task] = harness_general.best_constant(docs)
        first = items[0].get("filter")  # a task may read each answer by several filters
        own = (item for item in items if item.get("filter") == first)
        ordered = sorted(own, key=lambda item: item["doc_id"])
        scores = [[float(item[name]) for name in SCORES if name in item] for item in ordered]
        found["outcomes"][task] = [next(iter(each), None) for each in scores]
    if log_samples:
        with atomic_write(folder / f"{benchmark}.samples.jsonl") as partial:
            lines = [dumps(item) for items in samples.values() for item in items]
            partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with atomic_write(folder / f"{benchmark}.json") as partial:
        partial.write_text(dumps(found, indent=1) + "\n", encoding="utf-8")
