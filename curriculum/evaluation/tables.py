"""The tables of a report: scores as rows of text, in the layouts of the papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from logic_curriculum.curriculum.evaluation.estimates import Estimate
from logic_curriculum.curriculum.evaluation.scores import Scores, Slice
from logic_curriculum.curriculum.metrics import markdown_table

NONE = "–"
SKILLS = ("symbolization", "countermodel", "validity")
"""The families of LogicSkills."""
PARTIAL = {"loginum": "Proc"}
"""Family → what its partial score is called."""
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
    note: str = ""
    """What a reader has to know, in one or two sentences."""


def to_markdown(table: Table) -> str:
    """Return a table in Markdown, its texts made harmless."""
    rows = [[_escape(cell) for cell in row] for row in table.rows]
    text = f"## {table.title}\n\n{markdown_table([_escape(c) for c in table.header], rows)}\n"
    return text + (f"\n{table.note}\n" if table.note else "")


def _escape(cell: str) -> str:
    """Return a text that ends no cell and opens no tag."""
    plain = " ".join(cell.split())
    return plain.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def summary_tables(scores: Sequence[Scores], currency: str) -> list[Table]:
    """Return the tables that say how a run went, those of the papers among them.

    Args:
        scores: One entry for each family and number of shots, of one model or several.
        currency: Of the costs.
    """
    tables = [overview(scores, currency)]
    slr = [item for item in scores if item.family == "slr"]
    if slr:
        tables += [leaderboard(slr, currency), hacking_table(slr)]
    loginum = [item for item in scores if item.family == "loginum"]
    if loginum:
        tables.append(process_and_answer(loginum))
    skills = [item for item in scores if item.family in SKILLS]
    if skills:
        tables.append(skill_profile(skills))
    if any(len(item.pass_at) > 1 for item in scores):
        tables.append(pass_at_table(scores))
    return tables


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
    rows = [
        [
            item.family,
            str(item.shots),
            str(item.overall.tasks),
            str(item.answers),
            str(item.ungraded),
            percent(item.overall.accuracy),
            percent(item.overall.syntax),
            _count(item.prompt_tokens),
            _count(item.completion_tokens),
            _money(item.cost),
        ]
        for item in scores
    ]
    return _by_model(Table("Overview", header, rows), scores)


def leaderboard(scores: Sequence[Scores], currency: str) -> Table:
    """Return rows in the form of Table 4 of SLR: one for each entry."""
    tiers = list(dict.fromkeys(tier.name for item in scores for tier in item.tiers))
    header = ["model", "LRL", "syntax score (%)", *(f"{tier} (%)" for tier in tiers)]
    header += ["tokens (M)", f"cost ({currency})"]
    rows = []
    for item in scores:
        by_tier = {tier.name: tier.accuracy for tier in item.tiers}
        rows.append(
            [
                item.model if item.shots == 0 else f"{item.model}, {item.shots}-shot",
                plain(item.reasoning_level),
                percent(item.overall.syntax),
                *(percent(by_tier.get(tier)) for tier in tiers),
                NONE if item.completion_tokens is None else f"{item.completion_tokens / 1e6:.3g}",
                _money(item.cost),
            ]
        )
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
    rows = [
        [
            item.model,
            item.dataset or "ladder",
            f"{item.shots}-shot",
            percent(item.overall.partial),
            percent(item.overall.accuracy),
        ]
        for item in scores
    ]
    header = ["model", "data set", "shots", "Proc (%)", "Ans (%)"]
    return Table("LogiNumSynth: process and answer accuracy", header, rows)


def skill_profile(scores: Sequence[Scores]) -> Table:
    """Return the accuracy of each skill of LogicSkills and how its wrong answers divide."""
    rows = []
    for item in scores:
        errors = ", ".join(_errors(item.metrics))
        rows.append(
            [item.title, percent(item.overall.accuracy), percent(item.overall.syntax), errors]
        )
    header = ["skill", "accuracy (%)", "readable (%)", "wrong answers, in % of all answers"]
    note = "In brackets stands what is known of an error, also in % of all answers."
    return _by_model(Table("LogicSkills: skill profile", header, rows, note), scores)


def _errors(metrics: Mapping[str, Estimate]) -> Iterable[str]:
    """Yield the errors that occurred, with their details."""
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
    partial = PARTIAL.get(scores.family, "partial score")
    header = ["level", "tier", "tasks", "pass@1 (%)", "readable (%)", f"{partial} (%)", "tokens"]
    rows = [_slice_row(item) for item in scores.levels]
    rows += [["all", *_slice_row(item)[1:]] for item in scores.tiers if item.name]
    rows.append(["all", "all", *_slice_row(scores.overall)[2:]])
    return Table(f"{scores.title}: by level", header, rows)


def _slice_row(item: Slice) -> list[str]:
    shares = [percent(estimate) for estimate in (item.accuracy, item.syntax, item.partial)]
    tokens = NONE if item.tokens is None else f"{item.tokens.value:.0f}"
    return [item.name, item.tier or NONE, str(item.tasks), *shares, tokens]


def metric_table(scores: Scores) -> Table:
    """Return what else the judge measured."""
    rows = [[name, plain(estimate, 3)] for name, estimate in scores.metrics.items()]
    tasks = scores.overall.tasks
    fewer = [
        f"{name} over {estimate.tasks}"
        for name, estimate in scores.metrics.items()
        if estimate.tasks < tasks
    ]
    note = f"Not measured on all {tasks} tasks: {', '.join(fewer)}." if fewer else ""
    title = f"{scores.title}: what the judge measured"
    return Table(title, ["measure", "mean"], rows, note)


def percent(estimate: Estimate | None) -> str:
    """Return a share and its interval, in %.

    >>> percent(Estimate(0.5, 0.4, 0.6, tasks=100))
    '50 [40, 60]'
    """
    if estimate is None:
        return NONE
    value, low, high = (f"{100 * share:.0f}" for share in estimate[:3])
    return f"{value} [{low}, {high}]"


def plain(estimate: Estimate | None, digits: int = 1) -> str:
    """Return a number and its interval."""
    if estimate is None:
        return NONE
    value, low, high = (f"{number:.{digits}f}" for number in estimate[:3])
    return f"{value} [{low}, {high}]"


def _count(tokens: int | None) -> str:
    return NONE if tokens is None else f"{tokens:,}"


def _money(amount: float | None) -> str:
    return NONE if amount is None else f"{amount:.4g}"


def joined(tables: Iterable[Table]) -> str:
    """Return tables in Markdown, one below the other."""
    return "\n".join(to_markdown(table) for table in tables)
