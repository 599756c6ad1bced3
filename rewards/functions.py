"""The reward functions that TRL's trainers call, by name; the judges are in ``registry``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from logic_curriculum.rewards.completions import Completion, completion_texts, paired, plain
from logic_curriculum.rewards.judge import Judge, Verdict
from logic_curriculum.rewards.registry import JUDGES, installed_families, judge_of


class RewardFunction:
    """A reward function for TRL: completions and dataset columns in, one number each out.

    It is an object rather than a closure so that it can be pickled. All functions share the
    judges, which remember the batch they judged last, so several in one trainer cost one judgement.

    Args:
        name: Its ``__name__``, ``..._reward``, which is the key of its metrics.
        family: The family of all rows; ``None`` reads it from each row's ``family`` column.
        score: Which score of the verdict is the reward: ``"reward"``, ``"partial"`` or a key of
            its metrics.
        paper: Whether to score as the family's paper does; its metrics are then logged under
            ``<family>_paper``.
    """

    def __init__(
        self, name: str, family: str | None = None, score: str = "reward", paper: bool = False
    ) -> None:
        self.__name__ = name
        self.family, self.score, self.paper = family, score, paper

    def __call__(
        self,
        completions: Iterable[Completion],
        verification: Iterable[Any] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return one reward in [0, 1] per completion.

        It is ``None`` where a completion could not be graded, which TRL leaves out of the
        advantage. A ValueError says that columns and completions can't be paired or that a payload
        is malformed.

        Args:
            completions: Texts or conversational messages. They and columns are read in their order,
                whatever holds them: a list, an array, a pandas Series, a tensor.
            verification: One payload per completion, a mapping or its JSON text. Without it, the
                row's other columns are the payload, as in published data sets.
            log_metric: Gets ``<family>/`` and each name of :func:`batch_metrics`.
            log_extra: Gets the columns ``<name>/answer`` and ``<name>/explanation``.
            **columns: The dataset's other columns, and whatever else the trainer passes. Of
                ``prompts`` it matters whether one ends in an opening thought mark.
        """
        texts = completion_texts(completions, columns.get("prompts"))
        payloads = _payloads(verification, columns, len(texts))
        families = self._families(columns, len(texts))
        found: dict[int, Verdict] = {}
        for family in dict.fromkeys(families):
            rows = [index for index, name in enumerate(families) if name == family]
            judge = judge_of(family)
            judge = (self.paper and judge.paper) or judge
            its_payloads = [payloads[index] for index in rows]
            verdicts = judge.judge_batch([texts[index] for index in rows], its_payloads)
            judge.warn_of_training(its_payloads)
            found.update(zip(rows, verdicts, strict=True))
            if log_metric is not None:
                for name, value in batch_metrics(verdicts).items():
                    log_metric(f"{family}{'_paper' if self.paper else ''}/{name}", value)
        in_order = [found[index] for index in range(len(texts))]
        if log_extra is not None:
            log_extra(f"{self.__name__}/answer", [verdict.answer for verdict in in_order])
            log_extra(f"{self.__name__}/explanation", [v.explanation for v in in_order])
        return [self._paid(verdict) for verdict in in_order]

    def _paid(self, verdict: Verdict) -> float | None:
        if verdict.reward is None or self.score == "reward":
            return verdict.reward
        scores = {**verdict.metrics, "partial": verdict.partial}
        if self.score not in scores:
            raise ValueError(
                f"{self.__name__} pays {self.score!r}, but a verdict has only "
                f"{', '.join(sorted(scores))}: have the judge give each verdict that metric, or "
                "name another in its rewards."
            )
        return scores[self.score]

    def _families(self, columns: Mapping[str, Any], count: int) -> list[str]:
        if self.family is not None:
            given = columns.get("family")
            for index, name in enumerate(map(plain, () if given is None else given)):
                if name != self.family and name in (*JUDGES, *installed_families()):
                    raise ValueError(
                        f"Row {index} is of family {name!r}, but {self.__name__} judges "
                        f"{self.family}: use {name}_reward, or logic_reward, which judges any."
                    )
            return [self.family] * count
        if "family" not in columns:
            raise ValueError(
                f"{self.__name__} got no 'family' column, only {sorted(columns)}, so it can't "
                "choose a judge. Keep the generator's 'family' column in the dataset, or use the "
                "reward function of one family, such as slr_reward."
            )
        return [plain(family) for family in paired("family", columns["family"], count)]


def _payloads(verification: Any, columns: Mapping[str, Any], count: int) -> list[Any]:
    if verification is not None:
        return paired("verification", verification, count)
    lists = {}
    for name, column in columns.items():
        with suppress(ValueError):  # the trainer's other arguments are no columns
            lists[name] = paired(name, column, count)
    return [{name: column[index] for name, column in lists.items()} for index in range(count)]


def batch_metrics(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Return pass rate, syntax rate, mean partial score and the mean of every metric.

    They are those of the graded verdicts. A metric that only some have is averaged over those.
    """
    values: dict[str, list[float]] = {}
    for verdict in verdicts:
        if verdict.reward is not None:
            rates = {"pass_rate": float(verdict.solved), "syntax_rate": float(verdict.syntax)}
            for name, value in {**rates, "partial": verdict.partial, **verdict.metrics}.items():
                values.setdefault(name, []).append(value)
    return {name: sum(column) / len(column) for name, column in values.items()}


logic_reward = RewardFunction("logic_reward")
"""Judges rows of any family, by their ``family`` column."""
REWARDS: dict[str, RewardFunction] = {"logic_reward": logic_reward}
"""Every reward function by name; a family's default is ``<family>_reward``."""


def add_rewards(judge: Judge[Any]) -> None:
    """Add a family's reward functions to :data:`REWARDS`, and its judge to those that are known.

    They replace what the family had before. A name that is taken is a ``ValueError``.
    """
    family = judge.family
    functions = [RewardFunction(f"{family}_reward", family)]
    functions += [RewardFunction(name, family, score) for name, score in judge.rewards.items()]
    if judge.paper is not None:
        functions.append(RewardFunction(f"{family}_paper_reward", family, paper=True))
    found = {name: function for name, function in REWARDS.items() if function.family != family}
    for function in functions:
        name = function.__name__
        if name in found:
            raise ValueError(
                f"Family {family!r} can't have a reward {name!r}, since there is one of that name "
                "already: choose another name for the family or in the judge's rewards."
            )
        found[name] = function
    JUDGES[family] = judge
    REWARDS.clear()
    REWARDS.update(found)


for _judge in tuple(JUDGES.values()):
    add_rewards(_judge)


def reward_function(name: str) -> RewardFunction:
    """Return a reward function, also of an installed family; a ``ValueError`` if there is none."""
    # The family that the name begins with comes first, so that a broken one harms no other.
    for family in sorted(installed_families(), key=lambda known: not name.startswith(f"{known}_")):
        if name not in REWARDS:
            add_rewards(judge_of(family))
    if name not in REWARDS:
        raise ValueError(f"There is no reward {name!r}: choose from {', '.join(sorted(REWARDS))}.")
    return REWARDS[name]
