"""The names of the splits, in the order in which a dataset lists them, and who shows whom."""

from typing import Literal, get_args

Split = Literal["train", "validation", "test"]
SPLITS: tuple[str, ...] = get_args(Split)


def split_of_examples(asked: str) -> str:
    """Return the split of worked examples in front of questions of a split: always another one."""
    return "train" if asked == "validation" else "validation"
