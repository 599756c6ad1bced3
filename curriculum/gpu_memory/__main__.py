"""The command ``logic-curriculum memory``: does a configuration fit, and up to which level?"""

import argparse
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from logic_curriculum.curriculum import cli, require
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.gpu_memory import arithmetic
from logic_curriculum.curriculum.gpu_memory.arithmetic import GIB, USABLE, Hardware, Parts, Shape
from logic_curriculum.curriculum.gpu_memory.loads import LOADS, Load, hardware_of, training_of
from logic_curriculum.curriculum.gpu_memory.prompts import lengths
from logic_curriculum.generators.family import ranges

transformers: Any = require("transformers", extra="train")
KNOWN = yaml.safe_load(Path(__file__).with_name("shapes.yaml").read_text(encoding="utf-8"))
"""Model -> what its config.json on the hub says."""
FILES = cli.ROOT / "accelerate_configs"


def config_of(model: str) -> Any:
    """Return a model's config: of a known name without a network, else of a folder or the hub."""
    if model in KNOWN:
        return transformers.AutoConfig.for_model(**KNOWN[model])
    try:
        return transformers.AutoConfig.from_pretrained(model)
    except OSError as error:
        raise ValueError(
            f"{model} is neither the folder of a model, nor to be had from the hub, nor among "
            f"those whose shapes are known: {', '.join(KNOWN)}."
        ) from error


def shape_of(config: Any) -> Shape:
    """Return the shape of a transformers config; a ValueError for an unknown kind of model."""
    kinds = ("llama", "qwen2", "qwen3")
    if config.model_type not in kinds:
        raise ValueError(
            f"The model is of the kind {config.model_type}, whose layers the arithmetic does not "
            f"know: it knows {', '.join(kinds)}."
        )
    h, heads = config.hidden_size, config.num_attention_heads
    return Shape(
        *(h, config.num_hidden_layers, heads, config.num_key_value_heads),
        *(getattr(config, "head_dim", None) or h // heads, config.intermediate_size),
        *(config.vocab_size, config.tie_word_embeddings),
        *(config.model_type == "qwen2", config.model_type == "qwen3"),
        config.max_position_embeddings,
    )


class Cell(NamedTuple):
    """Tasks of a level: the longest row, and the memory of a GPU by part."""

    prompt: int
    completion: int
    parts: Parts
    cut: bool  # max_length cuts the prompt

    @property
    def gib(self) -> float:
        """The sum of the parts."""
        return sum(self.parts.values()) / GIB


class Estimate:
    """What a recipe with given options takes of GPUs; ``shape`` and ``tokenizer`` are the model's.

    ``training`` and ``generation`` have a cell for each level, that of the family with most.
    """

    def __init__(
        self, recipe: str, given: Mapping[str, Any], on: Hardware, shape: Shape, tokenizer: Any
    ) -> None:
        self.given, self.on, self.shape = given, on, shape
        self.how = training_of(given, on)
        self.share = 0.0  # of vLLM in the trainer's process
        if given.get("use_vllm") and given["vllm_mode"] == "colocate":
            self.share = given["vllm_gpu_memory_utilization"] * on.gib * GIB
        self.training: dict[int, Cell] = {}
        self.generation: dict[int, Cell] = {}
        for load in LOADS[recipe](given):
            longest, solution = lengths(load.family, load.options, tokenizer)
            cells = self.training if load.trains else self.generation
            for level in load.levels:
                cell = self._cell(load, longest[level], solution)
                cells[level] = max(cell, cells.get(level, cell), key=lambda each: each.gib)
        self.longest = max((sum(cell[:2]) for cell in self.training.values()), default=0)
        self.fits_whole = False  # without sharding, and so without offload
        if on.offloads:
            at_once = on._replace(zero=0, offloads=False)
            whole = Estimate(recipe, given, at_once, shape, tokenizer)
            self.fits_whole = not whole.too_large(whole.training)

    def _cell(self, load: Load, prompt: int, solution: int) -> Cell:
        prompt, cut = prompt * (1 + load.shots), False
        completion = load.completion or solution
        limit = self.given.get("max_length")
        if load.trains and load.completion is None and limit:
            cut = prompt + completion > limit
            prompt = min(prompt, limit - completion)
        static = arithmetic.static(self.shape, self.how, self.on)
        about = (self.shape, self.how, load.rows, prompt, completion)
        if load.trains:
            share = {"vLLM": self.share} if self.share else {}
            return Cell(prompt, completion, {**static, **arithmetic.step(*about), **share}, cut)
        if self.on.zero == 3:  # what is sharded is gathered
            static["weights"] += 2 * self.shape.parameters
        states = static["optimizer"] * ("optim" in self.given)  # not where nothing is trained
        kept = {"weights": static["weights"], "optimizer": states}
        return Cell(prompt, completion, {**kept, **arithmetic.generation(*about)}, cut)

    @property
    def vllm_rows(self) -> float:
        """How many of the longest rows vLLM's share holds, beside weights and 2 GiB of its own."""
        free = self.share - 2 * self.shape.parameters - 2 * GIB
        return free / (self.shape.kv_bytes * self.longest)

    def too_large(self, cells: Mapping[int, Cell]) -> list[int]:
        """Return the levels for which a GPU has no room."""
        return [level for level, cell in cells.items() if cell.gib > USABLE * self.on.gib]

    def warnings(self) -> list[str]:
        """Return warnings of what does not fit or is unwise, a line each."""
        given, told = self.given, []
        for name, cells in (("Training", self.training), ("Generation", self.generation)):
            if over := self.too_large(cells):
                fit = [level for level in cells if level not in over]
                levels = ranges(fit) if fit else "none"
                told.append(f"{name} does not fit at levels {ranges(over)}, but at {levels}.")
        if cut := [level for level, cell in self.training.items() if cell.cut]:
            told.append(
                f"max_length {given['max_length']} cuts prompts of levels {ranges(cut)}: raise it, "
                "lower last_level, or choose a shorter style."
            )
        is_grpo, template = "num_generations" in given, given.get("chat_template_kwargs") or {}
        context = min(given.get("vllm_max_model_length") or 10**9, self.shape.context)
        in_two_bytes = self.how.weight == 2 and not (self.how.rank or self.on.zero)
        unwise = {
            f"The longest row has {self.longest:,} tokens, and {context:,} are read: lower "
            "last_level, or raise vllm_max_model_length.": self.longest > context,
            "vLLM's share holds not even one row: raise vllm_gpu_memory_utilization.": self.share
            and self.vllm_rows < 1,
            "lora_dropout makes old log-probabilities noisy: set it to 0.": is_grpo
            and self.how.rank
            and self.how.dropout,
            "Qwen3 thinks, unless chat_template_kwargs say {enable_thinking: false}.": is_grpo
            and self.shape.normed
            and template.get("enable_thinking", True),
            "All weights are trained in bfloat16, which rounds small updates away: set dtype to "
            "float32.": self.training and in_two_bytes,
            "It fits without offload: multi_gpu is faster than zero3.": self.fits_whole,
        }
        told += [text for text, holds in unwise.items() if holds]
        return told

    def report(self) -> str:
        """Return the tables and the warnings, in Markdown."""
        given, on, trained = self.given, self.on, self.how.trained(self.shape)
        lines = [
            f"{given['model_name_or_path']}, {self.shape.parameters:,} parameters, on {on.gpus} "
            f"GPU(s) of {on.gib:g} GiB, {USABLE:.0%} of which count"
        ]
        if self.training:
            names = ("per_device_train_batch_size", "gradient_accumulation_steps")
            rows = on.gpus * given[names[0]] * given[names[1]]
            lines.append(
                f"{trained:,} parameters are trained. A step has {rows:,} rows of at most "
                f"{self.longest:,} tokens: {rows * self.longest:,}"
            )
        if self.share:
            lines.append(f"vLLM holds {self.vllm_rows:.0f} rows of that length at a time")
        both = {"training": self.training, "generation": self.generation}
        for name, cells in both.items():
            if cells:
                level, cell = max(cells.items(), key=lambda item: item[1].gib)
                table = [[part, f"{size / GIB:.2f}"] for part, size in cell.parts.items()]
                total = ["together", f"{cell.gib:.2f}"]
                lines.append(markdown_table([f"{name}, level {level}", "GiB"], [*table, total]))
        table = []
        for level in sorted({*self.training, *self.generation}):
            table.append([str(level)])
            for cells in both.values():
                found = cells.get(level)
                mark = " (cut)" if found and found.cut else ""
                table[-1] += [
                    f"{found.prompt:,} + {found.completion:,}{mark}" if found else "",
                    f"{found.gib:.1f}" if found else "",
                ]
        header = ["level", "tokens trained on", "GiB", "tokens answered", "GiB"]
        told = [f"WARNING: {line}" for line in self.warnings()] or ["All levels fit."]
        return "\n\n".join([*lines, markdown_table(header, table), *told])


def options_of(recipe: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the options that a recipe reads from words, by its own parser."""
    read_options = runpy.run_path(str(cli.ROOT / "recipes" / f"{recipe}.py"))["read_options"]
    on_cpu = [] if recipe == "evaluate" else ["--use_cpu", "true"]  # options of GPUs parse anywhere
    argv, sys.argv = sys.argv, [f"{recipe}.py", *words, *on_cpu]
    try:
        parsed = read_options()
    finally:
        sys.argv = argv
    return {name: value for each in parsed if each for name, value in vars(each).items()}


def estimate(recipe: str, on: Hardware, words: Sequence[str]) -> Estimate:
    """Return the estimate for a recipe with these options."""
    given = options_of(recipe, words)
    model = given.get("model_name_or_path")
    if model is None:
        raise ValueError("No model is named, so a small one would be made: name one.")
    tokenizer = transformers.AutoTokenizer.from_pretrained(model) if Path(model).is_dir() else None
    return Estimate(recipe, given, on, shape_of(config_of(model)), tokenizer)


def main(words: Sequence[str]) -> int:
    """Print the estimate, with a warning for all that does not fit or is unwise."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum memory",
        description="Tokens of a step, GPU memory by part, and the levels that fit. --config and "
        "other options are the recipe's.",
        allow_abbrev=False,
    )
    short = cli.short_names()
    folders = [*cli.recipe_names(), "evaluate", *short]
    hardware = sorted(path.stem for path in FILES.glob("*.yaml"))
    parser.add_argument("recipe", choices=folders, metavar="RECIPE", help="%(choices)s")
    parser.add_argument("--gpu", type=float, default=80, help="memory of a GPU, in GiB: 80")
    parser.add_argument("--gpus", type=int, help="their number; default: that of --accelerate")
    parser.add_argument("--accelerate", choices=hardware, default="single_gpu", help="hardware")
    given, others = parser.parse_known_args(words)
    on = hardware_of(FILES / f"{given.accelerate}.yaml", given.gpu, given.gpus)
    folder = short.get(given.recipe, given.recipe)
    recipe = folder if folder in LOADS else "grpo_slr"
    try:
        found = estimate(recipe, on, cli.with_config("memory", folder, others))
    except ValueError as error:
        parser.error(" ".join(str(error).split()))
    print(found.report())
    return 0
