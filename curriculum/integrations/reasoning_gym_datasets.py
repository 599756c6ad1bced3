"""Our families as datasets of reasoning-gym, after :func:`register`.

reasoning-gym has no way to leave an answer out of a mean. So an answer that could not be graded,
which is our failure and never the model's, is judged again, and then a ``RuntimeError``; it is
never a 0. No completion can bring that about.
"""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, field, fields, make_dataclass
from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.generators import registry
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards import judge

PREFIX = "logic_curriculum_"


def register() -> list[str]:
    """Register each family as the dataset ``logic_curriculum_<family>``; return their names.

    A dataset's configuration has ``level``, ``seed`` and ``size``, and the family's options. What
    is registered already is left as it is.
    """
    factory = require("reasoning_gym.factory", extra="downstream")
    names = {PREFIX + family: family for family in registry.families()}
    for name, family in names.items():
        if name not in factory.DATASETS:
            factory.register_dataset(name, _dataset_class(name, family), _config_class(family))
    return [*names]


def _config_class(family: str) -> type:
    """Return the dataclass of a dataset's configuration, which reasoning-gym may change."""
    own = [("level", int, 1), ("seed", int | None, None), ("size", int, 500)]
    options = [
        (item.name, Any, field(default_factory=item.default_factory))
        if item.default_factory is not MISSING
        else (item.name, Any, item.default)
        for item in fields(registry.family(family).options)
    ]
    return make_dataclass(f"{family.title()}Config", [*own, *options])


def _dataset_class(name: str, family: str) -> type:
    """Return the class of a family's dataset; its base is reasoning-gym's."""
    from reasoning_gym.dataset import ProceduralDataset

    class LogicDataset(ProceduralDataset):
        """Tasks of one family at one level; an entry depends on level, seed and index only."""

        def __init__(self, config: Any) -> None:
            super().__init__(config=config, seed=config.seed, size=config.size)

        def __getitem__(self, idx: int) -> dict[str, Any]:
            options = asdict(self.config)
            level = options.pop("level")
            del options["seed"], options["size"]
            seed = derive_seed("reasoning-gym", family, self.seed, idx)
            task = registry.generate(family, level, seed, **options)
            metadata = {"source_dataset": name, "source_index": idx, "level": level, "seed": seed}
            metadata |= {"difficulty": {"level": level}, "verification": dict(task.verification)}
            return {"question": task.prompt, "answer": task.solution, "metadata": metadata}

        def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
            """Return the family's reward of an answer, or of a whole completion."""
            for _ in range(2):
                verdict = judge(family, answer or "", entry["metadata"]["verification"])
                if verdict.reward is not None:
                    return verdict.reward
            raise RuntimeError(f"{name}: the answer could not be graded: {verdict.explanation}")

    LogicDataset.__name__ = LogicDataset.__qualname__ = f"{family.title()}Dataset"
    return LogicDataset
