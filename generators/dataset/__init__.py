"""Many tasks: built in parallel, resumable, split without leaks, as Parquet and a card."""

from logic_curriculum.generators.dataset.build import build_dataset

__all__ = ["build_dataset"]
