"""What strategies without reasoning solve: the rates that a model's are read beside."""

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from statistics import mode
from typing import Any

from datasets import load_dataset

from logic_curriculum.curriculum.evaluation.prompts import Question, language_of
from logic_curriculum.curriculum.evaluation.records import Record, grouped, judged
from logic_curriculum.curriculum.evaluation.tables import Mean, mean_percent
from logic_curriculum.generators import Task, registry
from logic_curriculum.generators.family import CANDIDATES
from logic_curriculum.rewards import judge_batch

MOST_EXAMPLES = 20_000  # training tasks among which the nearest neighbour is looked for


def best_constant(tasks: Sequence[Task], task_options: Mapping[str, Any]) -> list[bool]:
    """Return which tasks the best single answer solves; see :func:`constant_answer`."""
    return _solved(tasks, [constant_answer(tasks, task_options)] * len(tasks))


def constant_answer(tasks: Sequence[Task], task_options: Mapping[str, Any]) -> str:
    """Return the single answer that solves most of these tasks.

    It is picked on these very tasks, which favours it, among answers of their levels alike; of the
    middle level if they have none, as published questions.
    """
    family = registry.family(tasks[0].family)
    known = family.levels(task_options.get("preset"))
    levels = sorted({task.level for task in tasks}.intersection(known)) or [known[len(known) // 2]]
    found = (family.constant_answers(level, task_options) for level in levels)
    answers = list(dict.fromkeys(chain(*zip(*found, strict=False))))[:CANDIDATES]
    solved = _solved([task for task in tasks for _ in answers], answers * len(tasks))
    return answers[max(range(len(answers)), key=lambda n: sum(solved[n :: len(answers)]))]


def best_number(tasks: Sequence[Task]) -> Mean:
    """Return the accuracy in LogiNumSynth of the number that is right most often on these tasks."""
    answers = [task.verification["answer"] for task in tasks]
    return mean_percent(answer == mode(answers) for answer in answers)


def guesses(
    questions: Sequence[Question],
    examples: Sequence[tuple[str, str]],
    options: Mapping[str, Mapping[str, Any]],
) -> list[Record]:
    """Return the answers of the best constant, and of the nearest of ``examples`` by prompt.

    There is a constant for each family and language; ``options`` of tasks are by family.
    """
    groups = grouped(questions, lambda question: (question.task.family, language_of(question)))
    records = []
    for (family, language), own in groups.items():
        tasks, given = [question.task for question in own], dict(options[family])
        if language:
            given["language"] = language
        constant = constant_answer(tasks, given)
        records += judged(own, [constant] * len(own), "best constant")
        records += judged(own, most_similar_answers(tasks, examples), "nearest neighbour")
    return records


def nearest_neighbour(tasks: Sequence[Task], examples: Sequence[tuple[str, str]]) -> list[bool]:
    """Return which tasks the solution of the most similar example solves."""
    return _solved(tasks, most_similar_answers(tasks, examples))


def most_similar_answers(tasks: Sequence[Task], examples: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each task the solution of the most similar example.

    That is the one that shares the largest part of the pairs of successive words (Jaccard index).
    ``examples`` are prompts of training tasks with their solutions.
    """
    numbers: dict[tuple[str, str], int] = {}

    def pairs(prompt: str) -> int:  # a set, as bits
        own = {numbers.setdefault(pair, len(numbers)) for pair in pairwise(prompt.split())}
        return sum(1 << number for number in own)

    known = [pairs(prompt) for prompt, _ in examples]

    def most_similar(task: Task) -> str:
        own = pairs(task.prompt)
        shared = [(own & other).bit_count() / max(1, (own | other).bit_count()) for other in known]
        return examples[shared.index(max(shared))][1]

    return [most_similar(task) for task in tasks]


def _solved(tasks: Sequence[Task], answers: Sequence[str]) -> list[bool]:
    verdicts = judge_batch(tasks[0].family, answers, [task.verification for task in tasks])
    return [verdict.solved for verdict in verdicts]


def training_examples(folder: Path) -> list[tuple[str, str]]:
    """Return prompts and solutions of the training tasks that were built in a run folder.

    Of more than :data:`MOST_EXAMPLES` these are so many, drawn at random.
    """
    files = sorted(map(str, folder.glob("data/**/train/*.parquet")))
    if not files:
        return []
    rows = load_dataset("parquet", data_files=files, columns=["prompt", "completion"])["train"]
    if len(rows) > MOST_EXAMPLES:
        rows = rows.shuffle(seed=0).select(range(MOST_EXAMPLES))
    return [(row["prompt"], row["completion"]) for row in rows]
