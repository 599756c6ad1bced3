"""A second mind that reads the sentences: controlled English and Carrollian → formula.

Written from the paper's lexicon and its table of sentence types, without the realisation's code.
The meaning of a sentence is composed from its words, so every reading that the grammar permits is
found: a sentence with two readings of different truth conditions is refused as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fol_reference import Formula, read
from second_prover import same_truth_conditions

VARIABLES = "xyzuvw"
CONNECTIVES = {
    ("if", "and", "only", "if"): "iff",
    ("just", "in", "case"): "iff",
    ("only", "if"): "if",
    ("unless",): "or",
    ("and",): "and",
    ("but",): "and",
    ("or",): "or",
}
NEGATION = ("it", "is", "not", "the", "case", "that")


class ReadingError(ValueError):
    """A sentence has no reading, or several that differ."""


@dataclass(frozen=True)
class Words:
    """The lexicon of one language."""

    names: Mapping[str, str]
    kinds: Mapping[str, str]
    """Singular noun → predicate; the plural has an s."""
    futures: Mapping[str, str]
    """Bare verb after ``will`` → predicate."""
    pasts: Mapping[str, tuple[str, str]]
    """Past form → predicate and bare form."""
    adjectives: Mapping[str, str]
    relations: Mapping[str, tuple[str, str]]
    """Past form of a transitive verb → predicate and bare form."""

    @property
    def plurals(self) -> dict[str, str]:
        return {f"{noun}s": symbol for noun, symbol in self.kinds.items()}

    @cached_property
    def intransitives(self) -> list[tuple[tuple[str, ...], str, bool]]:
        """Verb phrases without an object → predicate, and whether they deny it."""
        found: list[tuple[str, str, bool]] = []
        for verb, predicate in self.futures.items():
            found += [(f"will {verb}", predicate, False), (f"won't {verb}", predicate, True)]
        for past, (predicate, bare) in self.pasts.items():
            found += [(past, predicate, False), (f"didn't {bare}", predicate, True)]
        for adjective, predicate in self.adjectives.items():
            for copula in ("is", "are"):
                found += [(f"{copula} {adjective}", predicate, False)]
                found += [(f"{copula}n't {adjective}", predicate, True)]
        for noun, predicate in self.kinds.items():
            found += [(f"is a {noun}", predicate, False), (f"isn't a {noun}", predicate, True)]
            found += [(f"are {noun}s", predicate, False), (f"aren't {noun}s", predicate, True)]
        return [(tuple(phrase.split()), predicate, denied) for phrase, predicate, denied in found]


ENGLISH = Words(
    names={"Alfred": "a", "Lewis": "b", "Hazel": "c"},
    kinds={"donkey": "M", "human": "N", "monkey": "O"},
    futures={"run": "F", "attack": "G"},
    pasts={"drank": ("H", "drink"), "ate": ("I", "eat")},
    adjectives={"asleep": "J", "happy": "K", "hungry": "L"},
    relations={"saw": ("P", "see"), "kicked": ("Q", "kick"), "chased": ("R", "chase")},
)
CARROLLIAN = Words(
    names={"Zindle": "a", "Rafin": "b", "Bungo": "c"},
    kinds={"tove": "M", "borogove": "N", "rath": "O"},
    futures={"whiffle": "F", "burble": "G"},
    pasts={"gyred": ("H", "gyre"), "gimbled": ("I", "gimble")},
    adjectives={"mimsy": "J", "uffish": "K", "beamish": "L"},
    relations={
        "chortled at": ("P", "chortle at"),
        "galumphed over": ("Q", "galumph over"),
        "snicker-snacked": ("R", "snicker-snack"),
    },
)
LANGUAGES = {"english": ENGLISH, "carroll": CARROLLIAN}


def readings(sentence: str, words: Words) -> list[Formula]:
    """Return every reading of a sentence, in a fixed order."""
    if not sentence.endswith("."):
        raise ReadingError(f"{sentence!r} has no full stop")
    tokens = tuple(re.findall(r"[^\s,]+|,", sentence[:-1]))
    if tokens and tokens[0] not in words.names:
        if not tokens[0][:1].isupper():
            raise ReadingError(f"{sentence!r} begins with a small letter")
        tokens = (tokens[0].lower(), *tokens[1:])
    return list(dict.fromkeys(Reader(words).sentence(tokens)))


def understand(sentence: str, words: Words) -> Formula:
    """Return the one reading of a sentence.

    Raises:
        ReadingError: The sentence has none, or several that differ in truth conditions.
    """
    found = readings(sentence, words)
    if not found:
        raise ReadingError(f"no reading of {sentence!r}")
    for other in found[1:]:
        if not same_truth_conditions(found[0], other):
            raise ReadingError(f"{sentence!r} may mean {found[0]} or {other}")
    return found[0]


@lru_cache(maxsize=50_000)
def understand_in(sentence: str, language: str) -> Formula:
    return understand(sentence, LANGUAGES[language])


def understand_axiom(sentence: str, words: Words) -> Formula:
    """Read the sentence that sorts everything into three kinds."""
    kind = "|".join(words.kinds)
    pattern = (
        rf"Everything is an? ({kind}),(?: or)? an? ({kind}),? or an? ({kind})"
        r"(?: \(exclusively\)|, but never two of these at once), "
        r"and (?:there's|there is) at least one of each\."
    )
    match = re.fullmatch(pattern, sentence)
    if not match or len(set(match.groups())) != len(words.kinds):
        raise ReadingError(f"{sentence!r} doesn't sort everything into three kinds")
    a, b, c = (words.kinds[noun] for noun in match.groups())
    return read(
        f"((∀x({a}x∨({b}x∨{c}x))∧(¬∃x({a}x∧{b}x)∧(¬∃x({a}x∧{c}x)∧¬∃x({b}x∧{c}x))))"
        f"∧(∃x{a}x∧(∃x{b}x∧∃x{c}x)))"
    )


Wrap = Callable[[Formula], Formula]
"""What a noun phrase makes of the clause that speaks of its term."""
Parse = Iterator[tuple[tuple[str, ...], str, Wrap]]
"""The words after a noun phrase, its term, and its wrap."""


def unchanged(body: Formula) -> Formula:
    return body


class Reader:
    """All readings of one sentence."""

    def __init__(self, words: Words) -> None:
        self.words = words

    # Compounds

    def sentence(self, tokens: tuple[str, ...]) -> list[Formula]:
        if tokens[:1] == ("if",):
            return self.bracketed(tokens, (",", "then"), "if")
        after_comma = [
            place
            for place in range(1, len(tokens))
            if tokens[place - 1] == "," and any(begins(tokens, place, c) for c in CONNECTIVES)
        ]
        if after_comma:
            return self.joined(tokens, after_comma)
        found = list(self.clause(tokens))
        if begins(tokens, 0, NEGATION):
            found += [("not", body) for body in self.sentence(tokens[len(NEGATION) :])]
        for opening, closing in (("either", "or"), ("both", "and")):
            if tokens[:1] == (opening,):
                found += self.bracketed(tokens, (closing,), closing)
        return found + self.joined(tokens, range(1, len(tokens)))

    def bracketed(
        self, tokens: tuple[str, ...], closing: tuple[str, ...], connective: str
    ) -> list[Formula]:
        """If A, then B; either A or B; both A and B. What follows reaches to the end."""
        return [
            (connective, left, right)
            for place in range(1, len(tokens))
            if begins(tokens, place, closing)
            for left in self.sentence(tokens[1:place])
            for right in self.sentence(tokens[place + len(closing) :])
        ]

    def joined(self, tokens: tuple[str, ...], places: Iterable[int]) -> list[Formula]:
        """Sentences with a connective between them; a comma closes what is before it."""
        found = []
        for place in places:
            for phrase, connective in CONNECTIVES.items():
                if begins(tokens, place, phrase):
                    before = tokens[: place - 1 if tokens[place - 1] == "," else place]
                    rights = self.sentence(tokens[place + len(phrase) :])
                    lefts = self.sentence(before) if rights else []
                    found += [(connective, left, right) for left in lefts for right in rights]
        return found

    # Clauses

    def clause(self, tokens: tuple[str, ...]) -> Iterator[Formula]:
        yield from self.existence(tokens)
        yield from self.ellipsis(tokens)
        for rest, term, wrap in self.noun_phrase(tokens, 0, ()):
            for left, body in self.verb_phrase(rest, term, 1, (term,)):
                if not left:
                    yield wrap(body)

    def existence(self, tokens: tuple[str, ...]) -> Iterator[Formula]:
        """There is (not) a K that …"""
        for opening, negative in (
            (("there", "is", "not", "a"), True),
            (("there", "is", "no"), True),
            (("there", "is", "a"), False),
        ):
            if begins(tokens, 0, opening):
                for restricted in self.restrictions(tokens[len(opening) :], "x", 0, (), "kinds"):
                    if not restricted[0]:
                        body = ("some", "x", restricted[1])
                        yield ("not", body) if negative else body

    def ellipsis(self, tokens: tuple[str, ...]) -> Iterator[Formula]:
        """Hazel and Lewis are happy."""
        names = self.words.names
        if len(tokens) > 3 and tokens[0] in names and tokens[2] in names:
            if tokens[1] not in ("and", "or"):
                return
            terms = [names[tokens[0]], names[tokens[2]]]
            bodies = [
                [body for left, body in self.verb_phrase(tokens[3:], term, 0, (term,)) if not left]
                for term in terms
            ]
            for left, right in zip(*bodies, strict=True):
                yield (tokens[1], left, right)

    def noun_phrase(self, tokens: tuple[str, ...], depth: int, context: tuple[str, ...]) -> Parse:
        if not tokens:
            return
        if tokens[0] in self.words.names:
            yield tokens[1:], self.words.names[tokens[0]], unchanged
        if tokens[0] == "it" and len(context) > 1 and context[0] in VARIABLES:
            yield tokens[1:], context[0], unchanged
        if tokens[0] in ("itself", "himself", "herself") and context:
            yield tokens[1:], context[-1], unchanged
        variable = VARIABLES[depth]
        for opening, number, quantifier in DETERMINERS:
            if begins(tokens, 0, opening):
                for rest, restriction in self.restrictions(
                    tokens[len(opening) :], variable, depth, context, number
                ):
                    yield rest, variable, quantifier(variable, restriction)

    def restrictions(
        self,
        tokens: tuple[str, ...],
        variable: str,
        depth: int,
        context: tuple[str, ...],
        number: str,
    ) -> Iterator[tuple[tuple[str, ...], Formula]]:
        """Yield what a noun with its relative clause says of a variable."""
        nouns = self.words.kinds if number == "kinds" else self.words.plurals
        if not tokens or tokens[0] not in nouns:
            return
        noun = ("atom", nouns[tokens[0]], (variable,))
        yield tokens[1:], noun
        if tokens[1:2] == ("that",):
            inner = (*context, variable)
            for rest, body in self.verb_phrase(tokens[2:], variable, depth + 1, inner):
                yield rest, ("and", noun, body)
            for rest, term, wrap in self.noun_phrase(tokens[2:], depth + 1, inner):
                for predicate, _, after in self.relation(rest, 0):
                    yield after, ("and", noun, wrap(("atom", predicate, (term, variable))))

    def relation(
        self, tokens: tuple[str, ...], form: int
    ) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield transitive verbs that the words begin with: past (form 0) or bare (form 1)."""
        for past, (predicate, bare) in self.words.relations.items():
            verb = tuple((past, bare)[form].split())
            if begins(tokens, 0, verb):
                yield predicate, bare, tokens[len(verb) :]

    def verb_phrase(
        self, tokens: tuple[str, ...], term: str, depth: int, context: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], Formula]]:
        yield from self.intransitive(tokens, term)
        positive = [(after, p, False) for p, _, after in self.relation(tokens, 0)]
        negative = []
        if tokens[:1] in (("didn't",), ("doesn't",)):
            # The published Carrollian keeps the past form: "didn't snicker-snacked".
            negative = [
                (after, p, True) for f in (0, 1) for p, _, after in self.relation(tokens[1:], f)
            ]
        for after, predicate, negated in positive + negative:
            for rest, other, wrap in self.noun_phrase(after, depth, context):
                body = wrap(("atom", predicate, (term, other)))
                yield rest, ("not", body) if negated else body

    def intransitive(
        self, tokens: tuple[str, ...], term: str
    ) -> Iterator[tuple[tuple[str, ...], Formula]]:
        for phrase, predicate, negated in self.words.intransitives:
            if begins(tokens, 0, phrase):
                atom: Formula = ("atom", predicate, (term,))
                yield tokens[len(phrase) :], ("not", atom) if negated else atom


def begins(tokens: tuple[str, ...], place: int, phrase: tuple[str, ...]) -> bool:
    return tokens[place : place + len(phrase)] == phrase


def every(variable: str, restriction: Formula) -> Wrap:
    return lambda body: ("all", variable, ("if", restriction, body))


def some(variable: str, restriction: Formula) -> Wrap:
    return lambda body: ("some", variable, ("and", restriction, body))


def none(variable: str, restriction: Formula) -> Wrap:
    return lambda body: ("not", ("some", variable, ("and", restriction, body)))


def not_every(variable: str, restriction: Formula) -> Wrap:
    return lambda body: ("not", ("all", variable, ("if", restriction, body)))


def only(variable: str, restriction: Formula) -> Wrap:
    return lambda body: ("all", variable, ("if", body, restriction))


DETERMINERS = (
    (("every",), "kinds", every),
    (("all",), "plurals", every),
    (("a",), "kinds", some),
    (("some",), "kinds", some),
    (("no",), "plurals", none),
    (("no",), "kinds", none),
    (("not", "all"), "plurals", not_every),
    (("not", "every"), "kinds", not_every),
    (("only",), "plurals", only),
)
"""Words, number of the noun, and meaning."""
