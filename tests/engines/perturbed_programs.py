"""Programs whose other examples were removed, renamed or moved, and what must stay the same."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from logic_curriculum.rewards.engines.prolog_old import Execution, Program, judge_groups, own_facts

Outcome = tuple[str, bool | None]
"""What a hypothesis did on an example that was judged alone: status and outcome."""
_LABEL = re.compile(r"(?:east|west)bound\((\w+)\)\.\n")


def blocks(text: str) -> dict[str, str]:
    """Return the label and the facts of each example of a program written one after the other."""
    text = text.rstrip("\n") + "\n"
    starts = [(match.start(), match[1]) for match in _LABEL.finditer(text)]
    assert starts[0][0] == 0
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return {name: text[start:end] for (start, name), end in zip(starts, ends, strict=True)}


def perturbed(text: str, draw: random.Random) -> list[tuple[str, dict[str, str]]]:
    """Return programs with the same examples in other company, and their names as they were."""
    parts = blocks(text)
    text, names = "".join(parts.values()), list(parts)
    unchanged = {name: name for name in names}
    half = draw.sample(names, (len(names) + 1) // 2)
    shuffled = "".join(parts[name] for name in draw.sample(names, len(names)))
    return [
        ("".join(parts[name] for name in reversed(names)), unchanged),
        (shuffled, unchanged),
        ("".join(parts[name] for name in names if name in half), unchanged),
        ("".join(parts[name] for name in half), unchanged),
        renamed(text, draw),
        renamed(shuffled, draw),
    ]


def renamed(text: str, draw: random.Random) -> tuple[str, dict[str, str]]:
    """Give all objects new names in another order; return the old names of the examples, too."""
    program = Program.parse(text)
    fresh = [f"n{number}" for number in draw.sample(range(100, 100_000), len(program.objects))]
    names = dict(zip(program.objects, fresh, strict=True))
    written = re.sub(r"[a-z]\w*", lambda word: names.get(word[0], word[0]), text)
    return written, {names[example]: example for example in program.examples}


def outcomes_alone(text: str, rules: Sequence[str]) -> dict[str, list[Outcome]]:
    """Judge rules on each example of a program as if there were no other."""
    parts = blocks(text)
    judged = judge_groups([(own_facts(part), rules) for part in parts.values()])
    return {
        name: [(e.status, e.outcomes[0] if e.outcomes else None) for e in executions]
        for name, executions in zip(parts, judged, strict=True)
    }


def check_company_plays_no_part(text: str, rules: Sequence[str], draw: random.Random) -> None:
    """Check that every rule does on every example what it does on it alone, in any company."""
    alone = outcomes_alone(text, rules)
    unchanged = {name: name for name in alone}
    variants = [(text, unchanged), *perturbed(text, draw)]
    cases = [own_facts(variant) for variant, _ in variants]
    judged = judge_groups([(item, rules) for item in cases])
    for item, (_, names), executions in zip(cases, variants, judged, strict=True):
        examples = [names[name] for name in item.examples]
        for index, execution in enumerate(executions):
            expected = [alone[example][index] for example in examples]
            assert _as_alone(execution, expected), (rules[index], execution, expected)


def _as_alone(execution: Execution, alone: Sequence[Outcome]) -> bool:
    """Tell whether an execution has the outcomes of its examples; one of them may end it."""
    ended = [status for status, _ in alone if status != "ok"]
    if ended:
        return execution.status == ended[0]
    return execution.status == "ok" and execution.outcomes == tuple(bit for _, bit in alone)
