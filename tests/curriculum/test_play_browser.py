"""The page of ``logic-curriculum play`` in a real Chromium, served by the command itself."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from logic_curriculum.generators import generate

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
waiting = pytest.importorskip("selenium.webdriver.support.wait")
keys = webdriver.Keys
pytest.importorskip("gradio", reason='pip install "logic-curriculum[play]"')
PATIENCE = 120  # seconds that something may take to show up on a busy machine
HOSTILE = (
    "<img src=x onerror='window.hacked=1'><script>window.hacked=2</script>"
    "${window.hacked=3} {{window.hacked}} **bold** HALF"
)
"""Where it says HALF, half of a surrogate pair is typed, which the driver can't transport."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "logic_curriculum", "play"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            (url,) = re.findall(r"The page is at (\S+)", server.stdout.readline())
            yield url
        finally:
            server.terminate()


@pytest.fixture
def page(browser, address) -> Any:
    browser.get(address)
    wait(browser, lambda: "examples" in prompt(browser))
    return browser


def wait(browser: Any, condition: Callable[[], Any]) -> Any:
    return waiting.WebDriverWait(browser, PATIENCE).until(lambda _: condition())


def value(browser: Any, where: str) -> str:
    script = "return (document.querySelector(arguments[0]) || {}).value || ''"
    return browser.execute_script(script, where)


def text(browser: Any, where: str) -> str:
    script = "return (document.querySelector(arguments[0]) || {}).textContent || ''"
    return browser.execute_script(script, where)


def prompt(browser: Any) -> str:
    return value(browser, "#prompt textarea")


def write(browser: Any, typed: str) -> None:
    """Put an answer into its box at once."""
    script = """
        const box = document.querySelector('#answer textarea');
        box.value = arguments[0].replace('HALF', '\\ud83d');
        box.dispatchEvent(new Event('input', {bubbles: true}));
    """
    browser.execute_script(script, typed)


def enter(browser: Any, where: str, typed: str) -> None:
    """Type into a box in place of what stands there, and press Enter."""
    box = browser.find_element("css selector", where)
    box.click()
    box.send_keys(keys.CONTROL + "a", keys.NULL, typed, keys.ENTER)


def click(browser: Any, where: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", where)


def choose(browser: Any, label: str, option: str) -> None:
    browser.find_element("css selector", f"#choice input[aria-label='{label}']").click()
    found = f"//li[@role='option'][@aria-label='{option}']"
    wait(browser, lambda: browser.find_elements("xpath", found))[0].click()


def take(browser: Any, name: str) -> None:
    """Take the prepared answer whose name begins so."""
    script = """
        const labels = [...document.querySelectorAll('#prepared label')];
        const found = labels.find((label) => label.textContent.trim().startsWith(arguments[0]));
        if (found) found.click();
        return Boolean(found);
    """
    wait(browser, lambda: browser.execute_script(script, name))


def outcome(browser: Any) -> str:
    return text(browser, "#verdict .outcome")


def test_a_right_and_a_sly_answer_are_judged(page):
    task = generate("slr", level=1, seed=0)
    assert prompt(page) == task.prompt
    take(page, "right: the task's solution")
    wait(page, lambda: outcome(page) == "solved")
    assert value(page, "#answer textarea") == task.solution
    assert text(page, "#verdict .answer") in task.solution
    take(page, "sly: the examples by name")
    wait(page, lambda: outcome(page) == "not solved")
    assert "member(T, [" in text(page, "#verdict .answer")
    assert "outside the rule language" in text(page, "#verdict .explanation")
    assert "outside1" in text(page, "#verdict table")


def test_family_level_and_seed_choose_the_task(page):
    choose(page, "Family", "sat")
    wait(page, lambda: prompt(page) == generate("sat", 1, 0).prompt)
    choose(page, "Level", f"3 · {generate('sat', 3, 0).metadata['tier']}")
    wait(page, lambda: prompt(page) == generate("sat", 3, 0).prompt)
    enter(page, "#seed input", "41")
    wait(page, lambda: prompt(page) == generate("sat", 3, 41).prompt)
    click(page, "#next")
    wait(page, lambda: prompt(page) == generate("sat", 3, 42).prompt)


def test_a_bad_seed_is_one_line_on_the_page(page):
    enter(page, "#seed input", "<b>seven</b>")
    said = wait(page, lambda: text(page, "#message .problem"))
    assert said.startswith("The seed is '<b>seven</b>', which is no")
    assert prompt(page) == ""
    click(page, "#judge")
    assert "There is no task" in wait(page, lambda: text(page, "#verdict .problem"))
    enter(page, "#seed input", "1")
    wait(page, lambda: prompt(page) == generate("slr", 1, 1).prompt)
    assert text(page, "#message").strip() == ""


def test_a_level_that_is_not_there_is_one_line_on_the_page(page):
    enter(page, "#choice input[aria-label=Level]", "21")
    said = wait(page, lambda: text(page, "#message .problem"))
    assert said == "slr has no level 21: its levels are 1 to 20; choose one of them"


def test_another_family_with_fewer_levels_is_shown_at_its_last(page):
    choose(page, "Level", "20 · hard")
    wait(page, lambda: prompt(page) == generate("slr", 20, 0).prompt)
    choose(page, "Family", "loginum")
    wait(page, lambda: prompt(page) == generate("loginum", 10, 0).prompt)
    assert page.find_elements("css selector", ".toast-body") == []


def test_a_hostile_answer_is_shown_as_text_and_told_where_answers_stand(page):
    write(page, HOSTILE)
    click(page, "#judge")
    wait(page, lambda: outcome(page) == "not solved")
    write(page, f"[RULE]eastbound(T) :- X = '{HOSTILE.replace(chr(39), '')}'.[/RULE]")
    click(page, "#judge")
    wait(page, lambda: "different answers" in text(page, "#verdict"))
    assert page.execute_script("return window.hacked") is None
    assert page.find_elements("css selector", "#verdict img, #verdict script, #verdict b") == []
    write(page, "I do not know.")
    click(page, "#judge")
    said = wait(page, lambda: text(page, "#verdict .no-answer"))
    assert "text before or after it counts for nothing" in said


def test_nothing_is_asked_of_other_machines(browser, address):
    browser.get_log("performance")
    browser.get(address)
    wait(browser, lambda: prompt(browser))
    messages = [entry["message"] for entry in browser.get_log("performance")]
    asked = [text for text in messages if '"Network.requestWillBeSent"' in text]
    urls = {
        url for text in asked for url in re.findall(r'"request":\{.*?"url":"(http[^"]+)"', text)
    }
    assert urls
    assert {url for url in urls if not url.startswith(address.rstrip("/"))} == set()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_no_wider_than_its_window(browser, address, width):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(address)
    wait(browser, lambda: prompt(browser))
    take(browser, "sly: the examples by their place")
    wait(browser, lambda: outcome(browser))
    content, window = browser.execute_script("return [document.body.scrollWidth, innerWidth]")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert content <= window == width
