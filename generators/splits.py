"""The names of the splits, in the order in which a dataset lists them."""

from typing import Literal, get_args

Split = Literal["train", "validation", "test"]
SPLITS: tuple[str, ...] = get_args(Split)
