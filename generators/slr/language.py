"""The task language L = (V, G) of the paper: a vocabulary, and a grammar of which parts exist.

A language is data, read from a YAML file: one that is shipped, of which ``languages/trains.yaml``
documents itself, or a user's own. Nothing else in this package names an object, a predicate or a
constant. Attributes that constraints tie together
form a block; blocks are independent of each other. A block keeps its allowed value tuples, so that
draws never reject and questions about rules are exact.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, islice, product
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, model_validator

from logic_curriculum.common.yaml_file import FileModel, at, find_text, names_in, read_yaml
from logic_curriculum.generators.slr.levels import Level, Weights
from logic_curriculum.rewards.engines.rules import Constant, Vocabulary

_FOLDER = Path(__file__).with_name("languages")
SHIPPED = names_in(_FOLDER)  # the languages that come with the package
RESERVED = frozenset(re.sub("#.*", "", (_FOLDER / "reserved.txt").read_text("utf-8")).split())
"""Names that a language must not give to its predicates."""
LARGEST_BLOCK = 100_000  # value combinations that one block may have; beyond, a language is refused
_LARGEST_INTEGER = 1_000_000
_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*")
_SIGNATURE = re.compile(rf"\s*({_ATOM.pattern})\s*\(([^()]*)\)\s*")

Part = tuple[Constant, ...]  # values, in the order of the level's attributes
Example = tuple[Part, ...]


@dataclass(frozen=True)
class Attribute:
    """A functional attribute of a part: a binary predicate with one value per part."""

    predicate: str
    domain: str  # name of the type of its values, e.g. ``color``
    values: tuple[Constant, ...]
    """The values in the file's order; empty for the position, whose values depend on the level."""
    phrase: str  # verb phrase with ``{value}``, e.g. ``is {value}``
    value_phrases: Mapping[str, str]  # for values with which the phrase does not read well

    @property
    def is_position(self) -> bool:
        """Whether the value is the part's place within its whole: 1, 2, 3 …"""
        return not self.values

    def values_up_to(self, parts: int) -> tuple[Constant, ...]:
        """Return the values in examples of at most so many parts."""
        return self.values or tuple(range(1, parts + 1))

    def say(self, value: Constant) -> str:
        """Return the verb phrase for a value."""
        return self.value_phrases.get(str(value)) or self.phrase.format(value=say_constant(value))


@dataclass(frozen=True, eq=False)
class Language:
    """A vocabulary with its grammar. Equal texts load as one object, so identity is equality."""

    name: str
    whole: str  # name of the type of examples, e.g. ``train``
    part: str  # name of the type of their parts, e.g. ``car``
    positive: str  # predicate of the positive class, the target of rules
    negative: str
    membership: str  # binary predicate from a whole to a part
    membership_phrase: str  # for a part's name, e.g. ``has the car {value}``
    membership_plural: str | None  # for several names; without it, the phrase is said of each part
    attributes: tuple[Attribute, ...]  # in the order in which levels introduce them
    constraints: tuple[Constraint, ...]

    def label(self, positive: bool) -> str:
        """Return the predicate of a class."""
        return self.positive if positive else self.negative

    def vocabulary(self, predicates: int) -> tuple[Attribute, ...]:
        """Return the attributes of a level with so many predicates, membership included."""
        available = len(self.attributes) + 1
        if predicates > available:
            raise ValueError(
                f"The level needs {predicates} predicates but the language {self.name!r} has "
                f"{available}; add predicates to its file, or choose a lower level or fewer of them"
            )
        return self.attributes[: predicates - 1]

    def say_parts(self, names: Sequence[str]) -> str:
        """Return the verb phrase that tells which parts an example has."""
        if self.membership_plural is None or len(names) == 1:
            return enumerate_phrases([self.membership_phrase.format(value=item) for item in names])
        return self.membership_plural.format(value=enumerate_phrases(names))

    @property
    def variable_letters(self) -> tuple[str, str]:
        """The capital letters of the first two variables of a rule, e.g. ``T`` and ``C``."""
        first = self.whole[0].upper()
        return first, next(item for item in (self.part[0].upper(), "A", "B") if item != first)


def enumerate_phrases(items: Sequence[str]) -> str:
    """Join words or phrases for prose: ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def say_constant(value: Constant) -> str:
    """Write a constant for prose: underscores become spaces."""
    return str(value).replace("_", " ")


@dataclass(frozen=True)
class Block:
    """Attributes that belong together, with the value tuples that the constraints allow."""

    indices: tuple[int, ...]  # places of the attributes in the level's vocabulary
    tuples: tuple[Part, ...]  # allowed values, aligned with the indices
    cumulative: tuple[float, ...]  # running sum of the tuples' probabilities

    def matching(self, values: Mapping[int, Constant]) -> list[Part]:
        """Return the allowed tuples with these values by their places in the vocabulary."""
        wanted = [(at, values[index]) for at, index in enumerate(self.indices) if index in values]
        return [item for item in self.tuples if all(item[at] == value for at, value in wanted)]


@dataclass(frozen=True)
class Grammar:
    """All parts that a level's vocabulary and constraints allow."""

    language: Language
    attributes: tuple[Attribute, ...]  # of the level, in vocabulary order
    blocks: tuple[Block, ...]  # of the attributes other than the position

    @property
    def predicates(self) -> list[str]:
        """The names of the attributes' predicates."""
        return [item.predicate for item in self.attributes]

    @property
    def position(self) -> int | None:
        """The place of the position attribute in the vocabulary, if there is one."""
        return next((at for at, item in enumerate(self.attributes) if item.is_position), None)

    @property
    def part_count(self) -> int:
        """The number of different parts, their position aside."""
        return math.prod(len(block.tuples) for block in self.blocks)

    def draw_examples(self, rng: random.Random, sizes: Sequence[int]) -> list[Example]:
        """Draw examples of so many parts each."""
        columns: list[Sequence[Constant]] = [() for _ in self.attributes]
        if self.position is not None:
            columns[self.position] = [place for size in sizes for place in range(1, size + 1)]
        for block in self.blocks:
            drawn = rng.choices(block.tuples, cum_weights=block.cumulative, k=sum(sizes))
            for place, index in enumerate(block.indices):
                columns[index] = [values[place] for values in drawn]
        parts = zip(*columns, strict=True)
        return [tuple(islice(parts, size)) for size in sizes]

    def redraw(self, rng: random.Random, part: Part, relevant: Sequence[int]) -> Part:
        """Draw the values of the relevant attributes anew; all others, and the place, stay."""
        values = list(part)
        for block in self.blocks:
            kept = {index: part[index] for index in block.indices if index not in relevant}
            if len(kept) < len(block.indices):
                drawn = rng.choice(block.matching(kept))
                for index, value in zip(block.indices, drawn, strict=True):
                    values[index] = value
        return tuple(values)

    def is_consistent(self, literals: Mapping[int, Constant]) -> bool:
        """Return whether some allowed part has all these values."""
        return all(block.matching(literals) for block in self.blocks)

    def is_redundant(self, literals: Mapping[int, Constant], index: int) -> bool:
        """Return whether the other literals already imply the one at ``index``."""
        item = self.attributes[index]
        others = ({**literals, index: value} for value in item.values if value != literals[index])
        return not item.is_position and not any(map(self.is_consistent, others))


@lru_cache(maxsize=128)
def grammar_of(language: Language, predicates: int, weights: Weights = ()) -> Grammar:
    """Return the grammar of a level, without constraints on predicates beyond its vocabulary.

    Of an attribute with ``weights``, values that have none there do not occur. A ``ValueError``
    says that no part is left.
    """
    attributes = language.vocabulary(predicates)
    own = {name: dict(values) for name, values in weights}
    weight_of = [own.get(item.predicate) or dict.fromkeys(item.values, 1) for item in attributes]
    known = {item.predicate for item in attributes}
    active = [item for item in language.constraints if known.issuperset(item.predicates)]
    blocks = []
    for indices in _components(attributes, active):
        its = [weight_of[index] for index in indices]
        allowed = _allowed_tuples(attributes, indices, active)
        tuples = tuple(t for t in allowed if all(v in w for v, w in zip(t, its, strict=True)))
        if not tuples:
            names = ", ".join(attributes[index].predicate for index in indices)
            raise ValueError(
                f"background leaves no {language.part}: the constraints of the language "
                f"{language.name!r} allow none of its values of {names}. Name more values."
            )
        single = len(indices) == 1
        shares = [its[0][v] for (v,) in tuples] if single else _sequential_weights(tuples, its)
        blocks.append(Block(indices, tuples, tuple(accumulate(map(float, shares)))))
    return Grammar(language, attributes, tuple(blocks))


@lru_cache(maxsize=256)
def vocabulary_of(language: Language, level: Level) -> Vocabulary:
    """Return what a rule of a level may name."""
    most = level.parts[1]
    attributes = language.vocabulary(level.predicates)
    values = tuple((item.predicate, tuple(item.values_up_to(most))) for item in attributes)
    return Vocabulary(language.positive, language.membership, values, most)


def _components(
    attributes: tuple[Attribute, ...], constraints: Sequence[Constraint]
) -> list[tuple[int, ...]]:
    """Group the places of the attributes that constraints connect, directly or not."""
    places = {item.predicate: at for at, item in enumerate(attributes) if not item.is_position}
    group = dict(places)
    for constraint in constraints:
        joined = {group[name] for name in constraint.predicates}
        group |= {name: min(joined) for name, label in group.items() if label in joined}
    members: dict[int, list[int]] = {}
    for name, label in group.items():
        members.setdefault(label, []).append(places[name])
    return [tuple(indices) for indices in members.values()]


def _allowed_tuples(
    attributes: tuple[Attribute, ...], indices: tuple[int, ...], constraints: Sequence[Constraint]
) -> tuple[Part, ...]:
    names = [attributes[index].predicate for index in indices]
    inside = [item for item in constraints if item.predicates[0] in names]
    tuples = product(*(attributes[index].values for index in indices))
    named = ((item, dict(zip(names, item, strict=True))) for item in tuples)
    return tuple(item for item, values in named if all(rule.allows(values) for rule in inside))


def _sequential_weights(
    tuples: tuple[Part, ...], weights: Sequence[Mapping[Constant, float]]
) -> list[float]:
    """Return each tuple's probability if attributes are drawn one by one, in random order.

    Each attribute's value is drawn by its weight among those that the values drawn before still
    allow. A draw over whole tuples would favour values that leave the other attributes the most
    freedom.
    """
    width = len(tuples[0])

    @cache
    def choices(known: tuple[tuple[int, Constant], ...], index: int) -> float:
        left = {item[index]: None for item in tuples if all(item[at] == v for at, v in known)}
        return sum(weights[index][value] for value in left)

    @cache
    def probability(item: Part, drawn: tuple[int, ...]) -> float:
        if not drawn:
            return 1.0
        total = 0.0
        for last in drawn:
            before = tuple(index for index in drawn if index != last)
            known = tuple((index, item[index]) for index in before)
            total += probability(item, before) * weights[last][item[last]] / choices(known, last)
        return total / (width - len(drawn) + 1)

    return [probability(item, tuple(range(width))) for item in tuples]


# Reading a language's file


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


def _signature(text: object) -> _Signature:
    match = _SIGNATURE.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] in RESERVED:
        raise ValueError(
            f"{text!r} is no signature; write `name(type)` or `name(type, type)`, with a name that "
            "begins with a small letter, has letters, digits and underscores only, and is not a "
            "built-in"
        )
    return _Signature(match[1], [item.strip() for item in match[2].split(",")])


def _constant(value: object) -> Constant:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_INTEGER:
        return value
    return _atom(value)


def _atom(name: object) -> str:
    if not isinstance(name, str) or not _ATOM.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a Prolog atom; begin it with a small letter and use letters, digits "
            "and underscores only, in quotes where YAML reads something else. A value may be an "
            f"integer up to {_LARGEST_INTEGER}, too"
        )
    return name


def _domain(values: object) -> object:
    if values == "position":
        return ()
    if not isinstance(values, list) or len(set(map(str, values))) < max(2, len(values)):
        remedy = "write a list of two or more values that differ, or `position`"
        raise ValueError(f"the domain is {values!r}; {remedy}")
    return values


def _objects(names: object) -> object:
    if not isinstance(names, list) or len(names) != 2 or names[0] == names[1]:
        remedy = "name two types: the whole that is classified and its part, e.g. `[train, car]`"
        raise ValueError(f"`objects` is {names!r}; {remedy}")
    return names


def _phrase(text: str) -> str:
    if text.replace("{value}", "").count("{") or text.count("{value}") != 1:
        remedy = "write the value's place as {value} and no other braces"
        raise ValueError(f"the phrase {text!r} does not hold {{value}} exactly once; {remedy}")
    return text


_Name = Annotated[str, PlainValidator(_atom)]
_Constant = Annotated[Constant, PlainValidator(_constant)]
_SignatureText = Annotated[_Signature, PlainValidator(_signature)]
_Text = Annotated[str, Field(pattern=r"\S")]
_Phrase = Annotated[_Text, AfterValidator(_phrase)]
_LISTED = BeforeValidator(lambda value: value if isinstance(value, list) else [value])
_Values = Annotated[tuple[_Constant, ...], Field(min_length=1), _LISTED]
_Condition = Annotated[dict[str, _Values], Field(min_length=1)]


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
        """The type of its second argument; what errors call it where there is none."""
        return self.signature.types[1] if len(self.signature.types) == 2 else "DOMAIN"


class Constraint(FileModel):
    """Within one part: if each condition holds, so does each consequence."""

    when: _Condition  # predicate → the values one of which it has
    then: _Condition  # the same of what it then must have

    @property
    def predicates(self) -> tuple[str, ...]:
        """The names of all predicates that the constraint ties together."""
        return tuple(dict.fromkeys([*self.when, *self.then]))

    def allows(self, values: Mapping[str, Constant]) -> bool:
        """Return whether a part with these values obeys the constraint."""
        if any(values[name] not in allowed for name, allowed in self.when.items()):
            return True
        return all(values[name] in allowed for name, allowed in self.then.items())


class _LanguageFile(FileModel):
    name: _Name
    objects: Annotated[tuple[_Name, ...], BeforeValidator(_objects)]
    labels: _Labels
    domains: dict[str, Annotated[tuple[_Constant, ...], BeforeValidator(_domain)]]
    predicates: Annotated[list[_Predicate], Field(min_length=2)]
    """Membership, and the attributes."""
    constraints: tuple[Constraint, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> _LanguageFile:
        """Check what several sections say together."""
        self._check_signatures()
        known = {item.signature.name: self.domains[item.domain] for item in self.predicates[1:]}
        if list(known.values()).count(()) > 1:
            raise at("predicates", problem="there is a second position; give it a domain of values")
        said: list[tuple[tuple[str | int, ...], str, str]] = [
            (("predicates", number, "values", value), item.signature.name, value)
            for number, item in enumerate(self.predicates)
            for value in item.values
        ]
        for number, constraint in enumerate(self.constraints):
            for key, condition in (("when", constraint.when), ("then", constraint.then)):
                for name, values in condition.items():
                    said += [(("constraints", number, key, name), name, str(v)) for v in values]
        for place, name, value in said:
            if value not in map(str, known.get(name, ())):
                choices = ", ".join(map(str, known.get(name) or known))
                problem = f"{value!r} is not a value of {name!r}; choose among {choices}"
                raise at(*place, problem=problem)
        if conflict := _conflict_of(self.language()):
            raise at("constraints", problem=f"{conflict}; relax or remove a constraint")
        return self

    def _check_signatures(self) -> None:
        """Check that each name is declared once, with arguments of the types it is about."""
        whole, part = self.objects
        wanted: dict[tuple[str | int, ...], tuple[_Signature, list[str]]] = {
            ("labels", "positive"): (self.labels.positive, [whole]),
            ("labels", "negative"): (self.labels.negative, [whole]),
        }
        for number, item in enumerate(self.predicates):
            types = [part, item.domain] if number else [whole, part]
            wanted["predicates", number, "signature"] = item.signature, types
        declared = set()
        for place, (signature, types) in wanted.items():
            if signature.types != types:
                problem = f"{signature} is not about {' and '.join(types)}"
                raise at(*place, problem=f"{problem}; write `{_Signature(signature.name, types)}`")
            if signature.name in declared:
                problem = f"{signature.name!r} is declared before; give each a name of its own"
                raise at(*place, problem=problem)
            declared.add(signature.name)
            if types[0] == part and types[1] not in self.domains:
                problem = f"the type {types[1]!r} of {signature.name!r} is not declared"
                remedy = f"declare it under `domains`, or use one of {', '.join(self.domains)}"
                raise at(*place, problem=f"{problem}; {remedy}")

    def language(self) -> Language:
        """Return the language."""
        first, *others = self.predicates
        attributes = []
        for item in others:
            name, values = item.signature.name, self.domains[item.domain]
            attributes.append(Attribute(name, item.domain, values, item.phrase, item.values))
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
            constraints=self.constraints,
        )


def _conflict_of(language: Language) -> str | None:
    """Return the fault of the constraints, as a clause of a sentence, or None."""
    attributes = language.attributes
    for indices in _components(attributes, language.constraints):
        tied = [attributes[index] for index in indices]
        size = math.prod(len(item.values) for item in tied)
        if size > LARGEST_BLOCK:
            return f"{size} value combinations are tied together, more than {LARGEST_BLOCK}"
        allowed = _allowed_tuples(attributes, indices, language.constraints)
        for place, item in enumerate(tied):
            possible = {values[place] for values in allowed}
            if excluded := [str(value) for value in item.values if value not in possible]:
                return f"{item.predicate!r} can never have the value {excluded[0]}"
    return None
