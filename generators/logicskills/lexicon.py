"""Lexicons: the words of the paper's two languages, and the sentence patterns that they share."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import yaml

from logic_curriculum.generators.logicskills.constructions import PHRASES, SORT_OF
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.rewards.engines.fol.syntax import Formula, parse

DOMAIN_AXIOM: Formula = parse(
    "((∀x(Mx∨(Nx∨Ox))∧(¬∃x(Mx∧Nx)∧(¬∃x(Mx∧Ox)∧¬∃x(Nx∧Ox))))∧(∃xMx∧(∃xNx∧∃xOx)))"
)
"""Everything is of exactly one of the three kinds, and none of them is empty (App. F)."""

MIXED = "mixed"
LANGUAGES = ("english", "carroll", MIXED)
"""The lexicons; in the language ``mixed``, one of the two is drawn for each task."""

Words = tuple[tuple[str, str], ...]
"""Slots of a clause and what fills them, e.g. ``(("name", "a"), ("phrase", "to_name:Rb"))``.

A name, kind or relation is filled by its symbol; a phrase or relative clause by what the lexicon
calls it, a colon and the symbols in it.
"""
Forms = Mapping[str, Mapping[str, str]]  # symbol or phrase → form → words
_SLOT = re.compile(r"\{(\w+)\.(\w+)\}")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a language; ``lexicons/english.yaml`` explains the sections."""

    name: str
    names: Forms
    kinds: Forms
    monadic: Forms
    binary: Forms
    phrases: Forms  # what is said of a subject
    relatives: Forms
    clauses: Mapping[str, str]  # type of simple sentence → pattern
    connectives: Mapping[str, str]  # patterns with the slots A and B
    domain: str  # the clause that says DOMAIN_AXIOM

    def key(self, *formulas: Formula) -> dict[str, str]:
        """Return the text that each symbol of formulas abbreviates, in alphabetic order."""
        used = set("".join(map(str, formulas)))
        return {symbol: text for symbol, text in self.key_entries.items() if symbol in used}

    @cached_property
    def key_entries(self) -> dict[str, str]:
        """What every symbol abbreviates, in alphabetic order."""
        entries = {symbol: forms["name"] for symbol, forms in self.names.items()}
        for symbol, forms in self.kinds.items():
            entries[symbol] = f"[1] is {forms['indefinite']}"
        for symbol, forms in self.monadic.items():
            entries[symbol] = f"[1] {forms['affirmative']}"
        for symbol, forms in self.binary.items():
            entries[symbol] = f"[1] {forms['affirmative']} [2]"
        return dict(sorted(entries.items()))

    @cached_property
    def domain_axiom(self) -> str:
        """The sentence that says :data:`DOMAIN_AXIOM`."""
        return finish(self.fill(self.domain, {"K": "M", "J": "N", "L": "O"}))

    def fill(self, pattern: str, words: Mapping[str, str]) -> str:
        """Return a pattern with words in its slots."""
        return _SLOT.sub(lambda slot: self._word(slot[1], slot[2], words[slot[1]]), pattern)

    def _word(self, slot: str, form: str, filler: str) -> str:
        if slot in SORT_OF:
            section: Forms = getattr(self, SORT_OF[slot])
            return section[filler][form]
        name, _, symbols = filler.partition(":")
        if name == "monadic":
            return self.monadic[symbols][form]
        pattern = (self.phrases if slot == "phrase" else self.relatives)[name][form]
        return self.fill(pattern, dict(zip(PHRASES[name].slots, symbols, strict=True)))


def finish(clause: str) -> str:
    """Return a clause as a sentence, with a capital letter and a full stop."""
    return f"{clause[:1].upper()}{clause[1:]}."


@lru_cache(maxsize=2**16)
def simple_clause(lexicon: Lexicon, pattern: str, words: Words) -> str:
    """Return a simple clause: a type of sentence with its slots filled."""
    return lexicon.fill(lexicon.clauses[pattern], dict(words))


@cache
def load_lexicon(name: str) -> Lexicon:
    """Return one of the two lexicons; the patterns of both are those of ``english.yaml``."""
    folder = Path(__file__).with_name("lexicons")
    texts = [(folder / f"{file}.yaml").read_text(encoding="utf-8") for file in ("english", name)]
    patterns, words = map(yaml.safe_load, texts)
    return Lexicon(**{**patterns, **words})


def task_lexicon(language: str, level: int, seed: int, split: str) -> Lexicon:
    """Return the lexicon of a task: the one asked for or, if mixed, one of the paper's two."""
    if language == MIXED:
        language = ("english", "carroll")[derive_seed("language", level, seed, split) % 2]
    return load_lexicon(language)
