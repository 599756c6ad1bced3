"""Generates tasks, each a pure function of family, level and seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.registry import families, generate, register_family
from logic_curriculum.generators.task import Task

if TYPE_CHECKING:
    from logic_curriculum.generators.dataset import build_dataset

__all__ = ["Family", "Options", "Task", "build_dataset", "families", "generate", "option"]
__all__ += ["register_family"]


def __getattr__(name: str) -> Any:
    """Import ``build_dataset`` when it is first used: it brings pyarrow along."""
    if name == "build_dataset":
        from logic_curriculum.generators.dataset import build_dataset

        return build_dataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
