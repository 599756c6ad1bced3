"""Does training one skill help another? Held-out tasks, transfer matrix and skill profile.

Source: LogicSkills (arXiv:2602.06533), section 5.3, Table 1 (matrix) and Figure 2 (profile).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.charts import BARS, Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.guessers import best_constant, nearest_neighbour
from logic_curriculum.curriculum.evaluation.models import (
    Decoding,
    TransformersModel,
    answer_settings,
)
from logic_curriculum.curriculum.evaluation.questions import Question, read_questions
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.evaluation.tables import SKILLS, Mean, markdown_table, mean_percent
from logic_curriculum.generators import registry
from logic_curriculum.generators.sampling import distinct_tasks

Outcomes = Sequence[bool | None]  # Whether each item was solved; None where it was not graded
BASE = "base"  # Name of the model that nothing was trained on top of

PAPER_DELTAS: Mapping[str, Mapping[str, float]] = {
    "symbolization": dict(zip(SKILLS, (80.7, 0.0, -4.3), strict=True)),
    "countermodel": dict(zip(SKILLS, (-3.0, 15.7, -6.4), strict=True)),
    "symbolization+countermodel": dict(zip(SKILLS, (84.0, 25.6, -5.7), strict=True)),
}
"""Table 1 of the paper: what was trained on → skill → change in accuracy points."""


class Setting(NamedTuple):
    """A skill, and the language of its sentences."""

    skill: str
    language: str | None  # Lexicon of the sentences, or `None` where there are none

    def __str__(self) -> str:
        return self.skill if self.language is None else f"{self.skill} ({self.language})"

    def options(self, by_skill: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the options of its tasks, those of its skill with its language."""
        return {**by_skill[self.skill], **({"language": self.language} if self.language else {})}


OutcomesBySetting = Mapping[Setting, Outcomes]
"""What a model solved in each setting; the items are the same, in the same order, for all models
that are compared."""


def evaluation_tasks(
    levels: Mapping[str, Sequence[int]],
    languages: Sequence[str],
    count: int,
    seed: int,
    options: Mapping[str, Mapping[str, Any]],
) -> dict[Setting, list[Question]]:
    """Return ``count`` distinct tasks of the test split for each skill and language.

    The levels take turns. The n-th task in one language is drawn with the seed of the n-th in the
    others. A skill whose tasks have no option ``language`` is one setting.
    """
    tasks = {}
    for skill, asked in levels.items():
        known = {item.name for item in fields(registry.family(skill).options)}
        for language in languages if "language" in known else [None]:
            setting = Setting(skill, language)
            made = distinct_tasks(skill, asked, count, seed, **setting.options(options))
            tasks[setting] = [Question(task, task.prompt) for task in made]
    return tasks


def published_questions(path: Path) -> dict[Setting, list[Question]]:
    """Return the authors' questions of a file or folder, see :func:`.read_questions`."""

    def setting(question: Question) -> Setting:
        language = question.task.metadata.get("language")
        return Setting(question.task.family, None if language == "formal" else language)

    return grouped(read_questions(path), setting)


def evaluate(
    path: Path,
    load: Callable[[], tuple[Any, Any]],
    questions: Mapping[Setting, Sequence[Question]],
    decoding: Decoding,
    batch_size: int,
) -> dict[Setting, list[bool | None]]:
    """Return by setting whether a model solves each question, None if ungraded.

    See :func:`.answer_settings`.
    """
    answers = answer_settings(
        path, lambda: TransformersModel(*load(), decoding), questions, batch_size, seed=0
    )
    return {
        setting: [record.solved if record.graded else None for record in records]
        for setting, records in answers.items()
    }


def guesses(
    questions: Mapping[Setting, Sequence[Question]],
    examples: Sequence[tuple[str, str]],
    options: Mapping[str, Mapping[str, Any]],
) -> dict[str, OutcomesBySetting]:
    """Return the outcomes of the best constant, and of the nearest of ``examples`` by prompt."""
    tasks = {s: [question.task for question in own] for s, own in questions.items()}
    return {
        "best constant": {s: best_constant(own, s.options(options)) for s, own in tasks.items()},
        "nearest neighbour": {s: nearest_neighbour(own, examples) for s, own in tasks.items()},
    }


def accuracy(outcomes: Outcomes) -> Mean:
    """Return the share of graded items solved, with its binomial standard error."""
    return _mean([float(outcome) for outcome in outcomes if outcome is not None], len(outcomes))


def difference(base: Outcomes, tuned: Outcomes) -> Mean:
    """Return the tuned model's accuracy less the base's, on the same items.

    The standard error is that of the paired differences d_i = tuned_i - base_i in {-1, 0, 1}:
    sd(d) / √n. Items that either model was not graded on are left out; if none is left, or the
    two differ in length, that is a ValueError.
    """
    if len(base) != len(tuned):
        raise ValueError(
            f"The base has {len(base)} outcomes and the tuned model {len(tuned)}, so they can't be "
            "paired: evaluate both on the same items."
        )
    pairs = zip(base, tuned, strict=True)
    gains = [float(two) - one for one, two in pairs if one is not None and two is not None]
    return _mean(gains, len(base))


def _mean(shares: Sequence[float], items: int) -> Mean:
    if not shares:
        raise ValueError(
            f"None of {items} items was graded, so there is no accuracy: evaluate at least one "
            "item, and see the explanations of those that could not be graded."
        )
    return mean_percent(shares, degrees_lost=0)


def pooled(scores: OutcomesBySetting) -> dict[str, list[bool | None]]:
    """Return the outcomes of each skill in all its languages, one after the other."""
    groups = grouped(scores, lambda setting: setting.skill)
    return {skill: [*chain(*(scores[item] for item in own))] for skill, own in groups.items()}


def format_matrix(models: Mapping[str, OutcomesBySetting]) -> str:
    """Return the transfer matrix in Markdown: changes in accuracy points beside the paper's.

    ``models`` has the outcomes by what was trained on, :data:`BASE` among them.
    """
    base = pooled(models[BASE])
    header = ["trained on"]
    rows = [[f"nothing: {BASE} accuracy"]]
    for skill, outcomes in base.items():
        header += [f"{skill} Δ", "paper Δ"]
        rows[0] += [str(accuracy(outcomes)), ""]
    for name, gains in _gains(models).items():
        rows.append([name])
        for skill, gain in gains.items():
            paper = PAPER_DELTAS.get(name, {}).get(skill)
            rows[-1].append(gain.signed)
            rows[-1].append("–" if paper is None else f"{paper:+.1f}")
    return markdown_table(header, rows)


def _gains(models: Mapping[str, OutcomesBySetting]) -> dict[str, dict[str, Mean]]:
    base = pooled(models[BASE])
    return {
        name: {skill: difference(base[skill], own) for skill, own in pooled(scores).items()}
        for name, scores in models.items()
        if name != BASE
    }


def format_profile(models: Mapping[str, OutcomesBySetting]) -> str:
    """Return the skill profile in Markdown: accuracy in %, a row a model, a column a setting."""
    settings = list(next(iter(models.values())))
    rows = [
        [name, *(str(accuracy(scores[setting])) for setting in settings)]
        for name, scores in models.items()
    ]
    return markdown_table(["model", *map(str, settings)], rows)


def summarize(
    models: Mapping[str, OutcomesBySetting], guesses: Mapping[str, OutcomesBySetting]
) -> dict[str, Any]:
    """Return JSON-able data in accuracy points.

    ``accuracy`` is model or guesser → setting → value, error, items; ``difference`` to the base is
    model → skill → the same, with ``paper``, the paper's figure or None.
    """
    found: dict[str, Any] = {"accuracy": {}, "difference": {}}
    for name, scores in {**guesses, **models}.items():
        found["accuracy"][name] = {str(s): accuracy(own)._asdict() for s, own in scores.items()}
    for name, gains in _gains(models).items():
        paper = PAPER_DELTAS.get(name, {}).get
        own = {skill: {**gain._asdict(), "paper": paper(skill)} for skill, gain in gains.items()}
        found["difference"][name] = own
    return found


def plot(path: str | Path, models: Mapping[str, OutcomesBySetting]) -> None:
    """Draw the changes beside the paper's, and the accuracies; bars with standard errors."""
    save(path, [_changes(models), _profile(models)])


def _changes(models: Mapping[str, OutcomesBySetting]) -> Chart:
    gains = _gains(models)
    skills = list(pooled(models[BASE]))
    series, width = [], BARS / len(skills)
    for number, skill in enumerate(skills):
        own = [gain[skill] for gain in gains.values()]
        points = [Point(place, *mean.interval) for place, mean in enumerate(own)]
        series.append(Series(skill, points, number, "bars"))
        left = (number - (len(skills) - 1) / 2) * width  # of the bar to its place
        published = [PAPER_DELTAS.get(name, {}).get(skill) for name in gains]
        dots = [
            Point(place + left, paper) for place, paper in enumerate(published) if paper is not None
        ]
        last = "the paper" if number == len(skills) - 1 else ""
        series.append(Series(last, dots, len(skills), "dots"))
    ticks = [name.replace("+", "+\n") for name in gains]
    return Chart("change by training on", "", "points", series, None, ticks=ticks)


def _profile(models: Mapping[str, OutcomesBySetting]) -> Chart:
    settings = list(next(iter(models.values())))
    colours = list(dict.fromkeys(setting.skill for setting in settings))
    series = []
    for number, setting in enumerate(settings):
        means = [accuracy(scores[setting]) for scores in models.values()]
        points = [Point(place, *mean.interval) for place, mean in enumerate(means)]
        shade = 1 / (1 + [other.skill for other in settings[:number]].count(setting.skill))
        colour = colours.index(setting.skill)
        series.append(Series(str(setting), points, colour, "bars", shade))
    ticks = [name.replace("+", "+\n") for name in models]
    return Chart("accuracy", "", "%", series, (0, 105), ticks=ticks)
