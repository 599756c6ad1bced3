"""Consistency: can all statements be true together, and what proves it?

The question is that of LTGen (sections 2 and 4). A yes or no can be guessed, so a task may ask for
a certificate as well: an assignment that makes all statements true, or a minimal unsatisfiable set
of statements.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, TypeAlias, cast

from pydantic import Field, StrictBool
from pydantic.dataclasses import dataclass

from logic_curriculum.rewards.answers import (
    DENIAL,
    AmbiguousError,
    Reading,
    RefusedError,
    as_text,
    is_label,
    one_of,
    read,
    read_mapping,
    read_tag,
    without_markup,
)
from logic_curriculum.rewards.blocks import Unit, paragraphs, plain_text, tag_pattern
from logic_curriculum.rewards.engines.propositional import (
    MAX_VARIABLES,
    Formula,
    TruthTables,
    is_true,
    minimal_core,
    parse,
    variables,
)
from logic_curriculum.rewards.judge import Judge, Verdict, Verification

# -- the form of an answer: a verdict and a certificate --------------------------------------------

Certificate: TypeAlias = "Mapping[str, bool] | frozenset[int]"
"""Truth values of variables, or numbers of statements."""

_KEYS = ("result", "verdict", "consistent", "satisfiable")
_CERTIFICATE_KEYS = ("certificate", "assignment", "core", "model")
_VERDICT = re.compile(
    r"(?:(?:so|therefore|thus|hence|they|it|all|the|these|given|set|statements?|formulas?|of|is|are"
    r"|jointly|logically|mutually) +)*"
    r"(?:(?P<yes>consistent|satisfiable|sat|yes|not contradictory|true)"
    r"|(?P<no>in-?consistent|un-?satisfiable|unsat|no|not consistent|not satisfiable"
    r"|(?:self-)?contradictory|false))[\s.!]*"
)
_BARE = re.compile(r"\W*(?:yes|no|true|false)\W*", re.IGNORECASE)
_ASKED = re.compile(r"(?i)consistent|satisfiable|contradictory|together")
_MORE = re.compile(r"\s*+\S")
_OPENING = re.compile(
    r"\s*(?:(?:so|therefore|thus|hence|in conclusion|we conclude that|it follows that)[ ,:]+)*"
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
_REMARK = r"(?: *\((?! *or\b|[^()\n]*\b(?:maybe|perhaps|possibly|instead)\b)[^()\n]*\))?"
_VALUE = re.compile(  # or a literal
    r"(?P<bullet>[-•+*] *)?(?P<not>[¬~] ?|not )?[\"']?(?P<name>[A-Za-z]\w*)[\"']?(?:(?(not)(?!)) *"
    r"(?::=|=|:|->|→|↦|\bis\b) *[\"']?(?P<value>true|false|yes|no|[tf10⊤⊥])(?!\w)[\"']?)?"
    r"(?(value)|(?! *\((?:[^\w()\n]*+\w?[^\w()\n]*+\)|[^()\n]*"
    rf"(?:{DENIAL}|\b(?:true|value|negat))))){_REMARK}",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?:statement|formula|clause)s? *)?#?(?P<number>[0-9]{1,9})(?!\w|\.\w)\.?"
    rf"(?! *\([^()\n]*[0-9]){_REMARK}",
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
    said = tag_pattern("certificate").sub("\n\n", _CERTIFICATE.sub("\n\n", plain_text(text)))
    return read(said, verdict, ("result",), parts=_parts, keys=_KEYS)


def _parts(text: str, start: int, end: int) -> Iterator[Unit]:
    """Yield paragraphs; a bare yes or no is prose if it answers a question on the way."""
    for unit in paragraphs(text, start, end):
        before = text[max(0, unit.start - 200) : unit.start].rstrip(" \n*").rpartition("\n")[2]
        is_aside = before.endswith("?") and not _ASKED.search(before)
        is_prose = is_aside and _BARE.fullmatch(unit.text) and _MORE.match(text, unit.end)
        yield unit._replace(kind="prose" if is_prose else unit.kind)


def read_certificate(
    text: str, names: Collection[str], said: Reading[bool]
) -> Reading[Certificate]:
    """Return the certificate for a completion's verdict, in terms of the variables ``names``.

    Read from the last certificate tag, else from the block of the verdict, if that is a mapping.
    """
    if said.answer is None:
        return Reading(said.status)
    found: Reading[Certificate] = read_tag(text, partial(certificate, names=names), "certificate")
    if found.status == "unreadable" and said.text:
        mapping = read_mapping(said.text, _CERTIFICATE_KEYS) or {}
        try:
            proofs = [_of_value(mapping[key], names) for key in _CERTIFICATE_KEYS if key in mapping]
            proof = cast("Certificate | None", one_of(proofs))
        except (AmbiguousError, RefusedError):
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
    plain = _OPENING.sub("", without_markup(block).lower(), count=1)
    for line in filter(str.strip, re.split(r"[\n,;/|()]|\. | [–—-] | or ", plain)):
        match = _VERDICT.fullmatch(line.strip())
        if match is None:
            return None
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
    lines = [line for line in block.split("\n") if line.strip() and not line.rstrip().endswith(":")]
    is_list = len(lines) > 1 or not any(name in block for name in names)
    is_list = is_list and len(_BULLET.findall(block)) == len(lines)  # else "- v1" may be a literal
    said = without_markup(_BULLET.sub("", block) if is_list else block).strip()
    if (label := _CORE_LABEL.match(said)) and is_label(label[0], _CORE_WORDS):
        said = said[label.end() :]
    said = said.strip(" .")
    for _ in range(_MAX_BRACKETS):
        if said[:1] in _MATES and said.endswith(_MATES[said[0]]):
            said = said[1:-1].strip(" .")
    numbers = frozenset(int(item["number"]) for item in _items(_NUMBER, said))
    return _assignment(said, names) or numbers or None


def _of_value(value: Any, names: Collection[str]) -> Certificate | None:
    if isinstance(value, dict):
        lines = [f"{k if '=' in k else k.replace(' ', '_')}={as_text(v)}" for k, v in value.items()]
        return _assignment("\n".join(lines), names)
    text = as_text(value)
    return None if text is None else certificate(text, names)


def _assignment(said: str, names: Collection[str]) -> dict[str, bool] | None:
    spelled = {_folded(name): name for name in names} | {name: name for name in names}
    found: dict[str, bool] = {}
    items = [*_items(_VALUE, said)]
    literals = [item for item in items if item["value"] is None]
    if any(item["bullet"] for item in literals) or len(literals) not in (0, len(items)):
        return None  # "v1, v2 = false" is no list of literals, and "-v1" may mean two things
    for item in items:
        name = spelled.get(item["name"]) or spelled.get(_folded(item["name"]))
        value = _VALUES[item["value"].casefold()] if item["value"] else item["not"] is None
        if name is None:
            return None
        if found.setdefault(name, value) != value:
            raise AmbiguousError(f"{name} has two values")
    return found or None


def _folded(name: str) -> str:
    return name.casefold().replace("_", "")


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


# -- the judge -------------------------------------------------------------------------------------

_NAMES = {True: "consistent", False: "inconsistent"}


@dataclass(frozen=True)
class SatPayload(Verification):
    """A task's ``verification``."""

    formulas: Annotated[tuple[str, ...], Field(min_length=1)]
    satisfiable: StrictBool  # whether all formulas can be true together
    atoms: Any = field(default=None, compare=False)
    """Variable → the sentence that says it, if the task has sentences; for readers, never read."""
    certificate: StrictBool = False  # whether a verdict earns nothing without its proof

    @cached_property
    def parsed(self) -> tuple[Formula, ...]:
        """The formulas, parsed."""
        return tuple(map(parse, self.formulas))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables, each once, sorted."""
        return tuple(sorted(variables(*self.parsed)))


_Finding = tuple[str | None, float, str]
"""One of `SatJudge.errors`, or None when a certificate is right; its partial score, in [0, 1]; and
the certificate as it was read."""


class SatJudge(Judge[SatPayload]):
    """Judges sat.

    ``reward`` is 1.0 for the right verdict, with a right certificate if one is asked for, else
    0.0. ``partial`` is the same, but for right verdicts with a wrong certificate: the share of
    statements that the assignment makes true (those with variables left out count as false),
    or, of an unsatisfiable set that is not minimal, the size of a minimal set within it divided
    by its own; half of that in both cases. A guess may earn a part of it, so it is for shaping
    only. Metrics: ``verdict`` (1.0 for the right verdict, whatever the certificate) and
    :attr:`errors`.

    A payload: ``{"formulas": [str], "satisfiable": bool}``; with ``"certificate": true``, a verdict
    without proof earns nothing.
    """

    family = "sat"
    task_version = 4
    reward_version = 13
    rewards: ClassVar[Mapping[str, str]] = {
        "sat_partial_reward": "partial", "sat_verdict_reward": "verdict",
    }  # fmt: skip
    errors = (  # "positive" is consistent; from the third on, where a certificate is asked for
        *("false_positive", "false_negative", "no_certificate", "incomplete_assignment"),
        *("wrong_assignment", "unknown_statement", "not_unsatisfiable", "not_minimal"),
    )

    def read_payload(self, payload: Mapping[str, Any]) -> SatPayload:
        """Return the statements and their status."""
        found = SatPayload(**payload)
        if found.certificate and len(found.names) > MAX_VARIABLES and not found.satisfiable:
            raise ValueError(
                f"The row has {len(found.names)} variables, and a certificate of inconsistency is "
                f"checked for up to {MAX_VARIABLES}: leave 'certificate' out."
            )
        return found

    def judge_text(self, text: str, payload: SatPayload) -> Verdict:
        """Return the verdict on a completion."""
        status = _NAMES[payload.satisfiable]
        said = read_verdict(text)
        if said.answer is None:
            return Verdict(False, 0.0, explanation=said.explanation, metrics=self._metrics(said))
        if said.answer is not payload.satisfiable:
            wrong = "false_positive" if said.answer else "false_negative"
            why, metrics = f"{wrong}: the statements are {status}", self._metrics(said, wrong)
            return Verdict(False, 0.0, True, 0.0, _NAMES[said.answer], why, metrics)
        found: _Finding = (None, 1.0, "")
        if payload.certificate:
            proof = read_certificate(text, payload.names, said)
            found = _check_certificate(proof.answer, payload)
            said = Reading(proof.status, said.answer) if proof.status == "ambiguous" else said
        error, partial, given = found
        why = f"the statements are {status}"
        if error:
            why = f"{status} is right, but {error.replace('_', ' ')}"
        return Verdict(
            solved=error is None,
            reward=float(error is None),
            syntax=error != "no_certificate",
            partial=partial,
            answer=f"{status}: {given}" if given else status,
            explanation=why,
            metrics={**self._metrics(said, error), "verdict": 1.0},
        )

    def _metrics(self, reading: Reading[bool], error: str | None = None) -> dict[str, float]:
        return {"verdict": 0.0, **reading.metrics, **self.error_metrics(error)}


def _check_certificate(certificate: Certificate | None, payload: SatPayload) -> _Finding:
    if payload.satisfiable and isinstance(certificate, Mapping):
        return _check_assignment(certificate, payload)
    if not payload.satisfiable and isinstance(certificate, frozenset):
        return _check_core(certificate, payload)
    return "no_certificate", 0.0, ""


def _check_assignment(assignment: Mapping[str, bool], payload: SatPayload) -> _Finding:
    values = {name: assignment[name] for name in payload.names if name in assignment}
    given = ", ".join(f"{name}={str(value).lower()}" for name, value in values.items())
    true = sum(
        all(name in assignment for name in variables(formula)) and is_true(formula, assignment)
        for formula in payload.parsed
    )
    partial = 0.5 * true / len(payload.parsed)
    if len(assignment) < len(payload.names):
        return "incomplete_assignment", partial, given
    if true < len(payload.parsed):
        return "wrong_assignment", partial, given
    return None, 1.0, given


def _check_core(numbers: frozenset[int], payload: SatPayload) -> _Finding:
    given = ", ".join(map(str, sorted(numbers)))
    if not numbers <= set(range(1, len(payload.parsed) + 1)):
        return "unknown_statement", 0.0, given
    named = [payload.parsed[number - 1] for number in sorted(numbers)]
    tables = TruthTables(variables(*named))
    if tables.all_of(named):
        return "not_unsatisfiable", 0.0, given
    size = len(minimal_core([*map(tables.of, named)], tables.full))
    if size < len(named):
        return "not_minimal", 0.5 * size / len(named), given
    return None, 1.0, given
