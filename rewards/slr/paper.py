"""The scores of the SLR paper (section 3.3, appendix B), for reproducing it and for measuring.

All examples run as one program, as the prompt shows it, so a rule can earn them by naming examples
or by looking at other ones. How much of that there is shows on an isomorphic copy, whose objects
have other names in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Execution, Program, isomorphic_copy
from logic_curriculum.rewards.judge import Verdict, named_row
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.slr.payload import SlrPayload, SlrRows


class SlrPaperJudge(SlrRows):
    """Scores answers as the paper does; only the examples shown count.

    ``syntax``, ``partial`` and, as ``solved`` and ``reward``, the overall score. Syntax is that of
    the answer before any repair. Metrics: ``extensional`` (the overall score), ``isomorphic`` (the
    same on the renamed copy) and ``hacking_gap`` (their difference).
    """

    def judge_texts(self, texts: Sequence[str], payloads: Sequence[SlrPayload]) -> list[Verdict]:
        """Return the verdicts on a batch: a task's answers run together, equal ones once."""
        readings = [
            read_rule(text, payload.positive, payload.negative)
            for text, payload in zip(texts, payloads, strict=True)
        ]
        programs: list[tuple[Program, Program]] = []
        asked: dict[SlrPayload, dict[str, None]] = {}
        for index, (reading, payload) in enumerate(zip(readings, payloads, strict=True)):
            if payload not in asked:
                with named_row(index):
                    programs.append(_program_and_copy(payload))
                asked[payload] = {}
            if reading.answer is not None:
                asked[payload][reading.answer] = None
        groups = zip(programs, map(list, asked.values()), strict=True)
        runs = prolog.judge_programs([(one, answers) for both, answers in groups for one in both])
        ran = {
            (payload, answer): (shown, renamed)
            for at, (payload, answers) in enumerate(asked.items())
            for answer, shown, renamed in zip(answers, runs[2 * at], runs[2 * at + 1], strict=True)
        }
        return [
            _verdict(reading, ran.get((payload, reading.answer or "")))
            for reading, payload in zip(readings, payloads, strict=True)
        ]


@lru_cache(maxsize=32)
def _program_and_copy(payload: SlrPayload) -> tuple[Program, Program]:
    program = Program.parse(payload.validation_program, payload.positive, payload.negative)
    return program, isomorphic_copy(program)


def _verdict(reading: Reading[str], runs: tuple[Execution, Execution] | None) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_metrics(0.0, 0.0), explanation="no rule found")
    shown, renamed = runs
    for run in runs:
        if run.status == "lost":
            told = f"not gradable: {run.detail}"
            return Verdict(False, None, answer=reading.answer, explanation=told)
    right = f"{len(shown.labels) - len(shown.wrong)} of {len(shown.labels)} examples right"
    raised = f"; a proof raised {shown.detail}" if shown.detail else ""
    return Verdict(
        solved=shown.solved,
        reward=float(shown.solved),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=reading.answer,
        explanation=right + raised if shown.status == "ok" else f"{shown.status}: {shown.detail}",
        metrics=_metrics(float(shown.solved), float(renamed.solved)),
    )


def _metrics(extensional: float, isomorphic: float) -> dict[str, float]:
    gap = extensional - isomorphic
    return {"extensional": extensional, "isomorphic": isomorphic, "hacking_gap": gap}
