"""The client of language models, against a server that answers as the test says."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from llm_server import PATH, Endpoint, completion, failure, in_turn
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from logic_curriculum.generators.llm import LanguageModel, LLMConfig, LLMError, Question, text_of

BIRD = Question.of("Name a bird.")
pytestmark = pytest.mark.usefixtures("without_endpoint")


def echo(body):
    return completion(f"You said: {body['messages'][-1]['content']}")


def test_an_answer_comes_as_the_endpoint_gave_it(httpserver: HTTPServer, tmp_path):
    model = Endpoint(httpserver, echo).model(tmp_path)
    answer = model.ask(BIRD)
    assert answer.text == "You said: Name a bird."
    assert (answer.finish_reason, answer.input_tokens, answer.output_tokens) == ("stop", 10, 5)


def test_options_and_roles_reach_the_endpoint_unchanged(httpserver: HTTPServer, tmp_path):
    endpoint = Endpoint(httpserver, echo)
    model = endpoint.model(tmp_path, options={"temperature": 0.25, "extra_body": {"top_k": 7}})
    model.ask(Question((("system", "Be brief."), ("user", "Name a bird."))))
    assert endpoint.asked == [
        {
            "model": "scripted",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Name a bird."},
            ],
            "temperature": 0.25,
            "top_k": 7,
        }
    ]


def test_no_question_is_asked_twice(httpserver: HTTPServer, tmp_path):
    endpoint = Endpoint(httpserver, echo)
    first = endpoint.model(tmp_path).ask_all([BIRD, Question.of("Name a fish."), BIRD])
    assert endpoint.model(tmp_path).ask_all([BIRD, Question.of("Name a fish.")]) == first[:2]
    assert first[2] == first[0]
    assert sorted(endpoint.texts) == ["Name a bird.", "Name a fish."]


@pytest.mark.parametrize(
    "changes", [{"model": "other"}, {"options": {"temperature": 0.5}}], ids=["model", "options"]
)
def test_another_model_or_option_is_another_question(httpserver: HTTPServer, tmp_path, changes):
    endpoint = Endpoint(httpserver, echo)
    endpoint.model(tmp_path).ask(BIRD)
    endpoint.model(tmp_path, **changes).ask(BIRD)
    assert len(endpoint.asked) == 2


def test_each_sample_has_an_answer_of_its_own(httpserver: HTTPServer, tmp_path):
    replies = in_turn(completion("wren"), completion("robin"))
    model = Endpoint(httpserver, replies).model(tmp_path)
    wren, robin = (model.ask(Question.of("Name a bird.", sample)).text for sample in (0, 1))
    assert (wren, robin) == ("wren", "robin")
    assert model.ask(Question.of("Name a bird.", 0)).text == "wren"


def test_the_cache_needs_no_endpoint_no_key_and_no_openai(httpserver: HTTPServer, tmp_path):
    Endpoint(httpserver, echo).model(tmp_path).ask(BIRD)
    code = """
import sys
from pathlib import Path
from logic_curriculum.generators.llm import LanguageModel, LLMConfig, Question
sys.modules["openai"] = None
model = LanguageModel(LLMConfig(model="scripted", cache=Path(sys.argv[1])))
print(model.ask(Question.of("Name a bird.")).text)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "You said: Name a bird.\n", done.stderr


def test_as_many_questions_are_on_their_way_as_allowed(httpserver: HTTPServer, tmp_path):
    lock, three, under_way, most = threading.Lock(), threading.Barrier(3, timeout=60), 0, 0

    def script(body):
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        three.wait()  # no answer leaves before three questions are here
        with lock:
            under_way -= 1
        return echo(body)

    endpoint = Endpoint(httpserver, script)
    client = {"base_url": endpoint.url, "api_key": "none", "timeout": 60}
    model = endpoint.model(tmp_path, concurrency=3, client=client)
    answers = model.ask_all([Question.of(f"Name bird {number}.") for number in range(9)])
    assert [answer.text[-2:] for answer in answers] == [f"{number}." for number in range(9)]
    assert most == 3


def test_two_who_want_the_same_answer_ask_once(httpserver: HTTPServer, tmp_path):
    def slow(body):
        time.sleep(0.3)
        return echo(body)

    endpoint = Endpoint(httpserver, slow)
    models = [endpoint.model(tmp_path), endpoint.model(tmp_path)]
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda model: model.ask(BIRD), models))
    assert answers[0] == answers[1]
    assert len(endpoint.asked) == 1
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_tokens_are_counted(httpserver: HTTPServer, tmp_path):
    endpoint = Endpoint(httpserver, echo)
    model = endpoint.model(tmp_path)
    model.ask_all([BIRD, Question.of("Name a fish.")])
    model.ask(BIRD)
    usage = model.usage
    assert (usage.asked, usage.cached, usage.input_tokens, usage.output_tokens) == (2, 1, 20, 10)


def test_a_running_event_loop_is_no_obstacle(httpserver: HTTPServer, tmp_path):
    model = Endpoint(httpserver, echo).model(tmp_path)

    async def in_a_notebook():
        return model.ask(BIRD)

    assert asyncio.run(in_a_notebook()).text == "You said: Name a bird."


# ---- what goes wrong and passes -----------------------------------------------------------------


@pytest.mark.parametrize(
    "trouble",
    [
        failure(429, "slow down", Retry_After="0.01"),
        failure(500, "out of memory", Retry_After="0.01"),
        failure(503, "starting", Retry_After="0.01"),
    ],
    ids=["rate limit", "server error", "not ready"],
)
def test_passing_trouble_is_waited_for(httpserver: HTTPServer, tmp_path, trouble):
    endpoint = Endpoint(httpserver, in_turn(trouble, trouble, completion("wren")))
    assert endpoint.model(tmp_path).ask(BIRD).text == "wren"
    assert len(endpoint.asked) == 3


def test_the_wait_that_the_endpoint_asks_for_is_kept(httpserver: HTTPServer, tmp_path):
    replies = in_turn(failure(429, "slow down", Retry_After="0.8"), completion("wren"))
    model = Endpoint(httpserver, replies).model(tmp_path)
    start = time.monotonic()
    model.ask(BIRD)
    assert time.monotonic() - start >= 0.8  # the package's own first wait is at most 0.5 s


# ---- what goes wrong for good -------------------------------------------------------------------


def json_text(text: str) -> Response:
    return Response(text, content_type="application/json")


ERRORS = {
    "key": (failure(401, "bad key"), "bad key.*OPENAI_API_KEY"),
    "model": (failure(404, "no such model"), "no such model.*model's name"),
    "rate limit": (failure(429, "slow down", Retry_After="0.01"), "slow down.*concurrency"),
    "server error": (failure(500, "out of memory", Retry_After="0.01"), "out of memory"),
    "torn JSON": (json_text("{"), "gave no answer"),
    "a web page": (Response("<p>Hello</p>", content_type="text/html"), "Hello.*/v1"),
    "no choices": (json_text("{}"), "without a message"),
    "empty choices": (json_text('{"choices": []}'), "without a message"),
    "named choices": (json_text('{"choices": {"a": 1}}'), "without a message"),
    "no text": (json_text('{"choices": [{"message": {"content": ["a"]}}]}'), "without a message"),
    "deep JSON": (json_text("[" * 100_000), "gave no answer"),
    "a list": (json_text("[1]"), "/v1"),
    "null": (json_text("null"), "/v1"),
}


@pytest.mark.parametrize(("reply", "named"), ERRORS.values(), ids=ERRORS)
def test_an_error_says_what_to_change(httpserver: HTTPServer, tmp_path, reply, named):
    endpoint = Endpoint(httpserver, lambda body: reply)
    with pytest.raises(LLMError, match=named) as caught:
        endpoint.model(tmp_path).ask(BIRD)
    assert "'scripted'" in str(caught.value)
    assert endpoint.url in str(caught.value)
    assert not list(tmp_path.rglob("*.json"))


def test_half_a_character_is_kept_as_one_that_is_not_known(httpserver: HTTPServer, tmp_path):
    model = Endpoint(httpserver, lambda body: completion("a\ud800b")).model(tmp_path)
    assert model.ask(BIRD).text == model.ask(BIRD).text == "a\ufffdb"


@pytest.mark.parametrize("usage", [None, {"completion_tokens": "many"}])
def test_tokens_that_are_not_told_are_not_counted(httpserver: HTTPServer, tmp_path, usage):
    reply = json_text(json.dumps({**json.loads(completion("Wren.").data), "usage": usage}))
    model = Endpoint(httpserver, lambda body: reply).model(tmp_path)
    assert model.ask(BIRD).output_tokens is None
    assert (model.usage.asked, model.usage.output_tokens) == (1, 0)


def test_a_slow_endpoint_is_given_up(httpserver: HTTPServer, tmp_path):
    def slow(body):
        time.sleep(1)
        return echo(body)

    endpoint = Endpoint(httpserver, slow)
    client = {"base_url": endpoint.url, "api_key": "none", "timeout": 0.2, "max_retries": 0}
    with pytest.raises(LLMError, match="timeout"):
        endpoint.model(tmp_path, client=client).ask(BIRD)


def close_connection(request: Request) -> Response:
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return Response()


def test_an_endpoint_that_dies_is_told(httpserver: HTTPServer, tmp_path):
    httpserver.expect_request(PATH).respond_with_handler(close_connection)
    with pytest.raises(LLMError, match="server runs"):
        _model_at(httpserver.url_for("/v1"), tmp_path).ask(BIRD)


def test_an_endpoint_that_is_not_there_is_told(httpserver: HTTPServer, tmp_path):
    with pytest.raises(LLMError, match=r"127\.0\.0\.1:9.*OPENAI_BASE_URL"):
        _model_at("http://127.0.0.1:9/v1", tmp_path).ask(BIRD)


def _model_at(url: str, cache: Path) -> LanguageModel:
    client = {"base_url": url, "api_key": "none", "max_retries": 0, "timeout": 20}
    return LanguageModel(LLMConfig(model="scripted", client=client, cache=cache))


def test_without_a_key_the_variable_is_named(tmp_path):
    model = LanguageModel(LLMConfig(model="scripted", cache=tmp_path))
    with pytest.raises(LLMError, match=r"OPENAI_API_KEY.*OPENAI_BASE_URL"):
        model.ask(BIRD)


def test_without_the_package_its_command_is_printed(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(LLMError, match=r'pip install "logic-curriculum\[llm\]"'):
        LanguageModel(LLMConfig(model="scripted", cache=tmp_path)).ask(BIRD)


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"client": {"colour": "red"}}, r"openai\.OpenAI"), ({"options": {"tone": 1}}, "extra_body")],
    ids=["client", "options"],
)
def test_unknown_arguments_of_the_package_are_told(
    httpserver: HTTPServer, tmp_path, monkeypatch, changes, named
):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(LLMError, match=named):
        Endpoint(httpserver, echo).model(tmp_path, **changes).ask(BIRD)


def test_a_failure_loses_nothing_that_came_before(httpserver: HTTPServer, tmp_path):
    def script(body):
        if body["messages"][-1]["content"] == "Name bird 5.":
            return failure(400, "refused")
        return echo(body)

    questions = [Question.of(f"Name bird {number}.") for number in range(10)]
    endpoint = Endpoint(httpserver, script)
    with pytest.raises(LLMError, match="Of 10 answers asked for, 5 came"):
        endpoint.model(tmp_path, concurrency=1).ask_all(questions)
    assert len(list(tmp_path.rglob("*.json"))) == 5

    endpoint.script = echo
    endpoint.asked.clear()
    model = endpoint.model(tmp_path)
    assert len(model.ask_all(questions)) == 10
    assert sorted(endpoint.texts) == [f"Name bird {number}." for number in range(5, 10)]


def test_answers_under_way_are_waited_for_when_one_fails(httpserver: HTTPServer, tmp_path):
    three = threading.Barrier(3, timeout=60)

    def script(body):
        three.wait()
        if body["messages"][-1]["content"] == "bad":
            return failure(400, "refused")
        time.sleep(0.5)
        return echo(body)

    model = Endpoint(httpserver, script).model(tmp_path, concurrency=3)
    with pytest.raises(LLMError, match="Of 4 answers asked for, 2 came"):
        model.ask_all([Question.of(text) for text in ("bad", "one", "two", "three")])


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        (completion(""), "no text"),
        (completion(None), "no text"),
        (completion("half an ans", "length"), "max_tokens"),
    ],
    ids=["empty", "null", "cut off"],
)
def test_an_answer_that_is_not_whole_is_no_text(httpserver: HTTPServer, tmp_path, reply, named):
    endpoint = Endpoint(httpserver, lambda body: reply)
    with pytest.raises(LLMError, match=named):
        text_of(endpoint.model(tmp_path).ask(BIRD))
    endpoint.model(tmp_path).ask(BIRD)
    assert len(endpoint.asked) == 1  # repeated builds take the same turns


def test_a_damaged_cache_entry_is_named(httpserver: HTTPServer, tmp_path):
    model = Endpoint(httpserver, echo).model(tmp_path)
    model.ask(BIRD)
    (entry,) = tmp_path.rglob("*.json")
    entry.write_text(entry.read_text()[:40])
    with pytest.raises(ValueError, match=f"{entry.name}.*Delete the file"):
        model.ask(BIRD)
