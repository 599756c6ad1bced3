"""Guided rules of a language model: what is used, what is refused and why."""

from __future__ import annotations

import random
import re

import pytest
from llm_server import Endpoint, completion, proposal
from pytest_httpserver import HTTPServer

from logic_curriculum.generators import generate
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.slr import llm_rules
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.llm_rules import ProposalError, examine, rule_bank
from logic_curriculum.generators.slr.prompts import fill_template
from logic_curriculum.generators.slr.rules import (
    Rule,
    RuleUnavailableError,
    fitting_schemata,
    schema_bank,
    shows_style,
    standard_rule,
)

TRAINS = load_language("trains")
LEVEL = level_of(12)
OUTSIDE = "outside the rule language"
SHOWN = Rule("eastbound(T) :- has_car(T, C), car_color(C, red).", "schema", "conjunction")


def examined(rule: str, style: str = "conjunction") -> Rule:
    shown = Rule(SHOWN.text, "schema", style)
    return examine(f"Here it is.\n[RULE]\n{rule}\n[/RULE]", TRAINS, LEVEL, shown)


@pytest.mark.parametrize(
    ("style", "rule"),
    [
        ("conjunction", "eastbound(Train):-has_car(Train,Car),car_color(Car,blue)."),
        (
            "conjunction",
            "```prolog\neastbound(T) :- has_car(T, C), car_num(C, 1), car_len(C, long).\n```",
        ),
        (
            "counting",
            "eastbound(T) :- findall(C, (has_car(T, C), car_len(C, long)), L), length(L, 1).",
        ),
        (
            "disjunction",
            "eastbound(T) :- has_car(T, C), good(C).\n"
            "good(C) :- car_color(C, X), member(X, [red]), car_num(C, 2).",
        ),
        (
            "inequality",
            "eastbound(T) :- has_car(T, A), has_car(T, B), A \\= B, car_color(A, X), "
            "car_color(B, X).",
        ),
    ],
)
def test_a_sound_proposal_is_used_in_standard_spelling(style, rule):
    found = examined(rule, style)
    assert found.sampling == "llm"
    assert found.style == style
    assert found.text.startswith("eastbound(T) :- ")


DISJUNCTION = (
    "eastbound(T) :- has_car(T, C), (car_color(C, red) ; car_num(C, 4)), car_len(C, long)."
)


@pytest.mark.parametrize("style", ["uniqueness", "all different", "recursion", "counting"])
def test_a_disjunction_is_filed_as_nothing_else(style):
    with pytest.raises(ProposalError, match="of another style"):
        examined(DISJUNCTION, style)
    assert examined(DISJUNCTION, "disjunction").style == "disjunction"


@pytest.mark.parametrize("name", ["trains", "houses"])
def test_every_schema_shows_its_style(name):
    language = load_language(name)
    for level in map(level_of, range(6, 21)):
        for schema in (item for group in fitting_schemata(language, level) for item in group):
            assert shows_style(schema.fill(language, level, random.Random(level.number)))


def test_the_papers_rules_show_their_styles_but_for_the_one_that_repeats_another():
    rules = re.findall(r"(?ms)^eastbound.*?\.$", fill_template("appendix_e", TRAINS))
    styles = dict.fromkeys(schema.style for schema in schema_bank())
    filed = [
        style
        for style, rule in zip(styles, rules, strict=True)
        if shows_style(Rule(standard_rule(rule, "T", "C"), "llm", style))
    ]
    assert set(styles) - set(filed) == {"conditional aggregation"}  # printed as the one before it


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("eastbound(T) :- has_car(T, C), car_color(C, red)", "not readable"),
        ("There is a red car.", "not readable"),
        ("", "not readable"),
        ("eastbound(T) :- has_car(T, C), car_color(C, purple).", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), car_color(C, long).", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), car_num(C, 77).", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), X = purple.", OUTSIDE),
        ("eastbound(train0).", OUTSIDE),
        ("eastbound(T) :- has_car(T, car0_1).", OUTSIDE),
        ("westbound(T) :- has_car(T, C), car_color(C, red).", OUTSIDE),
        ("eastbound(T) :- has_car(T, D), car_color(D, red).", "copied"),
        ("eastbound(T) :- has_car(T, C), passenger_num(C, 3).", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), shell(C).", OUTSIDE),
        ("eastbound(T) :- eastbound(T).", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), X > 1.", OUTSIDE),
        ("eastbound(T) :- has_car(T, C), car_color(C, X).", "stands alone"),
        ("eastbound(T) :- has_car(T, _).", "out of balance"),
        ("eastbound(T) :- has_car(T, C), car_num(C, 1), car_num(C, 2).", "out of balance"),
        (f"eastbound(T) :- {', '.join(['has_car(T, _)'] * 5)}.", "too many parts"),
        (f"eastbound(T) :- {'(' * 500}has_car(T, _){')' * 500}.", OUTSIDE),
        (
            "eastbound(T) :- has_car(T, C), (car_color(C, red) ; car_color(C, blue) ; "
            "car_num(C, 1), car_len(C, long) ; car_num(C, 2), car_len(C, short)).",
            OUTSIDE,
        ),
        (f"eastbound(T) :- {', '.join(f'X{n} = X{n}' for n in range(9))}, T = T.", "variables"),
    ],
)
def test_a_bad_proposal_is_refused_with_its_reason(rule, reason):
    with pytest.raises(ProposalError, match=reason):
        examined(rule)


@pytest.mark.parametrize("text", ["", "eastbound(T).", "[RULE] a.", "[/RULE] x [RULE]"])
def test_an_answer_without_tags_holds_no_rule(text):
    with pytest.raises(ProposalError, match="without a rule"):
        examine(text, TRAINS, LEVEL, SHOWN)


@pytest.fixture
def inventive(httpserver: HTTPServer, tmp_path, monkeypatch):
    """Return an endpoint with a rule of its style in every answer, and a file that names it."""
    count = 0

    def script(body):
        nonlocal count
        count += 1
        return completion(proposal(body["messages"][-1]["content"], 12, count % 40))

    endpoint = Endpoint(httpserver, script)
    file = tmp_path / "llm.yaml"
    file.write_text(
        f"model: scripted\nclient: {{base_url: '{endpoint.url}', api_key: none}}\n"
        f"cache: {tmp_path / 'cache'}\n"
    )
    monkeypatch.setattr(llm_rules, "ROUNDS", 3)
    load_model.cache_clear()
    rule_bank.cache_clear()
    return endpoint, str(file)


def test_tasks_take_their_guided_rules_from_the_model(inventive):
    endpoint, file = inventive
    tasks = [generate("slr", 12, seed, llm=file) for seed in range(12)]
    assert {"llm", "uniform"} == {task.metadata["rule_sampling"] for task in tasks}
    assert all("[RULE]" in text for text in endpoint.texts)

    asked = len(endpoint.asked)
    load_model.cache_clear()
    rule_bank.cache_clear()
    assert [generate("slr", 12, seed, llm=file) for seed in range(12)] == tasks
    assert len(endpoint.asked) == asked  # another process would not ask again either


def test_the_prompt_names_the_levels_vocabulary_alone(inventive):
    endpoint, file = inventive
    rule_bank(load_model(file), TRAINS, level_of(6))
    for text in endpoint.texts:
        assert re.search(r"car_color\(C, V\): V is one of red, ", text)
        assert "has_wall" in text
        assert "has_roof" not in text


def test_the_prompt_may_show_the_papers_twenty_examples(inventive):
    endpoint, file = inventive
    task = next(
        task
        for task in (generate("slr", 12, s, llm=file, llm_examples="paper") for s in range(20))
        if task.metadata["rule_sampling"] == "llm"
    )
    assert all("20. All-Different on Multiple Attributes" in text for text in endpoint.texts)
    assert shows_style(Rule(task.metadata["rule"], "llm", task.metadata["rule_style"]))
    with pytest.raises(ValueError, match="without llm"):
        generate("slr", 12, 0, llm_examples="paper")


def test_proposals_are_counted_by_reason(inventive):
    endpoint, file = inventive
    endpoint.script = lambda body: completion(proposal(body["messages"][-1]["content"], 12, 0))
    bank = rule_bank(load_model(file), TRAINS, LEVEL)
    assert len(bank.rules) + sum(bank.refused.values()) == len(endpoint.asked)
    assert bank.refused["proposed before"] > 0


def test_a_model_without_ideas_is_told(inventive):
    endpoint, file = inventive
    endpoint.script = lambda body: completion("I'd rather not.")
    seed = next(
        s for s in range(20) if generate("slr", 12, s).metadata["rule_sampling"] == "schema"
    )
    with pytest.raises(RuleUnavailableError, match=r"\d+ without a rule between"):
        generate("slr", 12, seed, llm=file)
