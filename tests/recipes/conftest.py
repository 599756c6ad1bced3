import sys

import deepspeed_ops
import pytest
from launching import ROOT, Launch

sys.path.insert(0, str(ROOT / "recipes"))  # where a recipe finds its modules when it is launched
sys.path.append(str(ROOT / "tests" / "generators"))  # the scripted endpoint
sys.path.append(str(ROOT / "tests" / "curriculum"))  # made-up records

TWO = ("--num_processes", "2", "--mixed_precision", "no")
PAIRS = {
    "cpu-2": ("cpu-2", ()),
    "zero3": ("zero3", TWO),
    "fsdp2": ("fsdp2", (*TWO, "tests/recipes/fsdp_on_cpu.py")),
}
"""What runs on two CPU processes: a file of accelerate_configs/, and flags on top of it."""


@pytest.fixture
def launch() -> Launch:
    return Launch()


@pytest.fixture(scope="session", params=PAIRS)
def pair(request: pytest.FixtureRequest) -> tuple[str, tuple[str, ...]]:
    """Return hardware and flags of two CPU processes, of each kind in turn.

    A test with this fixture limits its own time only (``func_only``): what DeepSpeed compiles
    beforehand has no part in it.
    """
    if request.param == "zero3":
        deepspeed_ops.build(request.config)
    return PAIRS[request.param]
