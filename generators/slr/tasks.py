"""Turns a synthesis into a Task."""

from __future__ import annotations

from typing import Any

from logic_curriculum.generators.slr.language import Language
from logic_curriculum.generators.slr.levels import range_text
from logic_curriculum.generators.slr.programs import HELD_OUT_START, labelled_program
from logic_curriculum.generators.slr.prompts import write_answer, write_prompt
from logic_curriculum.generators.slr.synthesis import Synthesis
from logic_curriculum.generators.task import Task


def write_task(synthesis: Synthesis, seed: int, split: str, style: str) -> Task:
    """Write the prompt, the answer, the judge's payload and the description of a task."""
    return Task(
        family="slr",
        level=synthesis.level.number,
        seed=seed,
        prompt=write_prompt(synthesis, style),
        solution=write_answer(synthesis.rule.text, style),
        verification=_verification(synthesis),
        metadata=_metadata(synthesis, split, style),
    )


def _verification(synthesis: Synthesis) -> dict[str, Any]:
    language, grammar = synthesis.language, synthesis.grammar
    shown = labelled_program(language, grammar, synthesis.examples)
    held_out = labelled_program(language, grammar, synthesis.held_out, start=HELD_OUT_START)
    payload: dict[str, Any] = {
        "validation_program": shown,
        "validation_cases": _packed(language, shown),
        "heldout_program": held_out,
        "heldout_cases": _packed(language, held_out),
        "positive": language.positive,
        "negative": language.negative,
    }
    if synthesis.accepted is not None:
        payload["accepted"] = list(synthesis.accepted)
    return payload


def _packed(language: Language, program: str) -> str:
    """Return a program as the judge's engine reads it, which saves the judge time."""
    from logic_curriculum.rewards.engines.prolog import own_facts

    return own_facts(program, language.positive, language.negative).packed(program)


def _metadata(synthesis: Synthesis, split: str, style: str) -> dict[str, Any]:
    level, rule = synthesis.level, synthesis.rule
    return {
        "rule": rule.text,
        "rule_sampling": rule.sampling,
        "rule_style": rule.style,
        "rule_length": range_text(level.rule_length),
        "background_sampling": level.background,
        "problem_size": level.kappa,
        "vocabulary_predicates": level.predicates,
        "vocabulary_constants": range_text(level.parts),
        "tier": level.tier,
        "symbols": _symbols(synthesis),
        "positive_rate": round(synthesis.positive_rate, 4),
        "fingerprint": synthesis.fingerprint,
        "question": synthesis.question,
        "language": synthesis.language.name,
        "split": split,
        "style": style,
    }


def _symbols(synthesis: Synthesis) -> str:
    """List the level's predicates with their argument types, and the types' values."""
    language, grammar = synthesis.language, synthesis.grammar
    lines = [
        f"{language.positive}({language.whole})",
        f"{language.negative}({language.whole})",
        f"{language.membership}({language.whole}, {language.part})",
    ]
    for item in grammar.attributes:
        values = item.values or range(1, synthesis.level.parts[1] + 1)
        lines.append(
            f"{item.predicate}({language.part}, {item.domain}): {' | '.join(map(str, values))}"
        )
    return "\n".join(lines)
