"""The results of LogicSkills for any run: Table 2, Figure 1, languages, kinds of errors.

Source: LogicSkills (arXiv:2602.06533), sections 5, 5.1 and 5.2, appendices D and G. Where the
questions are the paper's own, its figures stand beside those of the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from statistics import fmean
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series
from logic_curriculum.curriculum.evaluation.records import Record, grouped
from logic_curriculum.curriculum.evaluation.tables import NONE, Mean, Table, mean_percent
from logic_curriculum.rewards.answers import STATUSES


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
PUBLISHED: Mapping[str, Sequence[int]] = {
    "meta_llama-3.1-8B-instruct": (46, 45, 14, 14, 0),
    "meta_llama-3.1-70B-instruct": (84, 86, 66, 69, 12),
    "qwen2.5-math-72B-instruct": (80, 80, 80, 80, 15),
    "anthropic_claude-3.7-sonnet": (96, 94, 71, 76, 42),
    "openai/gpt-4o": (87, 85, 74, 72, 10),
    "google_gemini-2.5-flash": (96, 94, 76, 79, 13),
    "deepseek_chat": (81, 76, 80, 81, 35),
    "microsoft_phi-4": (80, 73, 51, 57, 14),
    "qwen3-32B": (95, 97, 82, 85, 89),
    "openai/o3": (99, 99, 97, 94, 99),
}
"""Table 2: model → accuracy in % in each setting, of 300 questions."""
ERRORS = {
    "validity": ("superset", 58.4),
    "symbolization": ("not_equivalent", 50.2),
    "countermodel": ("not_countermodel", 72.9),
}
"""Skill → the error that section 5.2 counts, and its share of the wrong answers there in %."""


def tables(records: Sequence[Record]) -> list[Table]:
    """Return Table 2, the languages side by side, and what wrong answers are."""
    graded = [record for record in records if record.graded]
    models = grouped(graded, lambda record: record.model)
    is_main = all(record.metadata.get("set") == MAIN for record in graded)
    return [_settings(models, is_main), _languages(models, is_main), _errors(models)]


def _accuracies(records: Iterable[Record]) -> dict[Setting, Mean]:
    """Return the accuracy in each setting, over tasks."""

    def setting(record: Record) -> Setting:
        return Setting(record.family, str(record.metadata.get("language", "formal")))

    return {s: _accuracy(own) for s, own in grouped(records, setting).items()}


def _accuracy(records: Iterable[Record]) -> Mean:
    tasks = grouped(records, lambda record: record.task).values()
    return mean_percent([fmean(record.solved for record in own) for own in tasks])


def _settings(models: Mapping[str, Sequence[Record]], is_main: bool) -> Table:
    found = {name: _accuracies(records) for name, records in models.items()}
    asked = dict.fromkeys(setting for own in found.values() for setting in own)
    columns = [s for s in COLUMNS if s in asked] + [s for s in asked if s not in COLUMNS]
    titles = [COLUMNS.get(s, f"{s.skill} ({s.language})") for s in columns]
    rows = [
        [name, *(str(own[s]) if s in own else NONE for s in columns)] for name, own in found.items()
    ]
    note = "Accuracy in %, ± standard error."
    if is_main:
        for name, values in PUBLISHED.items():
            published = dict(zip(COLUMNS, values, strict=True))
            rows.append([f"published: {name}", *(str(published.get(s, NONE)) for s in columns)])
        note += " Published figures are by the authors' extractor and checkers."
    return Table("LogicSkills: skills and languages (Table 2)", ["model", *titles], rows, note)


def _languages(models: Mapping[str, Sequence[Record]], is_main: bool) -> Table:
    rows, skills = [], ("validity", "symbolization")
    for name, records in models.items():
        found = _accuracies(records)
        for skill in skills:
            both = [found.get(Setting(skill, language)) for language in ("english", "carroll")]
            if both[0] and both[1]:
                gain, error = both[0].value - both[1].value, hypot(both[0].error, both[1].error)
                rows.append([name, skill, *map(str, both), f"{gain:+.1f} ± {error:.1f}"])
    for skill in skills if is_main and rows else ():
        known = [published_mean(skill, language) for language in ("english", "carroll")]
        shares = [f"{share:.1f}" for share in (*known, known[0] - known[1])]
        rows.append([f"published: mean of {len(PUBLISHED)}", skill, *shares])
    header = ["model", "skill", "English (%)", "Carrollian (%)", "difference (points)"]
    return Table("LogicSkills: English and Carrollian (section 5.1)", header, rows)


def published_mean(skill: str, language: str) -> float:
    """Return the mean of Table 2 over its models, in %."""
    place = list(COLUMNS).index(Setting(skill, language))
    return fmean(values[place] for values in PUBLISHED.values())


def _errors(models: Mapping[str, Sequence[Record]]) -> Table:
    rows = []
    for name, records in models.items():
        own = grouped([r for r in records if not r.solved], lambda record: record.family)
        for skill in (skill for skill in SKILLS if skill in own):
            error, published = ERRORS[skill]
            share = mean_percent([float(record.metrics.get(error, 0)) for record in own[skill]])
            lost = [bool(r.errors) and {*STATUSES} >= {*r.errors} for r in own[skill]]
            cells = (share.items, error, share, published, mean_percent(lost))
            rows.append([name, skill, *map(str, cells)])
    header = ["model", "skill", "wrong answers", "error", "of them (%)", "published (%)"]
    header.append("no answer found (%)")
    note = (
        "superset: all that follows and more; not_equivalent: a well-formed formula in the given "
        "symbols; not_countermodel: a whole structure. Others are malformed or incomplete or, in "
        "validity, of another choice; the last column has those without any answer. Published "
        "shares are of ten models together."
    )
    return Table("LogicSkills: kinds of wrong answers (section 5.2)", header, rows, note)


def charts(records: Sequence[Record]) -> list[Chart]:
    """Return Figure 1: the accuracy of each skill, languages pooled, a bar for each model."""
    graded = [record for record in records if record.graded]
    models = grouped(graded, lambda record: record.model)
    skills = [skill for skill in SKILLS if any(record.family == skill for record in graded)]
    series = []
    for number, (name, own) in enumerate(models.items()):
        found = {s: _accuracy(r) for s, r in grouped(own, lambda record: record.family).items()}
        points = [
            Point(place, *(x / 100 for x in m.interval))
            for place, skill in enumerate(skills)
            if (m := found.get(skill))
        ]
        series.append(Series(name, points, number, "bars"))
    title, label = "LogicSkills (Figure 1)", "share of questions solved"
    return [Chart(title, "", label, series, (0, 1.02), ticks=skills)]
