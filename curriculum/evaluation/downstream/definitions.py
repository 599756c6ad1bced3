"""Whether results are of the tasks that would be asked now: the definitions of tasks as digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import lm_eval
from lm_eval.tasks import TaskManager

HARNESS = Path(lm_eval.__file__).parent


def definitions(manager: TaskManager, names: Iterable[str]) -> dict[str, str]:
    """Return a digest of each task that is not the harness's own, whose version says enough.

    It is of the YAML, what that includes, and the Python files beside it, wherever they lie.
    """
    entries = {name: manager.task_index.get(name) for name in names}
    return {
        name: _digest(entry.cfg, entry.yaml_path.parent)
        for name, entry in entries.items()
        if entry is not None and entry.yaml_path and HARNESS not in entry.yaml_path.parents
    }


def _digest(configuration: object, folder: Path) -> str:
    as_written = json.dumps(str(folder))[1:-1]
    text = json.dumps(configuration, sort_keys=True, default=str).replace(as_written, "")
    digest = hashlib.sha256(text.encode())
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def check_unchanged(path: Path, manager: TaskManager) -> None:
    """Raise when a file of results is of tasks that are defined otherwise now.

    Raises:
        SystemExit: If so; the message names a task.
    """
    found = json.loads(path.read_text(encoding="utf-8"))
    then, now = found.get("definitions", {}), definitions(manager, found["asked"])
    changed = [name for name in found["asked"] if then.get(name) != now.get(name)]
    if changed:
        raise SystemExit(
            f"{path} holds results of the task {changed[0]}, which is defined otherwise now, in "
            "--include_path or in this package: choose another --output_dir, give the folder of "
            "that run, or delete the file to run it again."
        )
