"""The order of the tests: the longest file comes first, so that no core waits for it at the end."""

import pytest

LONGEST = "test_sharded.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name != LONGEST)
