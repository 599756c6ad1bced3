"""The scores of the SLR paper (section 3.3, appendix B): all examples run as one program.

Syntax, partial and overall score are measured on the program as the prompt shows it. A rule can
earn them by naming examples or by looking at other ones; how much of that there is shows on an
isomorphic copy, whose objects have other names in another order. It is for reproducing the paper
and for measuring; :mod:`logic_curriculum.rewards.slr` is what to train with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from logic_curriculum.rewards.engines.prolog import (
    Cases,
    Execution,
    Program,
    isomorphic_copy,
    judge_groups,
    whole_program,
)
from logic_curriculum.rewards.judge import Judge
from logic_curriculum.rewards.payload import named_row
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.slr.payload import (
    REWARD_VERSION,
    TASK_VERSION,
    SlrPayload,
    read_payload,
)
from logic_curriculum.rewards.verdict import Verdict


class SlrPaperJudge(Judge[SlrPayload]):
    """Scores answers as the paper does; only the examples shown count.

    ``syntax``, ``partial`` and, as ``solved`` and ``reward``, the overall score. Syntax is that of
    the answer before any repair. Metrics: ``extensional`` (the overall score), ``isomorphic`` (the
    same on the renamed copy) and ``hacking_gap`` (their difference).
    """

    family = "slr"
    task_version = TASK_VERSION
    reward_version = REWARD_VERSION

    def read_payload(self, payload: Mapping[str, Any]) -> SlrPayload:
        """Return the programs; see :func:`rewards.slr.payload.read_payload`."""
        return read_payload(payload)

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch; answers of one task run in one worker."""
        answers = [
            read_rule(text, payload.positive, payload.negative).answer
            for text, payload in zip(texts, payloads, strict=True)
        ]
        rows: dict[SlrPayload, list[int]] = {}
        for row, payload in enumerate(payloads):
            rows.setdefault(payload, []).append(row)
        groups: list[tuple[Cases, list[str]]] = []
        for payload, of_task in rows.items():
            with named_row(of_task[0]):
                given = [answer for row in of_task if (answer := answers[row]) is not None]
                groups += [(cases, given) for cases in _programs(payload)]
        judged = judge_groups(groups)
        verdicts: dict[int, Verdict] = {}
        for index, of_task in enumerate(rows.values()):
            answered = [row for row in of_task if answers[row] is not None]
            runs = zip(judged[2 * index], judged[2 * index + 1], strict=True)
            found = dict(zip(answered, runs, strict=True))
            verdicts |= {row: _verdict(answers[row], found.get(row)) for row in of_task}
        return [verdicts[row] for row in range(len(answers))]


@lru_cache(maxsize=32)
def _programs(payload: SlrPayload) -> tuple[Cases, Cases]:
    """Return the program as shown, and its copy."""
    program = Program.parse(payload.validation_program, payload.positive, payload.negative)
    return whole_program(program), whole_program(isomorphic_copy(program))


def _verdict(answer: str | None, runs: tuple[Execution, Execution] | None) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_metrics(False, False), explanation="no rule found")
    shown, renamed = runs
    lost = next((run for run in runs if run.status == "lost"), None)
    if lost:
        return Verdict(False, None, answer=answer, explanation=f"not gradable: {lost.detail}")
    right = f"{round(shown.accuracy * len(shown.labels))} of {len(shown.labels)} examples right"
    return Verdict(
        solved=shown.solved,
        reward=float(shown.solved),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=answer,
        explanation=right if shown.status == "ok" else f"{shown.status}: {shown.detail}",
        metrics=_metrics(shown.solved, renamed.solved),
    )


def _metrics(extensional: bool, isomorphic: bool) -> dict[str, float]:
    return {
        "extensional": float(extensional),
        "isomorphic": float(isomorphic),
        "hacking_gap": float(extensional) - float(isomorphic),
    }
