"""The dataset card: what a dataset holds, where it comes from and how to build it again."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

from logic_curriculum.common.files import template
from logic_curriculum.generators import registry
from logic_curriculum.generators.dataset.plan import Plan

EXAMPLE_CHARACTERS = 4000  # a longer example prompt is cut here
QUOTED = template(Path(__file__).parent, "paper")  # of prompts that are not ours

COLUMNS = {
    "prompt": "the text shown to the model",
    "completion": "one answer the judge accepts",
    "family": "generator family",
    "level": "curriculum level, counted from 1",
    "seed": "seed of the task: `generate(family, level, seed, split=…)` makes it again",
    "verification": "what the judge needs, as JSON",
    "metadata": "description for analysis, as JSON; no judge reads it",
}
"""What the columns hold that every family has."""


def render_card(plan: Plan, folder: Path) -> str:
    """Return the text of the dataset's ``README.md``, a function of its plan and Parquet files."""
    family, facts = registry.family(plan.family), json.loads(plan.manifest())
    facts |= facts.pop("options") | facts.pop("versions")
    columns = {**COLUMNS, **family.columns}
    first = pq.ParquetFile(folder / plan.files()[0].path)
    row = next(first.iter_batches(batch_size=1)).to_pylist()[0]
    total, sizes = _size_table(plan)
    prompt, more = row["prompt"][:EXAMPLE_CHARACTERS], len(row["prompt"]) - EXAMPLE_CHARACTERS
    return f"{template(Path(__file__).parent, 'card')}\n".format(
        header=yaml.safe_dump(_header(plan), sort_keys=False),
        family=plan.family,
        unit=family.leak_unit,
        quoted=QUOTED if plan.options.get("style") == "paper" else "",
        total=total,
        levels=f"level {plan.levels[0]}" if len(plan.levels) == 1 else f"{len(plan.levels)} levels",
        seed=plan.seed,
        first=plan.levels[0],
        facts="\n".join(f"| {key} | {value} |" for key, value in facts.items() if key != "sizes"),
        call=_call(plan),
        sizes=sizes,
        columns="\n".join(
            f"| `{field.name}` | {field.type} | {columns.get(field.name, '')} |"
            for field in first.schema_arrow
        ),
        split=next(iter(plan.sizes)),
        example_seed=row["seed"],
        prompt=f"{prompt}\n… ({more:,} more characters)" if more > 0 else prompt,
        solution=row["completion"],
    )


def _call(plan: Plan) -> str:
    counts = {split: set(by_level.values()) for split, by_level in plan.sizes.items()}
    given: dict[str, Any] = {"out": "DIR", "seed": plan.seed, **plan.options}
    if all(len(values) == 1 for values in counts.values()):  # else published ones
        given["sizes"] = {split: max(values) for split, values in counts.items()}
    else:
        given["splits"] = list(counts)
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return f"build_dataset({plan.family!r}, {list(plan.levels)}, {words})"


def _header(plan: Plan) -> dict[str, Any]:
    names = {"default": "*", **{f"level_{level}": f"level-{level:02d}" for level in plan.levels}}
    return {
        "license": "other" if plan.options.get("style") == "paper" else "mit",
        "language": ["en"],
        "task_categories": ["text-generation"],
        "tags": ["logic", "reasoning", "synthetic", plan.family],
        "configs": [
            {
                "config_name": config,
                "data_files": [
                    {"split": split, "path": f"data/{split}/{name}.parquet"} for split in plan.sizes
                ],
            }
            for config, name in names.items()
        ],
    }


def _size_table(plan: Plan) -> tuple[int, str]:
    """Return the number of all tasks, and a table of them by level and split."""
    counts = plan.sizes.values()
    rows: list[list[Any]] = [[level, *(each[level] for each in counts)] for level in plan.levels]
    sums = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    lines = [["level", *plan.sizes], ["---:"] * (1 + len(sums)), *rows, ["all", *sums]]
    cells = [[f"{c:,}" if isinstance(c, int) else c for c in line] for line in lines]
    return sum(sums), "\n".join("| " + " | ".join(line) + " |" for line in cells)
