"""The report of a run: tables as Markdown, charts as PNG, and everything as one HTML page.

The page loads nothing and runs only its own script, whose hash its content security policy names.
Completions are hostile text: they travel as JSON in which no tag can begin, and are shown as text.
"""

import base64
import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation import papers
from logic_curriculum.curriculum.evaluation.charts import Chart, as_svg, save
from logic_curriculum.curriculum.evaluation.marks import categories, marks
from logic_curriculum.curriculum.evaluation.records import Record, dumps
from logic_curriculum.curriculum.evaluation.scores import PriceTable, Scores, score_run
from logic_curriculum.curriculum.evaluation.tables import Table, detail_tables, joined, partial_name

logger = logging.getLogger(__name__)

LONGEST = 20_000  # Characters of a text that the page shows; the file of the records has it whole
_SOURCES = Path(__file__).parent
_LONG_CELL = 60
_INTERVALS = """Intervals are of 95 %, by the bootstrap over tasks. One without width means that \
all tasks came out alike, not that there is no doubt."""


def write_report(
    folder: Path,
    records: Sequence[Record],
    facts: Mapping[str, str],
    prices: PriceTable,
    priced_as: str | None = None,
) -> str:
    """Write ``report.html``, ``report.md``, ``report.png`` and ``scores.json`` to a folder.

    Without matplotlib, pictures and charts are left out. The records are of one model, which the
    prices know as ``priced_as``, where that differs. The facts say how completions were made. The
    summary tables are returned as Markdown; if no answer could be graded, that is a ValueError.
    """
    scores = score_run(records, prices, priced_as)
    if not scores:
        raise ValueError(
            f"None of the {len(records)} answers could be graded, so there is nothing to report: "
            "the explanation of each verdict in the file of the records says why."
        )
    first, others = papers.measured_tables(records)
    summary = [*papers.summary_tables(scores, prices.currency), *first]
    tables = [*summary, *others, *detail_tables(scores)]
    facts = {**facts, "prices": f"as of {prices.date}, {prices.currency} a million tokens"}
    title = f"Evaluation of {scores[0].model}"
    write_page(folder / "report.html", title, facts, scores, tables, records)
    lines = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    text = f"# {title}\n\n{lines}\n\n{_INTERVALS}\n\n{joined(tables)}"
    (folder / "report.md").write_text(text, encoding="utf-8", errors="backslashreplace")
    (folder / "scores.json").write_text(dumps(scores, indent=2) + "\n")
    try:
        save(folder / "report.png", papers.charts(scores))
        papers.plot(records, folder)
    except ImportError as error:
        logger.warning("No picture was drawn; report.md has the numbers. %s", error)
    return joined(summary)


def write_page(path: Path, *content: Any) -> None:
    """Write the page of a run, or of several; see :func:`page` for its content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(*content), encoding="utf-8", errors="backslashreplace")


def page(
    title: str,
    facts: Mapping[str, str],
    scores: Sequence[Scores],
    tables: Sequence[Table],
    records: Sequence[Record],
) -> str:
    """Return the page of a run, or of several, as HTML; see :func:`write_report` for the facts.

    Of the tables the first one is open; with several models it comes first of all.
    """
    leading = 1 if len({record.model for record in records}) > 1 else 0
    style, script = (_source(name) for name in ("page.css", "page.js"))
    policy = f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
    policy += f"script-src {_digest(script)}"
    terms = (f"<div><dt>{escape(n)}</dt><dd>{escape(fact)}</dd></div>" for n, fact in facts.items())
    others = (_table(table, is_open=not number) for number, table in enumerate(tables[leading:]))
    parts = {
        "policy": policy,
        "title": escape(title),
        "style": style,
        "script": script,
        "facts": "".join(terms),
        "lead": "".join(_table(table, is_open=True) for table in tables[:leading]),
        "cards": "\n".join(map(_card, scores)),
        "charts": "\n".join(map(_figure, papers.charts(scores))),
        "tables": "\n".join(others),
        "data": _data(records),
    }
    # All parts at once, so that what a part holds is no place for another
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _source("page.html"))


def _figure(chart: Chart) -> str:
    """Return a chart as a picture in the page, or why it is missing."""
    try:
        content = base64.b64encode(as_svg(chart)).decode()
        text = f'<img class="chart" alt="{escape(chart.title)}" src="data:image/svg+xml;base64,'
        text += f'{content}">'
    except ImportError as error:
        text = f"<figcaption>{escape(chart.title)}: {escape(str(error))}</figcaption>"
    return f'<figure class="figure">{text}</figure>'


def _source(name: str) -> str:
    return (_SOURCES / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the name of an inline text in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _card(scores: Scores) -> str:
    accuracy, level = scores.overall.accuracy, scores.reasoning_level
    lines = [
        f"LRL {level.value:.1f} of {len(scores.levels)} [{level.low:.1f}, {level.high:.1f}]",
        f"{scores.overall.syntax.value:.0%} of the answers readable",
    ]
    name, partial = partial_name(scores.family), scores.overall.partial
    if name and partial is not None:
        lines.append(f"{name} {partial.value:.0%} [{partial.low:.0%}, {partial.high:.0%}]")
    if scores.overall.tokens is not None:
        lines.append(f"{scores.overall.tokens.value:,.0f} tokens an answer")
    if scores.ungraded:
        lines.append(f"{scores.ungraded} of {scores.answers} answers not graded")
    return (
        f'<div class="card"><h3>{escape(scores.title)}: {escape(scores.model)}</h3>'
        f'<div class="big">{accuracy.value:.0%} '
        f'<span class="range">[{accuracy.low:.0%}, {accuracy.high:.0%}] solved</span></div>'
        f"{''.join(f'<p>{escape(line)}</p>' for line in lines)}</div>"
    )


def _table(table: Table, is_open: bool) -> str:
    header = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
    rows = ""
    for row in table.rows:
        cells = ((' class="long"' if len(cell) > _LONG_CELL else "", escape(cell)) for cell in row)
        rows += f"<tr>{''.join(f'<td{name}>{cell}</td>' for name, cell in cells)}</tr>"
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f"<details{' open' if is_open else ''}><summary>{escape(table.title)}</summary>"
        f'<div class="scroll"><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>'
        f"{note}</div></details>"
    )


def _data(records: Sequence[Record]) -> str:
    """Return the answers as JSON that can stand inside of a script element."""
    tasks: dict[tuple[Any, ...], int] = {}
    contents: dict[tuple[Any, ...], int] = {}
    rows, answers = [], []
    for record in records:
        key = (*record.question, record.prompt)
        if key not in tasks:
            tasks[key] = len(tasks)
            row = {name: getattr(record, name) for name in ("family", "level", "shots", "id")}
            # a task that runs asked in other words is the same one all the same
            row["content"] = contents.setdefault(key[:-1], len(contents))
            row["tier"] = str(record.metadata.get("tier", ""))
            row["seed"] = str(record.seed)  # a number this large is not exact in JavaScript
            row |= {n: _shortened(getattr(record, n)) for n in ("prompt", "solution")}
            rows.append(row)
        answers.append(_answer(record, tasks[key], rows[tasks[key]]["prompt"]))
    models = list(dict.fromkeys(record.model for record in records))
    text = dumps({"models": models, "tasks": rows, "answers": answers}, ensure_ascii=False)
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _answer(record: Record, task: int, prompt: str) -> dict[str, Any]:
    verdict, completion = record.verdict, _shortened(record.completion)
    return {
        **{"task": task, "model": record.model, "sample": record.sample},
        **{"outcome": outcome(record), "errors": categories(record)},
        "completion": completion,
        "answer": None if verdict.answer is None else _shortened(verdict.answer),
        "explanation": _shortened(verdict.explanation),
        "faults": dict(verdict.faults),
        "marks": marks(record, prompt, completion),
        **{"metrics": dict(verdict.metrics), "tokens": record.completion_tokens},
    }


def outcome(record: Record) -> str:
    """Return the outcome of an answer: solved, wrong, unreadable or ungraded."""
    if not record.graded:
        return "ungraded"
    if record.verdict.solved:
        return "solved"
    return "wrong" if record.verdict.syntax else "unreadable"


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n[… {len(text) - LONGEST:,} further characters]"
