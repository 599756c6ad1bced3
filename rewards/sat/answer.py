"""The form of an answer in ``sat``: consistent or not, and an assignment or a contradiction."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias, cast

from logic_curriculum.rewards.answers import (
    AmbiguousError,
    Reading,
    as_text,
    is_label,
    one_of,
    read,
    read_mapping,
    read_tag,
    without_markup,
)
from logic_curriculum.rewards.blocks import tag_pattern

Certificate: TypeAlias = "Mapping[str, bool] | frozenset[int]"
"""Truth values of variables, or numbers of statements."""

_KEYS = ("result", "verdict", "consistent", "satisfiable")
_CERTIFICATE_KEYS = ("certificate", "assignment", "core", "model")
_VERDICT = re.compile(
    r"(?:(?:so|therefore|thus|hence|they|it|all|the|these|set|statements?|formulas?|of|is|are)"
    r"[ ,]+)*"
    r"(?:(?P<yes>consistent|satisfiable|sat|yes|not contradictory|true)"
    r"|(?P<no>in-?consistent|un-?satisfiable|unsat|no|not consistent|not satisfiable"
    r"|(?:self-)?contradictory|false))[\s.!]*"
)
_CERTIFICATE = re.compile(
    r"[<\[]\s?certificate\s?[>\]](?:[^<\[]|[<\[](?!\s?[/\\]?\s?certificate\s?[>\]]))*+"
    r"[<\[]\s?[/\\]\s?certificate\s?[>\]]",
    re.IGNORECASE,
)
_VALUES = {
    **dict.fromkeys(("true", "t", "1", "yes", "⊤"), True),
    **dict.fromkeys(("false", "f", "0", "no", "⊥"), False),
}
_VALUE = re.compile(
    r"(?:[-•+*] *)?[\"']?(?P<name>[A-Za-z]\w*)[\"']? *(?::=|=|:|->|→|↦|\bis\b) *"
    r"[\"']?(?P<value>true|false|yes|no|[tf10⊤⊥])(?!\w)[\"']?(?: *\([^()\n]*\))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?:statement|formula|clause)s? *)?#?(?P<number>[0-9]{1,9})(?!\w|\.\w)\.?"
    r"(?: *\([^()\n0-9]*\))?",
    re.I,
)
_BULLET = re.compile(r"^[ \t]*[-•*+] +", re.MULTILINE)
_CORE_LABEL = re.compile(r"\A[A-Za-z -]{1,40}: *(?=[#\[{(]?[0-9])")
_CORE_WORDS = frozenset(("inconsistent", "minimal", "set", "subset", "unsat", "unsatisfiable"))
_MAX_BRACKETS = 5  # pairs around a certificate that are taken off: time stays linear
_MATES = {"[": "]", "{": "}", "(": ")"}
_BETWEEN = re.compile(r"(?:\s|[,;&]|\band\b|(?://|#(?![0-9]))[^\n]*)*+")


def read_verdict(text: str) -> Reading[bool]:
    """Return whether a completion calls the statements consistent.

    >>> read_verdict("<result>consistent</result>").answer
    True
    """
    said = tag_pattern("certificate").sub("\n\n", _CERTIFICATE.sub("\n\n", text))
    return read(said, verdict, ("result",), keys=_KEYS)


def read_certificate(
    text: str, names: Collection[str], said: Reading[bool]
) -> Reading[Certificate]:
    """Return the certificate for a completion's verdict, in terms of the variables ``names``.

    Read from the last certificate tag, else from the block of the verdict, if that is a mapping.
    """
    if said.answer is None:
        return Reading(said.status)
    form = partial(certificate, names=names)
    found: Reading[Certificate] = read_tag(text, form, "certificate")
    if found.status == "unreadable" and said.text:
        mapping = read_mapping(said.text, _CERTIFICATE_KEYS) or {}
        fields = [mapping[key] for key in _CERTIFICATE_KEYS if key in mapping]
        proofs = [_of_value(field, names) for field in fields]
        try:
            proof = cast("Certificate | None", one_of(proofs))
        except AmbiguousError:
            return Reading("ambiguous")
        return found if proof is None else Reading("answered", proof)
    return found


def verdict(block: str) -> bool | None:
    """Return whether a block calls the statements consistent, ``None`` when it says more.

    An :class:`AmbiguousError` says that it calls them both.

    >>> verdict("The statements are not consistent."), verdict("consistent?")
    (False, None)
    """
    said: set[bool] = set()
    for line in re.split(r"[\n,;/|]| or ", without_markup(block).lower()):
        match = _VERDICT.fullmatch(line.strip())
        if match is None and line.strip():
            return None
        if match:
            said.add(match["yes"] is not None)
    if len(said) > 1:
        raise AmbiguousError("both verdicts")
    return said.pop() if said else None


def certificate(block: str, names: Collection[str]) -> Certificate | None:
    """Return the certificate that a block is, ``None`` when it says something else.

    An :class:`AmbiguousError` says that it gives a variable two values.

    >>> certificate("v1=true, v2: F", ["v1", "v2"]), certificate("statements 2 and 5", [])
    ({'v1': True, 'v2': False}, frozenset({2, 5}))
    """
    mapping = read_mapping(block, (*names, *_CERTIFICATE_KEYS))
    if mapping is not None:
        inner = [mapping[key] for key in _CERTIFICATE_KEYS if key in mapping]
        return _of_value(inner[0] if len(inner) == 1 else mapping, names)
    said = without_markup(_BULLET.sub("", block)).strip()
    if (label := _CORE_LABEL.match(said)) and is_label(label[0], _CORE_WORDS):
        said = said[label.end() :]
    said = said.strip(" .")
    for _ in range(_MAX_BRACKETS):
        if said[:1] in _MATES and said.endswith(_MATES[said[0]]):
            said = said[1:-1].strip(" .")
    return _assignment(said, names) or _numbers(said)


def _of_value(value: Any, names: Collection[str]) -> Certificate | None:
    if isinstance(value, dict):
        lines = [f"{name}={as_text(truth)}" for name, truth in value.items()]
        return _assignment("\n".join(lines), names)
    text = as_text(value)
    return None if text is None else certificate(text, names)


def _assignment(said: str, names: Collection[str]) -> dict[str, bool] | None:
    spelled = {name.casefold(): name for name in names}
    found: dict[str, bool] = {}
    for item in _items(_VALUE, said):
        name = spelled.get(item["name"].casefold().replace("_", ""))
        value = _VALUES[item["value"].casefold()]
        if name is None:
            return None
        if found.setdefault(name, value) != value:
            raise AmbiguousError(f"{name} has two values")
    return found or None


def _numbers(said: str) -> frozenset[int] | None:
    return frozenset(int(item["number"]) for item in _items(_NUMBER, said)) or None


def _items(item: re.Pattern[str], said: str) -> Iterator[re.Match[str]]:
    """Yield what a text lists, or nothing if it says something else as well."""
    found: list[re.Match[str]] = []
    position = 0
    while position < len(said):
        match = item.match(said, position)
        if match is None:
            return
        found.append(match)
        between = _BETWEEN.match(said, match.end())
        position = between.end() if between else match.end()
    yield from found
