"""The numbered statements that a completion says must be true; whether they do is judged elsewhere.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rewards.claims import Claim, find_claims, numbers_in, only_links, overall_verdict
from rewards.disowning import Withdrawal, withdrawal
from rewards.extraction import readings
from rewards.markup import boxed_texts, tagged_texts
from rewards.plain import plain_text
from rewards.wordings import Wordings, wordings_of

Labels = frozenset[int]

_NOUN = r"(?:statements?|options?|choices?|conclusions?|candidates?|answers?|numbers?)"
_ITEM = re.compile(
    rf"\s*+(?:(?:[-*+•>–—](?!\d++\s*+\Z)|\#{{1,6}})\s*+)*+(?P<noun>{_NOUN}\s*+\#?\s?|\#)?[(\[]?(?P<number>\d{{1,2}})"
    r"(?:[)\].:]|\s[-–—:]|\s*+\Z|\s(?=[(\"']))[)\].:*]*+\s*+",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"[\s\"'(\[{{]*+(?:only\s|both\s)?(?:{_NOUN}[\s:#]*+)?(?P<numbers>[#(\[{{]*+-?\d{{1,2}}[)\]}}]*+"
    rf"(?:\s*+(?:,\s*+and\b|,|and\b|&|;|\s)\s*+(?:{_NOUN}\s)?[#(\[]?-?\d{{1,2}}[)\]]?)*+)[\s.\"')\]}}]*+",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\s*+(?:none|no (?:statements?|options?|conclusions?)|nothing|∅"
    r"|\{\s*\}|\[\s*\]|empty(?: set)?)"
    r"(?:\s(?:of\s)?(?:the\s|these\s|them\b|those\s)?(?:above|listed|given|six|\d)?\s?"
    rf"{_NOUN}?(?:\s(?:above|listed|given))?)?"
    r"(?:\s(?:must|can|need|has|have|is|are|necessarily|follows?|holds?)\b[^.;:\d]{0,60})?[\s.\"'!)}\]]*+\Z",
    re.IGNORECASE,
)
_NONE_CLAIMED = re.compile(
    r"\bnone of (?:the (?!other|remaining|rest)|these|them|those)[^.;:\d]{0,60}?"
    r"\b(?:must|follows?|true|necessarily|holds?|guaranteed|entailed|correct)\b"
    r"|\b(?:no|not any|there (?:is|are) no) (?:of the )?(?:given |listed |single )?"
    r"(?:statements?|options?|conclusions?)\s[^.;:\d]{0,40}?"
    r"\b(?:must|follows?|necessarily|guaranteed|entailed|holds?)\b"
    r"|\bnone of the above\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    rf"\b(?:all|every|each)(?: of)?(?: the| these| of them)?(?: six| \d)?(?: given| listed)?\s"
    rf"{_NOUN}\s[^.;:\d]{{0,40}}?\b(?:must|follows?|true|necessarily|holds?)\b"
    r"|\ball of (?:them|these|the above)\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?:answers?|solution)\b[\"']?(?:\s(?:to|for|of)\s[^:.\n]{0,60}?)?"
    r"(?:\s*+(?:is|are|was|would be|should be|must be|:|=|→)|\s*+\Z)"
    r"|\bfinal (?:answer|conclusion)\b|\bfinal\s*+:"
    r"|\bI(?:'d|'ll| would| will)? (?:choose|pick|select|go with|answer|opt for)\b"
    r"|\A\s*+(?:=>|->|[→⇒⟹∴]|(?:so|thus|hence|therefore)\b,?)(?=\s*+[#(\[]?\d)"
    r"|[\"'](?:labels?|statements?|options?|conclusions?|must_be_true|valid|result|follows)[\"']\s*+:",
    re.IGNORECASE,
)
_SELECTS = re.compile(
    r"\b(?:the|only|which|following|these|that)\s(?:\w+\s){0,2}?"
    r"(?:statements?|options?|ones?|conclusions?|choices?|thing)\s"
    r"(?:\([^()\n]{0,40}\)\s)?(?:here\s|listed\s|above\s|from the list\s|given\s|below\s)?"
    r"(?:(?:that|which|we can)\s(?:[\w'-]+\s){0,5}?)?"
    r"(?:must|ha(?:s|ve) to|necessarily|follows?|true|guaranteed|holds?|entailed|correct|most|best|"
    r"can be (?:\w+\s)?(?:conclud|deduc|inferr|deriv|prove|determin)|conclude|deduce|infer|derive"
    r"|prove)"
    r"|\bmust(?:\s\w+){0,2}? be true\s?(?:is|are|:)|\bmust be true(?: in this situation)?:",
    re.IGNORECASE,
)
_CITED = re.compile(rf"\({_NOUN}\s*+#?(\d{{1,2}})\)", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:others?|rest|remaining)\b", re.IGNORECASE)
_ONLY = re.compile(rf"\bonly\s(?:{_NOUN}\s)?[#(]?\d", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:also|too|as well|additionally|likewise)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!^\d\.)(?<!\s\d\.)(?<!\b[a-zA-Z]\.)\s++(?=[\"'(]?[A-Z])")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_SPELLED = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\s(?:{_NOUN}|one)\b"
    rf"|\b(?P<noun>{_NOUN}(?:\sis|\s?:)?)\s(?P<cardinal>{'|'.join(_CARDINALS)})\b"
    r"(?!\s(?:of|that|which)\b)",
    re.IGNORECASE,
)
_INQUIRES = re.compile(
    r"\?\s*+\Z|\bif any\b|\b(?:determine|evaluate|analy[sz]e|check|examine|find|identify|assess|"
    r"whether|see)\b(?! that\b)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:\b(?:if|unless|suppos(?:e|ing)|assum(?:e|ing)|whether|were)|"
    r"(?:\b(?:untrue|incorrect|false|wrong)|"
    r"(?:\bnot|n't) (?:true|correct|the case|think|believe|say|claim|mean|sure))(?: that| if)?)"
    r"\s(?:that )?(?:the |my )?(?:final |correct |right )?(?:answer|solution)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.!?]\s++")
_UNFINISHED = re.compile(
    r"\b(?:or|and|the|an?|is|are|that|of|if|we|not|to|it|this|because|know|be|but|only)\s*+\Z"
)
_NEGATED = re.compile(r"\bnot\b|n't|\bcannot\b", re.IGNORECASE)
_VERB = re.compile(r"(?:is|are|must|follows?|necessarily|and|only)\b")


def extract_labels(text: str, options: int, texts: Sequence[str] = ()) -> Labels | None:
    """Return the statements that a completion gives as its answer, or ``None`` when it gives none.

    Looked for outside think blocks: in the last ``<answer>`` tag; in the boxes of the last
    paragraph that has any; in the last sentence that states an answer ("Answer: 3", "the only
    statement that must be true is:" and the list that follows, "statements 2 and 5 must be true",
    "none of them must be true"). Without such a sentence, what the completion last says of each
    statement counts, provided that it says something of one that is true or something of all.

    Args:
        text: The completion.
        options: The number of statements, counted from 1.
        texts: Their wording, if known. Then an answer may quote a statement, and a list that
            numbers its quotations anew is read by what it quotes.

    >>> sorted(extract_labels("2 is false. **Final Answer:** Statements 3 and 5 must be true", 6))
    [3, 5]
    >>> extract_labels("None of the statements must be true.", 6)
    frozenset()
    """
    wordings = wordings_of(tuple(texts))
    for part in readings(text):
        for place in (*tagged_texts(part)[-1:], _boxes(part), part):
            if place.strip():
                found = _Reader(_plain(place), options, wordings).answer()
                if found is not None:
                    return found
    return None


def _boxes(text: str) -> str:
    """Return what stands in the boxes of the last paragraph that has any."""
    for paragraph in reversed(re.split(r"\n\s*?\n", text)):
        boxes = boxed_texts(paragraph)
        if boxes:
            return ", ".join(boxes)
    return ""


def _plain(text: str) -> str:
    return _SPELLED.sub(_in_digits, plain_text(text).replace("−", "-"))


def _in_digits(match: re.Match[str]) -> str:
    if match["ordinal"]:
        return f"statement {_ORDINALS.index(match['ordinal'].lower()) + 1}"
    return f"{match['noun']} {_CARDINALS.index(match['cardinal'].lower()) + 1}"


@dataclass(frozen=True)
class _Line:
    text: str
    number: int | None
    """The number with which the line begins, if it is an item of a list or a heading."""
    rest: str
    """The line without it."""
    is_named: bool
    """Whether a noun such as "statement" stands before the number."""


class _Reader:
    """Reads the answer out of one piece of a completion."""

    def __init__(self, text: str, options: int, wordings: Wordings) -> None:
        self.text = text
        self.options = options
        self.wordings = wordings
        self.lines = [_line(line) for line in text.splitlines() if line.strip()]
        self.barren_from = len(self.lines)
        """No line from this one on lists a statement, so that no search goes there twice."""

    def answer(self) -> Labels | None:
        """Return what the text answers, if anything."""
        if self._ends_in_denial():
            return None
        for reading in (
            self._bare,
            self._final_claim,
            self._last_claims,
            self._each_verdict,
            self._quoted_claims,
        ):
            labels = reading()
            if labels is not None:
                return labels
        return None

    def _bare(self) -> Labels | None:
        """Read a text that holds an answer and nothing else."""
        numbers = _bare_numbers(self.text)
        if numbers is not None:
            return numbers
        blanked = [self.wordings.blanked(line.rest) for line in self.lines]
        if any(overall_verdict(rest) is not None for rest in blanked):
            return None
        if self.lines and all(line.number is not None for line in self.lines):
            return frozenset(self._label(line) for line in self.lines)
        quoted = self.wordings.quoted(self.text)
        is_quotation = len(self.lines) == 1 and blanked[0].strip(" .…\"'") == ""
        return frozenset(quoted) if quoted and is_quotation else None

    def _final_claim(self) -> Labels | None:
        """Read the last sentence that says which statements are the answer."""
        also: set[int] = set()
        for index in reversed(range(len(self.lines))):
            line = self.lines[index]
            whole = line.number is None or line.is_named or _VERB.match(line.rest)
            for sentence in reversed(_SENTENCE_END.split(line.text if whole else line.rest)):
                labels = self._claimed(sentence, index)
                if labels is not None:
                    return labels | also
                if _ALSO.search(sentence):
                    also |= _positive(find_claims(self.wordings.blanked(sentence)))
        return None

    def _claimed(self, sentence: str, index: int) -> Labels | None:
        blanked = self.wordings.blanked(sentence)
        if _INQUIRES.search(blanked) or _SUPPOSES.search(blanked):
            return None
        claims = list(find_claims(blanked))
        positive = _positive(claims)
        if _NONE_CLAIMED.search(blanked) and not positive:
            return frozenset()
        if _ALL.search(blanked):
            return frozenset(range(1, self.options + 1)) - _negative(claims)
        cue = _ANSWER.search(blanked) or _SELECTS.search(blanked) or _ONLY.search(blanked)
        if cue and not _NEGATED.search(cue[0]):
            return self._after_cue(sentence, blanked[cue.end() :], positive, index)
        several = any(claim.is_strong and len(claim.numbers) > 1 for claim in claims if claim.holds)
        return positive if several else None

    def _after_cue(self, sentence: str, after: str, positive: Labels, index: int) -> Labels | None:
        if positive:
            return positive
        if _NONE.match(after) or _NONE_CLAIMED.search(after):
            return frozenset()
        bare = _bare_numbers(after.lstrip(" :"))
        if bare is not None:
            return bare
        named = self.wordings.quoted(sentence) or numbers_in(" ".join(_CITED.findall(sentence)))
        if named:
            return frozenset(named)
        is_open = after.rstrip().endswith(":") or only_links(after)
        return self._listed(index + 1) if is_open else None

    def _listed(self, start: int) -> Labels | None:
        """Read the answer from the lines that follow its announcement."""
        labels: set[int] = set()
        for line in self.lines[start : self.barren_from]:
            found = self._item(line)
            if found is None and labels:
                break
            labels |= found or set()
            if found is not None and _bare_numbers(line.text) is not None:
                return found
        if labels:
            return frozenset(labels)
        self.barren_from = start
        return None

    def _item(self, line: _Line) -> Labels | None:
        """Return what one line of a list names as true, ``None`` when it is no item."""
        blanked = self.wordings.blanked(line.rest)
        if line.number is not None:
            holds = overall_verdict(blanked) is not False
            return frozenset((self._label(line),)) if holds else frozenset()
        bare = _bare_numbers(line.text)
        claims = list(find_claims(blanked))
        if bare is not None or claims:
            return bare if bare is not None else _positive(claims)
        begins = blanked.lstrip(" -*+•\"'").startswith("…")
        quoted = self.wordings.quoted(line.rest) if begins else []
        named = quoted or numbers_in(" ".join(_CITED.findall(line.rest)))
        return frozenset(named) if named else None

    def _last_claims(self) -> Labels | None:
        """Read what the last line says of statements that it names, but for a remark on others."""
        for line in reversed(self.lines[-2:]):
            if line.number is not None:
                return None
            claims = [
                claim
                for sentence in _SENTENCE_END.split(line.text)
                if _asserts(blanked := self.wordings.blanked(sentence))
                for claim in find_claims(blanked)
            ]
            if claims or not _OTHERS.search(line.text):
                return _positive(claims) or None
        return None

    def _each_verdict(self) -> Labels | None:
        """Read what was last said of each statement, if something was said of all."""
        if self._breaks_off():
            return None
        verdicts: dict[int, bool] = {}
        current = None
        for line in self.lines:
            if line.number is not None and line.number <= self.options:
                current = self._label(line)
            for sentence in _SENTENCE_END.split(self.wordings.blanked(line.rest)):
                if not _asserts(sentence):
                    continue
                claims = list(find_claims(sentence))
                verdicts |= {n: claim.holds for claim in claims for n in claim.numbers}
                verdict = overall_verdict(sentence)
                if not claims and current is not None and verdict is not None:
                    verdicts[current] = verdict
        if any(number not in verdicts for number in range(1, self.options + 1)):
            return None
        return frozenset(number for number, holds in verdicts.items() if holds)

    def _quoted_claims(self) -> Labels | None:
        """Read what sentences say that begin with a statement's wording and name no number."""
        verdicts: dict[int, bool] = {}
        for line in self.lines:
            for sentence in _SENTENCE_END.split(line.rest):
                blanked = self.wordings.blanked(sentence)
                verdict = overall_verdict(blanked) if _asserts(blanked) else None
                if verdict is not None and blanked.lstrip(" -*+•\"'").startswith("…"):
                    verdicts |= dict.fromkeys(self.wordings.quoted(sentence), verdict)
        return frozenset(number for number, holds in verdicts.items() if holds) or None

    def _ends_in_denial(self) -> bool:
        """Return whether the last sentence takes back the answer before it, and gives no other."""
        last = self.lines[-1] if self.lines else None
        if last is None or last.number is not None:
            return False
        sentence = _CLAUSE_END.split(last.text)[-1]
        is_denial = withdrawal(sentence) is Withdrawal.DENIED
        return is_denial and not any(sign.isdigit() for sign in sentence)

    def _breaks_off(self) -> bool:
        """Return whether the text ends within a sentence, as one does that ran out of tokens."""
        last = self.lines[-1].rest if self.lines else ""
        return last.count('"') % 2 == 1 or bool(_UNFINISHED.search(last[-20:]))

    def _label(self, line: _Line) -> int:
        """Return the number of an item, or of the statement it quotes under a number of its own."""
        quoted = self.wordings.quoted(line.rest)
        return quoted[0] if quoted and not line.is_named else line.number or 0


def _line(text: str) -> _Line:
    item = _ITEM.match(text)
    if item is None:
        return _Line(text.strip(), None, text.strip(), False)
    return _Line(text.strip(), int(item["number"]), text[item.end() :].strip(), bool(item["noun"]))


def _asserts(sentence: str) -> bool:
    """Return whether a sentence states something, rather than asking or supposing it."""
    return not sentence.rstrip().endswith("?") and not _SUPPOSES.search(sentence)


def _bare_numbers(text: str) -> Labels | None:
    if _NONE.match(text):
        return frozenset()
    bare = _BARE.fullmatch(text)
    return frozenset(numbers_in(bare["numbers"])) if bare else None


def _positive(claims: Iterable[Claim]) -> Labels:
    claims = list(claims)
    held = {number for claim in claims if claim.holds for number in claim.numbers}
    return frozenset(held) - _negative(claims)


def _negative(claims: Iterable[Claim]) -> Labels:
    return frozenset(number for claim in claims if not claim.holds for number in claim.numbers)
