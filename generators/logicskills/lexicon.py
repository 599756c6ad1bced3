"""Lexicons: the words and sentence patterns of a language, read from a YAML file.

``lexicons/english.yaml`` documents itself. Nothing else in this package knows a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import yaml
from pydantic import AfterValidator, BeforeValidator, field_validator, model_validator

from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    CONNECTIVES,
    PHRASES,
    RELATIVES,
    SIMPLE_TYPES,
    sort_of,
)
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.yaml_file import FileModel, at, read_yaml
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Formula

DOMAIN_AXIOM: Formula = parse(
    "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"
)
"""Everything is of exactly one of the three kinds, and none of them is empty (App. F)."""

MIXED = "mixed"
"""The language of a task that is one of the paper's two, drawn for each task; no lexicon's name."""
MAIN = "main"
"""The form of a clause that stands alone; a lexicon may have others."""

Words = tuple[tuple[str, str], ...]
"""Slots of a clause and what fills them, e.g. ``(("name", "a"), ("phrase", "to_name:Rb"))``.

A name, kind or relation is filled by its symbol; a phrase or relative clause by what the lexicon
calls it, a colon and the symbols in it.
"""

_SLOT = re.compile(r"\{([^{}]*)\}")
_ABBREVIATIONS = {"name": ("name",), "kind": ("K",), "monadic": ("phrase",), "binary": ("R",)}
_KEYS: Mapping[str, tuple[str, ...]] = {
    **{sort: tuple(symbols) for sort, symbols in ALL_SYMBOLS._asdict().items()},
    "phrases": tuple(name for name in PHRASES if name != "monadic"),
    "relatives": RELATIVES,
    "abbreviations": tuple(_ABBREVIATIONS),
    "clauses": tuple(SIMPLE_TYPES),
    "connectives": tuple(CONNECTIVES),
}
"""Section → the keys that it must have."""
_CLAUSE_SLOTS = ("A", "B")


class Pattern(NamedTuple):
    """A text with slots, cut into pieces."""

    pieces: tuple[str | tuple[str, str], ...]
    """Fixed text, or a slot and the form of the word or clause in it."""

    @property
    def slots(self) -> tuple[tuple[str, str], ...]:
        """The slots with the forms that they ask for."""
        return tuple(piece for piece in self.pieces if not isinstance(piece, str))


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("the text is empty; write one")
    return text


def _cut(text: Any) -> Any:
    """Cut a pattern's text into pieces."""
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no pattern; write one text, such as `{{A}} and {{B}}`")
    pieces: list[str | tuple[str, str]] = []
    for number, part in enumerate(_SLOT.split(_not_blank(text))):
        if number % 2:
            slot, _, form = part.partition(".")
            pieces.append((slot, form or MAIN))
        elif set(part) & set("{}"):
            raise ValueError(f"{text!r} has a lone brace; write slots as `{{slot.form}}`")
        elif part:
            pieces.append(part)
    return Pattern(tuple(pieces))


def _with_form(section: Any) -> Any:
    """Return a section in which single texts are the main form."""
    if not isinstance(section, dict):
        return section
    return {
        name: entry if isinstance(entry, dict) else {MAIN: entry} for name, entry in section.items()
    }


_Text = Annotated[str, AfterValidator(_not_blank)]
_WordForms = dict[str, dict[str, _Text]]
_Pattern = Annotated[Pattern, BeforeValidator(_cut)]
_PatternForms = dict[str, dict[str, _Pattern]]


class Lexicon(FileModel):
    """The words of a language. Equal texts load as one object, so identity is equality."""

    name: str
    """What messages and metadata call it."""
    base: str | None = None
    """The shipped lexicon that has the sections that the file leaves out."""
    names: _WordForms
    """Symbol → form → word; so are the next three."""
    kinds: _WordForms
    monadic: _WordForms
    binary: _WordForms
    phrases: _PatternForms
    """What is said of a subject → form → pattern."""
    relatives: _PatternForms
    """Relative clause → form → pattern."""
    abbreviations: dict[str, _Pattern]
    """``name``, ``kind``, ``monadic`` or ``binary`` → what a key says of such a symbol."""
    clauses: Annotated[_PatternForms, BeforeValidator(_with_form)]
    """Type of simple sentence → form → pattern."""
    connectives: Annotated[_PatternForms, BeforeValidator(_with_form)]
    """Connective → form → pattern with the slots ``A`` and ``B``, each with a clause's form."""
    sentence: _Pattern
    """A clause as a sentence, with its full stop."""
    domain: _Pattern
    """The clause that says :data:`DOMAIN_AXIOM`."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        """Add the sections of the base."""
        if not isinstance(given, dict) or given.get("base") is None:
            return given
        if given["base"] not in shipped_lexicons():
            choices = ", ".join(shipped_lexicons())
            raise at("base", problem=f"there is no base {given['base']!r}; name one of {choices}")
        return {**_shipped_sections(given["base"]), **given}

    @model_validator(mode="after")
    def _check(self) -> Lexicon:
        """See that all sentences can be said, and told apart."""
        for section, keys in _KEYS.items():
            _check_keys(section, getattr(self, section), keys)
        for section in ALL_SYMBOLS._fields:
            _check_words(section, getattr(self, section))
        for path, pattern, slots in self._patterns():
            _check_slots(path, [slot for slot, _ in pattern.slots], slots)
            for slot, form in pattern.slots:
                for owner, forms in self._fillers(slot, path[1] if path[0] == "clauses" else ""):
                    if form not in forms:
                        raise at(
                            *path,
                            problem=f"`{'.'.join(path)}` asks for {{{slot}.{form}}}, but {owner} "
                            f"has no form {form!r}; add it there, or use one of its forms: "
                            f"{', '.join(forms)}",
                        )
        return self

    def _patterns(self) -> Iterator[tuple[tuple[str, ...], Pattern, tuple[str, ...]]]:
        """Yield the path of each pattern, the pattern, and the slots that it must have."""
        yield ("sentence",), self.sentence, ("A",)
        yield ("domain",), self.domain, ("K", "J", "L")
        for name, pattern in self.abbreviations.items():
            yield ("abbreviations", name), pattern, _ABBREVIATIONS[name]
        slots = {
            "phrases": {name: phrase.slots for name, phrase in PHRASES.items()},
            "relatives": {name: phrase.slots for name, phrase in PHRASES.items()},
            "clauses": {name: kind.slots for name, kind in SIMPLE_TYPES.items()},
            "connectives": {n: _CLAUSE_SLOTS[: item.clauses] for n, item in CONNECTIVES.items()},
        }
        for section, of_name in slots.items():
            for name, forms in getattr(self, section).items():
                for form, pattern in forms.items():
                    yield (section, name, form), pattern, of_name[name]

    def _fillers(self, slot: str, clause: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield what may stand in a slot: what messages call it, and its forms."""
        if slot in _CLAUSE_SLOTS:
            for section in ("clauses", "connectives"):
                yield from self._entries(section)
        elif slot == "relative":
            yield from self._entries("relatives")
        elif slot == "phrase":
            allowed = SIMPLE_TYPES[clause].phrases if clause else ("monadic",)
            yield from self._entries("monadic" if "monadic" in allowed else "")
            yield from ((f"`phrases.{n}`", self.phrases[n]) for n in allowed if n != "monadic")
        else:
            yield from self._entries(sort_of(slot))

    def _entries(self, section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for name, forms in getattr(self, section, {}).items():
            yield f"`{section}.{name}`", forms

    def clause(self, pattern: str, words: Words, form: str = MAIN) -> str:
        """Return a simple clause: a type of sentence with its slots filled."""
        return _clause(self, pattern, words, form)

    def finish(self, clause: str) -> str:
        """Return a clause as a sentence, with a capital letter and a full stop."""
        text = "".join(p if isinstance(p, str) else clause for p in self.sentence.pieces)
        return text[:1].upper() + text[1:]

    def key(self, *formulas: Formula) -> dict[str, str]:
        """Return what each symbol of the formulas abbreviates, in alphabetic order.

        The order says nothing about the formulas. Example: ``{"P": "[1] saw [2]", "c": "Hazel"}``.
        """
        used = set("".join(map(str, formulas)))
        return {symbol: text for symbol, text in self.key_entries.items() if symbol in used}

    @cached_property
    def key_entries(self) -> dict[str, str]:
        """What every symbol abbreviates, in alphabetic order."""
        entries = {}
        for (sort, (slot,)), symbols in zip(_ABBREVIATIONS.items(), ALL_SYMBOLS, strict=True):
            for symbol in symbols:
                filler = f"monadic:{symbol}" if slot == "phrase" else symbol
                entries[symbol] = self._fill(self.abbreviations[sort], {slot: filler})
        return dict(sorted(entries.items()))

    @cached_property
    def domain_axiom(self) -> str:
        """The sentence that says :data:`DOMAIN_AXIOM`."""
        return self.finish(self._fill(self.domain, {"K": "M", "J": "N", "L": "O"}))

    def _fill(self, pattern: Pattern, words: Mapping[str, str]) -> str:
        return "".join(
            piece if isinstance(piece, str) else self._word(*piece, words[piece[0]])
            for piece in pattern.pieces
        )

    def _word(self, slot: str, form: str, filler: str) -> str:
        if slot not in ("phrase", "relative"):
            section: _WordForms = getattr(self, sort_of(slot))
            return section[filler][form]
        name, _, symbols = filler.partition(":")
        if name == "monadic":
            return self.monadic[symbols][form]
        patterns = self.phrases if slot == "phrase" else self.relatives
        words = dict(zip(PHRASES[name].slots, symbols, strict=True))
        return self._fill(patterns[name][form], words)


class _OwnLexicon(Lexicon):
    """A lexicon that does not come with the package."""

    __hash__ = Lexicon.__hash__  # pydantic would make another for each class

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if name in (*shipped_lexicons(), MIXED):
            raise ValueError(f"the name {name!r} is taken; give the lexicon another")
        return name


def _check_keys(section: str, entries: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in entries:
        if key not in keys:
            choices = ", ".join(keys)
            problem = f"unknown key {key!r} in `{section}`; the keys are {choices}"
            raise at(section, key, problem=problem)
    for key in keys:
        if key not in entries:
            raise at(section, problem=f"`{section}` lacks the key {key!r}; add `{key}:`")


def _check_words(section: str, words: Mapping[str, Mapping[str, str]]) -> None:
    owners: dict[tuple[str, str], str] = {}
    for symbol, forms in words.items():
        for form, word in forms.items():
            other = owners.setdefault((form, word), symbol)
            if other != symbol:
                raise at(
                    section,
                    symbol,
                    form,
                    problem=f"{word!r} is the {form} of both {other} and {symbol}; give them "
                    "different words, or sentences can't be told apart",
                )


def _check_slots(path: tuple[str, ...], found: list[str], slots: tuple[str, ...]) -> None:
    name = ".".join(path)
    for slot in found:
        if slot not in slots:
            choices = ", ".join(slots)
            raise at(*path, problem=f"`{name}` has a slot {slot!r}; its slots are {choices}")
    for slot in slots:
        if slot not in found:
            problem = f"`{name}` lacks the slot {slot!r}; write `{{{slot}.…}}` in it"
            raise at(*path, problem=problem)


@lru_cache(maxsize=2**16)
def _clause(lexicon: Lexicon, pattern: str, words: Words, form: str) -> str:
    return lexicon._fill(lexicon.clauses[pattern][form], dict(words))


_FOLDER = resources.files("logic_curriculum.generators.logicskills") / "lexicons"


@lru_cache(maxsize=1)
def shipped_lexicons() -> tuple[str, ...]:
    """Return the names of the lexicons that come with the package."""
    names = [item.name for item in _FOLDER.iterdir() if item.name.endswith(".yaml")]
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


@lru_cache(maxsize=8)
def _shipped_text(name: str) -> str:
    return (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def _shipped_sections(name: str) -> Mapping[str, Any]:
    """Return the sections of a shipped lexicon, those of its base included."""
    own = yaml.safe_load(_shipped_text(name))
    base = own.pop("base", None)
    return {**(_shipped_sections(base) if base else {}), **own}


def load_lexicon(name_or_path: str | Path) -> Lexicon:
    """Load a shipped lexicon by its name, or a lexicon file by its path.

    Args:
        name_or_path: ``"english"``, ``"carroll"``, or the path of a YAML file. Anything that ends
            in ``.yaml`` or ``.yml`` or holds a path separator is taken as a path.

    Raises:
        ValueError: No such lexicon or file, or the file is not a lexicon; the message names the
            line and what to change.
    """
    text = str(name_or_path)
    if text in shipped_lexicons():
        return read_lexicon(_shipped_text(text), f"{text}.yaml", shipped=True)
    if not (text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text):
        raise ValueError(
            f"There is no language {text!r}: choose one of {', '.join(shipped_lexicons())}, or "
            "give the path of a .yaml file"
        )
    try:
        content = Path(text).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"The lexicon file {text!r} can't be read ({error}): check the path, and save the file "
            "as UTF-8 text"
        ) from error
    return read_lexicon(content, text)


@lru_cache(maxsize=32)
def read_lexicon(text: str, file: str, *, shipped: bool = False) -> Lexicon:
    """Read a lexicon from the text of a YAML file.

    Args:
        text: The file's content.
        file: Its name, for messages.
        shipped: Whether it comes with the package; other lexicons need other names.

    Raises:
        YamlFileError: The text is not a lexicon; the message names the line and what to change.
    """
    return read_yaml(text, file, Lexicon if shipped else _OwnLexicon, "copy english.yaml")


def task_lexicon(language: str | Path, level: int, seed: int, split: str) -> Lexicon:
    """Return the lexicon of a task: the one asked for or, if mixed, one of the paper's two."""
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    return load_lexicon(language)
