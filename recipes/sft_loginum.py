"""SFT on LogiNumSynth: does a model learn to reason step by step, and not only to answer?

The experiment of LogiNumSynth, section 3.4 and appendix F.3, evaluated as in Table 3: process and
answer accuracy on each dataset, with and without examples, before and after training. Targets are
the structured summary of the reasoning and the answer, so that both can rise. LoRA and Recall Adam
(``curriculum.RecAdam``) as in the paper, or anything that SFTConfig and ModelConfig offer.

One departure from the paper: it measures fine-tuned models on other benchmarks, such as GSM8k, here
they are measured on the synthesized datasets; adapters can be taken to any benchmark.

Without a model name, a small network is made and warmed up, so that the experiment runs anywhere:

    accelerate launch recipes/sft_loginum.py

The paper's models on one GPU; the YAML lists the options for each benchmark of Table 10:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml recipes/sft_loginum.py \\
        --config recipes/configs/sft_loginum/qwen3-1.7b.yaml

An interrupted run continues with ``--resume_from_checkpoint true``; finished evaluations are
read back. Every option of SFTConfig and ModelConfig can be set in the YAML or on the command line,
which wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require

require("trl", extra="train")

from accelerate import PartialState
from datasets import Dataset
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.evaluation.guessers import best_number
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel, answers_to
from logic_curriculum.curriculum.evaluation.papers import loginum
from logic_curriculum.curriculum.evaluation.prompts import Question, few_shot_questions
from logic_curriculum.curriculum.evaluation.records import Record, as_frame, grouped
from logic_curriculum.curriculum.evaluation.tables import joined
from logic_curriculum.curriculum.models.adapters import load_model, train_adapter
from logic_curriculum.curriculum.models.tiny_model import WarmUpArguments
from logic_curriculum.curriculum.recadam import RecallArguments
from logic_curriculum.curriculum.training_run import begin_training, parse, run_recipe
from logic_curriculum.generators.family import option
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.sampling import distinct_tasks
from logic_curriculum.generators.task import as_chat

DEMO = Path(__file__).parent / "configs" / "sft_loginum" / "demo.yaml"
LADDER = "ladder"  # the family's own tasks, of no published dataset


@dataclass
class LoginumArguments:
    """What is learnt, and on what it is measured."""

    train_preset: str = option(
        "EL-Train",
        "Dataset trained on: EL-Train, EN-Train or another; ladder for levels 1 to 10. Several "
        "with a plus between them are mixed in equal parts: EL-Train+EN-Train.",
    )
    train_levels: list[int] = option([], "Depths of this dataset trained on; none for all.")
    train_examples: int = option(5000, "Distinct training tasks.")
    eval_presets: list[str] = option(
        ["EL-EN", "EL-HN", "HL-EN", "HL-HN"], "Datasets evaluated before and after, held-out tasks."
    )
    eval_levels: list[int] = option([], "Depths of these datasets evaluated; none for all.")
    eval_tasks: int = option(500, "Evaluation tasks of each dataset, depths in turn.")
    shots: list[int] = option([0, 3], "Numbers of worked examples in front of each question.")
    style: str = option("full", "Prompt style: full, or compact without instructions.")
    language: str = option("english", "Language of facts and rules: english, formal or clauses.")
    vocabulary: int | None = option(None, "Draw from the first so many words of each pool; all.")
    conversational: bool = option(True, "Whether prompts are chat messages; needs a chat template.")
    chat_template_kwargs: dict = option({}, "Options of the chat template in evaluations; in YAML.")
    max_new_tokens: int = option(2048, "Longest answer in the evaluation, in tokens.")
    temperature: float = option(0.3, "Sampling temperature of the evaluation; 0 is greedy.")
    top_p: float = option(0.8, "Nucleus sampling; used when temperature is above 0.")
    top_k: int = option(20, "Top-k sampling; 0 means all tokens.")
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        if self.train_examples % len(self.train_presets):
            raise ValueError(
                f"train_examples is {self.train_examples} for the {len(self.train_presets)} data "
                f"sets {self.train_preset}, which have equal parts: ask for a multiple."
            )

    @property
    def train_presets(self) -> list[str]:
        """The datasets trained on, each as often as the others."""
        return self.train_preset.split("+")

    @property
    def task_options(self) -> dict[str, Any]:
        """Options of ``logic_curriculum.generators.generate`` besides the preset."""
        return {"style": self.style, "language": self.language, "vocabulary": self.vocabulary}


def preset_of(dataset: str) -> str | None:
    """Return a dataset's name as the family knows it."""
    return None if dataset == LADDER else dataset


def depths_of(dataset: str, asked: Sequence[int]) -> Sequence[int]:
    """Return the depths of a dataset that are asked for, or all."""
    return asked or family("loginum").levels(preset_of(dataset))


def read_options() -> tuple[Any, ...]:
    """Return the options, one object for each group of them."""
    return parse((LoginumArguments, WarmUpArguments, RecallArguments, SFTConfig, ModelConfig), DEMO)


def main() -> None:
    """Measure both accuracies of a model, train it by SFT, and measure them again."""
    # Configuration
    script, warm_up, recall, args, model_args = read_options()
    options = {"loginum": script.task_options}
    begin_training(args, model_args, ["loginum"], script.notice, task_options=options)
    folder = Path(args.output_dir)

    # Tasks
    dataset = training_set(script, args.seed)
    questions = evaluation_questions(script, args.seed)

    # Model
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = warm_up.make_model(folder / "warm-up", args.seed, options)

    # Evaluation, training, evaluation; what is finished is read back
    sampling = (script.temperature, script.top_p, script.top_k, script.chat_template_kwargs)
    decoding = Decoding(script.max_new_tokens, script.conversational, *sampling)

    def answers(name: str, load: Callable[[], tuple[Any, Any]]) -> list[Record]:
        path, size = folder / "evaluation" / f"{name}.jsonl", args.per_device_eval_batch_size
        return answers_to(
            questions, path, lambda: TransformersModel(*load(), decoding), size, args.seed
        )

    before = answers("before", partial(load_model, model_args))
    train_adapter(folder / "trained", "SFT", dataset, args, model_args, recall.for_trainer(args))
    after = answers("after", partial(load_model, model_args, folder / "trained"))

    # Report
    if PartialState().is_main_process:
        report(folder, before + after, questions)


def training_set(script: LoginumArguments, seed: int) -> Dataset:
    """Return prompts and completions of distinct tasks of the training split."""
    parts = []
    for preset in script.train_presets:
        levels = depths_of(preset, script.train_levels)
        options = {"split": "train", "preset": preset_of(preset), **script.task_options}
        count = script.train_examples // len(script.train_presets)
        parts.append(distinct_tasks("loginum", levels, count, seed, **options))
    tasks = chain.from_iterable(zip(*parts, strict=True))
    rows = [{"prompt": task.prompt, "completion": task.solution} for task in tasks]
    return Dataset.from_list([as_chat(row) for row in rows] if script.conversational else rows)


def evaluation_questions(script: LoginumArguments, seed: int) -> list[Question]:
    """Return the questions of each dataset, asked with each number of examples in front."""
    questions = []
    for preset in script.eval_presets:
        options = {"preset": preset_of(preset), **script.task_options}
        levels = depths_of(preset, script.eval_levels)
        asked = distinct_tasks("loginum", levels, script.eval_tasks, seed, **options)
        for shots in script.shots:
            questions += few_shot_questions(asked, shots, seed, **options)
    return questions


def report(folder: Path, answers: Sequence[Record], questions: Sequence[Question]) -> None:
    """Print the table of both accuracies, and write it to the run folder."""
    tasks = {id(question.task): question.task for question in questions}.values()
    datasets = grouped(tasks, lambda task: task.metadata.get("preset") or LADDER)
    best = ", ".join(f"{name} {best_number(own)}" for name, own in datasets.items())
    table, by_depth = loginum(as_frame(answers))
    text = joined([table._replace(note=f"Best constant's answer accuracy: {best}"), by_depth])
    (folder / "accuracies.md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nThe run is in {folder}", flush=True)


if __name__ == "__main__":
    run_recipe(main)
