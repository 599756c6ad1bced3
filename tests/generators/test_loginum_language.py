"""Sentences of LogiNumSynth: each template in each place, phrasings of numbers; and clauses.

Sentences of generated tasks are read back by ``test_loginum_reverified``; here, rules that are more
nested than those.
"""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import loginum_reference as reference
import pytest
import yaml
from loginum_reader import Reader

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum import language
from logic_curriculum.generators.loginum.language import Bank, Speaker, clause, english
from logic_curriculum.generators.loginum.vocabulary import verb_forms
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_query, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import Constant, Expression, Rule

FILE = Path(__file__).parents[2] / "generators/loginum/templates/english.yaml"
TEXT = FILE.read_text(encoding="utf-8")
WORDS = ["cold", "brisk", "legal", "willing"]
EXPRESSIONS = (
    "-7",
    "?x[cold]",
    "1*?x[cold]+5",
    "1*?x[cold]-5",
    "-3*?x[cold]+0",
    "3*?x[cold]+5",
    "3*?x[cold]-5",
    "max(?x[cold], 7)",
    "min(2*?x[cold]+1, ?y[brisk])",
    "addition(max(1, ?x[cold]), -4)",
    "subtraction(-4, 2*?y[brisk]-6)",
)


def pin(monkeypatch, **chosen: Bank) -> None:
    """Leave the first template of every bank, but for those that are chosen."""
    shipped = english()
    first: dict[str, object] = {}
    for name, bank in vars(shipped).items():
        if isinstance(bank, tuple):
            first[name] = bank[:1]
        elif isinstance(bank, dict):
            first[name] = {part: templates[:1] for part, templates in bank.items()}
    pinned = SimpleNamespace(**{**vars(shipped), **first, **chosen})
    monkeypatch.setattr(language, "english", lambda: pinned)


def one_by_one(bank: Bank) -> list[Bank]:
    return [(template,) for template in bank]


def fact(text: str) -> str:
    return Speaker(random.Random(0)).fact(parse_fact(text))


def rule(text: str) -> str:
    return Speaker(random.Random(0)).rule(parse_rule(text))


def drawn(say, item, times: int = 4000) -> set[str]:
    speaker = Speaker(random.Random(3))
    return {say(speaker, item) for _ in range(times)}


def assert_well_formed(sentence: str, end: str = ".") -> None:
    assert sentence[0].isupper() or sentence[0] in "-123456789", sentence
    assert sentence.endswith(end), sentence
    assert len(re.findall(r"[.?!]", sentence)) == 1, sentence
    assert not re.search(r"[{}]|\s\s|\s[,.;:)]|\(\s|--", sentence), sentence
    assert sentence.count("(") == sentence.count(")"), sentence
    assert not re.search(r"\b(\w+) \1\b", sentence), sentence  # "the the"


def test_there_are_as_many_templates_as_in_the_paper():
    banks = english()
    assert len(banks.attribute_facts) == 222
    assert len(banks.assignments) == 147
    assert len(banks.relation_facts) == 20
    assert len(banks.implications) == 26
    assert len(banks.retrievals) == 16
    assert len(banks.calculations["addition"]) == 15
    assert len(banks.calculations["subtraction"]) == 15
    assert {name: len(bank) for name, bank in banks.aggregations.items()} == {
        "max": 6,
        "min": 6,
        "addition": 6,
        "subtraction": 6,
    }


def test_a_task_is_said_with_the_first_templates_like_this(monkeypatch):
    pin(monkeypatch)
    rng = random.Random(0)
    assert fact("is(Hetty, legal, -95)") == "Hetty's legal value is -95."
    assert fact("hamper(Ed, James)") == "Ed hampers James."
    assert Speaker(rng).query(parse_query("is(James, legal, ?)")) == "What is James's legal value?"
    assert rule("is(?x, cold, 4) & hamper(?x, ?y) -> is(?y, legal, max(2*?x[cold]-1, 7))") == (
        "If entity_1's cold value is 4 and entity_1 hampers entity_2, then entity_2's legal value "
        "is the greater of ((2 times entity_1's cold value) minus 1) and 7."
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is(Hetty, legal, -95)", "Hetty's legal value is -95."),
        ("is(Hetty, legal, -95)", "The legal property of Hetty is recorded as -95."),
        ("is(Hetty, legal, -95)", "-95 is assigned to Hetty as the legal trait."),
        ("is(Hetty, legal, 0)", "For Hetty the legal feature is 0."),
        ("sacrifice(Cecilla, Terrianne)", "Cecilla sacrifices Terrianne."),
        ("sacrifice(Cecilla, Terrianne)", "Terrianne is sacrificed by Cecilla."),
        ("study(Jorie, Woodrow)", "Woodrow is someone whom Jorie studies."),
        ("choose(Jorie, Woodrow)", "Woodrow is someone who is chosen by Jorie."),
        ("abet(Jorie, Woodrow)", "Jorie is someone who abets Woodrow."),
        ("abet(Jorie, Woodrow)", "Woodrow is abetted by Jorie."),
        ("abet(Jorie, Woodrow)", "The relation abet holds from Jorie to Woodrow."),
    ],
)
def test_a_fact_can_be_said_like_this(text, said):
    assert said in drawn(Speaker.fact, parse_fact(text))


@pytest.mark.parametrize(
    ("verb", "present", "participle"),
    [
        ("hamper", "hampers", "hampered"),
        ("abet", "abets", "abetted"),
        ("envy", "envies", "envied"),
        ("approach", "approaches", "approached"),
        ("forgive", "forgives", "forgiven"),
        ("overthrow", "overthrows", "overthrown"),
        ("mislead", "misleads", "misled"),
        ("tutor", "tutors", "tutored"),
    ],
)
def test_verbs_are_inflected(verb, present, participle):
    assert verb_forms(verb) == (verb, present, participle)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("-7", "-7"),
        ("3*?x[cold]+5", "(3 times entity_1's cold value) plus 5"),
        ("-3*?x[cold]+5", "(-3 times entity_1's cold value) plus 5"),
        ("3*?x[cold]-5", "(3 times entity_1's cold value) minus 5"),  # never "plus -5"
        ("-1*?x[cold]-5", "(-1 times entity_1's cold value) minus 5"),
        ("1*?x[cold]+5", "entity_1's cold value plus 5"),
        ("1*?x[cold]-5", "entity_1's cold value minus 5"),
        ("3*?x[cold]+0", "3 times entity_1's cold value"),
        ("1*?x[cold]+0", "1 times entity_1's cold value"),  # not the retrieval, which it equals
        ("0*?x[cold]-5", "(0 times entity_1's cold value) minus 5"),
        ("max(?x[cold], 7)", "the greater of entity_1's cold value and 7"),
        ("min(-2, 2*?x[cold]+1)", "the lesser of -2 and ((2 times entity_1's cold value) plus 1)"),
        ("addition(1, min(2, 3))", "the sum of 1 and (the lesser of 2 and 3)"),
        ("subtraction(9, ?x[cold])", "the difference obtained by subtracting entity_1's cold value "
         "from 9"),
    ],
)  # fmt: skip
def test_expressions_are_said_by_their_numbers_and_with_brackets(monkeypatch, expression, said):
    pin(monkeypatch)
    assert rule(f"is(?x, cold, 4) -> is(?x, legal, {expression})") == (
        f"If entity_1's cold value is 4, then entity_1's legal value is {said}."
    )


def test_the_value_of_another_attribute_is_said_to_be_given_to_this_one(monkeypatch):
    text = "is(?x, cold, 4) -> is(?x, legal, ?x[cold])"
    for bank in one_by_one(english().assignments):
        pin(monkeypatch, assignments=bank)
        said = rule(text)
        assert_well_formed(said)
        conclusion = said.partition(", then ")[2]
        assert not re.search(r"\b(is|equals|is equal to) (the|entity)", conclusion), said
    pin(monkeypatch)
    assert rule(text) == (
        "If entity_1's cold value is 4, then entity_1's legal value is set to entity_1's cold "
        "value."
    )


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_attribute_template_is_well_formed_as_fact_condition_and_conclusion(
    monkeypatch, expression
):
    text = f"is(?x, cold, -4) & is(?y, brisk, 0) -> is(?x, legal, {expression})"
    for bank in one_by_one(english().attribute_facts):
        pin(monkeypatch, attribute_facts=bank)
        assert_well_formed(fact("is(Hetty, legal, -95)"))
        assert_well_formed(rule(text))


@pytest.mark.parametrize("conclusion", ["hamper(?y, ?x)", "is(?y, legal, 2*?x[cold]-1)"])
def test_every_implication_is_well_formed_with_every_relation_template(monkeypatch, conclusion):
    banks = english()
    for relation, implication in itertools.product(
        one_by_one(banks.relation_facts), one_by_one(banks.implications)
    ):
        pin(monkeypatch, relation_facts=relation, implications=implication)
        said = rule(f"hamper(?x, ?y) & abet(?y, ?x) & abet(?x, ?z) -> {conclusion}")
        assert_well_formed(said)
        assert said.count("entity_") + said.count("Entity_") == 8


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_expression_template_is_well_formed_in_every_conclusion(monkeypatch, expression):
    banks = english()
    rng = random.Random(5)
    parsed = parse_rule(f"is(?x, cold, -4) & is(?y, brisk, 0) -> is(?x, legal, {expression})")
    monkeypatch.setattr(language, "english", lambda: banks)
    for _ in range(500):
        assert_well_formed(Speaker(rng).rule(parsed))


def test_every_query_is_well_formed_with_every_retrieval(monkeypatch):
    banks = english()
    query = parse_query("is(Hetty, legal, ?)")
    said = set()
    for retrieval, ask in itertools.product(
        one_by_one(banks.retrievals), one_by_one(banks.queries)
    ):
        pin(monkeypatch, retrievals=retrieval, queries=ask)
        sentence = Speaker(random.Random(0)).query(query)
        assert_well_formed(sentence, "?" if sentence[0] == "W" else ".")
        said.add(sentence)
    assert len(said) == 16 * 6


def test_every_relation_template_says_the_direction(monkeypatch):
    for bank in one_by_one(english().relation_facts):
        pin(monkeypatch, relation_facts=bank)
        assert fact("hamper(Ed, Kim)") != fact("hamper(Kim, Ed)")


def test_wordings_of_different_expressions_never_coincide():
    banks = english()
    look, amount = "entity_1's cold value", 5
    said: dict[str, str] = {}
    for kind, bank in {**banks.calculations, **banks.aggregations}.items():
        for template in bank:
            slots = (3, look, amount) if kind in banks.calculations else (look, amount)
            assert said.setdefault(template(*slots), kind) == kind
    for template in banks.retrievals:
        assert template("entity_1", "cold") not in said


def test_subtraction_says_what_is_taken_from_what():
    for template in english().aggregations["subtraction"]:
        there, back = template("FIRST", "SECOND"), template("SECOND", "FIRST")
        assert there != back
        assert not re.search(r"between|FIRST and SECOND|SECOND and FIRST", there)


def test_variables_are_numbered_as_they_occur_in_the_conditions(monkeypatch):
    pin(monkeypatch)
    said = rule("abet(?q, ?b) & is(?a, cold, 1) & abet(?b, ?z) -> hamper(?z, ?b)")
    assert said == (
        "If entity_1 abets entity_2 and entity_3's cold value is 1 and entity_2 abets entity_4, "
        "then entity_4 hampers entity_2."
    )


def test_two_variables_of_one_relation_may_be_the_same(monkeypatch):
    pin(monkeypatch)
    assert rule("abet(?x, ?x) -> hamper(?x, ?x)") == (
        "If entity_1 abets entity_1, then entity_1 hampers entity_1."
    )


def nested_expression(rng: random.Random, depth: int) -> str:
    number, lookup = rng.randint(-9, 9), f"{rng.choice(['?x', '?y'])}[{rng.choice(WORDS)}]"
    kinds = [str(number), lookup, f"{rng.choice([number, 1])}*{lookup}{rng.randint(-3, 3):+d}"]
    if depth:
        left, right = (nested_expression(rng, depth - 1) for _ in range(2))
        operator = rng.choice(["max", "min", "addition", "subtraction"])
        kinds.append(f"{operator}({left}, {right})")
    return rng.choice(kinds)


def test_nested_expressions_can_be_read_in_one_way_only():
    reader, rng = Reader(), random.Random(11)
    for _ in range(250):
        first, second = rng.sample(WORDS, 2)
        text = (
            f"is(?x, {first}, -3) & hamper(?y, ?x) & is(?y, {second}, 0) "
            f"-> is(?y, {first}, {nested_expression(rng, 3)})"
        )
        said = Speaker(rng).rule(parse_rule(text))
        meant = repr(reference.read_rule(text)).replace("?x", "?1").replace("?y", "?2")
        assert list(map(repr, reader.rule(said))) == [meant], said


def test_equal_streams_say_the_same():
    parsed = parse_rule("abet(?x, ?y) -> is(?x, legal, max(2*?y[cold]+1, ?y[brisk]))")
    assert [Speaker(random.Random(seed)).rule(parsed) for seed in range(50)] == [
        Speaker(random.Random(seed)).rule(parsed) for seed in range(50)
    ]


def test_an_expression_without_templates_is_named():
    @dataclass(frozen=True)
    class Sine(Constant):
        pass

    parsed = parse_rule("is(?x, cold, 4) -> is(?x, legal, 1)")
    unknown: Expression = Sine(0)
    strange = Rule(parsed.conditions, parsed.conclusion._replace(expression=unknown))
    with pytest.raises(TypeError, match=r"no templates for Sine: there are some for Constant"):
        Speaker(random.Random(0)).rule(strange)


def test_a_template_with_an_unknown_slot_is_refused(monkeypatch):
    broken = yaml.safe_load(TEXT.replace("Find {lookup}.", "Find {lookups}."))
    monkeypatch.setattr(language.yaml, "safe_load", lambda text: broken)
    with pytest.raises(ValueError, match=r"has a slot 'lookups'; its slots are lookup"):
        language.english.__wrapped__()


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "ask(?x, ?y) -> is(?y, deep, 5*?x[tall]+10)",
            "is(?x, deep, 5*?y[tall]+10) <- ask(?y, ?x)",
        ),
        (
            "is(?y, calm, 5) & ask(?x, ?y) -> keep(?y, ?x)",
            "keep(?x, ?y) <- is(?x, calm, 5) & ask(?y, ?x)",
        ),
    ],
)
def test_a_clause_has_its_head_first_and_its_variables_in_order(rule: str, expected: str):
    assert clause(parse_rule(rule)) == expected


def test_clauses_mean_what_the_rules_mean():
    hard = ("exHL-HN", 7, 51)  # a rule of seven variables
    for preset, level, seed in [*(("HL-HN", 4, seed) for seed in range(30)), hard]:
        options = {"preset": preset, "style": "compact"}
        told = generate("loginum", level, seed, language="clauses", **options)
        formal = generate("loginum", level, seed, language="formal", **options)

        assert told.verification == formal.verification
        for sentence, text in zip(
            told.metadata["rule_sentences"], told.verification["rules"], strict=True
        ):
            assert sentence in told.prompt
            head, body = sentence.split(" <- ")
            assert clause(parse_rule(f"{body} -> {head}")) == clause(parse_rule(text)) == sentence
