"""The texts of a task: what the model is told, and the gold process as it is to be written."""

from logic_curriculum.generators.loginum.language import Texts
from logic_curriculum.generators.loginum.synthesis import Sample, Step
from logic_curriculum.rewards.loginum.answer import conclusion_text

STYLES = ("full", "compact")
FORM = r'Write the lines "Reasoning:", "… =>> int_1: …", "Answer: \boxed{…}"'
"""The form of an answer; the last line of a prompt in compact style."""

INSTRUCTIONS = """\
Below are facts about some entities, and rules that say what follows. Find the value that the \
query asks for.

- An entity has attributes, each with one whole number as its value; the value may be called an \
attribute, property, characteristic, trait, quality, feature or field as well.
- Entities stand in relations to each other. A relation has a direction: that it exists between A \
and B says nothing about B and A.
- A rule holds for all entities: entity_1, entity_2, ... (or ?x, ?y, ...) stand for any of them, \
the same one for the same entity throughout a rule, two of them perhaps for the same one.
- A rule applies when all of its conditions are true and every value that it computes with is \
known. Then its conclusion is true. It says nothing in the other direction, nor about the values \
that it computes with.
- Nothing is true but the facts and what follows from them by the rules.

Think it through in your own words first: which facts and rules matter, and what follows from \
them? Then summarize the steps that lead to the answer, in this form:

```
Reasoning:
[what it follows from] =>> int_[number]: [conclusion]
Answer: \\boxed{[value]}
```

Write one line for each application of a rule, and only those that are needed. In front of =>> \
list the rule, every fact that meets one of its conditions or gives a value that it computes with, \
and every earlier conclusion (int_1, int_2, ...) that does so, joined by &. After the number comes \
what follows: "[relation] exists between [A] and [B]" or "[entity]'s [attribute] is [value]", with \
the value worked out. For example:

```
Reasoning:
rule_4 & fact_12 & fact_2 =>> int_1: applaud exists between Imke and Rolf
rule_9 & fact_7 & fact_3 & int_1 =>> int_2: Rolf's brittle is 22
rule_1 & int_2 =>> int_3: Rolf's humid is -39
Answer: \\boxed{-39}
```

"""
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
