"""The options of a downstream evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.evaluation.downstream.benchmarks import DOWNSTREAM

BACKENDS = ("hf", "vllm")


@dataclass
class DownstreamArguments:
    """Which benchmarks, for which models; without a model, two tiny ones are made."""

    output_dir: str = field(metadata={"help": "The run folder; a run in it is continued."})
    tuned: list[str] = field(
        default_factory=list,
        metadata={
            "help": "What is compared with the model: folders of LoRA adapters for it, or names or "
            "folders of whole models."
        },
    )
    benchmarks: list[str] = field(
        default_factory=lambda: list(dict.fromkeys(item.task for item in DOWNSTREAM)),
        metadata={"help": "Tasks or groups of the harness; those of Table 3. logic_slr adds ours."},
    )
    include_path: str | None = field(
        default=None, metadata={"help": "Folder of further tasks, as YAML files of the harness."}
    )
    task_metadata: str = field(
        default="{}",
        metadata={
            "help": "What the harness calls metadata, a mapping or JSON: changes of our own tasks, "
            "such as levels and tasks_per_level."
        },
    )
    backend: str = field(default="hf", metadata={"help": "What runs the model: hf, vllm."})
    harness_args: str = field(
        default="{}",
        metadata={
            "help": "Further model_args of the harness, a mapping or JSON, such as "
            "tensor_parallel_size, max_length or max_lora_rank."
        },
    )
    gen_kwargs: str = field(
        default="{}",
        metadata={"help": "Options of generation, a mapping or JSON, such as max_gen_toks."},
    )
    num_fewshot: int | None = field(
        default=None, metadata={"help": "Examples in front of a question; the benchmark's own."}
    )
    apply_chat_template: bool = field(
        default=True, metadata={"help": "Whether questions are chat messages; needs a template."}
    )
    fewshot_as_multiturn: bool = field(
        default=True, metadata={"help": "Whether each example is a turn of the chat."}
    )
    batch_size: str = field(
        default="auto", metadata={"help": "Requests at a time, or auto for what fits."}
    )
    limit: int | None = field(
        default=None, metadata={"help": "Questions per task, for a trial; all."}
    )
    warm_up_steps: int = field(
        default=200, metadata={"help": "Steps of the tiny model's training on the lowest level."}
    )
    adapter_steps: int = field(
        default=200, metadata={"help": "Steps of its adapter's training on all levels asked."}
    )
    log_samples: bool = field(
        default=False, metadata={"help": "Whether every prompt and answer is kept, too."}
    )
    seed: int = field(
        default=1234, metadata={"help": "Seed of the choice of examples; the harness's own."}
    )
    notice: str = field(default="", metadata={"help": "Printed at the start: what to expect."})

    def __post_init__(self) -> None:
        """Check what would fail late."""
        if self.backend not in BACKENDS:
            raise ValueError(
                f"backend is {self.backend!r}: choose one of {', '.join(BACKENDS)}. hf is "
                "transformers, as the harness calls it."
            )
        if not self.benchmarks or len(set(self.benchmarks)) < len(self.benchmarks):
            raise ValueError(
                f"benchmarks is {self.benchmarks}: name at least one, and none twice. "
                "`lm-eval ls tasks` lists them."
            )
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"limit is {self.limit}: at least 1 question is needed, or no limit.")
        if self.num_fewshot is not None and self.num_fewshot < 0:
            raise ValueError(f"num_fewshot is {self.num_fewshot}: a number from 0 on is needed.")

    @property
    def metadata(self) -> dict[str, Any]:
        """Changes of our own tasks."""
        return mapping_option("task_metadata", self.task_metadata)

    @property
    def model_args(self) -> dict[str, Any]:
        """Further arguments of the harness's model."""
        return mapping_option("harness_args", self.harness_args)

    @property
    def generation(self) -> dict[str, Any]:
        """Options of generation."""
        return mapping_option("gen_kwargs", self.gen_kwargs)
