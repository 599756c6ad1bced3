"""What the generator knows while it draws, against the engine that judges."""

from __future__ import annotations

import pytest
from loginum_tasks import CONFIGS, tasks

from logic_curriculum.generators.loginum.knowledge import MAX_FOLLOWING, Knowledge
from logic_curriculum.generators.loginum.synthesis import Sample, synthesize
from logic_curriculum.generators.loginum.vocabulary import draw_words
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards.engines.numeric.engine import ConflictError, closure
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import Fact, RelationFact, Rule


def known(knowledge: Knowledge) -> set[str]:
    return {
        f"{name}({', '.join(entities)})" if entities[1:] else f"is({entities[0]}, {name}, {value})"
        for name, values in knowledge.known.items()
        for entities, value in values.items()
    }


def known_once(facts: list[Fact], rules: list[Rule]) -> bool:
    """Say by the engine whether nothing is known twice, and nothing related to itself."""
    try:
        found = closure(facts, rules)
    except ConflictError:
        return False
    return (
        all(len(ways) == 1 for ways in found.derivations.values())
        and not set(found.derivations) & set(facts)
        and not any(isinstance(fact, RelationFact) and fact[1] == fact[2] for fact in found.facts)
    )


def sample_of(preset: str | None, level: int, seed: int) -> Sample:
    config = CONFIGS[preset, level]
    rng = stream("test of knowledge", preset or "", level, seed)
    # Few names, so that much follows from facts and rules of different samples together.
    words = draw_words(stream("words", seed // 4), config.entities, config.attributes, 10, 60)
    return synthesize(config, level, words, rng)


@pytest.mark.parametrize(
    ("preset", "level"), [(None, 2), (None, 5), ("EL-EN", 3), ("EL-HN", 2), ("HL-EN", 4)]
)
def test_what_is_taken_in_or_refused_is_what_the_engine_finds(preset, level):
    refused = derived = 0
    for seed in range(0, 24, 2):
        samples = sample_of(preset, level, seed), sample_of(preset, level, seed + 1)
        knowledge, facts, rules = Knowledge(), [], []
        for item in (*samples[0].facts, *samples[0].rules, *samples[1].rules, *samples[1].facts):
            is_rule = isinstance(item, Rule)
            if is_rule and any(kind(item) == kind(other) for other in rules):
                continue
            if not is_rule and item in facts:
                continue
            before = known(knowledge)
            taken = knowledge.add_rule(item) if is_rule else knowledge.add_fact(item)
            more_facts, more_rules = (facts, [*rules, item]) if is_rule else ([*facts, item], rules)
            assert taken == known_once(more_facts, more_rules), str(item)
            if taken:
                facts, rules = more_facts, more_rules
                expected = {str(fact) for fact in closure(facts, rules).facts}
                assert known(knowledge) == expected
                derived += len(expected) - len(facts)
            else:
                assert known(knowledge) == before
                refused += 1
    assert refused > 10, "nothing was refused: the test tests little"
    assert derived > 10


def kind(rule: Rule) -> tuple[object, ...]:
    return (rule.conditions, rule.conclusion[:2])


@pytest.mark.parametrize(
    "refused",
    [
        "is(?x, cold, 4) -> is(?x, shy, 2)",  # Ann's is known
        "help(?x, ?y) -> is(?x, old, 2)",  # would follow for Ann twice
        "help(?x, ?y) -> call(?x, ?y)",  # from which a given value would follow
    ],
)
def test_a_refused_rule_leaves_nothing_and_no_longer_fires(refused):
    knowledge = Knowledge()
    before = ["is(Ann, cold, 4)", "is(Ann, shy, 1)", "help(Ann, Bo)", "help(Ann, Cy)"]
    after = ["is(Bo, cold, 4)", "help(Dan, Eve)"]
    for text in before:
        assert knowledge.add_fact(parse_fact(text))
    assert knowledge.add_rule(parse_rule("call(?x, ?y) -> is(?x, shy, 5)"))
    assert not knowledge.add_rule(parse_rule(refused))
    for text in after:
        assert knowledge.add_fact(parse_fact(text))
    assert known(knowledge) == {*before, *after}


def test_a_rule_from_which_too_much_follows_is_refused_whole():
    knowledge = Knowledge()
    facts = [f"is(N{number}, cold, 4)" for number in range(MAX_FOLLOWING + 1)]
    for text in facts:
        assert knowledge.add_fact(parse_fact(text))
    assert not knowledge.add_rule(parse_rule("is(?x, cold, 4) -> is(?x, shy, 2)"))
    assert known(knowledge) == set(facts)


def test_a_rule_with_too_many_bindings_is_refused_even_if_they_come_to_nothing(monkeypatch):
    monkeypatch.setattr("logic_curriculum.generators.loginum.knowledge.MAX_BINDINGS", 3)
    knowledge = Knowledge()
    for number in range(4):
        assert knowledge.add_fact(parse_fact(f"is(N{number}, cold, 4)"))
    assert not knowledge.add_rule(parse_rule("is(?x, cold, 4) & is(?x, shy, 2) -> is(?x, old, 1)"))


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["help(Ann, Bo)", "help(Ann, Bo)"], "given twice"),
        (["is(Ann, shy, 1)", "is(Ann, shy, 1)"], "given twice"),
        (["is(Ann, shy, 1)", "is(Ann, shy, 2)"], "two values"),
        (["help(Ann, Bo)", "help(Ann, Cy)", "help(?x, ?y) -> is(?x, shy, 2)"], "derived twice"),
        (["help(Ann, Bo)", "help(?x, ?y) & help(?z, ?y) -> call(?x, ?z)"], "a call to oneself"),
        (["help(Ann, Bo)", "help(?x, ?y) -> help(?x, ?y)"], "given and derived"),
        (["help(?x, ?y) -> is(?x, shy, 2)", "help(?x, ?y) -> is(?x, shy, 3)"], "same conditions"),
        (["is(?x, shy, 2) -> is(?x, shy, 3)", "is(Ann, shy, 2)"], "two values"),
    ],
)
def test_the_last_of_these_is_refused(texts, reason):
    items = [parse_rule(text) if "->" in text else parse_fact(text) for text in texts]
    knowledge = Knowledge()
    add = [knowledge.add_rule if isinstance(i, Rule) else knowledge.add_fact for i in items]
    *first, last = [function(item) for function, item in zip(add, items, strict=True)]
    assert all(first)
    assert not last, reason


def test_a_fact_that_meets_two_conditions_of_a_rule_derives_once():
    knowledge = Knowledge()
    assert knowledge.add_rule(parse_rule("help(?x, ?y) & help(?z, ?y) -> is(?y, old, 3)"))
    assert knowledge.add_fact(parse_fact("help(Ann, Bo)"))
    assert "is(Bo, old, 3)" in known(knowledge)


@pytest.mark.parametrize("count", [12, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("preset", "level"), CONFIGS)
def test_tasks_are_known_once_by_the_engine(preset, level, count):
    for item in tasks(preset, level, count, "test"):
        assert known_once(item.facts, item.rules)
