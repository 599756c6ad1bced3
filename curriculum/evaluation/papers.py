"""What a report shows as the papers do: their tables and pictures, looked up by family."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from logic_curriculum.curriculum.evaluation import logicskills, ltgen, tables
from logic_curriculum.curriculum.evaluation.charts import Chart, error_charts, run_charts
from logic_curriculum.curriculum.evaluation.records import Record
from logic_curriculum.curriculum.evaluation.scores import Scores
from logic_curriculum.curriculum.evaluation.tables import Table
from logic_curriculum.rewards.registry import judge_of


class Paper(NamedTuple):
    """How a paper reports on its families. What is None is left out of a report."""

    summary: Callable[[Sequence[Scores], str], Sequence[Table]] | None = None
    """Tables of these families' scores, whose costs are in a currency."""
    measured: Callable[[Sequence[Record]], Sequence[Table]] | None = None
    """Tables of these families' records, some of them graded; the first one is for the summary."""
    plots: Callable[[Sequence[Record], Path], object] | None = None
    """Draws pictures of the same records into a folder."""
    charts: Callable[[Sequence[Scores]], Sequence[Chart]] | None = None
    """Charts of these families' scores, for the page and its picture."""


PAPERS: dict[str, Paper] = {
    "slr": Paper(
        lambda own, currency: [tables.leaderboard(own, currency), tables.hacking_table(own)]
    ),
    "loginum": Paper(lambda own, _: [tables.process_and_answer(own)], charts=error_charts),
    **dict.fromkeys(
        tables.SKILLS,
        Paper(
            lambda own, _: [tables.skill_profile(own)],
            measured=logicskills.tables,
            charts=logicskills.charts,
        ),
    ),
    "sat": Paper(measured=ltgen.tables, plots=ltgen.plots),
}
"""Family → its paper, which families may share; the module of a family may add an entry."""


def summary_tables(scores: Sequence[Scores], currency: str) -> list[Table]:
    """Return the tables that summarize runs of one model or several, the papers' among them."""
    found = [tables.overview(scores, currency)]
    for paper, own in _by_paper(scores):
        if paper.summary:
            found += paper.summary(own, currency)
    if any(len(item.pass_at) > 1 for item in scores):
        found.append(tables.pass_at_table(scores))
    return found


def measured_tables(records: Sequence[Record]) -> tuple[list[Table], list[Table]]:
    """Return the papers' tables of the records: those of the summary, and the others."""
    first, others = [], []
    for paper, own in _graded(records):
        if paper.measured:
            table, *more = paper.measured(own)
            first.append(table)
            others += more
    return first, others


def charts(scores: Sequence[Scores]) -> list[Chart]:
    """Return the charts of runs of one model or several, the papers' last."""
    found = run_charts(scores)
    for paper, own in _by_paper(scores):
        if paper.charts:
            found += paper.charts(own)
    return found


def plot(records: Sequence[Record], folder: Path) -> None:
    """Draw the papers' pictures of the records, a folder for each paper."""
    for paper, own in _graded(records):
        if paper.plots:
            paper.plots(own, folder / own[0].family)


def _graded(records: Sequence[Record]) -> Iterator[tuple[Paper, list[Record]]]:
    """Yield the papers with records of their families, if any of these could be graded."""
    for paper, own in _by_paper(records):
        if any(record.graded for record in own):
            yield paper, own


_Item = TypeVar("_Item", Scores, Record)


def _by_paper(items: Sequence[_Item]) -> Iterator[tuple[Paper, list[_Item]]]:
    """Yield each paper with what is of its families, if there is any."""
    for family in dict.fromkeys(item.family for item in items):
        with suppress(ValueError):  # a family that is not installed here
            judge_of(family)  # imports an installed family's module, which may add its paper
    for paper in dict.fromkeys(PAPERS.values()):
        if own := [item for item in items if PAPERS.get(item.family) == paper]:
            yield paper, own
