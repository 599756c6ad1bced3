"""The words of a task, and the languages of facts, rules and queries: English, formal, clauses.

The pools of words are the lines of ``words/*.txt``, most frequent first; ``words/NOTICE`` says
where they are from. Attributes and relations have been thinned so that no two are synonyms or share
a stem, and no word occurs in two pools or in the templates.

English is the second step of LogiNumSynth's generator (§2.2, App. E.2): a template is drawn for
each part of a sentence, from ``templates/english.yaml``. Sentences can be read back: no two facts,
rules or queries share one, but for the names of a rule's variables.
"""

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import lemminflect
import yaml

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import Expression, Fact, Query, Rule

LANGUAGES = ("english", "formal", "clauses")
VARIABLES = tuple(f"?{letter}" for letter in "xyzuvwabcdefghijklmnopqrst")
"""Names of variables, in the order in which a rule's conditions use them."""
_FOLDER = Path(__file__).parent
_TRIES = 50  # draws per word of a pool; a word that is needed is then missed with e⁻⁵⁰


class Words(NamedTuple):
    """The names of things in one task, each pool without repetition."""

    entities: tuple[str, ...]
    attributes: tuple[str, ...]
    relations: tuple[str, ...]


@cache
def words_of(kind: str) -> tuple[str, ...]:
    """Return all ``names``, ``attributes`` or ``relations``, most frequent first."""
    return tuple((_FOLDER / "words" / f"{kind}.txt").read_text(encoding="utf-8").split())


def draw_words(
    rng: random.Random, entities: int, attributes: int, relations: int, limit: int | None = None
) -> Words:
    """Draw so many words of each kind; no two names look alike, as Bradly and Bradley do.

    With a limit, words are drawn from the first so many of each pool; ``ValueError``: too few.
    """
    numbers = {"names": entities, "attributes": attributes, "relations": relations}
    return Words(*[_draw(rng.random, number, kind, limit) for kind, number in numbers.items()])


def _draw(draw: Callable[[], float], number: int, kind: str, limit: int | None) -> tuple[str, ...]:
    words, looks, different = _pool(kind, limit)
    if number > different:
        raise ValueError(
            f"vocabulary={limit}: a task of this level needs {number} {kind} that look different, "
            f"and the first {len(words)} have {different}. Raise it, or leave it out."
        )
    size = len(words)
    chosen: dict[str, str] = {}
    for _ in range(_TRIES * size):
        if not (missing := number - len(chosen)):
            return tuple(chosen.values())
        for index in [int(draw() * size) for _ in range(missing)]:
            chosen.setdefault(looks[index], words[index])
    raise RuntimeError(f"{number} of {size} {kind} were not found in {_TRIES * size} turns")


@lru_cache(maxsize=64)
def _pool(kind: str, limit: int | None) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Return words, what look-alikes of each have in common, and how many look different."""
    words = words_of(kind)[:limit]
    looks = tuple(map(_skeleton, words)) if kind == "names" else words
    return words, looks, len(set(looks))


def _skeleton(name: str) -> str:
    """Return what is left of a name without vowels, y, h and doubled letters."""
    return name[0] + re.sub(r"(.)\1+", r"\1", re.sub("[aeiouyh]", "", name[1:]))


@cache
def verb_forms(relation: str) -> dict[str, str]:
    """Return a verb, which is a relation's name, and the forms of it that templates use.

    >>> verb_forms("abet")
    {'relation': 'abet', 'presents': 'abets', 'participle': 'abetted'}
    """
    presents, participle = (lemminflect.getInflection(relation, tag)[0] for tag in ("VBZ", "VBN"))
    return {"relation": relation, "presents": str(presents), "participle": str(participle)}


class Texts(NamedTuple):
    """The sentences of a sample."""

    facts: list[str]
    rules: list[str]
    query: str


def say(
    facts: Sequence[Fact], rules: Sequence[Rule], query: Query, language: str, rng: random.Random
) -> Texts:
    """Say facts, rules and the query in one of :data:`LANGUAGES`, in their order."""
    if language != "english":
        say_rule = clause if language == "clauses" else str
        return Texts([*map(str, facts)], [*map(say_rule, rules)], str(query))
    speaker = Speaker(rng)
    return Texts([*map(speaker.fact, facts)], [*map(speaker.rule, rules)], speaker.query(query))


@cache
def english() -> dict[str, Any]:
    """Return the parts of ``templates/english.yaml``, which explains itself.

    A part is a template, a list of templates that mean the same, or several such lists by name.
    """
    source = (_FOLDER / "templates" / "english.yaml").read_text(encoding="utf-8")
    return {part: _written_out(content) for part, content in yaml.safe_load(source).items()}


def _written_out(content: Any) -> Any:
    if isinstance(content, dict):
        return {name: _written_out(entries) for name, entries in content.items()}
    return content if isinstance(content, str) else [*itertools.chain(*map(_choices, content))]


def _choices(entry: Any) -> Iterator[str]:
    """Yield the text of an entry, with each choice of words if it has lists of them."""
    lists = {} if isinstance(entry, str) else {**entry}
    text = lists.pop("text", entry)
    for chosen in itertools.product(*lists.values()):
        filled = text
        for slot, word in zip(lists, chosen, strict=True):
            filled = filled.replace(f"{{{slot}}}", word)
        yield filled


class Speaker:
    """Says one sentence after the other in English, all drawn from one random stream."""

    def __init__(self, rng: random.Random) -> None:
        self.templates = english()
        self.names: dict[str, str] = {}
        """Variable → what it is called, numbered in the order in which conditions name them."""
        self.random = rng.random

    def fact(self, fact: Fact) -> str:
        """Say a fact: ``Claresta is hampered by Ed.``"""
        return f"{_capital(self._pattern(fact))}."

    def rule(self, rule: Rule) -> str:
        """Say a rule, its variables as ``entity_1``, …; TypeError where templates are missing."""
        self.names.clear()
        templates, conclusion = self.templates, rule.conclusion
        conditions = [self._pattern(condition) for condition in rule.conditions]
        if isinstance(conclusion, syntax.RelationFact):
            said = self._pattern(conclusion)
        else:
            said = self._assignment(conclusion)
        text = self._pick(templates["implications"]).format(
            conditions=templates["conjunction"].join(conditions),
            premises=templates["premise_conjunction"].join(conditions),
            conclusion=said,
        )
        return f"{_capital(text)}."

    def query(self, query: Query) -> str:
        """Say a query."""
        template = self._pick(self.templates["queries"])
        return _capital(template.format(lookup=self._lookup(query)))

    def _pick(self, bank: Sequence[str]) -> str:
        return bank[int(self.random() * len(bank))]

    def _name(self, term: str) -> str:
        if term[0] != "?":
            return term
        if (name := self.names.get(term)) is None:
            number = len(self.names) + 1
            self.names[term] = name = self.templates["variable"].format(number=number)
        return name

    def _pattern(self, pattern: Fact) -> str:
        if isinstance(pattern, syntax.AttributeFact):
            return self._attribute("attribute_facts", pattern, value=pattern.value)
        relation, *terms = pattern
        first, second = map(self._name, terms)
        template = self._pick(self.templates["relation_facts"])
        return template.format(first=first, second=second, **verb_forms(relation))

    def _assignment(self, assignment: syntax.Assignment) -> str:
        value = self._expression(assignment.expression)
        is_retrieval = type(assignment.expression) is syntax.Retrieval
        bank = "assignments" if is_retrieval else "attribute_facts"
        return self._attribute(bank, assignment, value=value)

    def _lookup(self, lookup: syntax.Lookup | Query) -> str:
        return self._attribute("retrievals", lookup)

    def _attribute(self, bank: str, item: Sequence[Any], **value: object) -> str:
        """Say something about what comes first in an item, an entity, and then, its attribute."""
        entity, attribute, *_ = item
        template = self._pick(self.templates[bank])
        return template.format(entity=self._name(entity), attribute=attribute, **value)

    def _expression(self, expression: Expression) -> str:
        match expression:
            case syntax.Constant(number):
                return str(number)
            case syntax.Retrieval(lookup):
                return self._lookup(lookup)
            case syntax.Calculation(factor, lookup, amount):
                kinds = ("increase", "decrease") if factor == 1 else ("addition", "subtraction")
                kind = kinds[amount < 0] if amount else "product"
                template = self._pick(self.templates["calculations"][kind])
                said = self._lookup(lookup)
                return template.format(factor=factor, lookup=said, amount=abs(amount))
            case syntax.Aggregation(operator, left, right):
                template = self._pick(self.templates["aggregations"][operator])
                return template.format(left=self._operand(left), right=self._operand(right))
        raise TypeError(
            f"no templates for {type(expression).__name__}: add a bank to templates/english.yaml "
            "and a case to Speaker._expression"
        )

    def _operand(self, expression: Expression) -> str:
        text = self._expression(expression)
        if isinstance(expression, syntax.Constant | syntax.Retrieval):
            return text
        return str(self.templates["operand"].format(expression=text))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


_VARIABLE = re.compile(r"\?[a-z]\w*")


def clause(rule: Rule) -> str:
    """Return a rule head first, its variables named in the order of occurrence.

    >>> from logic_curriculum.rewards.engines.numeric.syntax import parse_rule
    >>> clause(parse_rule("ask(?x, ?y) -> is(?y, deep, 5*?x[tall]+10)"))
    'is(?x, deep, 5*?y[tall]+10) <- ask(?y, ?x)'
    """
    text = f"{rule.conclusion} <- {' & '.join(map(str, rule.conditions))}"
    variables = list(dict.fromkeys(_VARIABLE.findall(text)))
    return _VARIABLE.sub(lambda found: VARIABLES[variables.index(found[0])], text)
