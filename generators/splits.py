"""The names of the splits, in the order in which a dataset lists them, and who shows whom."""

from typing import Literal, get_args

Split = Literal["train", "validation", "test"]
SPLITS: tuple[str, ...] = get_args(Split)


def split_of_examples(asked: str) -> str:
    """Return the split of worked examples in front of questions of a split: always another one."""
    return "train" if asked == "validation" else "validation"


TEST_SHARE = 0.2  # share of all keys that only the test split uses
VALIDATION_SHARE = 0.1  # share of all keys that only the validation split uses


def split_by_share(share: float) -> Split:
    """Return the split of a key from a number in [0, 1) that a hash made of it.

    A family without a list of its tasks keeps splits apart like this: all tasks with one key, such
    as a formula's text, belong to one split.
    """
    if share < TEST_SHARE:
        return "test"
    return "validation" if share < TEST_SHARE + VALIDATION_SHARE else "train"
