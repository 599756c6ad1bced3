"""Benchmarks before and after training, without the harness: options, and the papers' tables.

They are Table 3 of SLR and Table 5 of LogiNumSynth.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.evaluation.statistics import mcnemar
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, joined
from logic_curriculum.generators.family import option

BACKENDS = ("hf", "vllm")
WIDTH = 6  # Columns of a block of the table, as in the paper


@dataclass(frozen=True)
class Benchmark:
    """A column of the table."""

    title: str  # What the table calls it
    task: str  # The harness's task or group
    part: str | None = None  # The task in that group whose score it is; the group is run once
    metric: str = "acc"  # The harness's name of the score
    published: tuple[float, float] | None = None  # Table 3's scores of Llama-3.1-8B-Instruct in %

    @property
    def result(self) -> str:
        """Return the task whose score it is."""
        return self.part or self.task


SCORES = ("acc", "solved", "exact_match")
"""The harness's scores of single questions; the first that a task has is its main one."""
NO_SHARES = ("lrl", "word_perplexity")
SLR_BENCH = (
    Benchmark("LRL", "logic_slr", metric="lrl", published=(3.6, 8.8)),
    Benchmark("Syntax", "logic_slr", metric="syntax", published=(99, 100)),
    Benchmark("Basic", "logic_slr", metric="basic", published=(61, 96)),
    Benchmark("Easy", "logic_slr", metric="easy", published=(10, 56)),
    Benchmark("Medium", "logic_slr", metric="medium", published=(1, 20)),
    Benchmark("Hard", "logic_slr", metric="hard", published=(0, 5)),
)
"""The table's first part, from our own tasks in the harness."""
SOLVED = Benchmark("SLR-Bench", "logic_slr", metric="solved")  # the scores above follow from it
DOWNSTREAM = (
    Benchmark("MMLU", "mmlu", published=(63.3, 66.1)),
    Benchmark("MMLU-Stats", "mmlu", "mmlu_high_school_statistics", published=(42.6, 59.7)),
    Benchmark("MMLU-CS", "mmlu", "mmlu_high_school_computer_science", published=(61.0, 75.0)),
    Benchmark("MMLU-ML", "mmlu", "mmlu_machine_learning", published=(49.1, 52.7)),
    Benchmark("LogiQA", "logiqa", published=(30.1, 31.0)),
    Benchmark("LogiQA2", "logiqa2", published=(34.3, 39.4)),
    Benchmark("GPQA", "gpqa_main_zeroshot", published=(31.7, 32.8)),
    Benchmark("GPQA-Ext.", "gpqa_extended_zeroshot", published=(26.9, 33.0)),
    Benchmark("GPQA-Dia.", "gpqa_diamond_zeroshot", published=(21.7, 28.3)),
    Benchmark("ARC-Easy", "arc_easy", published=(81.4, 82.8)),
    Benchmark("ARC", "arc_challenge", published=(52.7, 54.6)),
    Benchmark("HellaSwag", "hellaswag", published=(57.4, 58.9)),
)
"""The table's second part, in its order."""
LOGINUM = (
    Benchmark("GSM8k", "gsm8k", metric="exact_match"),
    Benchmark("MATH", "hendrycks_math", metric="exact_match"),
    Benchmark("MATHQA", "mathqa"),
    Benchmark("AIME", "aime", metric="exact_match"),
    Benchmark("FLD", "fld_default", metric="exact_match"),
    *(Benchmark(name, name.lower(), metric="") for name in ("SVAMP", "MAWPS", "RuleTaker")),
    *(Benchmark(name, name.lower(), metric="") for name in ("ProofWriter", "FOLIO", "ReClor")),
    *(Benchmark(name, name.lower(), metric="") for name in ("AbductionR", "RuleArena")),
)
"""The benchmarks of LogiNumSynth's Table 5 beside LogiQA. The harness has the first five; a task of
another, of the name here, can come from a folder of the user's (``include_path``)."""


class Published(NamedTuple):
    """A paper's scores of a model, which are shown in runs of that model."""

    before: str  # What the table calls the model
    after: str  # The same, tuned
    scores: Mapping[str, tuple[float, float]]  # Title of a benchmark → before and after, in %


def _table_5(model: str, scores: str) -> Published:
    """Return a model's scores in LogiNumSynth's Table 5, from a text of ``title before after``."""
    words = scores.split()
    numbers = zip(map(float, words[1::3]), map(float, words[2::3]), strict=True)
    pairs = dict(zip(words[::3], numbers, strict=True))
    return Published(model, f"{model} + LogiNumSynth", pairs)


PUBLISHED = {
    "llama-3.1-8b-instruct": Published(
        "Llama-8b-it",
        "Llama-8b-it-SLR",
        {item.title: item.published for item in (*SLR_BENCH, *DOWNSTREAM) if item.published},
    ),
    "llama-3.2-1b-instruct": _table_5(
        "Llama3.2-1B-instruct",
        "GSM8k 35.50 37.37  MATH 27.33 28.63  MATHQA 22.23 23.00  SVAMP 61.00 61.66 "
        "MAWPS 74.72 75.78  AIME 2.85 4.22  RuleTaker 46.18 46.60  ProofWriter 24.84 25.80 "
        "FOLIO 35.47 35.96  FLD 32.60 32.90  LogiQA 12.85 23.35  ReClor 28.43 30.20 "
        "AbductionR 47.30 51.80  RuleArena 1.96 2.62",
    ),
    "qwen3-1.7b": _table_5(
        "Qwen3-1.7B",
        "GSM8k 88.77 89.23  MATH 67.16 67.77  MATHQA 66.52 66.80  SVAMP 94.33 95.33 "
        "MAWPS 93.99 94.52  AIME 24.49 25.55  RuleTaker 70.29 71.90  ProofWriter 75.30 79.50 "
        "FOLIO 52.36 62.56  FLD 60.17 63.90  LogiQA 56.41 58.09  ReClor 31.80 35.80 "
        "AbductionR 40.80 43.00  RuleArena 8.18 10.30",
    ),
}
"""End of a model's name → what its paper printed."""


def columns(tasks: list[str]) -> list[Benchmark]:
    """Return the columns of a table about these tasks, in the table's order, then others."""
    known = [item for item in (*SLR_BENCH, *DOWNSTREAM, *LOGINUM) if item.task in tasks]
    ours = {item.task for item in known}
    return known + [Benchmark(task, task, metric="") for task in tasks if task not in ours]


@dataclass
class DownstreamArguments:
    """Which benchmarks, for which models; without a model, two tiny ones are made."""

    output_dir: str = field(metadata={"help": "The run folder; a run in it is continued."})
    tuned: list[str] = option(
        [], "Compared with the model: folders of LoRA adapters for it, or whole models."
    )
    benchmarks: list[str] = option(
        list(dict.fromkeys(item.task for item in DOWNSTREAM)),
        "Tasks or groups of the harness; those of Table 3. logic_slr adds ours.",
    )
    include_path: str | None = option(None, "Folder of further tasks, YAML files of the harness.")
    task_metadata: str = option(
        "{}", "Changes of our own tasks, such as levels and tasks_per_level: mapping or JSON."
    )
    backend: str = option("hf", "What runs the model: hf, vllm.")
    harness_args: str = option(
        "{}", "Further model_args, such as tensor_parallel_size or max_length: mapping or JSON."
    )
    gen_kwargs: str = option("{}", "Options of generation, such as max_gen_toks: mapping or JSON.")
    num_fewshot: int | None = option(None, "Examples in front of a question; the benchmark's own.")
    apply_chat_template: bool = option(True, "Whether questions are chats; needs a chat template.")
    fewshot_as_multiturn: bool = option(True, "Whether each example is a turn of the chat.")
    batch_size: str = option("auto", "Requests at a time, or auto for what fits.")
    limit: int | None = option(None, "Questions per task, for a trial; all.")
    warm_up_steps: int = option(200, "Steps of the tiny model's training on the lowest level.")
    adapter_steps: int = option(200, "Steps of its adapter's training on all levels asked.")
    log_samples: bool = option(False, "Whether every prompt and answer is kept, too.")
    seed: int = option(1234, "Seed of the choice of examples; the harness's own.")
    notice: str = option("", "Printed at the start: what to expect.")

    def __post_init__(self) -> None:
        self.metadata = mapping_option("task_metadata", self.task_metadata)
        self.model_args = mapping_option("harness_args", self.harness_args)
        self.generation = mapping_option("gen_kwargs", self.gen_kwargs)
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


class BenchmarkScore(NamedTuple):
    """A model's score in a benchmark."""

    value: float  # In percent, or as it is if it is not a share
    error: float | None  # Standard error in the same unit, where the harness gives one
    shots: int  # Examples in front of a question
    outcomes: Sequence[float | None]  # Score of each question
    constant: float | None  # What the best single answer scores, where that is known


Results = Mapping[str, Mapping[str, Mapping[str, Any]]]  # Model → benchmark → what its file holds


def read(folders: Mapping[str, Path], benchmarks: Sequence[str]) -> Results:
    """Return the results that are there, by model and benchmark."""
    found: dict[str, dict[str, Any]] = {model: {} for model in folders}
    for (model, folder), name in product(folders.items(), benchmarks):
        if (path := folder / f"{name}.json").is_file():
            found[model][name] = json.loads(path.read_text(encoding="utf-8"))
    return found


def report(results: Results, benchmarks: Sequence[str]) -> str:
    """Return the tables as Markdown; the first model is the base."""
    items = columns(list(benchmarks))
    scores = {
        model: {item: score(item, found) for item in (*items, SOLVED)}
        for model, found in results.items()
    }
    blocks = [items[start : start + WIDTH] for start in range(0, len(items), WIDTH)]
    tables = [overview(block, scores, number) for number, block in enumerate(blocks, 1)]
    single = [item for item in items if item not in SLR_BENCH]
    return joined([*tables, details([SOLVED, *single], scores)])


ScoresByModel = Mapping[str, Mapping[Benchmark, BenchmarkScore | None]]


def score(item: Benchmark, found: Mapping[str, Mapping[str, Any]]) -> BenchmarkScore | None:
    """Return a model's score in a column; None if there is none."""
    file = found.get(item.task)
    values = file["results"].get(item.result) if file else None
    if file is None or values is None:
        return None
    metric = item.metric or main_metric(values)
    key = next((name for name in values if name.split(",")[0] == metric), None)
    if key is None or values[key] is None:
        return None
    scale = 1 if metric in NO_SHARES else 100
    error = values.get(key.replace(",", "_stderr,", 1))
    parts = [item.part] if item.part else list(file["outcomes"])
    return BenchmarkScore(
        scale * values[key],
        scale * error if isinstance(error, float) else None,
        file["n-shot"].get(item.result) or 0,
        [outcome for part in parts for outcome in file["outcomes"][part]],
        file.get("constants", {}).get(item.result),
    )


def main_metric(values: Mapping[str, Any]) -> str:
    """Return the score that stands for a task which the table does not know."""
    names = [key.split(",")[0] for key in values if "," in key and "_stderr," not in key]
    return next((name for name in SCORES if name in names), names[0] if names else "")


def overview(block: Sequence[Benchmark], scores: ScoresByModel, number: int) -> Table:
    """Return a block of the table: a row for each model, differences to the first in brackets."""
    base = next(iter(scores))
    rows = [
        [model, *(_with_change(own[item], scores[base][item], model != base) for item in block)]
        for model, own in scores.items()
    ]
    for name, paper in PUBLISHED.items():
        if base.lower().rstrip("/").endswith(name):
            rows += _published(block, paper)
    title = f"Base and tuned, part {number}"
    note = (
        "In %, but LRL and perplexity; in brackets the change from the first row."
        if number == 1
        else ""
    )
    return Table(title, ["", *(item.title for item in block)], rows, note)


def _with_change(own: BenchmarkScore | None, base: BenchmarkScore | None, tuned: bool) -> str:
    if own is None:
        return NONE
    if not tuned or base is None:
        return f"{own.value:.1f}"
    change = round(own.value - base.value, 1) + 0.0  # no negative zero
    return f"{own.value:.1f} ({change:+.1f})"


def _published(block: Sequence[Benchmark], paper: Published) -> list[list[str]]:
    pairs = [paper.scores.get(item.title) for item in block]
    before = [NONE if pair is None else f"{pair[0]:g}" for pair in pairs]
    after = [NONE if pair is None else f"{pair[1]:g} ({pair[1] - pair[0]:+.1f})" for pair in pairs]
    names = (paper.before, paper.after)
    return [[f"published: {n}", *row] for n, row in zip(names, (before, after), strict=True)]


def details(items: Sequence[Benchmark], scores: ScoresByModel) -> Table:
    """Return a table of questions, standard errors, and p-values of the differences."""
    base, *others = scores
    rows = []
    for item in items:
        first = scores[base][item]
        if first is None:
            continue
        start = [item.title, item.result, str(len(first.outcomes)), str(first.shots)]
        start.append(NONE if first.constant is None else f"{100 * first.constant:.1f}")
        start.append(_with_error(first))
        for model in others:
            own = scores[model][item]
            start += [NONE, NONE] if own is None else [_with_error(own), _chance(item, first, own)]
        rows.append(start)
    header = ["", "task", "questions", "shots", "best constant", base]
    header += [title for model in others for title in (model, "p")]
    note = "± is the harness's standard error. p is McNemar's exact test on the same questions, "
    note += "not corrected for the number of benchmarks."
    return Table("What stands behind it", header, rows, note)


def _with_error(own: BenchmarkScore) -> str:
    return f"{own.value:.1f}" + ("" if own.error is None else f" ± {own.error:.1f}")


def _chance(item: Benchmark, base: BenchmarkScore, own: BenchmarkScore) -> str:
    """Return the p-value of a difference in shares of right answers."""
    if item.metric not in ("", *SCORES) or len(base.outcomes) != len(own.outcomes):
        return NONE
    pairs = list(zip(base.outcomes, own.outcomes, strict=True))
    if set(pairs) == {(None, None)}:
        return NONE
    worse = sum(before == 1 and after == 0 for before, after in pairs)
    better = sum(before == 0 and after == 1 for before, after in pairs)
    return f"{mcnemar(worse, better):.2g}"
