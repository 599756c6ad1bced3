"""Generated tasks are right: answers, steps and sentences are checked by means of their own.

Facts and rules are read by ``loginum_reference``, which deduces naively, and sentences by
``loginum_ambiguity`` in every way they can be taken. Nothing of the generator is used but the
tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import loginum_reference as reference
import pytest
from loginum_ambiguity import readings
from loginum_meanings import fact_meant, query_meant, rule_meant
from loginum_reference import Fact, Rule

from logic_curriculum.generators import Task, generate


@dataclass(frozen=True)
class Sizes:
    """A row of Table 7."""

    entities: int
    attributes: int
    relations: int
    facts: int
    rules: int
    depths: range
    conditions: range
    expressions: str
    """First letters of the kinds with a weight above 0: number, value, linear, aggregation."""
    operands: range

    def of_depth(self, depth: int) -> tuple[int, int]:
        """Return the numbers of facts and rules."""
        times = depth if self.conditions.stop > 4 else 1
        return times * self.facts, times * self.rules


EASY, HARD = range(1, 11), range(-100, 101)
TABLE_7 = {
    "EL-EN": Sizes(10, 15, 10, 15, 15, range(1, 4), range(1, 2), "nvl", EASY),
    "EL-HN": Sizes(10, 15, 10, 15, 15, range(1, 4), range(1, 2), "la", HARD),
    "HL-EN": Sizes(10, 15, 10, 15, 15, range(4, 7), range(2, 4), "nvl", EASY),
    "HL-HN": Sizes(10, 15, 10, 15, 15, range(4, 7), range(2, 4), "la", HARD),
    "exHL-HN": Sizes(30, 40, 40, 15, 5, range(7, 11), range(3, 7), "la", HARD),
    "EL-Train": Sizes(10, 15, 10, 15, 15, range(1, 4), range(1, 2), "nvla", HARD),
    "EN-Train": Sizes(10, 15, 10, 15, 15, range(4, 7), range(2, 4), "nvl", EASY),
}
LEVELS = range(1, 11)
SPLITS = ("train", "test")
MANY = 313
"""Seeds of the long run; each has 64 tasks, so that these are 20,032."""
CHUNK = 10
_STEP = re.compile(r"(?P<uses>\w+(?: & \w+)*) =>> int_(?P<number>\d+): (?P<says>.+)")


@dataclass(frozen=True)
class Understood:
    """A task's payload as the reference reads it."""

    payload: Mapping[str, Any]

    @cached_property
    def facts(self) -> list[Fact]:
        return [reference.read_fact(text) for text in self.payload["facts"]]

    @cached_property
    def rules(self) -> list[Rule]:
        return [reference.read_rule(text) for text in self.payload["rules"]]

    @cached_property
    def query(self) -> tuple[str, str]:
        return reference.read_query(self.payload["query"])

    @cached_property
    def known(self) -> dict[Fact, list[reference.Way]]:
        return reference.closure(self.facts, self.rules)

    @cached_property
    def goal(self) -> Fact:
        return ("is", *self.query, self.payload["answer"])


def faults_of_payload(task: Task) -> Iterator[str]:
    """Yield what is wrong with facts, rules, answer and steps."""
    seen = Understood(task.verification)
    if len(set(seen.facts)) < len(seen.facts) or len(set(seen.rules)) < len(seen.rules):
        yield "a fact or rule occurs twice"
    if found := reference.conflicts(seen.known):
        yield f"there is more than one value of {found}"
    values = [f[3] for f in seen.known if f[0] == "is" and f[1:3] == seen.query]
    if values != [task.verification["answer"]]:
        yield f"{values} follow, not {task.verification['answer']}"
    if seen.goal in seen.facts:
        yield "the answer is given"
    else:
        fewest = reference.fewest_steps(seen.goal, seen.known, seen.facts)
        if fewest != task.level:
            yield f"{fewest} steps are enough, not {task.level}"
    yield from faults_of_steps(task, seen)


def faults_of_steps(task: Task, seen: Understood) -> Iterator[str]:
    """Yield steps that don't follow from exactly what they list, and those nobody needs."""
    concluded: list[Fact] = []
    needed: set[int] = set()
    for number, step in enumerate(task.verification["steps"], start=1):
        needed.update(step["steps"])
        if any(used >= number for used in step["steps"]):
            yield f"step {number} rests on a later one"
        uses = [seen.facts[fact - 1] for fact in step["facts"]]
        uses += [concluded[other - 1] for other in step["steps"]]
        conclusion = reference.read_fact(step["conclusion"])
        concluded.append(conclusion)
        if len(set(uses)) < len(uses):
            yield f"step {number} rests on something twice"
        ways = reference.firings(seen.rules[step["rule"] - 1], uses)
        if (conclusion, frozenset(uses)) not in set(ways):
            yield f"step {number} doesn't conclude {conclusion}"
    if len(concluded) != task.level or len(set(concluded)) < len(concluded):
        yield f"{len(concluded)} steps at level {task.level}"
    if concluded[-1] != seen.goal:
        yield f"the steps end with {concluded[-1]}"
    if needed != set(range(1, len(concluded))):
        yield f"steps {needed} are used of {len(concluded)}"


def faults_of_solution(task: Task) -> Iterator[str]:
    """Yield differences between the steps and the text that a model is trained to write."""
    head, *lines, last = task.solution.split("\n")
    if head != "Reasoning:" or last != f"Answer: \\boxed{{{task.verification['answer']}}}":
        yield f"{head!r} and {last!r} are no frame of a solution"
    written = [_read_step(line) for line in lines]
    listed = [
        (
            number,
            [f"rule_{step['rule']}"]
            + [f"fact_{fact}" for fact in step["facts"]]
            + [f"int_{other}" for other in step["steps"]],
            reference.read_fact(step["conclusion"]),
        )
        for number, step in enumerate(task.verification["steps"], start=1)
    ]
    if written != listed:
        yield f"{written} is written, not {listed}"


def _read_step(line: str) -> tuple[int, list[str], Fact]:
    found = _STEP.fullmatch(line)
    assert found, f"{line!r} is no step"
    uses, number = found["uses"].split(" & "), int(found["number"])
    return number, uses, reference.read_claim(found["says"])


def faults_of_sizes(task: Task, sizes: Sizes) -> Iterator[str]:
    """Yield departures from Table 7."""
    seen = Understood(task.verification)
    if (len(seen.facts), len(seen.rules)) != sizes.of_depth(task.level):
        yield f"{len(seen.facts)} facts and {len(seen.rules)} rules"
    patterns = [condition for conditions, _ in seen.rules for condition in conditions]
    ends = [conclusion for _, conclusion in seen.rules]
    everything = seen.facts + patterns + ends
    entities = {name for f in seen.facts for name in (f[1:2] if f[0] == "is" else f[2:])}
    for what, found, most in (
        ("entities", entities, sizes.entities),
        ("attributes", {f[2] for f in everything if f[0] == "is"}, sizes.attributes),
        ("relations", {f[1] for f in everything if f[0] == "rel"}, sizes.relations),
    ):
        if len(found) > most:
            yield f"{len(found)} {what}"
    for conditions, conclusion in seen.rules:
        if len(conditions) not in sizes.conditions:
            yield f"{len(conditions)} conditions"
        if conclusion[0] == "is":
            yield from _faults_of_expression(conclusion[3], sizes)
    yield from (
        f"{fact} is out of range"
        for fact in seen.facts
        if fact[0] == "is"
        if fact[3] not in sizes.operands
    )


def _faults_of_expression(expression: tuple[Any, ...], sizes: Sizes) -> Iterator[str]:
    kind = "a" if expression[0] in ("max", "min", "addition", "subtraction") else expression[0][0]
    if kind not in sizes.expressions:
        yield f"an expression {expression}"
    numbers = list(_numbers(expression))
    if any(number not in sizes.operands for number in numbers):
        yield f"{numbers} are not all in range"


def _numbers(expression: Any) -> Iterator[int]:
    if isinstance(expression, int):
        yield expression
    elif isinstance(expression, tuple):
        for part in expression:
            yield from _numbers(part)


_FULL = re.compile(
    r".*\n\nFacts:\n(?P<facts>(?:fact_\d+: [^\n]+\n)+)"
    r"\nRules:\n(?P<rules>(?:rule_\d+: [^\n]+\n)+)"
    r"\nQuery: (?P<query>[^\n]+)",
    re.DOTALL,
)
_COMPACT = re.compile(
    r"(?P<facts>(?:fact_\d+: [^\n]+\n)+)(?P<rules>(?:rule_\d+: [^\n]+\n)+)(?P<query>[^\n]+)\n"
    r'Write the lines "Reasoning:", "… =>> int_1: …", "Answer: \\boxed\{…\}"\n'
)


@dataclass(frozen=True)
class Prompt:
    facts: tuple[str, ...]
    rules: tuple[str, ...]
    query: str


def read_prompt(prompt: str, style: str) -> Prompt:
    found = (_FULL if style == "full" else _COMPACT).fullmatch(prompt)
    assert found, f"{prompt!r} is no prompt"
    return Prompt(
        _sentences("fact", found["facts"]), _sentences("rule", found["rules"]), found["query"]
    )


def _sentences(kind: str, lines: str) -> tuple[str, ...]:
    pairs = [line.split(": ", 1) for line in lines.splitlines()]
    assert [label for label, _ in pairs] == [f"{kind}_{n}" for n in range(1, len(pairs) + 1)]
    return tuple(sentence for _, sentence in pairs)


def faults_of_prompt(task: Task, style: str) -> Iterator[str]:
    """Yield sentences that don't say, or don't only say, what the payload has."""
    prompt = read_prompt(task.prompt, style)
    payload = task.verification
    for kind, sentences, texts, meant in (
        (
            "fact",
            prompt.facts,
            payload["facts"],
            lambda text: fact_meant(reference.read_fact(text)),
        ),
        ("rule", prompt.rules, payload["rules"], rule_meant),
        ("query", [prompt.query], [payload["query"]], query_meant),
    ):
        if len(sentences) != len(texts):
            yield f"{len(sentences)} sentences for {len(texts)} {kind}s"
            continue
        for sentence, text in zip(sentences, texts, strict=True):
            found = readings(sentence)
            if found != {meant(text)}:
                yield f"{sentence!r} has {len(found)} readings, not that of {text} alone"


def made(seeds: range) -> Iterator[tuple[Task, Sizes | None]]:
    """Make tasks of every level and of every depth of the presets, some for each seed."""
    for seed in seeds:
        for split in SPLITS:
            for level in LEVELS:
                yield generate("loginum", level, seed, split=split), None
            for preset, sizes in TABLE_7.items():
                for depth in sizes.depths:
                    yield generate("loginum", depth, seed, split=split, preset=preset), sizes


def faults(seeds: range, *, read_every: int) -> list[str]:
    """Return what is wrong with tasks; the prompts of one in so many are read."""
    found = []
    for place, (task, sizes) in enumerate(made(seeds)):
        checks = [faults_of_payload(task), faults_of_solution(task)]
        if sizes:
            checks.append(faults_of_sizes(task, sizes))
        if not place % read_every:
            checks.append(faults_of_prompt(task, task.metadata["style"]))
        where = f"{task.metadata['preset']} {task.level} {task.seed} {task.metadata['split']}"
        found += [f"{where}: {fault}" for check in checks for fault in check]
    return found


def test_tasks_have_one_answer_that_their_steps_and_no_fewer_lead_to() -> None:
    assert not faults(range(1), read_every=2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_20000_tasks_have_one_answer_that_their_steps_and_no_fewer_lead_to() -> None:
    with ProcessPoolExecutor() as pool:
        jobs = [range(first, min(first + CHUNK, MANY)) for first in range(0, MANY, CHUNK)]
        found = pool.map(partial(faults, read_every=20), jobs)
        assert not [fault for chunk in found for fault in chunk]


@pytest.mark.parametrize("style", ["full", "compact"])
def test_both_styles_show_the_same_task(style: str) -> None:
    task = generate("loginum", 6, 0, style=style)
    assert not list(faults_of_prompt(task, style))


def test_a_formal_prompt_shows_the_payload() -> None:
    task = generate("loginum", 6, 0, language="formal")
    prompt = read_prompt(task.prompt, "full")
    shown = [list(prompt.facts), list(prompt.rules), prompt.query]
    assert shown == [task.verification[key] for key in ("facts", "rules", "query")]
