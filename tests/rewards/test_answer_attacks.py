"""What must not pay: hedges and denials in an answer block; and what must not raise or stall."""

import json

import pytest
from hostile_answers import TARGETS, attacks

from logic_curriculum.rewards import judge, judge_batch

VALIDITY = {"correct": [4], "options": 6}
LOGINUM = {
    "facts": ["is(Tai, calm, 4)", "is(Kim, humid, 3)"],
    "rules": ["is(?x, calm, 4) -> is(?x, humid, 10)"],
    "query": "is(Tai, humid, ?)",
    "answer": 10,
    "steps": [{"conclusion": "is(Tai, humid, 10)"}],
}
COUNTERMODEL = {"premises": ["∀x(Fx→Gx)", "Ga"], "conclusion": "Fa", "domain": [0, 1]}
SYMBOLIZATION = {
    "formula": "∀x(Ox→Pxc)",
    "abbreviations": {"O": "[1] is a monkey", "P": "[1] saw [2]", "c": "Hazel"},
}
SLR = {
    "validation_program": "eastbound(t0).\nhas_car(t0, c0).\nwestbound(t1).\nhas_car(t1, c1).\n",
    "positive": "eastbound",
    "negative": "westbound",
}
SAT = {"formulas": ["v1", "(v1→v2)"], "satisfiable": True, "certificate": True}
TASKS = {
    "slr": SLR,
    "symbolization": SYMBOLIZATION,
    "countermodel": COUNTERMODEL,
    "validity": VALIDITY,
    "loginum": LOGINUM,
    "sat": SAT,
}
PROOF = "<certificate>v1=true, v2=true</certificate>"
REFUTES = "F={0}, G={0,1}, a=1"

HEDGES = [
    *(
        ("validity", f"<answer>{block}</answer>")
        for block in (
            "All but: 4",
            "It cannot be: 4",
            "false: 4",
            "Statement 2 is false: 4",
            "4 | 2: 4",
            "no 4",
            "not 4",
            "4 (not!)",
            "2 or 4",
            '4 "is wrong"',
            "4 (or none)",
            '{"rejected": 4}',
            '{"answer": 2, "answer": 4}',
            '{"answer": 2, "label": 4}',
            "answer: 2\nanswer: 4",
            "2–4",
            "none, 4",
            "all but 1. Statement 4",
            "1, 2, 3, 4, 5, 6",
        )
    ),
    ("validity", "So <answer>4,"),
    ("validity", "<answer>4<answer>"),
    ("validity", "Is the answer 4?"),
    ("validity", "The answer is not 4."),
    ("validity", "<think>Answer: 4"),
    ("validity", "⟦4⟧"),
    *(
        ("loginum", f"<answer>{block}</answer>")
        for block in (
            "maybe 9: 10",
            "fact_3: 10",
            "Kim's humid: 10",
            "x = 9, y = 10",
            "x = 9 or 11, who knows = 10",
            "9 or 10",
            "9\n10",
            "5 + 5",
            "10 or so",
        )
    ),
    ("symbolization", "<answer>∀x(Ox→Pxc) or ∀xPxc</answer>"),
    ("symbolization", "<answer>∀x(Ox→Pxc)\n∀xPxc</answer>"),
    ("symbolization", "<answer>not sure: ∀x(Ox→Pxc)</answer>"),
    ("countermodel", f"<answer>{REFUTES}, a=0</answer>"),
    ("countermodel", f"<answer>{REFUTES} (or a=0)</answer>"),
    ("sat", f"<result>inconsistent: consistent</result>{PROOF}"),
    ("sat", f"<result>consistent or inconsistent</result>{PROOF}"),
    ("sat", "<result>consistent</result><certificate>v1=true, v2=true, v2=false</certificate>"),
]


@pytest.mark.parametrize(("family", "completion"), HEDGES)
def test_a_hedge_is_not_paid(family, completion):
    assert judge(family, completion, TASKS[family]).reward == 0.0


RIGHT = [
    ("validity", "I will use ``` fences below.\n\nAnswer: 4", "backticks in prose"),
    ("validity", "Final answer:\n1. Statement 4", "a list's own number"),
    ("validity", '{"answer": "4", "answers": null}', "null is no answer"),
    ("loginum", r"\boxed{10{,}0}".replace("10{,}0", "10"), "a box"),
    ("loginum", r"$\boxed{\frac{20}{2}}$", "a fraction"),
    ("countermodel", "Constants: a = 1\nF: [0]\nG: [0, 1]", "a label before assignments"),
    ("countermodel", "Constant: a = 1\nPredicate: F = {0}\nPredicate: G = {0, 1}", "labels"),
    ("countermodel", "Fx: {0}\nGx: {0,1}\na: 1", "predicates with variables"),
    ("countermodel", '{"a": 1, "F(x)": [0], "G(x)": [0, 1]}', "the same in JSON"),
    ("countermodel", "|a|1|\n|F|{0}|\n|G|{0,1}|", "a table without spaces"),
    ("countermodel", "a=1, F={0}, and G={0,1}", "an Oxford comma"),
    ("countermodel", f"{REFUTES}\n- G contains 1, so this premise is true.", "a remark below"),
    ("countermodel", f"<answer>{REFUTES}\nG contains 1.</answer>", "a remark in the tag"),
    ("sat", f"consistent\n{PROOF}", "a verdict without tag beside its proof"),
]


@pytest.mark.parametrize(("family", "completion", "reason"), RIGHT)
def test_a_natural_layout_is_read(family, completion, reason):
    assert judge(family, completion, TASKS[family]).reward == 1.0, reason


KEYS = {"slr": "rule", "symbolization": "formula", "countermodel": "F", "sat": "result"}


@pytest.mark.parametrize("family", TASKS)
def test_deep_mappings_are_refused_rather_than_raised(family):
    key = KEYS.get(family, "answer")
    for depth in (9, 700, 5000):
        nested = json.dumps({key: 0})[:-2] + "[" * depth + "1" + "]" * depth + "}"
        yaml = f"{key}: {'[' * depth}"
        for block in (nested, yaml):
            assert judge(family, f"<answer>{block}</answer>", TASKS[family]).reward == 0.0


def test_a_formula_of_many_biconditionals_is_wrong_without_being_compared():
    chain = "↔".join(["Ox", "Pxc"] * 15)
    verdict = judge("symbolization", f"<answer>∀x({chain})</answer>", SYMBOLIZATION)

    assert verdict.reward == 0.0
    assert "biconditionals" in verdict.explanation


@pytest.mark.timeout(60)  # megabytes in seconds, or minutes where a reader is quadratic
@pytest.mark.parametrize("family", ["validity", "loginum", "countermodel"])
@pytest.mark.parametrize(
    "text",
    [
        "Answer:\n" * 12000 + "\n" + "1,111\n" * 3000 + "x y z",
        "Answer:\n" * 12000 + "\nanswer: " + "[" * 1500,
        "<answer>" + "\n".join(map(str, range(3500))) + "</answer>",
        "<answer>1" + ",111" * 4900 + "x</answer>",
        "<answer>" + "F=" * 4900 + "0," * 4900 + "</answer>",
    ],
)
def test_nothing_is_read_again_and_again(family, text):
    assert judge(family, text, TASKS[family]).reward == 0.0


@pytest.mark.parametrize("name", TARGETS)
def test_no_attack_is_paid_or_harms_its_neighbours(name: str) -> None:
    target, hostile = TARGETS[name], attacks(name)
    texts = [text for attack in hostile for text in (attack, target.block(target.right))]
    verdicts = judge_batch(name.split()[0], texts, [target.payload] * len(texts))
    assert all(verdict.solved for verdict in verdicts[1::2])
    pairs = zip(hostile, verdicts[::2], strict=True)
    assert {attack[:200]: verdict for attack, verdict in pairs if verdict.reward != 0.0} == {}
