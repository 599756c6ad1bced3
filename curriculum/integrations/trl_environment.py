"""A multi-turn environment for TRL: the model submits answers, and hears what is wrong with them.

GRPOTrainer(model, submission_reward, args, dataset, environment_factory=SubmitEnvironment)

**What a model may hear.** A finding says what comes of running the answer on what the prompt shows:
the rule on the trains shown, the formulas in the structure. It never compares with the key, or with
anything that the prompt keeps back. So it tells nothing that a model could not have found out by
checking its answer.

- ``slr``: whether the rule can be run, and the first train shown that it gets wrong. That all are
  right, but not whether the rule is accepted: fresh trains stay out of it.
- ``countermodel``: what is wrong with the structure, or that it is a countermodel.
- Other families: nothing. To say that a number, a formula or a choice is wrong is to compare it
  with the key, and of two verdicts the other one would be the answer.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from logic_curriculum.rewards import RewardFunction, judge
from logic_curriculum.rewards.completions import Completion
from logic_curriculum.rewards.judge import as_mapping

RECORDED = "recorded"
TOLD = ("slr", "countermodel")  # Families whose findings are told
LONGEST = 300  # characters of a finding; it may quote the answer


def as_completion(answer: str) -> str:
    """Return the completion whose last answer block holds an answer."""
    return f"<answer>\n{answer}\n</answer>"


def finding(family: str, answer: str, verification: Any) -> str:
    """Return the feedback that may be given on an answer, ``"recorded"`` if there is none.

    ``answer`` is the content of an answer block, ``verification`` a mapping or its JSON text.
    """
    if family not in TOLD:
        return RECORDED
    verdict = judge(family, as_completion(answer), as_mapping(verification))
    if verdict.reward is None:
        return RECORDED
    if family == "slr" and verdict.metrics["fits"]:
        return "right on all examples shown"
    return verdict.explanation[:LONGEST]


INSTRUCTION = """

Give your answer by the tool `submit`, and nothing but what the tags would hold. The tool may tell \
what is wrong with it. You may submit {count} times at most; the last answer counts, and each one \
after the first costs {cost:g} of a reward of 1."""


class SubmitEnvironment:
    """One task, answered by calls of the tool :meth:`submit`; for ``environment_factory``.

    TRL makes an instance for each rollout, and calls :meth:`reset` with a row's columns, of which
    ``family`` and ``verification`` are needed. Chat prompts only (``to_row(conversational=True)``).
    For other settings give ``functools.partial(SubmitEnvironment, max_submissions=3, cost=0.4)``.

    Args:
        max_submissions: How many answers are taken; what is submitted later is not looked at.
        cost: What each answer after the first takes from the reward.

    Raises:
        ValueError: If a right last answer could end up with a reward of 0 or less.
    """

    def __init__(self, max_submissions: int = 2, cost: float = 0.5) -> None:
        if max_submissions < 1 or cost < 0 or cost * (max_submissions - 1) >= 1:
            raise ValueError(
                f"max_submissions is {max_submissions} and cost {cost}, but a right answer has to "
                "earn more than 0 in the end: keep cost · (max_submissions - 1) in [0, 1)."
            )
        self.max_submissions, self.cost = max_submissions, cost
        self.family, self.verification, self.answers = "", None, list[str]()

    def reset(self, **columns: Any) -> str:
        """Take on a row's task, and return what is to be added to its prompt."""
        if missing := [name for name in ("family", "verification") if columns.get(name) is None]:
            raise ValueError(
                f"The row has no {missing[0]!r}, only {sorted(columns)}, so answers can't be "
                "judged: make rows by Task.to_row(conversational=True)."
            )
        self.family, self.verification = columns["family"], columns["verification"]
        self.answers = []
        return INSTRUCTION.format(count=self.max_submissions, cost=self.cost)

    def submit(self, answer: str) -> str:
        """Submit an answer, and read what is wrong with it.

        Args:
            answer: The answer alone, without any thoughts.

        Returns:
            What was found, and how often you may submit again.
        """
        if not isinstance(answer, str):
            raise TypeError(f"answer is a {type(answer).__name__}, but it has to be a text")
        left = self.max_submissions - len(self.answers)
        if not left:
            return "not taken: no submissions are left"
        answer = answer.encode(errors="replace").decode()  # JSON can hold half a character
        # First of all it is kept: TRL turns what a judge may raise below into a message to the
        # model, but the reward judges the answer again, and raises.
        self.answers.append(answer)
        return f"{finding(self.family, answer, self.verification)}; submissions left: {left - 1}"

    @property
    def completion(self) -> str:
        """The last answer, as a completion that a judge reads; empty if there was none."""
        return as_completion(self.answers[-1]) if self.answers else ""

    @property
    def charge(self) -> float:
        """What the answers after the first cost."""
        return self.cost * max(0, len(self.answers) - 1)


class SubmissionReward(RewardFunction):
    """Pays the last answer of each environment, less what the answers before it cost.

    The reward is that of the family less ``cost`` for each answer after the first. It is above 0
    for a right answer, however late, and down to ``-cost · (max_submissions - 1)`` for a wrong one:
    if failing were free, trying answers in turn would pay, and so another try pays only if it is
    right with a probability above ``cost``. No answer earns 0. ``None`` stays ``None``.
    """

    def __call__(
        self,
        completions: Iterable[Completion],
        verification: Iterable[Any] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return one reward per rollout; what it says outside of the tool is not read."""
        environments: Sequence[SubmitEnvironment] | None = columns.get("environments")
        if environments is None:
            raise ValueError(
                f"{self.__name__} got no environments, so nothing was submitted: give the trainer "
                "environment_factory=SubmitEnvironment, or use logic_reward."
            )
        if log_metric is not None:
            log_metric("submissions", sum(len(e.answers) for e in environments) / len(environments))
        rewards = super().__call__(
            [environment.completion for environment in environments],
            [environment.verification for environment in environments],
            log_metric,
            log_extra,
            family=[environment.family for environment in environments],
        )
        return [
            None if reward is None else reward - environment.charge
            for reward, environment in zip(rewards, environments, strict=True)
        ]


submission_reward = SubmissionReward("submission_reward")
"""The reward function to give to the trainer beside ``environment_factory``."""
