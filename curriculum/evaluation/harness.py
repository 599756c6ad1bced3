"""Our families as tasks of lm-evaluation-harness, of which nothing is imported here.

Each family gets a YAML file that calls these functions; run as a script, this module prints their
folder for ``--include_path``. See ``docs/downstream.md``.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset, config

from logic_curriculum.common.files import atomic_write
from logic_curriculum.curriculum.evaluation import harness_general
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.generators import registry
from logic_curriculum.generators.sampling import distinct_tasks, level_tasks
from logic_curriculum.generators.task import split_of_examples
from logic_curriculum.rewards import judge

CACHE = Path(config.HF_DATASETS_CACHE) / "logic-curriculum-tasks"
TEMPLATE = Path(__file__).with_name("harness_task.yaml")  # What the YAML files have in common
TIERS = ("basic", "easy", "medium", "hard")
EXAMPLES = 10  # Tasks of another split, from which few-shot examples are drawn


def write_tasks() -> Path:
    """Write a YAML file for each family, one for the group of all, and those of
    ``harness_general``; return their folder.
    """
    template = TEMPLATE.read_text(encoding="utf-8")
    texts = {}
    for name in registry.families():
        versions = registry.family(name).judge.versions.values()
        version = float(".".join(map(str, versions)))  # task version . reward version
        metadata = {"version": version, "family": name, "levels": None}
        metadata |= {"tasks_per_level": 50, "task_seed": 0}
        texts[f"logic_{name}"] = f"{template}task: logic_{name}\nmetadata: {json.dumps(metadata)}\n"
    mean = {"metric": "solved", "aggregation": "mean", "weight_by_size": False}
    group = {"group": "logic", "task": [*texts], "aggregate_metric_list": [mean]}
    texts["logic"] = json.dumps({**group, "metadata": {"version": 3.0}})
    texts |= harness_general.yaml_files()
    folder = CACHE / hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    for path, text in ((folder / f"{name}.yaml", text) for name, text in texts.items()):
        if not path.is_file():
            with atomic_write(path) as partial:
                partial.write_text(text, encoding="utf-8")
    return folder


def draw(
    family: str,
    levels: Sequence[int] | None = None,
    tasks_per_level: int = 50,
    task_seed: int = 0,
    split: str = "test",
    task_options: Mapping[str, Any] | None = None,
    **model_args: Any,
) -> dict[str, Dataset]:
    """Return the tasks of a family, the same that ``recipes/evaluate.py`` asks.

    The arguments are the ``metadata`` of a YAML file; the harness adds ``model_args``, which mean
    nothing here. By default the levels are all of the family, or of its preset. ``test`` has the
    tasks, ``validation`` examples for few-shot prompts.
    """
    options = dict(task_options or {})
    tasks = level_tasks(family, levels, tasks_per_level, task_seed, split, **options)
    asked = list(dict.fromkeys(task.level for task in tasks))
    other = split_of_examples(split)
    examples = distinct_tasks(family, asked, EXAMPLES, task_seed, other, **options)
    return {
        "test": Dataset.from_list([task.to_row() for task in tasks]),
        "validation": Dataset.from_list([task.to_row() for task in examples]),
    }


def score(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Any]:
    """Return the metrics of one completion; means skip one that could not be graded."""
    verdict = judge(doc["family"], results[0], doc["verification"])
    graded = verdict.reward is not None
    solved = float(verdict.solved) if graded else None
    scores: dict[str, Any] = {"ungraded": float(not graded), "lrl": (doc["level"], solved)}
    tier = registry.family(doc["family"]).tier(doc["level"])
    scores |= {name: solved if tier == name else None for name in TIERS}
    if graded:
        scores |= {"solved": solved, "syntax": float(verdict.syntax), "partial": verdict.partial}
    return scores


def mean_of_known(values: Sequence[float | None]) -> float:
    """Return the mean of the values that are not None; NaN if there is none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else float("nan")


def sum_over_levels(values: Sequence[tuple[int, float | None]]) -> float:
    """Return the sum of the levels' accuracies, the logical reasoning level (SLR, section 5)."""
    levels = grouped(values, lambda pair: pair[0]).values()
    means = [mean_of_known([solved for _, solved in group]) for group in levels]
    return sum(mean for mean in means if not math.isnan(mean))


if __name__ == "__main__":
    print(write_tasks())
