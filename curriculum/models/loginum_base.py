"""The small network that the LogiNumSynth recipes make on the spot, when no model is named.

It is pretrained on exercises in reading worlds that grow by and by, and then, if levels are given,
on tasks of the ladder, larger ones by and by, with a learning rate that starts anew. Its worlds are
told as clauses.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from logic_curriculum.curriculum.models.formal_tokenizer import make_tokenizer
from logic_curriculum.curriculum.models.loginum_exercises import (
    copying,
    looking_up,
    reading,
    reckoning,
    solving,
)
from logic_curriculum.curriculum.models.loginum_targets import check_target, with_target
from logic_curriculum.curriculum.models.tiny_model import TinyModelConfig, train_tiny_model
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.seeding import stream

Exercise = Callable[[Task, int, random.Random], Task]

STAGES: Sequence[tuple[float, Sequence[tuple[Exercise, int]]]] = (
    (0.26, [(copying, 2)]),
    (0.07, [(copying, 4)]),
    (0.3, [(looking_up, 2), (looking_up, 4), (reckoning, 8)]),
    (0.37, [(looking_up, 8), (reckoning, 8), (reading, 8), (solving, 4), (solving, 8)]),
)
"""Share of the steps, and what is practised in them by turns, on worlds of how many facts or
rules. What is to be kept has to be practised to the end."""
WARM_SHARE = 0.7
"""Share of the steps on tasks after which the last level is reached."""
VOCABULARY_STEPS = 50
"""Batches of tasks whose words the tokenizer knows, besides those of what is learnt."""
NETWORK = TinyModelConfig(
    hidden_size=64,
    layers=6,
    heads=2,
    intermediate_size=128,
    convolutions=True,
    matching_heads=True,
    initializer_range=0.1,
    batch_size=8,
    learning_rate=2e-3,
    sampling="sequential",
)
"""0.3 million parameters, three layers of convolution, three of attention. So narrow a network
makes many small steps in the time that a wide one needs for few, and looking things up is learnt in
steps."""


def pretrain(
    folder: str,
    seed: int,
    exercise_steps: int,
    steps: int,
    levels: Sequence[int],
    target: str,
    options: Mapping[str, Any],
) -> None:
    """Make the network and pretrain it.

    Args:
        folder: Where model and tokenizer are saved.
        seed: Seed of weights and tasks.
        exercise_steps: Steps on exercises.
        steps: Steps on tasks after that; each is of one level, so that little is padded.
        levels: Levels of the ladder in the order in which they are reached; one that stands
            twice is practised for twice as long.
        target: What is learnt; one of :data:`curriculum.models.loginum_targets.TARGETS`.
        options: Options of ``generate``; the language has to be ``clauses``.

    Raises:
        ValueError: The target does not exist, the language is another, or there are steps on tasks
            and no levels.
    """
    check_target(target, options["language"])
    if options["language"] != "clauses":
        raise ValueError(
            f"the language is {options['language']!r}, and the small network reads clauses only: "
            "set language to clauses, or name a model"
        )
    parts = [
        list(exercises(seed, exercise_steps, options)),
        list(growing_tasks(seed, steps, levels, target, options)),
    ]
    words = growing_tasks(seed, VOCABULARY_STEPS, (1, 2, 3), target, options)
    texts = (text for task in chain(*parts, words) for text in (task.prompt, task.solution))
    tokenizer = make_tokenizer(texts)
    model = None
    for tasks in filter(None, parts):
        config = replace(NETWORK, steps=len(tasks) // NETWORK.batch_size)
        model = train_tiny_model(folder, seed, tasks, config, tokenizer, model)


def exercises(seed: int, steps: int, options: Mapping[str, Any]) -> Iterator[Task]:
    """Yield the exercises of all batches, in order, on worlds of EL-EN; each is of one kind."""
    rng = stream("pretraining exercises", seed)
    for share, practised in STAGES:
        for _ in range(round(steps * share)):
            exercise, size = rng.choice(practised)
            for _ in range(NETWORK.batch_size):
                number = rng.randrange(2**62)
                task = generate(
                    "loginum", 1, number, **{**options, "split": "train", "preset": "EL-EN"}
                )
                yield exercise(task, size, rng)


def growing_tasks(
    seed: int, steps: int, levels: Sequence[int], target: str, options: Mapping[str, Any]
) -> Iterator[Task]:
    """Yield the tasks of all batches, in order.

    At each time the two highest levels reached so far are equally frequent.
    """
    if steps and not levels:
        raise ValueError(
            f"{steps} steps of pretraining on tasks, and no level to take them from: name levels, "
            "or set the steps to 0"
        )
    rng = stream("pretraining", seed)
    for step in range(steps):
        reached = min(len(levels), 1 + int(step / steps * len(levels) / WARM_SHARE))
        level = rng.choice(levels[max(0, reached - 2) : reached])
        for _ in range(NETWORK.batch_size):
            task = generate("loginum", level, rng.randrange(2**62), split="train", **options)
            yield with_target(task, target)
