"""The engines' parsers, on formulas, rules and programs that are nearly right."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from near_answers import mutated, tasks

from logic_curriculum.rewards.engines import propositional
from logic_curriculum.rewards.engines.fol import syntax as fol
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant
from logic_curriculum.rewards.engines.numeric import syntax as numeric
from logic_curriculum.rewards.engines.prolog import Program, isomorphic_copy, judge_programs
from logic_curriculum.rewards.engines.reading import FormulaError


def _texts(family: str, *keys: str) -> list[str]:
    values = [task.verification[key] for task in tasks(family) for key in keys]
    return [text for value in values for text in ([value] if isinstance(value, str) else value)]


SOURCES: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "fol": (fol.parse, ("countermodel", "premises", "conclusion")),
    "tolerant": (parse_tolerant, ("symbolization", "formula")),
    "propositional": (propositional.parse, ("sat", "formulas")),
    "fact": (numeric.parse_fact, ("loginum", "facts")),
    "rule": (numeric.parse_rule, ("loginum", "rules")),
}


@pytest.mark.parametrize("name", SOURCES)
@given(data=st.data())
def test_a_parser_returns_what_it_writes_or_says_where_it_stops(
    name: str, data: st.DataObject
) -> None:
    parse, where = SOURCES[name]
    sources = _texts(*where)
    pool = re.findall(r"\w+|\W", " ".join(sources)) + list("∀∃¬∧∨→↔()&|~v^.,:[]{}?-> \\\n'é")
    text = data.draw(mutated(data.draw(st.sampled_from(sources)), pool, changes=3))
    try:
        found = parse(text)
    except FormulaError as refusal:
        problem = str(refusal)
    else:
        problem = "none"
        assert parse(str(found)) == found
    assert len(problem.splitlines()) == 1


@given(data=st.data())
def test_a_program_is_refused_in_one_line_or_can_be_judged(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(_texts("slr", "validation_program")[:2]))
    pool = [*re.findall(r"\w+|\W", text), *"'\\%é٣A\"\0", "/*", "*/", "-1", "1.5", "1e9", "''"]
    text = data.draw(mutated(text.replace(".\n", ". \n", data.draw(st.integers(0, 1))), pool))
    try:
        program = Program.parse(text)
        programs = [program, isomorphic_copy(program)]
    except ValueError as refusal:
        programs, text = [], str(refusal)
    assert programs or len(text.splitlines()) == 1
    for ((run,),) in [judge_programs([(each, ["eastbound(_)."])]) for each in programs]:
        assert run.outcomes == (True,) * len(run.labels), run.detail
