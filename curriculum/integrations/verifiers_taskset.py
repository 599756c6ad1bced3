"""Our families as a taskset of verifiers, with an environment that asks each task once.

An answer that could not be graded is our failure, never a 0: the reward raises, so that verifiers
records an error of the task, leaves the rollout out of its means, and asks it again at
``--resume``. No completion can bring that about.

Run as a script, this module prints the folder of the package to install for ``vf-eval``.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.generators.sampling import level_tasks
from logic_curriculum.rewards import judge

if __name__ == "__main__":
    print(Path(__file__).with_name("verifiers_environment"))
    raise SystemExit

require("verifiers.v1", extra="verifiers")

import verifiers.v1 as vf
from openai import AsyncOpenAI
from pydantic import Field


class LogicData(vf.TaskData):
    """What a task's record holds beside its prompt."""

    family: str
    level: int
    seed: int
    solution: str
    """One answer that the judge accepts."""
    verification: dict[str, Any]
    """What the judge needs; see ``docs/rewards.md``."""


class LogicTask(vf.Task[LogicData]):
    """One task, graded by its family's judge."""

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Return the family's reward, and record all else that the judge found."""
        verdict = judge(self.data.family, trace.last_reply, self.data.verification)
        if verdict.reward is None:
            raise RuntimeError(f"not graded: {verdict.explanation}")
        scores = {"solved": verdict.solved, "syntax": verdict.syntax, "partial": verdict.partial}
        trace.record_metrics({**scores, **verdict.metrics})
        trace.info |= {"answer": verdict.answer, "explanation": verdict.explanation}
        return verdict.reward

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the solution is accepted, for ``vf-validate``."""
        return judge(self.data.family, self.data.solution, self.data.verification).solved


class LogicTasksetConfig(vf.TasksetConfig):
    """Which tasks: those that Inspect's task ``logic`` asks for the same values."""

    family: str = "slr"
    levels: list[int] = Field(default_factory=list)
    """By default all of the family, or of its preset."""
    tasks_per_level: int = 20
    task_seed: int = 0
    split: str = "test"
    task_options: Mapping[str, Any] = Field(default_factory=dict)
    """Options of the family, such as ``style``."""


class LogicTaskset(vf.Taskset[LogicTask, LogicTasksetConfig]):
    """Tasks of one family, levels in turn."""

    def load(self) -> Iterator[LogicTask]:
        """Make the tasks; a ``ValueError`` if a level has fewer."""
        c = self.config
        for task in level_tasks(
            c.family, c.levels, c.tasks_per_level, c.task_seed, c.split, **c.task_options
        ):
            known = {name: value for name, value in vars(task).items() if name != "metadata"}
            yield LogicTask(LogicData(**known, name=f"{task.family} level {task.level}"), c.task)


class LogicHarness(vf.Harness[vf.HarnessConfig]):
    """Asks a question once, in this process: no tools, no program to install."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Send the prompt to the rollout's own endpoint, which records the answer."""
        system, prompt = self.resolve_text_prompt(data)
        texts = {"system": system, "user": prompt}
        messages: Any = [{"role": role, "content": text} for role, text in texts.items() if text]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class LogicEnvConfig(vf.SingleAgentEnvConfig):
    """The environment of one agent, whose runtime is this machine; it runs no code."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class LogicEnv(vf.SingleAgentEnv, vf.Env[LogicEnvConfig]):
    """One question, one answer, one reward."""
