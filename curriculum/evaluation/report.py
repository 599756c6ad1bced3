"""Make the papers' tables and charts from Inspect's logs of our tasks.

logic-curriculum report logs/                            # all logs in the folder
logic-curriculum report before.eval after.eval --out runs/report
logic-curriculum report logs/ --group 8                  # where should a curriculum begin?

Several models are compared with the first, task by task.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from math import comb
from pathlib import Path
from statistics import fmean

import pandas as pd

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.evaluation import papers
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.records import (
    PAPER_SCORES,
    TASK,
    column,
    percent,
    read_logs,
)
from logic_curriculum.curriculum.evaluation.tables import SKILLS, Table, joined, mean_percent, shown
from logic_curriculum.curriculum.strategies import wilson_bounds
from logic_curriculum.generators.sampling import available_tasks


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum report", description=__doc__, allow_abbrev=False
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="log, or folder of logs")
    parser.add_argument("--out", type=Path, help="folder for report.md and charts; default: none")
    text = "completions of a group in training: adds which levels give groups to learn from"
    parser.add_argument("--group", type=int, metavar="N", help=text)
    options = parser.parse_args(arguments)
    if options.group is not None and options.group < 2:
        parser.error(f"--group is {options.group}, but a group has two completions or more")
    try:
        answers = read_logs(options.logs)
        text = joined(tables(answers, options.group))
        print(text)
        if options.out:
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / "report.md").write_text(text, encoding="utf-8")
            for family, own in answers[answers.graded].groupby("family"):
                save(options.out / f"{family}.png", [by_level_chart(str(family), own)])
            print(f"The tables are in {options.out / 'report.md'}, with charts beside it.")
    except (ValueError, OSError, ImportError) as error:
        print(f"logic-curriculum report: error: {error}", file=sys.stderr)
        return 1
    return 0


PAPERS: Mapping[str, Callable[[pd.DataFrame], list[Table]]] = {
    "slr": papers.slr,
    "loginum": papers.loginum,
    "logicskills": papers.logicskills,
    "sat": papers.ltgen,
}
"""Family, or LogicSkills for its three → what its paper shows of graded answers."""


def tables(answers: pd.DataFrame, group: int | None = None) -> list[Table]:
    """Return all tables; ``group`` adds those for a curriculum."""
    graded = answers[answers.graded]
    if graded.empty:
        raise ValueError(f"None of {len(answers)} answers was graded: see their explanations.")
    found = [overview(answers)]
    paper = graded.family.replace(dict.fromkeys(SKILLS, "logicskills"))
    for name, own in graded.groupby(paper, sort=False):
        found += PAPERS[name](own) if name in PAPERS else []
    for family, own in graded.groupby("family", sort=False):
        found += [by_level(family, own), errors(family, own)]
    if group:
        for (model, family), own in answers.groupby(["model", "family"], sort=False):
            found.append(where_to_begin(model, family, own, group))
    if graded.model.nunique() > 1:
        found.append(compare(graded))
    return found


def overview(answers: pd.DataFrame) -> Table:
    """Return a line for each model and family: what was asked, solved, read, written and paid."""
    rows = []
    for (entry, family), own in answers.groupby(["entry", "family"], sort=False):
        graded = own[own.graded]
        rows.append(
            {
                "model": entry,
                "family": family,
                "tasks": own.groupby(TASK).ngroups,
                "answers": len(own),
                "not graded": len(own) - len(graded),
                "paper's score (%)": percent(graded, "paper"),
                "accepted (%)": percent(graded, "solved"),
                "syntax (%)": 100 * graded.syntax.mean(),
                "tokens read": shown(own.prompt_tokens.sum(skipna=False), ",.0f"),
                "tokens written": shown(own.completion_tokens.sum(skipna=False), ",.0f"),
                "cost ($)": shown(own.cost.sum(skipna=False), ".4g"),
            }
        )
    note = (
        "± is the standard error over tasks. Accepted is what training pays, which is stricter "
        "than the score of SLR's paper and, where a proof is asked for, of LTGen's."
    )
    return Table("Overview", rows, note)


def by_level(family: str, answers: pd.DataFrame) -> Table:
    """Return a row for each level of a model."""
    rows = []
    for entry, of_entry in answers.groupby("entry", sort=False):
        for level, own in of_entry.groupby("level"):
            row = {"model": entry, "level": level, "tier": own["metadata.tier"].iloc[0] or None}
            row["tasks"] = own.groupby(TASK).ngroups
            if family in PAPER_SCORES:
                row["paper's score (%)"] = percent(own, "paper")
            row["accepted (%)"] = percent(own, "solved")
            row["syntax (%)"] = 100 * own.syntax.mean()
            row["partial (%)"] = 100 * own.partial.mean()
            row["tokens written"] = shown(own.completion_tokens.mean(skipna=False), ".0f")
            rows.append(row)
    return Table(f"{family}: by level", rows)


def errors(family: str, answers: pd.DataFrame) -> Table:
    """Return how often each category of errors occurs."""
    named = answers.explode("errors")
    counts = pd.crosstab(named.errors, named.entry)
    shares = (100 * counts / answers.entry.value_counts()).fillna(0.0)
    rows = [{"error": error, **shares.loc[error, answers.entry.unique()]} for error in shares.index]
    return Table(f"{family}: errors, in % of the answers", rows)


def compare(answers: pd.DataFrame) -> Table:
    """Return each model beside the first one on the tasks that both have answered.

    The p-value is that of the exact sign test on the tasks' differences; with one answer to a task
    that is McNemar's. Models judged by other versions are a ValueError.
    """
    stats = require("scipy.stats", extra="inspect")
    base, *others = answers.model.unique()
    versions = {name: column(answers, f"metadata.{name}") for name in VERSIONS}
    means = answers.assign(**versions).groupby(["model", *TASK], sort=False)
    means = means[["paper", "solved", *VERSIONS]].mean()
    rows, p_values = [], []
    for model in others:
        pairs = means.loc[base].join(means.loc[model].add_suffix(" 2"), how="inner")
        for (family, shots), own in pairs.groupby(["family", "shots"], sort=False):
            _check_versions(family, base, model, own)
            for score in ("paper", "solved") if family in PAPER_SCORES else ("solved",):
                gains = own[f"{score} 2"] - own[score]
                better, worse = int((gains > 0).sum()), int((gains < 0).sum())
                p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
                p_values.append(p)
                rows.append(
                    {
                        "family": family,
                        "shots": shots,
                        "model": model,
                        "score": {"solved": "accepted"}.get(score, score),
                        "shared tasks": len(own),
                        f"{base} (%)": 100 * own[score].mean(),
                        "model (%)": 100 * own[f"{score} 2"].mean(),
                        "difference (points)": mean_percent(gains).signed,
                        "better on": better,
                        "worse on": worse,
                        "p": f"{p:.2g}",
                    }
                )
    corrected = stats.false_discovery_control(p_values) if p_values else []
    for row, adjusted in zip(rows, corrected, strict=True):
        row["p, corrected"] = f"{adjusted:.2g}"
    note = (
        "p is of the exact sign test (with one answer to a task: McNemar's), corrected for "
        f"{len(p_values)} comparisons by Benjamini and Hochberg. Tasks that only one has are "
        "left out."
    )
    return Table(f"Compared with {base}", rows, note)


VERSIONS = ["task_version", "reward_version"]


def _check_versions(family: str, base: str, model: str, pairs: pd.DataFrame) -> None:
    for version in VERSIONS:
        first, second = (shown(pairs[name].iloc[0], ".0f") for name in (version, f"{version} 2"))
        if first != second:
            raise ValueError(
                f"{base} was asked {family} with {version} {first} and {model} with {second}, so "
                "their figures don't mean the same: evaluate both with one version of this library."
            )


def by_level_chart(family: str, answers: pd.DataFrame) -> Chart:
    """Return the chart of the share of tasks accepted, a line for each model."""
    series = []
    for number, (entry, own) in enumerate(answers.groupby("entry", sort=False)):
        points = []
        for level, of_level in own.groupby("level"):
            value, error, _ = percent(of_level, "solved")
            points.append(Point(level, value / 100, error / 100))
        series.append(Series(entry, points, number))
    return Chart(f"{family}: by level", "level", "share of tasks accepted", series)


LEAST_USEFUL = 0.1
"""Share of useful groups from which on a level is worth training from the start."""


def where_to_begin(model: str, family: str, answers: pd.DataFrame, group: int) -> Table:
    """Return a model's rates by level, with the options of a training to begin with.

    A group of ``group`` completions is useful if some are right and some wrong. A task with fewer
    graded answers than a group has completions is a ValueError.
    """
    rows, rates = [], {}
    for level, own in answers.groupby("level"):
        solved = own[own.graded].groupby("id").solved.agg(["size", "sum"]).astype(int)
        counts = [*zip(solved["size"], solved["sum"], strict=True)]
        fewest = min((answers for answers, _ in counts), default=0)
        if fewest < group:
            raise ValueError(
                f"Level {level} has a task with {fewest} graded answers, which is less than a "
                f"group of {group}: evaluate with --epochs {group} or more, or give a smaller "
                "--group."
            )
        rate = fmean(solved / answers for answers, solved in counts)
        low, high = wilson_bounds(rate, len(counts), 0.95)  # each task counted once
        useful = fmean(useful_share(*pair, group) for pair in counts)
        available = available_tasks(family, level, "train")
        rates[level] = low, useful
        rows.append(
            {
                "level": level,
                "tasks": len(counts),
                "pass rate": f"{rate:.2f}",
                "95 %": f"{low:.2f} to {high:.2f}",
                f"useful groups of {group}": f"{useful:.2f}",
                "training tasks": "endless" if available is None else available,
            }
        )
    threshold = CurriculumConfig.pass_threshold
    start, last = recommend(rates, threshold)
    note = f"A curriculum could begin with --start_level {start} --last_level {last}."
    if all(low >= threshold for low, _ in rates.values()):
        note = "All levels are passed already: evaluate higher ones."
    elif not any(useful for _, useful in rates.values()):
        note = (
            "No level has a group with right and wrong answers, so nothing can be learnt: train on "
            "solutions first, or evaluate other levels."
        )
    return Table(f"Where to begin: {model}, {family}", rows, note)


def useful_share(answers: int, solved: int, group: int) -> float:
    """Return the chance that ``group`` answers to a task are neither all right nor all wrong.

    >>> useful_share(answers=4, solved=1, group=2)  # 3 of the 6 pairs hold the right one
    0.5
    """
    alike = comb(solved, group) + comb(answers - solved, group)
    return 1 - alike / comb(answers, group)


def recommend(rates: Mapping[int, tuple[float, float]], threshold: float) -> tuple[int, int]:
    """Return the start level, the first not passed, and the last level worth training.

    ``rates`` are the lower bound of the pass rate and the share of useful groups by level. The last
    level is one above those which, from the start on, have useful groups; a curriculum that reaches
    it can be continued with a higher ``last_level``.
    """
    levels = [level for level, (low, _) in rates.items() if low < threshold] or [max(rates)]
    useful = takewhile(lambda level: rates[level][1] >= LEAST_USEFUL, levels[1:])
    return levels[0], min([levels[0], *useful][-1] + 1, max(rates))


if __name__ == "__main__":
    sys.exit(main())
