"""LogiNumSynth's sentences reworded by a language model: what is used, and what is refused."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

import pytest
from llm_server import Endpoint, completion
from pytest_httpserver import HTTPServer

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.llm import load_model
from logic_curriculum.generators.loginum.language import Speaker
from logic_curriculum.generators.loginum.refinement import SentenceReader, UnreadableError
from logic_curriculum.generators.loginum.vocabulary import Words
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_query, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, RelationFact

WORDS = Words(("Ed", "Ann", "Will"), ("low", "humid", "brittle"), ("hamper", "put", "find"))
READER = SentenceReader(WORDS)


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("Ed's low attribute is recorded as -8.", ("is", "Ed", "low", -8)),
        ("Ed has a low value of −8.", ("is", "Ed", "low", -8)),
        ("The value 7 is assigned to Will as the low trait.", ("is", "Will", "low", 7)),
        ("Low is 7 for Ed.", ("is", "Ed", "low", 7)),
        ("For Will, the low trait is 7.", ("is", "Will", "low", 7)),
        ("Ann is hampered by Ed.", ("hamper", "Ed", "Ann")),
        ("It is Ed who hampers Ann.", ("hamper", "Ed", "Ann")),
        ("Ann is the person whom Ed hampers.", ("hamper", "Ed", "Ann")),
        ("There is a hamper relation from Ed to Ann.", ("hamper", "Ed", "Ann")),
        ("To Ann there is a link called hamper from Ed.", ("hamper", "Ed", "Ann")),
        ("Ed is linked to Ann through the relation hamper.", ("hamper", "Ed", "Ann")),
        ("Ann is put by Ed.", ("put", "Ed", "Ann")),
        ("From Ed to Ann there is the relation put.", ("put", "Ed", "Ann")),
    ],
)
def test_a_fact_is_read_in_many_wordings(sentence, says):
    assert READER.fact(sentence) == says


@pytest.mark.parametrize(
    "sentence",
    [
        "Ed's low attribute is not 5.",
        "Ed's low attribute is about 5.",
        "Ed's low attribute is under 5.",
        "Ed's low attribute is at least 5.",
        "Ed's low attribute may be 5.",
        "Ed's low attribute is five.",
        "Ed's low attribute is 5.0.",
        "Ed's low attribute is 05.",
        "Ed's low attribute is -5-.",
        "Ed's low attribute is 5 if Ann hampers Ed.",
        "Ed's low attribute is 5, his humid one 7.",
        "Her low attribute is 5.",
        "Ed's low attribute is 5",
        "Edward's low attribute is 5.",
        "Ed's lowness is 5.",
        "Ed and Ann hamper each other.",
        "Ed hampers or finds Ann.",
        "Ed never hampers Ann.",
        "Ed may hamper Ann.",
        "Ed hampered Ann.",
        "Ann, Ed hampers.",
        "There is a hamper relation between Ed and Ann.",
        "Ed has the relation hamper with Ann.",
        "Ed put Ann.",
        "Ed hampers Ed Ann.",
        "",
        ".",
        f"Ed hampers {'the ' * 500}Ann.",
    ],
)
def test_a_fact_that_may_say_something_else_is_not_read(sentence):
    with pytest.raises(UnreadableError):
        READER.fact(sentence)


RULE = "If entity_1 hampers entity_2 and entity_2's low value is 5, then entity_1's humid value is "
EXPRESSION = "3 times entity_2's brittle value plus 4"


@pytest.mark.parametrize(
    "sentence",
    [
        f"{RULE}{EXPRESSION}.",
        "Whenever entity_2 is hampered by entity_1, and entity_2 has a low value of 5, it follows "
        f"that the humid value of entity_1 equals {EXPRESSION}.",
        f"That entity_1's humid value is {EXPRESSION} is true whenever it is the case that "
        "entity_1 hampers entity_2 and that 5 is recorded for entity_2 under the low trait.",
        "Given that entity_2's low attribute is 5 and that entity_1 hampers entity_2, one can "
        "conclude that entity_1's humid trait is 3 times the brittle value of entity_2, plus 4.",
        f"Entity_1's humid value is {EXPRESSION}, provided that entity_1 hampers entity_2 and "
        "entity_2's low property amounts to 5.",
        f"Once entity_1 hampers entity_2 while entity_2's low value is 5, entity_1 has {EXPRESSION}"
        " as the humid value.",
    ],
)
def test_a_rule_is_read_in_many_wordings(sentence):
    assert READER.rule(sentence) == READER.rule(f"{RULE}{EXPRESSION}.")


@pytest.mark.parametrize(
    "sentence",
    [
        f"{RULE.replace('entity_1 hampers entity_2', 'entity_2 hampers entity_1')}{EXPRESSION}.",
        f"{RULE.replace('5', '6')}{EXPRESSION}.",
        f"{RULE.replace(' and ', ' or ')}{EXPRESSION}.",
        f"{RULE.replace('If', 'Only if')}{EXPRESSION}.",
        f"{RULE.replace('If', 'Unless')}{EXPRESSION}.",
        f"{RULE.replace('humid', 'brittle')}{EXPRESSION}.",
        f"{RULE.replace('low value is', 'low value is not')}{EXPRESSION}.",
        f"{RULE}4 times entity_2's brittle value plus 3.",
        f"{RULE}3 times entity_2's brittle value minus 4.",
        f"{RULE}3 times entity_1's brittle value plus 4.",
        f"{RULE}3 times entity_2's low value plus 4.",
        f"{RULE}about 3 times entity_2's brittle value plus 4.",
        f"{RULE}3 times (entity_2's brittle value plus 4).",
        f"{RULE}under {EXPRESSION}.",
        f"{RULE}not {EXPRESSION}.",
        f"Entity_1's humid value is {EXPRESSION} only if entity_1 hampers entity_2 and "
        "entity_2's low value is 5.",
        f"Entity_1's humid value is {EXPRESSION}, entity_1 hampers entity_2 and "
        "entity_2's low value is 5.",
        f"If entity_1's humid value is {EXPRESSION}, then entity_1 hampers entity_2 and "
        "entity_2's low value is 5.",
        f"It is false that if {RULE[3:]}{EXPRESSION}.",
        f"If entity_1 hampers entity_2, then entity_1's humid value is {EXPRESSION}.",
    ],
)
def test_a_rule_that_says_something_else_is_not_read_as_the_same(sentence):
    try:
        found = READER.rule(sentence)
    except UnreadableError:
        return
    assert found != READER.rule(f"{RULE}{EXPRESSION}.")


@pytest.mark.parametrize(
    "sentence", ["entity_1 has a humid value of 0.", "0 is recorded for entity_1 under humid."]
)
def test_a_rule_may_conclude_a_plain_number_in_the_words_of_facts(sentence):
    start = "If entity_1 hampers entity_2, then "
    assert READER.rule(f"{start}{sentence}") == READER.rule(f"{start}entity_1's humid value is 0.")


def test_the_larger_and_the_smaller_have_several_names_but_not_each_others():
    said = {
        word: READER.rule(f"{RULE}the {word} of 3 and entity_2's brittle value.")
        for word in ("larger", "maximum", "smaller", "minimum")
    }
    assert said["larger"] == said["maximum"]
    assert said["smaller"] == said["minimum"]
    assert said["larger"] != said["smaller"]


def test_what_the_templates_say_is_read_as_it_is_meant():
    """The check rests on this reading: of all wordings, in all kinds of worlds."""
    for level, seed in ((level, seed) for level in range(1, 11) for seed in range(6)):
        task = generate("loginum", level, seed)
        about, rng = task.metadata, random.Random(seed)
        reader = SentenceReader(Words(about["entities"], about["attributes"], about["relations"]))
        for fact in map(parse_fact, task.verification["facts"]):
            assert reader.fact(Speaker(rng).fact(fact)) == meaning(fact, {})
        for rule in map(parse_rule, task.verification["rules"]):
            conditions, conclusion = reader.rule(Speaker(rng).rule(rule))
            names = variables(rule.conditions)
            assert conditions == tuple(sorted(meaning(item, names) for item in rule.conditions))
            head = rule.conclusion
            if isinstance(head, RelationFact):
                assert conclusion == meaning(head, names)
            else:
                assert conclusion[:3] == ("is", names[head.entity], head.attribute)
        query = parse_query(task.verification["query"])
        assert reader.query(Speaker(rng).query(query)) == (query.entity, query.attribute)


AGGREGATORS = ("max", "min", "addition", "subtraction")


def altered(rule: str, attributes: tuple[str, ...]) -> Iterator[str]:
    """Yield rules that differ from one in one place of its formula."""
    for number in re.finditer(r"-?\d+", rule):
        yield f"{rule[: number.start()]}{int(number[0]) + 1}{rule[number.end() :]}"
    for variable in re.finditer(r"\?\w+", rule):
        for other in sorted(set(re.findall(r"\?\w+", rule)) - {variable[0]}):
            yield f"{rule[: variable.start()]}{other}{rule[variable.end() :]}"
    for pair in re.finditer(r"\((\?\w+), (\?\w+)\)", rule):
        yield f"{rule[: pair.start()]}({pair[2]}, {pair[1]}){rule[pair.end() :]}"
    for attribute in re.finditer(rf"\b({'|'.join(attributes)})\b", rule):
        for other in attributes[:2]:
            yield f"{rule[: attribute.start()]}{other}{rule[attribute.end() :]}"
    for name in re.finditer(rf"\b({'|'.join(AGGREGATORS)})\(", rule):
        for other in AGGREGATORS:
            yield f"{rule[: name.start()]}{other}({rule[name.end() :]}"
    conditions, _, conclusion = rule.partition(" -> ")
    listed = conditions.split(" & ")
    for place in range(len(listed) if len(listed) > 1 else 0):
        yield f"{' & '.join(listed[:place] + listed[place + 1 :])} -> {conclusion}"


def check_no_other_rule_is_read_as_the_same(tasks: Iterable[Task]) -> int:
    """Say rules and others that differ in one place, in the same templates; count the others."""
    others = 0
    for task in tasks:
        about = task.metadata
        reader = SentenceReader(Words(about["entities"], about["attributes"], about["relations"]))
        for text in task.verification["rules"]:
            said = reader.rule(Speaker(random.Random(0)).rule(parse_rule(text)))
            for other in altered(text, about["attributes"]):
                if other == text or not is_rule(other):
                    continue
                others += 1
                try:
                    found = reader.rule(Speaker(random.Random(0)).rule(parse_rule(other)))
                except UnreadableError:
                    continue
                assert found != said, (text, other)
    return others


def is_rule(text: str) -> bool:
    try:
        parse_rule(text)
    except ValueError:
        return False
    return True


def test_no_other_rule_is_read_as_the_same():
    tasks = (generate("loginum", level, 0) for level in (2, 5, 8, 10))
    assert check_no_other_rule_is_read_as_the_same(tasks) > 500


@pytest.mark.slow
def test_no_other_rule_of_many_is_read_as_the_same():
    tasks = (generate("loginum", level, seed) for level in range(1, 11) for seed in range(1, 41))
    assert check_no_other_rule_is_read_as_the_same(tasks) > 50_000


def meaning(fact, names):
    if isinstance(fact, AttributeFact):
        return ("is", names.get(fact.entity, fact.entity), fact.attribute, fact.value)
    return (fact.relation, names.get(fact.first, fact.first), names.get(fact.second, fact.second))


def variables(conditions):
    found: dict[str, str] = {}
    for item in conditions:
        ends = (item.entity,) if isinstance(item, AttributeFact) else (item.first, item.second)
        for name in ends:
            found.setdefault(name, f"entity_{len(found) + 1}")
    return found


# ---- with a model -------------------------------------------------------------------------------


def sentences(prompt: str) -> dict[str, str]:
    """Return the sentences that a prompt shows, by label."""
    return dict(re.findall(r"^((?:fact|rule)_\d+|query): (.*?)   \[", prompt, re.MULTILINE))


def reword(label: str, text: str) -> str:
    """Reword a sentence as an able model might, where it is of an easy kind."""
    if label == "query":
        return f"Please tell {text.removeprefix('What is ').rstrip('?.')}."
    return re.sub(r"^Whenever |^If ", "As long as ", text)


def refined(httpserver: HTTPServer, folder, say, level: int = 5):
    def script(body):
        shown = sentences(body["messages"][-1]["content"])
        return completion("\n".join(say(label, text) for label, text in shown.items()))

    endpoint = Endpoint(httpserver, script)
    return generate("loginum", level, 3, llm=endpoint.file(folder)), endpoint


def test_a_task_takes_what_says_the_same_and_keeps_the_rest(httpserver: HTTPServer, tmp_path):
    task, endpoint = refined(
        httpserver, tmp_path, lambda label, text: f"{label}: {reword(label, text)}"
    )
    plain = generate("loginum", 5, 3)
    rules = zip(task.metadata["rule_sentences"], plain.metadata["rule_sentences"], strict=True)
    changed = [new for new, old in rules if new != old]
    assert changed
    assert all(rule.startswith("As long as ") and rule in task.prompt for rule in changed)
    assert task.metadata["fact_sentences"] == plain.metadata["fact_sentences"]
    refinement = task.metadata["refinement"]
    told = sum(len(plain.metadata[f"{kind}_sentences"]) for kind in ("fact", "rule")) + 1
    assert refinement["reworded"] + sum(refinement["kept"].values()) == told
    assert refinement["kept"]["left as it was"] >= len(plain.metadata["fact_sentences"])
    assert (task.verification, task.solution) == (plain.verification, plain.solution)
    assert sum(len(sentences(text)) for text in endpoint.texts) == told

    load_model.cache_clear()
    asked = len(endpoint.asked)
    assert generate("loginum", 5, 3, llm=str(tmp_path / "llm.yaml")) == task
    assert len(endpoint.asked) == asked


@pytest.mark.parametrize(
    ("say", "reason"),
    [
        (lambda label, text: "I'd rather not.", "not answered"),
        (lambda label, text: f"{label}: {text}\n{label}: Well.", "answered twice"),
        (lambda label, text: f"{label}: {text[:-1]}", "no sentence"),
        (lambda label, text: f"{label}: {text[0].lower()}{text[1:]}", "no sentence"),
        (lambda label, text: f"{label}: {text} Really.", "a word that may change the meaning"),
        (lambda label, text: f"**{label}**: {text}", "left as it was"),
        (lambda label, text: f"{label}: {text.replace(' 1', ' 2')}", "something else said"),
    ],
    ids=["silent", "twice", "no stop", "no capital", "added", "unchanged", "other number"],
)
def test_sentences_that_are_kept_are_counted_by_reason(
    httpserver: HTTPServer, tmp_path, say, reason
):
    task, _ = refined(httpserver, tmp_path, say)
    assert reason in task.metadata["refinement"]["kept"]


def test_formulas_have_no_sentences_to_reword():
    with pytest.raises(ValueError, match="only English"):
        generate("loginum", 1, 0, language="formal", llm="some-model")
