"""What SLR's Table 3 measures downstream: the harness's tasks, and the figures it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Benchmark:
    """A column of the table."""

    title: str
    """What the table calls it."""
    task: str
    """The harness's task or group."""
    part: str | None = None
    """The task in that group, where the column is of a part; the group is run once for all."""
    metric: str = "acc"
    """The harness's name of the score; see :data:`METRICS` for those that are no share."""
    published: tuple[float, float] | None = None
    """Table 3's scores of base and tuned model in percent, Llama-3.1-8B-Instruct."""

    @property
    def result(self) -> str:
        """Return the task whose score it is."""
        return self.part or self.task


METRICS = ("lrl",)
"""Scores that are no shares, so that they are not given in percent."""

SLR_BENCH = tuple(
    Benchmark(title, "logic_slr", metric=metric, published=published)
    for title, metric, published in (
        ("LRL", "lrl", (3.6, 8.8)),
        ("Syntax", "syntax", (99, 100)),
        ("Basic", "basic", (61, 96)),
        ("Easy", "easy", (10, 56)),
        ("Medium", "medium", (1, 20)),
        ("Hard", "hard", (0, 5)),
    )
)
"""The table's first part, from our own tasks in the harness."""

SOLVED = Benchmark("SLR-Bench", "logic_slr", metric="solved")
"""What these scores are taken of: each task solved or not."""

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

SIZES: Mapping[str, int] = MappingProxyType(
    {
        "mmlu_high_school_statistics": 216,
        "mmlu_high_school_computer_science": 100,
        "mmlu_machine_learning": 112,
        "logiqa": 651,
        "logiqa2": 1572,
        "gpqa_main_zeroshot": 448,
        "gpqa_extended_zeroshot": 546,
        "gpqa_diamond_zeroshot": 198,
        "arc_easy": 2376,
        "arc_challenge": 1172,
        "hellaswag": 10042,
    }
)
"""Questions of the splits that the harness asks, where a benchmark is one task."""


def columns(tasks: list[str]) -> list[Benchmark]:
    """Return the columns of a table about these tasks, in the table's order, then others."""
    known = [item for item in (*SLR_BENCH, *DOWNSTREAM) if item.task in tasks]
    ours = ("logic_slr", *(item.task for item in DOWNSTREAM))
    return known + [Benchmark(task, task, metric="") for task in tasks if task not in ours]
