"""Which level next: a scheduler, its link to TRL's trainers, and an optimizer that recalls.

What needs torch or TRL is imported when it is first used, so that the scheduler needs neither.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.scheduler import (
    Completion,
    CurriculumScheduler,
    Ladder,
    groups_of,
    ladder_of,
)
from logic_curriculum.curriculum.strategies import Group, Strategy

if TYPE_CHECKING:
    from logic_curriculum.curriculum.callback import CurriculumCallback
    from logic_curriculum.curriculum.dataset import CurriculumDataset
    from logic_curriculum.curriculum.recadam import RecAdam
    from logic_curriculum.curriculum.trainers import (
        CurriculumGRPOTrainer,
        CurriculumRLOOTrainer,
        CurriculumSFTTrainer,
        OnlineCurriculum,
    )

__all__ = ["Completion", "CurriculumCallback", "CurriculumConfig", "CurriculumDataset"]
__all__ += ["CurriculumGRPOTrainer", "CurriculumRLOOTrainer", "CurriculumSFTTrainer"]
__all__ += ["CurriculumScheduler", "Group", "Ladder", "OnlineCurriculum", "RecAdam", "Strategy"]
__all__ += ["groups_of", "ladder_of", "require"]

_MODULES = {  # name → its module, imported when it is first used
    "CurriculumCallback": "callback",
    "CurriculumDataset": "dataset",
    "CurriculumGRPOTrainer": "trainers",
    "CurriculumRLOOTrainer": "trainers",
    "CurriculumSFTTrainer": "trainers",
    "OnlineCurriculum": "trainers",
    "RecAdam": "recadam",
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
    return getattr(require(f"{__name__}.{_MODULES[name]}", extra="train"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
