"""Speed of the judge of joint logical and numerical reasoning, on one core.

Three kinds of completions are judged: *plain* ones reason as the prompts ask for it and are right;
*wrong* ones do so too, but with a wrong number, rule or fact in one of the steps; *free-form* ones
think aloud for some 200 words and then summarize in Markdown, with other arrows, references and
apostrophes. Those of a group differ. A group shares its task, as under GRPO, so that its
payload (JSON text) is read once; with groups of one it is read for each completion. Reading it is
part of the figure, making the tasks is not. Each group is judged 40 times, its payload unread
each time, and the quickest counts, so that other work on the machine disturbs little.

    python benchmarks/judge_loginum.py                 # about a minute
    python benchmarks/judge_loginum.py --tasks 200     # more tasks
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from machine import describe_machine

from logic_curriculum.generators import generate
from logic_curriculum.generators.registry import family
from logic_curriculum.rewards import judge_batch

PRESETS = ("EL-EN", "EL-HN", "HL-EN", "HL-HN")
GROUPS = (8, 1)
ROUNDS = 40
_CONCLUSION = re.compile(r"=>> (int_\d+): (.*)")


def make_tasks(preset: str, count: int) -> list[tuple[str, str]]:
    """Return payloads, as JSON, and solutions of fresh tasks whose depths are spread evenly."""
    depths = family("loginum").levels(preset)
    tasks = (
        generate("loginum", depths[number % len(depths)], number, preset=preset)
        for number in range(count)
    )
    return [(json.dumps(task.verification), task.solution) for task in tasks]


def plain(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    lines = []
    for line in solution.split("\n"):
        basis, arrow, rest = line.partition(" =>> ")
        lines.append(" & ".join(rng.sample(parts := basis.split(" & "), len(parts))) + arrow + rest)
    return "\n".join(lines)


def wrong(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    """Return the solution with a wrong number, rule or fact in one step."""
    text = plain(solution, payload, rng)
    pattern, high = rng.choice(
        ((r"(?<=rule_)\d+", len(payload["rules"])), (r"(?<=fact_)\d+", len(payload["facts"])))
        if rng.random() < 0.5
        else ((r"(?<= is )-?\d+$", 999), (r"(?<=boxed\{)-?\d+", 999))
    )
    places = list(re.finditer(pattern, text, re.MULTILINE))
    if not places:
        return text
    place = rng.choice(places)
    return f"{text[: place.start()]}{rng.randint(1, high)}{text[place.end() :]}"


def free_form(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    """Return the solution, or a wrong one, as a model that thinks aloud might write it."""
    body = (wrong if rng.random() < 0.5 else plain)(solution, payload, rng)
    arrow = rng.choice(("→", "->", "=>", "⇒", "$\\Rightarrow$"))
    thoughts = [f"Let's find {payload['query']}. I go through the facts and the rules."]
    for number in rng.sample(range(1, len(payload["facts"]) + 1), 8):
        thoughts.append(
            f"Fact {number} says {payload['facts'][number - 1]}, so maybe a rule applies to it; "
            f"rule {rng.randint(1, len(payload['rules']))} could, if its other condition holds."
        )
    steps = [
        "- " + _CONCLUSION.sub(lambda found: f"{arrow} **{found[1]}**: {found[2]}", line)
        for line in body.replace("'", "’").replace("fact_", "fact ").split("\n")[1:-1]
    ]
    answer = f"**Answer:** {body.split()[-1]}"
    return "\n".join((*thoughts, "", "## Final Summary", *steps, "", answer))


KINDS: dict[str, Callable[[str, Mapping[str, Any], random.Random], str]] = {
    "plain": plain,
    "wrong": wrong,
    "free-form": free_form,
}


def measure(tasks: Sequence[tuple[str, str]], kind: str, group: int) -> tuple[float, float]:
    """Return judgements per second of CPU time, and the mean process accuracy."""
    rng = random.Random(group)
    seconds, score = 0.0, 0.0
    for text, solution in tasks:
        payload = json.loads(text)
        completions = [KINDS[kind](solution, payload, rng) for _ in range(group)]
        times = []
        for turn in range(ROUNDS):
            rows = [json.dumps({**payload, "turn": [turn, kind, group]})] * group
            texts = [f"Turn {turn}.\n{text}" for text in completions]  # verdicts are kept by text
            started = time.process_time()
            verdicts = judge_batch("loginum", texts, rows)
            times.append(time.process_time() - started)
        seconds += min(times)
        score += sum(verdict.partial for verdict in verdicts)
    count = len(tasks) * group
    return count / seconds, score / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=30, help="tasks of each dataset")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"judgements per second of CPU time, one core used · {describe_machine()}\n")
    print("| dataset | completions | mean process accuracy | groups of 8 | groups of 1 |")
    print("|---|---|---|---|---|")
    for preset in PRESETS:
        tasks = make_tasks(preset, arguments.tasks)
        for kind in KINDS:
            figures = [measure(tasks, kind, group) for group in GROUPS]
            cells = " | ".join(f"{rate:,.0f}" for rate, _ in figures)
            print(f"| {preset} | {kind} | {figures[0][1]:.2f} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
