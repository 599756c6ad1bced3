"""verl's dataset with a curriculum: a row is chosen at the level that is due when it is fetched.

    data.custom_cls.path=pkg://logic_curriculum.curriculum.integrations.verl_curriculum
    data.custom_cls.name=CurriculumRLHFDataset
    data.dataloader_num_workers=0
    +data.curriculum.families=[slr] +data.curriculum.pass_threshold=0.8
    trainer.use_v1=False

verl calls ``on_batch_end`` of a dataset after each step of its legacy trainer. Its v1 trainer
tells a dataset nothing; this one then raises at the third batch, for the level would never move.
"""

from collections.abc import Mapping
from typing import Any

from verl.utils.dataset.rl_dataset import RLHFDataset

from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.scheduler import (
    Assignment,
    Completion,
    CurriculumScheduler,
    groups_of,
)


class CurriculumRLHFDataset(RLHFDataset):
    """RLHFDataset over files of ``write_parquet``, whose training rows follow a curriculum.

    An item is a slot: the next one, whatever index is asked for. The scheduler says which family
    and level it is, and the slot's seed which row of these; rows of families or levels that the
    curriculum does not train are never chosen. A file of another split comes as it is.
    The state goes into verl's checkpoints with that of the data loader. verl writes them before it
    reports the last batch, so a resumed run has not counted that one.

    Raises:
        ValueError: If the settings can't work, or a level of the curriculum has no rows.
        RuntimeError: If the trainer does not report its batches.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        infos = self.dataframe["extra_info"][:]
        self.scheduler: CurriculumScheduler | None = None
        if not infos or infos[0].get("split") != "train":
            return
        if self.config.get("dataloader_num_workers", 0):
            raise ValueError(
                f"data.dataloader_num_workers is {self.config.dataloader_num_workers}, but worker "
                "processes hold copies of the curriculum, whose level never moves: set it to 0."
            )
        settings = {
            name: _plain(value) for name, value in self.config.get("curriculum", {}).items()
        }
        self.scheduler = CurriculumScheduler(CurriculumConfig(**settings))
        self._rows: dict[Assignment, list[int]] = {}
        for place, info in enumerate(infos):
            self._rows.setdefault(Assignment(info["family"], info["level"]), []).append(place)
        self._check_rows(self.scheduler)
        sizes = (self.config.get("gen_batch_size"), self.config.get("train_batch_size"))
        self._most_pending = 2 * max(size or 1 for size in sizes)
        self._slot = self._step = self._pending = 0

    def _check_rows(self, scheduler: CurriculumScheduler) -> None:
        for family in scheduler.families:
            levels = scheduler.strategy(family).levels
            if missing := [level for level in levels if (family, level) not in self._rows]:
                raise ValueError(
                    f"The files have no rows of {family} at the levels {missing}, which the "
                    "curriculum may ask for: write some, or set first_level and last_level of "
                    "data.curriculum. Rows may also have been dropped as longer than "
                    "data.max_prompt_length."
                )

    def __getitem__(self, item: int) -> dict[str, Any]:
        """Return the row of the next slot, or, without a curriculum, the item."""
        if self.scheduler is None:
            return dict(super().__getitem__(item))
        if self._pending >= self._most_pending:
            raise RuntimeError(
                f"{self._pending} rows were fetched and no batch was reported, so the level can't "
                "move. verl's v1 trainer reports none: set trainer.use_v1=False."
            )
        slot = self._slot
        self._slot, self._pending = slot + 1, self._pending + 1
        rows = self._rows[self.scheduler.assign(slot)]
        row = dict(super().__getitem__(rows[self.scheduler.task_seed(slot) % len(rows)]))
        row["extra_info"] = {**row["extra_info"], "slot": slot}
        return row

    def on_batch_end(self, batch: Any) -> None:
        """Move the levels on what ``compute_score`` said of a batch; verl calls this."""
        if self.scheduler is None:
            return
        known = batch.non_tensor_batch
        if missing := [name for name in ("extra_info", "acc", "graded") if name not in known]:
            raise ValueError(
                f"The batch has no {missing[0]!r}, only {sorted(known)}, so it doesn't say what "
                "was solved: use our compute_score as reward.custom_reward_function."
            )
        columns = (known["extra_info"], known["acc"], known["graded"])
        rewards = batch.batch["token_level_scores"].sum(-1).tolist()
        groups = groups_of(
            Completion(info["slot"], info["family"], info["level"], acc if graded else None, reward)
            for info, acc, graded, reward in zip(*columns, rewards, strict=True)
        )
        self._step, self._pending = self._step + 1, 0
        for move in self.scheduler.observe(groups, self._step):
            print(
                f"curriculum, step {move.step}: {move.kind} at level {move.level} of {move.family}"
            )

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the run, for the data loader's checkpoint."""
        if self.scheduler is None:
            return {}
        return {"scheduler": self.scheduler.state_dict(), "slot": self._slot, "step": self._step}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        if self.scheduler is not None:
            self.scheduler.load_state_dict(state["scheduler"])
            self._slot, self._step, self._pending = state["slot"], state["step"], 0


def _plain(value: Any) -> Any:
    """Return a list for OmegaConf's, which a configuration doesn't take for one."""
    return value if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)
