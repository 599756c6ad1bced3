"""What a dataset of this family needs beside its tasks: columns, sizes, and what not to share."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from typing import Any

from logic_curriculum.generators.loginum.presets import find_preset
from logic_curriculum.generators.task import Task


def published_sizes(level: int, *, preset: str | None = None) -> dict[str, int]:
    """Return the number of tasks of a level by split: of a preset, or of the ladder.

    Raises:
        ValueError: There is no such preset, or it has no such level.
    """
    if preset is None:
        return {"train": 1000, "validation": 20, "test": 50}
    return find_preset(preset)[1].sizes(level)


def fingerprint(task: Task) -> str:
    """Return a hash that is equal for tasks with the same facts, rules and query.

    Their order, the language and the style of the prompt don't count.
    """
    payload = task.verification
    content = [sorted(payload["facts"]), sorted(payload["rules"]), payload["query"]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def leak_key(task: Task) -> str:
    """Return what the tasks of other splits must not share: a hash of the gold process.

    It counts the forms and numbers of the rules and the values they use, but neither names nor the
    order of steps and conditions.
    """
    return str(task.metadata["process_key"])


def published_columns(task: Task) -> dict[str, Any]:
    """Return the task in raw columns: texts, formal representation and reasoning."""
    about, payload = task.metadata, task.verification
    return {
        "id": fingerprint(task),
        "facts": about["fact_sentences"],
        "rules": about["rule_sentences"],
        "query": about["query_sentence"],
        "answer": str(payload["answer"]),
        "reasoning": task.solution.splitlines()[1:-1],
        "formal_facts": payload["facts"],
        "formal_rules": payload["rules"],
        "formal_query": payload["query"],
        "depth": about["depth"],
    }


def versions() -> dict[str, str]:
    """Return the version of the library that inflects verbs in the sentences."""
    return {"lemminflect": version("lemminflect")}
