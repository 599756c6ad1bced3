"""Which level next: a scheduler, its link to TRL's trainers, and an optimizer that recalls.

Names are resolved when first used, so that the scheduler needs neither torch nor TRL.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logic_curriculum.curriculum.callback import CurriculumCallback
    from logic_curriculum.curriculum.config import CurriculumConfig
    from logic_curriculum.curriculum.dataset import CurriculumDataset
    from logic_curriculum.curriculum.ladder import Ladder, ladder_of
    from logic_curriculum.curriculum.recadam import RecAdam
    from logic_curriculum.curriculum.scheduler import CurriculumScheduler
    from logic_curriculum.curriculum.trainers import CurriculumGRPOTrainer

__all__ = [
    "CurriculumCallback",
    "CurriculumConfig",
    "CurriculumDataset",
    "CurriculumGRPOTrainer",
    "CurriculumScheduler",
    "Ladder",
    "RecAdam",
    "ladder_of",
]

_MODULES = {
    "CurriculumCallback": "callback",
    "CurriculumConfig": "config",
    "CurriculumDataset": "dataset",
    "CurriculumGRPOTrainer": "trainers",
    "CurriculumScheduler": "scheduler",
    "Ladder": "ladder",
    "ladder_of": "ladder",
    "RecAdam": "recadam",
}
_NEEDS = {
    "CurriculumCallback": "transformers",
    "CurriculumGRPOTrainer": "trl",
    "RecAdam": "torch",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _NEEDS:
        from logic_curriculum.curriculum.requirements import require

        require(_NEEDS[name], extra="train")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
