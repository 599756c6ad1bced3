"""The processes of a run: those that accelerate launched, or this one alone without accelerate."""

from typing import Any

try:
    from accelerate import PartialState
    from accelerate.utils import gather_object
except ModuleNotFoundError:

    class PartialState:  # type: ignore[no-redef]
        """One process, as accelerate describes it."""

        num_processes, process_index, is_main_process = 1, 0, True

        def __init__(self, **_: Any) -> None:
            """Take accelerate's options, none of which matters here."""

        def wait_for_everyone(self) -> None:
            """Return: there is nobody else."""

        def destroy_process_group(self) -> None:
            """Return: there is none."""

    gather_object = list  # the objects of all processes are this one's


def is_on_cpu() -> bool:
    """Return whether a local model runs on the processor: it was asked for, or nothing else is."""
    import torch
    from accelerate.utils import parse_flag_from_env

    return parse_flag_from_env("ACCELERATE_USE_CPU") or not torch.accelerator.is_available()


def has_bfloat16() -> bool:
    """Return whether the processor computes with bfloat16; without it, float32 is faster."""
    import torch

    features = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in features)


__all__ = ["PartialState", "gather_object", "has_bfloat16", "is_on_cpu"]
