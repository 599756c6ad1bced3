"""Guided rules from a bank of parametrised schemata, in the place of a language model.

The paper asks a language model for 30 % of the rules from level 6 up, with a prompt that shows
twenty styles (App. E). ``schemata.yaml`` covers these styles and is filled in from any language.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from string import Formatter

import yaml

from logic_curriculum.generators.slr.language import Attribute, Language
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.rules import Rule, RuleUnavailableError
from logic_curriculum.generators.slr.spelling import standard_rule

SAMPLING = "schema"
_VARYING = "varying"


@dataclass(frozen=True)
class Schema:
    """A rule with places to fill in."""

    style: str
    """Style of App. E."""
    text: str
    """Clauses with places in braces; ``schemata.yaml`` explains them."""
    parts: int | str | None
    """Number of parts that the level's examples must reach, or ``"varying"``."""
    spare: bool
    """Whether an attribute named with several values must have more than these."""

    @cached_property
    def values_needed(self) -> Mapping[str, int]:
        """Return for each attribute place how many different values the schema names."""
        fields = [name for _, name, _, _ in Formatter().parse(self.text) if name]
        needed: dict[str, int] = {}
        for name in fields:
            letter = name[0]
            if name in ("head", "has", "k"):
                continue
            needed[letter] = max(needed.get(letter, 0), int(name[1:] or 0))
        return needed

    def fits(self, attributes: Sequence[Attribute], level: Level) -> bool:
        """Return whether a level's vocabulary and examples can fill the schema's places."""
        least, most = level.parts
        if self.parts == _VARYING and least == most:
            return False
        if isinstance(self.parts, int) and most < self.parts:
            return False
        return _assign(self.places, attributes, None) is not None

    @property
    def places(self) -> list[tuple[str, int]]:
        """Return each attribute place with the least number of values that it asks for."""
        return [
            (letter, values + (self.spare and values > 1))
            for letter, values in self.values_needed.items()
        ]


@dataclass(frozen=True)
class SchemaRules:
    """The guided rule source: a style, then one of its schemata, then attributes and values.

    Each is uniform among those that fit the level.
    """

    def draw(self, language: Language, level: Level, rng: random.Random) -> Rule:
        """Return a rule; see the class.

        Raises:
            RuleUnavailableError: No schema fits the language's vocabulary at this level.
        """
        styles = fitting_schemata(language, level)
        if not styles:
            raise RuleUnavailableError(
                f"No rule schema fits the language {language.name!r} at level {level.number}; "
                "give it attributes with names as values, or choose another level"
            )
        return self.fill(rng.choice(rng.choice(styles)), language, level, rng)

    def fill(self, schema: Schema, language: Language, level: Level, rng: random.Random) -> Rule:
        """Fill in a schema that fits the level."""
        attributes = language.vocabulary(level.predicates)
        chosen = _assign(schema.places, attributes, rng)
        places: dict[str, object] = {
            "head": language.positive,
            "has": language.membership,
            "k": rng.randint(1, level.parts[1]),
        }
        for letter, attribute in (chosen or {}).items():
            places[letter] = attribute.predicate
            values = rng.sample(attribute.values, schema.values_needed[letter])
            places.update({f"{letter}{at}": value for at, value in enumerate(values, start=1)})
        text = schema.text.format_map(places)
        return Rule(standard_rule(text, *language.variable_letters), SAMPLING, schema.style)


def _suits(letter: str, attribute: Attribute, values: int) -> bool:
    """Return whether an attribute can stand at a place that asks for so many values."""
    if letter == "p":
        return attribute.is_position
    if letter == "n":
        return attribute.is_numeric and len(attribute.values) >= values
    return attribute.is_categorical and len(attribute.values) >= values


def _assign(
    places: list[tuple[str, int]], attributes: Sequence[Attribute], rng: random.Random | None
) -> dict[str, Attribute] | None:
    """Give each place its own attribute: at random, or without ``rng`` the first that works."""
    if not places:
        return {}
    # The most demanding place first, so that it is not robbed of the only attribute it can take.
    (letter, values), *rest = sorted(places, key=lambda item: (-item[1], item[0]))
    candidates = [item for item in attributes if _suits(letter, item, values)]
    if rng is not None:
        rng.shuffle(candidates)
    for attribute in candidates:
        remaining = [item for item in attributes if item is not attribute]
        others = _assign(rest, remaining, rng)
        if others is not None:
            return {letter: attribute, **others}
    return None


@lru_cache(maxsize=1)
def schema_bank() -> tuple[Schema, ...]:
    """Return all schemata, in the file's order."""
    file = resources.files("logic_curriculum.generators.slr") / "schemata.yaml"
    entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    return tuple(
        Schema(entry["style"], text, entry.get("parts"), entry.get("spare", False))
        for entry in entries
        for text in entry["rules"]
    )


@lru_cache(maxsize=256)
def fitting_schemata(language: Language, level: Level) -> tuple[tuple[Schema, ...], ...]:
    """Return the schemata that fit a level, grouped by style."""
    attributes = language.vocabulary(level.predicates)
    styles: dict[str, list[Schema]] = {}
    for schema in schema_bank():
        if schema.fits(attributes, level):
            styles.setdefault(schema.style, []).append(schema)
    return tuple(tuple(group) for group in styles.values())


def styles() -> tuple[str, ...]:
    """Return the names of all styles, in the order of App. E."""
    return tuple(dict.fromkeys(schema.style for schema in schema_bank()))
