"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import Reading, read
from logic_curriculum.rewards.blocks import (
    MAX_TEXT,
    fences_of,
    last_thought,
    paragraphs,
    spoken_text,
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
_LAYOUT = re.compile(r"^(?:[ \t]*+>)++|\s++|\\(?:[nrt]|(?=[\\\"_]))", re.MULTILINE)
_NECKS = re.compile(r"(?<![|`:-]):\w*+-(?![)|`:-])")  # perhaps but for what is copied into it
_DECLARES = re.compile(
    r"^[ \t]*:-\s*(?:dynamic|discontiguous|use_module|initialization|table|style_check"
    r"|set_prolog_flag)\b[\w\s/,()-]*\.(?!\S)|^[ \t]*\?-[\w (),-]*\.(?!\S)",
    re.MULTILINE,
)
_MARK = re.compile(  # of a tag, box or thought, perhaps but for some letters
    r"(?:\\?<\|?|\[|◁)\s*+[\\/]{0,2}+\s*+\w{3,}+(?:[ -]\w++)?(?:\s+\w[^<>\[\]\n=]*+=[^<>\[\]\n]*+)?"
    r"\s*+(?:\|?\\?>|\]|▷)(?!\s*[)\],;])|\\\w{3,}+\s*+\{|&\w*+;"
)
_OF_MARKS = re.compile(r"[\[<◁]\s*+[|/\\]*+\s*+\w{3}|\\\w|&\w*;|```|~~~")  # what no remark may hold
_REMARK = re.compile(  # one that can't be a marker, with a line break if it begins a line
    r"\n?(?:%|/\*)[^(:]*\.\s*(?:\*/)?"
    r"|(?:\n(?:%|/\*)(?:[^\w(:]*\w++){5,}[^\w(:]*|(?:%|/\*)[^(:]*)(?<!\w)\w{4,}\s*(?:\*/)?"
)
_CODE = re.compile(r"[()\[\];=<>|&+\\\0]|(?<!\*)/(?!\*)")
_FACT = re.compile(r"[\w']\(|\0")
_UNENDED = re.compile(
    r"[^.\s](?:[ \t]*+\n)++[ \t]*+:-\s*+(?:dynamic|discontiguous|use_module|initialization)\b"
)
_ENDS = ("", ".", "`", "*", "$", "}", "[", "<", '"')  # what may follow a rule that is said again


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    A ``strict`` reading asks that no letter could choose between two rules: a text could state
    both, and break a mark by a letter that it copies from the prompt. So the answer has to stand in
    its block as it is judged, no other rule may follow it, and nothing near it, in comments above
    all, may look like a mark. Then a text has one answer at most, whatever its letters.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    reading = partial(read, form=form, tags=("rule",), keys=KEYS, ending=".")
    found = reading(text)
    if found.answer is None or not strict:
        return found
    # The one mark of a thought that is a word, and the length of the text, may choose as well.
    is_named = "assistantfinal" not in text.lower() or text.startswith("analysis")
    is_whole = len(text) <= MAX_TEXT or reading(text[10_000 - MAX_TEXT :]).answer == found.answer
    if is_named and is_whole and _is_sole(found.answer, found, text, positive, negative):
        return found
    return Reading("ambiguous", text=found.text)


def _is_sole(answer: str, found: Reading[str], text: str, positive: str, negative: str) -> bool:
    """Return whether a text would have no other answer if it had other letters."""
    spoken, block = spoken_text(text)[0], str(found.text)
    comments = [
        "\n" * (not block[: token.start()].rpartition("\n")[2].strip()) + token[0].strip()
        for token in _TOKEN.finditer(block)
        if token.lastgroup == "comment"
    ]
    code = _TOKEN.sub(lambda token: token[0] * (token.lastgroup != "comment"), block)
    rule = _squeezed(answer).removesuffix(".")
    opposite = rf"\b{negative}\((\w+)\)\0(?:\\\+|not)\(?{positive}\(\1\)\)?(?=[^\w,;|]|$)"
    first, *inside = (re.sub(opposite, "", piece) for piece in _squeezed(code).split(rule))
    last = _squeezed(found.behind + last_thought(text)).split(rule)
    behind, *again = (re.sub(opposite, "", piece) for piece in last)
    clauses = list(map(_squeezed, _statements(answer)))
    if not inside or len({*clauses}) < len(clauses) or any(map(_OF_MARKS.search, comments)):
        return False
    if (
        any(map(_CODE.search, (first.rstrip("|>"), *inside)))
        or "\0" in behind
        or _UNENDED.search(code)
    ):
        return False
    if again and any(map(_FACT.search, (behind, *again))):
        return False
    if not all(piece[:1] in _ENDS for piece in (*inside, *again)):
        return False
    if found.kind in ("tag", "box"):
        return not _MARK.search(code)
    return not (
        _MARK.search(spoken)
        or any(map(_CODE.search, _beside(rule, spoken)))
        or not all(map(_REMARK.fullmatch, comments))
    )


def _squeezed(text: str) -> str:
    """Return a text with NUL for its necks, without layout, declarations and queries."""
    return _LAYOUT.sub("", _NECKS.sub("\0", _DECLARES.sub("", text)))


def _beside(rule: str, text: str) -> list[str]:
    """Return what else stands in the fences that hold a rule or, without any, the paragraphs."""
    for units in (fences_of(text)[0], paragraphs(text, 0, len(text))):
        split = [pieces for u in units if len(pieces := _squeezed(u.text).split(rule)) > 1]
        if split:
            return [piece.rstrip("|>") for pieces in split for piece in pieces]
    return []


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
