"""verl: a reward function, and Parquet files that its datasets read. Needs no verl itself.

verl finds the reward function by two options:

    reward.custom_reward_function.path=pkg://logic_curriculum.curriculum.integrations.verl
    reward.custom_reward_function.name=compute_score
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from datasets import Dataset

from logic_curriculum.generators.task import as_chat
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.completions import with_opening_mark

SOURCE = "logic_curriculum/"
"""What ``data_source`` begins with; the family follows, so that verl reports families apart."""


class NotGradableError(RuntimeError):
    """A completion could not be graded, which is never the model's fault."""


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    ungraded: float | None = None,
    opens_thought: bool = False,
) -> dict[str, float]:
    """Return the score of a completion and its metrics, as verl's reward managers take them.

    verl takes the keys of a batch from its first completion, so they are the same for all
    families: ``score``, the family's reward in [0, 1]; ``acc``, 1.0 if solved; ``syntax``, 1.0 if
    the answer could be read; ``partial`` in [0, 1]; ``graded``, 1.0 but for what follows.

    **Not gradable.** Where the judge returns ``None``, a :class:`NotGradableError` is raised. The
    v1 trainer then leaves out the completion, or in its asynchronous modes the whole group;
    the legacy trainer stops. With ``ungraded`` that number is the score, and ``graded`` is 0.0.

    Args:
        data_source: ``logic_curriculum/`` and the family.
        solution_str: The completion, as decoded by verl.
        ground_truth: The row's verification, a mapping or its JSON text.
        extra_info: Not read.
        ungraded: Score of what could not be graded; set it by ``reward_kwargs``.
        opens_thought: Whether the chat template ends in an opening thought mark, which completions
            then lack, so that one that is cut off in its thoughts has no answer.

    Raises:
        ValueError: If the row is of another data source, malformed, or of another version.
        NotGradableError: If the completion could not be graded.
    """
    family = data_source.removeprefix(SOURCE)
    if family == data_source:
        raise ValueError(
            f"data_source is {data_source!r}, but this function scores {SOURCE}FAMILY only: write "
            "the files with write_parquet, or score other rows by your own function."
        )
    text = with_opening_mark(solution_str) if opens_thought else solution_str
    verdict = judge(family, text, ground_truth)
    score = ungraded if verdict.reward is None else verdict.reward
    if score is None:
        raise NotGradableError(
            f"A completion of {family} could not be graded ({verdict.explanation}). To train on, "
            "give its score: reward.custom_reward_function.reward_kwargs.ungraded=0.0"
        )
    return {
        "score": score,
        "acc": float(verdict.solved),
        "syntax": float(verdict.syntax),
        "partial": verdict.partial,
        "graded": float(verdict.reward is not None),
    }


def verl_row(row: Mapping[str, Any], index: int, split: str) -> dict[str, Any]:
    """Return a row of ours in the columns that verl's RLHFDataset reads."""
    same = {name: row[name] for name in ("family", "level", "seed")}
    return {
        "data_source": f"{SOURCE}{row['family']}",
        "prompt": as_chat(row)["prompt"],
        "ability": "logic",
        "reward_model": {"style": "rule", "ground_truth": row["verification"]},
        "extra_info": {"split": split, "index": index, **same},
    }


def write_parquet(rows: Iterable[Mapping[str, Any]], path: str | Path, split: str) -> Path:
    """Write rows, as :meth:`Task.to_row` makes them, to a Parquet file for verl.

    ``split`` is what ``extra_info`` says of them: train, validation or test.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    written = [verl_row(row, index, split) for index, row in enumerate(rows)]
    Dataset.from_list(written).to_parquet(str(path))
    return Path(path)
