"""Propositional formulas, truth tables and cores against brute force."""

import random
from itertools import combinations

import pytest
from propositional_reference import count_models, names_in, random_text, truth

from logic_curriculum.rewards.engines.propositional import (
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_VARIABLES,
    Compound,
    TruthTables,
    Variable,
    is_true,
    minimal_core,
    negation,
    parse,
    tables_are_minimal,
    variable_tables,
    variables,
)
from logic_curriculum.rewards.engines.reading import FormulaError

NAMES = [f"v{number}" for number in range(1, 6)]


def random_sets(count, clauses=(1, 6), depth=3):
    for seed in range(count):
        rng = random.Random(seed)
        number = rng.randint(*clauses)
        yield [random_text(rng, NAMES[: rng.randint(1, 5)], depth) for _ in range(number)]


def test_a_formula_is_printed_as_it_is_read():
    for texts in random_sets(200, depth=4):
        for text in texts:
            assert str(parse(text)) == text
            assert parse(str(parse(text))) == parse(text)
            assert sorted(variables(parse(text))) == names_in([text])


def test_spaces_are_free_and_operators_of_many_parts_are_not_nested():
    v1, v2, v3, v4 = map(Variable, NAMES[:4])
    expected = Compound("→", (v1, Compound("∨", (negation(v2), v3, v4))))
    assert parse(" ( v1 →(¬ v2∨v3 ∨v4) ) ") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v1 v2",
        "v1∧v2",  # brackets are obligatory
        "(v1)",
        "(v1∧v2∨v3)",  # which one comes first?
        "(v1→v2→v3)",
        "(v1∧)",
        "(∧v1)",
        "(v1∧v2",
        "v1)",
        "¬",
        "1v",
        "(v1&v2)",
        "(v1,v2)",
        "¬" * (MAX_DEPTH + 1) + "v1",
        "(" * 5000,
        "v" * (MAX_LENGTH + 1),
    ],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(FormulaError, match="at character"):
        parse(text)


def test_a_truth_table_says_of_every_assignment_what_brute_force_says():
    for texts in random_sets(100):
        formula = parse(texts[0])
        tables = TruthTables(variables(formula))
        table = tables.of(formula)
        for number in range(2 ** len(tables.names)):
            assignment = tables.assignment(number)
            assert bool(table >> number & 1) == truth(texts[0], assignment)
            assert is_true(formula, assignment) == truth(texts[0], assignment)


def test_model_counts_agree_with_brute_force():
    statuses = set()
    for texts in random_sets(120):
        formulas = [parse(text) for text in texts]
        expected = count_models(texts)
        tables = TruthTables(variables(*formulas))
        assert tables.all_of(formulas).bit_count() == expected
        statuses.add(expected > 0)
    assert statuses == {True, False}


def test_the_largest_tables_have_half_of_their_bits_set():
    tables = variable_tables(MAX_VARIABLES)
    assert [table.bit_count() for table in tables] == [2 ** (MAX_VARIABLES - 1)] * MAX_VARIABLES


def test_a_core_is_minimal_if_and_only_if_brute_force_satisfies_all_its_proper_parts():
    minimal = 0
    for texts in random_sets(600, clauses=(2, 5), depth=1):
        if count_models(texts):
            continue
        formulas = [parse(text) for text in texts]
        tables = TruthTables(variables(*formulas))
        expected = all(count_models(part) for part in combinations(texts, len(texts) - 1))
        assert tables_are_minimal([*map(tables.of, formulas)], tables.full) is expected
        minimal += expected
    assert minimal > 10


def test_minimal_core_returns_an_unsatisfiable_and_minimal_part():
    found = 0
    for texts in random_sets(300, clauses=(3, 8), depth=2):
        formulas = [parse(text) for text in texts]
        tables = TruthTables(variables(*formulas))
        if tables.all_of(formulas):
            continue
        places = minimal_core([tables.of(f) for f in formulas], tables.full)
        part = [texts[place] for place in places]
        assert count_models(part) == 0
        assert all(count_models(rest) for rest in combinations(part, len(part) - 1))
        found += 1
    assert found > 50
