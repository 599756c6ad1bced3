import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.language import clause, parse_clause
from logic_curriculum.rewards.engines.numeric.parser import parse_rule


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
    for seed in range(30):
        options = {"preset": "HL-HN", "style": "compact"}
        told = generate("loginum", 4, seed, language="clauses", **options)
        formal = generate("loginum", 4, seed, language="formal", **options)

        assert told.verification == formal.verification
        for sentence, text in zip(
            told.metadata["rule_sentences"], told.verification["rules"], strict=True
        ):
            assert sentence in told.prompt
            assert clause(parse_clause(sentence)) == clause(parse_rule(text)) == sentence


def test_what_is_no_clause_is_refused():
    with pytest.raises(ValueError, match="no clause"):
        parse_clause("ask(?x, ?y) -> keep(?x, ?y)")
