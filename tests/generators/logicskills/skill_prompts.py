"""What prompts and solutions say, read from their text alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from fol_reference import World

_SYMBOLIZATION = {
    "full": re.compile(
        r"\n\nSentence: (?P<sentence>[^\n]+)\nAbbreviations:\n(?P<key>(?:- [^\n]+\n)+)\n"
        r"[^\n]+ between the tags, like this:\n<answer>\.\.\.</answer>\Z"
    ),
    "compact": re.compile(r"\A(?P<sentence>[^\n]+)\n(?P<key>[^\n]+)\nAnswer:\n\Z"),
    "paper": re.compile(
        r"\n\nSentence:\n\n(?P<sentence>[^\n]+)\n\nAbbreviations:\n\n(?P<key>[^\n]+(?:\n[^\n]+)*)\Z"
    ),
}
_ABBREVIATION = {
    "full": re.compile(r"- (?P<symbol>\w): (?P<text>[^\n]+)\n"),
    "compact": re.compile(r"(?P<symbol>\w) (?P<text>[^\n,]+)(?:, |\Z)"),
    "paper": re.compile(r"(?P<symbol>\w): (?P<text>[^\n]+)(?:\n|\Z)"),
}
_WRITTEN = {"full": "- {}: {}\n", "compact": "{} {}, ", "paper": "{}: {}\n"}
_ENDS = {"full": "", "compact": ", ", "paper": "\n"}
"""What the last entry of a key is written without."""

_VALIDITY = {
    "full": re.compile(
        r"\n\nSuppose that all of the following is true\.\n\n(?P<situation>[^\n]+)\n\n"
        r"[^\n]+\?\n\n(?P<options>(?:\d+\. [^\n]+\n)+)\n"
        r"[^\n]+ between the tags:\n<answer>\.\.\.</answer>\Z"
    ),
    "compact": re.compile(r"\A(?P<situation>[^\n]+)\n(?P<options>(?:\d+\. [^\n]+\n)+)Answer:\n\Z"),
    "paper": re.compile(
        r"\n\nConsider the following situation:\n\n(?P<situation>[^\n]+)\n\n"
        r"[^\n]+\?\n\n(?P<options>(?:\d+\. [^\n]+\n)+)\Z"
    ),
}
_OPTION = re.compile(r"(\d+)\. ([^\n]+)")

_COUNTERMODEL = {
    "full": re.compile(
        r"\nThe domain is (?P<domain>\[[\d, ]+\]),.*\n\nArgument\n"
        r"(?P<premises>(?:Premise \d+: [^\n]+\n)+)Conclusion: (?P<conclusion>[^\n]+)\Z",
        re.DOTALL,
    ),
    "compact": re.compile(
        r"\A(?P<domain>\[[\d, ]+\]) (?P<premises>[^\n]+) \|= (?P<conclusion>[^\n]+)\nAnswer:\n\Z"
    ),
    "paper": re.compile(
        r"\n3\. Use the fixed domain (?P<domain>\[[\d, ]+\])\n.*\n\nArgument:\n\n"
        r"(?P<premises>[^\n]+) \|= (?P<conclusion>[^\n]+)\Z",
        re.DOTALL,
    ),
}
_ANSWER = {
    ("full", "symbolization"): re.compile(r"\A<answer>([^\n]+)</answer>\Z"),
    ("full", "validity"): re.compile(r"\A<answer>(\d)</answer>\Z"),
    ("full", "countermodel"): re.compile(r"\A<answer>\n(.+)\n</answer>\Z", re.DOTALL),
    ("paper", "validity"): re.compile(r"\AAnswer: (\d)\Z"),
}


@dataclass(frozen=True)
class Symbolization:
    sentence: str
    key: dict[str, str]


def read_symbolization(prompt: str, style: str) -> Symbolization:
    match = _match(_SYMBOLIZATION[style], prompt)
    pairs = [found.groups() for found in _ABBREVIATION[style].finditer(match["key"])]
    again = "".join(_WRITTEN[style].format(*pair) for pair in pairs)
    assert again.removesuffix(_ENDS[style]) == match["key"], f"{match['key']!r} is no list"
    assert len(dict(pairs)) == len(pairs), f"a symbol occurs twice in {match['key']!r}"
    return Symbolization(match["sentence"], dict(pairs))


@dataclass(frozen=True)
class Validity:
    axiom: str
    premises: tuple[str, ...]
    options: tuple[str, ...]


def read_validity(prompt: str, style: str) -> Validity:
    match = _match(_VALIDITY[style], prompt)
    numbers, options = zip(*_OPTION.findall(match["options"]), strict=True)
    assert numbers == tuple(str(n) for n in range(1, len(options) + 1)), "badly numbered"
    axiom, *premises = (f"{text}." for text in match["situation"].removesuffix(".").split(". "))
    return Validity(axiom, tuple(premises), options)


@dataclass(frozen=True)
class Countermodel:
    domain: tuple[int, ...]
    premises: tuple[str, ...]
    conclusion: str


def read_countermodel(prompt: str, style: str) -> Countermodel:
    match = _match(_COUNTERMODEL[style], prompt)
    if style != "full":
        premises = match["premises"].split(", ")
    else:
        lines = match["premises"].splitlines()
        numbers, premises = zip(*(line.split(": ") for line in lines), strict=True)
        assert numbers == tuple(f"Premise {n}" for n in range(1, len(lines) + 1)), "badly numbered"
    return Countermodel(tuple(json.loads(match["domain"])), tuple(premises), match["conclusion"])


def _match(pattern: re.Pattern[str], prompt: str) -> re.Match[str]:
    match = pattern.search(prompt)
    assert match, f"it has another layout: {prompt!r}"
    return match


def read_answer(solution: str, style: str, family: str) -> str:
    """Read what is in the block that a prompt shows, or all where the block is bare."""
    pattern = _ANSWER.get((style, family))
    return solution if pattern is None else _match(pattern, solution)[1]


def read_structure(solution: str, style: str, domain: tuple[int, ...]) -> World:
    """Read the layout that a prompt asks for, or one line of ``a=0 M={0} P={(0,1)}``."""
    answer = read_answer(solution, style, "countermodel")
    return (_read_line if style == "compact" else _read_layout)(answer, domain)


def _read_layout(solution: str, domain: tuple[int, ...]) -> World:
    lines = dict(line.split(": ", 1) for line in solution.splitlines())
    stated = tuple(json.loads(lines.pop("Domain")))
    assert stated == domain, f"{stated} is another domain"
    values: dict[str, Any] = {}
    for heading, text in lines.items():
        found = json.loads(f"{{{text}}}")
        assert heading in ("Constants", "Monadic predicates", "Binary predicates")
        assert not values.keys() & found.keys(), "a symbol occurs twice"
        values |= found
    return world(domain, values)


def _read_line(solution: str, domain: tuple[int, ...]) -> World:
    values: dict[str, Any] = {}
    for item in solution.split(" "):
        symbol, text = item.split("=")
        assert symbol not in values, "a symbol occurs twice"
        table = str.maketrans("{}()", "[][]")
        values[symbol] = json.loads(text.translate(table))
    return world(domain, values)


def world(domain: tuple[int, ...], values: dict[str, Any]) -> World:
    names = {symbol: value for symbol, value in values.items() if symbol.islower()}
    extensions = {
        symbol: frozenset(tuple(x) if isinstance(x, list) else (x,) for x in value)
        for symbol, value in values.items()
        if symbol.isupper()
    }
    elements = {x for rows in extensions.values() for row in rows for x in row} | {*names.values()}
    assert elements <= set(domain), f"{elements} aren't all in {domain}"
    return World(domain, names, extensions)
