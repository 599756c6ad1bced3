"""The tables of shortcuts are printed, and their learners find what can be found."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
SHORTCUTS = Path(__file__).parents[2] / "benchmarks/shortcuts"


@pytest.fixture(autouse=True)
def neighbours(monkeypatch):
    """A script finds its neighbours in its folder."""
    monkeypatch.syspath_prepend(SHORTCUTS)


@pytest.mark.parametrize("script", ["slr", "logicskills", "loginum", "sat"])
def test_every_family_has_its_tables(script, monkeypatch, capsys):
    monkeypatch.setattr("logic_curriculum.generators.family.CANDIDATES", 4)
    words = ["--levels", "1", "--tasks", "4", "--train", "12"]
    monkeypatch.setattr(sys, "argv", [script, *words])
    runpy.run_path(str(SHORTCUTS / f"{script}.py"), run_name="__main__")
    kinds = importlib.import_module(script).KINDS
    tables = capsys.readouterr().out.split("## ")[1:]
    assert [table.split("\n")[0] for table in tables] == list(kinds)
    for table in tables:
        rows = [row.split(" | ") for row in table.split("\n") if row.startswith("|")]
        assert {len(row) for row in rows} == {2}
        assert rows[0][1].startswith(("basic (", "level 1 ("))


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_learners_find_a_feature_of_the_right_option():
    common = importlib.import_module("common")

    def options(task):
        seen = [{f"noise {(task + n) % 5}": 1.0, f"right {n == task % 3}": 1.0} for n in range(3)]
        return [common.Option(str(n), seen[n], n == task % 3) for n in range(3)]

    for learner in common.LEARNERS:
        found = common.choose(learner, map(options, range(60)), list(map(options, range(60, 90))))
        assert found == [str(task % 3) for task in range(60, 90)], learner


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("level", "preset"), [(1, ""), (5, ""), (8, ""), (4, "uniform")])
def test_counts_hardly_tell_whether_texts_are_consistent(level, preset):
    common, sat = map(importlib.import_module, ("common", "sat"))
    kind, options = sat.KINDS["verdict"], {"style": "full"} | ({"preset": preset} if preset else {})
    train = common.make(kind, "train", 0, 2000, [level], options)
    test = common.make(kind, "test", common.FIRST_TEST_SEED, 2000, [level], options)
    (see,) = kind.options.values()
    for answers in common.learnt(see, train, test).values():
        assert sum(common.pay("sat_reward", answers, test)) / len(test) <= 0.55


@pytest.mark.slow
def test_words_beside_an_option_s_clauses_tell_little_of_a_validity_task():
    """600 tasks; no learner is three standard errors above chance, and another 0.01."""
    common, validity = (importlib.import_module(name) for name in ("common", "logicskills"))
    kind = validity.KINDS["validity"]
    train, test = (
        common.make(kind, *each, 200, [3, 4, 5], {}) for each in (("train", 0), ("test", 0))
    )
    answers = common.learnt(kind.options["words of options and premises"], train, test)
    for texts in answers.values():
        paid = common.pay(kind.reward, texts, test)
        assert sum(paid) / len(paid) < 1 / 6 + 3 * (5 / 36 / len(paid)) ** 0.5 + 0.01
