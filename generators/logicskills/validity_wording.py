"""The words that sentences are said with, which anyone can compare without reasoning."""

from __future__ import annotations

from dataclasses import replace

from generators.logicskills.lexicon import Words as Slots
from generators.logicskills.lexicon import load_lexicon
from generators.logicskills.renaming import Renaming, rename_sentence
from generators.logicskills.sentences import Sentence, realize

Words = frozenset[str]


class Wording:
    """Says sentences in English, after a renaming."""

    def __init__(self, renaming: Renaming) -> None:
        self._renaming = renaming
        self._lexicon = load_lexicon("english")
        self._clauses: dict[tuple[str, Slots], Sentence] = {}
        self.axiom = _words(self._lexicon.domain_axiom)
        """The words of the domain axiom."""

    def words(self, sentence: Sentence) -> Words:
        """Return the different words of a sentence, function words included."""
        return _words(realize(self._renamed(sentence), self._lexicon))

    def _renamed(self, sentence: Sentence) -> Sentence:
        """Return the sentence with other words. Compounds keep their formula: it isn't said."""
        if sentence.parts:
            return replace(sentence, parts=tuple(map(self._renamed, sentence.parts)))
        key = sentence.pattern, sentence.words
        if key not in self._clauses:
            self._clauses[key] = rename_sentence(sentence, self._renaming)
        return self._clauses[key]


def _words(text: str) -> Words:
    return frozenset(text.lower().rstrip(".").replace(",", "").split())
