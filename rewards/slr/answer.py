"""The form of an answer in ``slr``: a Prolog program with a rule for the positive class."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import accumulate, compress

from logic_curriculum.rewards.answers import Reading, read
from logic_curriculum.rewards.blocks import plain_signs

KEYS = ("rule", "program", "hypothesis")
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
# A comment; one that may be prose, as "100% sure", ends at a mark.
_NOTE = re.compile(
    r"(?:(?<=[\n,;(-])|\A)%[^\n]*+|%(?:(?!\[[^\[\]\n,;()|]*+\]|[<◁][^<>◁▷\n,;()]*+[>▷])[^\n])*+"
)
_SIGN = re.compile(r"([^\w\s'’]|\n)")
_MARK = re.compile(  # what begins or ends a block or a thought, whatever its words are
    r"[<◁][^<>◁▷\n,;()]*+(?<!-)[>▷]|\[/[^\[\]\n]*+\]|(?<![=,(|\[+-])\[[^\[\]\n,;()|]*+\](?![).,;=|\]])"
    r"|``+|~~+|\\(?=\{)|&#?;|(?<!/)\*\*|##+|[{}\"“”$]"
)
_INLINE = re.compile(r"(?<!`)`[^`\n]++`(?!`)")
_IF = re.compile(r"(?P<head>\([^()]*+\))\n*+:-")
_REST = re.compile(r"\(\)\n*+:-\n*+(?:\\*\+\(?|\()\(\)\)?+(?:\.|\Z)")
_FACT = re.compile(
    r"(?P<line>\n*+)(?P<head>\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\))*+\))"
)
_STATEMENT = re.compile(r"\.|(?<![,;(>\n-])\n(?=\n)")
_BACKTICK = re.compile("`")
_NAMED = re.compile(r"(?:'[^']*+'|(?<!\w)\w++)\s*+\Z")
_QUOTED = re.compile(r"\n[^\S\n]*+>")
_COMMENT = re.compile(r"/[\w\s'’]+\*|\*[\w\s'’]+/")  # one but for words
_LINE = re.compile(r"\n>*+(?:#|//)")  # of a comment, but for words
_SPACE = re.compile(r"\s+")
_DOUBT = "by its signs the text ends with other clauses: state one rule, unquoted, with none behind"
_ESCAPE = re.compile(r"\\(?=_|\\\+)")  # Markdown's backslash, before an underscore or a negation
_OPPOSITE = (  # that the negative class is the rest
    r"{negative}\( ?(\w+) ?\) ?:- ?(?:\\\+ ?\(?|not ?\() ?{positive}\( ?\1 ?\)(?: ?\))?"
)


def read_rule(text: str, positive: str, negative: str, strict: bool = True) -> Reading[str]:
    """Return the program that a completion answers with, for the class ``positive``.

    A text could state two rules and a mark that is whole only with the right letter, so that a
    letter copied from the prompt would choose the rule. So the answer of a ``strict`` reading also
    has to be what :func:`last_clauses` finds, to which all words of a text look alike. Then the
    same clauses count whatever is copied, but for the opposite, which names the classes.

    >>> read_rule("[RULE]eastbound(T) :- red(T)[/RULE]", "eastbound", "westbound").answer
    'eastbound(T) :- red(T).'
    """
    form = partial(program, positive=positive, negative=negative)
    found = read(text, form, tags=("rule",), keys=KEYS, ending=".")
    if found.answer is None or not strict or ":-" not in found.answer:
        return found  # facts alone, or arrows, are never right
    opposite = re.compile(_OPPOSITE.format(positive=positive, negative=negative))
    last = last_clauses(plain_signs(text))
    stated = [f"{clause}." for clause in last if not opposite.fullmatch(clause)]
    is_last = _SPACE.sub(" ", found.answer) == " ".join(stated)
    return found if is_last else Reading("ambiguous", text=found.text, why=_DOUBT)


def last_clauses(text: str) -> list[str]:
    """Return the clauses in the last part of a text that states a rule, as its signs show them.

    Words and spaces are deleted before anything is looked for, so texts that differ in them alone
    have their clauses between the same signs. Parts end at tags, fences, boxes, quotation marks and
    the like; those within single backticks count if there is no other.
    """
    pieces = _SIGN.split(text)  # words, and the signs between them
    places = [at + end for at, end in enumerate(accumulate(map(len, pieces[::2])))]
    signs = _NOTE.sub(lambda note: "\0" * len(note[0]), "".join(pieces[1::2]))
    if "\0" in signs:
        places = [*compress(places, map("\0".__ne__, signs)), len(text)]
        signs = signs.replace("\0", "")
    outside = _INLINE.sub(lambda code: "\0" * len(code[0]), signs)
    start, end = _last_part(outside, _MARK)
    if end:
        signs = outside
    else:
        start, end = _last_part(signs, _BACKTICK)
    clauses = []
    for opens, last in _clauses_between(signs, start, end):
        name = _NAMED.search(text, places[opens - 1] + 1 if opens else 0, places[opens])
        clause = text[name.start() if name else places[opens] : places[last]]
        is_quoted = signs.startswith(">", signs.rfind("\n", 0, opens) + 1)
        plain, lines = _QUOTED.subn("\n", clause) if is_quoted else (clause, clause.count("\n"))
        statement, *more = _statements(plain)
        is_unsure = _COMMENT.search(clause) or _LINE.search(signs, opens, last)
        if more or is_unsure or lines < clause.count("\n"):
            return []
        clauses.append(_SPACE.sub(" ", _ESCAPE.sub("", statement)))
    return clauses


def _clauses_between(signs: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each clause has its first bracket and ends; facts are on lines of their own."""
    is_fact = start > 0  # a fact may come right after a mark
    while start < end:
        stop = _STATEMENT.search(signs, start, end)
        last, after = stop.span() if stop else (end, end)
        fact = _FACT.fullmatch(signs, start, last)
        is_fact = fact is not None and (is_fact or bool(fact["line"]))
        if clause := _IF.search(signs, start, last) or (fact if is_fact else None):
            yield clause.start("head"), last
        start = after


def _last_part(signs: str, mark: re.Pattern[str]) -> tuple[int, int]:
    """Return where the last part that states a rule begins and ends, among those between marks."""
    ends = [0, *(place for found in mark.finditer(signs) for place in found.span()), len(signs)]
    parts = [part for part in zip(ends[::2], ends[1::2], strict=True) if _IF.search(signs, *part)]
    rules = (part for part in reversed(parts) if _IF.search(_REST.sub("", signs[slice(*part)])))
    return next(rules, parts[-1] if parts else (0, 0))


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
