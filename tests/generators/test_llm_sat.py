"""Sentences by a language model: what is asked, what is refused, and when it is given up."""

from __future__ import annotations

import itertools
import re

import pytest
from llm_server import Endpoint, completion
from pytest_httpserver import HTTPServer

from logic_curriculum.generators import generate
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.sat import sentences
from logic_curriculum.generators.sat.sentences import (
    SHIPPED,
    Atom,
    GroundingError,
    _read_negation,
    ground_by_model,
    load_theme,
)
from logic_curriculum.rewards.engines.propositional import parse

FORMULAS = [parse("(v1∨¬v2)"), parse("¬v1")]
NAMES = ("Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ian", "Jo", "Kai", "Lea")


@pytest.fixture(autouse=True)
def _few_tries(monkeypatch):
    monkeypatch.setattr(sentences, "TRIES", 2)


def reply(prompt: str, sentence: str, score: str = "9") -> str:
    """Answer a prompt as an able model would."""
    if "<score>" in prompt:
        return f"Fine.\n<score>{score}</score>"
    if "<negation>" in prompt:
        text = re.search(r'this one is false: "([^"]*)"', prompt)
        assert text is not None
        return f"<negation>{text[1].replace('has signed', 'has not signed')}</negation>"
    return f"<sentence>{sentence}</sentence>"


def able(**options):
    texts = (f"{name} has signed the lease" for name in itertools.cycle(NAMES))

    def script(body):
        prompt = body["messages"][-1]["content"]
        fresh = next(texts) if "[/" not in prompt and "<sentence>" in prompt else ""
        return completion(reply(prompt, fresh, **options))

    return script


def grounded(endpoint: Endpoint, cache, technique: str = "themes") -> dict[str, Atom]:
    theme = load_theme("banking")
    model = endpoint.model(cache)
    return ground_by_model(model, technique, theme, FORMULAS, ["v1", "v2"])


def test_variables_are_grounded_one_after_the_other_with_the_text_so_far(
    httpserver: HTTPServer, tmp_path
):
    endpoint = Endpoint(httpserver, able())
    atoms = grounded(endpoint, tmp_path)
    assert atoms == {
        "v1": Atom("Ann has signed the lease", "Ann has not signed the lease"),
        "v2": Atom("Bob has signed the lease", "Bob has not signed the lease"),
    }
    first, _, second, _, check = endpoint.texts
    assert "1. Either [v1], or [not v2].\n2. [not v1]." in first
    assert "1. Either Ann has signed the lease, or [not v2]." in second
    assert "Bob has not signed the lease." in check


@pytest.mark.parametrize(
    ("technique", "told"), [("broadtopic", "title"), ("themes", "topic"), ("fulltext", "text")]
)
def test_the_technique_decides_what_the_model_is_told(
    httpserver: HTTPServer, tmp_path, technique, told
):
    endpoint = Endpoint(httpserver, able())
    grounded(endpoint, tmp_path, technique)
    theme = load_theme("banking")
    texts = {name: getattr(theme, name).strip() for name in ("title", "topic", "text")}
    assert texts[told] in endpoint.texts[0]
    assert sum(f": {text}." in endpoint.texts[0] for text in texts.values()) == (told != "text")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("", "sentences of another length"),
        ("Ann sings", "another length"),
        ("Ann has signed the lease and left", "connect or quantify"),
        ("Ann signed every single lease", "connect or quantify"),
        ("Ann has not signed the lease", "negate"),
        ("Ann, the clerk, signed it", "punctuation"),
        ("Ann has signed the lease", "said before"),  # each time: no second sentence
        ("Ann has signed it </sentence><sentence>", "another length"),
        ("x" * 1000, "without a sentence"),
    ],
)
def test_sentences_that_cannot_be_used_are_counted(
    httpserver: HTTPServer, tmp_path, sentence, reason
):
    endpoint = Endpoint(
        httpserver, lambda body: completion(reply(body["messages"][-1]["content"], sentence))
    )
    with pytest.raises(GroundingError, match=reason):
        grounded(endpoint, tmp_path)


def test_a_negation_of_another_sentence_is_refused(httpserver: HTTPServer, tmp_path):
    def script(body):
        prompt = body["messages"][-1]["content"]
        if "<negation>" in prompt:
            return completion("<negation>the vault was not locked today</negation>")
        return completion(reply(prompt, "Ann opened the door in Oslo"))

    with pytest.raises(GroundingError, match="4 negations of something else"):
        grounded(Endpoint(httpserver, script), tmp_path)


def test_a_negation_says_nothing_else_than_its_sentence_but_for_the_verb():
    for name in SHIPPED:
        for atom in load_theme(name).atoms:
            answer = f"<negation>{atom.negation}</negation>"
            assert _read_negation(answer, atom.text, []) == atom.negation
    assert _read_negation("<negation>Bo didn't buy it there</negation>", "Bo bought it there", [])


@pytest.mark.parametrize(("score", "enough"), [("9", True), ("8/10", True), ("7.5", False)])
def test_a_text_has_to_reach_the_threshold(httpserver: HTTPServer, tmp_path, score, enough):
    endpoint = Endpoint(httpserver, able(score=score))
    if enough:
        assert len(grounded(endpoint, tmp_path)) == 2
    else:
        with pytest.raises(GroundingError, match="2 texts that do not cohere"):
            grounded(endpoint, tmp_path)


@pytest.mark.parametrize("score", ["high", "11", "0", "-9"])
def test_a_score_that_is_none_does_not_count_as_one(httpserver: HTTPServer, tmp_path, score):
    endpoint = Endpoint(httpserver, able(score=score))
    with pytest.raises(GroundingError, match="2 texts without a score"):
        grounded(endpoint, tmp_path)


def test_a_task_is_told_in_the_models_sentences(httpserver: HTTPServer, tmp_path):
    endpoint = Endpoint(httpserver, able())
    file = endpoint.file(tmp_path)
    task = generate("sat", 1, 3, grounding="themes", llm=file)
    assert "has signed the lease" in task.prompt
    assert task.metadata["grounding"] == "themes"

    asked = len(endpoint.asked)
    load_model.cache_clear()
    assert generate("sat", 1, 3, grounding="themes", llm=file) == task
    assert len(endpoint.asked) == asked


@pytest.mark.parametrize(
    "options",
    [
        {"grounding": "themes"},
        {"llm": "some-model"},
        {"grounding": "poetry", "llm": "some-model"},
        {"grounding": "themes", "llm": "some-model", "language": "symbolic"},
    ],
)
def test_options_that_do_not_go_together_are_refused(options):
    with pytest.raises(ValueError, match="grounding"):
        generate("sat", 1, 3, **options)
