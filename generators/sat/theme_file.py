"""Reads theme files and explains, with file and line, what is wrong with a bad one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from logic_curriculum.generators.sat.themes import Atom, Theme
from logic_curriculum.generators.yaml_source import Source


def _words(*texts: str) -> tuple[str, ...]:
    return tuple(word for text in texts for word in text.lower().split())


MIN_ATOMS = 20
"""Fewest sentences of a theme: a set of clauses may have about so many variables."""
WORDS = range(4, 13)
"""Numbers of words that a sentence may have."""
MAX_DIFFERENCE = 3
"""Words that a negation may have more or less than its sentence, so that length tells little."""
CONNECTIVES = _words(
    "and or nor if iff then both either neither unless but while whereas because although though",
    "whether otherwise when whenever so therefore",
)
"""Words that no sentence may contain, or a text could be read in two ways."""
QUANTIFIERS = _words(
    "all every each any some most only always also again already yet still too anyone anybody",
    "anything everyone everybody everything someone somebody something",
)
"""Words that no sentence may contain, because its negation or its link to others is unclear."""
NEGATIVES = _words("not no never cannot nobody nothing none nowhere")
"""Words of which a negation has one and an affirmative sentence has none."""

_FOREIGN = re.compile(r"[^\w '’-]|_")


def read_theme(content: str, file: str) -> Theme:
    """Read a theme from the content of a YAML file; the file's name is the theme's.

    Raises:
        LanguageFileError: The content is not a theme (a ``ValueError``).
    """
    source = Source(file)
    root = source.root(content, "start from a shipped theme")
    found = source.keyed(root, "the file", ("title", "topic", "text", "groups"))
    atoms: list[Atom] = []
    lines: list[yaml.Node] = []
    for group in source.items(found["groups"], "`groups`"):
        for node, atom in _combine(source, group):
            _check(source, node, atom)
            atoms.append(atom)
            lines.append(node)
    _check_together(source, atoms, lines)
    if len(atoms) < MIN_ATOMS:
        source.fail(
            found["groups"],
            f"the theme has {len(atoms)} sentences, fewer than a large task needs",
            f"add subjects or predicates until there are {MIN_ATOMS}; 200 give variety",
        )
    return Theme(
        name=Path(file).stem,
        title=_text(source, found["title"], "`title`"),
        topic=_text(source, found["topic"], "`topic`"),
        text=_text(source, found["text"], "`text`"),
        atoms=tuple(atoms),
    )


def _combine(source: Source, group: yaml.Node) -> Iterator[tuple[yaml.Node, Atom]]:
    """Yield each subject with each predicate of a group, and the line that the latter stands in."""
    found = source.keyed(group, "a group", ("subjects", "predicates"))
    subjects = [
        _text(source, item, "a subject") for item in source.items(found["subjects"], "`subjects`")
    ]
    predicates = source.mapping(found["predicates"], "`predicates`")
    if not subjects or not predicates:
        source.fail(group, "the group makes no sentence", "give it subjects and predicates")
    for subject in subjects:
        if subject.startswith(("The ", "There")):
            source.fail(
                group, f"{subject!r} begins with a capital", "write it as after another word"
            )
        for predicate, node in predicates.items():
            negated = _text(source, node, f"the negation of {predicate!r}")
            yield node, Atom(f"{subject} {predicate}", f"{subject} {negated}")


def _text(source: Source, node: yaml.Node, what: str) -> str:
    """Return a text with single spaces."""
    return " ".join(source.text(node, what).split())


def _is_negative(word: str) -> bool:
    return word in NEGATIVES or word.endswith(("n't", "n’t"))


def _check(source: Source, node: yaml.Node, atom: Atom) -> None:
    """Refuse a sentence that can't be told apart from the text around it, or not be negated."""
    for text in (atom.text, atom.negation):
        if odd := _FOREIGN.search(text):
            source.fail(node, f"{text!r} contains {odd[0]!r}", "write words and spaces alone")
        words = _words(text)
        if taken := [word for word in words if word in CONNECTIVES]:
            source.fail(
                node,
                f"{text!r} contains the connective {taken[0]!r}",
                "say one thing: connectives are what tasks add",
            )
        if taken := [word for word in words if word in QUANTIFIERS]:
            source.fail(
                node,
                f"{text!r} contains {taken[0]!r}, whose negation can be read in several ways",
                "speak of one thing, by its name",
            )
    _check_length(source, node, atom)
    _check_negation(source, node, atom)


def _check_length(source: Source, node: yaml.Node, atom: Atom) -> None:
    length, negated = len(_words(atom.text)), len(_words(atom.negation))
    if length not in WORDS:
        limits = f"{WORDS.start} to {WORDS.stop - 1}"
        source.fail(node, f"{atom.text!r} has {length} words", f"use {limits}")
    if abs(length - negated) > MAX_DIFFERENCE:
        source.fail(
            node,
            f"{atom.negation!r} has {negated} words, its sentence {length}",
            "write the negation like the sentence",
        )


def _check_negation(source: Source, node: yaml.Node, atom: Atom) -> None:
    """Refuse a negation that does not negate, or a sentence that is one."""
    if atom.text.casefold() == atom.negation.casefold():
        source.fail(node, f"the negation of {atom.text!r} is the sentence itself", "negate it")
    if taken := [word for word in _words(atom.text) if _is_negative(word)]:
        source.fail(
            node, f"{atom.text!r} contains {taken[0]!r}", "write the affirmative before the colon"
        )
    if not any(_is_negative(word) for word in _words(atom.negation)):
        source.fail(
            node,
            f"{atom.negation!r} contains no word that negates",
            "negate the verb with `not`; an opposite word may be false as well",
        )


def _check_together(source: Source, atoms: list[Atom], lines: list[yaml.Node]) -> None:
    """Refuse sentences that occur twice, or that add something to another of the theme."""
    entries = [
        (text.casefold(), number)
        for number, atom in enumerate(atoms)
        for text in (atom.text, atom.negation)
    ]
    entries.sort()
    for (text, _), (following, number) in itertools.pairwise(entries):
        if text == following:
            source.fail(lines[number], f"{following!r} occurs twice", "keep one of them")
        if following.startswith(f"{text} "):
            source.fail(
                lines[number],
                f"{following!r} begins with {text!r}, so that may follow from it",
                "keep one of them, or say something else",
            )
