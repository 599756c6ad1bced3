"""What a model may hear about an answer, before it tries again.

**The principle.** A finding says what comes of running the answer on what the prompt shows: the
rule on the trains shown, the formulas in the structure, the statements under the assignment. It
never compares with the key, or with anything that the prompt keeps back. So it tells nothing that
a model could not have found out by checking its answer.

- ``slr``: whether the rule can be run, and the first train shown that it gets wrong. That all are
  right, but not whether the rule is accepted: fresh trains stay out of it.
- ``countermodel``: what is wrong with the structure, or that it is a countermodel.
- ``sat`` with a certificate: what is wrong with the proof, of whichever verdict is claimed. Of a
  verdict alone nothing: the other one would be the answer.
- ``loginum``, ``symbolization``, ``validity`` and other families: nothing. To say that a number, a
  formula or a choice is wrong is to compare it with the key.
"""

from collections.abc import Callable, Mapping
from typing import Any

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.judge import as_mapping
from logic_curriculum.rewards.sat.judge import SatJudge

RECORDED = "recorded"
LONGEST = 300  # characters of a finding; it may quote the answer


def as_completion(answer: str) -> str:
    """Return the completion whose last answer block holds an answer."""
    return f"<answer>\n{answer}\n</answer>"


def finding(family: str, answer: str, verification: Any) -> str:
    """Return the feedback that may be given on an answer, ``"recorded"`` if there is none.

    ``answer`` is the content of an answer block, ``verification`` a mapping or its JSON text.
    """
    if family not in FINDINGS:
        return RECORDED
    return FINDINGS[family](as_completion(answer), as_mapping(verification))[:LONGEST]


def _slr(completion: str, payload: Mapping[str, Any]) -> str:
    verdict = judge("slr", completion, payload)
    if verdict.reward is None:
        return RECORDED
    return "right on all examples shown" if verdict.metrics["fits"] else verdict.explanation


def _countermodel(completion: str, payload: Mapping[str, Any]) -> str:
    return judge("countermodel", completion, payload).explanation


def _sat(completion: str, payload: Mapping[str, Any]) -> str:
    """Judge the proof as that of the verdict claimed, be it right or wrong."""
    said = judge("sat", completion, payload).answer if payload.get("certificate") else None
    if said is None:
        return RECORDED
    claimed = said.startswith("consistent")
    verdict = judge("sat", completion, {**payload, "satisfiable": claimed})
    wrong = [name.replace("_", " ") for name in SatJudge.errors if verdict.metrics[name]]
    if verdict.reward is None:
        return RECORDED
    return f"the proof is wrong: {wrong[0]}" if wrong else "the proof is right"


FINDINGS: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "slr": _slr,
    "countermodel": _countermodel,
    "sat": _sat,
}
"""Family → what it says about a completion, given the payload; add your own family here."""
