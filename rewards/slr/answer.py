"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator

from logic_curriculum.rewards.answer_values import read_field
from logic_curriculum.rewards.answers import Reading, read

KEYS = ("rule", "program", "hypothesis")

_END = r"(?P<end>\.(?<![-+*/\\^<>=~:.?@#&$]\.)(?=[\s%]|/\*|\Z))"
_TOKEN = re.compile(
    r"(?P<quoted>'(?:[^'\\\n]|\\.|'')*+'?|\"(?:[^\"\\\n]|\\.|\"\")*+\"?|0'(?:\\.|''|.))"
    r"|(?P<comment>%[^\n]*+|/\*.*?(?:\*/|\Z)|^[ \t]*+(?:#|//)[^\n]*+)"
    r"|(?P<cut>\n(?=[ \t]*+(?:\?-|:-\s*+(?:dynamic|discontiguous|use_module|initialization)\b)))"
    rf"|{_END}",
    re.DOTALL | re.MULTILINE,
)
_PLAIN = re.compile(_END)
_SPECIAL = re.compile(r"['\"%/#]|\n[ \t]*+[?:]")  # any token but an end has one
_HEAD = re.compile(r"(?P<name>[a-z]\w*+)\s*+(?P<arguments>\((?:[^()]|\([^()]*+\))*+\))?+\s*+")
_NECK = re.compile(r":-|<-|<=|←|⇐|:=|-->")
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]")


def read_rule(text: str, positive: str, negative: str) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    return read(text, lambda block: program(block, positive, negative), ("rule",))


def program(block: str, positive: str, negative: str) -> str | None:
    """Return the clauses of a block, or ``None`` when it says something else or has no rule.

    Comments, queries, declarations and clauses of the negative class are dropped, and a last full
    stop is added. A malformed clause stays, for the engine to refuse.
    """
    found = read_field(block, KEYS, lambda text: program(text, positive, negative))
    if found is not None:
        return found
    clauses: list[str] = []
    has_rule = False
    for clause in _statements(block.replace("\\_", "_").replace("\\\\+", "\\+")):
        if not clause or clause.startswith(("?-", ":-")):
            continue
        head = _HEAD.match(clause)
        if head is None:
            return None
        after = clause[head.end() :]
        is_rule = (_NECK.search if after.startswith("(") else _NECK.match)(after) is not None
        if after and not is_rule:
            return None
        if head["name"] == negative:
            continue
        clauses.append(f"{clause}.")
        general = is_rule or _VARIABLE.search(head["arguments"] or "") is not None
        has_rule = has_rule or (head["name"] == positive and general)
    return "\n".join(clauses) if has_rule else None


def _statements(text: str) -> Iterator[str]:
    """Yield what stands between full stops, without comments."""
    pieces: list[str] = []
    position = 0
    for token in (_TOKEN if _SPECIAL.search(text) else _PLAIN).finditer(text):
        if token.lastgroup == "quoted":
            continue
        pieces.append(text[position : token.start()])
        position = token.end()
        if token.lastgroup != "comment":
            yield "".join(pieces).strip()
            pieces = []
        else:
            pieces.append(" ")
    yield "".join((*pieces, text[position:])).strip()
