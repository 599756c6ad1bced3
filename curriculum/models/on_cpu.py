"""What makes TRL's trainers faster on a CPU without changing what they compute."""

import torch
from trl.trainer import utils as trl_utils

FEATURES = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")


def score_answers_only() -> None:
    """Let TRL 1.16 project the positions with a loss onto the vocabulary, and no others.

    It does so with Triton. Elsewhere it projects all positions, since there are devices that would
    compile anew for each number of them; a processor does not.
    """
    if not hasattr(trl_utils, "_use_triton"):
        raise RuntimeError(
            "The installed TRL has no trl.trainer.utils._use_triton: install a version that this "
            'was written for, pip install "trl>=1.16,<1.17"'
        )
    trl_utils._use_triton = lambda device: True


def has_bfloat16() -> bool:
    """Return whether the processor computes with bfloat16; without it, float32 is faster."""
    return any(getattr(torch.cpu, name, lambda: False)() for name in FEATURES)
