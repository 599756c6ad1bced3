"""What the page shows: text as text, and what is wrong in one line."""

from __future__ import annotations

import re
import socket
import sys

import pytest

from logic_curriculum.curriculum.play import main, view
from logic_curriculum.rewards import Verdict

HOSTILE = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><b>', "&lt;", "\ud83d")


@pytest.mark.parametrize(("typed", "seed"), [("7", 7), (" -3\n", -3), ("0" * 99 + "1", 1)])
def test_a_whole_number_is_a_seed(typed, seed):
    assert view.read_number("seed", typed) == seed


@pytest.mark.parametrize("typed", ["", "seven", "1.5", "1e3", "9" * 10_000, "<b>1</b>"])
def test_anything_else_is_refused_in_a_short_line(typed):
    with pytest.raises(ValueError, match="no whole number: type one such as 7") as refused:
        view.read_number("seed", typed)
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_as_text(text):
    verdict = Verdict(False, 0.0, answer=text, explanation=text, metrics={text: 1.0})
    shown = view.verdict_html(verdict) + view.error_html(text)
    tags = set(re.findall(r"<(\w+)", shown))
    assert tags == {"strong", "p", "h4", "pre", "table", "tr", "th", "td"}
    assert shown.encode()  # no half of a pair of surrogates is left


def test_an_error_is_one_line():
    assert view.error_html("no\n  such level") == '<p class="problem">no such level</p>'


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (Verdict(True, 1.0), "solved"),
        (Verdict(False, 0.0), "not solved"),
        (Verdict(False, None), "not graded"),
    ],
)
def test_a_verdict_begins_with_its_outcome(verdict, outcome):
    assert f">{outcome}</strong>" in view.verdict_html(verdict)


def test_figures_that_are_zero_come_last():
    verdict = Verdict(False, 0.0, metrics={"a": 0.0, "b": 0.5, "c": 0.0, "d": 1.0})
    names = re.findall(r"<th[^>]*>(\w+)", view.verdict_html(verdict))
    assert names == ["reward", "syntax", "partial", "b", "d", "a", "c"]


def test_without_gradio_the_command_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "gradio", None)
    monkeypatch.delitem(sys.modules, "logic_curriculum.curriculum.play.page", raising=False)
    assert main([]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert 'pip install "logic-curriculum[play]"' in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "99999"], "--host 127.0.0.1 --port 99999 can't be opened (bind(): port must"),
        (["--host", "192.0.2.1"], "--host 192.0.2.1 can't be opened ("),  # no machine's address
    ],
)
def test_an_address_that_can_not_be_opened_is_refused_in_a_line(capsys, words, said):
    assert main(words) == 1
    line = capsys.readouterr().err
    assert line.startswith(f"logic-curriculum play: error: {said}")
    assert line.count("\n") == 1


def test_a_port_that_is_taken_is_refused_in_a_line(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["--port", port]) == 1
    assert f"--port {port} can't be opened (" in capsys.readouterr().err
