"""What each level of SLR demands: python benchmarks/slr_levels.py [--tasks 60] [--tokenizer NAME].

For training tasks of every level: the share that a conjunction of at most one, two or three values
fits, found by search, the median of the fewest values that do, and the mean length of the prompts.
A value is one that some part of the example has; parts may coincide. That a conjunction fits the
examples shown does not mean that it is the rule: fresh examples tell.
"""

import argparse
from collections.abc import Callable
from itertools import product
from statistics import fmean, median_low

from logic_curriculum.generators.slr.enumeration import shortest_conjunctions
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import LEVELS
from logic_curriculum.generators.slr.prompts import STYLES, write_prompt
from logic_curriculum.generators.slr.rules import RuleSource, draw_schema_rule, draw_uniform_rule
from logic_curriculum.generators.slr.synthesis import Synthesis, synthesize


def fewest_values(task: Synthesis) -> int:
    """Return the number of values of the shortest conjunction that fits; 4 for more than three."""
    positives = [item.parts for item in task.examples if item.positive]
    negatives = [item.parts for item in task.examples if not item.positive]
    found = shortest_conjunctions(positives, negatives, 3)
    return sum(map(len, found[0])) if found else 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=60, help="training tasks of each level")
    parser.add_argument("--tokenizer", help="name or path of one, to count tokens as well")
    arguments = parser.parse_args()
    lengths: dict[str, Callable[[str], int]] = {"characters": len}
    if arguments.tokenizer:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(arguments.tokenizer)
        lengths["tokens"] = lambda text: len(tokenizer(text).input_ids)
    titles = ["level", "κ", "≤ 1", "≤ 2", "≤ 3", "median"]
    titles += [f"{unit}, {style}" for unit in lengths for style in STYLES]
    print(f"| {' | '.join(titles)} |\n|{'---:|' * len(titles)}")
    language = load_language("trains")
    rules: dict[str, RuleSource] = {"uniform": draw_uniform_rule, "guided": draw_schema_rule}
    for level in LEVELS:
        tasks = [synthesize(language, level, n, "train", rules) for n in range(arguments.tasks)]
        sizes = [fewest_values(task) for task in tasks]
        cells = [str(level.number), str(level.kappa)]
        cells += [f"{fmean(size <= most for size in sizes):.2f}" for most in (1, 2, 3)]
        cells.append(str(median_low(sizes)).replace("4", "> 3"))
        for length, style in product(lengths.values(), STYLES):
            mean = fmean(length(write_prompt(task, style)) for task in tasks)
            cells.append(f"{mean:,.0f}")
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
