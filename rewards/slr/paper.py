"""The scores of the SLR paper (section 3.3, appendix B): for reproduction, and never for pay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from logic_curriculum.rewards.answers import Reading
from logic_curriculum.rewards.engines import prolog
from logic_curriculum.rewards.engines.prolog import Cases, Execution
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
        """Return the verdicts on a batch."""
        verdicts = []
        for index, (text, payload) in enumerate(zip(texts, payloads, strict=True)):
            reading = read_rule(text, payload.positive, payload.negative)
            with named_row(index):
                both = _whole_programs(payload)
            runs = None
            if reading.answer is not None:
                ((runs,),) = _run_twice([(both, [reading.answer])])
            verdicts.append(_paper_verdict(reading, both, runs))
        return verdicts


@lru_cache(maxsize=32)
def _whole_programs(payload: SlrPayload) -> tuple[Cases, Cases]:
    """Return the program as shown, and its copy."""
    program = prolog.Program.parse(payload.validation_program, payload.positive, payload.negative)
    copy = prolog.isomorphic_copy(program)
    return prolog.whole_program(program), prolog.whole_program(copy)


def _run_twice(
    groups: Sequence[tuple[tuple[Cases, Cases], list[str]]],
) -> list[list[tuple[Execution, Execution]]]:
    runs = prolog.judge_groups([(cases, answers) for both, answers in groups for cases in both])
    return [list(zip(*both, strict=True)) for both in zip(runs[::2], runs[1::2], strict=True)]


def _paper_verdict(
    reading: Reading[str], _: object, runs: tuple[Execution, Execution] | None
) -> Verdict:
    if runs is None:
        return Verdict(False, 0.0, metrics=_paper_metrics(0.0, 0.0), explanation="no rule found")
    shown, renamed = runs
    for run in runs:
        if run.status == "lost":
            return _not_gradable(reading, run)
    right = f"{round(shown.accuracy * len(shown.labels))} of {len(shown.labels)} examples right"
    return Verdict(
        solved=shown.solved,
        reward=float(shown.solved),
        syntax=shown.status != "syntax",
        partial=shown.accuracy,
        answer=reading.answer,
        explanation=right if shown.status == "ok" else f"{shown.status}: {shown.detail}",
        metrics=_paper_metrics(float(shown.solved), float(renamed.solved)),
    )


def _paper_metrics(extensional: float, isomorphic: float) -> dict[str, float]:
    gap = extensional - isomorphic
    return {"extensional": extensional, "isomorphic": isomorphic, "hacking_gap": gap}


def _not_gradable(reading: Reading[str], run: Execution) -> Verdict:
    explanation = f"not gradable: {run.detail}"
    return Verdict(False, None, answer=reading.answer, explanation=explanation)
