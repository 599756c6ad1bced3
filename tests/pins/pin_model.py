"""A stand-in for a language model: a server on this machine whose answers are canned."""

from __future__ import annotations

import atexit
import json
import re
import tempfile
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

NAMES = (
    *("Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ian", "Jo", "Kai", "Lea"),
    *("Max", "Noa", "Ole", "Pia", "Rob", "Sue", "Tim", "Uma"),
)
COLORS = ("red", "blue", "green", "yellow", "white")
RULES = [
    f"eastbound(T) :- has_car(T, C), car_color(C, {color}), {second}."
    for color, second in product(
        COLORS,
        ("car_len(C, long)", "car_len(C, short)", "car_num(C, N), N > 1", "has_wall(C, full)"),
    )
]
ANSWERS = [
    *(f"<think>Perhaps.</think>\n[RULE]{rule}[/RULE]" for rule in RULES[:4]),
    *(f"[RULE]eastbound(T) :- has_car(T, C), car_color(C, {color}).[/RULE]" for color in COLORS),
    *(f"Answer: {number}" for number in range(1, 7)),
    "<answer>∀x(Sx→Txa)</answer>",
    "<answer>a=0, F={0}, G={0,1}</answer>",
    "rule_1 & fact_1 =>> int_1: Ann's humid is 5\nAnswer: \\boxed{5}",
    "<result>consistent</result>",
    "<result>inconsistent</result>",
    "I can't tell.",
    "",
]
"""What the stand-in answers to a task, chosen by the hash of the prompt."""


def answer(prompt: str) -> str:
    """Answer as an able model would, and always the same to the same question."""
    chosen = int(sha256(prompt.encode()).hexdigest(), 16)
    if "<score>" in prompt:
        return "<score>9</score>"
    if "<negation>" in prompt:
        negation = prompt.split('"')[1].replace("has signed", "has not signed")
        return f"<negation>{negation}</negation>"
    variable = re.search(r"Give a sentence for \[v(\d+)\]", prompt)
    if variable:
        return f"<sentence>{NAMES[int(variable[1])]} has signed the lease</sentence>"
    if "put together from templates" in prompt:
        return "\n".join(_reworded(prompt))
    if "Invent a rule" in prompt:
        return f"[RULE]{RULES[chosen % len(RULES)]}[/RULE]"
    return ANSWERS[chosen % len(ANSWERS)]


def _reworded(prompt: str) -> list[str]:
    lines = []
    for label, text in re.findall(r"^((?:fact|rule)_\d+|query): (.*?)   \[", prompt, re.MULTILINE):
        said = re.sub(r"^Whenever |^If ", "As long as ", text)
        if label == "query":
            said = f"Please tell {text.removeprefix('What is ').rstrip('?.')}."
        lines.append(f"{label}: {said}")
    return lines


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Answer in the form of OpenAI's chat completions."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": answer(asked["messages"][-1]["content"])}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "stand-in",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@cache
def stand_in() -> str:
    """Start the server, once, and return the path of the YAML file that names it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    folder = tempfile.TemporaryDirectory(prefix="pins-")
    atexit.register(folder.cleanup)
    atexit.register(server.shutdown)
    file = Path(folder.name) / "llm.yaml"
    client = f"{{base_url: 'http://127.0.0.1:{server.server_port}/v1', api_key: none, timeout: 60}}"
    cache_folder = Path(folder.name) / "cache"
    file.write_text(f"model: stand-in\nclient: {client}\nconcurrency: 2\ncache: {cache_folder}\n")
    return str(file)
