"""Says facts, rules and queries in English, drawing a wording for each part of a sentence.

The second step of LogiNumSynth's generator (section 2.2, appendix E.2); the templates are in
``templates/english.yaml``. What is said can be read back: no two facts, rules or queries share a
sentence, but for the names of a rule's variables. ``refinement.py`` rewords sentences further.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from logic_curriculum.generators.loginum.language_file import Bank, english
from logic_curriculum.generators.loginum.language_verbs import forms
from logic_curriculum.rewards.engines.numeric.syntax import (
    Aggregation,
    AnyOf,
    Assignment,
    AttributeFact,
    Calculation,
    Condition,
    Constant,
    Expression,
    Fact,
    Lookup,
    Power,
    Query,
    RelationFact,
    Retrieval,
    Rule,
)


def say_fact(fact: Fact, rng: random.Random) -> str:
    """Say a fact, in one sentence: ``Claresta is hampered by Ed.``"""
    return Speaker(rng).say_fact(fact)


def say_rule(rule: Rule, rng: random.Random) -> str:
    """Say a rule, in one sentence; its variables become ``entity_1``, ``entity_2``, …

    Raises:
        TypeError: The rule has an expression of a kind that there are no templates for.
    """
    return Speaker(rng).say_rule(rule)


def say_query(query: Query, rng: random.Random) -> str:
    """Say a query, in one sentence."""
    return Speaker(rng).say_query(query)


class _Voice:
    """Says the parts of a sentence."""

    __slots__ = ("names", "random", "templates")

    def __init__(self, rng: random.Random) -> None:
        self.templates = english()
        self.names: dict[str, str] = {}
        """Variable → what it is called, numbered in the order in which conditions name them."""
        self.random = rng.random

    def pick(self, bank: Bank) -> Callable[..., str]:
        return bank[int(self.random() * len(bank))]

    def value(self, entity: str, attribute: str, value: int | str) -> str:
        return self.pick(self.templates.attribute_facts)(entity, attribute, value)

    def relation(self, relation: str, first: str, second: str) -> str:
        name, presents, participle = forms(relation)
        template = self.pick(self.templates.relation_facts)
        return template(first, second, name, presents, participle)

    def name(self, term: str) -> str:
        if term[0] != "?":
            return term
        names = self.names
        if term not in names:
            names[term] = self.templates.variable(len(names) + 1)
        return names[term]

    def pattern(self, pattern: Fact) -> str:
        if type(pattern) is AttributeFact:
            entity, attribute, value = pattern
            return self.value(self.name(entity), attribute, value)
        relation, first, second = pattern
        return self.relation(relation, self.name(first), self.name(second))

    def condition(self, condition: Condition) -> str:
        if type(condition) is not AnyOf:
            return self.pattern(condition)
        patterns = self.templates.disjunction.join(map(self.pattern, condition.patterns))
        return self.pick(self.templates.alternatives)(patterns)

    def rule(self, rule: Rule) -> str:
        conditions, conclusion = rule
        said_conditions = [self.condition(condition) for condition in conditions]
        if type(conclusion) is RelationFact:
            said = self.pattern(conclusion)
        else:
            said = self.assignment(conclusion)
        templates = self.templates
        return self.pick(templates.implications)(
            templates.conjunction.join(said_conditions),
            templates.premise_conjunction.join(said_conditions),
            said,
        )

    def assignment(self, assignment: Assignment) -> str:
        entity, attribute, expression = assignment
        name, value = self.names.get(entity, entity), self.expression(expression)
        if type(expression) is Retrieval:
            return self.pick(self.templates.assignments)(name, attribute, value)
        return self.value(name, attribute, value)

    def query(self, query: Query) -> str:
        lookup = Lookup(query.entity, query.attribute)
        return self.pick(self.templates.queries)(self.lookup(lookup))

    def lookup(self, lookup: Lookup) -> str:
        entity, attribute = lookup
        return self.pick(self.templates.retrievals)(self.names.get(entity, entity), attribute)

    def expression(self, expression: Expression) -> str:
        try:
            say = _EXPRESSIONS[type(expression)]
        except KeyError:
            known = ", ".join(kind.__name__ for kind in _EXPRESSIONS)
            raise TypeError(
                f"no templates for {type(expression).__name__}: there are some for {known}; add "
                "a bank to templates/english.yaml and a function to _EXPRESSIONS"
            ) from None
        return say(self, expression)

    def operand(self, expression: Expression) -> str:
        said = self.expression(expression)
        simple = isinstance(expression, (Constant, Retrieval))
        return said if simple else self.templates.operand(said)

    def constant(self, expression: Constant) -> str:
        return str(expression.number)

    def retrieval(self, expression: Retrieval) -> str:
        return self.lookup(expression.lookup)

    def calculation(self, expression: Calculation) -> str:
        factor, amount = expression.factor, expression.summand
        if not amount:
            kind = "product"
        elif factor == 1:
            kind = "increase" if amount > 0 else "decrease"
        else:
            kind = "addition" if amount > 0 else "subtraction"
        template = self.pick(self.templates.calculations[kind])
        return template(factor, self.lookup(expression.lookup), abs(amount))

    def aggregation(self, expression: Aggregation) -> str:
        template = self.pick(self.templates.aggregations[expression.operator])
        return template(self.operand(expression.left), self.operand(expression.right))

    def power(self, expression: Power) -> str:
        base = self.operand(expression.base)
        if base.startswith("-"):
            base = self.templates.operand(base)
        return self.pick(self.templates.powers)(base, expression.exponent)


class Speaker(_Voice):
    """Says one sentence after the other, all drawn from one random stream."""

    __slots__ = ()

    def say_fact(self, fact: Fact) -> str:
        """Say a fact, see :func:`say_fact`."""
        if type(fact) is AttributeFact:
            entity, attribute, value = fact
            said = self.value(entity, attribute, value)
        else:
            relation, first, second = fact
            said = self.relation(relation, first, second)
        return f"{said[0].upper()}{said[1:]}."

    def say_rule(self, rule: Rule) -> str:
        """Say a rule, see :func:`say_rule`."""
        self.names.clear()
        said = self.rule(rule)
        return f"{said[0].upper()}{said[1:]}."

    def say_query(self, query: Query) -> str:
        """Say a query, see :func:`say_query`."""
        said = self.query(query)
        return said[0].upper() + said[1:]


_EXPRESSIONS: dict[type[Expression], Callable[[_Voice, Any], str]] = {
    Constant: _Voice.constant,
    Retrieval: _Voice.retrieval,
    Calculation: _Voice.calculation,
    Aggregation: _Voice.aggregation,
    Power: _Voice.power,
}
"""Kind of expression → how it is said."""
