"""What the papers show, made of graded answers, as :func:`.as_frame` has them.

Sources: SLR, section 5, Table 4. LogicSkills (arXiv:2602.06533), sections 5 to 5.3, Tables 1 and 2;
where the questions are the paper's own, its figures stand beside those of the run. LogiNumSynth,
sections 3.3 and 4.1, Table 3. LTGen, section 4 and appendix B.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

import pandas as pd

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.records import PAPER_PROCESS, TASK, column, percent
from logic_curriculum.curriculum.evaluation.tables import (
    NONE,
    SKILLS,
    Mean,
    Table,
    mean_percent,
    shown,
)
from logic_curriculum.rewards.answers import STATUSES


def slr(answers: pd.DataFrame) -> list[Table]:
    """Return rows in the form of Table 4 of SLR, by the paper's score and by ours."""
    rows: list[dict[str, Any]] = []
    tiers = answers["metadata.tier"].unique()
    for entry, own in answers.groupby("entry", sort=False):
        levels = own.groupby("level")
        row = {
            "model": entry,
            "LRL": levels.paper.mean().sum(skipna=False),
            "LRL, accepted": levels.solved.mean().sum(),
            "syntax (%)": 100 * own.syntax.mean(),
        }
        for tier in tiers:
            of_tier = own[own["metadata.tier"] == tier]
            means = [percent(of_tier, score) for score in ("paper", "solved")]
            shares = [mean.value if mean.items else None for mean in means]
            row[f"{tier} (%)"] = " / ".join(map(shown, shares)) if len(of_tier) else None
        rows.append(
            {
                **row,
                "renamed copies (%)": 100 * column(own, "metrics.isomorphic").mean(),
                "hacking gap (points)": 100 * column(own, "metrics.hacking_gap").mean(),
                "tokens (M)": shown(own.completion_tokens.sum(skipna=False) / 1e6, ".3g"),
                "cost ($)": shown(own.cost.sum(skipna=False), ".4g"),
            }
        )
    most = answers.groupby("entry")["level"].nunique().max()
    note = (
        f"LRL lies between 0 and the number of levels asked, {most}. LRL and the first figure of a "
        "tier are by the paper's OverallScore, which counts the examples shown; accepted rules are "
        "right on fresh examples, too. A gap is what rules gain that name the examples."
    )
    return [Table("SLR: leaderboard (Table 4)", rows, note)]


COLUMNS: Mapping[tuple[str, str], str] = {
    ("validity", "carroll"): "Val (Car.)",
    ("validity", "english"): "Val (Eng.)",
    ("symbolization", "carroll"): "Sym (Car.)",
    ("symbolization", "english"): "Sym (Eng.)",
    ("countermodel", "formal"): "Counter",
}
"""Skill and language of its sentences, ``formal`` where there are formulas only → what Table 2 of
LogicSkills calls it, in its order."""
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
"""Table 2 of LogicSkills: model → accuracy in % in each setting, of 300 questions."""
ERRORS = {
    "validity": ("superset", 58.4),
    "symbolization": ("not_equivalent", 50.2),
    "countermodel": ("not_countermodel", 72.9),
}
"""Skill → the error that section 5.2 counts, and its share of the wrong answers there in %."""


def logicskills(answers: pd.DataFrame) -> list[Table]:
    """Return Table 2 of LogicSkills, and what its wrong answers are."""
    asked = answers.assign(language=column(answers, "metadata.language").fillna("formal"))
    is_main = bool((column(answers, "metadata.set") == "main").all())  # the paper's questions
    return [_settings(asked, is_main), _wrong_answers(asked)]


def _settings(asked: pd.DataFrame, is_main: bool) -> Table:
    pairs = dict.fromkeys(zip(asked.family, asked.language, strict=True))
    titles = {pair: title for pair, title in COLUMNS.items() if pair in pairs}
    titles |= {pair: f"{pair[0]} ({pair[1]})" for pair in pairs if pair not in COLUMNS}
    rows = []
    for entry, own in asked.groupby("entry", sort=False):
        row: dict[str, Any] = {"model": entry}
        for (skill, language), title in titles.items():
            of_setting = own[(own.family == skill) & (own.language == language)]
            row[title] = percent(of_setting, "solved")
        rows.append(row)
    note = "Accuracy in %, ± standard error."
    if is_main:
        for name, values in PUBLISHED.items():
            published = dict(zip(COLUMNS, values, strict=True))
            cells = {title: published.get(pair) for pair, title in titles.items()}
            rows.append({"model": f"published: {name}", **cells})
        note += " Published figures are by the authors' extractor and checkers."
    return Table("LogicSkills: skills and languages (Table 2)", rows, note)


def _wrong_answers(asked: pd.DataFrame) -> Table:
    rows = []
    for (entry, skill), own in asked[asked.solved == 0].groupby(["entry", "family"], sort=False):
        error, published = ERRORS[skill]
        lost = [bool(errors) and {*STATUSES} >= {*errors} for errors in own.errors]
        rows.append(
            {
                "model": entry,
                "skill": skill,
                "wrong answers": len(own),
                "error": error,
                "of them (%)": mean_percent(column(own, f"metrics.{error}").fillna(0)),
                "published (%)": published,
                "no answer found (%)": mean_percent(lost),
            }
        )
    note = (
        "superset: all that follows and more; not_equivalent: a well-formed formula in the given "
        "symbols; not_countermodel: a whole structure. Others are malformed or incomplete or, in "
        "validity, of another choice; the last column has those without any answer. Published "
        "shares are of ten models together."
    )
    return Table("LogicSkills: kinds of wrong answers (section 5.2)", rows, note)


BASE = "base"  # Name of the model that nothing was trained on top of
PAPER_DELTAS: Mapping[str, Mapping[str, float]] = {
    "symbolization": dict(zip(SKILLS, (80.7, 0.0, -4.3), strict=True)),
    "countermodel": dict(zip(SKILLS, (-3.0, 15.7, -6.4), strict=True)),
    "symbolization+countermodel": dict(zip(SKILLS, (84.0, 25.6, -5.7), strict=True)),
}
"""Table 1 of LogicSkills: what was trained on → skill → change in accuracy points."""


def transfer_tables(answers: pd.DataFrame, tuned: Sequence[str]) -> list[Table]:
    """Return the transfer matrix beside the paper's, and the skill profile (section 5.3).

    ``tuned`` are the models that were trained on top of :data:`BASE`.
    """
    base = {"trained on": f"nothing: {BASE} accuracy"}
    for skill, solved in answers[answers.model == BASE].groupby("family", sort=False).solved:
        base |= {f"{skill} Δ": str(mean_percent(solved, 0)), f"{skill}, paper Δ": ""}
    matrix = [base]
    for name, gains in _gains(answers, tuned).items():
        matrix.append({"trained on": name})
        for skill, gain in gains.items():
            paper = shown(PAPER_DELTAS.get(name, {}).get(skill), "+.1f")
            matrix[-1] |= {f"{skill} Δ": gain.signed, f"{skill}, paper Δ": paper}
    language = column(answers, "metadata.language").fillna("formal")
    setting = answers.family + (" (" + language + ")").where(language != "formal", "")
    profile = []
    for model, own in answers.groupby("model", sort=False):
        profile.append({"model": model})
        for name, solved in own.groupby(setting, sort=False).solved:
            profile[-1][name] = mean_percent(solved, 0)
    return [
        Table("Transfer: change in accuracy points, ± standard error", matrix),
        Table("Skill profile: accuracy in %, ± standard error", profile),
    ]


def _gains(answers: pd.DataFrame, tuned: Sequence[str]) -> dict[str, dict[str, Mean]]:
    """Return each tuned model's accuracy less the base's by skill, its languages pooled.

    The standard error is that of the paired differences d_i = tuned_i - base_i in {-1, 0, 1}:
    sd(d) / √n. Items that either model was not graded on are left out.
    """
    language = column(answers, "metadata.language").fillna("formal")
    solved = answers.groupby(["family", "level", language, "id", "model"]).solved.mean().unstack()
    gains = solved.sub(solved[BASE], axis=0)
    skills = answers.family.unique()
    return {
        name: {skill: mean_percent(gains.loc[skill, name], 0) for skill in skills} for name in tuned
    }


LOGINUM_SCORES = {"Proc": "partial", "paper's Proc": f"metrics.{PAPER_PROCESS}", "Ans": "solved"}
"""Columns of Table 3 of LogiNumSynth → our scores: process accuracy as we judge it, in which
guessing does not pay; as the paper does (appendix F.2): full marks for a verified chain to the
right answer, else the share of the gold conclusions that were derived; and answer accuracy."""


def loginum(answers: pd.DataFrame) -> list[Table]:
    """Return process and answer accuracy as in Table 3 of LogiNumSynth, and both by depth."""
    process = LOGINUM_SCORES["paper's Proc"]
    dataset = column(answers, "metadata.preset").fillna("ladder")
    asked = answers.assign(dataset=dataset, **{process: column(answers, process)})
    return [_accuracies(asked), _depths(asked)]


def _accuracies(asked: pd.DataFrame) -> Table:
    rows, datasets = [], asked.dataset.unique()
    for (model, shots), own in asked.groupby(["model", "shots"], sort=False):
        row = {"model": model, "shots": f"{shots}-shot"}
        found = [loginum_accuracies(own[own.dataset == name]) for name in datasets]
        for name, means in zip(datasets, found, strict=True):
            row |= {f"{name} {score}": mean for score, mean in means.items()}
        if len(datasets) > 1:  # each data set weighs the same, as in the paper
            for score in LOGINUM_SCORES:
                values = [means[score].value for means in found if means[score].items]
                row[f"mean {score}"] = fmean(values) if values else None
        rows.append(row)
    return Table("LogiNumSynth: process and answer accuracy in % (Table 3)", rows)


def loginum_accuracies(asked: pd.DataFrame) -> dict[str, Mean]:
    """Return the accuracies by :data:`LOGINUM_SCORES`; their errors are not over trainings."""
    return {name: percent(asked, score) for name, score in LOGINUM_SCORES.items()}


def _depths(asked: pd.DataFrame) -> Table:
    rows = []
    for (dataset, shots), of_set in asked.groupby(["dataset", "shots"], sort=False):
        for depth, own in of_set.groupby("level"):
            row = {"dataset": dataset, "shots": f"{shots}-shot", "depth": depth, "tasks": 0}
            for model in asked.model.unique():
                means = loginum_accuracies(own[own.model == model])
                row["tasks"] = max(row["tasks"], means["Ans"].items)
                row |= {f"{model} {score}": mean for score, mean in means.items()}
            rows.append(row)
    return Table("LogiNumSynth: by depth, in %", rows)


def ltgen(answers: pd.DataFrame) -> list[Table]:
    """Return the tables of LTGen, Table 1 first.

    *Positive* is consistent, so that a false positive is the answer "consistent" where the text is
    inconsistent (section 4.2).
    """
    texts = with_calls(answers)
    return [_classification(texts), _predictions(texts), _correlations(texts)]


def with_calls(answers: pd.DataFrame) -> pd.DataFrame:
    """Return answers with LTGen's columns.

    These are ``dataset``, its preset, language and style; ``consistent``, what the text is;
    ``right``, whether the verdict is; ``called``, what the model called the text, ``consistent``,
    ``inconsistent`` or ``neither``, and ``positive``, whether that is ``consistent``.
    """
    preset = column(answers, "metadata.preset").fillna("ladder")
    others = (column(answers, f"metadata.{name}") for name in ("language", "style"))
    about = zip(preset, *others, strict=True)
    consistent = answers["metadata.satisfiable"].astype(bool)
    right, wrong = column(answers, "metrics.verdict") > 0, column(answers, "metrics.false_positive")
    positive = (consistent & right) | (wrong > 0)
    negative = (~consistent & right) | (column(answers, "metrics.false_negative") > 0)
    called = pd.Series("neither", answers.index).mask(positive, "consistent")
    return answers.assign(
        dataset=[", ".join(part for part in row if isinstance(part, str)) for row in about],
        consistent=consistent,
        right=right,
        called=called.mask(negative, "inconsistent"),
        positive=positive,
    )


def _experiments(texts: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for (dataset, entry), own in texts.groupby(["dataset", "entry"], sort=False):
        yield {"data set": dataset, "model": entry}, own


def measures(texts: pd.DataFrame) -> dict[str, float]:
    """Return the columns of Table 1, in [0, 1]; NaN where there is nothing to take a share of.

    F1 is the harmonic mean of precision and recall: 2 TP / (TP + FP + consistent texts).
    """
    both, either = texts.positive & texts.consistent, texts.positive.sum() + texts.consistent.sum()
    return {
        "accuracy": texts.right.mean(),
        "precision": texts.consistent[texts.positive].mean(),
        "recall": texts.positive[texts.consistent].mean(),
        "F1": 2 * both.sum() / either if either else float("nan"),
    }


def _spread(values: pd.Series, digits: int = 2) -> str:
    """Return the mean of the values that are there, and in brackets their deviation (n - 1)."""
    known = values.dropna()
    deviation = f" ({known.std():.{digits}f})" if len(known) > 1 else ""
    return f"{shown(known.mean(), f'z.{digits}f')}{deviation}"


def _classification(texts: pd.DataFrame) -> Table:
    rows = []
    for about, own in _experiments(texts):
        runs = own.groupby("sample")
        by_run = pd.DataFrame([measures(run) for _, run in runs])
        rows.append(
            {
                **about,
                **{name: _spread(by_run[name]) for name in by_run},
                "answers per run": _spread(runs.size(), 1),
                "time (s)": _spread(own.seconds),
                "runs": len(runs),
                "no verdict": shown((own.called == "neither").mean(), ".2f"),
                "solved": shown(own.solved.mean(), ".2f"),
                "homogeneity (%)": homogeneity(own),
            }
        )
    note = (
        "Consistent is positive. Mean over runs, their standard deviation in brackets (Table 1). "
        "An answer without a verdict is wrong, and calls nothing consistent. Solved are right "
        "verdicts with a right proof, where one is asked for."
    )
    return Table("LTGen: accuracy, precision, recall and F1", rows, note)


def homogeneity(texts: pd.DataFrame) -> float:
    """Return the mean homogeneity of texts in percent (App. B.2); NaN if none has two answers.

    A text's homogeneity is the share of its answers that are the most frequent one; no verdict
    counts as an answer of its own.
    """
    counts = texts.groupby(TASK).called.value_counts().unstack(fill_value=0)
    several = counts[counts.sum(axis=1) > 1]
    return 100 * (several.max(axis=1) / several.sum(axis=1)).mean()


def _predictions(texts: pd.DataFrame) -> Table:
    columns = {
        "consistent": "said consistent (%)",
        "inconsistent": "said inconsistent (%)",
        "neither": "no verdict (%)",
    }
    rows = []
    for about, own in _experiments(texts):
        for consistent, group in own.groupby("consistent", sort=False):
            rows.append({**about, "the text is": "consistent" if consistent else "inconsistent"})
            for name, title in columns.items():
                rows[-1][title] = 100 * (group.called == name).mean()
    return Table("LTGen: what is said of consistent and of inconsistent texts (Figure 2)", rows)


def by_clauses(texts: pd.DataFrame) -> pd.DataFrame:
    """Return shares by number of clauses: ``consistent``, ``right`` and ``false_positive``.

    A group without inconsistent texts has no rate of false positives; it is 0 here. The paper's
    tables have as many groups for this rate as for the accuracy, which all groups have, so none is
    left out.
    """
    groups = texts.groupby("metadata.clauses")[["consistent", "right"]].mean()
    wrong = texts[~texts.consistent].groupby("metadata.clauses").positive.mean()
    return groups.assign(false_positive=wrong).fillna(0.0)


def _correlations(texts: pd.DataFrame) -> Table:
    rows = []
    for about, own in _experiments(texts):
        groups = by_clauses(own)
        biased = groups[groups.consistent < 1]
        bias = "false positives and inconsistent texts (Table 2)"
        for name, x, y in (
            (bias, 1 - groups.consistent, groups.false_positive),
            ("the same, groups with inconsistent texts", 1 - biased.consistent,
             biased.false_positive),
            ("accuracy and consistent texts (Table 7)", groups.consistent, groups.right),
            ("length of prompt and of answer", own.prompt.str.len(), own.completion.str.len()),
        ):  # fmt: skip
            rows.append({**about, "of": name, **correlated(x, y)})
    note = (
        "Pearson's r over groups with equal numbers of clauses, of lengths over answers. A group "
        "without inconsistent texts counts with rate 0, as the paper's number of groups implies, "
        "and pulls r up; the second row leaves such groups out."
    )
    return Table("LTGen: correlations", rows, note)


def correlated(x: pd.Series, y: pd.Series) -> dict[str, str]:
    """Return Pearson's r, its p-value, and the number of points."""
    if x.nunique() < 2 or y.nunique() < 2:
        return {"r": NONE, "p": NONE, "points": str(len(x))}
    found = require("scipy.stats", extra="inspect").pearsonr(x, y)
    r = shown(found.statistic, "z.2f")
    p = "<0.001" if found.pvalue < 0.001 else f"{found.pvalue:.3f}"
    return {"r": r, "p": p if len(x) > 2 else NONE, "points": str(len(x))}
