"""What a completion says of statements: consistent or not, an assignment, a contradiction.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rewards.extraction import readings
from rewards.markup import boxed_texts, tagged_texts
from rewards.plain import plain_text

_RESULT_TAG = re.compile(r"<(/?)\s?result\s?>", re.IGNORECASE)
_CERTIFICATE_TAG = re.compile(r"<(/?)\s?certificate\s?>", re.IGNORECASE)
_BOTH_TAGS = re.compile(
    r"<result>(?:in)?consistent</result>[`'\"]?,?\s(?:if|or)\s[^<\n]{0,60}"
    r"<result>(?:in)?consistent</result>(?:\sif\snot)?"
)
"""The choice that the prompt gives, repeated."""
_CLOSED_RESULT = re.compile(r"<result>[^<\n]{0,200}</result>", re.IGNORECASE)
_NOT = r"(?:\bnot|n't|\bcannot|\bnever|\bneither|\bno longer|\bfail to|\bfails to)"
_ADVERBS = r"(?:\s(?!but\b|and\b|only\b|merely\b|just\b|whether\b|if\b|or\b)[\w'-]{1,20}){0,3}?\s"
_TOGETHER = r"(?:be\s)?(?:\w{1,20}\s)?(?:true|hold|satisfied|stand)\b(?!\sif\b)"
_ALL = (
    r"all(?:\sof)?(?:\s(?:the|these|those|them))?(?:\s(?:\d{1,3}|two|three|four|five|six|seven|"
    r"eight|nine|ten|given))?(?:\s(?:statements|formulas|sentences|clauses))?"
)
_VERDICT = re.compile(
    rf"(?P<negation>{_NOT}{_ADVERBS})?(?:the\s|an?\s)?"
    r"(?:(?P<positive>(?<!non-)(?<!in-)(?<!un-)\b(?:consistent|satisfiable|contradiction-free)\b"
    r"|(?-i:\bSAT\b))"
    r"|(?P<negative>\bin-?consistent\b|\bnon-?consistent\b|\bunsat(?:isfiable)?\b|\bun-satisfiable\b"
    r"|\b(?:self-)?contradictory\b"
    r"|\bcontradicts? (?:each other|one another|themselves|itself)\b))"
    r"(?!\s?(?:with\b|or\b|/|\|))"
    rf"|(?P<can>\b(?:can|could|may)\s(?:indeed\s)?(?:they\s)?(?:all|both)\s{_TOGETHER}"
    rf"|(?<!not\s)\b{_ALL}\scan\s(?:indeed\s)?{_TOGETHER})"
    r"|(?P<cannot>\b(?:cannot|can't|can not|could not|couldn't)\s(?:possibly\s)?"
    rf"(?:all|both)\s{_TOGETHER}"
    rf"|\bnot\s{_ALL}\scan\s{_TOGETHER}"
    rf"|\b{_ALL}\s(?:cannot|can't|can not)\s{_TOGETHER}"
    rf"|\b(?:impossible|not possible)\s(?:for|that)\s{_ALL}\s(?:to\s|are\s|can\s)?{_TOGETHER}"
    r"|\bno\s(?:truth\s)?(?:assignment|valuation|model|interpretation)s?\s"
    rf"(?:(?:that|which|can|could)\s){{0,2}}satisf(?:y|ies|ying)\s{_ALL})"
    r"|(?P<free>\b(?:no|without(?: any)?|free of(?: any)?)\s(?:logical\s)?"
    r"(?:contradictions?|inconsistenc(?:y|ies))\b)",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(
    r"(?:\bor|/|\||\bwhether|\bif|\bversus|\bvs\.?)\s?(?:\w+\s){0,4}?\Z", re.IGNORECASE
)
_DENIAL = re.compile(
    r"(?:(?:\bnot|n't|\bcannot)\s(?:the case that|true that|think|believe|see how)|\bno way"
    r"|\bfalse that)(?:\sthat)?(?:\s(?!but\b|and\b|so\b)[\w'-]{1,20}){0,5}\s?\Z",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:would|were|rest|remaining|(?<!each )others?|without|if|unless|suppose|"
    r"assum\w{1,6}|subset|drop|remov\w{1,4}|whether|check|determine|see|far|until|otherwise|"
    r"formulas? \d|statements? \d)\b",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:answer|result|conclusion|verdict|therefore|thus|hence|overall|final(?:ly)?|"
    r"in summary|in short)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?:\b(?:answer|result|conclusion|verdict)\b[\"']?(?:\sis)?\s?[:=]?\s?[\"']?|\A[\s\"'(]*+)"
    r"(?P<word>yes|no|true|false|sat|unsat)\b(?!\s(?:statement|formula|contradiction|inconsisten))",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[\s\"'(\[.:]*+(?P<word>yes|no|true|false|sat|unsat|1|0)[\s\"')\].!]*+", re.IGNORECASE
)
_TRUE_WORDS = frozenset(("yes", "true", "sat", "1"))
_MAX_LINE = 2000


def extract_verdict(text: str) -> bool | None:
    """Return whether a completion calls the statements consistent; ``None`` when it doesn't say.

    Looked for outside think blocks: in the last ``<result>`` tag, in the last ``<answer>`` tag, in
    boxes, in the last line that states an answer, in the last that says anything of consistency.
    In each of them, the last verdict counts.

    >>> extract_verdict("<result>inconsistent</result>"), extract_verdict("**Answer:** yes")
    (False, True)
    >>> extract_verdict("So the statements are not consistent.")
    False
    """
    for part in readings(text):
        part = _BOTH_TAGS.sub("", part)
        tags = _tagged(part, _RESULT_TAG)
        for place in (*reversed(tags), *reversed(tagged_texts(part)[-1:])):
            found = _short_verdict(plain_text(place))
            if found is not None:
                return found
        for place in reversed(boxed_texts(part)):
            found = _short_verdict(plain_text(place))
            if found is not None:
                return found
        found = _prose_verdict(plain_text(_without_tags(part)))
        if found is not None:
            return found
    return None


def _tagged(text: str, tag: re.Pattern[str]) -> list[str]:
    """Return what stands between tags; one that is never closed runs to the end of its line."""
    blocks: list[str] = []
    opened: int | None = None
    for found in tag.finditer(text):
        if not found[1]:
            opened = found.end()
        elif opened is not None:
            blocks.append(text[opened : found.start()])
            opened = None
    if opened is not None:
        blocks.append(text[opened:].strip().partition("\n")[0])
    return blocks


def _without_tags(text: str) -> str:
    """Drop tags, and results in them, which were read before."""
    text = _CLOSED_RESULT.sub("\n", text)
    return _CERTIFICATE_TAG.sub("\n", _RESULT_TAG.sub("\n", text))


def _short_verdict(text: str) -> bool | None:
    """Return the verdict of a text that should be one, ``None`` where it gives both."""
    whole = _WHOLE.fullmatch(text)
    if whole:
        return whole["word"].lower() in _TRUE_WORDS
    verdicts = set(_verdicts(text[-_MAX_LINE:]))
    if not verdicts:
        answer = _YES_NO.search(text[:_MAX_LINE])
        return answer["word"].lower() in _TRUE_WORDS if answer else None
    return verdicts.pop() if len(verdicts) == 1 else None


def _verdicts(line: str) -> Iterator[bool]:
    for match in _VERDICT.finditer(line):
        before = line[max(0, match.start() - 60) : match.start()]
        if _ALTERNATIVE.search(before):
            continue
        says = str(match.lastgroup) in ("can", "free", "positive")
        yield says ^ bool(match["negation"]) ^ bool(_DENIAL.search(before))


def _prose_verdict(text: str) -> bool | None:
    """Return the verdict of the last line that states an answer, else of the last with one."""
    last = None
    for line in reversed(text.splitlines()):
        line = line[-_MAX_LINE:].strip()
        if not line or line.endswith("?"):
            continue
        said = _line_verdict(line)
        if said is None:
            continue
        if _CUE.search(line) or len(line) < 40:
            return said
        last = said if last is None else last
    return last


def _line_verdict(line: str) -> bool | None:
    """Return what the last sentence of a line says that is neither a question nor a supposition."""
    for sentence in reversed(re.split(r"(?<=[.!?;])\s", line)):
        if sentence.endswith("?"):
            continue
        answer = _YES_NO.search(sentence)
        verdicts = list(_verdicts(sentence))
        is_open = _HYPOTHETICAL.search(sentence) and not _CUE.search(sentence)
        if verdicts and not is_open:
            return verdicts[-1]
        if answer and (_CUE.search(answer[0]) or sentence[answer.end() :][:1] in (*",.!;:", "")):
            return answer["word"].lower() in _TRUE_WORDS
    return None


# Certificates

_TOKEN = re.compile(r"[A-Za-z]\w*+|\d++|[✓✔✅✗✘❌☒☑¬!~⊤⊥=:]|[;\n]")
_VALUES = {
    **dict.fromkeys(("true", "yes", "✓", "✔", "✅", "☑", "⊤", "holds"), True),
    **dict.fromkeys(("false", "no", "✗", "✘", "❌", "☒", "⊥"), False),
}
_SHORT_VALUES = {"1": True, "t": True, "0": False, "f": False}
_BETWEEN_ROWS = ("=", ":", "\n")
_NEGATIONS = frozenset(("¬", "!", "~", "not"))
_NUMBERED = re.compile(r"([A-Za-z])_?(\d{1,4})")
_LIST = re.compile(
    r"\b(?:statements?|formulas?|clauses?|sentences?|lines?|core|certificate|numbers?|nos?\.)\b[\s:=#({\[]{0,4}"
    r"(\d{1,3}(?!\d)(?:[\s,;&#()\[\]–-]{0,3}(?:and\s|with\s|statements?\s|formulas?\s|,){0,2}\d{1,3}(?!\d)){0,200})",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b(?:[scf]|statement|formula|clause)_?(?=\d)", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\w.])(\d{1,4})(?:\s?(?:-|–|to)\s?(\d{1,4}))?(?![\w])")
MAX_NUMBER = 9999


def extract_assignment(text: str, names: Sequence[str]) -> dict[str, bool]:
    """Return the truth values that a completion gives to variables, as far as it does.

    Read from the last ``<certificate>`` tag, else from what follows the last ``<result>`` tag, else
    from all outside think blocks: ``v1=true``, ``"v1": true``, ``v1 and v3 are true``, ``true: v1,
    v3``, ``v1 ✓``, ``v1, ¬v2``. The last value of a variable counts. Variables may be called by
    another letter with their number, or, before ``=`` or ``:``, by the number alone.

    >>> extract_assignment("<certificate>v1=true, v2=false</certificate>", ["v1", "v2"])
    {'v1': True, 'v2': False}
    """
    known = _known_names(names)
    for part in readings(text):
        for place, is_tagged in _places(part):
            found = _assignment(plain_text(place), known, is_tagged)
            if found:
                return found
    return {}


def _places(text: str) -> Iterator[tuple[str, bool]]:
    tagged = _tagged(text, _CERTIFICATE_TAG)
    if tagged:
        yield tagged[-1], True
        return
    ends = [tag.end() for tag in _RESULT_TAG.finditer(text)]
    if ends:
        yield text[ends[-1] :], False
    yield text, False


def _known_names(names: Sequence[str]) -> dict[str, str]:
    """Return spelling, in lower case → name; numbers, and other letters with them, if unique."""
    known: dict[str, str] = {}
    numbered = [_NUMBERED.fullmatch(name) for name in names]
    numbers = [match[2] for match in numbered if match]
    if len(numbers) == len(names) == len(set(numbers)):
        for number, name in zip(numbers, names, strict=True):
            known[number] = name
            known.update({f"{letter}{number}": name for letter in "avxp"})
    known.update({name.casefold(): name for name in names})
    return known


def _assignment(text: str, known: Mapping[str, str], is_tagged: bool) -> dict[str, bool]:
    reader = _AssignmentReader(known)
    tokens = _rows_paired([token[0] for token in _TOKEN.finditer(text)], known)
    for token, following in zip(tokens, [*tokens[1:], ""], strict=False):
        reader.read(token, following)
    if is_tagged and not reader.has_values:
        reader.found.update(dict.fromkeys(reader.waiting, True))
    return reader.found


def _rows_paired(tokens: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """Put each value of a row behind its name in the row before: a table, or a tuple's equation."""
    paired: list[str] = []
    names: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.casefold().replace("_", "") in known and not token.isdecimal():
            names.append(token)
        elif len(names) > 1 and token in _BETWEEN_ROWS and (row := _row(tokens, place, len(names))):
            pairs = zip(names, tokens[row - len(names) : row], strict=True)
            paired[-len(names) :] = [piece for name, value in pairs for piece in (name, "=", value)]
            place, names = row, []
            continue
        else:
            names = []
        paired.append(token)
    return paired


def _row(tokens: Sequence[str], start: int, length: int) -> int | None:
    """Return where so many values end that stand behind separators, and nothing behind them."""
    while start < len(tokens) and tokens[start] in _BETWEEN_ROWS:
        start += 1
    end = start + length
    values = [token.casefold() for token in tokens[start:end]]
    if len(values) < length or tokens[end : end + 1] not in ([], ["\n"], [";"]):
        return None
    is_row = all(value in _VALUES or value in _SHORT_VALUES for value in values)
    return end if is_row else None


class _AssignmentReader:
    """Goes through names and truth values: names wait for the next value, or follow one."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.known = known
        self.found: dict[str, bool] = {}
        self.waiting: list[str] = []
        self.has_values = False
        self._heading: bool | None = None
        self._is_negated = False
        self._before = ""

    def read(self, token: str, following: str) -> None:
        """Take the next token; ``following`` is the one after it."""
        word = token.casefold()
        value = self._value(word)
        if value is not None:
            self._take_value(value != self._is_negated, following)
        elif (name := self._name(word, following)) is not None:
            self._take_name(name)
        elif token in ";\n":
            self.waiting = self.waiting if not self.has_values else []
        self._is_negated = word in _NEGATIONS
        self._before = word

    def _value(self, word: str) -> bool | None:
        if word in _SHORT_VALUES and self._before in ("=", ":"):
            return _SHORT_VALUES[word]
        return _VALUES.get(word)

    def _name(self, word: str, following: str) -> str | None:
        if word.isdecimal():
            return self.known.get(word) if following in ("=", ":") else None
        return self.known.get(word.replace("_", "")) or self.known.get(word)

    def _take_value(self, value: bool, following: str) -> None:
        self.has_values = True
        if self.waiting:
            self.found.update(dict.fromkeys(self.waiting, value))
            self.waiting = []
            self._heading = None
        else:
            self._heading = value if following in ("=", ":") else None

    def _take_name(self, name: str) -> None:
        if self._is_negated:
            self.found[name] = False
        elif self._heading is not None:
            self.found[name] = self._heading
        else:
            self.waiting.append(name)


def extract_core(text: str) -> frozenset[int] | None:
    """Return the numbers of the statements that a completion names as contradictory, if any.

    Read from the last ``<certificate>`` tag: all numbers in it. Without one, from the last list
    after a noun, "statements 2, 5 and 7", behind the last ``<result>`` tag or else anywhere
    outside think blocks.

    >>> sorted(extract_core("<certificate>statements 2, 5 and 7</certificate>"))
    [2, 5, 7]
    """
    for part in readings(text):
        for place, is_tagged in _places(part):
            plain = plain_text(place)
            found = _numbers(_LABEL.sub("", plain)) if is_tagged else _listed(plain)
            if found:
                return found
    return None


def _listed(text: str) -> frozenset[int]:
    lists = _LIST.findall(text)
    return _numbers(lists[-1]) if lists else frozenset()


def _numbers(text: str) -> frozenset[int]:
    found: set[int] = set()
    for low, high in _NUMBERS.findall(text):
        last = int(high or low)
        if last - int(low) > 200:
            last = int(low)
        found.update(range(int(low), last + 1) if last >= int(low) else (int(low), last))
    return frozenset(found)
