"""Consistency tasks: labels by second judges, matched pairs, sentences that read back."""

import re
from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pytest
import z3
from sat_reader import Reader

from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.sat.levels import LEVELS, PRESETS
from logic_curriculum.generators.sat.sentences import load_theme

ALL_LEVELS = range(1, len(LEVELS) + 1)
SAT = family("sat")
make = partial(generate, "sat")


def tasks_of(seeds, levels=ALL_LEVELS, **options):
    return [generate("sat", level, seed, **options) for level in levels for seed in seeds]


# Labels


def nested(text):
    """Read a formula's text as a Python expression would be: into nested tuples."""
    tokens = re.findall(r"v\d+|[¬∧∨→()]", text)

    def read():
        token = tokens.pop(0)
        if token == "¬":
            return ("¬", read())
        if token != "(":
            return token
        parts, operator = [read()], None
        while (token := tokens.pop(0)) != ")":
            operator = token
            parts.append(read())
        return (operator, *parts)

    found = read()
    assert not tokens
    return found


def fold(tree, leaf, operators):
    if isinstance(tree, str):
        return leaf(tree)
    parts = [fold(part, leaf, operators) for part in tree[1:]]
    return operators[tree[0]](*parts)


def brute_force_models(texts, count):
    """Count models, all assignments at once in an array of truth values."""
    values = {
        f"v{number + 1}": (np.arange(2**count) >> number & 1).astype(bool)
        for number in range(count)
    }
    operators = {
        "¬": np.logical_not,
        "∧": lambda *parts: np.all(parts, axis=0),
        "∨": lambda *parts: np.any(parts, axis=0),
        "→": lambda left, right: ~left | right,
    }
    holds = np.ones(2**count, dtype=bool)
    for text in texts:
        holds &= fold(nested(text), values.__getitem__, operators)
    return int(holds.sum())


OF_Z3 = {"¬": z3.Not, "∧": z3.And, "∨": z3.Or, "→": z3.Implies}


def z3_satisfiable(solver, texts):
    solver.push()
    solver.add(*(fold(nested(text), z3.Bool, OF_Z3) for text in texts))
    answer = str(solver.check())
    solver.pop()
    return {"sat": True, "unsat": False}[answer]


def read_back(task):
    """Return the formulas as its sentences say them, each of which can be read in one way."""
    atoms = load_theme(task.metadata["theme"]).atoms
    literals = {}
    for name, text in task.verification["atoms"].items():
        (atom,) = [each for each in atoms if each.text.lower() == text[:-1].lower()]
        literals |= {atom.text: name, atom.negation: f"¬{name}"}
        literals |= {atom.text[:1].lower() + atom.text[1:]: name}
        literals |= {atom.negation[:1].lower() + atom.negation[1:]: f"¬{name}"}
    reader = Reader(literals)
    found = [reader.read(statement) for statement in task.metadata["statements"]]
    assert [len(each) for each in found] == [1] * len(found)
    return [text for (text,) in found]


def assert_labels_hold(tasks):
    solver = z3.Solver()
    labels = Counter()
    for task in tasks:
        payload = task.verification
        models = brute_force_models(payload["formulas"], task.metadata["variables"])
        assert models == task.metadata["models"]
        assert payload["satisfiable"] is (models > 0)
        assert payload["satisfiable"] is z3_satisfiable(solver, payload["formulas"])
        labels[payload["satisfiable"]] += 1
        if payload["atoms"]:
            assert read_back(task) == payload["formulas"]
            assert all(text in task.prompt for text in task.metadata["statements"])
    return labels


def test_brute_force_z3_and_reading_back_agree_with_the_labels():
    labels = assert_labels_hold(tasks_of(range(12)))
    assert min(labels.values()) > 40  # of 120, by a fair coin


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_second_judges_agree_on_twenty_thousand_tasks():
    labels = assert_labels_hold(
        generate("sat", level, seed) for level in ALL_LEVELS for seed in range(2000)
    )
    assert labels.total() == 20_000
    assert abs(labels[True] - 10_000) < 300  # 4 standard deviations of a fair coin


@pytest.mark.parametrize("preset", PRESETS)
def test_labels_of_presets_hold(preset):
    tasks = [make(level, seed, preset=preset) for level in (3, 4, 7, 11) for seed in range(4)]
    assert len(assert_labels_hold(tasks)) == 2


# Pairs


def twins(level, seed, **options):
    return [make(level, seed, target=target, **options) for target in ("sat", "unsat")]


@pytest.mark.parametrize("options", [{}, {"preset": "hard3sat"}, {"preset": "symbolic"}], ids=str)
def test_both_of_a_pair_are_equal_in_all_that_can_be_counted(options):
    levels = [5, 8] if options else ALL_LEVELS
    for level, seed in product(levels, range(4)):
        sat, unsat = twins(level, seed, language="english", **options)
        assert (sat.verification["satisfiable"], unsat.verification["satisfiable"]) == (True, False)
        for count in (len, lambda text: sorted(re.findall(r"\w+|\W", text.lower()))):
            assert count(sat.prompt) == count(unsat.prompt)
        texts = [task.verification["formulas"] for task in (sat, unsat)]
        bare = [[re.sub(r"v\d+", "v", text) for text in each] for each in texts]
        assert bare[0] == bare[1]
        leaves = [Counter(re.findall(r"¬?v\d+", " ".join(each))) for each in texts]
        assert leaves[0] == leaves[1]
        assert SAT.leak_key(sat) == SAT.leak_key(unsat)
        assert SAT.fingerprint(sat) != SAT.fingerprint(unsat)


def test_a_fair_coin_decides_which_of_a_pair_is_asked_about():
    drawn = [make(2, seed).verification["satisfiable"] for seed in range(400)]
    assert abs(sum(drawn) - 200) < 50  # 5 standard deviations


# Refused arguments


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"level": 11}, "levels are 1 to 10"),
        ({"preset": "hard"}, "hard3sat, hard3sat-paper, uniform"),
        ({"level": 20, "preset": "uniform"}, "levels 3-19"),
        ({"theme": "moon"}, "banking"),
        ({"theme": "banking", "preset": "symbolic"}, "ask for language='english'"),
        ({"target": "maybe"}, "sat, unsat"),
    ],
)
def test_bad_options_are_refused_with_the_choices(options, named):
    with pytest.raises(ValueError, match=named):
        make(**{"level": 3, "seed": 0, **options})
