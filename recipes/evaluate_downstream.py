"""Does training on logic help elsewhere? lm-evaluation-harness before and after, as Table 3 of SLR.

MMLU and three of its parts, LogiQA, LogiQA2, three of GPQA, two of ARC and HellaSwag (App. G.2),
with the harness's own settings, few-shot examples as turns of a chat. Our families are tasks of the
harness, too: ``--benchmarks logic_slr ...`` fills the table's first part.

Without a model name, a small Llama and an adapter for it are trained first and evaluated on our own
tasks, so that the script runs anywhere:

    accelerate launch --config_file accelerate_configs/cpu.yaml recipes/evaluate_downstream.py

A model and what was trained from it, the folder of an adapter or a whole model; on eight GPUs by
transformers, each process with its share, or by vLLM in a single process:

    accelerate launch --config_file accelerate_configs/multi_gpu.yaml \\
        recipes/evaluate_downstream.py \\
        --config recipes/configs/evaluate_downstream/llama3.1-8b.yaml \\
        --tuned runs/sft_slr_llama3.1-8b-paper
    python recipes/evaluate_downstream.py \\
        --config recipes/configs/evaluate_downstream/llama3.1-8b.yaml \\
        --tuned runs/sft_slr_llama3.1-8b-paper \\
        --backend vllm --harness_args '{"tensor_parallel_size": 8}'

Each benchmark's results are kept as it ends; the same command again runs what is missing.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Some benchmarks import the package `evaluate` and would find evaluate.py instead.
sys.path[:] = [path for path in sys.path if path != str(HERE)]

from logic_curriculum.curriculum import require

require("trl", extra="train")
require("lm_eval", extra="downstream")

from accelerate import PartialState
from datasets import Dataset
from trl import ModelConfig, SFTConfig

from logic_curriculum.common.files import atomic_write
from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.command_line import parse, run_recipe
from logic_curriculum.curriculum.evaluation import downstream
from logic_curriculum.curriculum.evaluation.benchmarks import DownstreamArguments, read, report
from logic_curriculum.curriculum.models import tiny_model
from logic_curriculum.curriculum.models.adapters import train_adapter
from logic_curriculum.curriculum.processes import is_on_cpu

DEMO = HERE / "configs" / "evaluate_downstream" / "demo.yaml"


def main() -> None:
    """Parse, run the benchmarks whose results are missing, print the table."""
    script, model_args = parse((DownstreamArguments, ModelConfig), DEMO)
    downstream.check_loading(model_args)
    cpu = is_on_cpu()
    state = PartialState(cpu=cpu)
    if cpu and state.num_processes > 1:
        raise SystemExit(
            f"The run has {state.num_processes} processes on CPUs, but the harness shares work "
            "among GPUs only, so each would do all of it: launch one process."
        )
    disable_progress_bars()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    manager = downstream.task_manager(script)
    folder = Path(script.output_dir)
    if model_args.model_name_or_path is None:
        print(script.notice, flush=True)
        model_args.model_name_or_path, adapter = make_tiny_models(script)
        script.tuned = [adapter, *script.tuned]
    models = downstream.evaluated_models(model_args.model_name_or_path, script.tuned)
    for model in models:
        downstream.run_missing(folder / model.folder, model, script, model_args, manager)
    if state.is_main_process:
        results = read({model.name: folder / model.folder for model in models}, script.benchmarks)
        text = report(results, script.benchmarks)
        with atomic_write(folder / "table.md") as partial:
            partial.write_text(text, encoding="utf-8")
        print("\n" + text + f"The results are in {folder}.", flush=True)
    state.destroy_process_group()


def make_tiny_models(script: DownstreamArguments) -> tuple[str, str]:
    """Return the folders of a tiny model of the lowest level and of an adapter for all levels."""
    levels = script.metadata.get("levels") or [1, 2, 3]
    style = {"slr": {"style": "compact"}}

    def make(folder: str) -> None:
        lowest = tiny_model.warm_up_tasks(levels[:1], script.seed, style, 2_000)
        config = tiny_model.TinyModelConfig(steps=script.warm_up_steps, batch_size=32)
        tiny_model.train_tiny_model(folder, script.seed, lowest, config)

    model = tiny_model.made_once(Path(script.output_dir) / "tiny-model", make)
    adapter = Path(script.output_dir) / "tiny-adapter"
    tasks = tiny_model.warm_up_tasks(levels, script.seed + 1, style, 2_000)
    rows = [{"prompt": task.prompt, "completion": task.solution} for task in tasks]
    args = SFTConfig(
        output_dir=str(adapter),
        max_steps=script.adapter_steps,
        per_device_train_batch_size=32,
        learning_rate=5e-3,
        **{"lr_scheduler_type": "cosine", "warmup_steps": 0.05},
        logging_steps=max(1, script.adapter_steps // 4),
        seed=script.seed,
        **tiny_model.ON_CPU,
        **tiny_model.QUIET,
    )
    lora = {"lora_r": 16, "lora_alpha": 32, "lora_dropout": 0.0}
    low_rank = ModelConfig(model, use_peft=True, lora_target_modules=["all-linear"], **lora)
    train_adapter(adapter, "adapter", Dataset.from_list(rows), args, low_rank)
    return model, str(adapter)


if __name__ == "__main__":
    run_recipe(main, resume="")
