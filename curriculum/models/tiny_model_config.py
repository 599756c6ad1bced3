"""Sizes of a language model made for demos, and of its warm-up; needs no torch."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TinyModelConfig:
    """Size of the model and of its warm-up."""

    hidden_size: int = 128
    layers: int = 4
    heads: int = 4
    intermediate_size: int = 384
    convolutions: bool = False
    """Whether every other layer, from the first, is a short convolution (LFM2), not attention."""
    matching_heads: bool = False
    """Whether half of the heads begin with equal projections to queries and keys, so that a word
    attends to its like from the first step on. Needs convolutions; halves the training time."""
    initializer_range: float = 0.02
    """Standard deviation of the first weights. With the usual 0.02, layers of narrow networks
    hardly add anything at first, which costs training time."""
    steps: int = 350
    batch_size: int = 64
    learning_rate: float = 2e-3
    sampling: str = "random"
    """``random``; ``group_by_length``, which pads less where tasks differ in length; or
    ``sequential``, which takes the tasks in their order, each once."""
