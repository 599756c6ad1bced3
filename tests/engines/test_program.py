"""Reading programs: what is accepted, and what the error says otherwise."""

from __future__ import annotations

import pytest

from logic_curriculum.rewards.engines.prolog import Fact, Program, judge_programs


def test_labels_and_facts_keep_the_order_of_the_text(program: Program) -> None:
    assert program.examples[:3] == ("train0", "train1", "train2")
    assert program.labels[:3] == (True, False, True)
    assert program.facts[0] == Fact("has_car", ("train0", "car0_1"))


def test_quoted_atoms_numbers_comments_and_blank_lines_are_read() -> None:
    text = (
        "% note\neastbound('my train').\n\n/* two\nlines */ "
        "p('my train', -3, 'it''s', 'q', 2.5). q(a)."
    )
    program = Program.parse(text)
    assert program.examples == ("'my train'",)
    assert program.facts == (
        Fact("p", ("'my train'", "-3", "'it''s'", "q", "2.5")),
        Fact("q", ("a",)),
    )


@pytest.mark.parametrize(
    "line",
    [
        "p(X).",
        "p(a) :- q(a).",
        ":- shell(ls).",
        "p(a)",
        'p("a").',
        "p(f(a)).",
        "p(a",
        "p().",
        "P(a).",
    ],
)
def test_what_is_no_ground_fact_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"Line 3 .*is no fact: write"):
        Program.parse(f"eastbound(train0).\n\n{line}\n")


def test_an_example_has_one_label() -> None:
    with pytest.raises(ValueError, match=r"Line 2 .* a second time"):
        Program.parse("eastbound(train0).\nwestbound(train0).\n")


def test_a_program_without_examples_is_refused() -> None:
    with pytest.raises(ValueError, match="no example to judge"):
        Program.parse("has_car(a, b).\n")


def test_the_layout_of_the_published_dataset_is_read() -> None:
    text = (
        "eastbound(train0).\nhas_car(train0, car0_1).\ncar_num(car0_1, 1).\n"
        "car_color(car0_1, white).\ncar_len(car0_1, short).\nhas_wall(car0_1, full).\n\n"
        "westbound(train1).\nhas_car(train1, car1_1).\ncar_num(car1_1, 1).\n"
        "car_color(car1_1, yellow).\ncar_len(car1_1, short).\nhas_wall(car1_1, full).\n"
    )
    rule = "eastbound(Train):- has_car(Train, Car1), car_color(Car1, white)."
    ((execution,),) = judge_programs([(Program.parse(text), [rule])])
    assert execution.solved


def test_what_there_is_about_an_example_are_the_facts_of_its_component_and_those_of_none() -> None:
    text = (
        "eastbound(a).\nwestbound(b).\nwestbound(c).\nhas(a, x).\nhas(b, y).\nnear(y, z).\n"
        "near(z, w).\ncolor(w, red).\nhas(c, y).\nscale(1, 2).\nlonely(q).\nhas(a, v).\n"
    )
    shared = ["has(b, y).", "near(y, z).", "near(z, w).", "color(w, red).", "has(c, y)."]
    common = ["scale(1, 2).", "lonely(q)."]
    alone = {name: list(map(str, facts)) for name, facts in Program.parse(text).alone().items()}
    assert alone == {
        "a": ["has(a, x).", *common, "has(a, v)."],
        "b": [*shared, *common],
        "c": [*shared, *common],
    }
