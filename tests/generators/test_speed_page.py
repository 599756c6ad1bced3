"""The page of speeds compares the generators of two checkouts, whatever folder it is run from."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GENERATE = "def generate(name, level, seed, **options):\n    {}\n"


@pytest.fixture
def maker(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from page import Maker

    return Maker


@pytest.mark.parametrize("package", ["logic_curriculum/generators", "generators"])
def test_an_older_checkout_makes_the_tasks_itself(maker, package, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    folder = tmp_path / package
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(GENERATE.format(f"open({str(tmp_path)!r} + '/made', 'w')"))
    older = maker(tmp_path)
    assert older.seconds("own", "slr", 1, "", 0, 1) >= 0
    older.process.terminate()
    assert (tmp_path / "made").exists()


def test_a_preset_that_the_older_checkout_lacks_is_no_row_s_rate(maker, tmp_path):
    (tmp_path / "generators").mkdir()
    (tmp_path / "generators" / "__init__.py").write_text(GENERATE.format("raise ValueError"))
    older = maker(tmp_path)
    assert older.seconds("own", "sat", 3, "hard3sat-paper", 0, 1) is None
    older.process.terminate()
