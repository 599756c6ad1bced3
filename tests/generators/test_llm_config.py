"""The configuration of the client of language models."""

from pathlib import Path

import pytest
from llm_server import Endpoint, completion
from pytest_httpserver import HTTPServer

from logic_curriculum.generators.llm import LanguageModel, Question, load_config

pytestmark = pytest.mark.usefixtures("without_endpoint")


def test_a_name_is_a_model_of_the_endpoint_in_the_environment(
    httpserver: HTTPServer, tmp_path, monkeypatch
):
    endpoint = Endpoint(httpserver, lambda body: completion("wren"))
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert LanguageModel(load_config("wren-1")).ask(Question.of("Name a bird.")).text == "wren"
    assert endpoint.asked[0]["model"] == "wren-1"
    assert len(list((tmp_path / "logic-curriculum" / "llm").rglob("*.json"))) == 1


def test_a_file_configures_everything(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_MODEL", "wren-1")
    file = tmp_path / "llm.yaml"
    file.write_text(
        "client: {base_url: 'http://localhost:8000/v1', timeout: 60}\n"
        "options: {temperature: 1.0}\nconcurrency: 2\ncache: answers\n"
    )
    config = load_config(str(file))
    assert config.model == "wren-1"
    assert config.client["timeout"] == 60
    assert config.options == {"temperature": 1.0}
    assert (config.concurrency, config.cache) == (2, Path("answers"))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("model: a\ntemperature: 1\n", "line 2: unknown key `temperature`; the keys are model"),
        ("options: {}\n", "OPENAI_MODEL"),
        ("model: a\nconcurrency: 0\n", "line 2: .*greater than or equal to 1"),
        ("model: a\nconcurrency: many\n", "valid integer"),
        ("model: a\noptions: high\n", "options. is 'high', but it should be a valid dictionary"),
        ("- model\n", "which has no keys"),
        ("", "write `model: NAME`"),
        ("model: [\n", "not valid YAML"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, content, named):
    file = tmp_path / "llm.yaml"
    file.write_text(content)
    with pytest.raises(ValueError, match=named):
        load_config(str(file))


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"none\.yaml"):
        load_config(str(tmp_path / "none.yaml"))
