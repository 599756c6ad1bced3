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
from logic_curriculum.generators.loginum.language import Speaker, Words
from logic_curriculum.generators.loginum.refinement import Meaning
from logic_curriculum.rewards.engines.numeric.syntax import parse_rule

MEANING = Meaning(
    Words(("Ed", "Ann", "Will"), ("low", "humid", "brittle"), ("hamper", "put", "find"))
)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("Ed's low attribute is recorded as -8.", "The low value of Ed is −8."),
        ("For Will, the low trait equals 7.", "For the Will, low quality is set to 7."),
        ("7 is recorded for Will under the low trait.", "7 is recorded for Will under low."),
        ("Ann is hampered by Ed.", "The Ann is hampered by Ed."),
    ],
)
def test_a_fact_says_the_same_in_other_words_that_do_not_matter(sentence, other):
    assert MEANING.of(sentence) == MEANING.of(other)


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
        "Ed's low attribute is -5.",
        "Ed's low attribute is 5 if Ann hampers Ed.",
        "Her low attribute is 5.",
        "Edward's low attribute is 5.",
        "Ed's lowness is 5.",
        "Ann's low attribute is 5.",
    ],
)
def test_a_value_that_may_be_another_is_refused(sentence):
    assert MEANING.of(sentence) != MEANING.of("Ed's low attribute is 5.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Ed and Ann hamper each other.",
        "Ed hampers or finds Ann.",
        "Ed never hampers Ann.",
        "Ed may hamper Ann.",
        "Ed hampered Ann.",
        "Ed is hampered by Ann.",
        "Ann hampers Ed.",
        "There is a hamper relation between Ed and Ann.",
        "Ed hampers Ed Ann.",
        "",
    ],
)
def test_a_relation_that_may_be_another_is_refused(sentence):
    assert MEANING.of(sentence) != MEANING.of("Ed hampers Ann.")


def test_a_verb_of_the_task_matters_where_it_would_else_be_silent():
    found = Meaning(Words(("Ed", "Ann"), ("low",), ("value", "trait")))
    assert found.of("Ed value Ann.") != found.of("Ed trait Ann.")


RULE = "If entity_1 hampers entity_2 and entity_2's low value is 5, then entity_1's humid value is "
EXPRESSION = "3 times entity_2's brittle value plus 4"


@pytest.mark.parametrize(
    "sentence",
    [
        f"As long as entity_1 hampers entity_2 and the low value of entity_2 equals 5, the humid "
        f"trait of entity_1 amounts to {EXPRESSION}.",
        "Every time entity_1 hampers entity_2 and entity_2's low property is 5, entity_1's humid "
        "value is 3 times the brittle quality of entity_2 plus 4.",
    ],
)
def test_a_rule_says_the_same_in_other_words_that_do_not_matter(sentence):
    assert MEANING.of(sentence) == MEANING.of(f"{RULE}{EXPRESSION}.")


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
def test_a_rule_that_says_something_else_is_refused(sentence):
    assert MEANING.of(sentence) != MEANING.of(f"{RULE}{EXPRESSION}.")


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


def check_no_other_rule_says_the_same(tasks: Iterable[Task]) -> int:
    """Say rules and others that differ in one place, in the same templates; count the others."""
    others = 0
    for task in tasks:
        about = task.metadata
        meaning = Meaning(Words(about["entities"], about["attributes"], about["relations"]))
        for text in task.verification["rules"]:
            said = meaning.of(Speaker(random.Random(0)).rule(parse_rule(text)))
            for other in altered(text, about["attributes"]):
                if other == text or not is_rule(other):
                    continue
                others += 1
                found = meaning.of(Speaker(random.Random(0)).rule(parse_rule(other)))
                assert found != said, (text, other)
    return others


def is_rule(text: str) -> bool:
    try:
        parse_rule(text)
    except ValueError:
        return False
    return True


def test_no_other_rule_says_the_same():
    tasks = (generate("loginum", level, 0) for level in (2, 5, 8, 10))
    assert check_no_other_rule_says_the_same(tasks) > 500


@pytest.mark.slow
def test_no_other_rule_of_many_says_the_same():
    tasks = (generate("loginum", level, seed) for level in range(1, 11) for seed in range(1, 41))
    assert check_no_other_rule_says_the_same(tasks) > 50_000


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
        (lambda label, text: f"{label}: {text} Really.", "something else said"),
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
