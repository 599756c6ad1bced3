"""Answers of language models on disk, under the hash of their question."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from logic_curriculum.generators.llm_records import Answer, Question

POLL_SECONDS = 0.05
"""How often it is looked whether another process has its answer."""


def default_folder() -> Path:
    """Return the folder of the cache where none is named: in the user's cache directory."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "logic-curriculum" / "llm"


@dataclass(frozen=True)
class AnswerCache:
    """A folder that any number of processes may read and write at the same time.

    Each answer is a JSON file of its own beside its question, so that it can be read and deleted by
    hand. A file appears when it is complete and on disk.
    """

    folder: Path

    def path(self, key: str) -> Path:
        """Return where the answer of a key is or will be."""
        return self.folder / key[:2] / f"{key}.json"

    def load(self, key: str) -> Answer | None:
        """Return a stored answer, or None if there is none.

        Raises:
            ValueError: The file is damaged.
        """
        path = self.path(key)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return Answer(**found["answer"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{path} holds no stored answer ({error}): it was changed by something else than "
                "this program. Delete the file, and the question is asked again."
            ) from error

    def store(
        self, key: str, model: str, options: Mapping[str, Any], question: Question, answer: Answer
    ) -> None:
        """Write an answer, for good before this returns."""
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "model": model,
            "options": options,
            "messages": question.messages,
            "sample": question.sample,
            "answer": asdict(answer),
        }
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        with partial.open("w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)

    @asynccontextmanager
    async def claim(self, key: str) -> AsyncIterator[None]:
        """Hold the right to ask a question; others, of any process, wait until it is given back.

        The system gives it back when a process dies.
        """
        path = self.path(key).with_suffix(".lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        while (file := _try_lock(path)) is None:
            await asyncio.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
            os.close(file)


def _try_lock(path: Path) -> int | None:
    """Return the descriptor of the locked file, or None if another holds it."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(file), os.stat(path)):  # else its holder has just removed it
            return file
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(file)
    return None
