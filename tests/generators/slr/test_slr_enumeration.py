"""Enumerated rules and examples: shortest conjunctions, accepted outcomes, numbers of tasks."""

import random
import re
from itertools import combinations, product

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.dataset import build_dataset
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.slr.enumeration import holds, shortest_conjunctions
from logic_curriculum.generators.slr.family import SlrOptions
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.task import SPLITS
from logic_curriculum.rewards.engines.prolog import Program, judge_programs


def available_tasks(level, split, **options):
    return family("slr").available_tasks(level, SlrOptions(split, **options))


WIDE = """
name: wide
objects: [box, item]
labels: {{positive: good(box), negative: bad(box)}}
domains: {{place: position, one: [{values}], two: [a, b], three: [a, b]}}
predicates:
  - {{signature: 'holds(box, item)', phrase: 'holds {{value}}'}}
  - {{signature: 'place(item, place)', phrase: 'is at {{value}}'}}
  - {{signature: 'p_one(item, one)', phrase: 'is {{value}}'}}
  - {{signature: 'p_two(item, two)', phrase: 'is {{value}}'}}
  - {{signature: 'p_three(item, three)', phrase: 'is {{value}}'}}
"""


def wide_language(tmp_path, count):
    """A language with ``4 * count`` examples of one part."""
    file = tmp_path / f"wide{count}.yaml"
    values = ", ".join(f"v{number}" for number in range(count))
    file.write_text(WIDE.format(values=values), encoding="utf-8")
    return file


def outcomes(rules, program, *labels):
    """What each rule says of each example of a program, by SWI-Prolog."""
    (runs,) = judge_programs([(Program.parse(program, *labels), rules)])
    return ["".join("01"[said is True] for said in run.outcomes) for run in runs]


def rules_of_the_grammar(most):
    """Every conjunction of up to so many conditions, negated ones included, as Prolog."""
    values = {
        "car_color": ("red", "blue", "green", "yellow", "white"),
        "car_len": ("short", "long"),
        "has_wall": ("full", "railing"),
    }
    having = [f"{name}(C, {value})" for name, known in values.items() for value in known]
    conditions = [*having, *(f"\\+ {literal}" for literal in having)]
    for count in range(1, most + 1):
        for chosen in combinations(conditions, count):
            yield f"eastbound(T) :- has_car(T, C), {', '.join(chosen)}."


def truth_of(payload):
    """What the labels of all possible examples say of each of them."""
    labels = re.findall(r"^(\w+)\(\w+\)\.$", payload["heldout_program"], flags=re.MULTILINE)
    return "".join("01"[label == payload["positive"]] for label in labels)


def right_on_enough(outcome, truth):
    """Whether an outcome is right on three quarters of the examples of either class."""
    return all(
        4 * sum(a == b == label for a, b in zip(outcome, truth, strict=True))
        >= 3 * truth.count(label)
        for label in "01"
    )


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)])
def test_accepted_are_the_outcomes_of_the_grammar_s_rules_that_fit_and_generalise(level, seed):
    payload = generate("slr", level, seed).verification
    labels = [line.split("(")[0] for line in payload["validation_program"].split("\n")]
    shown = "".join("01"[label == "eastbound"] for label in labels if label.endswith("bound"))
    rules = [*rules_of_the_grammar(level_of(level).rule_length[1])]
    said, fresh = (outcomes(rules, payload[f"{it}_program"]) for it in ("validation", "heldout"))
    expected = {outcome for its, outcome in zip(said, fresh, strict=True) if its == shown}
    truth = truth_of(payload)
    assert payload["accepted"] == sorted(it for it in expected if right_on_enough(it, truth))


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_accepted_outcomes_are_right_on_three_quarters_of_either_class(language):
    for level, seed, split in product((1, 2, 3), range(8), ("train", "test")):
        payload = generate("slr", level, seed, split=split, language=language).verification
        truth = truth_of(payload)
        assert len(truth) == 20
        assert all(right_on_enough(outcome, truth) for outcome in payload["accepted"])


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_the_ground_truth_s_outcomes_are_accepted(language):
    for level, seed in product((1, 2, 3), range(10)):
        task = generate("slr", level, seed, language=language)
        payload = task.verification
        labels = payload["positive"], payload["negative"]
        (own,) = outcomes([task.metadata["rule"]], payload["heldout_program"], *labels)
        assert own in payload["accepted"]
        assert len(set(payload["accepted"])) == len(payload["accepted"])


def test_a_language_with_many_examples_of_one_part_has_fresh_ones_at_level_one(tmp_path):
    task = generate("slr", 2, 0, language=wide_language(tmp_path, 90))
    assert "accepted" not in task.verification
    labels = re.findall(r"^(good|bad)\(", task.verification["heldout_program"], re.MULTILINE)
    assert (labels.count("good"), labels.count("bad")) == (32, 32)
    assert "24 of 32" in task.prompt


# ---------------------------------------------------------------------------------------- sizes


@pytest.mark.slow
@pytest.mark.parametrize("language", ["trains", "houses"])
def test_a_level_has_exactly_the_tasks_that_are_counted(language):
    for split in SPLITS:
        found = {
            family("slr").fingerprint(generate("slr", 1, seed, split=split, language=language))
            for seed in range(600)
        }
        assert len(found) == available_tasks(1, split, language=language)


def test_the_lowest_levels_have_enough_tasks():
    sizes = {
        (level, split): available_tasks(level, split) for level in (1, 2, 3) for split in SPLITS
    }
    assert [sizes[level, "train"] for level in (1, 2, 3)] == [28, 68, 388]
    assert [sizes[level, "validation"] for level in (1, 2, 3)] == [14, 26, 104]
    assert [sizes[level, "test"] for level in (1, 2, 3)] == [36, 52, 186]
    assert available_tasks(4, "train") is None


def test_published_sizes_are_the_paper_s_where_there_are_so_many_tasks():
    train = [family("slr").published_sizes(level)["train"] for level in range(1, 21)]
    assert train == [26, 68, 388] + [1000] * 17  # the paper has 26, 234 and 793
    assert {family("slr").published_sizes(level)["validation"] for level in range(1, 21)} == {10}
    assert [family("slr").published_sizes(level)["test"] for level in range(1, 21)] == [36] + [
        50
    ] * 19
    assert available_tasks(2, "train", language="houses") == 66
    assert available_tasks(1, "test", language="houses") == 36


def test_a_build_is_refused_before_it_makes_a_folder(tmp_path):
    sizes = {"train": 20, "validation": 15}
    with pytest.raises(
        ValueError, match=r"15 different validation tasks of slr .* has 14: ask for"
    ):
        build_dataset("slr", [1], out=tmp_path / "set", sizes=sizes)
    assert not (tmp_path / "set").exists()


def conjunctions(length):
    """All conjunctions of one or two values: sets of groups of literals on three attributes."""
    literals = [(at, value) for at in range(3) for value in "ab"]
    if length == 1:
        return [((literal,),) for literal in literals]
    pairs = list(combinations(literals, 2))
    together = [(pair,) for pair in pairs if pair[0][0] != pair[1][0]]
    return [*together, *(((one,), (other,)) for one, other in pairs)]


def test_exactly_the_shortest_conjunctions_that_fit_are_found():
    rng = random.Random(2)
    lengths = set()
    for _ in range(300):
        drawn = [
            tuple(tuple(rng.choice("ab") for _ in range(3)) for _ in range(rng.randint(1, 3)))
            for _ in range(6)
        ]
        positives, negatives = drawn[:3], drawn[3:]
        by_length = (
            [
                rule
                for rule in conjunctions(length)
                if all(holds(rule, item) for item in positives)
                and not any(holds(rule, item) for item in negatives)
            ]
            for length in (1, 2)
        )
        wanted = next(filter(None, by_length), [])
        found = shortest_conjunctions(positives, negatives)
        assert {frozenset(rule) for rule in found} == {frozenset(rule) for rule in wanted}
        assert len(found) == len(wanted)
        lengths.update(sum(map(len, rule)) for rule in found)
    assert lengths == {1, 2}
