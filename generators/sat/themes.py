"""Theme banks: the sentences that stand for variables where no language model writes them.

The files in ``themes/`` are our own; ``themes/banking.yaml`` explains their format.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from logic_curriculum.common.yaml_file import FileModel, at, find_text, names_in, read_yaml
from logic_curriculum.rewards.engines.propositional import MAX_VARIABLES


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.casefold().split())


_FOLDER = Path(__file__).with_name("themes")
SHIPPED = names_in(_FOLDER)  # the themes that come with the package
MIN_ATOMS = MAX_VARIABLES  # fewest sentences of a theme
WORDS = range(4, 13)  # numbers of words that a sentence may have
MAX_DIFFERENCE = 3
"""Words that a negation may have more or less than its sentence, so that length tells little."""
CONNECTIVES = _words(
    "and or nor if iff then both either neither unless but while whereas because although though "
    "whether otherwise when whenever so therefore"
)
"""Words that no sentence may contain, or a text could be read in two ways."""
QUANTIFIERS = _words(
    "all every each any some most only always also again already yet still too anyone anybody "
    "anything everyone everybody everything someone somebody something"
)
"""Words that no sentence may contain, because its negation or its link to others is unclear."""
NEGATIVES = _words("not no never cannot nobody nothing none nowhere")
"""Words of which a negation has one and an affirmative sentence has none."""
_PUNCTUATION = re.compile(r"[^\w '’-]|_")


@dataclass(frozen=True)
class Atom:
    """A sentence as in the middle of another: no full stop, no capital but that of a name."""

    text: str
    negation: str  # true exactly where `text` is false


def sentence_case(text: str) -> str:
    """Return a text with a capital at its start.

    >>> sentence_case("the lift got stuck")
    'The lift got stuck'
    """
    return text[:1].upper() + text[1:]


class SentenceError(ValueError):
    """A sentence can't be told apart from the text around it, or not be negated.

    Beside the message, ``reason`` has the kind of the fault, e.g. ``"sentences that negate"``.
    """

    def __init__(self, reason: str, problem: str = "") -> None:
        super().__init__(problem or reason)
        self.reason = reason


def check_sentence(text: str) -> None:
    """Raise a :class:`SentenceError` for a text that can't stand for a variable."""
    words = _checked_words(text)
    if taken := [word for word in words if _is_negative(word)]:
        problem = f"{text!r} contains {taken[0]!r}; write the affirmative before the colon"
        raise SentenceError("sentences that negate", problem)
    if len(words) not in WORDS:
        problem = f"{text!r} has {len(words)} words; use {WORDS.start} to {WORDS.stop - 1}"
        raise SentenceError("sentences of another length", problem)


def check_negation(negation: str, text: str) -> None:
    """Raise a :class:`SentenceError` for a text that can't be the negation of a sentence."""
    words = _checked_words(negation)
    count = sum(map(_is_negative, words))
    if count != 1:
        raise SentenceError(
            "negations without one word that negates",
            f"{negation!r} has {count} words that negate, not one; negate the verb with `not`, "
            "since an opposite word may be false as well",
        )
    length = len(text.split())
    if abs(len(words) - length) > MAX_DIFFERENCE:
        raise SentenceError(
            "negations of another length",
            f"{negation!r} has {len(words)} words, its sentence {length}; write the negation like "
            "the sentence",
        )


def _checked_words(text: str) -> tuple[str, ...]:
    words = _words(text)
    if odd := _PUNCTUATION.search(text):
        problem = f"{text!r} contains {odd[0]!r}; write words and spaces alone"
        raise SentenceError("sentences with punctuation", problem)
    for taken in (word for word in words if word in (*CONNECTIVES, *QUANTIFIERS)):
        problem = (
            f"the connective {taken!r}; say one thing: connectives are what tasks add"
            if taken in CONNECTIVES
            else f"{taken!r}, whose negation can be read in several ways; speak of one thing, by "
            "its name"
        )
        raise SentenceError("sentences that connect or quantify", f"{text!r} contains {problem}")
    return words


def _is_negative(word: str) -> bool:
    return word in NEGATIVES or word.endswith(("n't", "n’t"))


# Theme files


def _one_line(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise ValueError("the text is empty; write one")
    return text


def _subject(text: str) -> str:
    if text.startswith(("The ", "There")):
        raise ValueError(f"{text!r} begins with a capital; write it as after another word")
    return text


_Line = Annotated[str, AfterValidator(_one_line)]


class _Group(FileModel):
    """Each subject is combined with each predicate."""

    subjects: list[Annotated[_Line, AfterValidator(_subject)]] = Field(min_length=1)
    predicates: dict[str, _Line] = Field(min_length=1)  # predicate → its negation

    def atoms(self) -> list[tuple[str, Atom]]:
        """Return the sentences, each behind its predicate."""
        return [
            (predicate, Atom(f"{subject} {predicate}", f"{subject} {negation}"))
            for subject in self.subjects
            for predicate, negation in self.predicates.items()
        ]

    @model_validator(mode="after")
    def _check_sentences(self) -> _Group:
        for predicate, atom in self.atoms():
            try:
                check_sentence(atom.text)
                check_negation(atom.negation, atom.text)
            except SentenceError as error:
                raise at("predicates", predicate, problem=str(error)) from error
        return self


class Theme(FileModel):
    """Sentences that are independent of one another: any of them may be true or false together."""

    title: _Line
    topic: _Line  # what the theme is about, in a line; for language models
    text: _Line  # a paragraph about it; for language models
    groups: list[_Group]

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:
        """All sentences."""
        return tuple(atom for group in self.groups for _, atom in group.atoms())

    @model_validator(mode="after")
    def _check_independence(self) -> Theme:
        """Refuse sentences that occur twice, or that add something to another of the theme."""
        entries = sorted(
            (text.casefold(), number, predicate)
            for number, group in enumerate(self.groups)
            for predicate, atom in group.atoms()
            for text in (atom.text, atom.negation)
        )
        for (text, *_), (following, number, predicate) in itertools.pairwise(entries):
            if f"{following} ".startswith(f"{text} "):
                problem = f"{following!r} occurs twice; keep one of them"
                if text != following:
                    problem = (
                        f"{following!r} begins with {text!r}, so that may follow from it; keep one "
                        "of them, or say something else"
                    )
                raise at("groups", number, "predicates", predicate, problem=problem)
        if len(entries) < 2 * MIN_ATOMS:
            problem = (
                f"the theme has {len(entries) // 2} sentences, fewer than a large task needs; add "
                f"subjects or predicates until there are {MIN_ATOMS}; 200 give variety"
            )
            raise at("groups", problem=problem)
        return self


@lru_cache(maxsize=64)
def read_theme(content: str, file: str) -> Theme:
    """Read a theme from the content of a YAML file, or raise a :class:`YamlFileError`."""
    return read_yaml(content, file, Theme, "start from a shipped theme")


def load_theme(name_or_path: str | Path) -> Theme:
    """Load a shipped theme by its name, or a file by its path; ``ValueError`` if it is none."""
    return read_theme(*find_text(name_or_path, _FOLDER, SHIPPED, "theme"))
