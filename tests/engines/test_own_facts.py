"""What each example's own facts are, whatever the program's layout."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hostile_work import look_around
from sample_programs import trains
from test_judging import RULES

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.language_file import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import draw_uniform_rule
from logic_curriculum.rewards.engines.prolog_old import (
    Cases,
    Program,
    judge_groups,
    own_facts,
    whole_program,
)

RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."


Seen = tuple[str, dict[str, bool | None], str]


def _judged(cases: Cases, rules: Sequence[str]) -> list[Seen]:
    """Return status, outcome by example and detail for each rule."""
    return [
        (run.status, dict(zip(cases.examples, run.outcomes, strict=False)), run.detail)
        for run in judge_groups([(cases, rules)])[0]
    ]


def _outcomes(cases: Cases, *rules: str) -> list[tuple[bool | None, ...]]:
    executions = judge_groups([(cases, rules)])[0]
    assert {execution.status for execution in executions} == {"ok"}, executions
    return [execution.outcomes for execution in executions]


def _label_last(text: str) -> str:
    """Move the labels to the end, which no reader of a fixed layout expects."""
    lines = text.rstrip("\n").split("\n")
    labels = [line for line in lines if "," not in line]
    return "\n".join([line for line in lines if "," in line] + labels) + "\n"


# ------------------------------------------------------------------------------ layouts

LAYOUTS = {
    "a comment first": lambda text: "% note\n" + text,
    "labels at the end": _label_last,
    "a quoted predicate": lambda text: text.replace("\n", "\n'has_car'", 1).replace(
        "'has_car'has_car", "'has_car'", 1
    ),
    "one line": lambda text: text.replace("\n", " "),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "spaces": lambda text: text.replace(").", ") .  % x"),
    "no last newline": lambda text: text.rstrip("\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_of_the_same_facts_is_judged_alike(layout: str) -> None:
    rules = [rule for rule, _ in RULES]
    rewritten = own_facts(LAYOUTS[layout](trains()))
    cases = own_facts(trains())
    assert (rewritten.examples, rewritten.labels) == (cases.examples, cases.labels)
    assert _judged(rewritten, rules) == _judged(cases, rules)


def _drawn(language: str, level: int, count: int) -> tuple[str, str, str, list[str]]:
    """Return the program of a task, its classes, and rules of its level."""
    task = generate("slr", level, 0, language=language)
    payload, spoken = task.verification, load_language(language)
    draw = random.Random(level)
    rules = [draw_uniform_rule(spoken, level_of(level), draw).text for _ in range(count)]
    rules.append(task.metadata["rule"])
    return payload["validation_program"], payload["positive"], payload["negative"], rules


@pytest.mark.parametrize("language", ["trains", "houses"])
@pytest.mark.parametrize("level", range(1, 21, 3))
def test_the_quick_reading_of_generated_programs_is_that_of_any_program(
    level: int, language: str
) -> None:
    text, positive, negative, rules = _drawn(language, level, 8)
    quick, general, moved = (
        own_facts(written, positive, negative)
        for written in (text, "% note\n" + text, _label_last(text))
    )
    assert quick.source != general.source  # or both went the same way
    expected = _judged(general, rules)
    assert _judged(quick, rules) == expected
    assert _judged(moved, rules) == expected


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("has_car(train1, car1_1)", "has_car(train0, car1_1)"), "a part of another example"),
        (("car_color(car1_1, blue)", "car_color(car1_1, car0_1)"), "a value that is an object"),
        (("car_len(car1_2, short).", ""), "an attribute is missing"),
        (("car_len(car1_2, short)", "car_len(car1_2, 1.5)"), "a number with a point"),
        (("car_len(car1_2, short)", "car_len(car1_2, -2)"), "a negative number"),
        (("car_len(car1_2, short)", "car_len(car1_2, 'very long')"), "a quoted atom"),
        (("car_len(car1_2, short)", "car_len(car1_2, short, very)"), "another arity"),
        (("car_len(car1_2, short).", "car_len(car1_2, short). seen(car1_2)."), "another predicate"),
        (("car_len(car1_2, short).", "car_len(car1_2, short). car_len(car1_2, long)."), "two"),
        (("car_num(car1_2, 2)", "car_num(car1_1, 2)"), "two of one part and none of another"),
        (("eastbound(train2).\n", "% third\neastbound(train2).\n"), "a comment in between"),
        (("eastbound(train2).\n", "eastbound(train2). p(x).\n"), "a fact about nothing"),
    ],
)
def test_a_departure_from_the_usual_layout_is_read_as_in_any_other(
    change: tuple[str, str], why: str
) -> None:
    assert change[0] in trains()
    text = trains().replace(*change)
    rules = [
        RED,
        "eastbound(T) :- has_car(T, C), car_len(C, long).",
        "eastbound(T) :- findall(N, (has_car(T, C), car_num(C, N)), L), sum_list(L, 3).",
        "eastbound(T) :- has_car(T, C), car_color(C, X), has_car(T, X).",
        look_around("car_color"),
    ]
    quick, general = own_facts(text), own_facts("% note\n" + text)
    assert _judged(quick, rules) == _judged(general, rules), why


@pytest.mark.parametrize(
    "line", ["p(a) :- b.", "p(a) :- q(b).", "p(a) --> q(b).", "user:p(a).", ":- p(a).", "p(X)."]
)
@pytest.mark.parametrize("place", ["first", "last"])
def test_what_is_no_fact_is_refused_with_its_line(line: str, place: str) -> None:
    text = f"{line}\n{trains()}" if place == "first" else f"{trains()}{line}\n"
    number = 1 if place == "first" else 1 + trains().count("\n")
    with pytest.raises(ValueError, match=f"Line {number} of the program"):
        own_facts(text)


# ------------------------------------------------------------------------------ values


def _random_program(draw: random.Random) -> tuple[str, list[dict[str, set[tuple[str, ...]]]]]:
    """Return a program with gaps, and for each example the facts about its parts by predicate."""
    values = ["red", "'dark red'", "'it''s'", "3", "-3", "2.5", "0", "'Red'", "n_1"]
    lines, facts = ["scale(1, 2).", "scale(2, 3)."], []
    for number in range(8):
        about: dict[str, set[tuple[str, ...]]] = {"color": set(), "load": set(), "seen": set()}
        label = "eastbound" if number % 2 else "westbound"
        block = [f"{label}(t{number})."]
        for place in range(draw.randint(0, 3)):
            part = f"'part {number} {place}'"
            block.append(f"has(t{number}, {part}).")
            if draw.random() < 0.7:
                color = draw.choice(values)
                about["color"].add((color,))
                block.append(f"color({part}, {color}).")
            if draw.random() < 0.5:
                load = (draw.choice(values), draw.choice(values))
                about["load"].add(load)
                block.append(f"load({part}, {load[0]}, {load[1]}).")
            if draw.random() < 0.3:
                about["seen"].add(())
                block.append(f"seen({part}).")
        draw.shuffle(block)
        lines += block
        facts.append(about)
    return "\n".join(lines) + "\n", facts


RULES_BY_HAND = [
    ("eastbound(T) :- has(T, C), color(C, 'dark red').", "color", ("'dark red'",)),
    ("eastbound(T) :- has(T, C), color(C, -3).", "color", ("-3",)),
    ("eastbound(T) :- has(T, C), color(C, 2.5).", "color", ("2.5",)),
    ("eastbound(T) :- has(T, C), color(C, 'it''s').", "color", ("'it''s'",)),
    ("eastbound(T) :- has(T, C), color(C, 'Red').", "color", ("'Red'",)),
    ("eastbound(T) :- has(T, C), load(C, red, _).", "load", ("red", None)),
    ("eastbound(T) :- has(T, C), load(C, _, 0).", "load", (None, "0")),
    ("eastbound(T) :- has(T, C), load(C, 3, n_1).", "load", ("3", "n_1")),
    ("eastbound(T) :- has(T, C), seen(C).", "seen", ()),
]


def _holds(facts: set[tuple[str, ...]], wanted: Sequence[str | None]) -> bool:
    return any(
        all(want in (None, given) for want, given in zip(wanted, fact, strict=True))
        for fact in facts
    )


def _with_every_color(draw: random.Random) -> tuple[str, list[dict[str, set[tuple[str, ...]]]]]:
    """Draw programs until each predicate has a fact, so that no rule is refused for its name."""
    while True:
        text, facts = _random_program(draw)
        if all(any(about[name] for about in facts) for name in ("color", "load", "seen")):
            return text, facts


@pytest.mark.parametrize("seed", range(12))
def test_numbers_quotes_arities_and_gaps_are_read_as_they_stand(seed: int) -> None:
    text, facts = _with_every_color(random.Random(seed))
    cases = own_facts(text)
    by_name = {f"t{number}": about for number, about in enumerate(facts)}
    rules = [rule for rule, _, _ in RULES_BY_HAND]
    for outcomes, (rule, name, wanted) in zip(_outcomes(cases, *rules), RULES_BY_HAND, strict=True):
        expected = tuple(_holds(by_name[example][name], wanted) for example in cases.examples)
        assert outcomes == expected, rule
    whole = whole_program(Program.parse(text))
    assert _outcomes(whole, *rules) == _outcomes(cases, *rules)


# ------------------------------------------------------------------------------ what is shared


def test_facts_about_no_example_are_visible_to_all() -> None:
    text = trains(("red", "blue")) + "limit(1, 5).\nlimit(2, 7).\n"
    cases = own_facts(text)
    assert cases.sharing == 0
    rules = [
        "eastbound(T) :- has_car(T, C), car_num(C, N), limit(N, 7).",
        "eastbound(T) :- has_car(T, C), car_num(C, N), limit(N, 6).",
        "eastbound(_) :- findall(X, limit(_, X), [5, 7]).",
    ]
    assert _outcomes(cases, *rules) == [(True, True), (False, False), (True, True)]


def test_examples_that_share_objects_see_each_other_and_nobody_else() -> None:
    # a chain: 0 and 1 share a car, 1 and 2 a track; 3 stands alone
    text = trains(("red", "blue", "green", "white"))
    text += "has_car(train0, car1_1).\non(track, train1).\non(track, train2).\non(line, train3).\n"
    cases = own_facts(text)
    assert cases.sharing == 3
    everyone = "eastbound(T) :- findall(X, has_car(X, _), L), sort(L, S), length(S, {count})."
    assert _outcomes(cases, RED, everyone.format(count=3), everyone.format(count=1)) == [
        (True, False, False, False),
        (True, True, True, False),
        (False, False, False, True),
    ]


@pytest.mark.parametrize("name", ["obj001", "obj000", "obj12345"])
@pytest.mark.parametrize("layout", ["", "% note\n"])
def test_a_value_with_a_name_of_the_judge_is_refused(name: str, layout: str) -> None:
    text = layout + trains().replace("green", name)
    with pytest.raises(
        ValueError, match=f"value '{name}', which is what the judge calls"
    ) as raised:
        own_facts(text)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("layout", ["", "% note\n"])
def test_objects_may_have_the_judge_s_names(layout: str) -> None:
    text = layout + trains().replace("train0", "obj001").replace("car1_1", "obj000")
    assert _outcomes(own_facts(text), RED) == _outcomes(own_facts(trains()), RED)


# ------------------------------------------------------------------------------ made beforehand


def test_cases_made_beforehand_are_those_of_the_text() -> None:
    for text in (
        trains(),
        "% note\n" + trains(),
        generate("slr", 9, 0).verification["validation_program"],
    ):
        cases = own_facts(text)
        assert own_facts(text, packed=cases.packed(text)) == cases


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "\n",
        "made of nothing",
        own_facts(trains(("blue", "red"))).packed(trains(("blue", "red"))),
        own_facts(trains(), "eastbound", "other").packed(trains()),
        own_facts(trains()).packed(trains() + "p(a).\n"),
    ],
)
def test_cases_made_of_another_text_or_of_other_classes_play_no_part(packed: str) -> None:
    assert own_facts(trains(), packed=packed) == own_facts(trains())
