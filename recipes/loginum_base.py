"""The small network that the LogiNumSynth recipes make on the spot, when no model is named.

It is pretrained on worlds that grow: first those of the ladder's lowest level, by and by larger
ones. What it learns is to look things up in a world, which nothing else has taught it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formal_tokenizer import make_tokenizer
from loginum_targets import with_target
from tiny_model import TinyModelConfig, train_tiny_model

from generators import Task, generate
from generators.seeding import stream

WARM_SHARE = 0.7
"""Share of the steps after which the last level is reached."""


def network(steps: int) -> TinyModelConfig:
    """Return the network: a million parameters, three layers of convolution, three of attention."""
    return TinyModelConfig(
        hidden_size=128,
        layers=6,
        heads=4,
        intermediate_size=256,
        convolutions=True,
        steps=steps,
        batch_size=16,
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
    """Return the tasks of all batches, in order: at each time the highest levels but one alike."""
    rng = stream("pretraining", seed)
    tasks = []
    for step in range(config.steps):
        reached = min(len(levels), 1 + int(step / config.steps * len(levels) / WARM_SHARE))
        level = rng.choice(levels[max(0, reached - 2) : reached])
        for _ in range(config.batch_size):
            task = generate("loginum", level, rng.randrange(2**62), split="train", **options)
            tasks.append(with_target(task, target))
    return tasks
