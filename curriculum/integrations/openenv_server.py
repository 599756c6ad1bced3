"""Our tasks behind HTTP, as an environment of OpenEnv.

uvicorn logic_curriculum.curriculum.integrations.openenv_server:app --port 8000

``reset`` takes what :func:`~logic_curriculum.generators.generate` takes, ``step`` an answer. A
wrong answer may be followed by another one; what is said of it and what it costs is as in
:class:`.SubmitEnvironment`.
"""

from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.integrations.trl_environment import (
    SubmitEnvironment,
    submission_reward,
)
from logic_curriculum.generators import generate

require("openenv.core", extra="openenv")

from openenv.core.env_server import Action, Environment, Observation, State, create_app


class Answer(Action):
    """An answer, as the content of an answer block; None lets the one before stand."""

    answer: str | None = None


class Found(Observation):
    """The prompt after ``reset``; after ``step`` what was found, and what the answer earns.

    ``reward`` is what the episode pays if it ends here, null before an answer or if the answer
    could not be graded, which is never its fault.
    """

    prompt: str = ""
    finding: str = ""


class LogicEnvironment(Environment[Answer, Found, State]):
    """One task; the episode ends with a right answer, with the last one, or with None.

    Args:
        max_submissions: How many answers are taken.
        cost: What each answer after the first takes from the reward.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, max_submissions: int = 2, cost: float = 0.5) -> None:
        super().__init__()
        self._submissions = SubmitEnvironment(max_submissions, cost)
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        family: str = "slr",
        level: int = 1,
        **options: Any,
    ) -> Found:
        """Begin with a task; a ``ValueError`` if there is no such family, level or option."""
        task = generate(family, level, seed or 0, **options)
        told = self._submissions.reset(**task.to_row())
        self._state = State(episode_id=episode_id)
        return Found(prompt=task.prompt + told)

    def step(self, action: Answer, timeout_s: float | None = None, **kwargs: Any) -> Found:
        """Judge an answer; a ``ValueError`` before ``reset``."""
        taken = self._submissions
        if taken.verification is None:
            raise ValueError("There is no task to answer yet: call reset first.")
        self._state.step_count += 1
        found = "the last answer stands" if action.answer is None else taken.submit(action.answer)
        (reward,) = submission_reward([""], environments=[taken])
        is_last = action.answer is None or len(taken.answers) == taken.max_submissions
        return Found(finding=found, reward=reward, done=is_last or reward is None or reward > 0)

    @property
    def state(self) -> State:
        """The episode's identifier and its number of steps."""
        return self._state


app = create_app(
    LogicEnvironment, Answer, Found, env_name="logic_curriculum", max_concurrent_envs=64
)
