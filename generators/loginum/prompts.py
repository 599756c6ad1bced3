"""The texts of a task: what the model is told, and the gold process as it is to be written."""

from pathlib import Path

from logic_curriculum.common.files import template
from logic_curriculum.generators.loginum.language import Texts
from logic_curriculum.generators.loginum.synthesis import Sample
from logic_curriculum.rewards.loginum.answer import conclusion_text

STYLES = ("full", "compact")
FORM = r'Write the lines "Reasoning:", "… =>> int_1: …", "Answer: \boxed{…}"'
"""The form of an answer; the last line of a prompt in compact style."""

INSTRUCTIONS = f"{template(Path(__file__).parent, 'instructions')}\n\n"
"""What a prompt in full style begins with; the question follows."""
NOTATION = f"{template(Path(__file__).parent, 'notation')}\n\n"
"""What follows the instructions where statements are formulas."""


def write_prompt(texts: Texts, style: str, language: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`, with the content of Table 8."""
    facts, rules = [
        "\n".join([f"{kind}_{number}: {text}" for number, text in enumerate(sentences, start=1)])
        for kind, sentences in (("fact", texts.facts), ("rule", texts.rules))
    ]
    if style == "compact":
        return f"{facts}\n{rules}\n{texts.query}\n{FORM}\n"
    told = INSTRUCTIONS if language == "english" else f"{INSTRUCTIONS}{NOTATION}"
    return f"{told}Facts:\n{facts}\n\nRules:\n{rules}\n\nQuery: {texts.query}"


def write_solution(sample: Sample) -> str:
    """Return the gold process and the answer as the prompt asks for them."""
    lines = ["Reasoning:"]
    for number, (step, conclusion) in enumerate(zip(sample.steps, sample.conclusions, strict=True)):
        causes = [f"rule_{step.rule}"]
        causes += [f"fact_{fact}" for fact in step.facts]
        causes += [f"int_{earlier}" for earlier in step.steps]
        lines.append(f"{' & '.join(causes)} =>> int_{number + 1}: {conclusion_text(conclusion)}")
    return "\n".join([*lines, f"Answer: \\boxed{{{sample.answer}}}"])
