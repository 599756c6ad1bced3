"""The languages of facts, rules and queries: English, formal, and clauses.

English is the second step of LogiNumSynth's generator (§2.2, App. E.2): a template is drawn for
each part of a sentence, from ``templates/english.yaml``. Sentences can be read back: no two facts,
rules or queries share one, but for the names of a rule's variables.
"""

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import yaml

from logic_curriculum.generators.loginum.rules import VARIABLES
from logic_curriculum.generators.loginum.synthesis import Sample
from logic_curriculum.generators.loginum.vocabulary import verb_forms
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import Expression, Fact, Query, Rule

LANGUAGES = ("english", "formal", "clauses")


class Texts(NamedTuple):
    """The sentences of a sample."""

    facts: list[str]
    rules: list[str]
    query: str


def say(sample: Sample, language: str, rng: random.Random) -> Texts:
    """Say facts, rules and the query in one of :data:`LANGUAGES`, in the order of the sample."""
    facts, rules, query = sample.facts, sample.rules, sample.query
    if language != "english":
        say_rule = clause if language == "clauses" else str
        return Texts([*map(str, facts)], [*map(say_rule, rules)], str(query))
    speaker = Speaker(rng)
    return Texts([*map(speaker.fact, facts)], [*map(speaker.rule, rules)], speaker.query(query))


Template = Callable[..., str]  # takes the texts of its slots, in their order
Bank = tuple[Template, ...]  # templates that mean the same, so any may be drawn
_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Templates:
    """The parts of ``templates/english.yaml``, which explains itself."""

    attribute_facts: Bank
    assignments: Bank  # attribute facts whose value is that of another attribute
    relation_facts: Bank
    implications: Bank
    retrievals: Bank
    calculations: Mapping[str, Bank]  # by sign, factor and summand
    aggregations: Mapping[str, Bank]  # by operator
    queries: Bank
    operand: Template
    variable: Template
    conjunction: str  # between the conditions of a rule
    premise_conjunction: str  # the same, in implications with the slot premises


_SLOTS = {
    "attribute_facts": ("entity", "attribute", "value"),
    "assignments": ("entity", "attribute", "value"),
    "relation_facts": ("first", "second", "relation", "presents", "participle"),
    "implications": ("conditions", "premises", "conclusion"),
    "retrievals": ("entity", "attribute"),
    "calculations": ("factor", "lookup", "amount"),
    "aggregations": ("left", "right"),
    "queries": ("lookup",),
    "operand": ("expression",),
    "variable": ("number",),
}
"""Part of the file → the slots of its templates."""


@cache
def english() -> Templates:
    """Return the templates that come with the package."""
    file = resources.files("logic_curriculum.generators.loginum") / "templates" / "english.yaml"
    source = yaml.safe_load(file.read_text(encoding="utf-8"))
    templates = {part: _compile_all(source[part], slots) for part, slots in _SLOTS.items()}
    return Templates(**{**source, **templates})


def _compile_all(content: Any, slots: Sequence[str]) -> Any:
    """Return the template of a text, the bank of a list, the banks of a mapping."""
    if isinstance(content, dict):
        return {part: _compile_all(entries, slots) for part, entries in content.items()}
    if isinstance(content, list):
        return tuple(_compile(text, slots) for entry in content for text in _choices(entry))
    return _compile(content, slots)


def _choices(entry: Any) -> Iterator[str]:
    """Yield the text of an entry, with each choice of words if it has lists of them."""
    lists = {} if isinstance(entry, str) else {**entry}
    text = lists.pop("text", entry)
    for chosen in itertools.product(*lists.values()):
        filled = text
        for slot, word in zip(lists, chosen, strict=True):
            filled = filled.replace(f"{{{slot}}}", word)
        yield filled


def _compile(text: str, slots: Sequence[str]) -> Template:
    if unknown := [slot for slot in _SLOT.findall(text) if slot not in slots]:
        raise ValueError(f"{text!r} has a slot {unknown[0]!r}; its slots are {', '.join(slots)}")
    return _SLOT.sub(lambda slot: f"{{{slots.index(slot[1])}}}", text).format


class Speaker:
    """Says one sentence after the other in English, all drawn from one random stream."""

    def __init__(self, rng: random.Random) -> None:
        self.templates = english()
        self.names: dict[str, str] = {}
        """Variable → what it is called, numbered in the order in which conditions name them."""
        self.random = rng.random

    def fact(self, fact: Fact) -> str:
        """Say a fact: ``Claresta is hampered by Ed.``"""
        return _sentence(self._pattern(fact))

    def rule(self, rule: Rule) -> str:
        """Say a rule, its variables as ``entity_1``, …; TypeError where templates are missing."""
        self.names.clear()
        templates, conclusion = self.templates, rule.conclusion
        conditions = [self._pattern(condition) for condition in rule.conditions]
        if isinstance(conclusion, syntax.RelationFact):
            said = self._pattern(conclusion)
        else:
            said = self._assignment(conclusion)
        joined = templates.conjunction.join(conditions)
        premises = templates.premise_conjunction.join(conditions)
        return _sentence(self._pick(templates.implications)(joined, premises, said))

    def query(self, query: Query) -> str:
        """Say a query."""
        template = self._pick(self.templates.queries)
        text = template(self._lookup(syntax.Lookup(*query)))
        return text[0].upper() + text[1:]

    def _pick(self, bank: Bank) -> Template:
        return bank[int(self.random() * len(bank))]

    def _name(self, term: str) -> str:
        if term[0] != "?":
            return term
        if (name := self.names.get(term)) is None:
            self.names[term] = name = self.templates.variable(len(self.names) + 1)
        return name

    def _pattern(self, pattern: Fact) -> str:
        if isinstance(pattern, syntax.AttributeFact):
            entity, attribute, value = pattern
            return self._pick(self.templates.attribute_facts)(self._name(entity), attribute, value)
        relation, first, second = pattern
        first, second = self._name(first), self._name(second)
        return self._pick(self.templates.relation_facts)(first, second, *verb_forms(relation))

    def _assignment(self, assignment: syntax.Assignment) -> str:
        entity, attribute, expression = assignment
        value, is_retrieval = self._expression(expression), type(expression) is syntax.Retrieval
        bank = self.templates.assignments if is_retrieval else self.templates.attribute_facts
        return self._pick(bank)(self._name(entity), attribute, value)

    def _lookup(self, lookup: syntax.Lookup) -> str:
        entity, attribute = lookup
        return self._pick(self.templates.retrievals)(self._name(entity), attribute)

    def _expression(self, expression: Expression) -> str:
        say_kind = _SAY.get(type(expression))
        if say_kind is None:
            known = ", ".join(kind.__name__ for kind in _SAY)
            raise TypeError(
                f"no templates for {type(expression).__name__}: there are some for {known}; add "
                "a bank to templates/english.yaml and a function to _SAY"
            )
        return say_kind(self, expression)

    def _operand(self, expression: Expression) -> str:
        text = self._expression(expression)
        is_simple = isinstance(expression, (syntax.Constant, syntax.Retrieval))
        return text if is_simple else str(self.templates.operand(text))

    def _calculation(self, expression: syntax.Calculation) -> str:
        factor, amount = expression.factor, expression.summand
        kinds = ("increase", "decrease") if factor == 1 else ("addition", "subtraction")
        kind = kinds[amount < 0] if amount else "product"
        template = self._pick(self.templates.calculations[kind])
        return template(factor, self._lookup(expression.lookup), abs(amount))

    def _aggregation(self, expression: syntax.Aggregation) -> str:
        template = self._pick(self.templates.aggregations[expression.operator])
        return template(self._operand(expression.left), self._operand(expression.right))


_SAY: dict[type[Expression], Callable[[Speaker, Any], str]] = {
    syntax.Constant: lambda speaker, expression: str(expression.number),
    syntax.Retrieval: lambda speaker, expression: speaker._lookup(expression.lookup),
    syntax.Calculation: Speaker._calculation,
    syntax.Aggregation: Speaker._aggregation,
}
"""Kind of expression → how it is said."""


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


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
