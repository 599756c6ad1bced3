"""Consistency tasks: labels by second judges, matched pairs, sentences that read back."""

import random
import re
from collections import Counter
from functools import partial
from itertools import product
from math import comb

import numpy as np
import pytest
import z3
from sat_reader import Reader, random_formula

from logic_curriculum.generators import generate
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.sat.clauses import LEAF, TERNARY, depth, draw_structure
from logic_curriculum.generators.sat.levels import LEVELS, PRESETS, Config
from logic_curriculum.generators.sat.prompts import LANGUAGES, STYLES, say, sentence
from logic_curriculum.generators.sat.synthesis import (
    DrawError,
    draw_consistent,
    draw_pair,
    draw_set,
    shape_of,
)
from logic_curriculum.generators.sat.themes import Atom, load_theme
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import judge_batch
from logic_curriculum.rewards.engines.propositional import parse

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


def test_no_contradiction_needs_all_statements():
    for level, seed in product(ALL_LEVELS, range(5)):
        task = make(level, seed, target="unsat", style="certificate")
        core = re.findall(r"\d+", task.solution.partition("<certificate>")[2])
        assert len(core) < task.metadata["clauses"]


@pytest.mark.parametrize("mode", ["uniform", "3sat"])
def test_clauses_are_different_and_every_variable_occurs_in_none_twice(mode):
    config = Config(6, (18, 25), mode=mode, min_share=0.5)
    for seed in range(20):
        pair = draw_pair(config, stream("test", mode, seed))
        for found in (pair.consistent, pair.inconsistent):
            assert len(set(found.tables)) == len(found.clauses)
            assert {v for clause in found.clauses for v in clause.variables} == set(range(6))
            assert all(len(set(c.variables)) == len(c.variables) for c in found.clauses)
            assert shape_of(found.clauses) == pair.shape


def test_consistent_sets_are_drawn_as_sets_that_happen_to_be_consistent():
    # Three variables, seven of the eight clauses of three literals: a set leaves out one clause,
    # so it has one model; of six clauses, it has two. Each of the C(8,7) = 8 and C(8,6) = 28 sets
    # is consistent, and each must be equally frequent.
    config = Config(4, (9, 9), mode="3sat")
    object.__setattr__(config, "variables", 3)
    for count in (7, 6):
        found = Counter()
        rng = stream("planted", count)
        for _ in range(200 * comb(8, count)):
            drawn = draw_consistent(config, [TERNARY] * count, rng, tries=50)
            found[frozenset(drawn.tables)] += 1
        assert len(found) == comb(8, count)
        expected = 200
        squares = sum((each - expected) ** 2 / expected for each in found.values())
        assert squares < len(found) + 4 * (2 * len(found)) ** 0.5


def test_a_set_with_too_few_different_clauses_is_given_up():
    config = Config(3, (5, 5), max_depth=1)
    with pytest.raises(DrawError, match="too few"):
        draw_set(config, [LEAF] * 7, random.Random(0))  # six literals are all there are


# Structures and cells


def test_structures_keep_to_their_limits():
    for operators, deepest in (("¬∧∨→", 3), ("¬∨", 1), ("¬→", 2)):
        config = Config(6, (9, 9), operators=operators, max_depth=deepest)
        rng = random.Random(0)
        drawn = [draw_structure(config, rng) for _ in range(500)]
        assert max(map(depth, drawn)) == deepest
        assert max(each.leaves for each in drawn) <= 6
        used = set(re.findall("[¬∧∨→]", str(drawn)))
        assert used == set(operators)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        # no pair can have these sizes
        ({"clauses": (8, 8), "mode": "3sat"}, "Ask for 9 or more"),
        ({"clauses": (29, 29), "mode": "3sat"}, "always inconsistent"),
        ({"variables": 3, "clauses": (4, 4), "mode": "3sat"}, "Ask for 5 or more"),
        ({"variables": 2, "clauses": (9, 9), "mode": "3sat"}, "three different"),
        ({"clauses": (2, 2)}, "Ask for 3 or more"),
        ({"operators": "∧∨→"}, "without ¬"),
        # values out of range
        ({"variables": 1}, "variables\n.* 2"),
        ({"variables": 21}, "variables\n.* 20"),
        ({"clauses": (5, 4)}, "fewest first"),
        ({"mode": "cnf"}, "'uniform' or '3sat'"),
        ({"operators": "¬⊕"}, "operators"),
        ({"operators": "¬"}, "operators"),
        ({"max_depth": 0}, "max_depth"),
        ({"min_share": 0.9}, "min_share"),
    ],
)
def test_sizes_that_no_pair_can_have_are_refused(arguments, named):
    with pytest.raises(ValueError, match=named):
        Config(**{"variables": 4, "clauses": (9, 9), **arguments})


# Sentences

ATOMS = {f"v{number}": Atom(f"fact {number} is", f"fact {number} is not") for number in range(1, 4)}
LITERALS = {
    text: literal
    for name, atom in ATOMS.items()
    for text, literal in ((atom.text, name), (atom.negation, f"¬{name}"))
}


def test_formulas_of_any_nesting_are_said_so_that_they_can_be_read_in_one_way():
    reader = Reader(LITERALS)
    rng = random.Random(0)
    for deepest in (1, 2, 3, 5):
        for _ in range(100):
            text = random_formula(rng, list(ATOMS), deepest)
            if text.count("v") <= 14:  # every split of every part is tried
                assert reader.read(sentence(parse(text), ATOMS)) == {text}


def test_whatever_brackets_hold_is_one_compound():
    # Brackets are taken out from within, so that what is left shows one opening, or none.
    rng = random.Random(0)
    openings = r"\b(?:both|either|if|each of these is true|at least one of these is true)\b"
    for deepest in (1, 2, 3, 5):
        for _ in range(100):
            text = say(parse(random_formula(rng, list(ATOMS), deepest)), ATOMS)
            while "(" in text:
                inner = re.search(r"\(([^()]*)\)", text)
                assert len(re.findall(openings, inner[1])) == 1
                text = text.replace(inner[0], "a fact")
            assert len(re.findall(openings, text)) <= 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("v1", "fact 1 is"),
        ("¬v1", "fact 1 is not"),
        ("¬¬v1", "it is not the case that fact 1 is not"),
        ("¬(v1∨v2)", "it is not the case that (either fact 1 is, or fact 2 is)"),
        ("(v1∧¬v2)", "both fact 1 is, and fact 2 is not"),
        ("(v1∨v2)", "either fact 1 is, or fact 2 is"),
        ("(v1→v2)", "if fact 1 is, then fact 2 is"),
        ("(v1∧v2∧v3)", "each of these is true: fact 1 is, fact 2 is, and fact 3 is"),
        ("(v1∨v2∨v3)", "at least one of these is true: fact 1 is, fact 2 is, or fact 3 is"),
        (
            "((v1∨v2)→¬(v2→v3))",
            "if (either fact 1 is, or fact 2 is), "
            "then it is not the case that (if fact 2 is, then fact 3 is)",
        ),
    ],
)
def test_each_connective_has_words_of_its_own(text, said):
    assert say(parse(text), ATOMS) == said


# Tasks


def test_every_solution_solves_its_task_in_every_style_and_language():
    tasks = [
        make(level, seed, style=style, language=language)
        for level, seed in product(ALL_LEVELS, range(2))
        for style, language in product(STYLES, LANGUAGES)
    ]
    verdicts = judge_batch("sat", [t.solution for t in tasks], [t.verification for t in tasks])
    assert [verdict.reward for verdict in verdicts] == [1.0] * len(tasks)


@pytest.mark.parametrize("style", STYLES)
def test_a_prompt_shows_its_answer_block_and_repeating_it_is_not_paid(style):
    for language, seed in product(LANGUAGES, range(30)):
        task = make(2, seed, style=style, language=language)
        for tag in ("result", "certificate") if "certificate" in style else ("result",):
            assert f"<{tag}>" in task.prompt
            assert f"</{tag}>" in task.prompt
        (verdict,) = judge_batch("sat", [task.prompt], [task.verification])
        assert verdict.reward == 0.0


def test_style_and_language_do_not_change_the_clauses():
    for level in ALL_LEVELS:
        tasks = [make(level, 5, style=s, language=x) for s, x in product(STYLES, LANGUAGES)]
        assert len({str(task.verification["formulas"]) for task in tasks}) == 1


def test_tasks_depend_on_their_arguments_alone():
    assert generate("sat", 4, 7) == generate("sat", 4, 7)
    assert generate("sat", 4, 7).prompt != generate("sat", 4, 8).prompt
    assert generate("sat", 4, 7).prompt != generate("sat", 4, 7, split="test").prompt


def test_splits_share_no_shape():
    keys = {
        split: {SAT.leak_key(task) for task in tasks_of(range(30), (1, 2, 5), split=split)}
        for split in ("train", "validation", "test")
    }
    assert not keys["train"] & keys["test"]
    assert not keys["train"] & keys["validation"]
    assert not keys["validation"] & keys["test"]


def test_themes_and_targets_can_be_chosen():
    task = make(3, 0, theme="harbour", target="unsat")
    assert (task.metadata["theme"], task.verification["satisfiable"]) == ("harbour", False)
    assert make(5, 0, preset="hard3sat").metadata["theme"] == "banking"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"level": 11}, "levels are 1 to 10"),
        ({"preset": "hard"}, "hard3sat, uniform, symbolic"),
        ({"level": 20, "preset": "uniform"}, "levels 3-19"),
        ({"style": "terse"}, "full, compact"),
        ({"language": "german"}, "english, symbolic"),
        ({"theme": "moon"}, "banking"),
        ({"target": "maybe"}, "sat, unsat"),
        ({"split": "dev"}, "train, validation, test"),
    ],
)
def test_bad_options_are_refused_with_the_choices(options, named):
    with pytest.raises(ValueError, match=named):
        make(**{"level": 3, "seed": 0, **options})


def test_the_command_line_shows_tasks_and_levels(capsys):
    assert main(["sat", "--preset", "hard3sat", "--level", "4", "--show"]) == 0
    assert "<result>" in capsys.readouterr().out
    assert main(["sat", "--describe"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("min_share", "hard3sat", "uniform", "symbolic"))
