"""Words by which a text disowns an answer that it mentions: before, right after it or later on.

Only the few words next to an answer count, and none between quotation marks, since the sentences
that a task quotes have their own "not" and "or". Every function takes time linear in the length of
its input, which may be hostile.
"""

from __future__ import annotations

import re
from enum import Enum

_TAIL = 160
_QUOTING = 800
_QUOTED = re.compile(r"\"[^\"\n]*+\"")
_EDGE = r"[\s:;,(\[\"'*—–-]*+\Z"
_ANSWER = (
    r"(?:answer|formula|translation|symboli[sz]ation|formali[sz]ation|solution|reading|"
    r"counter-?model|counter-?example)s?"
)
_THING = (
    rf"(?:{_ANSWER}|(?:version|attempt|form|way|expression|representation|rendering|statement|"
    r"option|choice|one|mistake|error|guess|approach|case|structure|model|interpretation)s?)"
)
_FILLER = (
    r"(?:is|are|was|were|be|been|would|could|might|may|as|to|that|this|these|it|of|in|the|an?|its|"
    r"our|my|following|below|like|say|said|says|mean|means|read|use|write|written|put|try|"
    r"translat(?:e[ds]?|ing)|express(?:ed)?|represent(?:ed)?|formali[sz]ed?|symboli[sz]ed?|"
    r"render(?:ed)?|correct(?:ly)?|right|valid|good|accurate|same|really|quite|exactly|actually|"
    r"simply|just|fully|final|best|intended|desired|required|necessarily|logically|logical|"
    r"equivalent|true|yet|for)"
)
_LINKS = rf"(?:\s(?:{_FILLER}|{_THING})\b)*+"
_MISTAKEN = r"(?:wrong|incorrect|mistaken|erroneous|faulty|inaccurate|flawed)"
_REJECTED = re.compile(
    rf"(?:(?:(?:\bnot|\bcannot|\bnever|n't)(?=\s\w)"
    rf"|(?<!\bwill )(?<!\bdoes )(?<!\bdid )(?<!\bdo )\bnot){_LINKS}"
    rf"|\b(?:{_MISTAKEN}|false|untrue|invalid|rejected|bad)(?:ly)?{_LINKS}"
    r"|\b(?:instead of|rather than|other than|unlike|except(?: for)?|whether|e\.g\.?)"
    r"|\b(?:sure|know|tell|say|see|check|wonder) if"
    rf"|\bif (?:the|this|that|my) (?:final |correct )?{_THING}{_LINKS}"
    rf"|(?:(?<!\bthe )\bexample|\bfor instance){_LINKS}"
    rf"|\b(?:negation|opposite|converse) of(?: the (?:{_THING}|sentence|original))?{_LINKS}"
    rf"|\b(?:mistake|error)(?=\s\w){_LINKS}|\b(?:anything|everything|all) but"
    rf"|\bnobody would (?:say|write)){_EDGE}",
    re.IGNORECASE,
)
_RESTATED = re.compile(
    rf"\b(?:or|equivalent(?:ly)?|alternative(?:ly)?|same as){_LINKS}{_EDGE}", re.IGNORECASE
)
_STRESS = (
    r"(?:(?:also|clearly|thus|therefore|simply|just|definitely|obviously|actually|still|"
    r"logically|completely|already|however)\s)*+"
)
_NOT_RIGHT = (
    r"(?:(?:quite|really|exactly|actually|fully|an?|the|my|our|such an?|yet|valid|correct)\s)*+"
    rf"(?:correct|right|valid|accurate|adequate|enough|{_ANSWER})\b"
)
_IS_WRONG = (
    rf"(?:(?:'s|\s(?:is|was|seems|looks|would be))\s{_STRESS}(?:{_MISTAKEN}\b"
    rf"|an? (?:common )?(?:{_MISTAKEN}|mistake|error)\b|not\s{_NOT_RIGHT})"
    rf"|\s(?:is|was)n't\s{_NOT_RIGHT})"
)
_FAILS = (
    r"\s(?:(?:(?:does|do|did|will|would|can)(?:n't|\snot)|won't|can't|cannot)\s"
    r"(?:quite\s|really\s|actually\s)?"
    r"(?:work|fit|match|capture|express|translate|represent|be (?:right|correct)|hold up)"
    r"|fails to (?:capture|express|translate|represent))\b"
)
_REJECTED_AFTER = re.compile(
    rf"[\"',)\]*]*+(?:\s(?:but\s)?(?:which|that|this|it))?(?:{_IS_WRONG}|{_FAILS})"
    rf"|\s*+\((?:is\s)?(?:{_MISTAKEN}|not correct|not right)\)|\s*+[✗✘❌✖]",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"(?:\A|[.!?;—–]|\n|\b(?:but|wait|no|actually|however)\b)[\s*,:-]*+"
    r"(?:(?:wait|no|hmm+|oh|ah|actually|sorry|but|however|oops|hold on|on reflection|"
    r"unfortunately|though|so|yet)\b[\s,.!…:—–-]*+)*+"
    r"(?:(?P<denies>(?:this|that|it|the above|(?:this|that|the|my)\s(?:(?:above|previous|last|"
    rf"first|initial|earlier|final|given|original)\s)?{_THING})(?:\s(?:above|here))?"
    rf"(?:{_IS_WRONG}|{_FAILS})|(?:{_MISTAKEN}|not correct)\s*+(?:[.!]|\Z))"
    r"|I(?:'ve|\shave)?\s(?:just\s)?(?:made an? |misread|misspoke|misinterpret|was wrong|"
    r"take (?:that|it) back)|(?:let me|let's|I(?:'ll| will| need to| should| must| have to))\s"
    r"(?:correct|fix|redo|revise|reconsider|rewrite|re-?evaluate|rethink|start over)\b"
    r"|correction\b|scratch that)",
    re.IGNORECASE,
)


class Standing(Enum):
    """How a text stands to an answer to which it leads."""

    OWNED = "owned"
    RESTATED = "restated"
    """It says the same as another one, or is an alternative to it."""
    REJECTED = "rejected"
    """It is wrong, asked for, or an example."""


class Withdrawal(Enum):
    """How a text takes back the answers before it."""

    DENIED = "denied"
    """The last one is said to be wrong."""
    REVISED = "revised"
    """There may be better ones to come."""


def standing(label: str) -> Standing:
    """Return how an answer stands that follows a label.

    >>> standing('The formula for "Hazel or Alfred ate" is: ').value
    'owned'
    >>> standing("This is not the correct formula: ").value
    'rejected'
    """
    tail = _QUOTED.sub("…", label[-_QUOTING:])[-_TAIL:]
    if _REJECTED.search(tail):
        return Standing.REJECTED
    return Standing.RESTATED if _RESTATED.search(tail) else Standing.OWNED


def is_rejected_by(after: str) -> bool:
    """Return whether the words right after an answer say that it is wrong.

    >>> is_rejected_by(" is not quite right, because"), is_rejected_by(" is the formula.")
    (True, False)
    """
    return bool(_REJECTED_AFTER.match(after[:_TAIL]))


def withdrawal(text: str) -> Withdrawal | None:
    """Return how a text takes back what was answered before it, ``None`` when it does not.

    >>> withdrawal("Wait, that is wrong. Answer: ").value
    'denied'
    """
    found = _TAKES_BACK.search(_QUOTED.sub("…", text))
    if found is None:
        return None
    return Withdrawal.DENIED if found["denies"] else Withdrawal.REVISED
