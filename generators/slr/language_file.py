"""Loads languages: the shipped ones, and YAML files of a user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, model_validator

from logic_curriculum.generators.slr.language import (
    Attribute,
    Constant,
    Constraint,
    Language,
    check_satisfiable,
)
from logic_curriculum.generators.yaml_file import FileModel, at, read_yaml

_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*\Z")
_SIGNATURE = re.compile(r"\s*([^\s(),]+)\s*\(([^()]*)\)\s*\Z")
_LARGEST_INTEGER = 1_000_000


def _folder() -> Any:
    return resources.files("logic_curriculum.generators.slr") / "languages"


RESERVED = frozenset(
    word
    for line in (_folder() / "reserved.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
"""Names that a language must not give to its predicates."""


@lru_cache(maxsize=1)
def shipped_languages() -> tuple[str, ...]:
    """Return the names of the languages that come with the package."""
    names = [item.name for item in _folder().iterdir() if item.name.endswith(".yaml")]
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


def load_language(name_or_path: str | Path) -> Language:
    """Load a shipped language by its name, or a language file by its path.

    Args:
        name_or_path: ``"trains"``, ``"houses"``, or the path of a YAML file. Anything that ends in
            ``.yaml`` or ``.yml`` or holds a path separator is taken as a path.

    Raises:
        ValueError: No such language or file, or the file is not a language; the message names the
            line and what to change.
    """
    text = str(name_or_path)
    if text in shipped_languages():
        return read_language((_folder() / f"{text}.yaml").read_text("utf-8"), f"{text}.yaml")
    if not (text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text):
        raise ValueError(
            f"There is no language {text!r}: choose one of {', '.join(shipped_languages())}, "
            "or give the path of a .yaml file"
        )
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"The language file {text!r} does not exist; check the path")
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The language file {text!r} is not UTF-8 text ({error.reason} at byte {error.start}); "
            "save it as UTF-8"
        ) from error
    return read_language(content, text)


@lru_cache(maxsize=32)
def read_language(text: str, file: str) -> Language:
    """Read a language from the text of a YAML file; equal texts give one object.

    Args:
        text: The file's content.
        file: Its name, for messages.

    Raises:
        YamlFileError: The text is not a language (a ``ValueError``).
    """
    return read_yaml(text, file, _LanguageFile, "start from a copy of a shipped one").language()


# ------------------------------------------------------------------------------ values of a file


_Problem = tuple[tuple[str | int, ...], str]
"""Where a value is, and what is wrong with it."""


class _Signature(NamedTuple):
    name: str
    types: list[str]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.types)})"


def _constant(value: object) -> Constant:
    if isinstance(value, bool | float | None):
        raise ValueError(f"{value!r} is read as no name; put it in quotes or use another value")
    if isinstance(value, int):
        if not 0 <= value <= _LARGEST_INTEGER:
            raise ValueError(
                f"{value} is out of range; use names or integers from 0 to {_LARGEST_INTEGER}"
            )
        return value
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a single value; write one name or number")
    return _atom(value)


def _atom(name: object) -> str:
    if not isinstance(name, str) or not _ATOM.match(name):
        raise ValueError(
            f"{name!r} is not a Prolog atom; begin it with a small letter and use letters, digits "
            "and underscores only"
        )
    return name


def _domain(values: object) -> object:
    if values == "position":
        return ()
    if not isinstance(values, list):
        raise ValueError(f"the domain is the single value {values!r}; write a list, or `position`")
    if len(values) < 2:
        raise ValueError(
            f"the domain has {len(values)} values; give it at least two, so that a rule can tell "
            "them apart"
        )
    repeated = next((value for value in values if values.count(value) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated!r} occurs twice in the domain; remove one of them")
    return values


def _objects(names: object) -> object:
    if not isinstance(names, list) or len(names) != 2:
        raise ValueError(
            f"`objects` is {names!r}; name two types: the whole that is classified and its part, "
            "e.g. `[train, car]`"
        )
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
        raise ValueError(
            f"the phrase {text!r} does not hold {{value}} exactly once; write the value's place as "
            "{value} and no other braces"
        )
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
        for path, problem in chain(self._problems(), self._constraint_problems()):
            raise at(*path, problem=problem)
        return self

    def _problems(self) -> Iterator[_Problem]:
        """Yield what is wrong; what follows the first problem may be wrong because of it."""
        whole, part = self.objects
        for name in {whole, part} & {*self.domains}:
            yield ("domains", name), f"{name!r} is an object type; give the domain another name"
        for key, label in (("positive", self.labels.positive), ("negative", self.labels.negative)):
            if label.types != [whole]:
                yield (
                    ("labels", key),
                    f"the {key} label {label} should have one argument, the whole; write "
                    f"`{label.name}({whole})`",
                )
        if len(self.predicates) < 2:
            yield (
                ("predicates",),
                f"`predicates` has {len(self.predicates)} entries; give the membership predicate "
                "and at least one attribute",
            )
        first = self.predicates[0]
        if first.signature.types != [whole, part]:
            yield (
                ("predicates", 0, "signature"),
                f"the first predicate {first.signature} must lead from the whole to its part; "
                f"write `{first.signature.name}({whole}, {part})`",
            )
        if first.values:
            yield ("predicates", 0, "values"), "parts have no `values`; remove the key"
        for number, predicate in enumerate(self.predicates[1:], start=1):
            for path, problem in self._attribute_problems(predicate):
                yield ("predicates", number, *path), problem
        yield from self._repeated_names()

    def _attribute_problems(self, predicate: _Predicate) -> Iterator[_Problem]:
        signature, part = predicate.signature, self.objects[1]
        name, types = signature
        if len(types) != 2 or types[0] != part:
            yield (
                ("signature",),
                f"the attribute {signature} should have two arguments, the part and a domain; "
                f"write `{name}({part}, DOMAIN)`",
            )
        if types[1] not in self.domains:
            yield (
                ("signature",),
                f"the type {types[1]!r} of {name!r} is not declared; declare it under `domains`, "
                f"or use one of {', '.join(self.domains)}",
            )
        if predicate.plural is not None:
            yield ("plural",), "only the first predicate has a `plural`; remove the key"
        values = self.domains[types[1]]
        positions = [item for item in self.predicates if self.domains.get(item.domain) == ()]
        if predicate in positions[1:]:
            yield (), f"{name!r} is a second position; give this predicate a domain of values"
        for value in predicate.values:
            if value not in map(str, values):
                yield ("values", value), _no_such_value(value, name, values)

    def _repeated_names(self) -> Iterator[_Problem]:
        declared = {self.labels.positive.name}
        if self.labels.negative.name in declared:
            yield ("labels", "negative"), "the classes have one name; give each a name of its own"
        declared.add(self.labels.negative.name)
        for number, predicate in enumerate(self.predicates):
            name = predicate.signature.name
            if name in declared:
                yield (
                    ("predicates", number, "signature"),
                    f"the predicate {name!r} is declared before; give each a name of its own",
                )
            declared.add(name)

    def _constraint_problems(self) -> Iterator[_Problem]:
        language = self.language()
        known = {item.predicate: item.values for item in language.attributes}
        for number, constraint in enumerate(self.constraints):
            conditions = [("when", item) for item in constraint.when.items()]
            conditions += [("then", item) for item in constraint.then.items()]
            for key, (name, values) in conditions:
                path = ("constraints", number, key, name)
                if name not in known:
                    yield (
                        path,
                        f"the constraint names the unknown predicate {name!r}; the attributes are "
                        f"{', '.join(known)}",
                    )
                for value in values:
                    if value not in known[name]:
                        yield path, _no_such_value(value, name, known[name])
            conflict = check_satisfiable(language.attributes, language.constraints[: number + 1])
            if conflict:
                yield (
                    ("constraints", number),
                    f"with this constraint {conflict}; relax or remove it",
                )

    def language(self) -> Language:
        """Return the language."""
        first, *others = self.predicates
        return Language(
            name=self.name,
            whole=self.objects[0],
            part=self.objects[1],
            positive=self.labels.positive.name,
            negative=self.labels.negative.name,
            membership=first.signature.name,
            membership_phrase=first.phrase,
            membership_plural=first.plural,
            attributes=tuple(map(self._attribute, others)),
            constraints=tuple(Constraint(item.when, item.then) for item in self.constraints),
        )

    def _attribute(self, predicate: _Predicate) -> Attribute:
        values = self.domains[predicate.domain]
        phrases = {v: predicate.values[str(v)] for v in values if str(v) in predicate.values}
        return Attribute(
            predicate.signature.name, predicate.domain, values, predicate.phrase, phrases
        )


def _no_such_value(value: Constant, predicate: str, values: tuple[Constant, ...]) -> str:
    choices = ", ".join(map(str, values)) or "positions, which can not be tied"
    return f"{value!r} is not a value of {predicate!r}; its values are {choices}"
