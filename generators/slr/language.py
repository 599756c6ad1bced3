"""The task language L = (V, G): what examples look like and which atoms may stand together.

A language is data, read from a YAML file (``languages/trains.yaml`` documents itself). Nothing else
in this package names an object, a predicate or a constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path

Constant = str | int


@dataclass(frozen=True)
class Attribute:
    """A functional attribute of a part: a binary predicate with one value per part."""

    predicate: str
    """Name of the predicate, e.g. ``car_color``."""
    domain: str
    """Name of the type of its values, e.g. ``color``."""
    values: tuple[Constant, ...]
    """The values in the file's order; empty for the position, whose values depend on the level."""
    phrase: str
    """Verb phrase with ``{value}``, e.g. ``is {value}``."""
    value_phrases: Mapping[Constant, str] = field(default_factory=dict)
    """Phrases for single values, where the general one does not read well."""

    @property
    def is_position(self) -> bool:
        """Whether the value is the part's place within its whole: 1, 2, 3 …"""
        return not self.values

    @property
    def is_numeric(self) -> bool:
        """Whether all values are integers; the position does not count."""
        return bool(self.values) and all(isinstance(value, int) for value in self.values)

    @property
    def is_categorical(self) -> bool:
        """Whether the values are names."""
        return bool(self.values) and not self.is_numeric

    def say(self, value: Constant) -> str:
        """Return the verb phrase for a value."""
        return self.value_phrases.get(value) or self.phrase.format(value=say_constant(value))


@dataclass(frozen=True)
class Constraint:
    """Within one part: if each condition holds, so does each consequence."""

    conditions: Mapping[str, tuple[Constant, ...]]
    """Predicate name to the values one of which it has."""
    consequences: Mapping[str, tuple[Constant, ...]]
    """Predicate name to the values one of which it then must have."""

    @property
    def predicates(self) -> tuple[str, ...]:
        """Return the names of all predicates that the constraint ties together."""
        return tuple(dict.fromkeys([*self.conditions, *self.consequences]))

    def allows(self, values: Mapping[str, Constant]) -> bool:
        """Return whether a part with these values obeys the constraint."""
        if any(values[name] not in allowed for name, allowed in self.conditions.items()):
            return True
        return all(values[name] in allowed for name, allowed in self.consequences.items())


@dataclass(frozen=True, eq=False)
class Language:
    """A vocabulary with its grammar. Equal texts load as one object, so identity is equality."""

    name: str
    """What the file calls it."""
    whole: str
    """Name of the type of examples, e.g. ``train``."""
    part: str
    """Name of the type of their parts, e.g. ``car``."""
    positive: str
    """Predicate of the positive class, the target of rules."""
    negative: str
    """Predicate of the negative class."""
    membership: str
    """Binary predicate from a whole to a part."""
    membership_phrase: str
    """Verb phrase with ``{value}`` for a part's name, e.g. ``has the car {value}``."""
    membership_plural: str | None
    """The same for the names of several parts; without it, the phrase is said of each part."""
    attributes: tuple[Attribute, ...]
    """In the order in which levels introduce them."""
    constraints: tuple[Constraint, ...]
    """The grammar's rules beyond types."""

    def vocabulary(self, predicates: int) -> tuple[Attribute, ...]:
        """Return the attributes of a level whose vocabulary has this many predicates.

        Raises:
            ValueError: The language has fewer predicates.
        """
        available = len(self.attributes) + 1
        if predicates > available:
            raise ValueError(
                f"The level needs {predicates} predicates but the language {self.name!r} has "
                f"{available}; add predicates to its file or choose a lower level"
            )
        return self.attributes[: predicates - 1]

    def say_parts(self, names: Sequence[str]) -> str:
        """Return the verb phrase that tells which parts an example has."""
        if self.membership_plural is None or len(names) == 1:
            return enumerate_phrases([self.membership_phrase.format(value=item) for item in names])
        return self.membership_plural.format(value=enumerate_phrases(names))

    @property
    def variable_letters(self) -> tuple[str, str]:
        """Return the capital letters of the first two variables of a rule, e.g. ``T`` and ``C``."""
        first, second = self.whole[0].upper(), self.part[0].upper()
        if first == second:
            second = "A" if first != "A" else "B"
        return first, second


def enumerate_phrases(items: Sequence[str]) -> str:
    """Join words or phrases for prose: ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def say_constant(value: Constant) -> str:
    """Write a constant for prose: underscores become spaces."""
    return str(value).replace("_", " ")


@lru_cache(maxsize=1)
def shipped_languages() -> tuple[str, ...]:
    """Return the names of the languages that come with the package."""
    folder = resources.files("logic_curriculum.generators.slr.languages")
    names = [item.name for item in folder.iterdir() if item.name.endswith(".yaml")]
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
        file = resources.files("logic_curriculum.generators.slr.languages") / f"{text}.yaml"
        return _read(file.read_text(encoding="utf-8"), f"{text}.yaml")
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
    return _read(content, text)


@lru_cache(maxsize=32)
def _read(text: str, file: str) -> Language:
    from logic_curriculum.generators.slr.language_file import read_language

    return read_language(text, file)
