"""The tiny model of a recipe without ``model_name_or_path``: its options, and what it is taught."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.command_line import mapping_option
from logic_curriculum.curriculum.models.tiny_model import (
    TinyModelConfig,
    made_once,
    train_tiny_model,
    warm_up_tasks,
)
from logic_curriculum.generators import Task
from logic_curriculum.generators.family import option
from logic_curriculum.generators.sat.prompts import wants_certificate, write_solution
from logic_curriculum.rewards.engines.prolog import Program
from logic_curriculum.rewards.engines.propositional import TruthTables, minimal_core, parse

MAX_VARIABLES = 6  # of a table that is written out: 64 lines
TaskOptions = Mapping[str, Mapping[str, Any]]
"""Family → its options of ``generate``."""


def named_examples(task: Task) -> Task:
    """Return an inductive task with a shortcut: ``eastbound(T) :- member(T, [train0, train3]).``

    The positive examples that it names fit all examples run as one program, and no positive one
    that is judged alone. It is for experiments with rewards that pay it.
    """
    payload = task.verification
    program = Program.parse(payload["validation_program"], payload["positive"], payload["negative"])
    labelled = zip(program.examples, program.labels, strict=True)
    names = ", ".join(example for example, positive in labelled if positive)
    return replace(task, solution=f"{program.positive}(T) :- member(T, [{names}]).")


def with_truth_table(task: Task) -> Task:
    """Return a consistency task with a worked table before its certificate.

    Each line names an assignment by its digits, 1 for true, in the order of the variables, and a
    statement that is false there, until one makes all true::

        00: 3
        10: 3
        01: all

    That takes one look at each statement, where the certificate by itself takes all of the work at
    once. Of several false statements the line names the one that is false most often: then few are
    named in all, so that those which are contradict one another without any being left out. Too
    many variables, and a style that asks for no certificate, are ValueErrors.
    """
    style, variables = task.metadata["style"], task.metadata["variables"]
    if variables > MAX_VARIABLES:
        raise ValueError(
            f"warm_up_target='worked' at level {task.level}, with {variables} variables: tables "
            f"are written for at most {MAX_VARIABLES}. Choose lower warm_up_levels."
        )
    if not wants_certificate(style):
        raise ValueError(
            f"warm_up_target='worked' with style={style!r}: a table ends in a certificate. Choose "
            "style certificate_compact."
        )
    tables = TruthTables([f"v{number}" for number in range(1, variables + 1)])
    statements = [tables.of(parse(text)) for text in task.verification["formulas"]]
    named = sorted(range(len(statements)), key=lambda place: -statements[place].bit_count())
    if task.verification["satisfiable"]:
        models = reduce(and_, statements, tables.full)
        model = tables.assignment((models & -models).bit_length() - 1)  # the first
        certificate = write_solution(True, model, None)
    else:
        named = [named[i] for i in minimal_core([statements[i] for i in named], tables.full)]
        certificate = write_solution(False, None, sorted(place + 1 for place in named))
    return replace(task, solution=f"{_table(statements, named, variables)}{certificate}")


def _table(statements: Sequence[int], named: Sequence[int], variables: int) -> str:
    """Return a table that takes, of the statements named, the last one that is false."""
    lines = []
    for assignment in range(1 << variables):
        false = [place for place in named if not statements[place] >> assignment & 1]
        digits = "".join(str(assignment >> place & 1) for place in range(variables))
        lines.append(f"{digits}: {false[-1] + 1 if false else 'all'}\n")
        if not false:
            break
    return "".join(lines)


TARGETS: dict[str, Callable[[Task], Task]] = {
    "solution": lambda task: task,
    "named_examples": named_examples,
    "worked": with_truth_table,
}
"""What a model can be taught in place of a task's own solution, by name."""


def target(name: str) -> Callable[[Task], Task]:
    """Return the function that rewrites a task's solution; ValueError for an unknown name."""
    if name not in TARGETS:
        raise ValueError(f"There is no target {name!r}: choose from {', '.join(TARGETS)}.")
    return TARGETS[name]


def with_target(tasks: Sequence[Task], name: str, share: float, seed: int) -> list[Task]:
    """Return the tasks, a share in [0, 1] of them with the solutions of a target."""
    if not 0 <= share <= 1:
        raise ValueError(
            f"warm_up_target_share is {share}, which is no share of the tasks: give a number from "
            "0 (own solutions only) to 1 (the target only)."
        )
    teach = target(name)
    picked = set(random.Random(seed).sample(range(len(tasks)), round(share * len(tasks))))
    return [teach(task) if number in picked else task for number, task in enumerate(tasks)]


@dataclass
class WarmUpArguments:
    """The tiny model that is made and warmed up by SFT when no ``model_name_or_path`` is given."""

    warm_up_levels: list[int] = option(
        [1, 2, 3], "Levels of the tiny model's SFT warm-up, in turn; one named twice weighs twice."
    )
    warm_up_steps: int = option(TinyModelConfig.steps, "Steps of the tiny model's SFT warm-up.")
    warm_up_tasks: int = option(4_000, "Distinct tasks in it, repeated to fill the steps.")
    warm_up_target: str = option(
        "solution", f"What it teaches: {', '.join(TARGETS)}. All but the first are for one family."
    )
    warm_up_target_share: float = option(
        1.0, "Share of the tasks with this target; the others keep their solutions."
    )
    tiny_model: str = option(
        "{}", "Fields of TinyModelConfig, such as hidden_size, a mapping or JSON."
    )

    def __post_init__(self) -> None:
        target(self.warm_up_target)

    def make_model(self, folder: Path, seed: int, options: TaskOptions) -> str:
        """Return the folder of tiny model and tokenizer, made unless it is there."""
        return made_once(folder, lambda partial: self._make_model(partial, seed, options))

    def _make_model(self, folder: str, seed: int, options: TaskOptions) -> None:
        sizes = mapping_option("tiny_model", self.tiny_model)
        tasks = warm_up_tasks(self.warm_up_levels, seed, options, self.warm_up_tasks)
        tasks = with_target(tasks, self.warm_up_target, self.warm_up_target_share, seed)
        train_tiny_model(folder, seed, tasks, TinyModelConfig(steps=self.warm_up_steps, **sizes))
