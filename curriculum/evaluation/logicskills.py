"""The results of LogicSkills for any run: Table 2, Figures 1 and 2, languages, kinds of errors.

Source: LogicSkills (arXiv:2602.06533), sections 5, 5.1 and 5.2, appendices D and G. Where the
questions are the paper's own, its figures stand beside those of the run.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.scores import (
    Scores,
    by_level,
    data_set_of,
    task_scores,
    title_of,
)
from logic_curriculum.curriculum.evaluation.statistics import Estimate, mean, sum_of_means
from logic_curriculum.curriculum.evaluation.tables import NONE, Table, percent, with_interval


class Setting(NamedTuple):
    """A skill and the language of its sentences; ``formal`` where there are formulas only."""

    skill: str
    language: str


MAIN = "main"  # The data set of the paper's 1,500 questions
SKILLS = ("validity", "symbolization", "countermodel")  # In the order of the paper's figures
COLUMNS: Mapping[Setting, str] = {
    Setting("validity", "carroll"): "Val (Car.)",
    Setting("validity", "english"): "Val (Eng.)",
    Setting("symbolization", "carroll"): "Sym (Car.)",
    Setting("symbolization", "english"): "Sym (Eng.)",
    Setting("countermodel", "formal"): "Counter",
}
"""Setting → what Table 2 calls it, in its order."""
INSTRUCTION_TUNED: Mapping[str, Sequence[int]] = {
    "meta_llama-3.1-8B-instruct": (46, 45, 14, 14, 0),
    "meta_llama-3.1-70B-instruct": (84, 86, 66, 69, 12),
    "qwen2.5-math-72B-instruct": (80, 80, 80, 80, 15),
    "anthropic_claude-3.7-sonnet": (96, 94, 71, 76, 42),
    "openai/gpt-4o": (87, 85, 74, 72, 10),
    "google_gemini-2.5-flash": (96, 94, 76, 79, 13),
    "deepseek_chat": (81, 76, 80, 81, 35),
    "microsoft_phi-4": (80, 73, 51, 57, 14),
}
REASONING_TUNED: Mapping[str, Sequence[int]] = {
    "qwen3-32B": (95, 97, 82, 85, 89),
    "openai/o3": (99, 99, 97, 94, 99),
}
PUBLISHED = {**INSTRUCTION_TUNED, **REASONING_TUNED}
"""Table 2: model → accuracy in % in each setting, of 300 questions."""
ERRORS = {
    "validity": ("superset", 58.4),
    "symbolization": ("not_equivalent", 50.2),
    "countermodel": ("not_countermodel", 72.9),
}
"""Skill → the error that section 5.2 counts, and its share of the wrong answers there in %."""

_PLACE = re.compile(r"^[\w-]+?[_/](?=.*-)|-instruct$", re.IGNORECASE)
"""What a chart leaves out of a model's name."""


def tables(records: Sequence[Record]) -> list[Table]:
    """Return Table 2, the languages side by side, and what wrong answers are."""
    graded = [record for record in records if record.graded]
    models = grouped(graded, lambda record: title_of(record.model, record.shots))
    is_main = all(data_set_of(record.metadata) == MAIN for record in graded)
    return [_settings(models, is_main), _languages(models, is_main), _errors(models)]


def _setting(record: Record) -> Setting:
    return Setting(record.family, str(record.metadata.get("language", "formal")))


def _accuracies(records: Iterable[Record]) -> dict[Setting, dict[int, list[float]]]:
    """Return by setting the accuracy of each task, by level."""
    own = grouped(records, _setting)
    return {s: by_level(task_scores(found).values(), "accuracy") for s, found in own.items()}


def _settings(models: Mapping[str, Sequence[Record]], is_main: bool) -> Table:
    found = {name: _accuracies(records) for name, records in models.items()}
    asked = dict.fromkeys(setting for own in found.values() for setting in own)
    columns = [s for s in COLUMNS if s in asked] + [s for s in asked if s not in COLUMNS]
    titles = [COLUMNS.get(s, f"{s.skill} ({s.language})") for s in columns]
    rows = [
        [name, *(percent(mean(own[s], *s)) if s in own else NONE for s in columns)]
        for name, own in found.items()
    ]
    note = "Accuracy in %."
    if is_main:
        for name, values in PUBLISHED.items():
            published = dict(zip(COLUMNS, values, strict=True))
            rows.append([_published(name), *(str(published.get(s, NONE)) for s in columns)])
        note += " Published figures are by the authors' extractor and checkers."
    return Table("LogicSkills: skills and languages (Table 2)", ["model", *titles], rows, note)


def _languages(models: Mapping[str, Sequence[Record]], is_main: bool) -> Table:
    rows, skills = [], ("validity", "symbolization")
    for name, records in models.items():
        found = _accuracies(records)
        for skill in skills:
            both = [found.get(Setting(skill, language), {}) for language in ("english", "carroll")]
            english, carroll = ([v for own in side.values() for v in own] for side in both)
            if english and carroll:
                apart = {1: english, 2: [-value for value in carroll]}  # each resampled by itself
                shares = [percent(mean(side, skill)) for side in both]
                gain = with_interval(sum_of_means(apart, skill, "languages").times(100))
                rows.append([name, skill, *shares, gain])
    for skill in skills if is_main and rows else ():
        known = [published_mean(skill, language) for language in ("english", "carroll")]
        shares = [f"{share:.1f}" for share in (*known, known[0] - known[1])]
        rows.append([f"published: mean of {len(PUBLISHED)}", skill, *shares])
    header = ["model", "skill", "English (%)", "Carrollian (%)", "difference (points)"]
    note = "Tasks of the two languages are resampled apart, also where they are counterparts."
    return Table("LogicSkills: English and Carrollian (section 5.1)", header, rows, note)


def published_mean(skill: str, language: str) -> float:
    """Return the mean of Table 2 over its models, in %."""
    place = list(COLUMNS).index(Setting(skill, language))
    return fmean(values[place] for values in PUBLISHED.values())


def _errors(models: Mapping[str, Sequence[Record]]) -> Table:
    rows = []
    for name, records in models.items():
        own = grouped([r for r in records if not r.verdict.solved], lambda record: record.family)
        for skill in (skill for skill in SKILLS if skill in own):
            error, published = ERRORS[skill]
            values = by_level(task_scores(own[skill]).values(), error)
            share = percent(mean(values, skill, error)) if values else NONE
            rows.append([name, skill, str(len(own[skill])), error, share, str(published)])
    header = ["model", "skill", "wrong answers", "error", "of them (%)", "published (%)"]
    note = (
        "superset: all that follows and more; not_equivalent: a well-formed formula in the given "
        "symbols; not_countermodel: a whole structure. Other wrong answers can't be read, or are "
        "malformed or, in validity, of another choice. Published shares are of ten models together."
    )
    return Table("LogicSkills: kinds of wrong answers (section 5.2)", header, rows, note)


def charts(scores: Sequence[Scores]) -> list[Chart]:
    """Return Figures 1 and 2: models by skill, and skills by model, languages pooled.

    Beside a single model stand the published ones, where the questions are the paper's.
    """
    own: dict[str, dict[str, Estimate]] = {}
    for item in scores:
        own.setdefault(title_of(item.model, item.shots), {})[item.family] = item.overall.accuracy
    skills = [skill for skill in SKILLS if any(skill in found for found in own.values())]
    shown: dict[str, dict[str, Any]] = dict(own)
    if len(own) == 1 and all(item.dataset == MAIN for item in scores):
        shown |= {_published(name): _pooled(values) for name, values in PUBLISHED.items()}
    first = [name for name in shown if name not in map(_published, REASONING_TUNED)]
    by_skill = [
        Series(name, _points(skills, shown[name]), number, "bars")
        for number, name in enumerate(first)
    ]
    by_model = [
        Series(
            skill, _points(shown, {m: found.get(skill) for m, found in shown.items()}), n, "bars"
        )
        for n, skill in enumerate(skills)
    ]
    label, limits = "share of questions solved", (0, 1.02)
    one = Chart("Skills (Figure 1)", "", label, by_skill, limits, ticks=skills)
    axis = "first the run, then the published models" if len(shown) > len(own) else ""
    ticks = list(map(_tick, shown))
    return [one, Chart("Skill profile (Figure 2)", axis, label, by_model, limits, ticks=ticks)]


def _tick(name: str) -> str:
    """Return a model's name on as many lines as it has parts."""
    short = _PLACE.sub("", _PLACE.sub("", name.removeprefix(_published(""))))
    return "\n".join(re.split("[-_/]", short)[:4])


def _published(name: str) -> str:
    return f"published: {name}"


def _pooled(values: Sequence[int]) -> dict[str, Estimate]:
    """Return a published model's accuracy by skill: the mean of its languages, no interval."""
    by_skill = grouped(zip(COLUMNS, values, strict=True), lambda pair: pair[0].skill)
    means = {skill: fmean(value for _, value in own) / 100 for skill, own in by_skill.items()}
    return {skill: Estimate(share, share, share, 0) for skill, share in means.items()}


def _points(places: Iterable[str], found: Mapping[str, Estimate | None]) -> list[Point]:
    return [
        Point(place, *estimate[:3])
        for place, name in enumerate(places)
        if (estimate := found.get(name)) is not None
    ]
