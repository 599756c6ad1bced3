"""Lexicons: the words and sentence patterns of a language, as in ``lexicons/english.yaml``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, BeforeValidator, field_validator, model_validator

from logic_curriculum.common.yaml_file import (
    FileModel,
    at,
    find_text,
    names_in,
    read_yaml,
    shipped_text,
)
from logic_curriculum.generators.logicskills import constructions
from logic_curriculum.generators.logicskills.constructions import PHRASES, SIMPLE_TYPES, SORT_OF
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Formula

DOMAIN_AXIOM: Formula = parse(
    "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"
)
"""Everything is of exactly one of the three kinds, and none of them is empty (App. F)."""

_FOLDER = Path(__file__).with_name("lexicons")
SHIPPED = names_in(_FOLDER)  # the lexicons that come with the package
MIXED = "mixed"
"""The language of a task that is one of the paper's two, drawn for each task; no lexicon's name."""
MAIN = "main"  # the form of a clause that stands alone; a lexicon may have others

Words = tuple[tuple[str, str], ...]
"""Slots of a clause and what fills them, e.g. ``(("name", "a"), ("phrase", "to_name:Rb"))``.

A name, kind or relation is filled by its symbol; a phrase or relative clause by what the lexicon
calls it, a colon and the symbols in it.
"""

_ABBREVIATIONS = {"name": ("name",), "kind": ("K",), "monadic": ("phrase",), "binary": ("R",)}
_SLOTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "phrases": {name: phrase.slots for name, phrase in PHRASES.items() if name != "monadic"},
    "relatives": {name: PHRASES[name].slots for name in constructions.RELATIVES},
    "abbreviations": _ABBREVIATIONS,
    "clauses": {name: kind.slots for name, kind in SIMPLE_TYPES.items()},
    "connectives": {
        name: ("A", "B")[: item.clauses] for name, item in constructions.CONNECTIVES.items()
    },
}
"""Section → the keys that it must have → the slots that their patterns must have."""
_SECTIONS_OF = {
    **{slot: (section,) for slot, section in SORT_OF.items()},
    **dict.fromkeys("AB", ("clauses", "connectives")),
    "relative": ("relatives",),
}
"""Slot → the sections that fill it; what fills the slot ``phrase`` depends on the clause."""

Pattern = tuple[str | tuple[str, str], ...]
"""A text with slots: fixed pieces, and slots with the form of the word or clause in them."""


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("the text is empty; write one")
    return text


def _pieces(text: Any) -> Pattern:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is no pattern; write one text, such as `{{A}} and {{B}}`")
    pieces: list[str | tuple[str, str]] = []
    for number, part in enumerate(re.split(r"\{([^{}]*)\}", _not_blank(text))):
        if number % 2:
            slot, _, form = part.partition(".")
            pieces.append((slot, form or MAIN))
        elif set(part) & set("{}"):
            raise ValueError(f"{text!r} has a lone brace; write slots as `{{slot.form}}`")
        elif part:
            pieces.append(part)
    return tuple(pieces)


def _with_forms(section: Any) -> Any:
    """Return a section in which single texts are the main form."""
    if isinstance(section, dict):
        return {key: t if isinstance(t, dict) else {MAIN: t} for key, t in section.items()}
    return section


_WordForms = dict[str, dict[str, Annotated[str, AfterValidator(_not_blank)]]]
_Pattern = Annotated[Pattern, BeforeValidator(_pieces)]
_PatternForms = dict[str, dict[str, _Pattern]]
_PatternsOrForms = Annotated[_PatternForms, BeforeValidator(_with_forms)]


class Lexicon(FileModel):
    """The words of a language. Equal texts load as one object, so identity is equality.

    Words are given as symbol → form → word, patterns as key → form → pattern.
    """

    name: str  # what messages and metadata call it
    base: str | None = None  # the shipped lexicon that has the sections that the file leaves out
    names: _WordForms
    kinds: _WordForms
    monadic: _WordForms
    binary: _WordForms
    phrases: _PatternForms  # what is said of a subject
    relatives: _PatternForms
    abbreviations: _PatternsOrForms  # what a key says of a name, kind, monadic or binary symbol
    clauses: _PatternsOrForms  # by type of simple sentence
    connectives: _PatternsOrForms  # with the slots A and B, each with a clause's form
    sentence: _Pattern  # a clause as a sentence, with its full stop
    domain: _Pattern  # the clause that says DOMAIN_AXIOM

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @model_validator(mode="before")
    @classmethod
    def _with_base(cls, sections: Any) -> Any:
        """Add the sections of the shipped lexicon on which others are based."""
        base = sections.get("base") if isinstance(sections, dict) else None
        while base is not None:
            if base not in SHIPPED:
                choices = ", ".join(SHIPPED)
                raise at("base", problem=f"there is no base {base!r}; name one of {choices}")
            below = yaml.safe_load(shipped_text(_FOLDER, base))
            sections, base = {**below, **sections}, below.get("base")
        return sections

    @model_validator(mode="after")
    def _check(self) -> Lexicon:
        """See that all sentences can be said, and told apart."""
        for sort, symbols in constructions.ALL_SYMBOLS._asdict().items():
            _check_same((sort,), "key", getattr(self, sort), tuple(symbols))
            _check_words(sort, getattr(self, sort))
        for section, keys in _SLOTS.items():
            _check_same((section,), "key", getattr(self, section), keys)
        for path, pattern, required in self._patterns():
            slots = [piece for piece in pattern if not isinstance(piece, str)]
            _check_same(path, "slot", dict(slots), required)
            for slot, form in slots:
                for owner, forms in self._fillers(slot, path[1] if path[0] == "clauses" else ""):
                    if form not in forms:
                        asked = f"`{'.'.join(path)}` asks for {{{slot}.{form}}}, but `{owner}` has"
                        remedy = f"add it there, or use one of its forms: {', '.join(forms)}"
                        raise at(*path, problem=f"{asked} no form {form!r}; {remedy}")
        return self

    def _patterns(self) -> Iterator[tuple[tuple[str, ...], Pattern, tuple[str, ...]]]:
        """Yield the path of each pattern, the pattern, and the slots that it must have."""
        yield ("sentence",), self.sentence, ("A",)
        yield ("domain",), self.domain, ("K", "J", "L")
        for section, slots in _SLOTS.items():
            for key, forms in getattr(self, section).items():
                for form, pattern in forms.items():
                    yield (section, key, form), pattern, slots[key]

    def _fillers(self, slot: str, clause: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the place of each thing that may stand in a slot, and its forms."""
        sections = _SECTIONS_OF.get(slot, ())
        keys = [(section, key) for section in sections for key in getattr(self, section)]
        if slot == "phrase":
            phrases = SIMPLE_TYPES[clause].phrases if clause else ("monadic",)
            keys = [("monadic", key) for key in self.monadic if "monadic" in phrases]
            keys += [("phrases", key) for key in phrases if key != "monadic"]
        for section, key in keys:
            yield f"{section}.{key}", getattr(self, section)[key]

    def finish(self, clause: str) -> str:
        """Return a clause as a sentence, with a capital letter and a full stop."""
        text = "".join(p if isinstance(p, str) else clause for p in self.sentence)
        return text[:1].upper() + text[1:]

    def key(self, *formulas: Formula) -> dict[str, str]:
        """Return the text that each symbol of formulas abbreviates, in alphabetic order."""
        used = set("".join(map(str, formulas)))
        return {symbol: text for symbol, text in self.key_entries.items() if symbol in used}

    @cached_property
    def key_entries(self) -> dict[str, str]:
        """What every symbol abbreviates, in alphabetic order."""
        entries = {}
        for (sort, (slot,)), symbols in zip(
            _ABBREVIATIONS.items(), constructions.ALL_SYMBOLS, strict=True
        ):
            for symbol in symbols:
                filler = f"monadic:{symbol}" if slot == "phrase" else symbol
                entries[symbol] = self._fill(self.abbreviations[sort][MAIN], {slot: filler})
        return dict(sorted(entries.items()))

    @cached_property
    def domain_axiom(self) -> str:
        """The sentence that says :data:`DOMAIN_AXIOM`."""
        return self.finish(self._fill(self.domain, {"K": "M", "J": "N", "L": "O"}))

    def _fill(self, pattern: Pattern, words: Mapping[str, str]) -> str:
        return "".join(
            piece if isinstance(piece, str) else self._word(*piece, words[piece[0]])
            for piece in pattern
        )

    def _word(self, slot: str, form: str, filler: str) -> str:
        if slot in SORT_OF:
            section: _WordForms = getattr(self, SORT_OF[slot])
            return section[filler][form]
        name, _, symbols = filler.partition(":")
        if name == "monadic":
            return self.monadic[symbols][form]
        pattern = (self.phrases if slot == "phrase" else self.relatives)[name][form]
        return self._fill(pattern, dict(zip(PHRASES[name].slots, symbols, strict=True)))


class _OwnLexicon(Lexicon):
    __hash__ = Lexicon.__hash__  # pydantic would make another for each class

    @field_validator("name")
    @classmethod
    def _check_name(cls, name: str) -> str:
        if name in (*SHIPPED, MIXED):
            raise ValueError(f"the name {name!r} is taken; give the lexicon another")
        return name


def _check_same(
    path: tuple[str, ...], what: str, found: Collection[str], required: Collection[str]
) -> None:
    name, choices = ".".join(path), ", ".join(required)
    for item in found:
        if item not in required:
            problem = f"unknown {what} {item!r} in `{name}`; the {what}s are {choices}"
            raise at(*path, item, problem=problem)
    for item in required:
        if item not in found:
            example = f"{item}:" if what == "key" else f"{{{item}.…}}"
            raise at(*path, problem=f"`{name}` lacks the {what} {item!r}; write `{example}` in it")


def _check_words(section: str, words: Mapping[str, Mapping[str, str]]) -> None:
    owners: dict[tuple[str, str], str] = {}
    for symbol, forms in words.items():
        for form, word in forms.items():
            other = owners.setdefault((form, word), symbol)
            if other != symbol:
                problem = f"{word!r} is the {form} of both {other} and {symbol}"
                remedy = "give them different words, or sentences can't be told apart"
                raise at(section, symbol, form, problem=f"{problem}; {remedy}")


@lru_cache(maxsize=2**16)
def simple_clause(lexicon: Lexicon, pattern: str, words: Words, form: str = MAIN) -> str:
    """Return a simple clause: a type of sentence with its slots filled."""
    return lexicon._fill(lexicon.clauses[pattern][form], dict(words))


def load_lexicon(name_or_path: str | Path) -> Lexicon:
    """Load a shipped lexicon by its name, or a lexicon file by its path.

    A ``ValueError`` says that there is no such lexicon or file, or what is wrong in which line.
    """
    model = Lexicon if str(name_or_path) in SHIPPED else _OwnLexicon
    return read_lexicon(*find_text(name_or_path, _FOLDER, SHIPPED, "language"), model)


@lru_cache(maxsize=32)
def read_lexicon(text: str, file: str, model: type[Lexicon] = _OwnLexicon) -> Lexicon:
    """Read a lexicon from a YAML file's text; raise YamlFileError if it is none."""
    return read_yaml(text, file, model, "copy english.yaml")


def task_lexicon(language: str | Path, level: int, seed: int, split: str) -> Lexicon:
    """Return the lexicon of a task: the one asked for or, if mixed, one of the paper's two."""
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    return load_lexicon(language)
