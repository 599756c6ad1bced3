"""Table 2 of the paper, written down once more from the paper alone.

The generator reads ``levels.py``; this copy is only shown beside it and compared with it.
"""

from __future__ import annotations

from typing import NamedTuple

_TABLE = """
1   basic   1    5   2  mirror   1    uniform         10^3
2   basic   1    5   2  mirror   1-2  uniform         10^3
3   basic   1    5   4  mirror   1-2  uniform         10^5
4   basic   2    5   4  mirror   1-2  uniform         10^10
5   basic   2    5   6  mirror   1-2  uniform         10^16
6   easy    2    5   6  uniform  1-2  uniform/guided  10^16
7   easy    2    6   6  uniform  1-2  uniform/guided  10^24
8   easy    2-3  6   8  uniform  1-2  uniform/guided  10^32
9   easy    2-3  6  10  uniform  2-3  uniform/guided  10^40
10  easy    2-3  7  12  uniform  2-3  uniform/guided  10^55
11  medium  2-4  7  14  uniform  2-3  uniform/guided  10^65
12  medium  2-4  9  16  uniform  3-4  uniform/guided  10^120
13  medium  4-6  9  18  uniform  3-4  uniform/guided  10^271
14  medium  4-6  9  20  uniform  4-5  uniform/guided  10^300
15  medium  4-6  9  22  uniform  4-5  uniform/guided  10^330
16  hard    5-6  10 24  uniform  4-5  uniform/guided  10^507
17  hard    5-6  10 26  uniform  4-5  uniform/guided  10^549
18  hard    5-6  12 28  uniform  4-5  uniform/guided  10^805
19  hard    5-6  12 30  uniform  5    uniform/guided  10^861
20  hard    5-6  12 32  uniform  5    uniform/guided  10^919
"""


class Row(NamedTuple):
    """One level as the table prints it; the names of the sampling policies are written out."""

    level: str
    tier: str
    constants: str
    predicates: str
    kappa: str
    background: str
    rule_length: str
    rule_sampling: str
    size: str


PUBLISHED = tuple(Row(*line.split()) for line in _TABLE.strip().splitlines())
