"""What the judges say: of answers in files, of hostile texts, and of answers to generated tasks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pin_hash import combined
from pin_library import (
    ATTACKS,
    CASES,
    HEDGES,
    HOSTILE,
    KEYS,
    REWARDS,
    RIGHT,
    TASKS,
    TESTS,
    Task,
    generate,
    judge_of,
    judge_with_extractor,
    logic_reward,
    measure_batch,
    registry,
)

ANSWERS = TESTS / "rewards" / "answers"
SETS = ("first", "fresh")
STATEMENTS = (
    "Every donkey saw every monkey.",
    "No donkeys saw a monkey.",
    "There is a donkey that every monkey saw.",
    "A donkey saw a monkey.",
    "Hazel isn't a monkey.",
    "Hazel is asleep and Alfred isn't asleep.",
)
PAYLOADS: Mapping[str, Mapping[str, Any]] = {
    "symbolization": {"formula": "∀x(Ox→Pxc)", "abbreviations": {**{"O": "[1] is a monkey",
     "M": "[1] is a donkey", "P": "[1] saw [2]"}, **{"Q": "[1] kicked [2]", "a": "Alfred",
     "b": "Lewis", "c": "Hazel"}}},
    "countermodel": {"premises": ["∀x(Fx→∃y(Rxy∧My))", "Fa", "¬Gc"], "conclusion": "Rac",
     "domain": [0, 1, 2]},
    "validity": {"correct": [4], "options": 6, "texts": list(STATEMENTS)},
    "loginum": {"facts": ["is(Jermaine, calm, 4)", "is(Imke, humid, 14)", "help(Jermaine, Imke)"],
     "rules": ["is(?x, humid, 14) -> is(?x, brittle, 1*?x[humid]+8)",
     "help(?x, ?y) -> is(?x, convulsive, 10*?y[brittle]+70)"],
     "query": "is(Jermaine, convulsive, ?)", "answer": 290, "steps": [{"rule": 1, "facts": [2],
     "steps": [], "conclusion": "is(Imke, brittle, 22)"}, {"rule": 2, "facts": [3], "steps": [1],
     "conclusion": "is(Jermaine, convulsive, 290)"}]},
}  # fmt: skip
"""Family → a task in the words of its file of answers."""
SAT_PAYLOADS = (
    {"formulas": ["(v1∨v2)", "¬(v1∧v2)", "(v3∨v4)", "(v1→v3)", "(v3∨v2)", "(v4→v3)", "v3"],
     "satisfiable": True, "certificate": True},
    {"formulas": ["(v1∨v2)", "¬v3", "¬v1", "¬v2", "(v3∨v4)", "(v1→v3)", "¬v4"],
     "satisfiable": False, "certificate": True},
    {"formulas": ["(v1∨v2)", "(v3∨v4)"], "satisfiable": True, "certificate": False},
)  # fmt: skip
MEANT = {
    "symbolization": ("formula", str),
    "validity": ("correct", list),
    "loginum": ("answer", int),
}
"""Family → the entry of a task that makes an answer right, and its type."""
LENGTH = 2_000
"""Characters of a hostile text."""
SEEDS = (0, 1, 2)
PRESETS = {"loginum": (("exHL-HN", 8),), "sat": (("hard3sat", 6), ("symbolic", 7))}


def verdicts(family: str, completions: Sequence[Any], payloads: Sequence[Any]) -> list[Any]:
    """Return the verdicts of an evaluation as plain data."""
    return list(map(as_data, measure_batch(family, completions, payloads)))


def as_data(verdict: Any) -> dict[str, Any]:
    """Return all of a verdict but its faults, which are for a reader alone."""
    return {name: value for name, value in asdict(verdict).items() if name != "faults"}


def answers(family: str, name: str) -> list[dict[str, Any]]:
    """Return the lines of a file of answers."""
    text = (ANSWERS / name / f"{family}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _payloads(family: str) -> list[Any]:
    """Return the tasks that answers of the files are judged on."""
    if family == "slr":  # the colours and so on of the files are those of the trains
        return [generate("slr", level, 0).to_row()["verification"] for level in (5, 14)]
    return [*SAT_PAYLOADS] if family == "sat" else [PAYLOADS[family]]


def answer_verdicts(family: str, name: str) -> list[Any]:
    """Return the verdicts of a file, on tasks where some answers are right and others wrong."""
    rows = answers(family, name)
    completions = [row["completion"] for row in rows]
    found = []
    for payload in _payloads(family):
        found += verdicts(family, completions, [payload] * len(rows))
    if family in MEANT:
        meant = [{**PAYLOADS[family], **_meant(family, row["means"])} for row in rows]
        found += verdicts(family, completions, meant)
    return found


def _meant(family: str, means: Any) -> dict[str, Any]:
    """Return the part of a task that makes an answer right, if it is one."""
    name, kind = MEANT[family]
    is_answer = isinstance(means, kind) and means not in ("ambiguous", [])
    return {name: means} if is_answer else {}


def extracted_verdicts(family: str) -> list[Any]:
    """Return the verdicts of answers that a stand-in wrote out."""
    rows = [row for name in SETS for row in answers(family, name)]
    said = ["Answer: 4", "none", "<answer>∀x(Ox→Pxc)</answer>", "Answer: \\boxed{290}", None]

    def ask(prompts: Sequence[str]) -> list[str | None]:
        return [said[len(prompt) % len(said)] for prompt in prompts]

    completions = [row["completion"] for row in rows]
    judged = judge_with_extractor(family, completions, [PAYLOADS[family]] * len(rows), ask)
    return list(map(as_data, judged))


def hostile_texts(family: str) -> list[str]:
    """Return completions that are meant to be paid wrongly, or to break a reader."""
    texts = [text for _, text in HEDGES] + [text for _, text, _ in RIGHT]
    for unit in HOSTILE:
        texts += [unit * (LENGTH // len(unit)) + ending for ending in ("", "\n\nAnswer: 3")]
    key = KEYS.get(family, "answer")
    for depth in (9, 700):
        nested = json.dumps({key: 0})[:-2] + "[" * depth + "1" + "]" * depth + "}"
        texts += [f"<answer>{block}</answer>" for block in (nested, f"{key}: {'[' * depth}")]
    return texts


FORMS_OF_ANSWER: Mapping[str, Callable[[Task, Task], Any]] = {
    "solution": lambda task, other: task.solution,
    "prompt": lambda task, other: task.prompt,
    "nothing": lambda task, other: "",
    "solution of another": lambda task, other: other.solution,
    "prompt and solution": lambda task, other: f"{task.prompt}\n\n{task.solution}",
    "cut short": lambda task, other: task.solution[: len(task.solution) * 2 // 3],
    "in tags": lambda task, other: f"Well.\n<answer>{task.solution}</answer>",
    "thought first": lambda task, other: f"<think>{other.solution}</think>\n\n{task.solution}",
    "thought only": lambda task, other: f"<think>{task.solution}",
    "a message": lambda task, other: [{"role": "assistant", "content": task.solution}],
    "both": lambda task, other: f"{task.solution}\n\n{other.solution}",
}
"""What is answered to a task, given it and another of its level."""


def _tasks(family: str) -> Iterator[tuple[Task, Task]]:
    """Yield tasks of every level and split, each with another."""
    for level in registry.family(family).levels():
        for split in ("train", "test"):
            made = [generate(family, level, seed, split=split) for seed in SEEDS]
            yield from zip(made, [*made[1:], made[0]], strict=True)
    styles = {"sat": ("certificate", "certificate_compact"), "slr": ("compact", "natural")}
    for style in styles.get(family, ("compact",)):
        for level in registry.family(family).levels():
            made = [generate(family, level, seed, style=style) for seed in SEEDS[:2]]
            yield from zip(made, reversed(made), strict=True)
    for preset, level in PRESETS.get(family, ()):
        made = [generate(family, level, seed, preset=preset) for seed in SEEDS]
        yield from zip(made, [*made[1:], made[0]], strict=True)


def row_verdicts(family: str) -> dict[str, list[Any]]:
    """Return the verdicts of each form of answer to generated tasks."""
    tasks = list(_tasks(family))
    payloads = [task.to_row()["verification"] for task, _ in tasks]
    return {
        name: verdicts(family, [form(*pair) for pair in tasks], payloads)
        for name, form in FORMS_OF_ANSWER.items()
    }


def reward_values(family: str) -> dict[str, Any]:
    """Return what each reward function of a family pays and logs, and the one of all families."""
    level = max(registry.family(family).levels()) // 2
    tasks = [generate(family, level, seed) for seed in (0, 1)]
    forms = [form for name, form in FORMS_OF_ANSWER.items() if name != "thought only"]
    rows = [(task, form(task, other)) for form in forms for task, other in [tasks, tasks[::-1]]]
    columns = {
        "verification": [task.to_row()["verification"] for task, _ in rows],
        "prompts": [task.prompt for task, _ in rows],
        "family": [family] * len(rows),
    }
    completions = [completion for _, completion in rows]
    found: dict[str, Any] = {}
    for name, reward in REWARDS.items():
        if reward.family == family or reward is logic_reward:
            logged: list[Any] = []
            paid = reward(
                completions=completions,
                log_metric=lambda *said, to=logged: to.append(said),
                log_extra=lambda *said, to=logged: to.append(said),
                **columns,
            )
            found[name] = [paid, logged]
    return found


def attack_verdicts() -> list[Any]:
    """Return what training pays for hostile Prolog programs; time decides the paper's score."""
    payload = generate("slr", 5, 0).to_row()["verification"]
    said = [
        attack.hypothesis.replace("{path}", "/nowhere/touched").replace("{bits}", "1100")
        for attack in ATTACKS
    ]
    blocks = [f"[RULE]{text}[/RULE]" for text in said]
    return list(map(as_data, judge_of("slr").judge_batch(blocks, [payload] * len(blocks))))


def case_verdicts() -> list[Any]:
    """Return the verdicts of the printed cases of LogiNumSynth."""
    cases = list(CASES.values())
    return verdicts(
        "loginum", [case.completion for case in cases], [case.payload for case in cases]
    )


def answer_pins(family: str) -> dict[str, str]:
    """Return a hash for each file of answers, and for the hostile programs."""
    found = {f"answers {name}": combined(answer_verdicts(family, name)) for name in SETS}
    return found | ({"hostile programs": combined(attack_verdicts())} if family == "slr" else {})


def verdict_pins(family: str) -> dict[str, str]:
    """Return a hash for each set of verdicts."""
    texts = hostile_texts(family)
    found = {
        **answer_pins(family),
        "hostile texts": combined(verdicts(family, texts, [TASKS[family]] * len(texts))),
        **{f"rewards {name}": combined([paid]) for name, paid in reward_values(family).items()},
        **{f"answer: {name}": combined(said) for name, said in row_verdicts(family).items()},
    }
    if judge_of(family).extraction:
        found["answers written out"] = combined(extracted_verdicts(family))
    if family == "loginum":
        found["printed cases"] = combined(case_verdicts())
    return found
