"""Sentences: those that stand for variables, and what they make of formulas.

They come from a theme's file, or from a language model (App. A.2, A.3), checked before they are
used. The files in ``themes/`` are our own; ``themes/banking.yaml`` explains their format.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from logic_curriculum.common.files import template
from logic_curriculum.common.yaml_file import FileModel, at, find_text, names_in, read_yaml
from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.rewards.completions import between_last
from logic_curriculum.rewards.engines.propositional import (
    MAX_VARIABLES,
    Compound,
    Formula,
    Variable,
)

_HERE = Path(__file__).parent


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.casefold().split())


_FOLDER = _HERE / "themes"
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


# Formulas as sentences


def sentence_case(text: str) -> str:
    """Return a text with a capital at its start.

    >>> sentence_case("the lift got stuck")
    'The lift got stuck'
    """
    return text[:1].upper() + text[1:]


def sentence(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return a formula as a sentence, with a capital and a full stop; see :func:`say`."""
    return f"{sentence_case(say(formula, atoms))}."


def say(formula: Formula, atoms: Mapping[str, Atom]) -> str:
    """Return the words of a formula, as in the middle of a sentence.

    They can be read back in one way only (App. A.2): atoms contain no comma, no bracket and no word
    that connects, every compound has words of its own, and within another, a list or a condition is
    in brackets.

    >>> from logic_curriculum.rewards.engines.propositional import parse
    >>> atoms = {"v1": Atom("it rains", "it does not rain"), "v2": Atom("Al sings", "Al is silent")}
    >>> say(parse("(v1→¬(¬v1∨v2))"), atoms)
    'if it rains, then it is not the case that (either it does not rain, or Al sings)'
    """
    match formula:
        case Variable(name):
            return atoms[name].text
        case Compound("¬", (Variable(name),)):
            return atoms[name].negation
    parts = [
        say(part, atoms) if part.operator in ("", "¬") else f"({say(part, atoms)})"
        for part in formula.parts
    ]
    if formula.operator == "¬":
        return f"it is not the case that {parts[0]}"
    if formula.operator == "→":
        return f"if {parts[0]}, then {parts[1]}"
    if formula.operator == "∧":
        connective, of_two, of_more = "and", "both", "each of these is true:"
    else:
        connective, of_two, of_more = "or", "either", "at least one of these is true:"
    opening = of_two if len(parts) == 2 else of_more
    return f"{opening} {', '.join(parts[:-1])}, {connective} {parts[-1]}"


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


# Sentences of a language model

TECHNIQUES = ("broadtopic", "themes", "fulltext")
"""What the model is told of the theme: its title, what it is about in a line, or its paragraph."""
TRIES = 5  # groundings that are tried, K in Algorithm 4; and answers for each sentence of one
THRESHOLD = 8  # the score, of 10, that a text needs in the model's own check of coherence (§4)

_SUPPORTS = ("do", "does", "did")
_LONGEST = 200


class GroundingError(RuntimeError):
    """The model found no sentences that can be used; the message counts the reasons."""


def ground_by_model(
    model: LanguageModel,
    technique: str,
    theme: Theme,
    formulas: Sequence[Formula],
    variables: Sequence[str],
) -> dict[str, Atom]:
    """Return sentences for the variables that together make a coherent text about a theme.

    The theme's own sentences are not used. Variables are asked for in their order, with the text of
    the formulas so far.

    Raises:
        GroundingError: No grounding was complete and coherent.
        LLMError: The model does not answer.
    """
    reference = {
        "broadtopic": f"The subject: {theme.title}.",
        "themes": f"The theme: {theme.topic}.",
        "fulltext": f"The reference text:\n{theme.text.strip()}",
    }[technique]
    grounding = _Grounding(model, reference, formulas, variables)
    for attempt in range(TRIES):
        if (atoms := grounding.attempt(attempt)) is not None:
            return atoms
    reasons = ", ".join(f"{count} {reason}" for reason, count in grounding.refused.items())
    raise GroundingError(
        f"The model {model.config.model!r} grounded no text of {len(variables)} variables on the "
        f"theme {theme.title!r} in {TRIES} tries; refused were {reasons}. Use another model or "
        "theme, other options or fewer variables, or leave the grounding out for the built-in "
        "sentences."
    )


@dataclass
class _Grounding:
    model: LanguageModel
    reference: str
    formulas: Sequence[Formula]
    variables: Sequence[str]
    refused: Counter[str] = field(default_factory=Counter)
    """Reason → how many answers were refused for it."""

    def attempt(self, number: int) -> dict[str, Atom] | None:
        """Return an atom for every variable, or None if one is missing or they don't cohere."""
        atoms: dict[str, Atom] = {}
        for variable in self.variables:
            if (atom := self._atom(variable, atoms, number)) is None:
                return None
            atoms[variable] = atom
        score = self._coherence(atoms)
        if score >= THRESHOLD:
            return atoms
        self.refused["texts that do not cohere" if score else "texts without a score"] += 1
        return None

    def _atom(self, variable: str, atoms: Mapping[str, Atom], attempt: int) -> Atom | None:
        sizes = {"least": WORDS.start, "most": WORDS.stop - 1}
        said = {"reference": self.reference, "text": self._text(atoms), "variable": variable}
        prompt = _filled("grounding", **said, **sizes)
        taken = list(atoms.values())
        text = self._first_good(prompt, attempt, partial(_read_atom, taken=taken))
        if text is None:
            return None
        read = partial(_read_negation, text=text, taken=taken)
        negation = self._first_good(_filled("negation", text=text), attempt, read)
        return None if negation is None else Atom(text, negation)

    def _first_good(self, prompt: str, attempt: int, read: Callable[[str], str]) -> str | None:
        for sample in range(attempt * TRIES, (attempt + 1) * TRIES):
            try:
                return read(self.model.ask(Question.of(prompt, sample)).text)
            except SentenceError as error:
                self.refused[error.reason] += 1
        return None

    def _text(self, atoms: Mapping[str, Atom]) -> str:
        """Return the statements so far, with brackets for variables that have no sentence yet."""
        known = {name: Atom(f"[{name}]", f"[not {name}]") for name in self.variables} | {**atoms}
        return "\n".join(f"{n}. {sentence(f, known)}" for n, f in enumerate(self.formulas, start=1))

    def _coherence(self, atoms: Mapping[str, Atom]) -> float:
        """Return the model's score for a text, from 1 to 10; 0 when it gives none."""
        pairs = ((sentence_case(a.text), sentence_case(a.negation)) for a in atoms.values())
        listed = "\n".join(f"- {text}. / {negation}." for text, negation in pairs)
        said = {"reference": self.reference, "listed": listed, "text": self._text(atoms)}
        prompt = _filled("coherence", **said)
        try:
            score = _tagged(self.model.ask(Question.of(prompt)).text, "score")
        except SentenceError:
            return 0
        match = re.fullmatch(r"(\d{1,2}(?:\.\d{1,2})?)(?: ?/ ?10)?", score)
        return float(match[1]) if match and 1 <= float(match[1]) <= 10 else 0


def _filled(name: str, **values: object) -> str:
    return f"{template(_HERE, name).format(**values)}\n"


def _tagged(answer: str, tag: str) -> str:
    text = between_last(answer, f"<{tag}>", f"</{tag}>")
    if text is None or len(text) > _LONGEST:
        raise SentenceError(f"answers without a {tag}")
    return " ".join(text.split()).removesuffix(".")


def _read_atom(answer: str, taken: Sequence[Atom]) -> str:
    text = _tagged(answer, "sentence")
    check_sentence(text)
    _check_new(text, taken)
    return text


def _read_negation(answer: str, text: str, taken: Sequence[Atom]) -> str:
    negation = _tagged(answer, "negation")
    check_negation(negation, text)
    stems = (_stems(text), _stems(negation))
    for words, others in (stems, stems[::-1]):
        if sum(not any(a.startswith(b) or b.startswith(a) for b in others) for a in words) > 1:
            raise SentenceError("negations of something else")
    _check_new(negation, [*taken, Atom(text, text)])
    return negation


def _stems(text: str) -> list[str]:
    """Return the beginnings of a sentence's words, without what negates it."""
    words = [word.removesuffix("n't").removesuffix("n’t") for word in text.casefold().split()]
    return [word[:3] for word in words if word not in (*NEGATIVES, *_SUPPORTS)]


def _check_new(text: str, taken: Sequence[Atom]) -> None:
    """Refuse what was said before, or what adds something to it or takes something away."""
    new = f"{text.casefold()} "
    for known in (f"{said.casefold()} " for atom in taken for said in (atom.text, atom.negation)):
        if new.startswith(known) or known.startswith(new):
            raise SentenceError("sentences said before")
