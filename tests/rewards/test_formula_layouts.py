"""Formulas in the layouts that chat models answer in, and formulas that their texts disown."""

import json

import pytest

from rewards import judge

ABBREVIATIONS = {
    "G": "[1] will attack",
    "J": "[1] is asleep",
    "M": "[1] is a donkey",
    "N": "[1] is a human",
    "O": "[1] is a monkey",
    "P": "[1] saw [2]",
    "Q": "[1] kicked [2]",
    "a": "Alfred",
    "b": "Lewis",
    "c": "Hazel",
}
SENTENCES = [
    ("Alfred kicked Alfred", "Qaa"),
    ("Hazel didn't see Lewis", "¬Pcb"),
    ("Hazel or Alfred will attack", "(Gc∨Ga)"),
    ("Not all monkeys saw Lewis", "∃x(Ox∧¬Pxb)"),
    ("Lewis isn't a donkey or it is not the case that Alfred didn't kick Hazel", "(¬Mb∨¬¬Qac)"),
    ("There is not a monkey that every donkey saw", "¬∃x(Ox∧∀y(My→Pyx))"),
    ("No humans kicked a monkey", "¬∃x∃y((Nx∧Oy)∧Qxy)"),
    ("Only monkeys are asleep if Hazel will not attack", "(¬Gc→∀x(Jx→Ox))"),
]
LATEX = {"¬": r"\neg ", "∧": r" \land ", "∨": r" \lor ", "→": r" \rightarrow "}
LATEX |= {"∀": r"\forall ", "∃": r"\exists "}
ACCEPTED = [
    "{g}",
    "{g}.",
    "**{g}**",
    "`{g}`",
    "```\n{g}\n```",
    "```text\n{g}\n```",
    "> {g}",
    "- {g}",
    "1. {g}",
    "$${l}$$",
    "$$\n{l}\n$$",
    "\\[\n{l}\n\\]",
    "\\({l}\\)",
    "The formula is \\( {l} \\).",
    "\\boxed{{{l}}}",
    "$\\boxed{{{l}}}$",
    "\\[ \\boxed{{ {l} }} \\]",
    'So for "{s}" we get \\boxed{{{g}}}',
    "<answer>{g}</answer>",
    "<answer>The formula is {g}</answer>",
    "<think>Not simple, or is it?</think>\n{g}",
    "Answer: {g}",
    "**Answer:** {g}",
    "**Answer**: `{g}`",
    "Final answer: {g}",
    "### Final Answer\n\n{g}",
    "## Final formula\n\n$${l}$$",
    "Formula: {g}",
    "**Formula:**\n\n{g}",
    "formula: {g}",
    "Output: {g}",
    "Translation: {g}",
    "Symbolization = {g}",
    "∴ {g}",
    "→ {g}",
    "Formula ⟹ {g}",
    "{s} ⇒ {g}",
    "FOL: {g}",
    "Step 2: **{g}**",
    "Q: {s}\nA: {g}",
    "({g})",
    "Sure! {g}",
    "✅ {g}",
    "{g} ✅",
    "{g} — not (Gc∧Ma).",
    "❌ (Gc∧Ma)\n✅ {g}",
    "The sentence is translated as {g}.",
    "In first-order logic this is written as:\n\n{g}",
    'The formula for "{s}" is: {g}',
    'The formula for "{s}" is:\n{g}',
    'The sentence "{s}" translates to:\n\n$$ {l} $$',
    "The sentence '{s}' translates to:\n\n{g}",
    "The sentence “{s}” can be written as {g}.",
    '"{s}" = {g}',
    '"{s}." → formula: {g}',
    "{s}: {g}",
    "**{s}**: {g}",
    "Sentence: {s}\nFormula: {g}",
    "Sentence: {s}.\n\n**Formula:** {g}",
    "**{s}**\n\n{g}",
    "### {s}\n{g}",
    "### {s}.\n\n`{g}`",
    'Translation of "{s}" into first-order logic:\n\n{g}',
    'So the final answer for the sentence "{s}" is: {g}',
    "| Sentence | Formula |\n|---|---|\n| {s} | {g} |",
    "| **Formula** | {g} |",
    '{{"formula": {j}}}',
    '{{"answer": {j}}}',
    '{{"final_answer": {j}}}',
    '{{"formula": {u}}}',
    '{{"sentence": "{s}", "formula": {j}}}',
    '{{\n  "sentence": "{s}.",\n  "formula": {j},\n  "note": "or is inclusive, not exclusive"\n}}',
    '```json\n{{\n  "formula": {j}\n}}\n```',
    'Here it is:\n\n```json\n{{"reasoning": "No or not here.", "formula": {j}}}\n```\n',
    '{{"formula": [{j}]}}',
    '{{"result": {{"formula": {j}}}}}',
    '[{{"formula": {j}}}]',
    '{{"{s}": {j}}}',
    "{{'formula': '{g}'}}",
    "{{'answer': '{g}', 'confidence': 0.9}}",
    '{{"formula": "{jl}"}}',
    '"formula": {j}',
    "{{formula: {j}}}",
    "{g} is the formula.",
    '{g}, which reads "{s}".',
    '{g} (since "or" is inclusive)',
    'Answer: {g}, because "{s}" is not ambiguous.',
    "The answer is {g}, where the letters are read as in the key.",
    "{g}\n\nThis says that {s}, and not the converse.",
    '{g}\n\nExplanation:\n- "{s}" is taken apart.\n- ¬ denies, and ∀x ranges over everything.',
    "{g}\nThis is not the same as ∀x(Mx→Nx).",
    "I use {g} instead of ∃x(Mx→Nx).",
    "{g}\n\nThis is equivalent to ¬¬(Gc∧Ma)",
    "{g}\n\nEquivalently: (Gc∧Ma)",
    "{g}\n\nA common mistake is to write: (Gc∧Ma)",
    "{g}\n\n(Gc∧Ma) is wrong, since the order matters.",
    "{g}\n\nAn incorrect translation would be (Gc∧Ma).",
    "No ambiguity or other problem, so: {g}",
    "As in the example, the formula is: {g}",
    'Since "only" is not a quantifier over everything, the formula becomes:\n{g}',
    "This cannot be a conditional, so the answer is:\n{g}",
    "This is not just a conjunction; final answer: {g}",
    "My first attempt was incorrect. The correct formula is: {g}",
    "Answer: (Gc∧Ma)\nWait, that is wrong. Answer: {g}",
    "Answer: (Gc∧Ma)\n\nWait, that's not right. It should be:\n\n{g}",
    "Final answer: (Gc∧Ma)\n\nActually, this is incorrect. The formula is {g}.",
    "**Answer:** (Gc∧Ma)\n\nI made a mistake with the names. The corrected formula:\n{g}",
    "Answer: (Gc∧Ma)\n\nLet me correct this.\n\n{g}",
    "It is not (Gc∧Ma) but {g}",
    "(Gc∧Ma)\nThis is not equivalent, so: {g}",
    "Instead, the answer is {g}",
    "The sentence is equivalent to:\n{g}",
]


def _spellings(sentence, formula):
    latex = "".join(LATEX.get(sign, sign) for sign in formula)
    return {
        "s": sentence,
        "g": formula,
        "l": latex,
        "j": json.dumps(formula, ensure_ascii=False),
        "u": json.dumps(formula),
        "jl": latex.replace("\\", "\\\\"),
    }


@pytest.mark.parametrize("layout", ACCEPTED)
def test_the_right_formula_is_read_in_any_layout_whatever_the_sentence(layout):
    for sentence, formula in SENTENCES:
        completion = layout.format(**_spellings(sentence, formula))
        row = {"formula": formula, "abbreviations": ABBREVIATIONS}
        verdict = judge("symbolization", completion, row)
        assert verdict.solved, (completion, verdict.answer, verdict.explanation)


DISOWNED = [
    "The answer is not {g}",
    "It is not {g}, that much is certain.",
    "Incorrect formula: {g}",
    "A wrong answer: {g}",
    "Wrong:\n{g}",
    "Not this one:\n{g}",
    "This is not the correct formula:\n\n{g}",
    "This is false:\n{g}",
    "It is false that:\n\n{g}",
    "Negation of the answer: {g}",
    "For example, {g}",
    "Example: {g}",
    "One should not write {g}",
    "I can't say whether {g} is correct",
    "I'm not sure if {g} would do.",
    "If the answer is {g}, then I am a donkey.",
    "{g} is wrong.",
    "{g} is not correct.",
    "{g} isn't the right formula.",
    "{g} does not capture the sentence.",
    "{g} (incorrect)",
    "{g}\nIncorrect.",
    "The opposite of {g}",
    "It would be a mistake to write {g}.",
    "Answer: {g}, but that is wrong.",
    "Answer: {g}\n\nWait, this is wrong.",
    "Answer: {g}\n\nWait, that is wrong. Answer: (Gc∧Ma)",
    "Final answer: {g}\n\nActually, that is incorrect. The formula is:\n\n(Gc∧Ma)",
    '{{"formula": {j}, "corrected formula": "(Gc∧Ma)"}}',
    '{{"formula": "(Gc∧Ma)", "wrong": {j}}}',
]


@pytest.mark.parametrize("layout", DISOWNED)
def test_a_formula_is_not_paid_that_the_text_rejects_or_replaces(layout):
    for sentence, formula in SENTENCES:
        completion = layout.format(**_spellings(sentence, formula))
        row = {"formula": formula, "abbreviations": ABBREVIATIONS}
        verdict = judge("symbolization", completion, row)
        assert verdict.reward == 0.0, (completion, verdict.answer)
