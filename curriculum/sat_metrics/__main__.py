"""Measure the results of an evaluation on consistency tasks.

python -m logic_curriculum.curriculum.sat_metrics runs/evaluation/records.jsonl --out DIR
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from logic_curriculum.curriculum.records import read_records
from logic_curriculum.curriculum.sat_metrics.report import markdown, plots


def main(arguments: Sequence[str] | None = None) -> int:
    """Write ``sat.md`` and pictures to a folder; return the exit status, 2 for a wrong argument."""
    parser = argparse.ArgumentParser(
        prog="python -m logic_curriculum.curriculum.sat_metrics",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", type=Path, nargs="+", help="files of records, one JSON a line")
    parser.add_argument("--out", type=Path, required=True, help="folder for tables and pictures")
    options = parser.parse_args(arguments)
    try:
        records = [record for path in options.results for record in read_records(path)]
        text = markdown(records)
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "sat.md").write_text(text, encoding="utf-8")
        paths = plots(records, options.out)
    except (ValueError, OSError, ImportError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    print(f"{options.out / 'sat.md'} and {len(paths)} pictures beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
