"""The page in a real Chromium, opened from disk."""

from __future__ import annotations

import csv
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evaluation_records import made_up, run
from hostile_records import HOSTILE, hostile_run

from logic_curriculum.curriculum.evaluation.page import write_page
from logic_curriculum.curriculum.evaluation.papers import summary_tables
from logic_curriculum.curriculum.evaluation.scores import score_run
from logic_curriculum.curriculum.evaluation.tables import detail_tables

pytestmark = pytest.mark.slow
webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
COMPLETION = 1  # place among the texts of an answer


def opened(browser: Any, folder: Path, records: list) -> Any:
    models = dict.fromkeys(record.model for record in records)
    scores = [s for name in models for s in score_run([r for r in records if r.model == name])]
    tables = [*summary_tables(scores, "USD"), *detail_tables(scores)]
    write_page(folder / "report.html", f"Run {HOSTILE[0]}", {"a": "b"}, scores, tables, records)
    browser.get((folder / "report.html").as_uri())
    return browser


def texts(browser: Any, selector: str) -> list[str]:
    find = (
        "const found = [...document.querySelectorAll(arguments[0])];"
        "return found.map((element) => element.textContent.toWellFormed())"
    )
    return browser.execute_script(find, selector)


def choose(browser: Any, name: str, value: str) -> None:
    browser.execute_script(
        "const control = document.getElementById('filters').elements[arguments[0]];"
        "control.value = arguments[1];"
        "control.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        value,
    )


def loaded(browser: Any, fragment: str) -> Any:
    """Open the page that is shown once more, as from a bookmark."""
    address = browser.current_url.partition("#")[0]
    browser.get("about:blank")
    browser.get(address + fragment)
    return browser


def permalink(browser: Any) -> str:
    """Return the fragment of the link beside the answer that is shown."""
    script = "return document.querySelector('#detail .permalink').hash"
    return browser.execute_script(script)


def exported(browser: Any, folder: Path, kind: str) -> str:
    """Return the text of the file that a button makes."""
    options = {"behavior": "allow", "downloadPath": str(folder / "got")}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", options)
    browser.execute_script("document.getElementById(arguments[0]).click()", kind)
    file, end = folder / "got" / f"answers.{kind}", time.monotonic() + 60
    while not file.is_file() and time.monotonic() < end:
        time.sleep(0.1)
    return file.read_bytes().decode()


def plain_run() -> list:
    return [
        *run("1100", "10", tier="basic"),
        *run("0?", family="sat", tier="easy"),
        *run("01", family="sat", shots=2, tier="easy", syntax=False),
    ]


def test_hostile_answers_are_shown_and_do_nothing(browser, tmp_path):
    opened(browser, tmp_path, hostile_run())
    seen = []
    for button in browser.find_elements("css selector", "#list button"):
        button.click()
        seen.append(texts(browser, "#detail .text")[COMPLETION])
    # the driver transports no half pairs
    assert seen[:-1] == [text.replace("\ud83d", "\ufffd") for text in HOSTILE[:-1]]
    assert seen[-1].endswith("10,000 further characters]")
    assert browser.execute_script("return window.hacked") is None
    assert texts(browser, "#injected, #detail img, #list img") == []
    assert browser.get_log("browser") == []


def test_nothing_is_asked_of_the_network(browser, tmp_path):
    browser.get_log("performance")
    opened(browser, tmp_path, hostile_run())
    events = [json.loads(item["message"])["message"] for item in browser.get_log("performance")]
    asked = [e["params"] for e in events if e["method"] == "Network.requestWillBeSent"]
    addresses = [params["request"]["url"] for params in asked]
    (address,) = [address for address in addresses if not address.startswith("data:")]
    assert address == (tmp_path / "report.html").as_uri()


def test_filters_narrow_the_list_together(browser, tmp_path):
    opened(browser, tmp_path, plain_run())
    assert texts(browser, "#count") == ["10 of 10 answers, 4 solved"]
    choose(browser, "family", "slr")
    assert texts(browser, "#count") == ["6 of 10 answers, 3 solved"]
    choose(browser, "level", "2")
    assert texts(browser, "#count") == ["2 of 10 answers, 1 solved"]
    choose(browser, "outcome", "wrong")
    assert texts(browser, "#list .what") == ["slr · level 2 · wrong"]
    assert texts(browser, "#detail h3") == ["slr, level 2 (basic), seed 1"]
    choose(browser, "level", "")
    choose(browser, "family", "sat")
    choose(browser, "outcome", "ungraded")
    assert texts(browser, "#list .what") == ["sat · level 1 · not graded"]


def test_the_search_looks_into_prompts_and_answers(browser, tmp_path):
    opened(browser, tmp_path, plain_run())
    choose(browser, "search", "ABOUT 3 AT")
    assert texts(browser, "#count") == ["1 of 10 answers, 0 solved"]
    choose(browser, "search", "nowhere")
    assert texts(browser, "#count") == ["0 of 10 answers, 0 solved"]
    assert texts(browser, "#detail *") == []


def test_an_answer_is_shown_with_all_that_was_made_of_it(browser, tmp_path):
    opened(browser, tmp_path, run("1", metrics={"hacking_gap": 0.25}))
    assert texts(browser, "#detail h4") == [
        *("Prompt", "Completion (10 tokens)", "Extracted answer", "An answer that is right"),
        "Measured",
    ]
    assert texts(browser, "#detail .text") == [
        *("What about 0 at 1?", "an answer", "an answer", "the solution", "hacking_gap 0.25")
    ]
    assert texts(browser, "#detail .explanation") == [" – because"]


def test_a_measurement_that_is_no_number_is_shown_as_not_available(browser, tmp_path):
    opened(browser, tmp_path, run("1", metrics={"gap": float("nan"), "zero": 0.0, "share": 0.5}))
    assert texts(browser, "#detail .text")[-1] == "gap n/a\nshare 0.5"
    assert browser.get_log("browser") == []


def test_a_filter_with_one_value_is_not_offered(browser, tmp_path):
    opened(browser, tmp_path, run("10", "11"))
    offered = texts(browser, "#filters label:not([hidden])")
    assert [label.split()[0] for label in offered] == ["Level", "Outcome", "Search"]


def test_a_long_list_is_shown_in_parts(browser, tmp_path):
    opened(browser, tmp_path, run("10" * 75))
    assert len(texts(browser, "#list li")) == 100
    browser.find_element("css selector", "#more").click()
    assert len(texts(browser, "#list li")) == 150
    assert not browser.find_element("css selector", "#more").is_displayed()


def test_two_runs_are_told_apart(browser, tmp_path):
    opened(browser, tmp_path, run("10") + run("11", model="o3"))
    choose(browser, "model", "o3")
    assert texts(browser, "#count") == ["2 of 4 answers, 2 solved"]


def test_what_a_run_does_better_and_worse_than_the_base_is_found(browser, tmp_path):
    opened(browser, tmp_path, run("1100?") + run("10111", model="o3"))
    for against, number in (("base", 5), ("better", 2), ("worse", 1), ("alike", 1), ("apart", 1)):
        choose(browser, "against", against)
        assert texts(browser, "#count")[0].startswith(f"{number} of 10 answers")
    choose(browser, "against", "worse")
    assert texts(browser, "#list .what") == ["slr · level 1 · wrong · o3"]


def test_a_task_that_was_asked_in_other_words_is_compared_too(browser, tmp_path):
    opened(browser, tmp_path, run("10") + run("11", model="o3", prompt="In other words?"))
    choose(browser, "against", "better")
    assert texts(browser, "#list .what") == ["slr · level 1 · solved · o3"]
    assert texts(browser, "#detail .answers .what") == ["slr · level 1 · wrong · gpt-4o"]


def test_other_answers_to_the_task_are_a_click_away(browser, tmp_path):
    opened(browser, tmp_path, run("1") + run("0", model="o3") + run("1", model="o3", sample=1))
    assert texts(browser, "#detail .answers .what") == [
        *("slr · level 1 · wrong · o3", "slr · level 1 · solved · o3 · answer 2")
    ]
    browser.find_elements("css selector", "#detail .answers button")[0].click()
    assert texts(browser, "#detail .outcome")[0] == "wrong"
    assert len(texts(browser, "#detail .answers .what")) == 2
    assert browser.get_log("browser") == []


def test_a_link_opens_its_answer_whatever_the_page_holds_besides(browser, tmp_path):
    name = "a/b model #2 (50 %) \u2200 \U0001d504"
    records = [replace(record, model=name) for record in run("10" * 75)]
    opened(browser, tmp_path, records)
    browser.find_element("css selector", "#more").click()
    browser.find_elements("css selector", "#list button")[120].click()
    fragment, shown = permalink(browser), texts(browser, "#detail .text")
    assert browser.current_url.endswith(fragment)
    assert shown[0] == "What about 120 at 1?"
    opened(browser, tmp_path, [*run("0", family="sat", model="o3"), *reversed(records)])
    loaded(browser, fragment)
    assert texts(browser, "#detail .text")[: len(shown)] == shown
    assert len(texts(browser, "#list [aria-current=true]")) == 1


def test_an_answer_that_was_chosen_stays_while_filters_let_it_pass(browser, tmp_path):
    opened(browser, tmp_path, plain_run())
    choose(browser, "outcome", "wrong")
    browser.find_elements("css selector", "#list button")[1].click()
    title = texts(browser, "#detail h3")
    for name, value in (("outcome", ""), ("family", "slr"), ("level", "1")):
        choose(browser, name, value)
        assert texts(browser, "#detail h3") == title
    choose(browser, "outcome", "solved")
    assert texts(browser, "#detail h3") != title


def test_a_link_takes_back_the_filters_that_hide_its_answer(browser, tmp_path):
    opened(browser, tmp_path, plain_run())
    fragment = permalink(browser)
    choose(browser, "family", "sat")
    browser.execute_script("location.hash = arguments[0]", fragment)
    end = time.monotonic() + 30
    while texts(browser, "#count") != ["10 of 10 answers, 4 solved"] and time.monotonic() < end:
        time.sleep(0.1)
    assert texts(browser, "#detail h3") == ["slr, level 1 (basic), seed 0"]


def test_a_fragment_that_names_no_answer_is_left_alone(browser, tmp_path):
    opened(browser, tmp_path, plain_run())
    for fragment in ("#answer=", "#answer=%", "#answer=%00/<script>", "#tables"):
        loaded(browser, fragment)
        assert texts(browser, "#detail h3") == ["slr, level 1 (basic), seed 0"]
    assert browser.get_log("browser") == []


def test_answers_are_filtered_by_what_is_wrong_with_them(browser, tmp_path):
    errors = {"not_countermodel": 1.0, "premise_false": 1.0}
    both = run("0", family="countermodel", metrics={**errors, "conclusion_true": 1.0})
    opened(browser, tmp_path, [*both, made_up(1, False, family="countermodel", metrics=errors)])
    choose(browser, "errors", "premise_false")
    assert texts(browser, "#count") == ["2 of 2 answers, 0 solved"]
    choose(browser, "errors", "conclusion_true")
    assert texts(browser, "#count") == ["1 of 2 answers, 0 solved"]
    said = ["Error: not countermodel, premise false, conclusion true"]
    assert texts(browser, "#detail .errors") == said
    choose(browser, "search", "about 1 at")
    assert texts(browser, "#count") == ["0 of 2 answers, 0 solved"]


def test_what_is_wrong_is_named_and_marked(browser, tmp_path):
    (record,) = run("0", family="countermodel", prompt="\U0001d504 Fa, <b>Ga</b>, Gb |= Ha")
    faults = {"Gb": "is false", "Ha": "is true", HOSTILE[1]: "is hostile"}
    record = replace(record, completion=HOSTILE[1], verdict=replace(record.verdict, faults=faults))
    opened(browser, tmp_path, [record])
    assert texts(browser, "#detail .faults li")[:2] == ["Gb is false", "Ha is true"]
    assert texts(browser, "#detail mark") == ["Gb", "Ha", HOSTILE[1]]
    assert texts(browser, "#detail .text")[0] == record.prompt
    assert browser.execute_script("return window.hacked") is None


def test_what_the_filters_show_is_exported_as_csv(browser, tmp_path):
    records = [replace(r, completion=r.completion.replace("\0", "")) for r in hostile_run()]
    opened(browser, tmp_path, records)
    choose(browser, "family", "slr")
    rows = list(csv.DictReader(exported(browser, tmp_path, "csv").splitlines(keepends=True)))
    kept = [record for record in records if record.family == "slr"]
    assert [row["completion"][:1000] for row in rows] == [r.completion[:1000] for r in kept]
    assert [row["id"] for row in rows] == [record.id for record in kept]
    assert browser.get_log("browser") == []


FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", " =1", "\r=1", "\n=1", "＝1", '=HYPERLINK("x")']


def test_no_cell_of_the_csv_is_a_formula(browser, tmp_path):
    records = [made_up(n, completion=text, model=text) for n, text in enumerate(FORMULAS)]
    plain = made_up(99, completion='a, "b"\r\nc = -1', metrics={"=gap": -0.5})
    opened(browser, tmp_path, [*records, plain])
    lines = exported(browser, tmp_path, "csv").splitlines(keepends=True)
    rows = list(csv.DictReader(lines))
    for row, text in zip(rows, FORMULAS, strict=False):
        assert {row["model"], row["completion"], row["answer"]} == {f"'{text}"}
    assert rows[-1]["completion"] == plain.completion
    assert rows[-1]["metric =gap"] == "-0.5"


def test_what_the_filters_show_is_exported_as_json_lines(browser, tmp_path):
    opened(browser, tmp_path, hostile_run())
    choose(browser, "outcome", "solved")
    rows = [json.loads(line) for line in exported(browser, tmp_path, "jsonl").split("\n")[:-1]]
    kept = [record for record in hostile_run() if record.verdict.solved]
    assert [row["completion"][:1000] for row in rows] == [r.completion[:1000] for r in kept]
    assert [row["metrics"] for row in rows] == [dict(record.verdict.metrics) for record in kept]
    assert {row["outcome"] for row in rows} == {"solved"}


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_no_wider_than_its_window(browser, tmp_path, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    opened(browser, tmp_path, hostile_run())
    content, window = browser.execute_script("return [document.body.scrollWidth, innerWidth]")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert content <= window == width  # a phone widens its window to what does not fit
