"""Lets a language model reword the sentences of a task, and keeps what still says the same.

Source: the second step of LogiNumSynth's generator (§2.2, App. E.2); the prompt and the check are
our own. A sentence is used if it has the same names, attributes, relations, numbers and other words
in the same order as the template's. Only words that change no meaning may come, go or be replaced:
articles and the like, words such as "attribute", those before conditions and before numbers. An
attribute may stand before or behind its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.common.files import template
from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.generators.loginum.language import Texts, Words, verb_forms
from logic_curriculum.generators.loginum.synthesis import Sample

AT_A_TIME = 12  # sentences of one question to the model

_LINE = re.compile(r"[ \t*`-]*((?:fact|rule)_[0-9]+|query)`?\**:\**[ \t]*(.*\S)")


class RefusedError(ValueError):
    """A sentence is not used; the text is the reason that it is counted under."""


class _Item(NamedTuple):
    label: str
    formal: str
    text: str


def refine(
    model: LanguageModel, sample: Sample, texts: Texts, words: Words
) -> tuple[Texts, dict[str, Any]]:
    """Ask for another wording of each sentence of the templates; take those that say the same.

    Returns the texts, and counts: ``reworded`` sentences, and those ``kept`` by reason. The model
    is asked once about each sentence, and an ``LLMError`` is raised where it does not answer.
    """
    items, meaning = _items(sample, texts), Meaning(words)
    parts = [items[start : start + AT_A_TIME] for start in range(0, len(items), AT_A_TIME)]
    answers = model.ask_all([Question.of(_prompt(part)) for part in parts])
    kept: Counter[str] = Counter()
    found: list[str] = []
    for part, answer in zip(parts, answers, strict=True):
        proposals = _proposals(answer.text)
        for item in part:
            try:
                found.append(_checked(item, proposals.get(item.label, ()), meaning))
            except RefusedError as reason:
                kept[str(reason)] += 1
                found.append(item.text)
    facts = len(texts.facts)
    refined = Texts(found[:facts], found[facts:-1], found[-1])
    return refined, {"reworded": len(items) - kept.total(), "kept": dict(sorted(kept.items()))}


def _items(sample: Sample, texts: Texts) -> list[_Item]:
    facts = enumerate(zip(sample.facts, texts.facts, strict=True), 1)
    rules = enumerate(zip(sample.rules, texts.rules, strict=True), 1)
    return [
        *[_Item(f"fact_{n}", str(fact), text) for n, (fact, text) in facts],
        *[_Item(f"rule_{n}", str(rule), text) for n, (rule, text) in rules],
        _Item("query", str(sample.query), texts.query),
    ]


def _proposals(answer: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in answer.splitlines():
        if match := _LINE.fullmatch(line.rstrip()):
            found.setdefault(match[1], []).append(match[2])
    return found


def _checked(item: _Item, proposals: Sequence[str], meaning: Meaning) -> str:
    """Return the one proposal for a sentence if it says the same; raise the reason if not."""
    if len(proposals) != 1:
        raise RefusedError("answered twice" if proposals else "not answered")
    text = " ".join(proposals[0].split())
    if text == item.text:
        raise RefusedError("left as it was")
    is_query = item.label == "query"
    is_begun = text[0] == text[0].upper() or text.startswith("entity_")
    if not (is_begun and text.endswith((".", "?") if is_query else ".")):
        raise RefusedError("no sentence")
    if meaning.of(text, is_query=is_query) != meaning.of(item.text, is_query=is_query):
        raise RefusedError("something else said")
    return text


def _prompt(items: Sequence[_Item]) -> str:
    listed = "\n".join(f"{item.label}: {item.text}   [{item.formal}]" for item in items)
    return f"{template(Path(__file__).parent, 'refinement').format(listed=listed)}\n"


# What a sentence says

_TOKEN = re.compile(r"[Ee]ntity_[0-9]+(?:['’]s)?|[−-]?[0-9]+|[^\W\d_]+(?:[-'’][^\W\d_]+)*+|\S")
_POSSESSIVE = re.compile(r"(?<=.)['’]s?$")
_SILENT = {
    *("a", "an", "the", "of", "for", "value", "attribute", "property", "characteristic"),
    *("trait", "quality", "feature", "field"),
}
_SILENT_IN_QUERIES = {
    *("what", "which", "number", "is", "does", "equal", "find", "determine", "compute"),
    *("calculate", "state", "tell", "please", ".", "?"),
}
_IF = re.compile(
    r"\b(?:if|when|whenever|once|as long as|in case|(?:every|each) time"
    r"|in (?:every|each|any) case (?:in which|where)|in all cases (?:in which|where)"
    r"|(?:provided|given|assuming|supposing|suppose|considering) that)(?= )"
)
_IS = re.compile(
    r"\b(?:is equal to|equals|amounts to|comes to|stands at|is set to"
    r"|is (?:given|recorded|listed|noted|registered) as)(?= -?[0-9])"
)


class Meaning:
    """What sentences of a task say, in a form that is equal for those that say the same."""

    def __init__(self, words: Words) -> None:
        forms = [form for relation in words.relations for form in verb_forms(relation).values()]
        self._names, self._attributes = frozenset(words.entities), frozenset(words.attributes)
        self._silent = _SILENT.difference(words.attributes, forms)

    def of(self, sentence: str, *, is_query: bool = False) -> list[str]:
        """Return the words that matter, in their order, each attribute behind its name."""
        text = " ".join(map(self._word, _TOKEN.findall(sentence))).replace(" , then ", " , ")
        words = _IS.sub("is", _IF.sub("if", text)).split()
        silent = self._silent | _SILENT_IN_QUERIES if is_query else self._silent
        said = [word for word in words if word not in silent]
        for place in range(len(said) - 1):
            if said[place] in self._attributes and self._is_entity(said[place + 1]):
                said[place], said[place + 1] = said[place + 1], said[place]
        return said

    def _word(self, text: str) -> str:
        """Return a token as it is compared: names without their case of possession."""
        bare = _POSSESSIVE.sub("", text)
        if text in self._names or bare in self._names:
            return text if text in self._names else bare
        if self._is_entity(bare.casefold()):
            return bare.casefold()
        return text.casefold().replace("−", "-")

    def _is_entity(self, word: str) -> bool:
        return word in self._names or word.startswith("entity_")
