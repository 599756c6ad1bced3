"""The tables of a report as rows of text, in the layouts of the papers, and as Markdown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.records import Record
from logic_curriculum.curriculum.evaluation.scores import Scores, Slice, title_of
from logic_curriculum.curriculum.evaluation.statistics import Estimate, Mean, mean_percent
from logic_curriculum.generators import Task
from logic_curriculum.rewards.registry import judge_of

NONE = "–"  # A cell without a value
SKILLS = ("symbolization", "countermodel", "validity")  # The families of LogicSkills
MANY_SENTENCES = (3, 5, 6, 7, 8, 9, 10)  # Levels of symbolization that hold thousands of sentences
_DETAILS = {
    "not_equivalent": ("stronger", "weaker"),
    "not_countermodel": ("premise_false", "conclusion_true"),
}
"""Error of LogicSkills → what is measured about it; none, one or both of them hold."""


class Table(NamedTuple):
    """A table with a title."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""  # One or two sentences below the table


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, its texts as they are."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def joined(tables: Iterable[Table]) -> str:
    """Return tables in Markdown with titles and notes, their cells made harmless."""
    parts = []
    for table in tables:
        header, *rows = ([_escape(cell) for cell in row] for row in (table.header, *table.rows))
        note = f"\n{table.note}\n" if table.note else ""
        parts.append(f"## {table.title}\n\n{markdown_table(header, rows)}\n{note}")
    return "\n".join(parts)


def _escape(cell: str) -> str:
    """Return a text that ends no cell and opens no tag."""
    text = " ".join(cell.split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def detail_tables(scores: Sequence[Scores]) -> list[Table]:
    """Return each family's scores by level, and what else its judge measured."""
    tables = []
    for item in scores:
        tables.append(level_table(item))
        if item.metrics:
            tables.append(metric_table(item))
    return tables


def overview(scores: Sequence[Scores], currency: str) -> Table:
    """Return a line for each family: what was asked, solved, read, written and paid."""
    header = ["family", "shots", "tasks", "answers", "not graded", "pass@1 (%)", "readable (%)"]
    header += ["tokens read", "tokens written", f"cost ({currency})"]
    rows = []
    for item in scores:
        counts = [item.shots, item.overall.tasks, item.answers, item.ungraded]
        shares = [percent(item.overall.accuracy), percent(item.overall.syntax)]
        tokens = [item.prompt_tokens, item.completion_tokens]
        read = [NONE if count is None else f"{count:,}" for count in tokens]
        rows.append([item.family, *map(str, counts), *shares, *read, _money(item.cost)])
    return _by_model(Table("Overview", header, rows), scores)


def leaderboard(scores: Sequence[Scores], currency: str) -> Table:
    """Return rows in the form of Table 4 of SLR: one for each entry."""
    tiers = list(dict.fromkeys(tier.name for item in scores for tier in item.tiers))
    header = ["model", "LRL", "syntax score (%)", *(f"{tier} (%)" for tier in tiers)]
    header += ["tokens (M)", f"cost ({currency})"]
    rows = []
    for item in scores:
        by_tier = {tier.name: tier.accuracy for tier in item.tiers}
        written = item.completion_tokens
        row = [title_of(item.model, item.shots), with_interval(item.reasoning_level)]
        row += [percent(item.overall.syntax), *(percent(by_tier.get(tier)) for tier in tiers)]
        row += [NONE if written is None else f"{written / 1e6:.3g}", _money(item.cost)]
        rows.append(row)
    most = max(len(item.levels) for item in scores)
    note = f"LRL (Logical Reasoning Level) lies between 0 and the number of levels asked, {most}."
    return Table("SLR leaderboard row (Table 4)", header, rows, note)


def hacking_table(scores: Sequence[Scores]) -> Table:
    """Return the paper's overall score on the given names and on renamed copies, and the gap."""
    header = ["model", "shots", "given names (%)", "renamed copies (%)", "gap (points)"]
    measures = ("extensional", "isomorphic", "hacking_gap")
    rows = [
        [item.model, str(item.shots), *(percent(item.metrics.get(name)) for name in measures)]
        for item in scores
    ]
    note = "A gap is what rules gain that name the examples or count on their order."
    return Table("SLR hacking gap", header, rows, note)


def process_and_answer(scores: Sequence[Scores]) -> Table:
    """Return process and answer accuracy as in Table 3 of LogiNumSynth."""
    rows = []
    for item in scores:
        pair = [percent(item.overall.partial), percent(item.overall.accuracy)]
        rows.append([item.model, item.dataset or "ladder", f"{item.shots}-shot", *pair])
    header = ["model", "data set", "shots", "Proc (%)", "Ans (%)"]
    return Table("LogiNumSynth: process and answer accuracy", header, rows)


def skill_profile(scores: Sequence[Scores]) -> Table:
    """Return the accuracy of each skill of LogicSkills and how its wrong answers divide."""
    rows = []
    for item in scores:
        shares = [percent(item.overall.accuracy), percent(item.overall.syntax)]
        rows.append([item.title, *shares, ", ".join(_errors(item.metrics))])
    header = ["skill", "accuracy (%)", "readable (%)", "wrong answers, in % of all answers"]
    note = "In brackets stands what is known of an error, also in % of all answers."
    return _by_model(Table("LogicSkills: skill profile", header, rows, note), scores)


def _errors(metrics: Mapping[str, Estimate]) -> Iterable[str]:
    raised = {name: f"{name} {percent(found)}" for name, found in metrics.items() if found.value}
    details = [name for names in _DETAILS.values() for name in names]
    for name in raised:
        if name not in (*details, "answered"):
            known = [raised[detail] for detail in _DETAILS.get(name, ()) if detail in raised]
            yield f"{raised[name]} ({', '.join(known)})" if known else raised[name]


def pass_at_table(scores: Sequence[Scores]) -> Table:
    """Return pass@k, a column for each k."""
    numbers = sorted({k for item in scores for k in item.pass_at})
    rows = [[item.title, *(percent(item.pass_at.get(k)) for k in numbers)] for item in scores]
    note = "pass@k by the unbiased estimator, 1 - C(n-c, k) / C(n, k), over tasks."
    header = ["family", *(f"pass@{k} (%)" for k in numbers)]
    return _by_model(Table("Several answers", header, rows, note), scores)


def _by_model(table: Table, scores: Sequence[Scores]) -> Table:
    """Return the table, a row of which is one of the scores, with the models if several."""
    if len({item.model for item in scores}) < 2:
        return table
    rows = [[item.model, *row] for item, row in zip(scores, table.rows, strict=True)]
    return table._replace(header=["model", *table.header], rows=rows)


def level_table(scores: Scores) -> Table:
    """Return a row for each level and tier of a family."""
    partial = partial_name(scores.family) or "partial score"
    header = ["level", "tier", "tasks", "pass@1 (%)", "readable (%)", f"{partial} (%)", "tokens"]
    rows = [_slice_row(item) for item in scores.levels]
    rows += [["all", *_slice_row(item)[1:]] for item in scores.tiers if item.name]
    rows.append(["all", "all", *_slice_row(scores.overall)[2:]])
    return Table(f"{scores.title}: by level", header, rows)


def _slice_row(item: Slice) -> list[str]:
    shares = [percent(estimate) for estimate in (item.accuracy, item.syntax, item.partial)]
    tokens = NONE if item.tokens is None else f"{item.tokens.value:.0f}"
    return [item.name, item.tier or NONE, str(item.tasks), *shares, tokens]


def partial_name(family: str) -> str:
    """Return the family's own name of the partial score; empty for none, or an unknown family."""
    try:
        return judge_of(family).partial_name
    except ValueError:  # records of a family that is not installed here are shown all the same
        return ""


def metric_table(scores: Scores) -> Table:
    """Return a table of the means of the judge's metrics."""
    metrics, tasks = scores.metrics.items(), scores.overall.tasks
    rows = [[name, with_interval(estimate, 3)] for name, estimate in metrics]
    fewer = [f"{name} over {found.tasks}" for name, found in metrics if found.tasks < tasks]
    note = f"Not measured on all {tasks} tasks: {', '.join(fewer)}." if fewer else ""
    return Table(f"{scores.title}: what the judge measured", ["measure", "mean"], rows, note)


def percent(estimate: Estimate | None) -> str:
    """Return a share and its interval in %, such as ``50 [40, 60]``."""
    return with_interval(estimate and estimate.times(100), 0)


def with_interval(estimate: Estimate | None, digits: int = 1) -> str:
    """Return a number and its interval."""
    if estimate is None:
        return NONE
    value, low, high = (f"{part:.{digits}f}" for part in estimate[:3])
    return f"{value} [{low}, {high}]"


def _money(amount: float | None) -> str:
    return NONE if amount is None else f"{amount:.4g}"


class Condition(NamedTuple):
    """A data set of LogiNumSynth and the number of worked examples in the prompt."""

    dataset: str
    shots: int


class Accuracies(NamedTuple):
    """A pair of Table 3 of LogiNumSynth (sections 3.3 and 4.1), over the graded tasks.

    The errors are over tasks, not over trainings.
    """

    process: Mean
    """Process accuracy (appendix F.2): full marks for a verified chain to the right answer, else
    the share of the gold conclusions that the model verifiably derived."""
    answer: Mean


Answers = Mapping[Condition, Sequence[Record]]  # A model's answers under each condition


def accuracies(records: Sequence[Record]) -> Accuracies:
    """Return both accuracies of some answers; those that could not be graded are left out."""
    graded = [(r.verdict.partial, float(r.verdict.solved)) for r in records if r.graded]
    return Accuracies(*(mean_percent([pair[place] for pair in graded]) for place in (0, 1)))


def best_constant(tasks: Sequence[Task]) -> Mean:
    """Return the answer accuracy of the number that is right most often on these very tasks."""
    answers = [task.verification["answer"] for task in tasks]
    ((constant, _),) = Counter(answers).most_common(1)
    return mean_percent([float(answer == constant) for answer in answers])


def format_table(models: Mapping[str, Answers]) -> str:
    """Return Table 3 of LogiNumSynth: a line for each model and number of examples."""
    conditions = list(next(iter(models.values())))
    datasets = list(dict.fromkeys(condition.dataset for condition in conditions))
    header = ["model", "shots", *_pairs(datasets)]
    header += ["mean Proc", "mean Ans"] if len(datasets) > 1 else []
    rows = []
    groups = product(models.items(), dict.fromkeys(condition.shots for condition in conditions))
    for (model, answers), shots in groups:
        cells = [accuracies(answers[Condition(name, shots)]) for name in datasets]
        rows.append([model, f"{shots}-shot", *(str(mean) for pair in cells for mean in pair)])
        if len(datasets) > 1:  # each data set weighs the same, as in the paper
            for column in zip(*cells, strict=True):
                values = [mean.value for mean in column if mean.items]
                rows[-1].append(f"{fmean(values):.1f}" if values else NONE)
    return markdown_table(header, rows)


def format_depths(models: Mapping[str, Answers]) -> str:
    """Return both accuracies by data set and depth, a pair of columns for each model."""
    rows = []
    for (dataset, shots), records in next(iter(models.values())).items():
        for depth in sorted({record.level for record in records}):
            cells = [
                accuracies([r for r in answers[Condition(dataset, shots)] if r.level == depth])
                for answers in models.values()
            ]
            row = [dataset, f"{shots}-shot", str(depth), str(cells[0].answer.items)]
            rows.append([*row, *(str(mean) for pair in cells for mean in pair)])
    return markdown_table(["dataset", "shots", "depth", "tasks", *_pairs(models)], rows)


def _pairs(names: Iterable[str]) -> list[str]:
    return [f"{name} {accuracy}" for name in names for accuracy in ("Proc", "Ans")]


def accuracies_as_data(models: Mapping[str, Answers]) -> list[dict[str, Any]]:
    """Return the accuracies as JSON-able data, one entry for each model and condition."""
    return [
        {"model": model, **condition._asdict()}
        | {name: mean._asdict() for name, mean in accuracies(records)._asdict().items()}
        for model, answers in models.items()
        for condition, records in answers.items()
    ]
