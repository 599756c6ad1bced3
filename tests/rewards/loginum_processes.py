"""Processes of LogiNumSynth tasks as the prompts ask for them, and what they earn."""

from loginum_cases import CASES

from logic_curriculum.generators import generate
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.syntax import parse_fact


def say(conclusion):
    fact = parse_fact(conclusion)
    if hasattr(fact, "value"):
        return f"{fact.entity}'s {fact.attribute} is {fact.value}"
    return f"{fact.relation} exists between {fact.first} and {fact.second}"


def lines_of(payload):
    for number, step in enumerate(payload["steps"], 1):
        basis = [f"rule_{step['rule']}"]
        basis += [f"fact_{fact}" for fact in step["facts"]]
        basis += [f"int_{used}" for used in step["steps"]]
        yield f"{' & '.join(basis)} =>> int_{number}: {say(step['conclusion'])}"


def written(lines, answer):
    return "\n".join(("Reasoning:", *lines, f"Answer: \\boxed{{{answer}}}"))


def gold(payload):
    return written(lines_of(payload), payload["answer"])


def process(completion, payload):
    return judge("loginum", completion, payload).partial


TASKS = [
    generate("loginum", level, 5000 + level * 10 + seed, preset=preset).verification
    for preset, levels in (("EL-EN", (1, 2, 3)), ("HL-HN", (4, 5)), (None, (2, 4, 7)))
    for level in levels
    for seed in range(2)
] + [case.payload for case in CASES.values()]
