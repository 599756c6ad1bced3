"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import Reading, read
from logic_curriculum.rewards.blocks import (
    MAX_TEXT,
    last_thought,
    spoken_text,
    without_thought_marks,
)

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
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]")
_COMMENT = re.compile(r"(?:%|^[ \t]*+(?:#|//))[^\n]*+|/\*[^*]*+\*/", re.MULTILINE)
_LAYOUT = re.compile(r"^(?:[ \t]*+>)++|\s++|\\(?:[nrt]|(?=[\\\"_]))", re.MULTILINE)
_NECKS = re.compile(r":[\w*]*+-")  # a neck, perhaps but for what was copied into it
_DECLARES = re.compile(r"\0(?:dynamic|discontiguous|use_module|initialization)[^\0]*?\.")


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    A ``strict`` reading asks that no letter could choose between two rules: a text could state
    both, and break a mark by a letter that it copies from the prompt. So the answer has to stand in
    its block as it is judged, and no ``:-`` may follow it. Whatever its letters, all answers of a
    text then hold its last ``:-``.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    reading = partial(read, form=form, tags=("rule",), keys=KEYS, ending=".")
    found = reading(text)
    if found.answer is None or not strict:
        return found
    behind = found.behind + last_thought(text)
    is_last = not _states_another(found.answer, str(found.text), behind, positive, negative)
    # Marks in comments, marks of thoughts and the length of a text may decide where it begins.
    plain = spoken_text(text)[0]
    others = {without_thought_marks(text), _COMMENT.sub(" ", plain), text[10_000 - MAX_TEXT :]}
    again = (reading(other).answer for other in others - {text, plain})
    if is_last and not any(_is_part(found.answer, other) for other in again):
        return found
    return Reading("ambiguous", text=found.text)


def _states_another(answer: str, block: str, behind: str, positive: str, negative: str) -> bool:
    """Return whether more than an answer stands in its block, or another rule behind it.

    Behind it may stand the answer again, in backticks or a fence, and that the negative class is
    what is not positive.
    """
    rule = _squeezed(answer).removesuffix(".")
    before, found, after = _squeezed(block).partition(rule)
    again = rf"`(?:prolog)?{re.escape(rule)}\.?`"
    rest = f"{before} {after} {re.sub(again, '', _squeezed(behind))}"
    opposite = rf"{negative}\(\w+\)\0\\\+{positive}\(\w+\)"
    return not found or "\0" in re.sub(opposite, "", _DECLARES.sub("", rest))


def _squeezed(text: str) -> str:
    """Return a text with NUL for its necks, without layout and comments that hold none."""
    text = _NECKS.sub("\0", text)
    return _LAYOUT.sub("", _COMMENT.sub(lambda found: found[0] * ("\0" in found[0]), text))


def _is_part(answer: str, other: str | None) -> bool:
    """Return whether one of two different answers is a part of the other."""
    one, two = sorted((answer, other or answer), key=len)
    return one != two and one in two


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
