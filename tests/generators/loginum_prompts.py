"""The facts, rules and query that a LogiNumSynth prompt shows, sentence by sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FULL = re.compile(
    r".*\n\nFacts:\n(?P<facts>(?:fact_\d+: [^\n]+\n)+)"
    r"\nRules:\n(?P<rules>(?:rule_\d+: [^\n]+\n)+)"
    r"\nQuery: (?P<query>[^\n]+)",
    re.DOTALL,
)
_COMPACT = re.compile(
    r"(?P<facts>(?:fact_\d+: [^\n]+\n)+)(?P<rules>(?:rule_\d+: [^\n]+\n)+)(?P<query>[^\n]+)\n"
    r'Write the lines "Reasoning:", "… =>> int_1: …", "Answer: \\boxed\{…\}"\n'
)


@dataclass(frozen=True)
class Prompt:
    facts: tuple[str, ...]
    rules: tuple[str, ...]
    query: str


def read_prompt(prompt: str, style: str) -> Prompt:
    found = (_FULL if style == "full" else _COMPACT).fullmatch(prompt)
    assert found, f"{prompt!r} is no prompt"
    return Prompt(
        _sentences("fact", found["facts"]), _sentences("rule", found["rules"]), found["query"]
    )


def _sentences(kind: str, lines: str) -> tuple[str, ...]:
    pairs = [line.split(": ", 1) for line in lines.splitlines()]
    assert [label for label, _ in pairs] == [f"{kind}_{n}" for n in range(1, len(pairs) + 1)]
    return tuple(sentence for _, sentence in pairs)
