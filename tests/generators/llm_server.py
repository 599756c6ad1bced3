"""A scripted OpenAI-compatible server: what each request gets is written down in the test."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from logic_curriculum.generators.llm import LanguageModel, LLMConfig, load_model
from logic_curriculum.generators.slr.language import load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import fitting_schemata

PATH = "/v1/chat/completions"
Script = Callable[[dict[str, Any]], Response]


def completion(text: str | None, finish_reason: str = "stop") -> Response:
    """Return a well-formed answer of a chat model."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text},
         "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip
    return Response(json.dumps(body), content_type="application/json")


def proposal(prompt: str, level: int, seed: int) -> str:
    """Return what an able model proposes when SLR asks for a rule: one of the style asked for."""
    (style,) = re.findall(r"Kind of rule that is wanted: (.*?)\. ", prompt)
    language, row = load_language("trains"), level_of(level)
    group = next(found for found in fitting_schemata(language, row) if found[0].style == style)
    rng = random.Random(seed)
    return f"[RULE]{rng.choice(group).fill(language, row, rng).text}[/RULE]"


def failure(status: int, message: str, **headers: str) -> Response:
    """Return an answer by which an endpoint refuses."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps({"error": {"message": message, "type": "scripted"}})
    return Response(body, status=status, headers=names, content_type="application/json")


class Endpoint:
    """Serves a script, and keeps what it was asked."""

    def __init__(self, server: HTTPServer, script: Script) -> None:
        self.asked: list[dict[str, Any]] = []
        self.script = script
        self.url = server.url_for("/v1")
        server.expect_request(PATH, method="POST").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        body = json.loads(request.data)
        self.asked.append(body)
        return self.script(body)

    @property
    def texts(self) -> list[str]:
        """Return the last message of each request."""
        return [body["messages"][-1]["content"] for body in self.asked]

    def model(self, cache: Path, **changes: Any) -> LanguageModel:
        """Return a client of this endpoint that loses no time between retries."""
        given: dict[str, Any] = {
            "model": "scripted",
            "client": {"base_url": self.url, "api_key": "none", "timeout": 60, "max_retries": 2},
            "cache": cache,
            **changes,
        }
        return LanguageModel(LLMConfig(**given))

    def file(self, folder: Path) -> str:
        """Write the YAML file of this endpoint, and forget what was loaded from one before."""
        file = folder / "llm.yaml"
        file.write_text(
            f"model: scripted\nclient: {{base_url: '{self.url}', api_key: none}}\n"
            f"cache: {folder / 'cache'}\n"
        )
        load_model.cache_clear()
        return str(file)


def in_turn(*replies: Response) -> Script:
    """Return a script that gives these replies one after the other, then the last one for good."""
    left: Sequence[Response] = replies

    def script(body: dict[str, Any]) -> Response:
        nonlocal left
        reply, left = left[0], left[1:] or left
        return reply

    return script
