"""Forms that the answer contract and the table of notations promise to read."""

from __future__ import annotations

from typing import Any

import pytest

from logic_curriculum.rewards import judge

ABBREVIATIONS = {
    **{"F": "[1] runs", "G": "[1] eats", "R": "[1] saw [2]"},
    **{"a": "A", "b": "B", "c": "C"},
}


def formula(text: str) -> dict[str, Any]:
    return {"formula": text, "abbreviations": ABBREVIATIONS}


def number(value: int) -> dict[str, Any]:
    return {
        "facts": ["is(Al, b, 3)"],
        "rules": [f"is(?x, b, 3) -> is(?x, c, {value})"],
        "query": "is(Al, c, ?)",
        "answer": value,
        "steps": [{"conclusion": f"is(Al, c, {value})"}],
    }


STATEMENTS = {"correct": [5], "options": 6}
NONE_OF_THEM = {"correct": [], "options": 6}
CONSISTENT = {"formulas": ["v1"], "satisfiable": True, "certificate": True}
CONTRADICTION = {"formulas": ["v1", "(v1→v2)", "¬v2"], "satisfiable": False, "certificate": True}
ARGUMENT = {"premises": ["∀x(Fx→Gx)", "Ga"], "conclusion": "Fa", "domain": [0, 1]}
CERTIFIED = "<result>consistent</result><certificate>{}</certificate>"

READ = [
    # a bracketed value behind a marker, with and without a colon
    *(
        ("symbolization", formula("(Fc∧Fb)"), text)
        for text in (
            "The answer is (Fc∧Fb)",
            "Thus the final answer is (Fb∧Fc)",
            "### Answer (Fc∧Fb)",
            "**Answer** (Fc∧Fb)",
            "**Answer** (one formula): (Fc∧Fb)",
            "#### (Fc∧Fb)",
        )
    ),
    ("validity", STATEMENTS, "#### (5)"),
    # notations of formulas
    ("symbolization", formula("Rab"), "<answer>R_{ab}</answer>"),
    ("symbolization", formula("∀xRxa"), r"<answer>\forall x R_{xa}</answer>"),
    ("symbolization", formula("(Rab∨Gb)"), r"<answer>R_{ab} \lor G_b</answer>"),
    *(
        ("symbolization", formula("(Fa∨Gb)"), f"<answer>{text}</answer>")
        for text in ("Fa V Gb", "Fa v Gb", "(Fa &or; Gb)", "(Fa vee Gb)", "(Fa or Gb)")
    ),
    *(
        ("symbolization", formula("(Fa→Gb)"), f"<answer>(Fa {word} Gb)</answer>")
        for word in ("rightarrow", "Rightarrow", "supset", "&rArr;")
    ),
    ("symbolization", formula("∀x(Fx→(Gx∨Rxa))"),
     "<answer>forall x (F(x) -> (G(x) or R(x,a)))</answer>"),
    ("symbolization", formula("(Fc∧Fb)"), "<answer>\n~~~\n(Fc∧Fb)\n~~~\n</answer>"),
    ("symbolization", formula("¬Fa"), "<answer>\n```\n- ¬Fa\n```\n</answer>"),
    # signs of numbers, in items and in boxes
    *(
        ("loginum", number(-2), text)
        for text in (
            "<answer>- -2</answer>",
            "<answer>- **-2**</answer>",
            "<answer>• -2</answer>",
            "<answer>> - -2</answer>",
            r"\boxed{- 2}",
            r"\boxed{-2}",
        )
    ),
    *(
        ("loginum", number(2), text)
        for text in ("<answer>• 2</answer>", "__Answer:__ 2", "_The answer is_ 2")
    ),
    *(
        ("loginum", number(-2), text)
        for text in (
            r"\boxed{-\,2}",
            r"\boxed{- \frac{4}{2}}",
            r"<answer>\boxed{- 2}</answer>",
            r"\boxed{\text{- 2}}",
            "**Answer:** $- 2$",
            "<answer>− 2</answer>",
            r"<answer>-\,2</answer>",
            '<answer>{"answer": "- 2"}</answer>',
        )
    ),
    # computations before the value
    *(
        ("loginum", number(29), f"<answer>{text}</answer>")
        for text in (
            "Al's c is 3 * 9 + 2 = 29",
            "Al's c is equal to 3 * 9 + 2 = 29",
            "Al's c is max(3, 29) = 29",
            "Al's c = subtraction(30, 1) = 29",
        )
    ),
    # labels in bold, before and behind their colon
    *(
        ("symbolization", formula("∃x(Fx∧Gx)"), f"{label} ∃x(Fx∧Gx)")
        for label in (
            "**Formula:**",
            "**Formula**:",
            "*Formula*:",
            "__Formula__:",
            "**The formula is**:",
            "**FORMULA**:",
            "Final formula :",
            "**Formula**:\n",
        )
    ),
    ("sat", CONSISTENT, CERTIFIED.format("v1=true").replace(">consistent",
     ">**Result**: consistent")),
    # a sign that YAML has another use for
    *(
        ("symbolization", formula("¬∃x(Fx∧Gx)"), f"<answer>{text}</answer>")
        for text in (
            "formula: ! ∃x(Fx∧Gx)",
            "formula: !exists x (Fx & Gx)",
            "{formula: ! ∃x(Fx∧Gx)}",
        )
    ),
    # environments of LaTeX
    *(
        (
            "symbolization",
            formula("∃x(Fx∧Gx)"),
            rf"\boxed{{\begin{name}\exists x(Fx\land Gx)\end{end}}}",
        )
        for name, end in (
            ("{align*}", "{align*}"),
            ("{equation}", "{equation}"),
            ("{array}{l}", "{array}"),
        )
    ),
    # structures under keys of one's own
    ("countermodel", ARGUMENT, '{"individuals": {"a": 1}, "unary": {"F": [0], "G": [0, 1]}}'),
    ("countermodel", ARGUMENT, "<answer>\nfound:\n  a: 1\n  F: [0]\n  G: [0, 1]\n</answer>"),
    # tags in square brackets beside a verdict without a tag
    ("sat", CONSISTENT, "consistent\n[certificate]v1=true[/certificate]"),
    # emphasis behind a label, lists and texts in mappings
    ("validity", STATEMENTS, "<answer>Answer: *5*</answer>"),
    ("validity", STATEMENTS, "<answer>Final answer: ***5***</answer>"),
    ("validity", NONE_OF_THEM, '{"answer": []}'),
    ("validity", NONE_OF_THEM, '{"answers": []}'),
    ("countermodel", ARGUMENT, '{"answer": "F={0}, G={0,1}, a=1"}'),
    # remarks behind values
    ("sat", CONSISTENT, CERTIFIED.format("v1=true (Tariq lives there)")),
    ("sat", CONSISTENT, CERTIFIED.format("{v1=true}")),
    # powers of ten
    *(
        ("loginum", number(290), text)
        for text in (
            "Answer: 2.9 × 10^2",
            r"Answer: $2.9 \times 10^{2}$",
            r"\boxed{2.9 \cdot 10^2}",
            "<answer>2.9 x 10^2</answer>",
            "<answer>2.9e2</answer>",
            "<answer>29 * 10^1</answer>",
            "<answer>2.9*10**2</answer>",
            "<answer>2.9·10^(2)</answer>",
            "Answer: 2.9 × 10^{+2}",
            "The answer is 290 = 2.9 × 10^2.",
        )
    ),
    # the same answer in several boxes, or a box that holds none
    *(("symbolization", formula("Rab"), text) for text in (
        r"\boxed{Rab} and \boxed{Rab}",
        "<answer>Rab</answer>, <answer>Rab</answer>",
        r"\boxed{Alfred}, \boxed{Rab}",
    )),
    *(("loginum", number(290), text) for text in (
        r"\boxed{290} and \boxed{290}",
        r"\boxed{...}, \boxed{290}",
        r"\boxed{\text{Hetty}}, \boxed{290}",
        "Answer: 29 × 10^1 = 290",
        "Answer: 42 * 5 + 8 * 10^1 = 290",
    )),
    ("validity", {"correct": [3, 5], "options": 6}, r"\boxed{...}, \boxed{3, 5}"),
    ("sat", CONSISTENT, CERTIFIED.format("v1=true")),
    ("validity", STATEMENTS, r"First \boxed{3}. Then, having looked again, \boxed{5}"),
    ("validity", STATEMENTS, "\\boxed{3}\n\n\\boxed{5}"),  # no word joins them: the last counts
    # a fence that what follows does not deny
    *(
        ("validity", STATEMENTS, f"```\n5\n```\n{behind}")
        for behind in ("", "That follows.", "Statement 3 is not entailed.", "Done.")
    ),
    # the marks of a final channel
    *(
        ("validity", STATEMENTS, f"analysisHm.{between}assistantfinal<answer>5</answer>")
        for between in ("", " ", "\n", "\n\n")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("family", "row", "text"), READ, ids=[text for _, _, text in READ])
def test_what_the_contract_promises_is_read(family: str, row: dict[str, Any], text: str) -> None:
    assert judge(family, text, row).reward == 1


@pytest.mark.parametrize(
    ("family", "row", "text"),
    [
        ("validity", STATEMENTS, "the answer is (not) 5"),
        # several boxes with different answers
        *(
            ("validity", row, text)
            for row in (STATEMENTS, {"correct": [3, 5], "options": 6})
            for text in (
                r"\boxed{3} and \boxed{5}",
                r"\boxed{3}, \boxed{5}",
                r"$\boxed{3}$ and $\boxed{5}$",
                r"\(\boxed{3}\) and \(\boxed{5}\)",
                r"\[\boxed{3}\] or \[\boxed{5}\]",
                r"`\boxed{3}` and `\boxed{5}`",
                r"\boxed{3} \text{ and } \boxed{5}",
                r"\boxed{3}, \quad \boxed{5}",
                r"\boxed{3}~and~\boxed{5}",
                r"\boxed{3} \land \boxed{5}",
                r"\boxed{3} as well as \boxed{5}",
                r"\boxed{3} or else, if that is wrong, \boxed{5}",
                r"\boxed{1}, \boxed{5}, and \boxed{5}",
                r"\boxed{3}, \boxed{...}, \boxed{5}",
                r"\boxed{3 or 4} and \boxed{5}",
                "<answer>3</answer> and <answer>5</answer>",
            )
        ),
        ("loginum", number(290), r"\boxed{5} and \boxed{290}"),
        ("loginum", number(290), r"\boxed{5}, \boxed{290}"),
        ("symbolization", formula("Fa"), r"\boxed{Gb} and \boxed{Fa}"),
        ("symbolization", formula("(Gb∧Fa)"), r"\boxed{Gb} and \boxed{Fa}"),
        ("validity", STATEMENTS, "It is not:\n```\n5\n```"),
        ("validity", STATEMENTS, "These do not follow:\n```\n5\n```"),
        # a fence that the next sentence denies
        *(
            ("validity", STATEMENTS, f"```\n5\n```\n{behind}")
            for behind in (
                "That is wrong.",
                "That is not the answer.",
                "No, this is false, since 4 follows.",
                "This statement does not follow.",
                "Wrong.",
                "Not this one.",
                "It is impossible.",
                "The option can't be right.",
                "Never.",
                "**No**, that is not entailed.",
            )
        ),
        # powers that are other numbers
        *(
            ("loginum", number(290), f"<answer>{text}</answer>")
            for text in (
                "2.9 × 10^3",
                "2.9 × 102",
                "2.9 × 10",
                "2.9 × 10^-2",
                "2.9 × 10^2.5",
                "2.9 × 10^2^2",
                "2.9 × 10^1 + 5",
                "10^2",
                "2.9 × 5^2",
                "2.9 + 10^2",
            )
        ),
        ("symbolization", formula("∃x(Fx∧Gx)"), "<answer>formula: ! ∃x(Fx∧Gx)</answer>"),
        ("loginum", number(2), "Answer: $- 2$"),
        ("loginum", number(29), "<answer>Al's c is definitely not 5 = 29</answer>"),
        ("loginum", number(29), "<answer>Al's c is 28 or 30 = 29</answer>"),
        ("loginum", number(29), "<answer>28 is less than 29 = 29</answer>"),
        ("sat", CONTRADICTION, "inconsistent <certificate>1 - 3, 2</certificate>"),
        ("loginum", number(2), "<answer>- -2</answer>"),
        ("loginum", number(2), r"\boxed{- 2}"),
        ("symbolization", formula("¬Fa"), "<answer>\n```\n- Fa\n```\n</answer>"),
        ("symbolization", formula("¬¬Fa"), "<answer>¬Fa or Fa</answer>"),
        ("symbolization", formula("Fa"), "<answer>(Fa or ¬Fa)</answer>"),
        ("symbolization", formula("(¬Fa∨Gb)"), r"<answer>\(¬Fa or Gb\)</answer>"),  # no brackets
    ],
)
def test_what_says_something_else_is_not_paid(family: str, row: dict[str, Any], text: str) -> None:
    assert judge(family, text, row).reward == 0


def test_a_formula_that_is_too_hard_to_compare_is_wrong_and_no_failure_of_ours() -> None:
    endless = "((∀x∃yRxy∧∀x∀y∀z((Rxy∧Ryz)→Rxz))∧∀x¬Rxx)"  # true in infinite domains alone
    row = formula("∀x(Fx→Rxc)")
    verdict = judge("symbolization", f"<answer>(∀x(Fx→Rxc)∨{endless})</answer>", row)
    assert (verdict.reward, verdict.metrics["undecided"]) == (0, 1)
