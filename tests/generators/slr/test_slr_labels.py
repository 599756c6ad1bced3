"""Every label has a second, independent judge: SWI-Prolog."""

import random
from collections import Counter

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.slr.examples import background_facts, label_examples, whole_name
from logic_curriculum.generators.slr.language import grammar_of, load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import Rule, schema_bank
from logic_curriculum.rewards.engines.prolog import Program, entailed


def check_labels(task):
    """Compare all labels of a task's two programs; return the number of labels."""
    payload = task.verification
    count = 0
    for key in ("validation_program", "heldout_program"):
        program = Program.parse(payload[key], payload["positive"], payload["negative"])
        rule = task.metadata["rule"]
        assert tuple(entailed(rule, program)) == program.labels, rule
        count += len(program.labels)
    return count


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_both_judges_label_every_level_alike(language):
    count = 0
    for level in range(1, 21):
        for seed in range(2 if level < 12 else 1):
            count += check_labels(generate("slr", level, 500 + seed, language=language))
    assert count > 1000


@pytest.mark.slow
@pytest.mark.parametrize("level", range(1, 21))
def test_both_judges_label_thousands_of_tasks_alike(level):
    for seed in range(60):
        for split in ("train", "test"):
            check_labels(generate("slr", level, 1000 + seed, split=split))
        check_labels(generate("slr", level, 1000 + seed, language="houses"))


def compare_judges(language, level, rule, rng):
    """Label 24 random examples with both judges; return how many are positive."""
    grammar = grammar_of(language, level.predicates)
    drawn = grammar.draw_examples(rng, [rng.randint(*level.parts) for _ in range(24)])
    engine = label_examples(language, level, rule, drawn)
    lines = []
    for number, (parts, label) in enumerate(zip(drawn, engine, strict=True)):
        told = (language.negative, language.positive)[label]
        lines += [
            f"{told}({whole_name(language, number)}).",
            *background_facts(grammar, number, parts),
        ]
    program = Program.parse("\n".join(lines), language.positive, language.negative)
    assert entailed(rule.text, program) == engine, rule.text
    return sum(engine)


@pytest.mark.parametrize("name", ["trains", pytest.param("houses", marks=pytest.mark.slow)])
def test_both_judges_agree_on_every_schema_and_every_schema_splits_examples(name):
    language, level = load_language(name), level_of(12)
    rng = random.Random(0)
    for schema in schema_bank():
        attributes = language.vocabulary(level.predicates)
        assert schema.fits(attributes, level)
        rules = (schema.fill(language, level, rng) for _ in range(12))
        assert any(0 < compare_judges(language, level, rule, rng) < 24 for rule in rules)


def test_tasks_of_many_styles_are_made_with_both_classes():
    found = Counter()
    seed = 0
    while len(found) < 12 and seed < 1500:
        task = generate("slr", 8, seed, style="compact")
        if task.metadata["rule_sampling"] == "schema":
            found[task.metadata["rule_style"]] += 1
            firsts = [line.split(" ")[0] for line in task.prompt.splitlines()[2:-1]]
            assert Counter(firsts) == {"eastbound": 4, "westbound": 4}
        seed += 1
    assert set(found) <= {schema.style for schema in schema_bank()}
    assert len(found) == 12


def test_a_rule_is_judged_on_each_example_alone():
    """All candidates of a batch are labelled at once: none may see another's facts."""
    language, level = load_language("trains"), level_of(10)
    grammar = grammar_of(language, level.predicates)
    rule = Rule(
        "eastbound(T) :- findall(C, (has_car(T, C), car_len(C, long)), Cs), length(Cs, 1).", "fixed"
    )
    rng = random.Random(5)
    drawn = grammar.draw_examples(rng, [3] * 30)
    together = label_examples(language, level, rule, drawn)
    alone = [label_examples(language, level, rule, [parts])[0] for parts in drawn]
    assert together == alone
    assert 0 < sum(together) < 30
