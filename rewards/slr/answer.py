"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial

from logic_curriculum.rewards.answers import Reading, read

KEYS = ("rule", "program", "hypothesis")
FIRST, LAST = 0xF0000, 0x10FFFD  # of the characters for private use, which stand for words
_W = f"[{chr(FIRST)}-{chr(LAST)}]"
_HIDDEN = re.compile(_W)

_END = r"(?P<end>\.(?:(?<![-+*/\\^<>=~:.?@#&$]\.)|(?<=\*/\.))(?=[\s%]|/\*|\Z))"
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
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_MARK = re.compile(  # what begins or ends a block or a thought, whatever its words are
    r"[<◁][^<>◁▷\n,;()]*+(?<!-)[>▷]"
    rf"|\[[^\[\]\n,;()|]*?{_W}[^\[\]\n,;()|]*+\](?!\s*[).,;=])"  # no list in a rule
    rf"|``+{_W}?|~~+{_W}?|\\{_W}(?=\{{)|&#?{_W};|\*\*|####|[{{}}\"$]"
)
_LEFT_OUT = re.compile(r"^[ \t]*(?:>[ \t]?)+(?!=)|(?:^|(?<=[,;(-]))[ \t]*%[^\n]*", re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]*`")
_HEAD = rf"(?:{_W}|'[^'\n]*')\("
_RULE = re.compile(
    rf"(?:\A|[\n:]|^[-*])[ \t]*(?P<line>{_HEAD}.*)|(?P<within>{_HEAD}[^()]*\)\s*:-.*)",
    re.DOTALL | re.MULTILINE,
)
_FENCE = re.compile(rf"`(?:{_W}| )?`(?:{_W}| )?`")
_NO_COMMENT = re.compile(rf"/(?:{_W}| )\*|\*(?:{_W}| )/")  # a comment's mark, but for a word
_IF = re.compile(rf"\)\s*:(?:{_W}| )?-")
_REST = re.compile(
    rf"{_W}\(\s*{_W}\s*\)\s*:-\s*(?:\\\+|{_W})\s*\(?\s*{_W}\(\s*{_W}\s*\)(?:\s*\))?\s*(?:\.|\Z)"
)
_PARAGRAPH = re.compile(r"(?<![,;(-])\n\s*\n")
_SPACE = re.compile(r"\s+")
_ESCAPE = re.compile(r"\\(?=_|\\\+)")  # Markdown's backslash, before an underscore or a negation
_OPPOSITE = (  # that the negative class is the rest
    r"{negative}\( ?(\w+) ?\) ?:- ?(?:\\\+|not) ?\(? ?{positive}\( ?\1 ?\)(?: ?\))?"
)


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    A text could state two rules and a mark that is whole only with the right letter, so that a
    letter copied from the prompt would choose the rule. So the answer of a ``strict`` reading also
    has to be what :func:`last_clauses` finds, to which all words of a text look alike. Then a text
    has one rule at most.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    found = read(text, form, tags=("rule",), keys=KEYS, ending=".")
    if found.answer is None or not strict or ":-" not in found.answer:
        return found  # facts alone, or arrows, are never right
    opposite = re.compile(_OPPOSITE.format(positive=positive, negative=negative))
    stated = [f"{clause}." for clause in last_clauses(text) if not opposite.fullmatch(clause)]
    is_last = _SPACE.sub(" ", found.answer) == " ".join(stated)
    return found if is_last else Reading("ambiguous", text=found.text)


def last_clauses(text: str) -> list[str]:
    """Return the clauses in the last part of a text that states a rule, as its signs show them.

    Every word is hidden before anything is looked for, so texts that differ in words alone have
    their clauses in the same places. Parts end at tags, fences, boxes, quotation marks and the
    like; those within single backticks count if there is no other.
    """
    words = _WORD.findall(text)
    if len(words) > LAST - FIRST:
        return []
    hidden = iter(map(chr, range(FIRST, LAST)))
    signs = _WORD.sub(lambda _: next(hidden), _HIDDEN.sub("\0", text))
    signs = _FENCE.sub("```", _LEFT_OUT.sub("", signs))
    outside = _MARK.split(_INLINE.sub("`", signs))
    choices = [part for part in outside if _IF.search(_REST.sub("", part))]
    choices = choices or [part for part in outside if _IF.search(part)]
    choices = choices or [part for part in signs.split("`") if _IF.search(part)] or [""]
    if _NO_COMMENT.search(choices[-1]):
        return []
    clauses = []
    for paragraph in _PARAGRAPH.split(_INLINE.sub("", choices[-1])):
        for statement in _statements(paragraph):
            rule = _RULE.search(statement)
            clause = (rule["line"] or rule["within"]) if rule else ""
            before = statement.removesuffix(clause)
            if not before.startswith((":-", "?-")) and re.search(_HEAD, before):
                return []  # it is a clause but for a word
            if not clause:
                continue
            clause = _HIDDEN.sub(lambda word: words[ord(word[0]) - FIRST], clause)
            clauses.append(_SPACE.sub(" ", _ESCAPE.sub("", clause)))
    return clauses


def program(block: str, positive: str, negative: str) -> str | None:
    """Return the clauses of a block, or ``None`` when it says something else or has no rule.

    Comments, queries, declarations and clauses of the negative class are dropped, and a last full
    stop is added. A malformed clause stays, for the engine to refuse.
    """
    clauses: list[str] = []
    has_rule = False
    for clause in _statements(_ESCAPE.sub("", block)):
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
