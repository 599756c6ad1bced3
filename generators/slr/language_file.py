"""Loads languages: the shipped ones, and YAML files of a user's own."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, model_validator

from logic_curriculum.common.yaml_file import FileModel, at, find_text, names_in, read_yaml
from logic_curriculum.generators.slr import language as languages
from logic_curriculum.generators.slr.language import Attribute, Constant, Constraint, Language

_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*\Z")
_SIGNATURE = re.compile(r"\s*([^\s(),]+)\s*\(([^()]*)\)\s*\Z")
_LARGEST_INTEGER = 1_000_000
_FOLDER = Path(__file__).with_name("languages")
RESERVED = frozenset(re.sub("#.*", "", (_FOLDER / "reserved.txt").read_text("utf-8")).split())
"""Names that a language must not give to its predicates."""
SHIPPED = names_in(_FOLDER)  # the languages that come with the package


def load_language(name_or_path: str | Path) -> Language:
    """Load a shipped language by its name (``"trains"``, ``"houses"``), or a YAML file by its path.

    A ``ValueError`` says that there is no such language or file, or what is wrong in which line.
    """
    return read_language(*find_text(name_or_path, _FOLDER, SHIPPED, "language"))


@lru_cache(maxsize=32)
def read_language(text: str, file: str) -> Language:
    """Read a language from YAML text; equal texts give one object, errors name the ``file``."""
    return read_yaml(text, file, _LanguageFile, "start from a copy of a shipped one").language()


class _Signature(NamedTuple):
    name: str
    types: list[str]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.types)})"


def _constant(value: object) -> Constant:
    if isinstance(value, bool | float | None):
        raise ValueError(f"{value!r} is read as no name; put it in quotes or use another value")
    if isinstance(value, str):
        return _atom(value)
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a single value; write one name or number")
    if not 0 <= value <= _LARGEST_INTEGER:
        remedy = f"use names or integers from 0 to {_LARGEST_INTEGER}"
        raise ValueError(f"{value} is out of range; {remedy}")
    return value


def _atom(name: object) -> str:
    if not isinstance(name, str) or not _ATOM.match(name):
        remedy = "begin it with a small letter and use letters, digits and underscores only"
        raise ValueError(f"{name!r} is not a Prolog atom; {remedy}")
    return name


def _domain(values: object) -> object:
    if values == "position":
        return ()
    if not isinstance(values, list):
        raise ValueError(f"the domain is the single value {values!r}; write a list, or `position`")
    if len(values) < 2:
        remedy = "give it at least two, so that a rule can tell them apart"
        raise ValueError(f"the domain has {len(values)} values; {remedy}")
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value!r} occurs twice in the domain; remove one of them")
    return values


def _objects(names: object) -> object:
    if not isinstance(names, list) or len(names) != 2:
        remedy = "name two types: the whole that is classified and its part, e.g. `[train, car]`"
        raise ValueError(f"`objects` is {names!r}; {remedy}")
    if names[0] == names[1]:
        raise ValueError(f"{names[0]!r} is its own part; name two different types")
    return names


def _signature(text: object) -> _Signature:
    match = _SIGNATURE.match(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{text!r} is not a signature; write `name(type)` or `name(type, type)`")
    name = match[1]
    if not _ATOM.match(name) or name in RESERVED:
        raise ValueError(
            f"{name!r} can not name a predicate; use a Prolog atom (a small letter, then letters, "
            "digits, underscores) that is not a built-in"
        )
    return _Signature(name, [item.strip() for item in match[2].split(",")])


def _phrase(text: str) -> str:
    if text.replace("{value}", "").count("{") or text.count("{value}") != 1:
        remedy = "write the value's place as {value} and no other braces"
        raise ValueError(f"the phrase {text!r} does not hold {{value}} exactly once; {remedy}")
    return text


def _condition(given: object) -> object:
    if given == {}:
        raise ValueError("a condition is empty; name a predicate and its value")
    if not isinstance(given, dict):
        return given
    return {name: value if isinstance(value, list) else [value] for name, value in given.items()}


_Name = Annotated[str, PlainValidator(_atom)]
_Constant = Annotated[Constant, PlainValidator(_constant)]
_SignatureText = Annotated[_Signature, PlainValidator(_signature)]
_Text = Annotated[str, Field(pattern=r"\S")]
_Phrase = Annotated[_Text, AfterValidator(_phrase)]
_Condition = Annotated[dict[str, tuple[_Constant, ...]], BeforeValidator(_condition)]


class _Labels(FileModel):
    positive: _SignatureText
    negative: _SignatureText


class _Predicate(FileModel):
    signature: _SignatureText
    phrase: _Phrase
    plural: _Phrase | None = None
    values: dict[str, _Text] = Field(default_factory=dict)

    @property
    def domain(self) -> str:
        return self.signature.types[-1]


class _Constraint(FileModel):
    when: _Condition
    then: _Condition


class _LanguageFile(FileModel):
    name: _Name
    objects: Annotated[tuple[_Name, ...], BeforeValidator(_objects)]
    labels: _Labels
    domains: dict[str, Annotated[tuple[_Constant, ...], BeforeValidator(_domain)]]
    predicates: list[_Predicate]
    constraints: list[_Constraint] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> _LanguageFile:
        """Check what several sections say together."""
        if len(self.predicates) < 2:
            problem = f"`predicates` has {len(self.predicates)} entries"
            remedy = "give the membership predicate and at least one attribute"
            raise at("predicates", problem=f"{problem}; {remedy}")
        self._check_signatures()
        positions = [item for item in self.predicates if self.domains.get(item.domain) == ()]
        for number, predicate in enumerate(self.predicates[1:], start=1):
            name, values = predicate.signature.name, self.domains[predicate.domain]
            if predicate in positions[1:]:
                problem = f"{name!r} is a second position; give this predicate a domain of values"
                raise at("predicates", number, problem=problem)
            for value in predicate.values:
                if value not in map(str, values):
                    problem = _no_such_value(value, name, values)
                    raise at("predicates", number, "values", value, problem=problem)
        language = self.language()
        for number in range(len(self.constraints)):
            self._check_constraint(number, language)
        return self

    def _check_signatures(self) -> None:
        """Check that each name is declared once, with arguments of the types it is about."""
        whole, part = self.objects
        first, *attributes = (item.signature for item in self.predicates)
        wanted: dict[tuple[str | int, ...], tuple[_Signature, list[str]]] = {
            ("labels", "positive"): (self.labels.positive, [whole]),
            ("labels", "negative"): (self.labels.negative, [whole]),
            ("predicates", 0, "signature"): (first, [whole, part]),
        }
        for number, signature in enumerate(attributes, start=1):
            domain = signature.types[1] if len(signature.types) == 2 else "DOMAIN"
            wanted["predicates", number, "signature"] = signature, [part, domain]
        declared = set()
        for place, (signature, types) in wanted.items():
            if signature.types != types:
                problem = f"{signature} is not about {' and '.join(types)}"
                raise at(*place, problem=f"{problem}; write `{_Signature(signature.name, types)}`")
            if signature.name in declared:
                problem = f"{signature.name!r} is declared before; give each a name of its own"
                raise at(*place, problem=problem)
            declared.add(signature.name)
            if place[0] == "predicates" and signature is not first and types[1] not in self.domains:
                problem = f"the type {types[1]!r} of {signature.name!r} is not declared"
                remedy = f"declare it under `domains`, or use one of {', '.join(self.domains)}"
                raise at(*place, problem=f"{problem}; {remedy}")

    def _check_constraint(self, number: int, language: Language) -> None:
        known = {item.predicate: item.values for item in language.attributes}
        for key in ("when", "then"):
            for name, values in getattr(self.constraints[number], key).items():
                place = "constraints", number, key, name
                if name not in known:
                    problem = f"the constraint names the unknown predicate {name!r}"
                    remedy = f"the attributes are {', '.join(known)}"
                    raise at(*place, problem=f"{problem}; {remedy}")
                for value in values:
                    if value not in known[name]:
                        raise at(*place, problem=_no_such_value(value, name, known[name]))
        if conflict := languages.conflict_of(language, number + 1):
            problem = f"with this constraint {conflict}; relax or remove it"
            raise at("constraints", number, problem=problem)

    def language(self) -> Language:
        """Return the language."""
        first, *others = self.predicates
        attributes = []
        for item in others:
            values = self.domains[item.domain]
            phrases = {v: item.values[str(v)] for v in values if str(v) in item.values}
            name = item.signature.name
            attributes.append(Attribute(name, item.domain, values, item.phrase, phrases))
        return Language(
            name=self.name,
            whole=self.objects[0],
            part=self.objects[1],
            positive=self.labels.positive.name,
            negative=self.labels.negative.name,
            membership=first.signature.name,
            membership_phrase=first.phrase,
            membership_plural=first.plural,
            attributes=tuple(attributes),
            constraints=tuple(Constraint(item.when, item.then) for item in self.constraints),
        )


def _no_such_value(value: Constant, predicate: str, values: tuple[Constant, ...]) -> str:
    choices = ", ".join(map(str, values)) or "positions, which can not be tied"
    return f"{value!r} is not a value of {predicate!r}; its values are {choices}"
