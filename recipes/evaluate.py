"""Evaluates any model on any family, and writes a report with every answer.

Tasks are of the test split; one greedy zero-shot answer each unless ``samples`` or ``shots`` say
otherwise. The run folder gets every prompt, completion and verdict (``records.jsonl``), scores with
confidence intervals (``report.md``, ``report.png``, ``scores.json``), and a page to browse the
answers (``report.html``), which needs no network.

Without a model name, a small Llama is trained first, so that the script runs anywhere:

    logic-curriculum evaluate

A model on one GPU, on eight (each answers its share), by vLLM, or behind an endpoint:

    logic-curriculum evaluate --config slr-bench --model_name_or_path Qwen/Qwen3-1.7B
    accelerate launch --config_file accelerate_configs/multi_gpu.yaml recipes/evaluate.py \\
        --config recipes/configs/evaluate/slr-bench.yaml --model_name_or_path Qwen/Qwen3-1.7B
    logic-curriculum evaluate --config slr-bench --model_name_or_path Qwen/Qwen3-1.7B --backend vllm
    logic-curriculum evaluate --config slr-bench --endpoint llm.yaml

The same command again continues a run that was killed: at most the running batch is lost.
``logic-curriculum compare`` compares runs.
"""

from __future__ import annotations

import datetime
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.command_line import (
    check_levels,
    is_named,
    named_options,
    parse,
    parse_without_model,
    run_recipe,
)
from logic_curriculum.curriculum.evaluation import run
from logic_curriculum.curriculum.evaluation.ask import answer_all
from logic_curriculum.curriculum.evaluation.report import report
from logic_curriculum.curriculum.evaluation.run import EvaluationArguments
from logic_curriculum.curriculum.processes import PartialState, is_on_cpu
from logic_curriculum.generators.llm import load_config
from logic_curriculum.rewards import registry

if TYPE_CHECKING:
    from trl import ModelConfig

    from logic_curriculum.curriculum.models.warm_up import WarmUpArguments

DEMO = Path(__file__).parent / "configs" / "evaluate" / "demo.yaml"


def main() -> None:
    """Parse, generate the questions, ask the model, judge, report."""
    script, warm_up, model_args = read_options()
    folder = Path(script.output_dir)
    name = run.model_name(script, model_args)
    pricing = run.pricing(script, name)
    options = {family: script.options.get(family, {}) for family in script.families}
    learnt = warm_up.warm_up_levels if warm_up else ()
    check_levels(options, levels=script.levels or (), warm_up_levels=learnt)

    state = PartialState(cpu=model_args is None or is_on_cpu())
    if state.is_main_process:
        notes = {"facts": facts_of(script), **pricing}
        settings = run.settings_of(script, model_args) | (vars(warm_up) if warm_up else {})
        run.claim(folder, settings, notes)
        print(f"{script.notice if warm_up else ''}Processes: {state.num_processes}", flush=True)
    state.wait_for_everyone()

    questions = run.make_questions(script)
    if model_args and warm_up:
        made = warm_up.make_model(folder / "tiny-model", script.seed, options)
        model_args.model_name_or_path = made
    answer_all(
        path=folder / "records.jsonl",
        open_model=run.opener(script, model_args, state.num_processes),
        questions=questions,
        name=script.label or name,
        batch_size=script.batch_size,
        seed=script.seed,
        judge=run.judge_of(script),
    )
    if state.is_main_process:
        print("\n" + report(folder))
        print(f"The run is in {folder}; open {folder / 'report.html'}", flush=True)
    state.destroy_process_group()


OF_LOCAL_MODELS = ("max_new_tokens", "temperature", "top_p", "top_k", "chat_template_kwargs")


def read_options() -> tuple[EvaluationArguments, WarmUpArguments | None, ModelConfig | None]:
    """Return the options, those of a tiny model that is to be made, and those of a local model.

    The latter are None where there is no such model.
    """
    is_remote = is_named("endpoint")
    if not is_remote and {"-h", "--help"}.isdisjoint(sys.argv):
        require("trl", extra="train")
    if is_remote or find_spec("trl") is None:
        script = parse_without_model(EvaluationArguments)
        options = named_options()
        given = [f"--{n}" for n in OF_LOCAL_MODELS if f"--{n.replace('_', '-')}" in options]
        if script.endpoint is not None and given:
            raise SystemExit(
                f"{given[0]} is for a model that runs here: an endpoint's completions are made as "
                "the options of its YAML file say. Write it there."
            )
        return script, None, None
    from trl import ModelConfig

    from logic_curriculum.curriculum.callback import disable_progress_bars
    from logic_curriculum.curriculum.models.warm_up import WarmUpArguments

    disable_progress_bars()
    script, warm_up, model_args = parse((EvaluationArguments, WarmUpArguments, ModelConfig), DEMO)
    return script, None if model_args.model_name_or_path else warm_up, model_args


def facts_of(script: EvaluationArguments) -> dict[str, str]:
    """Return the facts that the report begins with."""
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
    count = "published number" if script.tasks is None else script.tasks
    tasks = f"{count} per family and level, {script.split} split, seed {script.seed}"
    facts = {
        "answers to a question": str(script.samples),
        "tasks": f"all of {Path(script.questions).name}" if script.questions else tasks,
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
    import torch

    processes = PartialState().num_processes
    if torch.cuda.is_available():
        return f"{processes} × {torch.cuda.get_device_name()}"
    return f"CPU, {os.cpu_count()} cores, {processes} process{'es' if processes > 1 else ''}"


if __name__ == "__main__":
    run_recipe(main, resume="")
