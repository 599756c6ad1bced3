"""DeepSpeed's CPU code, which it compiles when it is first needed: minutes that no test may spend.

What was compiled is kept in the virtual environment. In torch's own place for it, two environments
would replace each other's in turn.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

BUILD = "from deepspeed.ops.op_builder.cpu import {0}; {0}().load()"
LIMIT = 2400  # seconds to compile both, on a busy machine


def build(config: pytest.Config) -> None:
    """Compile what ZeRO-3 with offload needs on CPU processes, unless it is there already."""
    pytest.importorskip("deepspeed", reason='pip install "logic-curriculum[deepspeed]"')
    place = Path(os.environ.setdefault("TORCH_EXTENSIONS_DIR", f"{sys.prefix}/torch_extensions"))
    refuse_abandoned_locks(place)
    if not place.is_dir():
        with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"\nDeepSpeed compiles its CPU optimizer into {place}: minutes, once", flush=True)
    compilations = [
        subprocess.Popen(
            [sys.executable, "-c", BUILD.format(name)], stderr=subprocess.PIPE, text=True
        )
        for name in ("CPUAdamBuilder", "ShareMemCommBuilder")
    ]
    for compilation in compilations:
        (_, errors) = compilation.communicate(timeout=LIMIT)
        assert compilation.returncode == 0, errors[-3000:]


def refuse_abandoned_locks(place: Path) -> None:
    """Fail if a compilation was killed: torch would wait for its end, for ever and silently."""
    for lock in place.glob("*/lock"):
        if time.time() - lock.stat().st_mtime > LIMIT:
            pytest.fail(f"{lock} was left by a compilation that was killed: delete it.")
