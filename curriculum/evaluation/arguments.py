"""The options of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.evaluation.models import Decoding
from logic_curriculum.curriculum.models.tiny_model import TinyModelConfig
from logic_curriculum.generators import registry
from logic_curriculum.generators.splits import SPLITS

_ASKED_BY_OTHER_OPTIONS = ("level", "seed", "split")
BACKENDS = ("transformers", "vllm")


@dataclass
class EvaluationArguments:
    """What is asked, and how; without a model a tiny one is made."""

    output_dir: str = field(metadata={"help": "The run folder; a run in it is continued."})
    families: list[str] = field(
        default_factory=lambda: ["slr"], metadata={"help": "Families of tasks."}
    )
    levels: list[int] | None = field(default=None, metadata={"help": "Levels; all."})
    tasks: int = field(default=50, metadata={"help": "Tasks per family and level."})
    split: str = field(default="test", metadata={"help": "Split that the tasks are of."})
    task_options: str = field(
        default="{}",
        metadata={
            "help": "Options of the task generators by family: a mapping in the YAML, JSON on the "
            'command line, such as \'{"slr": {"style": "natural"}}\'.'
        },
    )
    shots: list[int] = field(
        default_factory=lambda: [0],
        metadata={"help": "Numbers of worked examples in front of each question."},
    )
    samples: int = field(default=1, metadata={"help": "Answers to each question."})
    backend: str = field(
        default="transformers", metadata={"help": "What runs the model: transformers, vllm."}
    )
    endpoint: str | None = field(
        default=None,
        metadata={
            "help": "Model behind an OpenAI-compatible endpoint, in place of a local one: its name "
            "or a YAML file, whose options then say how completions are made."
        },
    )
    vllm_options: str = field(
        default="{}",
        metadata={
            "help": "Options of vllm.LLM, a mapping or JSON: tensor_parallel_size and so on."
        },
    )
    conversational: bool = field(
        default=True, metadata={"help": "Whether prompts are chat messages; needs a chat template."}
    )
    max_new_tokens: int = field(default=2048, metadata={"help": "Longest answer, in tokens."})
    temperature: float = field(default=0.0, metadata={"help": "Of sampling; 0 for greedy answers."})
    top_p: float = field(default=1.0, metadata={"help": "The same, with the temperature above 0."})
    top_k: int = field(default=0, metadata={"help": "The same; 0 for all tokens."})
    batch_size: int = field(default=16, metadata={"help": "Questions at a time, per process."})
    extractor: str | None = field(
        default=None,
        metadata={
            "help": "Language model, a name or a YAML file, that writes out answers which the "
            "parser can't read, for LogicSkills and LogiNumSynth; none."
        },
    )
    label: str | None = field(
        default=None, metadata={"help": "What the report calls the model; its name or path."}
    )
    prices: str | None = field(
        default=None, metadata={"help": "YAML file of prices; the shipped Table 5 of SLR."}
    )
    priced_as: str | None = field(
        default=None, metadata={"help": "Name of the model in the prices, where it differs."}
    )
    warm_up_levels: list[int] = field(
        default_factory=lambda: [1, 2, 3], metadata={"help": "Levels that the tiny model learns."}
    )
    warm_up_steps: int = field(
        default=TinyModelConfig.steps, metadata={"help": "Steps of the tiny model's training."}
    )
    warm_up_tasks: int = field(
        default=4_000, metadata={"help": "Distinct tasks in it, repeated to fill the steps."}
    )
    warm_up_batch_size: int = field(
        default=TinyModelConfig.batch_size, metadata={"help": "Tasks per step in it."}
    )
    seed: int = field(default=0, metadata={"help": "Seed of tasks, examples and draws."})
    notice: str = field(default="", metadata={"help": "Printed at the start: what to expect."})

    def __post_init__(self) -> None:
        """Check what would fail late, or give a report that says nothing."""
        for family in self.families:
            registry.family(family)
        for family, given in self.options.items():
            _check_options(family, given)
        if self.split not in SPLITS:
            raise ValueError(f"split is {self.split!r}: choose one of {', '.join(SPLITS)}.")
        if self.backend not in BACKENDS:
            raise ValueError(
                f"backend is {self.backend!r}: choose one of {', '.join(BACKENDS)}; a model behind "
                "an endpoint is named by --endpoint instead."
            )
        self._check_numbers()
        if self.samples > 1 and self.temperature == 0 and self.endpoint is None:
            raise ValueError(
                f"samples is {self.samples}, but with temperature 0 all answers to a question are "
                "the same: set a temperature, such as 0.7, or samples to 1."
            )

    def _check_numbers(self) -> None:
        for name in ("tasks", "samples", "batch_size", "max_new_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}: at least 1 is needed.")
        for name in ("families", "shots", "levels"):
            if getattr(self, name) == []:
                raise ValueError(f"{name} is empty, so nothing would be asked: name one or more.")
        for name, numbers in (
            ("shots", self.shots),
            ("temperature", [self.temperature]),
            ("top_k", [self.top_k]),
        ):
            if not all(0 <= number < math.inf for number in numbers):
                raise ValueError(f"{name} is {min(numbers)}: a number from 0 on is needed.")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}: a probability above 0, up to 1, is needed.")

    @property
    def options(self) -> Mapping[str, Mapping[str, Any]]:
        """Options of ``logic_curriculum.generators.generate`` by family."""
        return mapping_option("task_options", self.task_options)

    @property
    def engine_options(self) -> Mapping[str, Any]:
        """Options of ``vllm.LLM``."""
        return mapping_option("vllm_options", self.vllm_options)

    @property
    def decoding(self) -> Decoding:
        """How a local model's completions are made."""
        return Decoding(
            self.max_new_tokens, self.conversational, self.temperature, self.top_p, self.top_k
        )


def _check_options(family: str, given: Any) -> None:
    """Raise if a family's generator does not take the options."""
    offered = [item.name for item in fields(registry.family(family).options)]
    known = [name for name in offered if name not in _ASKED_BY_OTHER_OPTIONS]
    if not isinstance(given, Mapping):
        raise ValueError(
            f"task_options of {family} is {given!r}: give a mapping, such as "
            f'{{"{known[0]}": VALUE}}.'
        )
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(
            f"task_options: {family} has no option {unknown[0]}. Choose of {', '.join(known)}."
        )
