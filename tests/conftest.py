"""The option of published data, and the order of tests: the longest file comes first."""

import pytest

LONGEST = "test_sharded.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data", help="folder of published data, for tests that hold us beside it")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name != LONGEST)
