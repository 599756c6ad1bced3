"""Merge the shards of a dataset, and check it: ``logic-curriculum merge DIR``.

The shards are what ``logic-curriculum generate FAMILY … --out DIR --shard K/N`` made for each K.
Where the jobs had folders of their own, copy these into one first, one over the other.
"""

import argparse
import sys
from collections.abc import Sequence

from logic_curriculum.common.files import told
from logic_curriculum.generators.dataset import merge_dataset
from logic_curriculum.generators.dataset.card import size_table
from logic_curriculum.generators.dataset.plan import read_plan

_PROGRAM = "logic-curriculum merge"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0; 1: the work failed, or a shard is missing; 2: an argument is wrong; 130: interrupted.
    """
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog=_PROGRAM,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", metavar="DIR", help="folder of the shards, then of the dataset")
    text = "worker processes that replace repeated tasks; default: one per CPU"
    parser.add_argument("--num-proc", type=int, metavar="N", help=text)
    options = parser.parse_args(arguments)
    try:
        folder = merge_dataset(options.folder, num_proc=options.num_proc)
        plan = read_plan(folder)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"{_PROGRAM}: error: {told(error, options.folder)}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt:
        print(f"{_PROGRAM}: interrupted; the same command continues", file=sys.stderr)
        return 130
    print(f"{folder}: merged and verified. Read it with datasets.load_dataset({str(folder)!r}).")
    if plan.at_most:
        print(size_table(plan.built(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
