"""Which level next: a scheduler, its link to TRL's trainers, and an optimizer that recalls.

Names are resolved when first used, so that the scheduler needs neither torch nor TRL.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logic_curriculum.curriculum.callback import CurriculumCallback
    from logic_curriculum.curriculum.config import CurriculumConfig
    from logic_curriculum.curriculum.dataset import CurriculumDataset
    from logic_curriculum.curriculum.recadam import RecAdam
    from logic_curriculum.curriculum.scheduler import (
        Completion,
        CurriculumScheduler,
        Ladder,
        groups_of,
        ladder_of,
    )
    from logic_curriculum.curriculum.strategies import Group, Strategy
    from logic_curriculum.curriculum.trainers import (
        CurriculumGRPOTrainer,
        CurriculumRLOOTrainer,
        CurriculumSFTTrainer,
        OnlineCurriculum,
    )

__all__ = [
    "Completion",
    "CurriculumCallback",
    "CurriculumConfig",
    "CurriculumDataset",
    "CurriculumGRPOTrainer",
    "CurriculumRLOOTrainer",
    "CurriculumSFTTrainer",
    "CurriculumScheduler",
    "Group",
    "Ladder",
    "OnlineCurriculum",
    "RecAdam",
    "Strategy",
    "groups_of",
    "ladder_of",
    "require",
]

_MODULES = {  # name → its module, and what that needs beyond the package's own requirements
    "CurriculumCallback": ("callback", "transformers"),
    "CurriculumConfig": ("config", None),
    "CurriculumDataset": ("dataset", None),
    "CurriculumGRPOTrainer": ("trainers", "trl"),
    "CurriculumRLOOTrainer": ("trainers", "trl"),
    "CurriculumSFTTrainer": ("trainers", "trl"),
    "OnlineCurriculum": ("trainers", "trl"),
    "CurriculumScheduler": ("scheduler", None),
    "Completion": ("scheduler", None),
    "groups_of": ("scheduler", None),
    "Group": ("strategies", None),
    "Strategy": ("strategies", None),
    "Ladder": ("scheduler", None),
    "ladder_of": ("scheduler", None),
    "RecAdam": ("recadam", "torch"),
}


def require(module: str, extra: str) -> ModuleType:
    """Return a module that an optional extra installs; an ImportError says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{module!r} could not be imported ({error}); it is an optional dependency. Install it "
            f'with: pip install "logic-curriculum[{extra}]"'
        ) from error


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, needed = _MODULES[name]
    if needed:
        require(needed, extra="train")
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
