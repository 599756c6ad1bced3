"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import MAX_BLOCK, Reading, read
from logic_curriculum.rewards.blocks import after_thoughts

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
_NAME = re.compile(r"(?:(?P<plain>[a-z]\w*+)|'(?P<quoted>(?:[^'\\\n]|\\.|'')++)'(?=\s*\())\s*+")
_BRACKET = re.compile(r"[()]|'(?:[^'\\\n]|\\.|'')*+'|\"(?:[^\"\\\n]|\\.|\"\")*+\"|0'.")
_NECK = re.compile(r":-|<-|<=|←|⇐|:=|-->")
_STATES = re.compile(r"\)[\s*`]{0,9}(?::-|<-|<=|←|⇐|:=|-->)")
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]")
_HEAD = re.compile(r"(?<!\w)(?P<name>\w++|'[^'\n]*+')\s*+\([^()\n]*+\)\Z")
_COMMENT = re.compile(r"%[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|^[ \t]*+>", re.MULTILINE)
_ANY_VARIABLE = re.compile(r"(?<!\w)[A-Z_]\w*")


def read_rule(text: str, positive: str, negative: str) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    found = read(text, form, ("rule",), keys=KEYS, ending=".")
    if found.answer is not None and _is_followed(found.answer, after_thoughts(text), negative):
        return Reading("ambiguous", text=found.text)
    return found


def _is_followed(answer: str, text: str, negative: str) -> bool:
    """Return whether another rule than the answer's is the last one that a text states.

    What is paid must not hang on whether the last rule is well formed: a letter that is copied into
    its head or tag would choose between it and the one before.
    """
    text = text.replace("\\n", "\n")  # in JSON
    for neck in reversed([*_STATES.finditer(text)]):
        head = _HEAD.search(text, max(0, neck.start() - 99), neck.start() + 1)
        if head is None:
            return True
        if head["name"] != negative:
            break
    else:
        return False
    said = _alike(f"{head[0]}:-{text[neck.end() :]}")
    for clause in _statements(answer):
        own_head, *body = _NECK.split(clause, maxsplit=1)
        own = _alike(f"{own_head}:-{''.join(body)}")
        if body and said.startswith(own) and said[len(own) : len(own) + 1] not in (",", ";", "-"):
            return False
    return True


def _alike(text: str) -> str:
    """Return a text without comments, space and emphasis, its variables numbered as they come."""
    plain = _COMMENT.sub("", text[:MAX_BLOCK]).replace("\\\\", "\\").replace("\\_", "_")
    numbers: dict[str, int] = {}
    plain = _ANY_VARIABLE.sub(lambda v: f"V{numbers.setdefault(v[0], len(numbers))}", plain)
    return re.sub(r"[\s*`]+", "", plain)


def program(block: str, positive: str, negative: str) -> str | None:
    """Return the clauses of a block, or ``None`` when it says something else or has no rule.

    Comments, queries, declarations and clauses of the negative class are dropped, and a last full
    stop is added. A malformed clause stays, for the engine to refuse.
    """
    clauses: list[str] = []
    has_rule = False
    for clause in _statements(block.replace("\\_", "_").replace("\\\\+", "\\+")):
        if not clause or clause.startswith(("?-", ":-")):
            continue
        head = _NAME.match(clause)
        if head is None:
            return None
        name, end = head["plain"] or head["quoted"], _end_of_arguments(clause, head.end())
        arguments, after = clause[head.end() : end], clause[end:].lstrip()
        is_rule = (_NECK.search if after.startswith("(") else _NECK.match)(after) is not None
        if after and not is_rule:
            return None
        if name == negative:
            continue
        clauses.append(f"{clause}.")
        general = is_rule or _VARIABLE.search(arguments) is not None
        has_rule = has_rule or (name == positive and general)
    return "\n".join(clauses) if has_rule else None


def _end_of_arguments(clause: str, start: int) -> int:
    """Return where the arguments that begin at a place end; that place, if there are none."""
    depth = 0
    for found in _BRACKET.finditer(clause, start) if clause.startswith("(", start) else ():
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return start


def _statements(text: str) -> Iterator[str]:
    """Yield what is between full stops, without comments."""
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
