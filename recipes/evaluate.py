"""Evaluates any model on any family, and writes a report with every answer.

Tasks are of the test split; one greedy zero-shot answer each unless ``samples`` or ``shots`` say
otherwise. The run folder gets every prompt, completion and verdict (``records.jsonl``), scores with
confidence intervals (``report.md``, ``report.png``, ``scores.json``), and a page to browse the
answers (``report.html``), which needs no network.

Without a model name, a small Llama is trained first, so that the script runs anywhere:

    accelerate launch recipes/evaluate.py

A model on one GPU, on eight (each answers its share), by vLLM, or behind an endpoint:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml recipes/evaluate.py \\
        --config recipes/configs/evaluate/slr-bench.yaml --model_name_or_path Qwen/Qwen3-1.7B
    accelerate launch --config_file accelerate_configs/multi_gpu.yaml recipes/evaluate.py \\
        --config recipes/configs/evaluate/slr-bench.yaml --model_name_or_path Qwen/Qwen3-1.7B
    python recipes/evaluate.py --config recipes/configs/evaluate/slr-bench.yaml \\
        --model_name_or_path Qwen/Qwen3-1.7B --backend vllm
    python recipes/evaluate.py --config recipes/configs/evaluate/slr-bench.yaml --endpoint llm.yaml

The same command again continues a run that was killed: at most the running batch is lost.
``recipes/compare.py`` compares runs.
"""

import datetime
import os
from pathlib import Path

from logic_curriculum.curriculum import require

require("trl", extra="train")

import torch
from accelerate import PartialState
from accelerate.utils import parse_flag_from_env
from trl import ModelConfig

from logic_curriculum.curriculum.callback import disable_progress_bars
from logic_curriculum.curriculum.command_line import check_levels, parse, run_recipe
from logic_curriculum.curriculum.evaluation import run
from logic_curriculum.curriculum.evaluation.ask import answer_all
from logic_curriculum.curriculum.evaluation.page import write_report
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments
from logic_curriculum.generators.llm import load_config
from logic_curriculum.rewards import registry

DEMO = Path(__file__).parent / "configs" / "evaluate" / "demo.yaml"


def main() -> None:
    """Parse, generate the questions, ask the model, judge, report."""
    script, model_args = parse((EvaluationArguments, ModelConfig), DEMO)
    folder = Path(script.output_dir)
    prices = run.prices_of(script)
    name = run.model_name(script, model_args)
    is_tiny = model_args.model_name_or_path is None and script.endpoint is None
    options = {family: script.options.get(family, {}) for family in script.families}
    warm_up = script.warm_up_levels if is_tiny else ()
    check_levels(options, levels=script.levels or (), warm_up_levels=warm_up)

    cpu = parse_flag_from_env("ACCELERATE_USE_CPU") or not torch.accelerator.is_available()
    state = PartialState(cpu=cpu)
    if state.is_main_process:
        run.claim(folder, run.settings_of(script, model_args))
        print(f"{script.notice if is_tiny else ''}Processes: {state.num_processes}", flush=True)
    state.wait_for_everyone()
    disable_progress_bars()

    questions = run.make_questions(script)
    if is_tiny:
        model_args.model_name_or_path = run.make_tiny_model(script)
    records = answer_all(
        path=folder / "records.jsonl",
        open_model=run.opener(script, model_args, state.num_processes),
        questions=questions,
        name=script.label or name,
        batch_size=script.batch_size,
        seed=script.seed,
        judge=run.judge_of(script),
    )
    if state.is_main_process:
        facts = facts_of(script, len(records))
        print("\n" + write_report(folder, records, facts, prices, script.priced_as or name))
        print(f"The run is in {folder}; open {folder / 'report.html'}", flush=True)
    state.destroy_process_group()


def facts_of(script: EvaluationArguments, answers: int) -> dict[str, str]:
    """Return what a reader of the report wants to know first."""
    options = [
        f"{family}: {', '.join(f'{name} {value}' for name, value in given.items())}"
        for family, given in script.options.items()
        if family in script.families
    ]
    judges = {family: registry.judge_of(family) for family in script.families}
    versions = [
        f"{family}: tasks {judge.task_version}, reward {judge.reward_version}"
        for family, judge in judges.items()
    ]
    facts = {
        "answers": f"{answers}, {script.samples} to each question",
        "tasks": f"{script.tasks} per family and level, {script.split} split, seed {script.seed}",
        "versions": "; ".join(versions),
        "options": "; ".join(options),
        "decoding": decoding(script),
        "extractor": load_config(script.extractor).model if script.extractor else "",
        "device": device(script),
        "date": datetime.date.today().isoformat(),
    }
    return {name: fact for name, fact in facts.items() if fact}


def decoding(script: EvaluationArguments) -> str:
    """Return how tokens were chosen, as far as this process knows."""
    if script.endpoint:
        given = run.completion_options(load_config(script.endpoint))
        told = ", ".join(f"{name} {value}" for name, value in given.items())
        return f"{told or 'nothing asked for'}; else the endpoint's defaults"
    top_k = f", top-k {script.top_k}" if script.top_k else ""
    drawn = f"temperature {script.temperature:g}, top-p {script.top_p:g}{top_k}"
    how = "greedy" if script.temperature == 0 else drawn
    return f"{how}, up to {script.max_new_tokens} tokens"


def device(script: EvaluationArguments) -> str:
    """Return the hardware that ran the model, as far as this process knows."""
    if script.endpoint:
        return "an endpoint"
    processes = PartialState().num_processes
    if torch.cuda.is_available():
        return f"{processes} × {torch.cuda.get_device_name()}"
    return f"CPU, {os.cpu_count()} cores, {processes} process{'es' if processes > 1 else ''}"


if __name__ == "__main__":
    run_recipe(main, resume="")
