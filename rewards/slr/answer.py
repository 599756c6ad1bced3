"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import AmbiguousError, Reading, read
from logic_curriculum.rewards.blocks import MAX_TEXT, after_thoughts, spoken_text, with_thoughts
from logic_curriculum.rewards.engines.rules.terms import (
    RefusedError,
    UnreadableError,
    read_clauses,
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
_STATES = re.compile(r":(?:[\w*~`]|\\\s*)*[-−‐‑](?!\))")  # a neck, or one but for copied letters
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]")
_HEAD = re.compile(r"(?<!\w)(?P<name>\w++|'[^'\n]*+')\s*+\([^()]*+\)\s*+\Z")
_FACT = re.compile(r"[\w']\(.*\)\Z", re.DOTALL)
_MARKS = re.compile(r"(?:[\[<]/?\w*+[\]>]|[\s*`])++\Z")
_ESCAPE = re.compile(r"\\(?:u([\da-fA-F]{4})|U000([\da-fA-F]{5})|x([\da-fA-F]{2})|[nrt])")
_COMMENT = re.compile(r"%[^\n]*+|^[ \t]*+(?:#|//)[^\n]*+", re.MULTILINE)
_QUOTES = re.compile(r"^(?:[ \t]*+>)++", re.MULTILINE)  # Markdown's
_CLOSED = re.compile(r"\.(?=[^\w\s.])")  # a full stop before a tag, a quotation mark, a fence
_CONTINUES = re.compile(r"[,;|+*/\\=<>^:&@#~(-]|(?<=\w)\w|(?:is|mod|rem|div)(?=V\d|[\d(])")
# What a changed letter could make a mark, a rule or facts, in a comment or in what is dropped.
_HIDDEN = re.compile(r"\[\s?[A-Z_][\w-]{2,}\s?\]|(?i:assist)")
_IN_COMMENT = re.compile(r"[\w']\(|[\[<{`\\*~◁▷]|:-")
_QUERY = re.compile(r"[?:]-[\w\s/,()]*")
_ANY_VARIABLE = re.compile(r"(?<!\w)[A-Z_]\w*")


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    If it is ``strict``, comments and what is dropped may not look like another answer.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative, strict=strict)
    reading = partial(read, form=form, tags=("rule",), keys=KEYS, ending=".")
    found, plain = reading(text), spoken_text(text)[0]
    if found.answer is None:
        return found
    # Copied letters in a comment, or the length of copies, may decide where the answer begins.
    others = [each for each in (_COMMENT.sub(" ", plain), with_thoughts(text)) if each != plain]
    is_part = any(_is_part(found.answer, reading(other).answer) for other in others)
    is_cut = len(text) > MAX_TEXT and reading(text[10_000 - MAX_TEXT :]).answer != found.answer
    if is_part or is_cut or _is_followed(found.answer, _from_block(found, text), negative):
        return Reading("ambiguous", text=found.text)
    return found


def _is_part(answer: str, other: str | None) -> bool:
    """Return whether one of two different answers is a part of the other."""
    one, two = sorted((answer, other or answer), key=len)
    return one != two and one in two


def _from_block(found: Reading[str], text: str) -> str:
    """Return an answer's block and all behind it, a thought at the end of the text included."""
    whole, block = after_thoughts(text), str(found.text)
    place = whole.rfind(block)
    for _ in range(found.again + whole.count(block, len(spoken_text(text)[0]))):
        place = whole.rfind(block, 0, max(place, 0))
    return whole[max(place, 0) :]


def _is_followed(answer: str, text: str, negative: str) -> bool:
    """Return whether a text, which begins with the block of the answer, states another rule.

    What is paid must not hang on whether a later rule is well formed: a letter that is copied into
    its head, neck or tag would choose between it and the one before. So what looks like a rule has
    to be the whole answer again, with its facts and no others.
    """
    for _ in range(12):  # JSON may hold JSON
        text, before = _QUOTES.sub("", text), text
        text = _ESCAPE.sub(lambda code: chr(int(code[1] or code[2] or code[3] or "a", 16)), text)
        if text == before:
            break
    necks, own = len(_STATES.findall(text)), [*_statements(answer)][:-1]
    if text == before and necks <= len(own) and all(map(_STATES.search, own)):
        return False
    pieces = [*_statements(_CLOSED.sub(". ", text))]
    said = [_clause(each, negative) for each in pieces]
    wanted = [clause for each in own if (clause := _clause(each, negative))]
    stated = [each for each in said if each]
    seen = sum(len(_STATES.findall(piece)) for piece in pieces)  # without those in comments
    is_open = text != before or None in said or seen != necks
    if is_open or not wanted or len(stated) % len(wanted):
        return True
    for place, each in enumerate(stated, start=1):
        like = wanted[(place - 1) % len(wanted)]
        fits = each == like if place % len(wanted) else each.startswith(like)
        if not fits or _CONTINUES.match(each, len(like)):
            return True
    return False


def _clause(statement: str, negative: str) -> str | None:
    """Return the clause that ends a statement, its variables numbered as they come.

    It is "" if the statement has none, or one of the negative class, and None if it can't be told.
    """
    necks = [*_STATES.finditer(statement)]
    before, after = _MARKS.sub("", statement), ""
    if not (necks or _FACT.search(before)) or _QUERY.fullmatch(statement):
        return ""
    if necks:
        before, after = statement[: necks[0].start()], statement[necks[0].end() :]
    head = _HEAD.search(before, max(0, len(before) - 99))
    if head is None and not necks:
        return re.sub(r"[\s`]+", "", before)
    if head is None or len(necks) > 1 or (necks and necks[0][0] != ":-"):
        return None
    if head["name"] == negative:
        return ""
    numbers: dict[object, int] = {}

    def number(variable: re.Match[str]) -> str:
        name = variable.start() if variable[0] == "_" else variable[0]
        return f"V{numbers.setdefault(name, len(numbers))}"

    plain = f"{head[0].rstrip()}:-{after}".replace("\\_", "_").replace("\\\\", "\\")
    return re.sub(r"[\s`]+", "", _ANY_VARIABLE.sub(number, plain))


def program(block: str, positive: str, negative: str, strict: bool = True) -> str | None:
    """Return the clauses of a block, or ``None`` when it says something else or has no rule.

    Comments, queries, declarations and clauses of the negative class are dropped, and a last full
    stop is added. A malformed clause stays, for the engine to refuse. An AmbiguousError is raised
    if what is dropped could hold another answer, but for a letter.
    """
    clauses: list[str] = []
    has_rule, is_hidden = False, _HIDDEN.search(block) is not None
    for token in _TOKEN.finditer(block):
        if token.lastgroup == "comment":
            text = token[0].removeprefix("/*").removesuffix("*/")
            is_hidden |= _IN_COMMENT.search(text) is not None
    for clause in _statements(block.replace("\\_", "_").replace("\\\\+", "\\+")):
        if not clause or clause.startswith(("?-", ":-")):
            is_hidden |= bool(clause) and not _QUERY.fullmatch(clause)
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
            is_hidden |= not _is_plain(clause)
            continue
        clauses.append(f"{clause}.")
        general = is_rule or _VARIABLE.search(arguments) is not None
        has_rule = has_rule or (name == positive and general)
    if has_rule and is_hidden and strict:
        raise AmbiguousError("a comment or a dropped clause may hold another answer")
    return "\n".join(clauses) if has_rule else None


def _is_plain(clause: str) -> bool:
    """Return whether a clause is one, without lists or names in quotes."""
    try:
        return not set("[]{}'\"`<") & set(clause) and len(read_clauses(f"{clause}.")) == 1
    except (UnreadableError, RefusedError):
        return False


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
