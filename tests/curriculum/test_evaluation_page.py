"""The page of a run: one file, whole, and proof against what models write."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from evaluation_records import made_up, run
from hostile_records import HOSTILE, hostile_run

from logic_curriculum.curriculum.evaluation.charts import as_svg, run_charts, save
from logic_curriculum.curriculum.evaluation.page import LONGEST, outcome, page, write_page
from logic_curriculum.curriculum.evaluation.papers import summary_tables
from logic_curriculum.curriculum.evaluation.scores import score_run
from logic_curriculum.curriculum.evaluation.tables import Table, detail_tables


def whole_page(records) -> str:
    scores = score_run(records)
    tables = [*summary_tables(scores, "USD"), *detail_tables(scores)]
    return page(f"Run of {HOSTILE[0]}", {HOSTILE[1]: HOSTILE[0]}, scores, tables, records)


class Reader(HTMLParser):
    """Collects the tags of a page, and the text of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data):
        if self._open in ("script", "style"):
            self.inside.append((self._open, data))
        self._open = ""


@pytest.fixture(scope="module")
def hostile() -> Reader:
    return Reader(whole_page(hostile_run()))


def test_no_tag_comes_from_a_record(hostile):
    tags = [tag for tag, _ in hostile.tags]
    assert tags.count("script") == 2
    assert tags.count("img") == tags.count("figure") == 8  # the charts
    assert not {"iframe", "object", "link", "base"} & set(tags)
    assert not [attrs for _, attrs in hostile.tags if attrs.get("id") == "injected"]
    assert not [name for _, attrs in hostile.tags for name in attrs if name.startswith("on")]


def test_the_page_loads_nothing(hostile):
    for _, attrs in hostile.tags:
        assert not {"srcset", "data", "action"} & set(attrs)
        assert (attrs.get("src") or "data:").startswith("data:")
        assert (attrs.get("href") or "#").startswith("#")
    assert not [text for kind, text in hostile.inside if kind == "style" and "url(" in text]


def test_only_the_pages_own_script_and_style_may_run(hostile):
    (policy,) = [
        attrs["content"] for tag, attrs in hostile.tags if attrs.get("http-equiv") is not None
    ]
    style, _, script = (text for _, text in hostile.inside)
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (style, script)
    ]
    assert policy == (
        f"default-src 'none'; img-src data:; style-src {hashes[0]}; script-src {hashes[1]}"
    )


def test_every_answer_comes_through_as_it_was(hostile):
    data = json.loads(hostile.inside[1][1])
    shown = [answer["completion"] for answer in data["answers"]]
    assert shown[:-1] == list(HOSTILE[:-1])
    assert shown[-1] == "a" * LONGEST + "\n[… 10,000 further characters]"
    assert [answer["outcome"] for answer in data["answers"]].count("ungraded") == 1


def test_the_data_hold_no_character_that_could_begin_a_tag(hostile):
    assert not re.search("[<>&\u2028\u2029]", hostile.inside[1][1])


def test_a_page_with_half_a_surrogate_pair_can_be_written(tmp_path):
    records = hostile_run()
    write_page(tmp_path / "r" / "report.html", "title", {}, score_run(records), [], records)
    text = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert "half \\ud83d of a pair" in text


def test_what_is_wrong_comes_with_its_categories_and_places():
    record = made_up(0, False, family="countermodel", prompt="Fa, Ga |= Ha")
    record = replace(record, verdict=replace(record.verdict, faults={"Ga": "is false"}))
    (answer,) = json.loads(Reader(page("t", {}, [], [], [record])).inside[1][1])["answers"]
    assert answer["errors"] == ["wrong"]
    assert answer["faults"] == {"Ga": "is false"}
    assert answer["marks"] == {"prompt": [[4, 6]], "completion": []}


def test_a_prompt_is_stored_once_for_all_its_answers():
    records = [made_up(0, sample=sample) for sample in range(5)]
    text = page("t", {}, score_run(records), [], records)
    assert text.count("What about 0 at 1?") == 1


def test_a_task_that_was_asked_in_other_words_is_known_again():
    records = run("10") + run("11", prompt="In other words?")
    text = page("t", {}, score_run(records), [], records)
    tasks = json.loads(Reader(text).inside[1][1])["tasks"]
    assert [task["content"] for task in tasks] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (made_up(), "solved"),
        (made_up(solved=False), "wrong"),
        (made_up(solved=False, syntax=False), "unreadable"),
        (made_up(graded=False), "ungraded"),
    ],
)
def test_outcomes(record, name):
    assert outcome(record) == name


def test_charts_are_well_formed_whatever_the_names():
    found = run_charts(score_run(hostile_run()))
    assert len(found) == 6  # three families, each by level and by tokens
    for chart in found:
        ET.fromstring(as_svg(chart))
        assert as_svg(chart) == as_svg(chart)


def test_a_charts_points_are_the_scores_with_their_intervals():
    (scores,) = score_run(run("11", "10", "00"))
    (chart, _) = run_charts([scores])
    (series,) = chart.series
    assert [point[:2] for point in series.points] == [(1, 1.0), (2, 0.5), (3, 0.0)]
    assert [point[1:4] for point in series.points] == [s.accuracy[:3] for s in scores.levels]


def test_without_matplotlib_the_page_says_how_to_install_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = whole_page(run("10"))
    assert "<img" not in text
    assert "slr: accuracy by level: &#x27;matplotlib&#x27; could not be imported" in text
    with pytest.raises(ImportError, match=r"pip install \"logic-curriculum\[plots\]\""):
        save(tmp_path / "chart.png", run_charts(score_run(run("10"))))


def test_numbers_that_json_lacks_do_not_break_the_page():
    partial = {"bad": float("nan"), "worse": float("-inf"), "good": 0.5}
    records = [made_up(0, metrics=partial), made_up(1, family="loginum")]
    broken = replace(records[1], verdict=replace(records[1].verdict, partial=float("nan")))
    data = json.loads(
        Reader(whole_page([records[0], broken])).inside[1][1], parse_constant=pytest.fail
    )
    assert data["answers"][0]["metrics"] == {"bad": None, "worse": None, "good": 0.5}


def test_a_chart_of_one_of_several_models_names_it_in_its_own_colour():
    runs = [run("10"), run("11", model="o3"), run("01", model="o3", shots=2)]
    found = run_charts([scores for records in runs for scores in score_run(records)])
    assert [chart.title for chart in found[2:]] == [
        *("slr, 2-shot: accuracy by level", "slr, 2-shot: compute and accuracy")
    ]
    for chart in found:
        named = {series.name: series.colour for series in chart.series}
        assert named == ({"gpt-4o": 0, "o3": 1} if chart in found[:2] else {"o3": 1})
        assert b">o3</text>" in as_svg(chart)


def test_charts_of_one_model_name_the_levels_and_no_model():
    by_level, by_tokens = run_charts(score_run(run("10", "01")))
    assert b"gpt-4o" not in as_svg(by_level) + as_svg(by_tokens)
    assert [point.mark for point in by_tokens.series[0].points] == ["1", "2"]


def test_what_compares_several_runs_comes_before_all_else():
    runs = [run("10"), run("11", model="o3")]
    scores = [item for records in runs for item in score_run(records)]
    first, second = (Table(name, ["a"], [["b"]]) for name in ("Paired", "Overview"))
    both = page("t", {}, scores, [first, second], [*runs[0], *runs[1]])
    assert both.index("Paired") < both.index('class="card"') < both.index("Overview")
    alone = page("t", {}, scores[:1], [first, second], runs[0])
    assert alone.index('class="card"') < alone.index("Paired") < alone.index("Overview")
