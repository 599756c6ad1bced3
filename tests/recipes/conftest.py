import pytest
from launching import Launch


@pytest.fixture
def launch() -> Launch:
    return Launch()
