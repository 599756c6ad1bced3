"""The small network that the LogiNumSynth recipes make on the spot, when no model is named.

It is pretrained on worlds of the ladder: first it says their facts and rules again, so that it
learns to look things up, which nothing else has taught it; then it solves their tasks, larger ones
by and by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formal_tokenizer import make_tokenizer
from loginum_targets import with_reading, with_target
from tiny_model import TinyModelConfig, train_tiny_model

from generators import Task, generate
from generators.seeding import stream

READING_SHARE = 0.4
"""Share of the steps that practise reading."""
WARM_SHARE = 0.7
"""Share of the other steps after which the last level is reached."""


def network(steps: int) -> TinyModelConfig:
    """Return the network: 0.2 million parameters, two layers of convolution, two of attention.

    So narrow a network makes many small steps in the time that a wide one needs for few, and
    looking things up is learnt in steps.
    """
    return TinyModelConfig(
        hidden_size=64,
        layers=4,
        heads=2,
        intermediate_size=128,
        convolutions=True,
        matching_heads=True,
        initializer_range=0.1,
        steps=steps,
        batch_size=8,
        learning_rate=2e-3,
        sampling="sequential",
    )


def pretrain(
    folder: str,
    seed: int,
    steps: int,
    levels: Sequence[int],
    target: str,
    options: Mapping[str, Any],
) -> None:
    """Make the network and pretrain it.

    Args:
        folder: Where model and tokenizer are saved.
        seed: Seed of weights and tasks.
        steps: Batches; each is of one level, so that little is padded.
        levels: Levels of the ladder in the order in which they are reached; one that stands
            twice is practised for twice as long.
        target: What is learnt; one of :data:`loginum_targets.TARGETS`.
        options: Options of ``generators.generate``; the language has to be formal.
    """
    config = network(steps)
    tasks = growing_tasks(config, seed, levels, target, options)
    texts = (text for task in tasks for text in (task.prompt, task.solution))
    train_tiny_model(folder, seed, tasks, config, make_tokenizer(texts))


def growing_tasks(
    config: TinyModelConfig,
    seed: int,
    levels: Sequence[int],
    target: str,
    options: Mapping[str, Any],
) -> list[Task]:
    """Return the tasks of all batches, in order.

    Reading is practised on the first level; then at each time the two highest levels reached so far
    are equally frequent.
    """
    rng = stream("pretraining", seed)
    reading = round(config.steps * READING_SHARE)
    solving = config.steps - reading
    tasks = []
    for step in range(-reading, solving):
        reached = min(len(levels), 1 + int(max(0, step) / solving * len(levels) / WARM_SHARE))
        level = rng.choice(levels[max(0, reached - 2) : reached])
        for _ in range(config.batch_size):
            task = generate("loginum", level, rng.randrange(2**62), split="train", **options)
            tasks.append(with_target(task, target) if step >= 0 else with_reading(task, task.seed))
    return tasks
