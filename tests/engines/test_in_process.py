"""The trusted host: labels for generators, in this process."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.rewards.engines.prolog import Program, PrologUnavailable, entailed

TEXT = (
    "westbound(a).\nhas_car(a, c1).\ncar_color(c1, red).\n"
    "westbound(b).\nhas_car(b, c2).\ncar_color(c2, blue).\n"
)
RULE = "eastbound(T) :- has_car(T, C), car_color(C, red)."
PROGRAM = Program.parse(TEXT)


def _decided(_: int = 0) -> list[bool | None]:
    return entailed(RULE, PROGRAM)


def test_each_example_gets_its_truth_value_in_order_whatever_its_label() -> None:
    assert entailed(RULE, PROGRAM) == [True, False]
    assert entailed(RULE.replace("red", "blue"), PROGRAM) == [False, True]


def test_each_example_is_decided_alone_under_its_name_and_none_where_prolog_raises() -> None:
    assert entailed("eastbound(_) :- findall(X, has_car(X, _), [_]).", PROGRAM) == [True, True]
    assert entailed("eastbound(T) :- has_car(X, _), X \\== T.", PROGRAM) == [False, False]
    assert entailed("eastbound(b).", PROGRAM) == [False, True]
    assert entailed("eastbound(T) :- \\+ westbound(T).", PROGRAM) == [None, None]
    assert entailed("eastbound(T) :- T == a ; has_car(T, C), C > 1.", PROGRAM) == [True, None]


def test_a_predicate_without_a_fact_about_an_example_is_known_there() -> None:
    program = Program.parse(TEXT + "loaded(c1).\n")
    rule = "eastbound(T) :- has_car(T, C), \\+ loaded(C)."
    assert entailed(rule, program) == [False, True]


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ("eastbound(T :-", "syntax, "),
        ("eastbound(T) :- eastbound(T).", "limit, inferences"),
        ("eastbound(T) :- 1.", "rejected, "),
    ],
)
def test_what_can_t_be_decided_is_an_error(rule: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        entailed(rule, PROGRAM)
    assert _decided() == [True, False]


@pytest.mark.parametrize("level", range(1, 21, 3))
def test_the_labels_of_generated_tasks_are_what_prolog_says(level: int) -> None:
    for seed in range(5):
        task = generate("slr", level, seed)
        for key in ("validation_program", "heldout_program"):
            program = Program.parse(task.verification[key])
            assert tuple(entailed(task.metadata["rule"], program)) == program.labels


def test_it_works_in_threads_and_in_forked_processes() -> None:
    assert _decided() == [True, False]
    results: list[list[bool | None]] = []
    threads = [threading.Thread(target=lambda: results.append(_decided())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[True, False]] * 4
    with multiprocessing.get_context("fork").Pool(2) as processes:
        assert processes.map(_decided, range(8)) == [[True, False]] * 8


def test_a_missing_library_is_named_with_its_remedy() -> None:
    script = (
        "import sys; sys.modules['pyswip'] = None\n"
        "from logic_curriculum.rewards.engines.prolog import Program, PrologUnavailable, entailed\n"
        "try: entailed('p(a).', Program.parse('p(a).', 'p', 'n'))\n"
        "except PrologUnavailable as error: print(error)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "apt-get install swi-prolog" in said.stdout
    assert "conda" in said.stdout
    assert issubclass(PrologUnavailable, RuntimeError)
