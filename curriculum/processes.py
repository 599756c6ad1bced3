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


__all__ = ["PartialState", "gather_object"]
