"""The page in a real Chromium, opened from disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evaluation_records import run
from hostile_records import HOSTILE, hostile_run

from logic_curriculum.curriculum.evaluation.page import write_page
from logic_curriculum.curriculum.evaluation.papers import summary_tables
from logic_curriculum.curriculum.evaluation.scores import score_run
from logic_curriculum.curriculum.evaluation.tables import detail_tables

pytestmark = pytest.mark.slow
webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not (CHROMIUM and DRIVER):
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


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
        seen.append(texts(browser, "#detail .text")[1])
    # the driver transports no half pairs
    assert seen[:-1] == [text.replace("\ud83d", "\ufffd") for text in HOSTILE[:-1]]
    assert seen[-1].endswith("10,000 further characters]")
    assert browser.execute_script("return window.hacked") is None
    assert texts(browser, "#injected, #detail img, #list img") == []
    assert browser.get_log("browser") == []


def test_nothing_is_asked_of_the_network(browser, tmp_path):
    browser.get_log("performance")
    opened(browser, tmp_path, hostile_run())
    messages = [entry["message"] for entry in browser.get_log("performance")]
    requests = [text for text in messages if '"Network.requestWillBeSent"' in text]
    assert len(requests) == 1  # the page itself
    assert "file://" in requests[0]


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
        *("Extracted answer", "Completion (10 tokens)", "An answer that is right", "Prompt"),
        "Measured",
    ]
    assert texts(browser, "#detail .text") == [
        *("an answer", "an answer", "the solution", "What about 0 at 1?", "hacking_gap 0.25")
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


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_no_wider_than_its_window(browser, tmp_path, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    opened(browser, tmp_path, hostile_run())
    content, window = browser.execute_script("return [document.body.scrollWidth, innerWidth]")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert content <= window == width  # a phone widens its window to what does not fit
