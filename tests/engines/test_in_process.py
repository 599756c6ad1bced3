"""The trusted host: labels for generators, in this process."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading

import pytest

from logic_curriculum.rewards.engines.prolog_old import (
    Program,
    PrologUnavailable,
    entailed,
    own_facts,
    whole_program,
)

TEXT = (
    "westbound(a).\nhas_car(a, c1).\ncar_color(c1, red).\n"
    "westbound(b).\nhas_car(b, c2).\ncar_color(c2, blue).\n"
)
RULE = "eastbound(T) :- has_car(T, C), car_color(C, red)."
KINDS = {"own facts": own_facts(TEXT), "whole program": whole_program(Program.parse(TEXT))}


def _decided(_: int = 0) -> list[bool]:
    return entailed(RULE, KINDS["own facts"])


@pytest.mark.parametrize("kind", KINDS)
def test_each_example_gets_its_truth_value_in_order_whatever_its_label(kind: str) -> None:
    assert entailed(RULE, KINDS[kind]) == [True, False]
    assert entailed(RULE.replace("red", "blue"), KINDS[kind]) == [False, True]


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ("eastbound(T :-", "illegal start|end of file|operator|bracket"),
        ("eastbound(T) :- unknown(T).", "unknown"),
        ("eastbound(T) :- eastbound(T).", "inferences"),
        ("eastbound(T) :- has_car(T, C), C > 1.", "type error"),
    ],
)
def test_what_can_t_be_decided_is_an_error(rule: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        entailed(rule, KINDS["own facts"])
    assert _decided() == [True, False]


def test_it_works_in_threads_and_in_forked_processes() -> None:
    assert _decided() == [True, False]
    results: list[list[bool]] = []
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
        "from logic_curriculum.rewards.engines.prolog_old "
        "import PrologUnavailable, entailed, own_facts\n"
        "try: entailed('p(a).', own_facts('p(a).', 'p', 'n'))\n"
        "except PrologUnavailable as error: print(error)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "apt-get install swi-prolog" in said.stdout
    assert "conda" in said.stdout
    assert issubclass(PrologUnavailable, RuntimeError)
