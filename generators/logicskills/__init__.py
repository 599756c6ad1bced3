"""First-order logic in prose: symbolization, countermodels and validity.

Source: "LogicSkills: A Structured Benchmark for Formal Reasoning in Large Language Models", §3,
App. A and B. Each family has a module of its name; all else is shared.
"""

import hashlib

from logic_curriculum.generators.task import Split, split_by_share

TIERS = ("basic",) * 2 + ("easy",) * 3 + ("medium",) * 3 + ("hard",) * 2  # of levels 1 to 10


def split_of(key: str) -> Split:
    """Return the one split to which the tasks with a key belong, e.g. with a formula's text."""
    digest = hashlib.sha256(f"logicskills {key}".encode()).digest()
    return split_by_share(int.from_bytes(digest[:8], "big") / 2**64)
