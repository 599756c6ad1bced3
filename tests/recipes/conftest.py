import sys

import pytest
from launching import ROOT, Launch

sys.path.insert(0, str(ROOT / "recipes"))  # where a recipe finds its modules when it is launched
sys.path.append(str(ROOT / "tests" / "generators"))  # the scripted endpoint


@pytest.fixture
def launch() -> Launch:
    return Launch()
