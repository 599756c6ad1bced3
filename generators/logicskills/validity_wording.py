"""The words that sentences are said with, which anyone can compare without reasoning."""

from __future__ import annotations

from functools import cache, lru_cache

from logic_curriculum.generators.logicskills.arguments import Composition
from logic_curriculum.generators.logicskills.lexicon import MAIN, Lexicon, load_lexicon
from logic_curriculum.generators.logicskills.lexicon import Words as Slots
from logic_curriculum.generators.logicskills.renaming import Renaming, rename_words
from logic_curriculum.generators.logicskills.shapes import Shape

Words = frozenset[str]


class Wording:
    """Says sentences in English, after a renaming. Sets of words are integers, a bit for each."""

    def __init__(self, renaming: Renaming) -> None:
        self._renaming = renaming
        self._lexicon = load_lexicon("english")
        self._numbers: dict[str, int] = {}
        self._clauses: dict[tuple[str, Slots], int] = {}
        self._shapes: dict[Shape, int] = {}
        self.axiom = self._numbered(words_of(self._lexicon.domain_axiom))
        """The words of the domain axiom."""

    def words(self, sentence: Composition) -> int:
        """Return the different words of a sentence, function words included."""
        shape = sentence.shape
        if shape not in self._shapes:
            self._shapes[shape] = self._numbered(_connecting(self._lexicon, shape))
        found = self._shapes[shape]
        for part in sentence.parts:
            found |= self._clause(part.sentence.pattern, part.sentence.words)
        return found

    def _clause(self, pattern: str, slots: Slots) -> int:
        key = pattern, slots
        if key not in self._clauses:
            text = self._lexicon.clause(pattern, rename_words(slots, self._renaming))
            self._clauses[key] = self._numbered(words_of(text))
        return self._clauses[key]

    def _numbered(self, words: Words) -> int:
        numbers = self._numbers
        return sum(1 << numbers.setdefault(word, len(numbers)) for word in words)


@cache
def _connecting(lexicon: Lexicon, shape: Shape) -> Words:
    """Return the words that connect the clauses of a shape; English clauses have one form only."""
    if isinstance(shape, str):
        return frozenset()
    pieces = lexicon.connectives[str(shape[0])][MAIN].pieces
    said = (words_of(piece) for piece in pieces if isinstance(piece, str))
    return frozenset().union(*said, *(_connecting(lexicon, part) for part in shape[1:]))


@lru_cache(maxsize=2**14)
def words_of(text: str) -> Words:
    """Return the different words of a text."""
    return frozenset(text.lower().rstrip(".").replace(",", "").split())
