"""How many tokens the prompts of each family, style and level have: what decides which level fits.

    python benchmarks/prompt_tokens.py --model smollm2-135m
    python benchmarks/prompt_tokens.py --model Qwen/Qwen3-1.7B --tasks 50
    python benchmarks/prompt_tokens.py --write

Prints the mean, and in brackets the longest, of prompts of the training split. With ``--write``
the numbers go to the file that ``logic-curriculum memory`` reads, in place of what it held.
"""

import argparse

import yaml
from transformers import AutoTokenizer

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.gpu_memory.prompts import FILE, Measured, measure, read
from logic_curriculum.curriculum.models import pretrained

PRESETS = ["EL-Train", "EN-Train", "EL-EN", "EL-HN", "HL-EN", "HL-HN"]
COLUMNS = [
    ("slr", {"style": "prolog"}),
    ("slr", {"style": "natural"}),
    *((name, {"style": "full", "language": "mixed"}) for name in ("symbolization", "validity")),
    *((name, {"style": "full", "language": "english"}) for name in ("symbolization", "validity")),
    ("countermodel", {"style": "full"}),
    ("loginum", {"style": "full", "language": "english"}),
    *(("loginum", {"style": "full", "language": "english", "preset": name}) for name in PRESETS),
    ("sat", {"style": "certificate", "language": "english"}),
    ("sat", {"style": "full"}),
    ("sat", {"style": "paper", "preset": "hard3sat-paper"}),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=pretrained.NAME, help="whose tokenizer counts")
    parser.add_argument("--tasks", type=int, default=12, help="tasks of each level")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}, too")
    given = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(pretrained.resolve(given.model))
    columns = [measure(*column, tokenizer, given.tasks) for column in COLUMNS]
    if given.write:
        rows = [column._asdict() for column in columns]
        text = yaml.safe_dump(rows, sort_keys=False, width=100, default_flow_style=None)
        FILE.write_text(f"# By benchmarks/prompt_tokens.py --write, of {given.model}\n{text}")
        columns = read()
    print(table(columns))


def table(columns: list[Measured]) -> str:
    """Return mean and longest prompt, and longest solution, as a table in Markdown."""
    header = ["level", *(", ".join([each.family, *each.options.values()]) for each in columns)]
    levels = range(1, 1 + max(max(each.levels) for each in columns))

    def cell(column: Measured, level: int) -> str:
        mean, longest, _ = column.levels.get(level, (0, 0, 0))
        return f"{mean:,} ({longest:,})" if longest else ""

    rows = [[str(level), *(cell(each, level) for each in columns)] for level in levels]
    return markdown_table(header, [*rows, ["solution", *(str(each.solution) for each in columns)]])


if __name__ == "__main__":
    main()
