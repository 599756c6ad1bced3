r"""The reasoning steps in what a model wrote, read from all of it, line by line.

A step is what it rests on, an arrow, its number and what it concludes, or the other way round::

    rule_5 & fact_4 & int_1 =>> int_2: Hetty's willing is -3197
    int_2: Hetty's willing is -3197 <<= rule_5 & fact_4 & int_1

Models vary arrows, bullets and references (``**Rule 5**``, ``fact_i2``, ``\text{rule}_{5}``). What
a step concludes is left as text here. Every function takes time linear in the length of its input,
which may be hostile.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from logic_curriculum.rewards.completions import MAX_TEXT, without_thoughts

MAX_STEPS = 100  # how many steps of a summary are read; what follows them is not
MAX_LINE = 4000  # how much of a line is read, in characters, those that it continues over included
MAX_ARROWS = 8  # at how many arrows of a line a step is looked for

_ARROW = re.compile(
    r"(?P<right>(?<![=–—<-])[=–—-]++(?:>|&gt;)++|[→⇒⟹⟶➔➜⇛↦∴⊢]"
    r"|\\(?:(?:[Ll]ong)?[rR]ightarrow|Rrightarrow|implies|to|mapsto)(?![A-Za-z]))"
    r"|(?:<|&lt;){1,2}[=–—-]++(?!>)|[←⇐⟸⟵]|\\(?:(?:[Ll]ong)?[lL]eftarrow|impliedby)(?![A-Za-z])"
)
_MAY_HAVE_ARROW = re.compile(r"[<>→⇒⟹⟶➔➜⇛↦∴⊢←⇐⟸⟵]|&[gl]t;|\\[A-Za-z]")
_PART = r"(?:[Rr]ule|[Ff]act|[Ii]nt)[_ ]i?\d{1,4}"
_PROMPTED = re.compile(
    rf"(?:[-*•] |\d{{1,2}}\. )?+(?P<basis>{_PART}(?: & {_PART}){{0,30}}+)"
    r" (?:=>>|=>|->|→|⇒) (?:int[_ ]|fact_i)(?P<number>\d{1,4}): (?P<claim>[^<>&\\→⇒←⇐]{1,200}+)"
)
_GLUE = r"[\s_\\{}#*`.-]*+"
_REFERENCE = re.compile(
    r"(?<![^\W_])(?:(?P<kind>rule|fact|int(?:ermediate)?+(?:[ _](?:fact|conclusion|result))?+"
    rf"|conclusion|step)s?+{_GLUE}|(?P<letter>[rfi])_?+(?=\d))"
    rf"(?:(?P<derived>i(?:nt(?:ermediate)?+)?+){_GLUE})?+[(\[]?+(?P<number>\d{{1,4}})(?![^\W_])"
    r"(?P<further>(?:[)\]}\s]*+(?:[,&]|and\b)\s*+\d{1,4}(?![^\W_]))*+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:[\s&,;:+*`$\\{}()\[\]\"'|∧·^~_>•-]|\d{1,2}[.)]|(?:and|with|plus|from|using|via|on|to|by"
    r"|applied|then|text[a-z]*+|math[a-z]*+|land|wedge|quad|amp|therefore|so)(?![^\W_]))*+",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\((?![^()]*(?:rule|fact|int)s?[\s_\\{}]*i?\d)(?:[^()]++|\([^()]*+\))*+\)", re.I
)
_LABEL = re.compile(
    r"(?:[-•\s*`$\\{}\"'()|>]|\d{1,2}[.)](?=[\s*`]))*+(?:(?:text|math)[a-z]*+[\s{]*+)?+"
)
_NUMBERING = re.compile(r"\A[\s|>]*+(?:\(?\d{1,2}[.)]\s++|[-*•]\s++(?=[^\W\d_]))?+")
_AFTER_LABEL = re.compile(r"[\s*`$\\{}\"'()]*+[:.=–—-]*+")
_HEADING = re.compile(
    r"[\s>]*+(?!.*\bstep\b)"
    r"(?:#{1,6}[ \t].*|(?:[^\W\d_]++[ \t]*+){1,7}+:.*|(?:the |final )*+answer\b.*)",
    re.IGNORECASE,
)


class Step(NamedTuple):
    """A step as stated."""

    number: int  # by which others refer to it: the one that it states, else its place, from 1
    rules: frozenset[int]
    facts: frozenset[int]
    steps: frozenset[int]  # numbers of the steps that it rests on
    claim: str  # what it concludes, as written


_Basis = tuple[frozenset[int], frozenset[int], frozenset[int]]  # of rules, facts and steps
_Stated = tuple[int | None, _Basis, str]  # number if there is one, what it rests on, conclusion


def read_steps(completion: str) -> tuple[Step, ...]:
    """Return the steps of the last summary outside of thoughts, in the order of the text.

    A heading begins a new summary (``Reasoning:``, ``## Final summary``; not ``Step 2:``). Of steps
    with the same number the last counts.

    >>> read_steps("- **Rule 5** & fact_4 → int1: Hetty’s legal = 3")[0].claim
    "Hetty's legal = 3"
    """
    text = without_thoughts(completion)[0][-MAX_TEXT:].replace("**", "").replace("’", "'")
    summary: list[_Stated] = []
    is_new = False
    for line in _lines(text):
        stated = _read_step(line) if _MAY_HAVE_ARROW.search(line) else None
        if stated is None:
            may_be_heading = ":" in line or "nswer" in line or "#" in line
            is_new = is_new or (may_be_heading and _HEADING.fullmatch(line) is not None)
            continue
        if is_new:
            summary, is_new = [], False
        if len(summary) < MAX_STEPS:
            summary.append(stated)
    return _numbered(summary)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines; one that ends with ``&``, or has an arrow after it, includes the next."""
    pending = ""
    for line in text.split("\n"):
        bare = line.strip()
        first = _ARROW.match(bare) if bare[:1] in "=-–—→⇒⟹<&\\" else None
        if pending and (pending.endswith(("&", ",")) or (first and first["right"])):
            pending = f"{pending} {bare}"[:MAX_LINE]
        else:
            if pending:
                yield pending
            pending = bare[:MAX_LINE]
    if pending:
        yield pending


def _read_step(line: str) -> _Stated | None:
    prompted = _PROMPTED.fullmatch(line)
    if prompted:
        basis, number, claim = prompted.groups()
        return int(number), _prompted_basis(basis), claim.strip(" .")
    for arrow in islice(_ARROW.finditer(line), MAX_ARROWS):
        before, after = line[: arrow.start()], line[arrow.end() :]
        number = None
        if arrow["right"]:
            label = _reference_at(before)
            if label and label[0] == "i" and ":" in before[label[2] : label[2] + 4]:
                number, before = label[1], before[label[2] :]
        basis = _basis(before if arrow["right"] else after)
        if basis is None:
            continue
        claim = after if arrow["right"] else before
        label = _reference_at(claim)
        if label and label[0] != "r":
            rest = _AFTER_LABEL.match(claim, label[2])
            claim = claim[rest.end() if rest else label[2] :]
            number = label[1] if label[0] == "i" else number
        if not arrow["right"]:
            claim = _NUMBERING.sub("", claim, count=1)
        return number, basis, claim.strip().strip(" .|")
    return None


@lru_cache(maxsize=4096)
def _prompted_basis(text: str) -> _Basis:
    return _by_kind(
        ("i" if "i" in part else part[0], int(part.lstrip("rulefactin_ ")))
        for part in text.lower().split(" & ")
    )


def _basis(text: str) -> _Basis | None:
    """Return the references of a text, ``None`` if it holds anything else."""
    text = _ASIDE.sub(" ", text) if "(" in text else text
    cited: list[tuple[str, int]] = []
    position = 0
    for match in _REFERENCE.finditer(text):
        if not _BETWEEN.fullmatch(text, position, match.start()):
            return None
        numbers = (match["number"], *re.findall(r"\d+", match["further"]))
        cited += [(_kind(match), int(number)) for number in numbers]
        position = match.end()
    return _by_kind(cited) if cited and _BETWEEN.fullmatch(text, position) else None


def _reference_at(text: str) -> tuple[str, int, int] | None:
    """Return the kind, the number and the end of the reference that a text begins with."""
    marks = _LABEL.match(text)
    match = _REFERENCE.match(text, marks.end() if marks else 0)
    return (_kind(match), int(match["number"]), match.end("number")) if match else None


def _kind(match: re.Match[str]) -> str:
    kind = (match["kind"] or match["letter"]).lower()
    return "i" if match["derived"] or kind[0] in "ics" else kind[0]


def _by_kind(cited: Iterable[tuple[str, int]]) -> _Basis:
    numbers: dict[str, list[int]] = {"r": [], "f": [], "i": []}
    for kind, number in cited:
        numbers[kind].append(number)
    return frozenset(numbers["r"]), frozenset(numbers["f"]), frozenset(numbers["i"])


def _numbered(stated: Sequence[_Stated]) -> tuple[Step, ...]:
    """Give steps without a number that of their place, and drop those that a later one replaces."""
    taken = {number for number, *_ in stated}
    steps: dict[int, Step] = {}
    for place, (number, basis, claim) in enumerate(stated, 1):
        if number is None:
            number = -place if place in taken else place
        steps.pop(number, None)
        steps[number] = Step(number, *basis, claim)
    return tuple(steps.values())
