"""What can be seen of the numbers and rules of a LogiNumSynth task without deducing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from loginum_strategies import View, numbers_in, patterns, shape
from option_learner import Features

from logic_curriculum.rewards.engines.numeric.syntax import (
    Assignment,
    AttributeFact,
    RelationFact,
    Rule,
)


def size(number: int) -> str:
    """Return the sign and the number of binary digits of a number."""
    return f"{'-' if number < 0 else '+'}{abs(number).bit_length()}"


def _flags(found: Iterable[str]) -> Features:
    return [(name, float(count)) for name, count in Counter(found).items()]


# Numbers


def candidates(task: View) -> list[int]:
    """Return the numbers of the text, each once."""
    return list(dict.fromkeys(task.numbers))


def numbers(task: View) -> list[Features]:
    """Describe each candidate by where it stands, how often and how large it is."""
    found = candidates(task)
    places: dict[int, list[str]] = {number: [] for number in found}
    for fact in task.given:
        places[fact.value].append(_role("fact", fact, task))
    for pattern in task.required:
        places[pattern.value].append(_role("condition", pattern, task))
    for rule in task.rules:
        for number, role in _concluded(rule, task):
            places[number].append(role)
    counts, order = Counter(task.numbers), sorted(found)
    return [
        _flags(
            [
                *places[number],
                f"size {size(number)}",
                f"exactly {number}" if abs(number) <= 100 else "beyond 100",
                f"count {min(counts[number], 5)}",
                f"rank {10 * order.index(number) // len(order)}",
                "largest" * (number == order[-1]) or "smallest" * (number == order[0]) or "inner",
            ]
        )
        for number in found
    ]


def _role(kind: str, pattern: AttributeFact, task: View) -> str:
    attribute = "queried" if pattern.attribute == task.query.attribute else "other"
    entity = "queried" if pattern.entity == task.query.entity else "other"
    return f"{kind} {attribute} attribute of {entity} entity"


def _concluded(rule: Rule, task: View) -> Iterable[tuple[int, str]]:
    if isinstance(rule.conclusion, Assignment):
        queried = rule.conclusion.attribute == task.query.attribute
        found = numbers_in(rule.conclusion.expression)
        kind = type(rule.conclusion.expression).__name__
        for place, number in enumerate(found):
            yield number, f"{kind} {place} of {len(found)} about {'query' if queried else 'other'}"


# Rules


def looks(task: View, rule: Rule) -> list[str]:
    """Describe a rule by itself and by its place."""
    found = list(patterns(rule.conditions))
    place = task.rules.index(rule)
    conditions = sorted("relation" if isinstance(p, RelationFact) else "attribute" for p in found)
    variables = {name for p in found for name in _names(p)}
    values = [p.value for p in found if isinstance(p, AttributeFact)]
    return [
        f"conditions {' '.join(conditions)}",
        f"{len(conditions)} conditions",
        f"{len(variables)} variables",
        f"{len(str(rule)) // 8} eights of signs",
        f"tenth {10 * place // len(task.rules)}",
        f"{len(rule.lookups())} lookups",
        _form(rule),
        *(f"condition size {size(value)}" for value in values),
        f"largest condition {max((abs(v).bit_length() for v in values), default=-1)}",
        *(f"conclusion size {size(number)}" for number in numbers_in(rule.conclusion)),
    ]


def _names(pattern: AttributeFact | RelationFact) -> tuple[str, ...]:
    if isinstance(pattern, RelationFact):
        return pattern.first, pattern.second
    return (pattern.entity,)


def _form(rule: Rule) -> str:
    if isinstance(rule.conclusion, RelationFact):
        return "concludes a relation"
    expression = rule.conclusion.expression
    inner = [str(getattr(expression, side, "")).count("[") for side in ("left", "right")]
    return f"{type(expression).__name__} {getattr(expression, 'operator', '')} {inner}"


def overlap(task: View, rule: Rule) -> list[str]:
    """Describe how a rule's attributes, relations and numbers recur in facts and other rules."""
    facts = {shape(fact) for fact in task.facts}
    words = Counter(_word(fact) for fact in task.facts)
    concluded = Counter(_word_concluded(other) for other in task.rules if other is not rule)
    required = Counter(
        shape(p) for other in task.rules if other is not rule for p in patterns(other.conditions)
    )
    found = list(patterns(rule.conditions))
    known = sum(shape(p) in facts for p in found)
    described = [f"{known} of {len(found)} conditions like facts"]
    for p in found:
        described += [
            f"word in {min(words[_word(p)], 3)} facts",
            f"word concluded {min(concluded[_word(p)], 3)} times, like a fact: {shape(p) in facts}",
            f"same condition in {min(required[shape(p)], 3)} other rules",
        ]
    for lookup in rule.lookups():
        described += [
            f"lookup in {min(words[lookup.attribute], 3)} facts",
            f"lookup concluded {min(concluded[lookup.attribute], 3)} times",
            f"lookup in own conditions: {lookup.attribute in map(_word, found)}",
        ]
    mine = [fact for fact in task.facts if task.query.entity in _names(fact)]
    described.append(f"{sum(shape(p) in set(map(shape, mine)) for p in found)} of query's entity")
    return described


def _word(fact: AttributeFact | RelationFact) -> str:
    return fact.relation if isinstance(fact, RelationFact) else fact.attribute


def _word_concluded(rule: Rule) -> str:
    conclusion = rule.conclusion
    return conclusion.relation if isinstance(conclusion, RelationFact) else conclusion.attribute


def by_looks(task: View, rules: Iterable[Rule]) -> list[Features]:
    return [_flags(looks(task, rule)) for rule in rules]


def by_looks_and_overlap(task: View, rules: Iterable[Rule]) -> list[Features]:
    return [_flags(looks(task, rule) + overlap(task, rule)) for rule in rules]
