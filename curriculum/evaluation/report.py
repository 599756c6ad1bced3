"""Write the report of an evaluation again, from what its folder holds.

logic-curriculum report runs/base
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from logic_curriculum.curriculum.evaluation.compare import records_of
from logic_curriculum.curriculum.evaluation.page import write_report
from logic_curriculum.curriculum.evaluation.records import read_records
from logic_curriculum.curriculum.evaluation.scores import SHIPPED, load_prices
from logic_curriculum.curriculum.run_settings import read_settings
from logic_curriculum.generators.llm import Prices

NOTES = "notes"  # Key of the settings: what a report says besides, and no answer depends on


def report(folder: Path, price_list: Path | None = None) -> str:
    """Write the report of a run into its folder, and return the summary tables as Markdown.

    Without ``price_list``, prices are those that the run began with. A folder without answers, or
    with none that could be graded, is a ValueError.
    """
    file = records_of(folder)
    if not file.is_file():
        raise ValueError(f"{folder} has no {file.name}: name the folder of a finished evaluation.")
    records = read_records(file)
    notes = read_settings(folder).get(NOTES, {})
    prices = load_prices(price_list or Path(notes.get("prices") or SHIPPED))
    priced_as = notes.get("priced_as")
    if price_list is None and (own := notes.get("own_prices")):
        prices = prices.with_model(priced_as, Prices(**own))
    facts = {"answers": str(len(records)), **notes.get("facts", {})}
    return write_report(folder, records, facts, prices, priced_as)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum report", description=__doc__, allow_abbrev=False
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("run", type=Path, help="folder of an evaluation")
    parser.add_argument("--prices", type=Path, help="YAML file of prices; default: the run's")
    options = parser.parse_args(argv)
    try:
        print(report(options.run, options.prices))
    except (ValueError, OSError) as error:
        print(f"logic-curriculum report: error: {error}", file=sys.stderr)
        return 1
    print(f"The page is {options.run / 'report.html'}")
    return 0
