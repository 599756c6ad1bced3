"""Make the papers' tables and charts from Inspect's logs of our tasks.

logic-curriculum report logs/                            # all logs in the folder
logic-curriculum report before.eval after.eval --out runs/report
logic-curriculum report logs/ --group 8                  # where should a curriculum begin?

Several models are compared with the first, task by task.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.config import CurriculumConfig
from logic_curriculum.curriculum.evaluation import logicskills, loginum, ltgen
from logic_curriculum.curriculum.evaluation.charts import Chart, Point, Series, save
from logic_curriculum.curriculum.evaluation.records import PAPER_SCORES, Record, grouped, read_logs
from logic_curriculum.curriculum.evaluation.tables import (
    NONE,
    Table,
    decimals,
    joined,
    mean_percent,
    pass_at_means,
)
from logic_curriculum.curriculum.strategies import wilson_bounds
from logic_curriculum.generators import registry

Records = Sequence[Record]
Models = Mapping[str, Records]  # A model's name, with the number of examples → its graded answers


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
        records = read_logs(options.logs)
        print(joined(tables(records, options.group)))
        if options.out:
            write(records, options.group, options.out)
    except (ValueError, OSError, ImportError) as error:
        print(f"logic-curriculum report: error: {error}", file=sys.stderr)
        return 1
    return 0


def write(records: Records, group: int | None, folder: Path) -> None:
    """Write the tables and, a picture for each family, the charts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(joined(tables(records, group)), encoding="utf-8")
    for name, own in _by_paper(records).items():
        save(folder / f"{name}.png", charts(name, own))
    print(f"The tables are in {folder / 'report.md'}, with charts beside it.")


def tables(records: Records, group: int | None = None) -> list[Table]:
    """Return all tables; ``group`` adds those for a curriculum."""
    graded = [record for record in records if record.graded]
    if not graded:
        raise ValueError(f"None of {len(records)} answers was graded: see their explanations.")
    found = [overview(records)]
    for name, own in _by_paper(graded).items():
        found += PAPERS[name](own) if name in PAPERS else []
    for family, own in grouped(graded, lambda record: record.family).items():
        found += [by_level(family, _models(own)), errors(family, _models(own))]
    if any(record.sample for record in graded):
        found.append(several_answers(graded))
    if group:
        for (model, _), own in grouped(records, lambda r: (r.model, r.family)).items():
            found.append(where_to_begin(model, own, group))
    if len({record.model for record in graded}) > 1:
        found.append(compare(graded))
    return found


def _by_paper(records: Records) -> dict[str, list[Record]]:
    skills = logicskills.SKILLS
    return grouped(records, lambda r: "logicskills" if r.family in skills else r.family)


def _with_shots(records: Records) -> list[Record]:
    """Return the records, the number of examples in the models' names."""
    return [
        replace(r, model=f"{r.model}, {r.shots}-shot") if r.shots else r for r in records
    ]  # fmt: skip


def _models(records: Records) -> Models:
    return grouped(_with_shots(records), lambda record: record.model)


def _tasks(records: Records) -> list[list[Record]]:
    return list(grouped(records, lambda record: record.task).values())


def accepted(records: Records) -> str:
    """Return the share of answers that our judge accepts, in %, with its error over tasks."""
    return str(mean_percent([fmean(r.solved for r in own) for own in _tasks(records)]))


def paper(records: Records) -> str:
    """Return the paper's score in %, with its error over tasks."""
    known = [record for record in records if record.paper is not None]
    return str(mean_percent([fmean(r.paper or 0.0 for r in own) for own in _tasks(known)]))


def syntax(records: Records) -> str:
    """Return the share of answers that could be read, in %."""
    return decimals(100 * fmean(record.syntax for record in records), 1)


def reasoning_level(records: Iterable[tuple[int, float]]) -> float:
    """Return LRL, the sum of the levels' shares (SLR, section 5), from levels and scores."""
    levels = grouped(records, lambda pair: pair[0]).values()
    return sum(fmean(score for _, score in own) for own in levels)


def _total(numbers: Iterable[float | None]) -> float | None:
    known = list(numbers)
    return None if None in known else sum(number for number in known if number is not None)


def _money(records: Records) -> str:
    cost = _total(record.cost for record in records)
    return NONE if cost is None else f"{cost:.4g}"


def overview(records: Records) -> Table:
    """Return a line for each model and family: what was asked, solved, read, written and paid."""
    header = ["model", "family", "tasks", "answers", "not graded", "paper's score (%)"]
    header += ["accepted (%)", "syntax (%)", "tokens read", "tokens written", "cost ($)"]
    rows = []
    for (model, family), own in grouped(
        _with_shots(records), lambda r: (r.model, r.family)
    ).items():
        graded = [record for record in own if record.graded]
        counts = (len(_tasks(own)), len(own), len(own) - len(graded))
        row = [model, family, *map(str, counts)]
        row += [paper(graded), accepted(graded), syntax(graded)] if graded else [NONE] * 3
        for name in ("prompt_tokens", "completion_tokens"):
            tokens = _total(getattr(record, name) for record in own)
            row.append(NONE if tokens is None else f"{tokens:,.0f}")
        rows.append([*row, _money(own)])
    note = (
        "± is the standard error over tasks. Accepted is what training pays, which is stricter "
        "than the score of SLR's paper and, where a proof is asked for, of LTGen's."
    )
    return Table("Overview", header, rows, note)


def leaderboard(records: Records) -> list[Table]:
    """Return rows in the form of Table 4 of SLR, by the paper's score and by ours."""
    models = _models(records)
    tiers = list(dict.fromkeys(r.metadata["tier"] for own in models.values() for r in own))
    header = ["model", "LRL", "LRL, accepted", "syntax (%)"]
    header += [f"{tier} (%)" for tier in tiers]
    header += ["renamed copies (%)", "hacking gap (points)", "tokens (M)", "cost ($)"]
    rows = []
    for name, own in models.items():
        known = [(record.level, record.paper) for record in own if record.paper is not None]
        row = [name, decimals(reasoning_level(known), 1)]
        row += [decimals(reasoning_level((r.level, float(r.solved)) for r in own), 1), syntax(own)]
        for tier in tiers:
            of_tier = [record for record in own if record.metadata["tier"] == tier]
            shares = [share(of_tier).split(" ")[0] for share in (paper, accepted)]
            row.append(" / ".join(shares) if of_tier else NONE)
        for name_of_metric in ("isomorphic", "hacking_gap"):
            values = [r.metrics[name_of_metric] for r in own if name_of_metric in r.metrics]
            row.append(decimals(100 * fmean(values), 1) if values else NONE)
        written = _total(record.completion_tokens for record in own)
        rows.append([*row, NONE if written is None else f"{written / 1e6:.3g}", _money(own)])
    most = max(len({record.level for record in own}) for own in models.values())
    note = (
        f"LRL lies between 0 and the number of levels asked, {most}. LRL and the first figure of a "
        "tier are by the paper's OverallScore, which counts the examples shown; accepted rules are "
        "right on fresh examples, too. A gap is what rules gain that name the examples."
    )
    return [Table("SLR: leaderboard (Table 4)", header, rows, note)]


def loginum_tables(records: Records) -> list[Table]:
    """Return process and answer accuracy as in Table 3 of LogiNumSynth, and both by depth."""
    models = {
        model: grouped(
            own, lambda r: loginum.Condition(r.metadata.get("preset") or "ladder", r.shots)
        )
        for model, own in grouped(records, lambda record: record.model).items()
    }
    return [loginum.accuracy_table(models), loginum.depth_table(models)]


PAPERS: Mapping[str, Callable[[Records], list[Table]]] = {
    "slr": leaderboard,
    "loginum": loginum_tables,
    "logicskills": lambda records: logicskills.tables(_with_shots(records)),
    "sat": ltgen.tables,
}
"""Family, or LogicSkills for its three → what its paper shows of graded answers."""


def by_level(family: str, models: Models) -> Table:
    """Return a row for each level of a model."""
    has_paper = family in PAPER_SCORES
    header = ["model", "level", "tier", "tasks", *(["paper's score (%)"] if has_paper else [])]
    header += ["accepted (%)", "syntax (%)", "partial (%)", "tokens written"]
    rows = []
    for name, records in models.items():
        for level, own in sorted(grouped(records, lambda record: record.level).items()):
            row = [name, str(level), own[0].metadata["tier"] or NONE, str(len(_tasks(own)))]
            row += [*([paper(own)] if has_paper else []), accepted(own), syntax(own)]
            row.append(decimals(100 * fmean(record.partial for record in own), 1))
            written = _total(record.completion_tokens for record in own)
            rows.append([*row, NONE if written is None else f"{written / len(own):.0f}"])
    return Table(f"{family}: by level", header, rows)


def errors(family: str, models: Models) -> Table:
    """Return how often each category of errors occurs."""
    counts = {
        name: Counter(error for r in own for error in r.errors) for name, own in models.items()
    }
    names = sorted({error for own in counts.values() for error in own})
    rows = [
        [
            error,
            *(decimals(100 * counts[name][error] / len(own), 1) for name, own in models.items()),
        ]
        for error in names
    ]
    return Table(f"{family}: errors, in % of the answers", ["error", *models], rows)


def several_answers(records: Records) -> Table:
    """Return pass@k, a column for each k."""
    found = {}
    for key, own in grouped(_with_shots(records), lambda r: (r.model, r.family)).items():
        found[key] = pass_at_means([(len(t), sum(r.solved for r in t)) for t in _tasks(own)])
    numbers = sorted({k for means in found.values() for k in means})
    rows = [
        [*key, *(str(means[k]) if k in means else NONE for k in numbers)]
        for key, means in found.items()
    ]
    header = ["model", "family", *(f"pass@{k} (%)" for k in numbers)]
    note = "By the unbiased estimator, 1 - C(n-c, k) / C(n, k), over tasks; ± standard error."
    return Table("Several answers", header, rows, note)


def compare(records: Records) -> Table:
    """Return each model beside the first one on the tasks that both have answered.

    The p-value is that of the exact sign test on the tasks' differences; with one answer to a task
    that is McNemar's. Models judged by other versions are a ValueError.
    """
    stats = require("scipy.stats", extra="inspect")
    models = grouped(records, lambda record: record.model)
    (base, first), *others = models.items()
    rows, p_values = [], []
    for name, second in others:
        for family, shots in dict.fromkeys((r.family, r.shots) for r in first):
            sides = [
                grouped(
                    [r for r in side if (r.family, r.shots) == (family, shots)], lambda r: r.task
                )
                for side in (first, second)
            ]
            shared = [task for task in sides[0] if task in sides[1]]
            if not shared:
                continue
            _check_versions(family, base, sides[0][shared[0]][0], name, sides[1][shared[0]][0])
            for score in ("paper", "accepted") if family in PAPER_SCORES else ("accepted",):
                means = [[_mean_score(side[task], score) for task in shared] for side in sides]
                gains = [b - a for a, b in zip(*means, strict=True)]
                better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
                p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
                shares = [decimals(100 * fmean(side), 1) for side in means]
                row = [family, str(shots), name, score, str(len(shared)), *shares]
                rows.append([*row, mean_percent(gains).signed, str(better), str(worse)])
                p_values.append(p)
    corrected = stats.false_discovery_control(p_values) if p_values else []
    for row, p, adjusted in zip(rows, p_values, corrected, strict=True):
        row += [f"{p:.2g}", f"{adjusted:.2g}"]
    header = ["family", "shots", "model", "score", "shared tasks", f"{base} (%)", "model (%)"]
    header += ["difference (points)", "better on", "worse on", "p", "p, corrected"]
    note = (
        "p is of the exact sign test (with one answer to a task: McNemar's), corrected for "
        f"{len(p_values)} comparisons by Benjamini and Hochberg. Tasks that only one has are "
        "left out."
    )
    return Table(f"Compared with {base}", header, rows, note)


def _mean_score(records: Records, score: str) -> float:
    if score == "accepted":
        return fmean(record.solved for record in records)
    return fmean(record.paper or 0.0 for record in records)


def _check_versions(family: str, base: str, one: Record, name: str, two: Record) -> None:
    for version in ("task_version", "reward_version"):
        first, second = one.metadata.get(version), two.metadata.get(version)
        if first != second:
            raise ValueError(
                f"{base} was asked {family} with {version} {first} and {name} with {second}, so "
                "their figures don't mean the same: evaluate both with one version of this library."
            )


def charts(name: str, records: Records) -> list[Chart]:
    """Return a paper's charts: accuracy by level and, if counted, against tokens, and its own."""
    graded = [record for record in records if record.graded]
    found = []
    for family, own in grouped(graded, lambda record: record.family).items():
        levels, tokens = [], []
        for number, (model, answers) in enumerate(_models(own).items()):
            groups = sorted(grouped(answers, lambda record: record.level).items())
            points = [_point(level, of_level) for level, of_level in groups]
            levels.append(Series(model, points, number))
            if (total := _total(record.completion_tokens for record in answers)) is not None:
                tokens.append(
                    Series(model, [_point(total / len(answers), answers)], number, "dots")
                )
        label = "share of tasks accepted"
        if len({record.level for record in own}) > 1:
            found.append(Chart(f"{family}: by level", "level", label, levels))
        if len(tokens) > 1:
            found.append(Chart(f"{family}: compute", "mean tokens written", label, tokens))
    found += logicskills.charts(_with_shots(graded)) if name == "logicskills" else []
    return found + (ltgen.charts(graded) if name == "sat" else [])


def _point(x: float, records: Records) -> Point:
    share = mean_percent([fmean(r.solved for r in own) for own in _tasks(records)])
    low, high = share.value - share.error, share.value + share.error
    return Point(x, share.value / 100, low / 100, high / 100)


LEAST_USEFUL = 0.1
"""Share of useful groups from which on a level is worth training from the start."""


class LevelRate(NamedTuple):
    """What a model does at a level."""

    level: int
    tasks: int
    pass_rate: float  # mean over tasks
    low: float  # lower 95 % bound of it, each task counted once
    high: float
    useful: float  # expected share of groups in which some completions are right and some wrong


def measure(records: Sequence[Record], group: int) -> list[LevelRate]:
    """Return the rates of one family's levels, for groups of ``group`` completions.

    Raises:
        ValueError: If a task has fewer graded answers than a group has completions.
    """
    rates = []
    for level, own in sorted(grouped(records, lambda record: record.level).items()):
        tasks = grouped([record for record in own if record.graded], lambda record: record.id)
        counts = [(len(each), sum(r.solved for r in each)) for each in tasks.values()]
        fewest = min((answers for answers, _ in counts), default=0)
        if fewest < group:
            raise ValueError(
                f"Level {level} has a task with {fewest} graded answers, which is less than a "
                f"group of {group}: evaluate with --epochs {group} or more, or give a smaller "
                "--group."
            )
        rate = fmean(solved / answers for answers, solved in counts)
        low, high = wilson_bounds(rate, len(counts))
        useful = fmean(useful_share(answers, solved, group) for answers, solved in counts)
        rates.append(LevelRate(level, len(counts), rate, low, high, useful))
    return rates


def useful_share(answers: int, solved: int, group: int) -> float:
    """Return the chance that ``group`` answers to a task are neither all right nor all wrong.

    >>> useful_share(answers=4, solved=1, group=2)  # 3 of the 6 pairs hold the right one
    0.5
    """
    alike = comb(solved, group) + comb(answers - solved, group)
    return 1 - alike / comb(answers, group)


def recommend(rates: Sequence[LevelRate], threshold: float) -> tuple[int, int]:
    """Return the start level, the first not passed, and the last level worth training.

    The last one is one above the levels which, from the start on, have useful groups; a curriculum
    that reaches it can be continued with a higher ``last_level``.
    """
    open_levels = [rate for rate in rates if rate.low < threshold] or [rates[-1]]
    last = open_levels[0].level
    for rate in open_levels[1:]:
        if rate.useful < LEAST_USEFUL:
            break
        last = rate.level
    return open_levels[0].level, min(last + 1, rates[-1].level)


def where_to_begin(name: str, records: Sequence[Record], group: int) -> Table:
    """Return the rates of a model on one family, with the options of a training to begin with."""
    rates, known = measure(records, group), registry.family(records[0].family)
    threshold = CurriculumConfig.pass_threshold
    rows = []
    for rate in rates:
        tasks = known.available_tasks(rate.level, known.read_options({"split": "train"}))
        row = [str(rate.level), str(rate.tasks), f"{rate.pass_rate:.2f}"]
        row += [f"{rate.low:.2f} to {rate.high:.2f}", f"{rate.useful:.2f}"]
        rows.append([*row, "endless" if tasks is None else str(tasks)])
    start, last = recommend(rates, threshold)
    note = f"A curriculum could begin with --start_level {start} --last_level {last}."
    if all(rate.low >= threshold for rate in rates):
        note = "All levels are passed already: evaluate higher ones."
    elif not any(rate.useful for rate in rates):
        note = (
            "No level has a group with right and wrong answers, so nothing can be learnt: train on "
            "solutions first, or evaluate other levels."
        )
    header = ["level", "tasks", "pass rate", "95 %", f"useful groups of {group}", "training tasks"]
    return Table(f"Where to begin: {name}, {known.name}", header, rows, note)


if __name__ == "__main__":
    sys.exit(main())
