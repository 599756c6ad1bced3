"""The three skills of LogicSkills, and in what settings each is asked."""

from __future__ import annotations

SKILLS = ("symbolization", "countermodel", "validity")


def task_options(family: str, language: str, style: str) -> dict[str, str]:
    """Return the options of ``generators.generate``; a countermodel task has no language."""
    options = {"style": style}
    return options if family == "countermodel" else {"language": language, **options}
