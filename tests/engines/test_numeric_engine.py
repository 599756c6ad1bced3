import pytest

from logic_curriculum.rewards.engines.numeric import engine
from logic_curriculum.rewards.engines.numeric.engine import ConflictError, Matcher, closure
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    TooLargeError,
    parse_fact,
    parse_query,
    parse_rule,
)


def facts_of(*texts):
    return [parse_fact(text) for text in texts]


def rules_of(*texts):
    return [parse_rule(text) for text in texts]


def test_a_conflict_names_entity_attribute_and_both_values():
    with pytest.raises(ConflictError, match="cold of Ann is 1 and also 2"):
        closure(facts_of("is(Ann, cold, 1)", "is(Ann, cold, 2)"), [])


@pytest.mark.parametrize(("rule", "uses", "yields"), [
    ("like(?x, ?y) -> push(?y, ?x)", ["like(Ann, Bo)"], ["push(Bo, Ann)"]),
    ("like(?x, ?y) -> push(?y, ?x)", ["like(Ann, Bo)", "like(Bo, Cy)"], []),
    ("like(?x, ?y) & like(?y, ?x) -> push(?x, ?y)", ["like(Ann, Ann)"], ["push(Ann, Ann)"]),
    ("like(?x, ?y) & like(?z, ?w) -> push(?x, ?w)", ["like(Ann, Bo)", "like(Cy, Di)"],
     ["push(Ann, Di)", "push(Cy, Bo)"]),
    ("is(?x, cold, 4) -> is(?x, odd, 2*?x[cold]+1)", ["is(Ann, cold, 4)"], ["is(Ann, odd, 9)"]),
    ("is(?x, cold, 4) -> is(?x, odd, ?x[shy])", ["is(Ann, cold, 4)"], []),
])  # fmt: skip
def test_a_rule_yields_what_its_facts_all_of_them_give(rule, uses, yields):
    assert sorted(map(str, Matcher(parse_rule(rule)).conclusions(facts_of(*uses)))) == sorted(
        yields
    )


def test_more_facts_than_allowed_are_refused(monkeypatch):
    facts = facts_of("like(Ann, Bo)", "like(Bo, Cy)", "like(Cy, Di)")
    rules = rules_of("like(?x, ?y) & like(?y, ?z) -> like(?x, ?z)")
    monkeypatch.setattr(engine, "MAX_DERIVED", 3)
    assert len(closure(facts, rules)) == 6
    monkeypatch.setattr(engine, "MAX_DERIVED", 2)
    with pytest.raises(TooLargeError, match="More than 2 facts"):
        closure(facts, rules)


def test_rules_without_shared_variables_end_at_the_effort_allowed():
    facts = [parse_fact(f"like(E{n}, F{n})") for n in range(60)]
    text = " & ".join(f"like(?a{n}, ?b{n})" for n in range(6)) + " -> push(?a0, ?b5)"
    with pytest.raises(TooLargeError):
        closure(facts, rules_of(text))


def test_values_of_too_many_bits_are_refused_before_they_fill_the_memory():
    large = 10**390  # 1,296 bits
    rules = rules_of(f"is(?x, cold, {large}) -> is(?x, odd, 9*?x[cold]+0)")
    known = closure(facts_of(f"is(Ann, cold, {large})"), rules)
    assert AttributeFact("Ann", "odd", 9 * large) in known
    rules = rules_of(f"is(?x, cold, {large}) -> is(?x, odd, {large}*?x[cold]+0)")
    with pytest.raises(TooLargeError, match="bits"):
        closure(facts_of(f"is(Ann, cold, {large})"), rules)


REFUSED = [
    (parse_rule, "like(?x, ?y)"),  # no conclusion
    (parse_rule, "like(?x, ?y) -> push(?x, ?z)"),  # unbound
    (parse_rule, "like(?x, ?y) -> is(?x, odd, ?z[cold])"),  # unbound in a lookup
    (parse_rule, "like(?x, ?y) -> is(?x, odd, 3) & push(?x, ?y)"),  # two conclusions
    (parse_rule, "is(?x, ?a, 3) -> push(?x, ?x)"),  # a variable for an attribute
    (parse_rule, "?r(?x, ?y) -> push(?x, ?y)"),  # a variable for a relation
    (parse_rule, "is(?x, cold) -> push(?x, ?x)"),  # no value
    (parse_rule, "is(?x, ?y) -> push(?x, ?x)"),  # "is" is no relation
    (parse_rule, "like(?x, ?y) -> is(?x, odd, mean(1, 2))"),  # no such function
    (parse_rule, "like(?x, ?y) -> is(?x, odd, max(1))"),  # too few parts
    (parse_rule, "like(?x, ?y) -> is(?x, odd, 2*3)"),  # no lookup
    (parse_rule, "like(?x, ?y) -> is(?x, odd, 1.5)"),
    (parse_rule, "like(?x, ?y, ?z) -> push(?x, ?y)"),
    (parse_rule, "like(?, ?y) -> push(?y, ?y)"),
    (parse_rule, ""),
    *((parse_fact, text) for text in ("is(?x, cold, 4)", "like(Ann)", "is(Ann, cold, x)")),
    *((parse_fact, text) for text in ("like(Ann, Bo) x", "is(Ann, Bo)", "like(Ann, ?x)")),
    *((parse_query, text) for text in ("is(Ann, cold, 4)", "is(Ann, cold, ?) x")),
    (parse_query, "is(?x, cold, ?)"),
]


@pytest.mark.parametrize(("parse", "text"), REFUSED)
def test_what_is_no_rule_fact_or_query_is_refused_with_its_place(parse, text):
    with pytest.raises(ValueError, match="at character"):
        parse(text)
