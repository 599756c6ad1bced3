"""Lexicons: the words and sentence patterns of a language, read from a YAML file.

``lexicons/english.yaml`` documents itself. Nothing else in this package knows a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

from logic_curriculum.generators.logicskills.constructions import ALL_SYMBOLS, PHRASES, sort_of
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
Section = Mapping[str, Mapping[str, str]]
"""Symbol → form → word."""


@dataclass(frozen=True)
class Pattern:
    """A text with slots, cut into pieces."""

    pieces: tuple[str | tuple[str, str], ...]
    """Plain text, or a slot and the form of the word or clause in it."""

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots, each once, in the order of their first occurrence."""
        return tuple(dict.fromkeys(piece[0] for piece in self.pieces if isinstance(piece, tuple)))


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a language. Equal texts load as one object, so identity is equality."""

    name: str
    """What the file calls it."""
    words: Mapping[str, Section]
    """``names``, ``kinds``, ``monadic`` and ``binary``."""
    phrases: Mapping[str, Mapping[str, Pattern]]
    """What is said of a subject → form → pattern."""
    relatives: Mapping[str, Mapping[str, Pattern]]
    """Relative clause → form → pattern."""
    abbreviations: Mapping[str, Pattern]
    """``name``, ``kind``, ``monadic`` or ``binary`` → what a key says of such a symbol."""
    clauses: Mapping[str, Mapping[str, Pattern]]
    """Type of simple sentence → form → pattern."""
    connectives: Mapping[str, Mapping[str, Pattern]]
    """Connective → form → pattern with the slots ``A`` and ``B``, each with a clause's form."""
    sentence: Pattern
    """A clause as a sentence, with its full stop."""
    domain: Pattern
    """The clause that says :data:`DOMAIN_AXIOM`."""

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
        sorts = {
            "name": ("name", ALL_SYMBOLS.names),
            "kind": ("K", ALL_SYMBOLS.kinds),
            "monadic": ("phrase", ALL_SYMBOLS.monadic),
            "binary": ("R", ALL_SYMBOLS.binary),
        }
        entries = {
            symbol: self._fill(
                self.abbreviations[sort],
                {slot: f"monadic:{symbol}" if slot == "phrase" else symbol},
            )
            for sort, (slot, symbols) in sorts.items()
            for symbol in symbols
        }
        return dict(sorted(entries.items()))

    @cached_property
    def domain_axiom(self) -> str:
        """The sentence that says :data:`DOMAIN_AXIOM`."""
        return self.finish(self._fill(self.domain, dict(zip("KJL", "MNO", strict=True))))

    def _fill(self, pattern: Pattern, words: Mapping[str, str]) -> str:
        return "".join(
            piece if isinstance(piece, str) else self._word(*piece, words[piece[0]])
            for piece in pattern.pieces
        )

    def _word(self, slot: str, form: str, filler: str) -> str:
        if slot not in ("phrase", "relative"):
            return self.words[sort_of(slot)][filler][form]
        name, _, symbols = filler.partition(":")
        if name == "monadic":
            return self.words["monadic"][symbols][form]
        patterns = self.phrases if slot == "phrase" else self.relatives
        return self._fill(
            patterns[name][form], dict(zip(PHRASES[name].slots, symbols, strict=True))
        )


@lru_cache(maxsize=2**16)
def _clause(lexicon: Lexicon, pattern: str, words: Words, form: str) -> str:
    return lexicon._fill(lexicon.clauses[pattern][form], dict(words))


@lru_cache(maxsize=1)
def shipped_lexicons() -> tuple[str, ...]:
    """Return the names of the lexicons that come with the package."""
    folder = resources.files("logic_curriculum.generators.logicskills.lexicons")
    names = [item.name for item in folder.iterdir() if item.name.endswith(".yaml")]
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


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
        return _read(shipped_text(text), f"{text}.yaml", shipped=True)
    if not (text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text):
        raise ValueError(
            f"There is no language {text!r}: choose one of {', '.join(shipped_lexicons())}, or "
            "give the path of a .yaml file"
        )
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"The lexicon file {text!r} does not exist; check the path")
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The lexicon file {text!r} is not UTF-8 text ({error.reason} at byte {error.start}); "
            "save it as UTF-8"
        ) from error
    return _read(content, text)


@lru_cache(maxsize=32)
def shipped_text(name: str) -> str:
    """Return the text of a shipped lexicon's file."""
    file = resources.files("logic_curriculum.generators.logicskills.lexicons") / f"{name}.yaml"
    return file.read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def _read(text: str, file: str, *, shipped: bool = False) -> Lexicon:
    from logic_curriculum.generators.logicskills.lexicon_file import read_lexicon

    return read_lexicon(text, file, shipped=shipped)
