"""How many tokens the prompts of each family, style and level have: what decides which level fits.

    python benchmarks/prompt_tokens.py --model smollm2-135m
    python benchmarks/prompt_tokens.py --model Qwen/Qwen3-1.7B --tasks 50

Prints the mean, and in brackets the longest, of prompts of the training split.
"""

import argparse
from statistics import fmean

from transformers import AutoTokenizer

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models import pretrained
from logic_curriculum.generators import generate, registry

STYLES = {
    "slr": [{"style": "prolog"}, {"style": "natural"}],
    "symbolization": [{"style": "full", "language": "mixed"}],
    "countermodel": [{"style": "full"}],
    "validity": [{"style": "full", "language": "mixed"}],
    "loginum": [{"style": "full", "language": "english"}],
    "sat": [{"style": "certificate", "language": "english"}],
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=pretrained.NAME, help="whose tokenizer counts")
    parser.add_argument("--tasks", type=int, default=12, help="tasks of each level")
    given = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(pretrained.resolve(given.model))

    def cell(family: str, options: dict[str, str], level: int) -> str:
        if level not in registry.family(family).levels():
            return ""
        tasks = [generate(family, level, seed, **options) for seed in range(given.tasks)]
        lengths = [len(tokenizer(task.prompt)["input_ids"]) for task in tasks]
        return f"{fmean(lengths):,.0f} ({max(lengths):,})"

    kinds = [(family, options) for family, styles in STYLES.items() for options in styles]
    header = ["level", *(f"{family}, {options['style']}" for family, options in kinds)]
    levels = range(1, 1 + max(max(registry.family(family).levels()) for family, _ in kinds))
    rows = [[str(level), *(cell(*kind, level) for kind in kinds)] for level in levels]
    print(markdown_table(header, rows))


if __name__ == "__main__":
    main()
