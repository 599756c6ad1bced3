"""What each level of SLR demands: python benchmarks/slr_levels.py [--tasks 60] [--tokenizer NAME].

For training tasks of every level: the share that a conjunction of at most one, two or three values
fits, found by search, the median of the fewest values that do, and the mean length of the prompts.
A value is one that some part of the example has; parts may coincide. That a conjunction fits the
examples shown does not mean that it is the rule: fresh examples tell.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import fmean, median_low

from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import LEVELS, Level
from logic_curriculum.generators.slr.prompts import STYLES, write_prompt
from logic_curriculum.generators.slr.rules import RuleSource, SchemaRules, UniformRules
from logic_curriculum.generators.slr.synthesis import Synthesis, synthesize

LONGEST = 3
"""Values of a conjunction that is searched for."""


def draw_tasks(language: str, level: Level, count: int) -> list[Synthesis]:
    """Return the training tasks of the first seeds; at level 1, some are equal."""
    sources: dict[str, RuleSource] = {"uniform": UniformRules(), "guided": SchemaRules()}
    loaded = load_language(language)
    return [synthesize(loaded, level, seed, "train", sources) for seed in range(count)]


def fewest_values(task: Synthesis) -> int:
    """Return the size of the shortest conjunction that fits; ``LONGEST + 1`` if there is none."""
    positives = [item.parts for item in task.examples if item.positive]
    negatives = [item.parts for item in task.examples if not item.positive]
    found = shortest_conjunctions(positives, negatives, LONGEST)
    return sum(map(len, found[0])) if found else LONGEST + 1


def row(level: Level, tasks: Sequence[Synthesis], lengths: Sequence[Callable[[str], int]]) -> str:
    """Return a level's line of the table."""
    sizes = [fewest_values(task) for task in tasks]
    middle = median_low(sizes)
    cells = [str(level.number), str(level.kappa)]
    cells += [f"{fmean(size <= most for size in sizes):.2f}" for most in range(1, LONGEST + 1)]
    cells.append(str(middle) if middle <= LONGEST else f"> {LONGEST}")
    for length in lengths:
        for style in STYLES:
            cells.append(f"{fmean(length(write_prompt(task, style)) for task in tasks):,.0f}")
    return f"| {' | '.join(cells)} |"


def token_counter(name: str) -> Callable[[str], int]:
    """Return a function that counts a text's tokens."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name)
    return lambda text: len(tokenizer(text).input_ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=60, help="training tasks of each level")
    parser.add_argument("--language", default="trains", help="a shipped language or a YAML file")
    parser.add_argument("--tokenizer", help="name or path of one, to count tokens as well")
    arguments = parser.parse_args()
    lengths: dict[str, Callable[[str], int]] = {"characters": len}
    if arguments.tokenizer:
        lengths["tokens"] = token_counter(arguments.tokenizer)
    shares = [f"≤ {most}" for most in range(1, LONGEST + 1)]
    prompts = [f"{unit}, {style}" for unit in lengths for style in STYLES]
    titles = ["level", "κ", *shares, "median", *prompts]
    print(f"| {' | '.join(titles)} |\n|{'---:|' * len(titles)}")
    for level in LEVELS:
        tasks = draw_tasks(arguments.language, level, arguments.tasks)
        print(row(level, tasks, list(lengths.values())), flush=True)


if __name__ == "__main__":
    main()
