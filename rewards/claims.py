"""What sentences of prose claim about numbered statements: which are true, which are not.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NOUN = (
    r"(?:statement|option|choice|candidate|conclusion|number|item|answer|assertion|claim|no\.)s?"
)
_NUMBER = r"[#(\[]{0,2}-?\d{1,2}(?![\d%]|\.\d)[)\]]{0,2}"
_MENTION = re.compile(
    rf"(?<![\w.])(?P<noun>{_NOUN}\s*+[:#]?\s?)?(?P<numbers>{_NUMBER}"
    rf"(?:\s?(?:,\s?(?:and|or)|,|and|&|or|/|;|plus)\s(?:(?:also\s)?{_NOUN}\s)?{_NUMBER})*+)"
    r"(?!\s(?!is\b|was\b|has\b|does\b|follows\b|holds\b|as\b|this\b|its\b|remains\b)[a-z]+s\b"
    r"|\sout of\b)",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"(?:\b(?:premises?|facts?|conditions?|rules?|points?|steps?|lines?|clauses?|givens?|sentences?|"
    r"information|constraints?|cases?|assumptions?|parts?|hypothes[ie]s)\s*+(?:numbers?\s)?"
    r"|\b(?:from|by|using|per|via|given|because of|due to|according to|based on|under|like|to|"
    r"since|in|with|contradicts?|see|as)\s(?:the\s)?)\Z",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:not|rather than|instead of|unlike|except(?: for)?|excluding|but not)\s(?:for\s)?\Z",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:[<≥≤≠≈~]|(?<![=-])>|[<>!]=|\b(?:at (?:least|most)|(?:more|less|fewer) than|up to))\s*+\Z"
)
_WORDS = r"(?:[\w'-]+\s){0,4}?"
_NEGATIVE = (
    rf"(?:\bnot|n't|\bcannot|\bnever|\bneither|\bnor)\s{_WORDS}"
    r"(?:true|follow|holds?|guaranteed|certain|determin|conclu|confirm|establish|inferr?|deduc|deriv|"
    r"known?\b|support|require|valid|correct|right\b|answer|solution|entail|impl|prove|necess|verif|sure|enough|definitiv)"
    r"|\b(?:false|untrue|wrong|mistaken|indetermina|undetermin|unknown|uncertain|unclear|incorrect|invalid|"
    r"contradict|impossib|unsupported|inconclusive|insufficient|possibl|could be|may be|might be|"
    r"may or may not|unverif|unprov|fails?\b"
    r"|no (?:direct )?(?:information|evidence|guarantee|basis|way))"
    r"|[✗✘❌✖]"
)
_STRONG = (
    r"\b(?:must|ha(?:s|ve) to|needs? to)\s(?:(?!not\b)[\w'-]+\s){0,3}?(?:be|hold|follow)\b"
    r"(?!\s(?:\w+\s)?(?:false|untrue|incorrect|not\b))"
    r"|\bnecessarily\b|\bfollows?\b(?! (?:that|a|an|the)\b)|\bguaranteed\b|\bentailed\b|\bonly\b"
    r"|\banswers?\b|\blogically (?:valid|implied)|\bsolution\b|\bdefinitely true"
)
_WEAK = (
    r"\b(?:is|are|be|as)\s(?:(?!not\b)[\w'-]+\s){0,2}?(?:true|correct|valid|right)\b|\btrue\b|\bcorrect\b"
    r"|\bholds?\b|[✓✔✅]"
)
_VERDICT = re.compile(
    rf"(?P<negative>{_NEGATIVE})|(?P<strong>{_STRONG})|(?P<weak>{_WEAK})", re.IGNORECASE
)
_TURN = re.compile(
    r"[.;]\s|\b(?:because|since|as (?:it|we|this|the)|due to|given that|which contradicts|based on|"
    r"although|even though)\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"[\s:=*\"'(\[{,.]*+(?:\b(?:is|are|be|would|should|the|true|to|in|this|situation|following|only|"
    r"both|statements?|options?|number|and|also|ones?|therefore|answer|that|scenario|conditions?|"
    r"correct|given|these|from|under|case|either|must|as|follows|based|on|premises|information|"
    r"context|of|provided|analysis|above|list)\b[\s:=*\"'(\[{,.]*+)*+",
    re.IGNORECASE,
)


_PREDICATE = re.compile(
    r"[\s)\"']{1,3}(?:both |all |also |each )?(?:is|are|isn't|aren't|must|cannot|can|can't|"
    r"does|do|doesn't|don't|has|have|need|needs|may|might|could|follows?|holds?)\b",
    re.IGNORECASE,
)
_SINGLES_OUT = re.compile(r"only|answers?|solution", re.IGNORECASE)
_MAX_SENTENCE = 2000
_MAX_LINK = 120
_MAX_REACH = 200


@dataclass(frozen=True)
class Claim:
    """What a sentence says of some statements."""

    numbers: tuple[int, ...]
    holds: bool
    is_strong: bool
    """Whether it says that they *must* hold, or that they are the answer."""


def find_claims(sentence: str) -> Iterator[Claim]:
    """Yield what a sentence claims about statements that it names by number.

    A number gets the verdict right before it ("the answer is 3"), else the next after it
    ("3 must be true"), else the last before it. Numbers of premises, and reasons, claim nothing.

    >>> [(claim.numbers, claim.holds) for claim in find_claims("3 must be true, 1 and 2 are false")]
    [((3,), True), ((1, 2), False)]
    """
    sentence = sentence[:_MAX_SENTENCE]
    verdicts = list(_VERDICT.finditer(sentence))
    following = 0
    for mention in _mentions(sentence):
        while following < len(verdicts) and verdicts[following].start() < mention.start("numbers"):
            following += 1
        verdict = _verdict(sentence, mention, verdicts, following)
        if verdict is not None:
            excepted = _EXCEPT.search(sentence[max(0, mention.start() - 20) : mention.start()])
            holds = verdict.lastgroup != "negative" and not excepted
            yield Claim(numbers_in(mention["numbers"]), holds, verdict.lastgroup == "strong")


def _verdict(
    sentence: str, mention: re.Match[str], verdicts: list[re.Match[str]], following: int
) -> re.Match[str] | None:
    """Return the verdict that a mention gets, if any; ``following`` is the first after it."""
    before = verdicts[following - 1] if following else None
    after = verdicts[following] if following < len(verdicts) else None
    is_subject = after and _PREDICATE.match(sentence, mention.end())
    if before and not is_subject and before.lastgroup != "negative":
        between = sentence[before.end() : mention.start()]
        if len(between) < _MAX_LINK and _LINK.fullmatch(between):
            return before
    if after:
        between = sentence[mention.end() : after.start()]
        if not _TURN.search(between[:_MAX_REACH]) and len(between) < _MAX_REACH:
            return after
    is_reason = before and _TURN.search(sentence[before.end() : mention.start()][:_MAX_REACH])
    return None if is_reason else before


def only_links(text: str) -> bool:
    """Return whether a text has none but such words as lead from a verdict to its subject."""
    return bool(_LINK.fullmatch(text))


def numbers_in(text: str) -> tuple[int, ...]:
    """Return the whole numbers in a text, in order.

    >>> numbers_in("2-4 and -3")
    (2, 4, -3)
    """
    return tuple(int(number) for number in re.findall(r"(?<!\d)-?\d{1,9}|\d{1,9}", text))


def _mentions(sentence: str) -> Iterator[re.Match[str]]:
    for mention in _MENTION.finditer(sentence):
        before = sentence[max(0, mention.start() - 30) : mention.start()]
        is_citation = mention["noun"] and before.endswith("(")
        is_aside = is_citation or _EVIDENCE.search(before) or _COMPARED.search(before)
        if not is_aside:
            yield mention


def overall_verdict(sentence: str) -> bool | None:
    """Return whether a sentence says of its subject that it holds, ``None`` when neither.

    >>> overall_verdict("This can't be determined."), overall_verdict("True.")
    (False, True)
    """
    for verdict in _VERDICT.finditer(sentence):
        if not _SINGLES_OUT.match(verdict[0]):
            return verdict.lastgroup != "negative"
    return None
