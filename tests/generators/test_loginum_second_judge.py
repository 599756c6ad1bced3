"""The process reward agrees with a naive scorer on right and damaged steps."""

from __future__ import annotations

import re
from random import Random

import loginum_reference as reference
import pytest
from loginum_reference import Fact

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import REWARDS

FEW, MANY = 250, 4_000
DATASETS = ((None, range(1, 11)), ("HL-HN", range(4, 7)), ("EL-EN", range(1, 4)))
Line = tuple[list[str], int, str]
"""What a step rests on, its number and what it says."""


def lines_of(task: Task) -> list[Line]:
    found = []
    for line in task.solution.splitlines()[1:-1]:
        uses, _, rest = line.partition(" =>> int_")
        number, _, says = rest.partition(": ")
        found.append((uses.split(" & "), int(number), says))
    return found


def damaged(lines: list[Line], task: Task, random: Random) -> list[Line]:
    """Change up to two steps, and perhaps their order and number."""
    found = list(lines)
    for _ in range(random.randint(0, 2)):
        place = random.randrange(len(found))
        uses, number, says = found[place]
        if random.random() < 0.4:
            says = misstated(says)
        else:
            uses = misattributed(uses, len(found), task, random)
        found[place] = (uses, number, says)
    if random.random() < 0.3:
        random.shuffle(found)
    if random.random() < 0.2 and len(found) > 1:
        found.pop(random.randrange(len(found)))
    return found


def misstated(says: str) -> str:
    """Turn a relation around, or change a value."""
    turned = re.sub(r"^(\S+) exists between (\S+) and (\S+)", r"\1 exists between \3 and \2", says)
    return re.sub(r"-?\d+$", lambda found: str(int(found[0]) + 1), turned)


def misattributed(uses: list[str], steps: int, task: Task, random: Random) -> list[str]:
    """Let a step rest on less, on more or on other facts, rules or steps."""
    any_fact = f"fact_{random.randint(1, len(task.verification['facts']))}"
    any_rule = f"rule_{random.randint(1, len(task.verification['rules']))}"
    ways = {
        "less": random.sample(uses, max(1, len(uses) - 1)),
        "more": [*uses, any_fact],
        "other facts": [any_fact if use.startswith("fact") else use for use in uses],
        "another rule": [any_rule, *uses[1:]],
        "other steps": [use.replace("int_1", f"int_{steps}") for use in uses],
    }
    return ways[random.choice(list(ways))]


def have_rivals(lines: list[Line]) -> bool:
    """Tell whether two steps are about the same thing: the judge has a rule of its own for that."""
    claims = [reference.read_claim(says) for _, _, says in lines]
    about = [claim[:3] if claim[0] == "is" else claim for claim in claims]
    return len(set(about)) < len(about)


def expected(lines: list[Line], answer: int, task: Task) -> float:
    """Score steps by the definition: the share of gold conclusions, or all for a full chain."""
    payload = task.verification
    facts = [reference.read_fact(text) for text in payload["facts"]]
    rules = [reference.read_rule(text) for text in payload["rules"]]
    gold = {reference.read_fact(step["conclusion"]) for step in payload["steps"]}
    known: dict[int, Fact] = {}
    for _ in lines:
        for uses, number, says in lines:
            if verified(uses, reference.read_claim(says), facts, rules, known):
                known[number] = reference.read_claim(says)
    goal = ("is", *reference.read_query(payload["query"]), payload["answer"])
    if goal in known.values() and answer == payload["answer"]:
        return 1.0
    return len(gold & set(known.values())) / len(gold)


def verified(
    uses: list[str],
    claim: Fact,
    facts: list[Fact],
    rules: list[reference.Rule],
    known: dict[int, Fact],
) -> bool:
    cited = {kind: [] for kind in ("rule", "fact", "int")}
    for use in uses:
        kind, number = use.split("_")
        cited[kind].append(int(number))
    if len(cited["rule"]) != 1 or not set(cited["int"]) <= known.keys():
        return False
    used = {facts[n - 1] for n in cited["fact"]} | {known[n] for n in cited["int"]}
    rule = rules[cited["rule"][0] - 1]
    return (claim, frozenset(used)) in set(reference.firings(rule, used))


def disagreements(count: int) -> tuple[list[str], int]:
    """Return where the two differ, and how many of the completions are neither right nor wrong."""
    texts, payloads, wanted = [], [], []
    for seed in range(count):
        random = stream("second judge", seed)
        preset, levels = random.choice(DATASETS)
        task = generate("loginum", random.choice(levels), seed % 50, preset=preset, style="compact")
        answer = task.verification["answer"] + (random.random() < 0.3)
        lines = damaged(lines_of(task), task, random)
        if have_rivals(lines):
            continue
        written = [f"{' & '.join(uses)} =>> int_{n}: {says}" for uses, n, says in lines]
        texts.append("\n".join(["Reasoning:", *written, f"Answer: \\boxed{{{answer}}}"]))
        payloads.append(task.verification)
        wanted.append(expected(lines, answer, task))
    paid = REWARDS["loginum_process_reward"](completions=texts, verification=payloads)
    found = [
        f"{value} is paid, not {right}, for {text} of {payload}"
        for value, right, text, payload in zip(paid, wanted, texts, payloads, strict=True)
        if value != pytest.approx(right)
    ]
    return found, sum(0 < right < 1 for right in wanted)


def test_steps_are_paid_as_a_naive_scorer_pays_them() -> None:
    found, partly = disagreements(FEW)
    assert not found
    assert partly > FEW // 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_steps_are_paid_as_a_naive_scorer_pays_them() -> None:
    assert not disagreements(MANY)[0]
