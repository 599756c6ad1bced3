"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import Reading, read
from logic_curriculum.rewards.blocks import MAX_TEXT, after_thoughts, spoken_text

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
_STATES = re.compile(r"\)[^\w()\[\]{}.,;'\"]*?(?P<neck>:-|<-|<=|←|⇐|:=|-->)")
_VARIABLE = re.compile(r"(?<!\w)[A-Z_]")
_HEAD = re.compile(r"(?<!\w)(?P<name>\w++|'[^'\n]*+')\s*+\([^()\n]*+\)\Z")
_FACT = re.compile(r"(?<=[\w'])\([^()\n]*+\)\s*+\Z")
_ESCAPE = re.compile(r"\\(?:u(\w{4})|U(\w{8})|x(\w{2})|([nt]))")
_COMMENT = re.compile(
    r"%[^\n]*+|/\*.*?(?:\*/|\Z)|^[ \t]*+(?:#|//)[^\n]*+", re.DOTALL | re.MULTILINE
)
_QUOTES = re.compile(r"^[ \t]*+>++", re.MULTILINE)  # Markdown's
_CONTINUES = re.compile(r"[,;|+*/\\=<>^:&@#~(-]|(?<=\w)\w")  # behind what may be a clause
_OTHER_CUT = MAX_TEXT - 10_000
_ANY_VARIABLE = re.compile(r"(?<!\w)[A-Z_]\w*")


def read_rule(text: str, positive: str, negative: str) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    found = read(text, form, ("rule",), keys=KEYS, ending=".")
    if found.answer is None:
        return found
    # Copied letters in a comment, or the length of copies, may decide where the answer begins.
    others = [_COMMENT.sub(" ", text)] if _COMMENT.search(text) else []
    others += [text[-_OTHER_CUT:]] if len(text) > MAX_TEXT else []
    readings = [read(other, form, ("rule",), keys=KEYS, ending=".").answer for other in others]
    is_followed = _is_followed(found.answer, _behind(found, text), negative)
    if is_followed or any(_is_part(found.answer, other) for other in readings):
        return Reading("ambiguous", text=found.text)
    return found


def _is_part(answer: str, other: str | None) -> bool:
    """Return whether one of two different answers is the other with more before or behind it."""
    one, two = sorted((answer, other or answer), key=len)
    return one != two and (two.startswith(one) or two.endswith(one))


def _behind(found: Reading[str], text: str) -> str:
    """Return what stands behind an answer's block, a thought at the end of the text included."""
    whole, block = after_thoughts(text), str(found.text)
    place = whole.rfind(block)
    for _ in range(found.again + whole.count(block, len(spoken_text(text)[0]))):
        place = whole.rfind(block, 0, max(place, 0))
    return whole[place + len(block) :] if place >= 0 else whole


def _is_followed(answer: str, behind: str, negative: str) -> bool:
    """Return whether what stands behind an answer states another rule.

    What is paid must not hang on whether a later rule is well formed: a letter that is copied into
    its head or tag would choose between it and the one before. So what looks like a rule there has
    to be the whole answer again, with its facts and no others.
    """
    behind = _ESCAPE.sub(_unescaped, behind)
    if any(map(_STATES.search, _COMMENT.findall(behind))):
        return True
    behind = _QUOTES.sub("", _COMMENT.sub("", behind))
    if not _STATES.search(behind):
        return False
    own = [_clause(each, negative) for each in _statements(answer)]
    said = [_clause(each, negative) for each in _statements(behind)]
    if None in (*own, *said):
        return True
    wanted, stated = ([each for each in clauses if each] for clauses in (own, said))
    if len(stated) % len(wanted):
        return True
    for place, each in enumerate(stated):
        like = str(wanted[place % len(wanted)])
        is_last = (place + 1) % len(wanted) == 0
        end = len(like) if is_last else len(each)
        more = _CONTINUES.match(each, end) or _STATES.search(each, end)
        if not each.startswith(like) or (len(each) > end and not is_last) or more:
            return True
    return False


def _unescaped(escape: re.Match[str]) -> str:
    """Return what an escape of JSON or YAML stands for."""
    digits = escape[1] or escape[2] or escape[3]
    try:
        return chr(int(digits, 16)) if digits else {"n": "\n", "t": "\t"}[escape[4]]
    except (ValueError, OverflowError):
        return escape[0]


def _clause(statement: str, negative: str) -> str | None:
    """Return the clause that ends a statement, its variables numbered as they come.

    It is "" if the statement has none, or one of the negative class, and None if it can't be told.
    """
    neck = _STATES.search(statement)
    if neck is None and not _FACT.search(statement):
        return ""
    end = neck.start() + 1 if neck else len(statement.rstrip())
    head = _HEAD.search(statement, max(0, end - 99), end)
    if head is None:
        return None if neck else ""
    if head["name"] == negative:
        return None if neck and _STATES.search(statement, neck.end()) else ""
    plain = (head[0] + (f":-{statement[neck.end() :]}" if neck else "")).replace("\\_", "_")
    numbers: dict[object, int] = {}

    def number(variable: re.Match[str]) -> str:
        name = variable.start() if variable[0] == "_" else variable[0]
        return f"V{numbers.setdefault(name, len(numbers))}"

    plain = _ANY_VARIABLE.sub(number, plain.replace("\\\\", "\\"))
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
