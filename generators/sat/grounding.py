"""Sentences for variables from a language model (App. A.2, A.3), checked before they are used."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from logic_curriculum.common.files import template
from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.generators.sat import themes as checks
from logic_curriculum.generators.sat.prompts import sentence
from logic_curriculum.generators.sat.themes import WORDS, Atom, SentenceError, Theme, sentence_case
from logic_curriculum.rewards.completions import between_last
from logic_curriculum.rewards.engines.propositional import Formula

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
    return f"{template(Path(__file__).parent, name).format(**values)}\n"


def _tagged(answer: str, tag: str) -> str:
    text = between_last(answer, f"<{tag}>", f"</{tag}>")
    if text is None or len(text) > _LONGEST:
        raise SentenceError(f"answers without a {tag}")
    return " ".join(text.split()).removesuffix(".")


def _read_atom(answer: str, taken: Sequence[Atom]) -> str:
    text = _tagged(answer, "sentence")
    checks.check_sentence(text)
    _check_new(text, taken)
    return text


def _read_negation(answer: str, text: str, taken: Sequence[Atom]) -> str:
    negation = _tagged(answer, "negation")
    checks.check_negation(negation, text)
    stems = (_stems(text), _stems(negation))
    for words, others in (stems, stems[::-1]):
        if sum(not any(a.startswith(b) or b.startswith(a) for b in others) for a in words) > 1:
            raise SentenceError("negations of something else")
    _check_new(negation, [*taken, Atom(text, text)])
    return negation


def _stems(text: str) -> list[str]:
    """Return the beginnings of a sentence's words, without what negates it."""
    words = [word.removesuffix("n't").removesuffix("n’t") for word in text.casefold().split()]
    return [word[:3] for word in words if word not in (*checks.NEGATIVES, *_SUPPORTS)]


def _check_new(text: str, taken: Sequence[Atom]) -> None:
    """Refuse what was said before, or what adds something to it or takes something away."""
    new = f"{text.casefold()} "
    for known in (f"{said.casefold()} " for atom in taken for said in (atom.text, atom.negation)):
        if new.startswith(known) or known.startswith(new):
            raise SentenceError("sentences said before")
