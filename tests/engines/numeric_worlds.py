"""Small random worlds, and what follows from them by trying every assignment of the variables."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    RelationFact,
    Rule,
)

ENTITIES = ("Ann", "Bo", "Cy")
ATTRIBUTES = ("cold", "shy", "odd")
RELATIONS = ("like", "push")
VARIABLES = ("?x", "?y", "?z")


def random_world(seed: int) -> tuple[list[Fact], list[Rule]]:
    """Draw a handful of facts and rules with all kinds of conditions and expressions."""
    rng = random.Random(seed)
    facts = [parse_fact(_pattern(rng, ENTITIES)) for _ in range(rng.randint(3, 10))]
    return facts, [parse_rule(_rule(rng)) for _ in range(rng.randint(2, 5))]


def _pattern(rng: random.Random, names: tuple[str, ...]) -> str:
    if rng.random() < 0.4:
        return f"is({rng.choice(names)}, {rng.choice(ATTRIBUTES)}, {rng.randint(0, 2)})"
    return f"{rng.choice(RELATIONS)}({rng.choice(names)}, {rng.choice(names)})"


def _condition(rng: random.Random) -> str:
    names = (*VARIABLES[: rng.randint(1, 3)], *rng.choices(ENTITIES, k=rng.random() < 0.1))
    return _pattern(rng, names)


def _rule(rng: random.Random) -> str:
    while True:
        conditions = " & ".join(_condition(rng) for _ in range(rng.choice((1, 1, 2, 3))))
        names = VARIABLES[: rng.randint(1, 3)]
        conclusion = (
            f"is({rng.choice(names)}, {rng.choice(ATTRIBUTES)}, {_expression(rng, names, 0)})"
            if rng.random() < 0.6
            else f"{rng.choice(RELATIONS)}({rng.choice(names)}, {rng.choice(names)})"
        )
        text = f"{conditions} -> {conclusion}"
        try:
            parse_rule(text)
        except ValueError:
            continue
        return text


def _expression(rng: random.Random, names: tuple[str, ...], depth: int) -> str:
    lookup = f"{rng.choice(names)}[{rng.choice(ATTRIBUTES)}]"
    kinds = [str(rng.randint(0, 2)), lookup, f"{rng.randint(-1, 2)}*{lookup}-1"]
    if depth < 2:
        parts = [_expression(rng, names, depth + 1) for _ in range(2)]
        kinds.append(f"{rng.choice(('max', 'min', 'addition', 'subtraction'))}({', '.join(parts)})")
    return rng.choice(kinds)


Application = tuple[int, frozenset[Fact], Fact]
"""A rule's index, the facts it uses, and what it concludes."""


def brute_force(facts: list[Fact], rules: list[Rule]) -> tuple[set[Fact], set[Application]] | None:
    """Return what follows, and how; ``None`` when an attribute gets two values."""
    known = set(facts)
    while True:
        applications = {a for n, rule in enumerate(rules) for a in _applications(n, rule, known)}
        grown = known | {conclusion for _, _, conclusion in applications}
        pairs = {fact[:2] for fact in grown if isinstance(fact, AttributeFact)}
        if len(pairs) < sum(isinstance(fact, AttributeFact) for fact in grown):
            return None
        if grown == known:
            return known, applications
        known = grown


def _applications(number: int, rule: Rule, known: set[Fact]) -> Iterator[Application]:
    values = {fact[:2]: fact.value for fact in known if isinstance(fact, AttributeFact)}
    for names in itertools.product(ENTITIES, repeat=len(VARIABLES)):
        binding = dict(zip(VARIABLES, names, strict=True))
        met = list(map(binding_of(binding), rule.conditions))
        looked_up = [(binding.get(e, e), attribute) for e, attribute in rule.lookups()]
        if known.issuperset(met) and all(pair in values for pair in looked_up):
            operands = [AttributeFact(*pair, values[pair]) for pair in looked_up]
            yield number, frozenset((*met, *operands)), _conclusion(rule, binding, values)


def binding_of(binding: dict[str, str]):
    """Return what replaces the variables of a pattern."""
    return lambda pattern: pattern._replace(
        **{
            field: binding.get(name, name)
            for field, name in pattern._asdict().items()
            if field in ("entity", "first", "second")
        }
    )


def _conclusion(rule: Rule, binding: dict[str, str], values: dict[tuple[str, str], int]) -> Fact:
    conclusion = binding_of(binding)(rule.conclusion)
    if isinstance(conclusion, RelationFact):
        return conclusion

    def valuation(lookup: Lookup) -> int:
        return values[binding.get(lookup.entity, lookup.entity), lookup.attribute]

    return AttributeFact(*conclusion[:2], conclusion.expression.value(valuation))
