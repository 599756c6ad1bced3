"""The names of the splits, in the order in which a dataset lists them."""

SPLITS = ("train", "validation", "test")
