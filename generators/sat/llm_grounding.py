"""Sentences for variables from a language model, one at a time, checked before they are used.

Source: App. A.2 (Algorithms 2 and 4: techniques, tries, threshold) and A.3 (what is asked); the
prompts and the checks are our own.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.generators.sat.stitching import sentence
from logic_curriculum.generators.sat.theme_file import (
    CONNECTIVES,
    MAX_DIFFERENCE,
    NEGATIVES,
    QUANTIFIERS,
    WORDS,
)
from logic_curriculum.generators.sat.themes import Atom, Theme, sentence_case
from logic_curriculum.rewards.engines.propositional.syntax import Formula

TECHNIQUES = ("broadtopic", "themes", "fulltext")
"""What the model is told of the theme: its title, what it is about in a line, or its paragraph."""
TRIES = 5
"""Groundings of a task that are tried, K in Algorithm 4; and answers that are tried for each
sentence of one."""
THEMES = 4
"""Themes of which a task may take one: where the model fails with a theme, the next is tried."""
THRESHOLD = 8
"""The score, of 10, that a text has to exceed in the model's own check of coherence."""

_log = logging.getLogger(__name__)
_AUXILIARIES = ("is", "are", "was", "were", "will", "can", "could", "would")
"""Verbs whose sentence is false exactly where it is true with "not" behind them."""
_SUPPORTS = ("do", "does", "did")
_SUBORDINATORS = ("that", "when", "where", "which", "while", "who", "whom", "whose", "why")
_FOREIGN = re.compile(r"[^\w '’-]|_")
_LONGEST = 200


class GroundingError(RuntimeError):
    """The model found no sentences that can be used; the message counts the reasons."""


class _RefusedError(Exception):
    """An answer can't be used; the text is the reason that it is counted under."""


def ground_on_one(
    model: LanguageModel,
    technique: str,
    themes: Sequence[Theme],
    formulas: Sequence[Formula],
    variables: Sequence[str],
) -> tuple[Theme, dict[str, Atom]]:
    """Return the first theme on which the model grounds a text, and its sentences.

    Raises:
        ValueError: There is no such technique.
        GroundingError: It grounded none; the message is about the last theme.
        LLMError: The model does not answer.
    """
    for theme in themes[:-1]:
        try:
            return theme, ground_by_model(model, technique, theme, formulas, variables)
        except GroundingError as error:
            _log.info("%s", error)
    return themes[-1], ground_by_model(model, technique, themes[-1], formulas, variables)


def ground_by_model(
    model: LanguageModel,
    technique: str,
    theme: Theme,
    formulas: Sequence[Formula],
    variables: Sequence[str],
) -> dict[str, Atom]:
    """Return sentences for the variables that together make a coherent text.

    Args:
        model: Who is asked.
        technique: One of :data:`TECHNIQUES`.
        theme: What the sentences are to be about; its own sentences are not used.
        formulas: The clauses of the task, whose text so far every prompt shows.
        variables: Their variables, in the order in which they are asked for.

    Raises:
        ValueError: There is no such technique.
        GroundingError: None of :data:`TRIES` groundings was complete and coherent.
        LLMError: The model does not answer.
    """
    if technique not in TECHNIQUES:
        raise ValueError(
            f"grounding={technique!r} does not exist: choose one of {', '.join(TECHNIQUES)}"
        )
    reference = _reference(technique, theme)
    refused: Counter[str] = Counter()
    for attempt in range(TRIES):
        atoms = _ground_once(model, reference, formulas, variables, attempt, refused)
        if atoms is None:
            continue
        score = _coherence(model, reference, formulas, atoms)
        if score is not None and score > THRESHOLD:
            return atoms
        refused["texts without a score" if score is None else "texts that do not cohere"] += 1
    reasons = ", ".join(f"{count} {reason}" for reason, count in refused.items())
    raise GroundingError(
        f"The model {model.config.model!r} grounded no text of {len(variables)} variables on the "
        f"theme {theme.name!r} in {TRIES} tries; refused were {reasons}. Use another model, other "
        "options or fewer variables, or leave the grounding out for the built-in sentences."
    )


def _reference(technique: str, theme: Theme) -> str:
    if technique == "broadtopic":
        return f"The subject: {theme.title}."
    if technique == "themes":
        return f"The theme: {theme.topic}."
    return f"The reference text:\n{theme.text.strip()}"


def _ground_once(
    model: LanguageModel,
    reference: str,
    formulas: Sequence[Formula],
    variables: Sequence[str],
    attempt: int,
    refused: Counter[str],
) -> dict[str, Atom] | None:
    """Return an atom for every variable, or None when one was not found."""
    atoms: dict[str, Atom] = {}
    for variable in variables:
        prompt = _grounding_prompt(reference, _text_so_far(formulas, variables, atoms), variable)
        taken = list(atoms.values())
        text = _first_good(model, prompt, attempt, refused, partial(_read_atom, taken=taken))
        if text is None:
            return None
        read = partial(_read_negation, text=text, taken=taken)
        negation = _first_good(model, _negation_prompt(text), attempt, refused, read)
        negation = negation or _negated_by_rule(text, read)
        if negation is None:
            return None
        atoms[variable] = Atom(text, negation)
    return atoms


def _first_good(
    model: LanguageModel,
    prompt: str,
    attempt: int,
    refused: Counter[str],
    read: Callable[[str], str],
) -> str | None:
    for sample in range(attempt * TRIES, (attempt + 1) * TRIES):
        try:
            return read(model.ask(Question.of(prompt, sample)).text)
        except _RefusedError as reason:
            refused[str(reason)] += 1
    return None


def _text_so_far(
    formulas: Sequence[Formula], variables: Sequence[str], atoms: Mapping[str, Atom]
) -> str:
    open_ones = {name: Atom(f"[{name}]", f"[not {name}]") for name in variables}
    known = {**open_ones, **atoms}
    return "\n".join(f"{place}. {sentence(f, known)}" for place, f in enumerate(formulas, start=1))


# ---- what is asked ------------------------------------------------------------------------------


def _grounding_prompt(reference: str, text: str, variable: str) -> str:
    return f"""\
The statements below belong to one realistic situation. Some of their places, in square brackets, \
still wait for a sentence of their own.

{reference}

Statements so far (they may contradict one another; that is on purpose):
{text}

Give a sentence for [{variable}]. It says one simple thing about one definite person, place or \
thing that fits the situation, affirmatively, in {WORDS.start} to {WORDS.stop - 1} words. It could \
as well be false, and whether it is true follows from none of the other sentences, nor does it \
exclude any. It contains no word that connects, negates or counts (and, or, if, not, every, only \
and their like) and no punctuation. Write it as in the middle of a longer sentence, without a \
capital at its start unless it is a name's, between <sentence> and </sentence>.
"""


def _negation_prompt(text: str) -> str:
    return f"""\
Write the sentence that is true exactly where this one is false: "{text}". Negate its verb with \
"not" and change nothing else. Write it without a capital at its start unless it is a name's, and \
without punctuation, between <negation> and </negation>.
"""


def _coherence_prompt(reference: str, text: str, atoms: Mapping[str, Atom]) -> str:
    listed = "\n".join(
        f"- {sentence_case(atom.text)}. / {sentence_case(atom.negation)}."
        for atom in atoms.values()
    )
    return f"""\
{reference}

These sentences, each beside its negation, are the building blocks of a text:
{listed}

The text:
{text}

Judge the building blocks and how they read in the text. Are they plain and grammatical? Do they \
fit the reference? Is each negation true exactly where its sentence is false? Can any of the \
sentences be true or false whatever the others are? That the text's statements may contradict one \
another is on purpose and does not count. Explain briefly, then give a score from 1 to 10 between \
<score> and </score>.
"""


# ---- what is answered ---------------------------------------------------------------------------


def _tagged(answer: str, tag: str) -> str:
    """Return the text between the last pair of tags."""
    _, opened, rest = answer.rpartition(f"<{tag}>")
    text, closed, _ = rest.partition(f"</{tag}>")
    if not opened or not closed or len(text) > _LONGEST:
        raise _RefusedError(f"answers without a {tag}")
    return " ".join(text.split()).removesuffix(".")


def _read_atom(answer: str, taken: Sequence[Atom]) -> str:
    text = _tagged(answer, "sentence")
    words = _check_words(text)
    if any(_is_negative(word) for word in words):
        raise _RefusedError("sentences that negate")
    if len(words) not in WORDS:
        raise _RefusedError("sentences of another length")
    _check_new(text, taken)
    return text


def _negated_by_rule(text: str, read: Callable[[str], str]) -> str | None:
    """Return a sentence with "not" behind its auxiliary, if it has one and no clause within."""
    words = text.split()
    places = [place for place, word in enumerate(words) if word in _AUXILIARIES]
    if len(places) != 1 or any(word in _SUBORDINATORS for word in words):
        return None
    negated = " ".join([*words[: places[0] + 1], "not", *words[places[0] + 1 :]])
    try:
        return read(f"<negation>{negated}</negation>")
    except _RefusedError:
        return None


def _read_negation(answer: str, text: str, taken: Sequence[Atom]) -> str:
    negation = _tagged(answer, "negation")
    words = _check_words(negation)
    if sum(map(_is_negative, words)) != 1:
        raise _RefusedError("negations without one word that negates")
    if abs(len(words) - len(text.split())) > MAX_DIFFERENCE:
        raise _RefusedError("negations of another length")
    if _differing(_stems(text), _stems(negation)) > 1:
        raise _RefusedError("negations of something else")
    _check_new(negation, [*taken, Atom(text, text)])
    return negation


def _stems(text: str) -> list[str]:
    """Return the words of a sentence without what negates it."""
    words = [word.removesuffix("n't").removesuffix("n’t") for word in text.casefold().split()]
    return [word for word in words if word not in NEGATIVES and word not in _SUPPORTS]


def _differing(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words of one sentence begin like none of the other, the more of both ways."""
    return max(
        sum(not any(_begin_alike(word, known) for known in second) for word in first)
        for first, second in ((words, others), (others, words))
    )


def _begin_alike(word: str, other: str) -> bool:
    length = min(3, len(word), len(other))
    return word[:length] == other[:length]


def _check_words(text: str) -> list[str]:
    words = text.casefold().split()
    if _FOREIGN.search(text):
        raise _RefusedError("sentences with punctuation")
    if any(word in CONNECTIVES or word in QUANTIFIERS for word in words):
        raise _RefusedError("sentences that connect or quantify")
    return words


def _is_negative(word: str) -> bool:
    return word in NEGATIVES or word.endswith(("n't", "n’t"))


def _check_new(text: str, taken: Sequence[Atom]) -> None:
    """Refuse what was said before, or what adds something to it or takes something away."""
    new = f"{text.casefold()} "
    for known in (f"{said.casefold()} " for atom in taken for said in (atom.text, atom.negation)):
        if new.startswith(known) or known.startswith(new):
            raise _RefusedError("sentences said before")


def _coherence(
    model: LanguageModel, reference: str, formulas: Sequence[Formula], atoms: Mapping[str, Atom]
) -> float | None:
    """Return the model's score for a text, from 1 to 10; None when it gives none."""
    text = _text_so_far(formulas, list(atoms), atoms)
    answer = model.ask(Question.of(_coherence_prompt(reference, text, atoms))).text
    try:
        score = _tagged(answer, "score")
    except _RefusedError:
        return None
    match = re.fullmatch(r"(\d{1,2}(?:\.\d{1,2})?)(?: ?/ ?10)?", score)
    return float(match[1]) if match and 1 <= float(match[1]) <= 10 else None
