"""The finite structure that a completion states; whether it is a countermodel is judged elsewhere.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rewards.disowning import Withdrawal, withdrawal
from rewards.extraction import readings
from rewards.listings import Item, Listing, Read, read_items, read_value
from rewards.markup import boxed_texts, tagged_texts
from rewards.plain import plain_text

_EQUALS = (
    r"(?::=|=>|->|[:=≔↦→∈]|\|(?:[^|\n]{0,60}\|)?"
    r"|\b(?:is|are|be|as|to|denotes|contains|includes|the set)\b"
    r"(?:\s(?:assigned|mapped|interpreted|set|taken|defined)\b(?:\s(?:to be|to|as|by)\b)?)?)"
)
_ASSIGNMENT = re.compile(
    r"(?<![\w¬∀∃∧∨→↔^])"
    r"(?:(?P<domain>(?:domain|universe)(?: of discourse)?|[DU](?=\s*+[:=]))"
    r"|(?:(?:I|V|ext|ν)\(|⟦|\|)?(?P<quote>[\"']?)(?P<name>[A-Za-z])"
    r"(?P<chain>(?:\s?=\s?[A-Za-z](?![\w(])){0,8}+)"
    r"(?:[s-z]{1,2}|\(\s*+[s-z](?:\s*+,\s*+[s-z])?\s*+\))?)"
    r"[\"')⟧|]{0,2}(?:\^\w{1,9})?(?:\s?\([^()\d\n]{0,80}\))?"
    rf"(?(domain)\s*+(?:{_EQUALS})?|[ \t]*+{_EQUALS})\s*+"
    r"(?:(?:the set|set|defined as|the empty)\s++)?(?:[-*•]\s++)?"
    r"(?=[\[({⟨<∅\d\"'\-]|empty|none|nothing|no |true|false|(?:frozen)?set\()",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:\([^()\n]{0,120}\)|[\s,;.:=*•+>|{}()\[\]\"'#–—\-]|\d{1,2}[.)]\s"
    r"|\b(?:and|so|we|now|here|finally|consider|use|try|updated|revised|new|let|set|take|"
    r"assume|define|put|choose|interpret|with|where|the|of|an?|final|answer|"
    r"(?:non)?logical|constants?|names?|monadic|unary|one-place|binary|dyadic|two-place|"
    r"predicates?|relations?|extensions?|interpretations?|assignments?|symbols?|functions?|"
    r"counter-?(?:model|example)|model|structure|domain|universe|discourse|values?|are|is|as|"
    r"follows)\b|_)*+",
    re.IGNORECASE,
)
_REVISES = re.compile(
    r"\b(?:adjust|revis|chang|instead|updat|modif|redefin|correct|fix|replac|set|make|actually|wrong|mistake)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\b(?:for|if|when|whenever|unless|while)\s(?:all\s|any\s|some\s)?\Z", re.I)
_QUOTED_DOMAIN = re.compile(
    r"\b(?:domain|universe)[\"']?\s*+[:=]\s*+(?P<quote>[\"'])(?=\s*+[\[({\d])", re.IGNORECASE
)
_STRUCTURE = r"(?:counter-?(?:model|example)|structure|model|interpretation|answer)s?"
_REJECTS = re.compile(
    rf"\b(?:no|not (?:an?|the|my)|isn't (?:an?|the)|wrong|incorrect|failed) "
    rf"(?:valid |such |correct |right |final )?{_STRUCTURE}\b"
    r"(?:[^.:\n]{0,40}+[.:]\s*+if there (?:was|were)(?: one)?)?[^.\n]{0,20}+[:.]?\s*+\Z",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?]\s++|\n\s*+")
_BELONGS = re.compile(r"\s*+(?:[∈∉]|(?:is\s)?(?:not\s)?in\b)")
_FACT = re.compile(
    r"(?P<not>[¬~]\s?|\bnot\s)?(?<!\w)(?P<name>[A-Z])\(\s*+(?P<first>\d{1,3})"
    r"(?:\s*+,\s*+(?P<second>\d{1,3}))?\s*+\)"
    r"(?:\s*+(?:=|(?P<colon>:)|is)\s*+(?P<value>true|false|[TF⊤⊥01])\b)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Interpretation:
    """What a completion assigns to the domain and to the symbols of a task."""

    domain: Item | None = None
    """The domain as stated, ``None`` when it is not."""
    values: Mapping[str, Item | None] = field(default_factory=dict)
    """Symbol → its value as stated, ``None`` where brackets hold no value."""
    garbled_domain: bool = False
    """Whether a domain is stated, but in brackets that hold no value."""

    def __str__(self) -> str:
        has_domain = self.garbled_domain or self.domain is not None
        stated = {"Domain": self.domain} if has_domain else {}
        pairs = {**stated, **self.values}
        return " ".join(f"{k}={'?' if v is None else v}" for k, v in pairs.items())


@dataclass(frozen=True)
class _Assignment:
    name: str
    value: Item | None
    is_declared: bool
    """Whether it stands in a list of assignments, or revises one, rather than in a sentence."""
    goes_on: bool
    """Whether nothing but headings stands between it and the assignment before."""
    start: int
    end: int


_DOMAIN = "domain"
_MAX_LEAD = 200
_TRUE = frozenset(("true", "t", "⊤", "1"))


def extract_structure(
    text: str, constants: Collection[str], predicates: Collection[str]
) -> Interpretation | None:
    r"""Return the structure that a completion states, or ``None`` when it assigns nothing.

    Looked for outside think blocks: in the last ``<answer>`` tag, then in boxes, then everywhere.
    Read are assignments to the task's symbols, in lists, tables, JSON, Python, LaTeX or running
    text. Of several to one symbol the last counts, but one in a list goes before one in a sentence
    and a readable one before a garbled one. A predicate without assignment has the extension that
    a list of facts (``P(0,1), P(2,2)``) gives it.

    Args:
        text: The completion.
        constants: The task's constants; a bare number is read for them only as one.
        predicates: The task's predicates; ``M: 0, 2`` is a list for them.

    >>> print(extract_structure("Domain: [0, 1]\nConstants: a: 1\nM = {0}", "a", "M"))
    Domain=[0,1] a=1 M={0}
    """
    for part in readings(text):
        marked = [*tagged_texts(part)[-1:], "\n".join(boxed_texts(part))]
        for place in (*marked, part):
            found = _read(plain_text(place), constants, predicates)
            if found is not None:
                return found
    return None


def _read(
    text: str, constants: Collection[str], predicates: Collection[str]
) -> Interpretation | None:
    assignments = list(_assignments(text, constants, predicates))
    if assignments and _is_disowned(text, assignments):
        return None
    stated = _settle(assignments)
    garbled_domain = _DOMAIN in stated and stated[_DOMAIN] is None
    garbled_domain = garbled_domain or (_DOMAIN not in stated and bool(_QUOTED_DOMAIN.search(text)))
    domain = stated.pop(_DOMAIN, None)
    rest = _without(text, assignments)
    facts = _facts(rest, [name for name in predicates if stated.get(name) is None])
    found = {**stated, **facts}
    values = {name: found[name] for name in (*constants, *predicates) if name in found}
    return Interpretation(domain, values, garbled_domain) if values else None


def _is_disowned(text: str, assignments: list[_Assignment]) -> bool:
    """Return whether a text calls its structure no countermodel, just before or at its end."""
    lead = text[: assignments[0].start].rstrip(" \t\n{[\"'*-")
    last_line = lead.rpartition("\n")[2]
    is_only_one = len({assignment.name for assignment in assignments}) == len(assignments)
    if is_only_one and _REJECTS.search(last_line[-_MAX_LEAD:]):
        return True
    end = _SENTENCE.split(text[assignments[-1].end :].strip())
    return withdrawal(end[-1]) is Withdrawal.DENIED


def _settle(assignments: list[_Assignment]) -> dict[str, Item | None]:
    """Return what each name is assigned: the best kind of assignment, the last of it."""
    settled: dict[str, Item | None] = {}
    for rank in range(4):
        listed: dict[str, Item | None] = {}
        for assignment in assignments:
            listed = listed if assignment.goes_on else {}
            if _rank(assignment) == rank:
                value = _clash(listed.get(assignment.name), assignment.value)
                settled[assignment.name] = listed[assignment.name] = value
    return settled


def _clash(before: Item | None, value: Item | None) -> Item | None:
    """Return the value, or both where one list has a predicate with elements and with pairs."""
    if not isinstance(before, Listing) or not isinstance(value, Listing):
        return value
    if before.items and value.items and _holds_lists(before) != _holds_lists(value):
        return Listing("", (*before.items, *value.items))
    return value


def _holds_lists(listing: Listing) -> bool:
    return any(isinstance(item, Listing) for item in listing.items)


def _rank(assignment: _Assignment) -> int:
    return 2 * (assignment.value is not None) + assignment.is_declared


def _assignments(
    text: str, constants: Collection[str], predicates: Collection[str]
) -> Iterator[_Assignment]:
    position = anchor = 0
    while match := _ASSIGNMENT.search(text, position):
        names = _names(match, constants, predicates)
        read = _value(text, match, names[0] in predicates) if names else None
        if read is None or _SUPPOSES.search(text, max(0, match.start() - 20), match.start()):
            position = match.start() + len(match["domain"] or "1")
            continue
        between = text[anchor : match.start()]
        on_line = between.rpartition("\n")[2]
        is_declared = _FILLER.fullmatch(on_line) or _REVISES.search(on_line)
        for name in names:
            yield _Assignment(
                name=name,
                value=read.value,
                is_declared=bool(is_declared),
                goes_on=bool(_FILLER.fullmatch(between)),
                start=match.start(),
                end=read.end,
            )
        position = anchor = read.end


def _names(
    match: re.Match[str], constants: Collection[str], predicates: Collection[str]
) -> list[str]:
    """Return what is assigned to: the domain, or those symbols of the task that are named."""
    letter = match["name"] or match["domain"]
    if match["domain"] and letter not in constants and letter not in predicates:
        return [_DOMAIN]
    chain = [letter, *re.findall(r"[A-Za-z]", match["chain"] or "")]
    return [name for name in chain if name in constants or name in predicates]


def _value(text: str, match: re.Match[str], of_predicate: bool) -> Read | None:
    """Return the value assigned, ``None`` when it is a phrase or a number out of place."""
    read = (read_items if of_predicate else read_value)(text, match.end())
    if read is None or _BELONGS.match(text, read.end):
        return None
    if read.value is None and match["domain"] and text[match.end()] == "(":  # a remark
        return None
    if of_predicate and isinstance(read.value, int) and not match["quote"]:
        return Read(Listing("", (read.value,)), read.end)
    is_word = isinstance(read.value, str) and not match["quote"]
    is_number = isinstance(read.value, int) and match["name"] is None
    return None if is_word or is_number else read


def _without(text: str, assignments: list[_Assignment]) -> str:
    kept, position = [], 0
    for assignment in assignments:
        kept.append(text[position : assignment.start])
        position = max(position, assignment.end)
    return "".join(kept) + text[position:]


def _facts(text: str, predicates: Collection[str]) -> dict[str, Listing]:
    """Return the extensions that lists of facts give to predicates; denied ones count as stated."""
    if not predicates:
        return {}
    extensions: dict[str, list[Item]] = {}
    for line in text.splitlines():
        facts = list(_FACT.finditer(line))
        if facts and _FILLER.fullmatch(_FACT.sub("", line)):
            shared = facts[-1]["value"] if facts[-1]["colon"] else None
            for fact in facts:
                items = extensions.setdefault(fact["name"], [])
                if not fact["not"] and (fact["value"] or shared or "true").lower() in _TRUE:
                    items.append(_tuple(fact))
    return {
        name: Listing("{", tuple(extensions[name])) for name in predicates if name in extensions
    }


def _tuple(fact: re.Match[str]) -> Item:
    first = int(fact["first"])
    return Listing("(", (first, int(fact["second"]))) if fact["second"] else first
