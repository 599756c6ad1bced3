"""Reads the sentences of consistency tasks back: every way in which they can be read."""

from itertools import product

OPENINGS = {
    "both ": ("∧", "and"),
    "either ": ("∨", "or"),
    "each of these is true: ": ("∧", "and"),
    "at least one of these is true: ": ("∨", "or"),
}
NOT = "it is not the case that "


class Reader:
    """Reads a sentence as all formulas that it may be; tries splits at every comma, whatever it is.

    No part needs brackets, and any may have them.

    ``literals`` maps each atom and each negated atom, as in the middle of a sentence, to its text
    in a formula.
    """

    def __init__(self, literals):
        self.literals = literals
        self.known = {}

    def read(self, sentence):
        assert sentence.endswith(".")
        bare = sentence[:-1]
        self.known = {}
        return self.readings(bare) | self.readings(bare[:1].lower() + bare[1:])

    def readings(self, text):
        if text not in self.known:
            found = {self.literals[text]} if text in self.literals else set()
            if text.startswith("(") and text.endswith(")"):
                found |= self.readings(text[1:-1])
            self.known[text] = found | self.prefixed(text) | self.joined(text)
        return self.known[text]

    def prefixed(self, text):
        if text.startswith(NOT):
            return {f"¬{part}" for part in self.readings(text[len(NOT) :])}
        if not text.startswith("if "):
            return set()
        return {
            f"({condition}→{conclusion})"
            for left, right in splits(text[3:], ", then ")
            for condition, conclusion in product(self.readings(left), self.readings(right))
        }

    def joined(self, text):
        return {
            f"({symbol.join(parts)})"
            for opening, (symbol, word) in OPENINGS.items()
            if text.startswith(opening)
            for parts in self.lists(text[len(opening) :], word)
            if (len(parts) == 2) == (opening in ("both ", "either "))
        }

    def lists(self, text, word):
        if (text, word) not in self.known:
            found = set()
            for left, right in splits(text, f", {word} "):
                found |= set(product(self.readings(left), self.readings(right)))
            for left, right in splits(text, ", "):
                for first in self.readings(left):
                    found |= {(first, *rest) for rest in self.lists(right, word)}
            self.known[text, word] = found
        return self.known[text, word]


def splits(text, separator):
    place = text.find(separator)
    while place >= 0:
        yield text[:place], text[place + len(separator) :]
        place = text.find(separator, place + 1)
