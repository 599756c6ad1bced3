"""Importing the library, making tasks and judging them ask nothing of the network."""

from __future__ import annotations

import json
import os
import subprocess
import sys

OPTIONAL = {
    "gradio",
    "inspect_ai",
    "lm_eval",
    "openenv",
    "ray",
    "reasoning_gym",
    "verifiers",
    "verl",
}
"""What an optional extra brings; modules that need it are left out where it is not installed."""
SCRIPT = """
import json, pkgutil, sys
from importlib import import_module

asked, lacking = [], []

def watch(event, arguments):
    is_local = event == "socket.connect" and isinstance(arguments[1], str | bytes)
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname") and not is_local:
        asked.append(f"{event} {arguments[1:]}")
        raise OSError("the network was asked for")

sys.addaudithook(watch)
import logic_curriculum
names = [m.name for m in pkgutil.walk_packages(logic_curriculum.__path__, "logic_curriculum.")]
for name in names:
    try:
        import_module(name)
    except ImportError as error:
        lacking.append(str(getattr(error.__cause__ or error, "name", error)))
from logic_curriculum.generators import families, generate
from logic_curriculum.rewards import judge
solved = {}
for name in families():
    task = generate(name, level=1, seed=7)
    solved[name] = judge(name, task.solution, task.verification).solved
print(json.dumps([names, lacking, asked, solved]))
"""


def test_nothing_is_asked_of_the_network_by_an_import_a_task_or_a_judge() -> None:
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_OFFLINE")}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    names, lacking, asked, solved = json.loads(done.stdout.splitlines()[-1])
    assert asked == []
    assert len(names) > 100
    assert OPTIONAL.issuperset(each.partition(".")[0] for each in lacking), lacking
    assert len(solved) >= 6
    assert all(solved.values())


def test_the_watch_sees_a_connection() -> None:
    marked = SCRIPT.replace(
        "import logic_curriculum\n",
        "import logic_curriculum, socket\n"
        "try: socket.create_connection(('localhost', 9))\nexcept OSError: pass\n"
        "print(json.dumps(asked)); sys.exit()\n",
        1,
    )
    done = subprocess.run([sys.executable, "-c", marked], capture_output=True, text=True)
    assert "socket.getaddrinfo" in done.stdout
