"""Lets a language model reword the sentences of a task, and keeps what still says the same.

Source: the second step of LogiNumSynth's generator (§2.3, App. E.2); the prompt and the check are
our own. No answer is trusted: a sentence is used if it is read, without a model, as saying what
the template's sentence says.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from logic_curriculum.generators.llm import LanguageModel, Question
from logic_curriculum.generators.loginum import refinement_reading as reading
from logic_curriculum.generators.loginum.language import Texts
from logic_curriculum.generators.loginum.refinement_reading import UnreadableError
from logic_curriculum.generators.loginum.synthesis import Sample
from logic_curriculum.generators.loginum.vocabulary import Words

AT_A_TIME = 12  # sentences of one question to the model

_LINE = re.compile(r"[ \t*`-]*((?:fact|rule)_[0-9]+|query)`?\**:\**[ \t]*(.*\S)")


class _Item(NamedTuple):
    label: str
    formal: str
    text: str
    read: Callable[[str], reading.Reading]


def refine(
    model: LanguageModel, sample: Sample, texts: Texts, words: Words
) -> tuple[Texts, int, dict[str, int]]:
    """Ask for another wording of each sentence of the templates; take those that say the same.

    Returns the texts, how many sentences are the model's, and how many aren't, by the reason.

    The model is asked once about each, about :data:`AT_A_TIME` in a question. ``words`` are all
    names, attributes and relations of the task's world.

    Raises:
        LLMError: The model does not answer.
    """
    items = _items(sample, texts, reading.SentenceReader(words))
    parts = [items[start : start + AT_A_TIME] for start in range(0, len(items), AT_A_TIME)]
    answers = model.ask_all([Question.of(_prompt(part)) for part in parts])
    kept: Counter[str] = Counter()
    found: dict[str, str] = {}
    for part, answer in zip(parts, answers, strict=True):
        proposals = _proposals(answer.text)
        for item in part:
            try:
                found[item.label] = _checked(item, proposals.get(item.label, ()))
            except UnreadableError as reason:
                kept[str(reason)] += 1
                found[item.label] = item.text
    facts, rules = len(texts.facts), len(texts.rules)
    told = list(found.values())
    refined = Texts(told[:facts], told[facts : facts + rules], told[-1])
    return refined, len(items) - kept.total(), dict(sorted(kept.items()))


def _items(sample: Sample, texts: Texts, reader: reading.SentenceReader) -> list[_Item]:
    kinds = (("fact", sample.facts, texts.facts, reader.fact),
             ("rule", sample.rules, texts.rules, reader.rule))  # fmt: skip
    items = [
        _Item(f"{kind}_{number}", str(item), text, read)
        for kind, formal, told, read in kinds
        for number, (item, text) in enumerate(zip(formal, told, strict=True), 1)
    ]
    return [*items, _Item("query", str(sample.query), texts.query, reader.query)]


def _proposals(answer: str) -> dict[str, list[str]]:
    """Return the sentences of an answer by label."""
    found: dict[str, list[str]] = {}
    for line in answer.splitlines():
        if match := _LINE.fullmatch(line.rstrip()):
            found.setdefault(match[1], []).append(match[2])
    return found


def _checked(item: _Item, proposals: Sequence[str]) -> str:
    """Return the one proposal for a sentence if it says the same; raise the reason if not."""
    if len(proposals) != 1:
        raise UnreadableError("answered twice" if proposals else "not answered")
    text = " ".join(proposals[0].split())
    if text == item.text:
        raise UnreadableError("left as it was")
    try:
        said = item.read(item.text)
    except UnreadableError:
        raise UnreadableError("a template that the check can't read") from None
    if item.read(text) != said:
        raise UnreadableError("something else said")
    if text[0] != text[0].upper() and not text.startswith("entity_"):
        raise UnreadableError("no sentence")
    return text


def _prompt(items: Sequence[_Item]) -> str:
    listed = "\n".join(f"{item.label}: {item.text}   [{item.formal}]" for item in items)
    return f"""\
The sentences below were put together from templates. Write each of them anew as a fluent person \
would say it, in one sentence, with exactly the same meaning. Behind each sentence, in square \
brackets, stands what it says as a formula; there ?a, ?b, ... are entity_1, entity_2, ... of the \
sentence, in some order.

- Keep all names, all names of attributes and relations, and entity_1, entity_2, ... as they are. \
Keep numbers as digits, with their signs.
- Repeat a name where you need it again: write no pronoun for it, and leave nothing out.
- A relation has a direction. Who does it to whom must stay clear, and who has which value.
- In rules, say plainly what the conditions are and what follows, with words such as "if", \
"whenever" and "provided that". Keep the wording of calculations, brackets included, and reword \
what is around them.
- Add nothing: no doubt, no emphasis, no explanation, no commas within a statement.
- Vary the wording from sentence to sentence.

{listed}

Answer with one line for each sentence: its label, a colon and the new sentence, without the \
formula.
"""
