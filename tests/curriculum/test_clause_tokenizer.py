import pytest

from logic_curriculum.curriculum.models.tiny_model import make_clause_tokenizer
from logic_curriculum.curriculum.models.warm_up import target
from logic_curriculum.generators import Task, generate
from logic_curriculum.rewards import judge_batch

OPTIONS = {"language": "clauses", "style": "compact", "vocabulary": 20}


def tasks(preset: str, levels: range, count: int = 10) -> list[Task]:
    return [
        generate("loginum", level, seed, preset=preset, **OPTIONS)
        for level in levels
        for seed in range(count)
    ]


def texts(made: list[Task]) -> list[str]:
    return [text for task in made for text in (task.prompt, target("searched")(task).solution)]


@pytest.mark.parametrize(
    ("preset", "levels"), [("EL-EN", range(1, 4)), ("EL-HN", range(1, 4)), ("HL-HN", range(4, 7))]
)
def test_the_judge_accepts_solutions_that_went_through_the_tokenizer(preset: str, levels: range):
    made = tasks(preset, levels)
    tokenizer = make_clause_tokenizer(texts(made))

    for name in ("solution", "searched"):
        solutions = [target(name)(task).solution for task in made]
        decoded = [tokenizer.decode(tokenizer(text)["input_ids"]) for text in solutions]
        verdicts = judge_batch("loginum", decoded, [task.verification for task in made])
        assert [(verdict.solved, verdict.partial) for verdict in verdicts] == [(True, 1.0)] * len(
            made
        )


def test_a_formula_becomes_names_numbers_and_ids():
    text = "fact_1: is(Ed, legal, 4)\nrule_2: is(?x, legal, 4) -> hamper(?x, Ed)\n"

    assert make_clause_tokenizer([text]).tokenize(text) == [
        *("fact_1", "Ed", "legal", "4"),
        *("rule_2", "?x", "legal", "4", "->", "hamper", "?x", "Ed"),
    ]


@pytest.mark.parametrize(
    ("number", "tokens"),
    [
        ("110", ["110"]),
        ("111", ["11", "##1"]),
        ("11110", ["11", "##1", "##1", "##0"]),
        ("-95", ["-", "##9", "##5"]),
    ],
)
def test_any_number_is_encodable(number: str, tokens: list[str]):
    tokenizer = make_clause_tokenizer([])

    assert tokenizer.tokenize(number) == tokens
    assert tokenizer.decode(tokenizer(number)["input_ids"]) == number


def test_ids_beyond_those_with_a_token_are_spelled():
    assert make_clause_tokenizer([]).tokenize("fact_16") == ["fact_1", "##6"]


def test_a_prompt_is_tokenized_alike_with_and_without_what_follows():
    made = tasks("EL-EN", range(1, 4))
    tokenizer = make_clause_tokenizer(texts(made))

    for task in made:
        alone = tokenizer(task.prompt)["input_ids"]
        for name in ("solution", "searched"):
            whole = tokenizer(task.prompt + target(name)(task).solution)["input_ids"]
            assert whole[: len(alone)] == alone


def test_a_world_of_fifteen_facts_and_rules_is_about_two_hundred_tokens():
    made = tasks("EL-EN", range(1, 4))
    tokenizer = make_clause_tokenizer(texts(made))

    lengths = [len(tokenizer(task.prompt)["input_ids"]) for task in made]
    assert 180 < min(lengths) <= max(lengths) < 250


def test_the_order_of_the_vocabulary_does_not_depend_on_hashing():
    made = tasks("EL-EN", range(1, 2))

    once, again = (make_clause_tokenizer(order) for order in (texts(made), texts(made[::-1])))

    assert once.get_vocab() == again.get_vocab()
