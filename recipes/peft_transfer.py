"""Does a skill carry over? LoRA adapters for one skill of LogicSkills, evaluated on all three.

The experiment of LogicSkills (arXiv:2602.06533), section 5.3: an adapter learns symbolization,
another countermodels, a third both; base and tuned models are then evaluated on all skills, in
English and Carrollian. What comes out is the transfer matrix (Table 1) beside the paper's figures,
and the skill profile (Figure 2).

Two departures from the paper: training tasks and their solutions come from this package's
generators, and answers are judged by equivalence in both directions. ``llama3.2-3b-paper.yaml`` has
its prompts, arguments and domain, and ``--questions FOLDER`` asks its 1,500 questions.

Without a model name, a small Llama is made on the spot and pretrained on a mixture of the three
skills, so that the experiment runs anywhere, in ten minutes:

    accelerate launch recipes/peft_transfer.py

The paper's model on one GPU, then on eight:

    accelerate launch --config_file accelerate_configs/single_gpu.yaml \\
        recipes/peft_transfer.py --config recipes/configs/peft_transfer/llama3.2-3b.yaml
    accelerate launch --config_file accelerate_configs/multi_gpu.yaml \\
        recipes/peft_transfer.py --config recipes/configs/peft_transfer/llama3.2-3b.yaml

An interrupted run continues with ``--resume_from_checkpoint true``: finished adapters and
evaluations are reused, so the same flag evaluates adapters that are there already. Every option of
SFTConfig and ModelConfig can be set in the YAML or on the command line, which wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require

require("trl", extra="train")

from accelerate import PartialState
from datasets import Dataset, concatenate_datasets
from trl import ModelConfig, SFTConfig

from logic_curriculum.curriculum.dataset import built_tasks
from logic_curriculum.curriculum.evaluation.guessers import guesses, training_examples
from logic_curriculum.curriculum.evaluation.models import Decoding, TransformersModel, answers_to
from logic_curriculum.curriculum.evaluation.papers import BASE, transfer_tables
from logic_curriculum.curriculum.evaluation.prompts import read_questions, skill_questions
from logic_curriculum.curriculum.evaluation.records import Record, as_frame
from logic_curriculum.curriculum.evaluation.tables import SKILLS, joined
from logic_curriculum.curriculum.models import tiny_model
from logic_curriculum.curriculum.models.adapters import load_model, train_adapter
from logic_curriculum.curriculum.training_run import (
    begin_training,
    mapping_option,
    parse,
    run_recipe,
)
from logic_curriculum.generators import registry
from logic_curriculum.generators.family import option
from logic_curriculum.generators.task import as_chat

MANY_SENTENCES = (3, 5, 6, 7, 8, 9, 10)  # levels of symbolization that hold thousands of sentences
DEMO = Path(__file__).parent / "configs" / "peft_transfer" / "demo.yaml"


@dataclass
class TransferArguments:
    """What is particular to this recipe; without ``model_name_or_path`` a tiny model is made."""

    adapters: list[str] = option(
        ["symbolization", "countermodel", "symbolization+countermodel"],
        "Adapters to train; a name says what on, skills joined by +.",
    )
    train_examples: int = option(100_000, "Training examples of each skill.")
    train_language: str = option(
        "mixed", "Lexicon of training sentences: english, carroll or mixed."
    )
    eval_languages: list[str] = option(
        ["english", "carroll"], "Lexicons of evaluation sentences, each its own setting."
    )
    eval_tasks: int = option(300, "Evaluation tasks of each skill and language.")
    questions: str = option("", "Folder of the authors' questions, asked in place of our tasks.")
    countermodel_preset: str | None = option(
        None, "Preset of countermodel tasks; paper: 3 to 5 premises, which are its levels."
    )
    style: str = option(
        "full",
        "Prompt style: full, compact without instructions, spaced, or paper in the authors' words.",
    )
    conversational: bool = option(True, "Whether prompts are chat messages; needs a chat template.")
    levels: str = option(
        "{}",
        "Levels by skill, trained and evaluated alike: a mapping in the YAML, JSON on the command "
        "line. By default all, of symbolization those that hold thousands of sentences.",
    )
    max_new_tokens: int = option(1024, "Longest answer in the evaluation, in tokens.")
    pretraining_steps: int = option(
        tiny_model.TinyModelConfig.steps, "Steps of the tiny model's pretraining."
    )
    pretraining_tasks: list[int] = option(
        [4000, 4000, 500], "Distinct tasks in it: symbolization, countermodels, validity."
    )
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        for name in self.adapters:
            unknown = [skill for skill in name.split("+") if skill not in SKILLS]
            if unknown:
                raise ValueError(
                    f"adapters names {name!r}, but there is no skill {unknown[0]!r}: join one or "
                    f"more of {', '.join(SKILLS)} by +."
                )

    @property
    def levels_by_skill(self) -> dict[str, list[int]]:
        """Levels by skill, in the order of the skills."""
        presets = {"countermodel": self.countermodel_preset}
        levels = {skill: [*registry.family(skill).levels(presets.get(skill))] for skill in SKILLS}
        levels["symbolization"] = list(MANY_SENTENCES)
        return levels | mapping_option("levels", self.levels)

    def train_options(self, skill: str) -> dict[str, Any]:
        """Options of training tasks; countermodels have no language, and the others no preset."""
        named = {"preset": self.countermodel_preset} if self.countermodel_preset else {}
        own = named if skill == "countermodel" else {"language": self.train_language}
        return {"style": self.style, **own}


def read_options() -> tuple[Any, ...]:
    """Return the options, one object for each group of them."""
    return parse((TransferArguments, SFTConfig, ModelConfig), DEMO)


def main() -> None:
    """Train the adapters, evaluate base and adapters, report."""
    # Configuration
    script, args, model_args = read_options()
    options = {skill: script.train_options(skill) for skill in SKILLS}
    begin_training(args, model_args, SKILLS, script.notice, task_options=options)
    folder = Path(args.output_dir)
    if script.questions:
        questions = read_questions(Path(script.questions))
    else:
        asked = (script.eval_languages, script.eval_tasks, args.seed, options)
        questions = skill_questions(script.levels_by_skill, *asked)

    # Model
    if model_args.model_name_or_path is None:
        model_args.model_name_or_path = tiny_model.made_once(
            folder / "warm-up", lambda partial: make_base(script, partial, args.seed)
        )

    # Adapters
    for name in script.adapters:
        dataset = examples(script, name, folder / "data", args.seed)
        train_adapter(folder / "adapters" / name, name, dataset, args, model_args)

    # Evaluation
    decoding = Decoding(script.max_new_tokens, script.conversational)

    def answers_of(name: str, adapter: Path | None) -> list[Record]:
        path, size = folder / "evaluation" / f"{name}.jsonl", args.per_device_eval_batch_size
        load = partial(load_model, model_args, adapter)
        return answers_to(questions, path, lambda: TransformersModel(*load(), decoding), size, 0)

    answers = answers_of(BASE, None)
    for name in script.adapters:
        answers += answers_of(name, folder / "adapters" / name)

    # Report
    if PartialState().is_main_process:
        guessed = guesses(questions, training_examples(folder), options)
        report(folder, guessed + answers, script.adapters)


def make_base(script: TransferArguments, folder: str, seed: int) -> None:
    """Save a tiny model that is pretrained on all skills."""
    tasks = []
    for skill, count in zip(SKILLS, script.pretraining_tasks, strict=True):
        levels, options = script.levels_by_skill[skill], {skill: script.train_options(skill)}
        tasks += tiny_model.warm_up_tasks(levels, seed, options, count)
    steps = script.pretraining_steps
    config = tiny_model.TinyModelConfig(steps=steps, batch_size=32, sampling="group_by_length")
    tiny_model.train_tiny_model(folder, seed, tasks, config)


def examples(script: TransferArguments, name: str, folder: Path, seed: int) -> Dataset:
    """Return an adapter's training data: distinct tasks of each of its skills, levels alike."""
    parts = []
    for skill in name.split("+"):
        levels, options = script.levels_by_skill[skill], script.train_options(skill)
        share = -(-script.train_examples // len(levels))  # rounded up
        with PartialState().main_process_first():
            rows = built_tasks(folder / skill, skill, levels, share, seed, options)
        parts.append(rows.shuffle(seed=seed).select(range(script.train_examples)))
    dataset = concatenate_datasets(parts)
    return dataset.map(as_chat) if script.conversational else dataset


def report(folder: Path, answers: Sequence[Record], adapters: Sequence[str]) -> None:
    """Print the transfer matrix and the skill profile, and write them to the run folder."""
    text = joined(transfer_tables(as_frame(answers), adapters))
    (folder / "transfer.md").write_text(text, encoding="utf-8")
    print(f"\n{text}\nThe run is in {folder}", flush=True)


if __name__ == "__main__":
    run_recipe(main)
