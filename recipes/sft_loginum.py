"""SFT on LogiNumSynth: does a model learn to reason step by step, and not only to answer?

The experiment of LogiNumSynth, section 3.4 and appendix F.3, evaluated as in Table 3: process and
answer accuracy on each dataset, with and without examples, before and after training. Targets are
the structured summary of the reasoning and the answer, so that both can rise. LoRA and Recall Adam
(``curriculum.RecAdam``) as in the paper, or anything that SFTConfig and ModelConfig offer.

One departure from the paper: it measures fine-tuned models on other benchmarks, such as GSM8k;
here they are measured on the synthesized datasets. Adapters that this writes can be taken to any
benchmark.

Without a model name, a small network is made on the spot, so that the experiment runs anywhere:

    accelerate launch recipes/sft_loginum.py

The paper's models on one GPU; ``--benchmark`` picks a column of Table 10:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml recipes/sft_loginum.py \\
        --config recipes/configs/sft_loginum/qwen3-1.7b.yaml --benchmark GSM8k

An interrupted run goes on with ``--resume_from_checkpoint true``; evaluations that are finished are
read back.

Every option of SFTConfig and ModelConfig can be set in the YAML or on the command line, which
wins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.requirements import require

require("trl", extra="train")

from accelerate import PartialState
from datasets import Dataset
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.command_line import claim_folder, parse
from logic_curriculum.curriculum.evaluation.ask import (
    Question,
    answer_settings,
    examples,
    in_context,
)
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel
from logic_curriculum.curriculum.evaluation.tables import (
    Answers,
    Condition,
    accuracies_as_data,
    best_constant,
    format_depths,
    format_table,
)
from logic_curriculum.curriculum.models.adapters import load_model, load_trained, train_adapter
from logic_curriculum.curriculum.models.loginum_base import pretrain
from logic_curriculum.curriculum.models.loginum_targets import check_target, with_target
from logic_curriculum.curriculum.optimizers import RecallArguments
from logic_curriculum.curriculum.progress import disable_progress_bars
from logic_curriculum.curriculum.skill_tasks import as_messages
from logic_curriculum.generators.loginum.family import preset_levels
from logic_curriculum.generators.sampling import distinct_tasks

DEMO = Path(__file__).parent / "configs" / "sft_loginum" / "demo.yaml"


@dataclass
class LoginumArguments:
    """What is particular to this recipe; without ``model_name_or_path`` a tiny model is made."""

    train_preset: str = field(
        default="EL-Train",
        metadata={"help": "Dataset trained on: EL-Train, EN-Train or another of the paper's."},
    )
    train_levels: list[int] = field(
        default_factory=list,
        metadata={"help": "Depths of this dataset that are trained on; none for all."},
    )
    train_examples: int = field(default=5000, metadata={"help": "Distinct training tasks."})
    target: str = field(
        default="summary",
        metadata={
            "help": "What is learnt: summary, or searched, which first writes out how it is found, "
            "in clauses; for small models."
        },
    )
    eval_presets: list[str] = field(
        default_factory=lambda: ["EL-EN", "EL-HN", "HL-EN", "HL-HN"],
        metadata={"help": "Datasets evaluated before and after, on held-out tasks."},
    )
    eval_tasks: int = field(
        default=500, metadata={"help": "Evaluation tasks of each dataset, depths in turn."}
    )
    shots: list[int] = field(
        default_factory=lambda: [0, 3],
        metadata={"help": "Numbers of worked examples in front of each question."},
    )
    style: str = field(
        default="full", metadata={"help": "Prompt style: full, or compact without instructions."}
    )
    language: str = field(
        default="english",
        metadata={"help": "Language of facts and rules: english, formal or clauses."},
    )
    vocabulary: int | None = field(
        default=None, metadata={"help": "Draw from the first so many words of each pool; all."}
    )
    conversational: bool = field(
        default=True, metadata={"help": "Whether prompts are chat messages; needs a chat template."}
    )
    max_new_tokens: int = field(
        default=2048, metadata={"help": "Longest answer in the evaluation, in tokens."}
    )
    temperature: float = field(
        default=0.3, metadata={"help": "Of the evaluation's sampling; 0 for greedy answers."}
    )
    top_p: float = field(default=0.8, metadata={"help": "The same, with the temperature above 0."})
    top_k: int = field(default=20, metadata={"help": "The same."})
    benchmark: str = field(
        default="",
        metadata={"help": "Entry of benchmarks whose learning rate, optimizer and data to take."},
    )
    benchmarks: dict = field(
        default_factory=dict,
        metadata={"help": "Benchmark -> learning_rate, recadam and train_preset; in the YAML."},
    )
    exercise_steps: int = field(
        default=3000, metadata={"help": "Steps of the tiny model's exercises in small worlds."}
    )
    pretraining_levels: list[int] = field(
        default_factory=list,
        metadata={"help": "Levels of the ladder that the tiny model learns after its exercises."},
    )
    pretraining_steps: int = field(
        default=0, metadata={"help": "Steps of the tiny model's pretraining on these levels."}
    )
    notice: str = field(default="", metadata={"help": "Printed at the start: what to expect."})

    def __post_init__(self) -> None:
        """Check names before anything is trained."""
        check_target(self.target, self.language)
        for preset in (self.train_preset, *self.eval_presets):
            preset_levels(preset)
        depths = preset_levels(self.train_preset)
        if not set(self.train_levels) <= set(depths):
            raise ValueError(
                f"train_levels is {self.train_levels}, and {self.train_preset} has the depths "
                f"{', '.join(map(str, depths))}: choose among them, or leave train_levels out."
            )

    @property
    def task_options(self) -> dict[str, Any]:
        """Options of ``logic_curriculum.generators.generate`` besides the preset."""
        return {"style": self.style, "language": self.language, "vocabulary": self.vocabulary}


def main() -> None:
    """Parse, evaluate, train, evaluate, report."""
    script, recall, args, model_args = parse(
        (LoginumArguments, RecallArguments, SFTConfig, ModelConfig), DEMO
    )
    choose_benchmark(script, recall, args)
    folder = Path(args.output_dir)
    if args.process_index == 0:
        claim_folder(args, ("loginum",))
        print(f"{script.notice}Processes: {args.world_size}", flush=True)
    if args.disable_tqdm:
        disable_progress_bars()
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = make_base(script, args)

    questions = evaluation_questions(script, args.seed)
    decoding = Decoding(
        max_new_tokens=script.max_new_tokens,
        conversational=script.conversational,
        temperature=script.temperature,
        top_p=script.top_p,
        top_k=script.top_k,
    )
    ask = partial(ask_about, folder / "evaluation", questions, decoding, args)
    before = ask("before", partial(load_model, model_args))
    dataset = training_set(script, args.seed)
    train_adapter(folder / "trained", "SFT", dataset, args, model_args, recall.for_trainer(args))
    after = ask("after", partial(load_trained, model_args, folder / "trained"))
    if PartialState().is_main_process:
        report(folder, {"before": before, "after": after}, questions)
    PartialState().destroy_process_group()


def choose_benchmark(script: LoginumArguments, recall: RecallArguments, args: SFTConfig) -> None:
    """Take learning rate, optimizer and training data of a benchmark, if one is chosen."""
    if not script.benchmark:
        return
    if script.benchmark not in script.benchmarks:
        raise SystemExit(
            f"benchmark is {script.benchmark!r}, for which the configuration has no learning rate: "
            f"choose one of {', '.join(script.benchmarks) or 'none; its benchmarks are empty'}."
        )
    chosen = script.benchmarks[script.benchmark]
    args.learning_rate = chosen["learning_rate"]
    recall.recadam = chosen["recadam"]
    script.train_preset = chosen["train_preset"]


def make_base(script: LoginumArguments, args: SFTConfig) -> str:
    """Return the folder of a tiny model, pretrained now unless the run is resumed."""
    folder = Path(args.output_dir) / "pretrained"
    if not (folder / "model.safetensors").is_file():
        pretrain(
            str(folder),
            args.seed,
            script.exercise_steps,
            script.pretraining_steps,
            script.pretraining_levels,
            script.target,
            script.task_options,
        )
    return str(folder)


def training_set(script: LoginumArguments, seed: int) -> Dataset:
    """Return prompts and completions of distinct tasks of the training split."""
    tasks = distinct_tasks(
        "loginum",
        script.train_levels or preset_levels(script.train_preset),
        script.train_examples,
        seed,
        split="train",
        preset=script.train_preset,
        **script.task_options,
    )
    rows = [
        {"prompt": task.prompt, "completion": with_target(task, script.target).solution}
        for task in tasks
    ]
    return Dataset.from_list([as_messages(row) for row in rows] if script.conversational else rows)


def evaluation_questions(script: LoginumArguments, seed: int) -> dict[Condition, list[Question]]:
    """Return the questions of each dataset, asked with each number of examples in front."""
    questions: dict[Condition, list[Question]] = {}
    for preset in script.eval_presets:
        options = {"preset": preset, **script.task_options}
        levels = preset_levels(preset)
        asked = distinct_tasks("loginum", levels, script.eval_tasks, seed, **options)
        for shots in script.shots:
            questions[Condition(preset, shots)] = [
                in_context(task, examples("loginum", levels, shots, seed, index, **options))
                for index, task in enumerate(asked)
            ]
    return questions


def ask_about(
    folder: Path,
    questions: Mapping[Condition, Sequence[Question]],
    decoding: Decoding,
    args: SFTConfig,
    name: str,
    load: Callable[[], tuple[Any, Any]],
) -> Answers:
    """Return a model's answers, read back if it was asked before."""
    return answer_settings(
        folder / f"{name}.jsonl",
        lambda: TransformersModel(*load(), decoding),
        questions,
        args.per_device_eval_batch_size,
        args.seed,
    )


def report(
    folder: Path, models: Mapping[str, Answers], questions: Mapping[Condition, Sequence[Question]]
) -> None:
    """Print the table of both accuracies, and write it to the run folder."""
    constants = {
        condition.dataset: best_constant([question.task for question in items])
        for condition, items in questions.items()
    }
    baseline = ", ".join(f"{name} {score}" for name, score in constants.items())
    text = (
        "Process and answer accuracy in %, ± standard error\n\n"
        f"{format_table(models)}\n\nAnswer accuracy of the best constant: {baseline}\n\n"
        f"By depth\n\n{format_depths(models)}\n"
    )
    (folder / "accuracies.md").write_text(text, encoding="utf-8")
    (folder / "accuracies.json").write_text(json.dumps(accuracies_as_data(models), indent=2) + "\n")
    print(f"\n{text}\nThe run is in {folder}", flush=True)


if __name__ == "__main__":
    main()
