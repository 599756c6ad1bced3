"""What the processor of a run can do."""


def has_bfloat16() -> bool:
    """Return whether the processor computes with bfloat16; without it, float32 is faster."""
    import torch

    features = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in features)
