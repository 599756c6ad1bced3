"""The report of a run: tables as Markdown, charts as PNG, everything as one HTML page."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation import png
from logic_curriculum.curriculum.evaluation.html import write_page
from logic_curriculum.curriculum.evaluation.prices import PriceTable
from logic_curriculum.curriculum.evaluation.scores import Scores, score_run
from logic_curriculum.curriculum.evaluation.series import charts
from logic_curriculum.curriculum.evaluation.tables import (
    Table,
    detail_tables,
    joined,
    summary_tables,
)
from logic_curriculum.curriculum.records import Record
from logic_curriculum.curriculum.sat_metrics import plots as sat_plots
from logic_curriculum.curriculum.sat_metrics import tables as sat_tables
from logic_curriculum.curriculum.valid_json import dumps

logger = logging.getLogger(__name__)


def write_report(
    folder: Path,
    records: Sequence[Record],
    facts: Mapping[str, str],
    prices: PriceTable,
    priced_as: str | None = None,
) -> str:
    """Write ``report.html``, ``report.md``, ``report.png`` and ``scores.json`` to a folder.

    Without matplotlib, the picture is left out, and so are those of the consistency tasks.

    Args:
        folder: The run folder.
        records: The answers of one model.
        facts: What a reader wants to know first, such as how completions were made.
        prices: What tokens cost.
        priced_as: Name of the model in the prices, where it differs.

    Returns:
        The tables that say how the run went, as Markdown; ``report.md`` has the others too.

    Raises:
        ValueError: If no answer could be graded.
    """
    scores = score_run(records, prices, priced_as)
    if not scores:
        raise ValueError(
            f"None of the {len(records)} answers could be graded, so there is nothing to report: "
            "the explanation of each verdict in the file of the records says why."
        )
    measured = consistency_tables(records)
    summary = [*summary_tables(scores, prices.currency), *measured[:1]]
    tables = [*summary, *measured[1:], *detail_tables(scores)]
    facts = {**facts, "prices": f"as of {prices.date}, {prices.currency} a million tokens"}
    title = f"Evaluation of {scores[0].model}"
    write_page(folder / "report.html", title, facts, scores, tables, records)
    text = _markdown(title, facts, tables)
    (folder / "report.md").write_text(text, encoding="utf-8", errors="backslashreplace")
    content = dumps([_plain(item) for item in scores], indent=2)
    (folder / "scores.json").write_text(content + "\n")
    _draw(folder, scores, records if measured else ())
    return joined(summary)


def consistency_tables(records: Sequence[Record]) -> list[Table]:
    """Return LTGen's tables, its Table 1 first; none if no answer on consistency was graded."""
    asked = any(record.family == "sat" and record.graded for record in records)
    return sat_tables(records) if asked else []


def _markdown(title: str, facts: Mapping[str, str], tables: Sequence[Table]) -> str:
    lines = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    note = (
        "Intervals are of 95 %, by the bootstrap over tasks. One without width means that all "
        "tasks came out alike, not that there is no doubt."
    )
    return f"# {title}\n\n{lines}\n\n{note}\n\n{joined(tables)}"


def _draw(folder: Path, scores: Sequence[Scores], consistency: Sequence[Record]) -> None:
    try:
        png.save(folder / "report.png", charts(scores))
        if consistency:
            sat_plots(consistency, folder / "sat")
    except ImportError as error:
        logger.warning("No picture was drawn; report.html has the charts. %s", error)


def _plain(value: Any) -> Any:
    """Return scores as JSON-able data, estimates with their names."""
    if is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
