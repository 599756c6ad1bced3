"""Pin what the library makes and says now: rewrites ``pins.json``, or some of it.

python tests/pins/make.py              # everything
python tests/pins/make.py slr sat      # these families
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the library beside this file

from pin_library import FAMILIES
from pin_rows import row_count
from pin_store import FILE, MAKERS, differences, stored, write


def main() -> None:
    """Make the pins and tell how they differ from those of before."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(MAKERS)}; all")
    groups = parser.parse_args().groups or list(MAKERS)
    wrong = [group for group in groups if group not in MAKERS]
    if wrong:
        parser.error(f"there is no group {wrong[0]!r}: choose of {', '.join(MAKERS)}")
    before = stored() if FILE.is_file() else {}
    after = {group: before.get(group, {}) for group in MAKERS}
    for group in groups:
        after[group] = {}
        for kind, make in MAKERS[group].items():
            start, cpu = time.monotonic(), time.process_time()
            after[group][kind] = make()
            seconds, own = time.monotonic() - start, time.process_time() - cpu
            print(f"{group} {kind}: {seconds:.1f} s, {own:.1f} s of this process", flush=True)
    write(after)
    changed = differences(after, before)
    print("\n".join(changed[:50]) if before else "")
    rows = sum(row_count(family) for family in FAMILIES)
    print(f"{FILE}: {rows} tasks; {len(changed)} pins differ from before")


if __name__ == "__main__":
    main()
