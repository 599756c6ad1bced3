"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import Reading, read
from logic_curriculum.rewards.blocks import in_plain

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
_SEPARATOR = re.compile(  # what begins or ends a block or a thought, whatever its letters are
    r"[<◁][^<>◁▷\n,;()]*+(?<!-)[>▷]"
    r"|\[(?![^\w\[\]]*+\w?[^\w\[\]]*+\])[^\[\]\n,;()|]*+\](?![).])"  # no list of a letter
    r"|`(?:\w*| )`(?:\w*| )`|~(?:\w*| )~(?:\w*| )~|\\[\w\s]*+\{|&[\w ]*+;"
)
_COMMENT = re.compile(r"('[^'\n]*')|%[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NO_COMMENT = re.compile(r"/(?:\w+| )\*|\*(?:\w+| )/")  # a comment's mark, but for a word
_HALF_COMMENT = re.compile(r"/[\w ]*\*|\*[\w ]*/")
_DIRECTIVE = re.compile(
    r"(?:\A\w*|(?<=\.))\s*(?::-\s*(?:dynamic|discontiguous|use_module|initialization|table"
    r"|style_check|set_prolog_flag|module|ensure_loaded)\b|\?-)[^.]*\.(?!\S)"
)
_OPPOSITE = (  # that the negative class is the rest
    r"\b{negative}\(\s*(\w+)\s*\)\s*:-\s*(?:\\\+|not)\s*\(?\s*{positive}\(\s*\1\s*\)(?:\s*\))?"
    r"(?!\s*[\w,;|*-])"
)
_IF = re.compile(r"(?<=\))[\w\s]*+:(?:\w*+(?: {1,2}\w*+)?| *+)-")
_INLINE = re.compile(r"`[^`\n]*`")
_ESCAPE = re.compile(r"^(?:[ \t]*+>)++|\\(?:[nrt]|(?=[\\\"_]))", re.MULTILINE)
_LAYOUT = re.compile(r"(?<=\w)\s+(?=[\w(])|\s+(\(?)")
_CODE = re.compile(r"\0|[\w')]\(")
_HEAD = re.compile(r"(?:\w+|'[^']*') ?\(")
_ENDS = (".", "`", "**", "$", "}", '"')  # what may follow a rule


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    A text could state two rules and a mark that is whole only with the right letter, so that a
    letter copied from the prompt would choose the rule. So a ``strict`` reading looks for the last
    part of the text that states a rule in a way that no letter changes: by its signs alone. All
    code there, and nothing else, has to be the answer. Then a text has one rule at most.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    found = read(text, form, tags=("rule",), keys=KEYS, ending=".")
    if found.answer is None or not strict or _is_last(found.answer, text, positive, negative):
        return found
    return Reading("ambiguous", text=found.text)


def _is_last(answer: str, text: str, positive: str, negative: str) -> bool:
    """Return whether a program is all the code of the last part of a text that states a rule."""
    clauses = list(map(_squeezed, filter(None, _statements(answer))))
    if len({*clauses}) < len(clauses) or not all(map(_HEAD.match, clauses)):
        return False  # a count could tell whether a clause is there twice; an atom hides in words
    opposite = _OPPOSITE.format(positive=positive, negative=negative)
    last = ""
    for part in reversed(_SEPARATOR.split(in_plain(text))):
        if _NO_COMMENT.search(part):
            return False
        plain = _COMMENT.sub(lambda found: found[1] or " ", part)
        plain = re.sub(opposite, "", _DIRECTIVE.sub("", plain))
        is_stated = _IF.search(_INLINE.sub("", plain)) is not None
        if is_stated or (not last and _IF.search(plain)):
            last = plain
        if is_stated:
            break
    rule = _squeezed(answer).removesuffix(".")
    pieces = _squeezed(last).split(rule)
    if _HALF_COMMENT.search(rule):
        return False
    if len(pieces) == 1:
        return "\0" not in rule  # facts alone are never right
    is_alone = not any(map(_CODE.search, pieces))
    return is_alone and all(not piece or piece.startswith(_ENDS) for piece in pieces[1:])


def _squeezed(text: str) -> str:
    """Return a text with NUL for `:-`, and a space only between words and before a bracket."""
    text = _IF.sub("\0", _ESCAPE.sub("", text))
    return _LAYOUT.sub(lambda found: " (" if found[1] else " " * (found[1] is None), text)


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
