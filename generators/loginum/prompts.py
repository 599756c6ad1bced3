"""The texts of a task: what the model is told, and the gold process as it is to be written."""

from pathlib import Path

from logic_curriculum.common.files import template
from logic_curriculum.generators.loginum.language import Texts
from logic_curriculum.generators.loginum.synthesis import Sample, Step
from logic_curriculum.rewards.loginum.answer import conclusion_text

STYLES = ("full", "compact")
FORM = r'Write the lines "Reasoning:", "… =>> int_1: …", "Answer: \boxed{…}"'
"""The form of an answer; the last line of a prompt in compact style."""

INSTRUCTIONS = f"{template(Path(__file__).parent, 'instructions')}\n\n"
"""What a prompt in full style begins with; the question follows."""


def write_prompt(texts: Texts, style: str) -> str:
    """Return the prompt of a task in one of :data:`STYLES`, with the content of Table 8."""
    facts, rules = [
        "\n".join([f"{kind}_{number}: {text}" for number, text in enumerate(sentences, start=1)])
        for kind, sentences in (("fact", texts.facts), ("rule", texts.rules))
    ]
    if style == "compact":
        return f"{facts}\n{rules}\n{texts.query}\n{FORM}\n"
    return f"{INSTRUCTIONS}Facts:\n{facts}\n\nRules:\n{rules}\n\nQuery: {texts.query}"


def write_solution(sample: Sample) -> str:
    """Return the gold process and the answer as the prompt asks for them."""
    lines = [f"{step_line(step, number)}\n" for number, step in enumerate(sample.steps, start=1)]
    return f"Reasoning:\n{''.join(lines)}Answer: \\boxed{{{sample.answer}}}"


def step_line(step: Step, number: int) -> str:
    """Return a step as the prompt asks for it.

    >>> from logic_curriculum.rewards.engines.numeric.syntax import RelationFact
    >>> step_line(Step(6, (3,), (1,), RelationFact("hamper", "Ed", "Kim")), 2)
    'rule_6 & fact_3 & int_1 =>> int_2: hamper exists between Ed and Kim'
    """
    facts = [f"fact_{fact}" for fact in step.facts]
    causes = [f"rule_{step.rule}", *facts, *[f"int_{earlier}" for earlier in step.steps]]
    return f"{' & '.join(causes)} =>> int_{number}: {conclusion_text(step.conclusion)}"
