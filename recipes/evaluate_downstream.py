"""Does training on logic help elsewhere? lm-evaluation-harness before and after, as Table 3 of SLR.

MMLU and three of its parts, LogiQA, LogiQA2, three of GPQA, two of ARC and HellaSwag (App. G.2),
with the harness's own settings, few-shot examples as turns of a chat. Our families are tasks of the
harness, too: ``--benchmarks logic_slr ...`` fills the table's first part.

Without a model name, a small Llama and an adapter for it are made on the spot, and examined on our
own tasks, so that the script runs anywhere, without a network:

    accelerate launch --config_file accelerate_configs/cpu.yaml recipes/evaluate_downstream.py

A model and what was trained from it, an adapter's folder or a whole model; on eight GPUs by
transformers, each process with its share, or by vLLM in a single process:

    accelerate launch --config_file accelerate_configs/multi_gpu.yaml \\
        recipes/evaluate_downstream.py \\
        --config recipes/configs/evaluate_downstream/llama3.1-8b.yaml --tuned runs/sft_slr
    python recipes/evaluate_downstream.py \\
        --config recipes/configs/evaluate_downstream/llama3.1-8b.yaml --tuned runs/sft_slr \\
        --backend vllm --harness_args '{"tensor_parallel_size": 8}'

Each benchmark's results are kept as it ends; the same command again runs what is missing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from logic_curriculum.curriculum.requirements import require

require("trl", extra="train")
require("lm_eval", extra="downstream")

import torch
from accelerate import PartialState
from accelerate.utils import parse_flag_from_env
from trl import ModelConfig

from logic_curriculum.curriculum.command_line import parse
from logic_curriculum.curriculum.evaluation.downstream.arguments import DownstreamArguments
from logic_curriculum.curriculum.evaluation.downstream.harness import (
    check_loading,
    examined,
    run_missing,
    task_manager,
)
from logic_curriculum.curriculum.evaluation.downstream.models import make_tiny_models
from logic_curriculum.curriculum.evaluation.downstream.table import read, report
from logic_curriculum.curriculum.progress import disable_progress_bars
from logic_curriculum.generators.atomic import atomic_write

HERE = Path(__file__).parent
DEMO = HERE / "configs" / "evaluate_downstream" / "demo.yaml"


def main() -> None:
    """Parse, run what is missing, print the table."""
    script, model_args = parse((DownstreamArguments, ModelConfig), DEMO)
    check_loading(model_args)
    state = start_processes()
    yield_the_name_evaluate()
    manager = task_manager(script)
    folder = Path(script.output_dir)
    if model_args.model_name_or_path is None:
        print(script.notice, flush=True)
        model_args.model_name_or_path, adapter = make_tiny_models(script)
        script.tuned = [adapter, *script.tuned]
    models = examined(model_args.model_name_or_path, script.tuned)
    for model in models:
        run_missing(folder / model.folder, model, script, model_args, manager)
    if state.is_main_process:
        results = read({model.name: folder / model.folder for model in models}, script.benchmarks)
        text = report(results, script.benchmarks)
        with atomic_write(folder / "table.md") as partial:
            partial.write_text(text, encoding="utf-8")
        print("\n" + text + f"The results are in {folder}.", flush=True)
    state.destroy_process_group()


def start_processes() -> PartialState:
    """Return the processes of the run.

    Raises:
        SystemExit: If there are several on CPUs, which the harness can't share work among.
    """
    cpu = parse_flag_from_env("ACCELERATE_USE_CPU") or not torch.accelerator.is_available()
    state = PartialState(cpu=cpu)
    disable_progress_bars()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if cpu and state.num_processes > 1:
        raise SystemExit(
            f"The run has {state.num_processes} processes on CPUs, but the harness shares work "
            "among GPUs only, so each would do all of it: launch one process."
        )
    return state


def yield_the_name_evaluate() -> None:
    """Let ``import evaluate``, which some benchmarks do, find the package and not evaluate.py."""
    if str(HERE) in sys.path:
        sys.path.remove(str(HERE))
        sys.path.append(str(HERE))


if __name__ == "__main__":
    main()
