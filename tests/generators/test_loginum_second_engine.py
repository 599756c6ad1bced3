"""The engine agrees with a naive deduction of its own reading, on small random worlds."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import loginum_reference as reference
import pytest

from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.engine import ConflictError, Matcher, closure
from logic_curriculum.rewards.engines.numeric.syntax import TooLargeError, parse_fact, parse_rule

ENTITIES = ("Ann", "Bo", "Cy", "D'Arcy")
ATTRIBUTES = ("cold", "legal", "shy")
RELATIONS = ("help", "see")
VARIABLES = ("?x", "?y", "?z")
FEW, MANY = 1_500, 40_000


def drawn_pattern(random: Random, names: tuple[str, ...]) -> str:
    if random.random() < 0.5:
        return f"{random.choice(RELATIONS)}({random.choice(names)}, {random.choice(names)})"
    value = random.randint(-1, 2)
    return f"is({random.choice(names)}, {random.choice(ATTRIBUTES)}, {value})"


def drawn_expression(random: Random, names: list[str], depth: int = 0) -> str:
    lookup = f"{random.choice(names)}[{random.choice(ATTRIBUTES)}]"
    kind = random.choice(("constant", "constant", "retrieval", "linear", "two"))
    if kind == "two" and depth < 2:
        operator = random.choice(("max", "min", "addition", "subtraction"))
        left, right = (drawn_expression(random, names, depth + 1) for _ in range(2))
        return f"{operator}({left}, {right})"
    if kind == "linear":
        return f"{random.randint(-1, 2)}*{lookup}{random.randint(-2, 2):+d}"
    return lookup if kind == "retrieval" else str(random.randint(-1, 2))


def drawn_rule(random: Random) -> str:
    conditions = [drawn_pattern(random, VARIABLES)]
    for _ in range(random.randint(0, 2)):
        names = (*VARIABLES, *random.choices(ENTITIES, k=random.random() < 0.1))
        conditions.append(drawn_pattern(random, names))
    names = [name for name in VARIABLES if name in " ".join(conditions)]
    if random.random() < 0.4:
        conclusion = f"{random.choice(RELATIONS)}({random.choice(names)}, {random.choice(names)})"
    else:
        value = drawn_expression(random, names)
        conclusion = f"is({random.choice(names)}, {random.choice(ATTRIBUTES)}, {value})"
    return f"{' & '.join(conditions)} -> {conclusion}"


def drawn_facts(random: Random) -> list[str]:
    values = {
        (random.choice(ENTITIES), random.choice(ATTRIBUTES)): random.randint(-1, 2)
        for _ in range(random.randint(1, 6))
    }
    relations = {
        f"{random.choice(RELATIONS)}({random.choice(ENTITIES)}, {random.choice(ENTITIES)})": 0
        for _ in range(random.randint(1, 5))
    }
    return [f"is({e}, {a}, {n})" for (e, a), n in values.items()] + list(relations)


def drawn_world(random: Random) -> tuple[list[str], list[str]]:
    return drawn_facts(random), [drawn_rule(random) for _ in range(random.randint(1, 5))]


def by_engine(
    facts: list[str], rules: list[str]
) -> dict[reference.Fact, set[reference.Way]] | None:
    """Return what the engine derives, in the reference's terms; nothing if values conflict."""
    try:
        world = closure(map(parse_fact, facts), list(map(parse_rule, rules)))
    except ConflictError:
        return None
    found: dict[reference.Fact, set[reference.Way]] = {}
    for fact, ways in world.items():
        read = reference.read_fact(str(fact))
        assert read not in found, f"{fact} is known twice"
        found[read] = {
            (rule + 1, frozenset(reference.read_fact(str(used)) for used in uses))
            for rule, uses in ways
        }
        assert len(found[read]) == len(ways), f"{fact} is derived twice in the same way"
    return found


def by_reference(
    facts: list[str], rules: list[str]
) -> dict[reference.Fact, set[reference.Way]] | None:
    read = list(map(reference.read_rule, rules))
    known = reference.closure(list(map(reference.read_fact, facts)), read, consistent=True)
    if reference.conflicts(known):
        return None
    found: dict[reference.Fact, set[reference.Way]] = {fact: set() for fact in known}
    for number, rule in enumerate(read, start=1):
        for conclusion, uses in reference.firings(rule, known):
            found[conclusion].add((number, uses))
    return found


def disagreements(count: int) -> tuple[list[str], Counter[str]]:
    """Return the worlds on which the two differ, and how many conflict or derive something."""
    found, kinds = [], Counter[str]()
    for seed in range(count):
        facts, rules = drawn_world(stream("second engine", seed))
        try:
            mine = by_engine(facts, rules)
        except TooLargeError:
            continue
        theirs = by_reference(facts, rules)
        if theirs is None:
            kinds["conflicting"] += 1
        elif any(theirs.values()):
            kinds["fruitful"] += 1
        if mine != theirs:
            found.append(f"{facts} {rules}: {mine} is not {theirs}")
    return found, kinds


def drawn_step(random: Random, rule: str) -> list[str]:
    """Draw facts that may fit: the rule's own conditions and lookups, a few left out or added."""
    names = {name: random.choice(ENTITIES) for name in VARIABLES}
    conditions, _, conclusion = rule.partition(" -> ")
    wanted = re.findall(r"\w+\([^()]+\)", conditions)
    values = {tuple(pattern[3:-1].split(", ")[:2]) for pattern in wanted if pattern[:3] == "is("}
    lookups = dict.fromkeys(re.findall(r"(\?\w)\[(\w+)\]", conclusion))
    wanted += [f"is({e}, {a}, {random.randint(-1, 2)})" for e, a in lookups if (e, a) not in values]
    for variable, name in names.items():
        wanted = [pattern.replace(variable, name) for pattern in wanted]
    wanted += random.sample(drawn_facts(random), random.random() < 0.1)
    one_value = {re.sub(r"(is\(.*), .*", r"\1", pattern): pattern for pattern in reversed(wanted)}
    return [fact for fact in one_value.values() if random.random() < 0.95]


def disagreements_on_steps(count: int) -> tuple[list[str], int]:
    """Return the steps on which the two differ, and how many steps conclude something."""
    found, valid = [], 0
    for seed in range(count):
        random = stream("second engine, steps", seed)
        rule = drawn_rule(random)
        used = drawn_step(random, rule)
        mine = {
            reference.read_fact(str(fact))
            for fact in Matcher(parse_rule(rule)).conclusions(map(parse_fact, used))
        }
        read = set(map(reference.read_fact, used))
        theirs = {
            conclusion
            for conclusion, uses in reference.firings(reference.read_rule(rule), read)
            if uses == read
        }
        valid += bool(theirs)
        if mine != theirs:
            found.append(f"{rule} of {used}: {mine} is not {theirs}")
    return found, valid


def test_engine_and_reference_derive_the_same_in_the_same_ways() -> None:
    found, kinds = disagreements(FEW)
    assert not found
    assert kinds["fruitful"] > FEW // 4
    assert kinds["conflicting"] > FEW // 20


def test_a_step_concludes_what_the_reference_concludes_from_exactly_its_facts() -> None:
    found, valid = disagreements_on_steps(3 * FEW)
    assert not found
    assert valid > FEW


@pytest.mark.slow
def test_engine_and_reference_agree_on_many_worlds() -> None:
    assert not disagreements(MANY)[0]
    assert not disagreements_on_steps(3 * MANY)[0]
