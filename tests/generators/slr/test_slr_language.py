"""Language files: what is shipped, and what a bad one is told."""

from pathlib import Path

import pytest

from logic_curriculum.common.yaml_file import YamlFileError
from logic_curriculum.generators.slr.language import SHIPPED, load_language, read_language

TRAINS = Path(__file__).parents[3] / "generators/slr/languages/trains.yaml"
TEXT = TRAINS.read_text(encoding="utf-8")


def test_the_shipped_languages_are_trains_houses_and_trains_of_many_values():
    assert SHIPPED == ("houses", "trains", "wide_trains")


# What is replaced, by what, a piece of the line to blame, a piece of the message.
BAD_FILES = [
    ("name: trains", "nam: trains", "nam: trains", "`name` is missing"),
    ("name: trains", "name: My Trains", "name: My", "not a Prolog atom"),
    ("objects: [train, car]", "objects: [train]", "objects:", "name two types"),
    ("objects: [train, car]", "objects: [car, car]", "objects:", "name two types"),
    ("objects: [train, car]", "objects: train", "objects:", "name two types"),
    ("positive: eastbound(train)", "positive: eastbound(train, car)", "positive:",
     "write `eastbound(train)`"),
    ("positive: eastbound(train)", "positive: Eastbound(train)", "positive:", "no signature"),
    ("positive: eastbound(train)", "positive: eastbound", "positive:", "no signature"),
    ("negative: westbound(train)", "negative: eastbound(train)", "negative:", "is declared before"),
    ("  negative: westbound(train)\n", "", "positive:", "`labels.negative` is missing"),
    ("num: position", "num: positoin", "positoin", "or `position`"),
    ("len: [short, long]", "len: []", "len: []", "two or more values"),
    ("len: [short, long]", "len: [short]", "len: [short]", "two or more values"),
    ("len: [short, long]", "len: [short, short]", "len: [", "that differ"),
    ("len: [short, long]", "len: [Short, long]", "len: [", "begin it with a small letter"),
    ("len: [short, long]", "len: [short, [long]]", "len: [", "not a Prolog atom"),
    ("len: [short, long]", "len: [short, -5]", "len: [", "an integer up to 1000000"),
    ("len: [short, long]", "color: [short, long]", "color: [short", "occurs twice"),
    ("car_len(car, len)", "car_len(car, size)", "car_len(car, size)", "'size' of 'car_len' is not"),
    ("car_len(car, len)", "car_len(car)", "car_len(car)", "write `car_len(car, DOMAIN)`"),
    ("car_len(car, len)", "car_len(train, len)", "car_len(train", "write `car_len(car, len)`"),
    ("car_len(car, len)", "car_color(car, len)", "car_color(car, len)", "is declared before"),
    ("car_len(car, len)", "length(car, len)", "length(car", "is not a built-in"),
    ("car_len(car, len)", "atom_length(car, len)", "atom_length", "is not a built-in"),
    ("car_len(car, len)", "car_len(car, num)", "has_car(", "a second position"),
    ("has_car(train, car)", "has_car(car, train)", "has_car(car", "write `has_car(train, car)`"),
    ("phrase: has {value} wheels", "phrase: has wheels", "phrase: has wheels", "exactly once"),
    ("phrase: has {value} wheels", "phrase: '{value} {x}'", "{x}", "no other braces"),
    ("phrase: has {value} wheels", "phrases: x", "has_wheel(", "phrase` is missing"),
    ("1: has 1 item in its hold", "9: has nine", "9: has nine", "not a value of 'load_num'"),
    ("plural: has the cars {value}", "plural: has cars", "plural: has", "exactly once"),
    ("plural: has the cars {value}", "plurals: has {value}", "plurals:", "unknown key"),
    ("when: {load_num: 0}", "when: {load_sum: 0}", "load_sum", "not a value of 'load_sum'"),
    ("when: {load_num: 0}", "when: {load_num: 7}", "load_num: 7", "choose among 0, 1, 2, 3"),
    ("len: [short, long]", "len: [short, yes]", "len: [", "in quotes"),
    ("when: {load_num: 0}", "when: {}", "when: {}", "at least 1 item"),
    ("when: {load_num: 0}", "when: {x: []}", "when: {x: []}", "at least 1 item"),
    ("when: {load_num: 0}", "if: {load_num: 0}", "if: {load_num", "when` is missing"),
    ("when: {car_type: freight}", "when: {car_num: 1}", "car_num: 1}", "not a value of 'car_num'"),
    ("{load_num: 0}\n  - when", "{load_num: 1}\n  - when", "- when", "never have"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "blamed", "message"), BAD_FILES)
def test_a_bad_file_is_told_line_and_remedy(old, new, blamed, message):
    assert TEXT.count(old) == 1, "the row must change one place"
    text = TEXT.replace(old, new)
    line = next(at for at, content in enumerate(text.split("\n"), start=1) if blamed in content)
    with pytest.raises(YamlFileError) as error:
        read_language(text, "mine.yaml")
    assert f"mine.yaml, line {line}: " in str(error.value)
    assert message in str(error.value)
    assert "; " in str(error.value), "a remedy follows"


def test_a_file_that_is_not_yaml_is_told_the_line():
    with pytest.raises(YamlFileError, match=r"mine\.yaml, line 3: not valid YAML"):
        read_language("name: trains\nobjects: [train, car\nlabels:\n  - :", "mine.yaml")


def test_a_file_in_another_encoding_is_refused(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_bytes("name: zürich".encode("latin-1"))
    with pytest.raises(ValueError, match="save it as UTF-8"):
        load_language(file)


@pytest.mark.parametrize("text", ["", "# only a comment\n"])
def test_an_empty_file_is_refused(text):
    with pytest.raises(YamlFileError, match="the file is empty"):
        read_language(text, "mine.yaml")


def test_too_many_values_tied_together_are_refused():
    domains = "\n".join(f"  d{i}: [{', '.join(map(str, range(30)))}]" for i in range(4))
    predicates = "\n".join(
        f"  - {{signature: 'p{i}(item, d{i})', phrase: 'has {{value}}'}}" for i in range(4)
    )
    text = f"""
name: big
objects: [box, item]
labels: {{positive: good(box), negative: bad(box)}}
domains:
{domains}
predicates:
  - {{signature: 'holds(box, item)', phrase: 'holds {{value}}'}}
{predicates}
constraints:
  - {{when: {{p0: 1, p1: 1}}, then: {{p2: 1, p3: 1}}}}
"""
    # 30 ** 4 = 810,000 combinations
    with pytest.raises(YamlFileError, match="810000 value combinations"):
        read_language(text, "mine.yaml")


def test_an_unknown_language_is_answered_with_the_choices():
    with pytest.raises(ValueError, match="houses, trains"):
        load_language("planes")


def test_a_missing_file_is_named():
    with pytest.raises(ValueError, match=r"nowhere/planes\.yaml"):
        load_language("nowhere/planes.yaml")


def test_a_vocabulary_that_is_too_small_for_a_level_is_refused():
    with pytest.raises(ValueError, match="needs 13 predicates but the language 'trains' has 12"):
        load_language("trains").vocabulary(13)
